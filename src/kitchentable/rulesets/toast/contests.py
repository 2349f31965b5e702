"""Contests: two sides roll against each other, and the GM settles what is equal."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    asked,
    card_audience,
    choose,
    fresh,
    is_closed,
    known,
    whom,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.character import (
    is_awake,
    level,
    numbers_known,
    present,
    trait_name,
)
from kitchentable.rulesets.toast.mechanics import Contest
from kitchentable.rulesets.toast.rolls import (
    noted,
    perk_field,
    saying,
    side,
    trait_field,
    what_field,
    with_perk,
)
from kitchentable.rulesets.toast.turns import action_fields, after_action
from kitchentable.rulesets.toast.twists import of_a_pair, twists_of_a_pair

_BANDS = (
    Band("first", "wins", "good", good=True),
    Band("tie", "tie: the GM decides"),
    Band("second", "loses", "bad"),
)
_KEYS = ("trait", "perk", "other_trait", "other_perk")


def _sides(table: Table, first: Entity | None, second: Entity | None, trait: Json) -> list[Field]:
    """Trait and perk of both sides; the other's are set by the other's owner."""
    fields = [trait_field(table, first), perk_field(first)]
    if second is not None:
        fields += [
            trait_field(
                table,
                second,
                name="other_trait",
                label=f"Trait of {second.name}",
                set_by="owner:other",
                default=str(trait or ""),
            ),
            perk_field(
                second, name="other_perk", label=f"Perk of {second.name}", set_by="owner:other"
            ),
        ]
    return fields


def _others(table: Table, actor: Actor) -> tuple[Entity, ...]:
    people = known(present(table, but=actor.entity), actor)
    return tuple(one for one in people if is_awake(one))


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity, other = whom(table, actor.entity), whom(table, answers.get("other"))
    people = _others(table, actor)
    against = Field(
        "other",
        "Against whom?",
        "entity",
        choose(people),
        default=people[0].id if len(people) == 1 else None,
        rule="toast.5.2-contest-both-roll",
    )
    return (
        against,
        what_field(),
        *_sides(table, entity, other, answers.get("trait")),
        *action_fields(table, actor, optional=True),
    )


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    return _throw(table, whom(table, actor.entity), whom(table, answers.get("other")), answers)


def _throw(
    table: Table, first: Entity | None, second: Entity | None, answers: Answers
) -> Question | None:
    if first is None or second is None:
        return None
    if not (numbers_known(first) and numbers_known(second)):
        return None
    both = (("first", first), ("second", second))
    return Question(
        mechanics.contest,
        (
            level(first, answers.get("trait")),
            bool(answers.get("perk")),
            level(second, answers.get("other_trait")),
            bool(answers.get("other_perk")),
        ),
        _BANDS,
        _winner,
        tuple(label for label, one in both if is_closed(one) or one.hidden),
        saying("The higher result wins; a tie is the GM's."),
    )


def _winner(outcome: Contest) -> str:
    return outcome.winner


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Contest) -> Result:
    first, second = table.entities[actor.entity], table.entities[str(answers["other"])]
    changes, asks = after_action(table, actor, answers)
    notes = (
        *noted(table, first, answers["trait"], answers.get("perk")),
        *noted(table, second, answers["other_trait"], answers.get("other_perk")),
    )
    return _fell(table, first, second, answers, outcome, (*notes, *changes), asks)


def _fell(
    table: Table,
    first: Entity,
    second: Entity,
    answers: Answers,
    outcome: Contest,
    changes: tuple[Change, ...],
    asks: tuple[Ask, ...],
    closes: tuple[str, ...] = (),
) -> Result:
    """The card of both throws, the story a special asks for, and the GM's card for a tie."""
    occasion = of_a_pair(outcome.first, outcome.second)
    lines = [Line(str(answers["what"]))] if answers.get("what") else []
    if occasion == "spectacle":
        lines.append(Line("Spectacular: a flub against a kick."))
    trait, perk = answers["trait"], answers.get("perk")
    winner = {"first": first, "second": second}.get(outcome.winner)
    card = Card(
        with_perk(f"{trait_name(table, trait)} against {second.name}", perk),
        f"{winner.name} wins." if winner else "A tie: the GM decides.",
        "tie" if winner is None else "wins" if winner is first else "loses",
        {"first": "good", "second": "bad"}.get(outcome.winner, "plain"),
        (
            side(table, first, "first", trait, perk, outcome.first),
            side(
                table,
                second,
                "second",
                answers["other_trait"],
                answers.get("other_perk"),
                outcome.second,
            ),
        ),
        tuple(lines),
        _rules(outcome, occasion),
        first.id,
        card_audience(first, second),
    )
    thrown = (outcome.first, outcome.second)
    twists = twists_of_a_pair(table, (first, second), thrown)
    tie = (_tie_ask(table, first, second, answers),) if winner is None else ()
    return Result(card, changes, (*twists, *asks, *tie), closes)


def _rules(outcome: Contest, occasion: str) -> tuple[str, ...]:
    special = {
        "spectacle": ("toast.5.2-flub-vs-kick",),
        "kick": ("toast.5.2-contest-kick-vs-number",),
        "flub": ("toast.5.2-contest-flub-vs-number",),
    }
    if occasion == "two":
        kick = outcome.first is mechanics.KICK
        return (
            "toast.5.2-double-kick" if kick else "toast.5.2-double-flub",
            "toast.5.2-contest-tie",
        )
    if outcome.winner == "tie":
        return ("toast.5.2-contest-tie",)
    return special.get(occasion, ("toast.5.2-contest-higher",))


# ---------------------------------------------------------------- a tie


def _tie_ask(table: Table, first: Entity, second: Entity, answers: Answers) -> Ask:
    return Ask(
        fresh(table, "tie"),
        (GM,),
        "tie",
        f"A tie: {first.name} against {second.name}",
        "Nothing is settled before you say what it means.",
        preset={
            "first": first.id,
            "second": second.id,
            "about": table.number + 1,
            "roll": {key: answers.get(key) for key in _KEYS},
        },
        rules=("toast.5.2-contest-tie", "toast.5.2-contest-tie-reroll"),
        entity=first.id,
    )


def _told(table: Table, actor: Actor, answers: Answers) -> dict[str, Json]:
    """The first roll's traits and perks with what the GM changes for the new one."""
    told = asked(table, actor, answers)
    first: Any = told.get("roll") or {}
    return {**first, **told}


def _both(table: Table, told: Answers) -> tuple[Entity, Entity]:
    return table.entities[str(told["first"])], table.entities[str(told["second"])]


def _tie_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    told = _told(table, actor, answers)
    if "first" not in told:
        return ()
    first, second = _both(table, told)
    ruling = Field(
        "ruling",
        "What does the tie mean?",
        "choice",
        (
            Choice("reroll", "Another roll"),
            Choice("first", f"{first.name} wins after all"),
            Choice("second", f"{second.name} wins after all"),
            Choice("else", "Something else"),
        ),
        default="reroll",
        rule="toast.5.2-contest-tie",
    )
    note = Field("note", "What happens", "story", required=told.get("ruling") == "else", default="")
    if told.get("ruling", "reroll") != "reroll":
        return (ruling, note)
    same: list[Field] = [
        trait_field(table, first, label=f"Trait of {first.name}", default=str(told["trait"])),
        _same_perk(perk_field(first, label=f"Perk of {first.name}"), told["perk"]),
        trait_field(
            table,
            second,
            name="other_trait",
            label=f"Trait of {second.name}",
            default=str(told["other_trait"]),
        ),
        _same_perk(
            perk_field(second, name="other_perk", label=f"Perk of {second.name}"),
            told["other_perk"],
        ),
    ]
    return (ruling, note, *same)


def _same_perk(field: Field, perk: Any) -> Field:
    """The perk that was used stays picked, even if it left the sheet meanwhile."""
    if not perk or all(one.value != perk for one in field.choices):
        return field
    return Field(
        field.name,
        field.label,
        "choice",
        field.choices,
        default=perk,
        required=False,
        rule=field.rule,
    )


def _tie_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    told = _told(table, actor, answers)
    if told.get("ruling", "reroll") != "reroll":
        return None
    return _throw(table, whom(table, told.get("first")), whom(table, told.get("second")), told)


def _tie_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if answers.get("ruling") == "else" and not answers.get("note"):
        return (Problem("note", "toast.5.2-contest-tie", "Say what happens instead."),)
    return ()


def _tie(table: Table, actor: Actor, answers: Answers, outcome: Contest | None) -> Result:
    told = _told(table, actor, answers)
    first, second = _both(table, told)
    if outcome is not None:
        return _fell(table, first, second, told, outcome, (), (), (actor.ask,))
    winner = {"first": first, "second": second}.get(str(told["ruling"]))
    card = Card(
        f"The tie of {first.name} and {second.name}",
        f"{winner.name} wins, by the GM's word." if winner else "Something else happens.",
        "wins" if winner is first else "loses" if winner else "tie",
        lines=(Line(str(told["note"])),) if told.get("note") else (),
        rules=("toast.5.2-contest-tie",),
        entity=first.id,
        audience=card_audience(first, second),
        about=int(str(told.get("about") or 0)),
    )
    return Result(card, closes=(actor.ask,))


def _when(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is not None and not is_awake(entity):
        return f"{entity.name} cannot act before somebody gives first aid."
    if not _others(table, actor):
        return "Nobody is there to contend with."
    return None


CONTEST = Move(
    "contest",
    "Contest",
    "Two are directly opposed: both roll, the higher result wins.",
    ("toast.5.2-contest-both-roll", "toast.5.2-contest-higher", "toast.5.2-contest-tie"),
    _consequences,
    when=_when,
    fields=_fields,
    question=_question,
    converses=True,
)
TIE = Move(
    "tie",
    "Settle a tie",
    "Another roll, one side after all, or something else.",
    ("toast.5.2-contest-tie", "toast.5.2-contest-tie-reroll"),
    _tie,
    by=(),
    fields=_tie_fields,
    check=_tie_check,
    question=_tie_question,
    for_entity=False,
)
