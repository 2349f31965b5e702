"""The roll: what is at stake, which talent, how much karma; the GM's modifier; two dice."""

from __future__ import annotations

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Question,
    Result,
    Table,
    card_audience,
    choose,
    is_closed,
    number_audience,
    whole,
    whom,
)
from kitchentable.rulesets.objects import mechanics, odds
from kitchentable.rulesets.objects.aftermath import (
    ended,
    karma_changes,
    karma_lines,
    may_spend,
    tells,
    title,
)
from kitchentable.rulesets.objects.circumstances import (
    check,
    is_kept,
    modifier_field,
    modifier_lines,
    modifiers,
)
from kitchentable.rulesets.objects.mechanics import Attempt
from kitchentable.rulesets.objects.options import setting
from kitchentable.rulesets.objects.reroll import again_ask
from kitchentable.rulesets.objects.scenes import stakes_now
from kitchentable.rulesets.objects.thing import (
    find_talent,
    has_karma,
    karma,
    level,
    now,
    numbers_known,
    others,
    status,
    usable,
)

#: The answer for "no talent fits": level 0.
_NOTHING = ""


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    found = [_stakes(table), _talent(table, entity)]
    if not answers.get("talent"):
        found.append(
            Field(
                "unlisted",
                "Which talent would it take?",
                required=False,
                default="",
                longest=200,
                help="It is rolled at level 0: not at all.",
                rule="objects.2.3-zero-level",
            )
        )
    rivals = others(table, actor)
    if rivals:
        found.append(
            Field(
                "against",
                "Against",
                "entity",
                choose(rivals),
                default="",
                required=False,
                help="Only a help for the modifier: nobody else rolls.",
                rule="objects.4-no-opposed",
            )
        )
    if entity is not None and may_spend(table, entity):
        found.append(_karma(entity))
    return (*found, modifier_field(table, entity, answers))


def _stakes(table: Table) -> Field:
    return Field(
        "stakes",
        "What is at stake?",
        default=stakes_now(table),
        longest=400,
        help="A moment or a whole war: say what this roll decides.",
        rule="objects.3-define-situation",
    )


def _talent(table: Table, entity: Entity | None) -> Field:
    """One talent, proposed by who rolls and confirmed by the GM; or none that fits.

    objects.4-relevant-talent, objects.2.3-zero-roll.
    """
    own = usable(table, entity) if entity is not None else ()
    nothing = Choice(_NOTHING, "Nothing that fits: not at all (0)")
    return Field(
        "talent",
        "Talent",
        "choice",
        (*(Choice(one.name, one.phrase) for one in own), nothing),
        default=own[0].name if own else _NOTHING,
        required=False,
        needs_yes=True,
        rule="objects.4-relevant-talent",
    )


def _karma(entity: Entity) -> Field:
    """Said before the dice fall, at most what there is (objects.3.k-declare, objects.3.k-limit)."""
    has = karma(entity)
    return Field(
        "karma",
        "Karma on Self",
        "number",
        default=0,
        required=False,
        low=-has,
        high=has,
        help=f"Of {has}. Minus lowers Self, which is better; plus raises it.",
        rule="objects.3.k-use",
    )


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None or not numbers_known(entity) or is_kept(actor, answers):
        return None
    spent = whole(answers.get("karma"))
    stops = bool(setting(table.options, "karma_reroll")) and _left(table, entity, spent) > 0
    numbers = (
        level(table, entity, answers.get("talent")),
        odds.total_of(modifiers(answers)),
        spent,
    )
    return Question(
        mechanics.opening if stops else mechanics.attempt,
        numbers,
        odds.OPEN_BANDS if stops else odds.BANDS,
        odds.grade,
        odds.LABELS if is_closed(entity) else (),
    )


def _left(table: Table, entity: Entity, spent: int) -> int:
    return karma(entity) - abs(spent) if has_karma(table, entity) else 0


def _when(table: Table, actor: Actor) -> str | None:
    """At status 0 a player's roll needs the GM's leave (objects.2.5-status-zero)."""
    entity = whom(table, actor.entity)
    asks = bool(setting(table.options, "status_zero_asks"))
    if entity is None or actor.is_gm or not asks or "status" not in entity.state:
        return None
    if status(entity) == 0 and not entity.state.get("leave"):
        return f"The fate of {entity.name} is in the GM's hands, who can give leave for a roll."
    return None


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Attempt) -> Result:
    entity = table.entities[actor.entity]
    spent = whole(answers.get("karma"))
    named = modifiers(answers)
    is_hidden = bool({"modifier", "aspects"} & actor.hidden)
    talent = find_talent(table, entity, answers.get("talent"))
    rival = whom(table, answers.get("against"))
    card = Card(
        title(entity, answers),
        odds.sentence(outcome),
        outcome.grade,
        odds.TONES.get(outcome.grade, "bad"),
        odds.sides(table, entity, outcome, named, spent, hidden=is_hidden),
        (
            Line(f"At stake: {answers['stakes']}"),
            Line(
                f"{talent.phrase}." if talent else "No talent for it: not at all (0).",
                number_audience(entity),
            ),
            *((Line(f"Against {rival.name}."),) if rival else ()),
            *odds.points_line(entity, outcome),
            *modifier_lines(table, actor, entity, outcome, named),
            *((Line(odds.reading(outcome)),) if tells(entity, outcome) else ()),
            *karma_lines(table, entity, outcome, spent),
        ),
        (
            "objects.3-two-dice",
            *odds.rules(outcome),
            *(
                ("objects.3-conflict-mod",)
                if named and not is_hidden and not outcome.critical
                else ()
            ),
            *(("objects.3.k-use",) if spent else ()),
        ),
        entity.id,
        card_audience(entity, *((rival,) if rival else ())),
        name=entity.name,
    )
    changes = [*karma_changes(table, entity, outcome, spent), *_leave(entity)]
    if outcome.grade == "undecided":
        return Result(card, tuple(changes), (again_ask(table, actor, outcome, answers),))
    return ended(table, entity, outcome, card, changes)


def _leave(entity: Entity) -> tuple[Change, ...]:
    """The GM's leave at status 0 is for one roll."""
    return (now(entity, "leave", value=False),) if entity.state.get("leave") else ()


TEST = Move(
    "test",
    "Roll",
    "Let two dice decide what words cannot: Self for the object, Conflict for the task.",
    ("objects.3-two-dice", "objects.3-define-situation", "objects.3-points-sum"),
    _consequences,
    when=_when,
    fields=_fields,
    check=check,
    question=_question,
    converses=True,
    examples=({"stakes": "Does the door hold?"}, {"stakes": "Who blinks?", "modifier": -1}),
)
