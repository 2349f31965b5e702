"""A contest of three sides or more: the highest has it, and only who ties for it throws again."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    choose,
    is_closed,
    whole,
    whom,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, Level, weigh
from kitchentable.rulesets.lucky_stars.announced import accepted, announced_field, spoken_for
from kitchentable.rulesets.lucky_stars.character import numbers_known, people
from kitchentable.rulesets.lucky_stars.rolls import (
    Claim,
    claim,
    extra_fields,
    side,
    stat_field,
    stat_title,
    steps_of,
)

_RULES = ("stars.4.1-contest", "stars.4.2-tie-contest")


def _picked(table: Table, answers: Answers) -> tuple[Entity, ...]:
    value: Any = answers.get("who")
    found = [whom(table, one) for one in value] if isinstance(value, list) else []
    return tuple(one for one in found if one is not None)


def _when(table: Table, actor: Actor) -> str | None:
    return None if len(people(table, actor)) >= 3 else "That takes three who can roll."


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    everybody = people(table, actor)
    fields = [Field("who", "Who is in it?", "many", choose(everybody), rule="stars.4.1-contest")]
    for one in _picked(table, answers):
        name, label = f"stat.{one.id}", f"Stat of {one.name}"
        fields.append(stat_field(table, one, name=name, label=label, set_by=GM))
        fields.append(
            Field(
                f"plus.{one.id}",
                f"Modifier of {one.name}",
                "number",
                default=0,
                required=False,
                low=-99,
                high=99,
                set_by=GM,
                rule="stars.1-modifier",
            )
        )
        fields += extra_fields(
            table,
            name=f"extra.{one.id}",
            label=f"Dice from elsewhere for {one.name}",
            set_by=GM,
        )
        fields.append(
            Field(
                f"level.{one.id}",
                f"Advantage of {one.name}",
                "choice",
                (
                    Choice("", "as counted"),
                    *(Choice(str(steps), words) for steps, words in LEVELS),
                ),
                default="",
                required=False,
                set_by=GM,
                help=f"Counted: {weigh(steps_of(_claim(table, answers, one)))}.",
                rule="stars.3.2-start-neutral",
            )
        )
    return (*fields, *announced_field(table, *_picked(table, answers)))


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if len(_picked(table, answers)) >= 3:
        return ()
    return (Problem("who", "stars.4.1-contest", "Two are an ordinary contest; pick three."),)


def _level(table: Table, answers: Answers, one: Entity) -> Level:
    """As the GM ruled, or as what was pointed out about somebody counts for them."""
    ruled = answers.get(f"level.{one.id}")
    return Level(int(str(ruled))) if ruled else weigh(steps_of(_claim(table, answers, one)))


def _claim(table: Table, answers: Answers, one: Entity) -> Claim:
    """Stat, modifier, dice from elsewhere, and what was pointed out around the table."""
    plus = whole(answers.get(f"plus.{one.id}"))
    brings = {
        "stat": answers.get(f"stat.{one.id}"),
        "modifiers": [{"name": "modifier", "value": str(plus)}] if plus else [],
        "extra": answers.get(f"extra.{one.id}"),
    }
    others = (each for each in _picked(table, answers) if each.id != one.id)
    told = accepted(table, answers, one, *others)
    return claim(table, one, brings, told, label=f" of {one.name}")


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    here = _picked(table, answers)
    if len(here) < 3 or not all(numbers_known(one) for one in here):
        return None
    everyone = tuple(
        (one.id, _claim(table, answers, one).party(_level(table, answers, one))) for one in here
    )
    secret = {one.id: one.name for one in here if is_closed(one) or one.hidden}
    labels = [name for who, party in everyone if who in secret for name, _, _ in party.extras]
    closed = (*secret, *labels)
    return Question(mechanics.contest_of_many, (everyone,), (), str, closed)


def _consequences(
    table: Table, actor: Actor, answers: Answers, outcome: tuple[tuple[str, int], ...]
) -> Result:
    here = _picked(table, answers)
    totals, first = dict(outcome), outcome[0][0]
    sides = tuple(
        side(one, one.id, _claim(table, answers, one), _level(table, answers, one), totals[one.id])
        for one in here
    )
    used = ", ".join(
        f"{stat_title(table, answers.get(f'stat.{one.id}'))}, {_level(table, answers, one)}"
        for one in here
    )
    card = Card(
        "A contest of many",
        f"{table.entities[first].name} wins.",
        "wins",
        sides=sides,
        lines=(Line(f"Stats: {used}."),),
        rules=_RULES,
        audience=GM if any(one.hidden for one in here) else "all",
    )
    return Result(card, spoken_for(table, *here))


CONTEST_OF_MANY = Move(
    "contest_of_many",
    "A contest of many",
    "Three sides or more roll; the highest total has it, and a tie for it is thrown again.",
    _RULES,
    _consequences,
    by=(GM,),
    place="gm",
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    for_entity=False,
)
