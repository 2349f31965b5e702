"""Luck rolls: a question that nobody has an answer to is settled by a roll on Aura.

The wounded are no unluckier than others: harm is not counted. Where lucky rolls use luck up and
the table has no luck points, the roll is made on the luck that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Change,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Table,
    fresh,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts, outcomes
from kitchentable.rulesets.toaster.actions.facts import Thrown
from kitchentable.rulesets.toaster.actions.falling import task_question
from kitchentable.rulesets.toaster.actions.gmfields import difficulty_fields
from kitchentable.rulesets.toaster.actions.hints import signed
from kitchentable.rulesets.toaster.actions.luck import has_luck
from kitchentable.rulesets.toaster.actions.prompts import ask_about
from kitchentable.rulesets.toaster.actions.reckoning import (
    PLAIN_NAMES,
    Reckoning,
    difficulty,
    is_kept,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.lucky import luck_left
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome
from kitchentable.rulesets.toaster.mechanics.together import Together, band, together
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import LUCK, extended, may_call

ONE_EACH, TOGETHER, CROWD = "each", "together", "crowd"


def luck_rank(table: Table, entity: Entity) -> Part:
    """What a luck roll is made on: Aura; or the luck that earlier lucky rolls have left of it.

    toaster.3.luckroll-switch, toaster.3.luckroll-cost.
    """
    aura = lens.attribute_for(table, entity, "luck")
    left = luck_left(table, entity)
    wears = whole(setting(table.options, "luck_roll_cost")) and not has_luck(table)
    return Part("luck left", left) if wears and left < aura else Part("Aura", aura)


def _reckon(table: Table, actor: Actor, entity: Entity, answers: Answers) -> Reckoning:
    rank, step = luck_rank(table, entity), difficulty(table, answers)
    if step is None:
        return Reckoning((rank,))
    if is_kept(actor, PLAIN_NAMES, "difficulty") or answers.get("kept_difficulty"):
        return Reckoning((rank,), (step,))
    return Reckoning((rank, step))


def _question_field() -> Field:
    return Field("what", "What is the question?", required=False, default="", longest=400)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    told = _told(table, actor, answers)
    fields = [] if actor.ask else [_question_field()]
    if may_call(table.options, LUCK):
        fields.append(
            Field(
                "called",
                "Call a 4 instead of throwing",
                "tick",
                default=False,
                required=False,
                rule="toaster.3.call4-before",
            )
        )
    return (*fields, *(() if actor.ask else difficulty_fields(table, told)))


def _told(table: Table, actor: Actor, answers: Answers) -> dict[str, Any]:
    ask = table.asks.get(actor.ask)
    return {**(ask.preset if ask is not None else {}), **answers}


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    told, entity = _told(table, actor, answers), lens.whom(table, actor.entity)
    missing = is_kept(actor, PLAIN_NAMES, "difficulty") and "difficulty" not in told
    if entity is None or missing or not lens.numbers_known(entity):
        return None
    modifier = _reckon(table, actor, entity, told).modifier
    return task_question(table, entity, modifier, called=bool(told.get("called")), scope=LUCK)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Outcome) -> Result:
    told, entity = _told(table, actor, answers), table.entities[actor.entity]
    throw = facts.thrown(
        entity, "Luck", "luck", "roll", _reckon(table, actor, entity, told), outcome
    )
    throw = replace(throw, called=bool(told.get("called")))
    result = _settled(table, entity, throw, outcome, str(told.get("what") or ""))
    return replace(result, closes=(actor.ask,) if actor.ask else ())


def _settled(
    table: Table,
    entity: Entity,
    throw: Thrown,
    outcome: Outcome,
    what: str,
    involved: Sequence[Entity] = (),
) -> Result:
    """Success turns the question in the character's favour, failure against them."""
    words = {
        "success": "It turns out in their favour.",
        "critical": "It could not turn out better for them.",
        "marginal": "It turns out so-so.",
        "failure": "It turns out against them.",
        "fumble": "It turns out against them, and doubly so.",
    }
    changes, lines = _cost(table, entity, outcome)
    return Result(
        facts.card(
            entity,
            throw,
            title="A luck roll",
            words=words[outcome.band],
            word=outcomes.label(outcome, table),
            tone=outcomes.tone(table, outcome.band),
            lines=(*((Line(what),) if what else ()), *lines),
            rules=("toaster.3.luckroll-switch", *outcomes.rules_of(table, outcome)),
            involved=involved,
        ),
        changes,
        ask_about(table, entity, outcome.band, "", "luck", kind="luck"),
    )


def _cost(
    table: Table, entity: Entity, outcome: Outcome
) -> tuple[tuple[Change, ...], tuple[Line, ...]]:
    """A lucky roll uses luck up, where the table says so (toaster.3.luckroll-cost)."""
    cost = whole(setting(table.options, "luck_roll_cost"))
    if not cost or not outcome.succeeds:
        return (), ()
    left = luck_left(table, entity)
    now = max(0, left - cost)
    change = Change(("entities", entity.id, "state", "luck"), now)
    return (change,), (
        Line(f"Luck {signed(now - left)}: {now} left.", lens.number_audience(entity)),
    )


def _when(table: Table, actor: Actor) -> str | None:
    if setting(table.options, "luck_rolls"):
        return None
    return "This table does not play with luck rolls."


LUCK_ROLL = Move(
    "luck_roll",
    "A luck roll",
    "Is there a way out, are the keys in the car? Aura against 10 settles it.",
    ("toaster.3.luckroll-switch",),
    _consequences,
    when=_when,
    fields=_fields,
    question=_question,
    converses=True,
)


# ---------------------------------------------------------------- of a whole group


def _group_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """Who rolls, and how: each alone, or as if they worked together (toaster.3.luckroll-group)."""
    people = tuple(one for one in lens.present(table))
    who = Field(
        "who", "Whose luck?", "many", lens.choose(people), low=1, rule="toaster.3.luckroll-group"
    )
    how = Field(
        "how",
        "How?",
        "choice",
        (
            Choice(ONE_EACH, "Each rolls"),
            Choice(TOGETHER, "Together: the best die and the best Aura"),
            Choice(CROWD, "Together: the worst die and the best Aura"),
        ),
        default=ONE_EACH,
        rule="toaster.3.luckroll-group",
    )
    return (_question_field(), who, how, *difficulty_fields(table, answers))


def _group(table: Table, answers: Answers) -> list[Entity]:
    picked = answers.get("who")
    ids = [str(one) for one in picked] if isinstance(picked, list) else []
    found = [table.entities[one] for one in ids if one in table.entities]
    return sorted(found, key=lambda one: -luck_rank(table, one).value)


def _group_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    people = _group(table, answers)
    if answers.get("how", ONE_EACH) == ONE_EACH or not people:
        return None
    if not all(map(lens.numbers_known, people)):
        return None
    ext = extended(table.options, LUCK)
    return Question(
        together,
        (
            tuple(one.name for one in people),
            _reckon(table, actor, people[0], answers).modifier,
            ext,
            answers["how"] == CROWD,
            outcomes.varies(table),
        ),
        outcomes.bands(table, ext),
        band,
        tuple(one.name for one in people if lens.is_closed(one) or one.hidden),
    )


def _group_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if _group(table, answers):
        return ()
    return (Problem("who", "toaster.3.luckroll-group", "Say whose luck it is."),)


def _group_consequences(
    table: Table, actor: Actor, answers: Answers, outcome: Together | None
) -> Result:
    people = _group(table, answers)
    what = str(answers.get("what") or "")
    if outcome is None:
        hidden = is_kept(actor, PLAIN_NAMES, "difficulty")
        return Result(
            asks=tuple(
                _roll_ask(table, one, answers, at, hidden=hidden) for at, one in enumerate(people)
            )
        )
    best = people[0]
    reckoning = _reckon(table, actor, best, answers)
    open_parts = (*reckoning.open, Part("the die that counts", outcome.die))
    throw = facts.thrown(
        best, "Luck", "luck", best.name, Reckoning(open_parts, reckoning.kept), outcome.outcome
    )
    told = f"{what} Luck of {lens.listed(one.name for one in people)}.".strip()
    return _settled(table, best, throw, outcome.outcome, told, people)


def _roll_ask(table: Table, entity: Entity, answers: Answers, index: int, *, hidden: bool) -> Ask:
    keys = ("difficulty", "number")
    return Ask(
        fresh(table, "luck-roll", index + 1),
        (f"owner:{entity.id}",),
        "luck_roll",
        f"{entity.name}: a luck roll",
        str(answers.get("what") or ""),
        preset={
            "what": str(answers.get("what") or ""),
            "kept_difficulty": hidden,
            **{key: answers.get(key) for key in keys},
        },
        secret=(*keys, "kept_difficulty") if hidden else (),
        rules=("toaster.3.luckroll-switch", "toaster.3.luckroll-group"),
        entity=entity.id,
    )


LUCK_OF_MANY = Move(
    "luck_of_many",
    "A luck roll of several",
    "Each rolls, or they roll as if they worked together.",
    ("toaster.3.luckroll-switch", "toaster.3.luckroll-group"),
    _group_consequences,
    by=(GM,),
    place="gm",
    when=_when,
    fields=_group_fields,
    check=_group_check,
    question=_group_question,
    for_entity=False,
)
