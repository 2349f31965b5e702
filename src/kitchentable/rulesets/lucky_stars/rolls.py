"""What every decision roll shares: its questions, what is added up, the sides of its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    Answers,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Problem,
    Side,
    Table,
    number_audience,
    whole,
)
from kitchentable.rulesets.lucky_stars.advantage import Level, in_steps
from kitchentable.rulesets.lucky_stars.announced import Announced
from kitchentable.rulesets.lucky_stars.character import number_of, stat_choices, stat_value
from kitchentable.rulesets.lucky_stars.mechanics import DECISION_DICE, Extra, Party
from kitchentable.rulesets.lucky_stars.options import NO_STAT, find_stat, setting, sources
from kitchentable.rulesets.lucky_stars.reckoning import Effect, added, parts, read_effect

#: What a factor of a roll is worth, in steps (stars.3.1-grant-step, stars.3.2-single-major).
STEPS: Mapping[str, int] = {"": 1, "for-2": 2, "against-1": -1, "against-2": -2}

_WORDINGS = (
    Choice("", "modifier"),
    Choice("bonus", "bonus"),
    Choice("penalty", "penalty"),
)


def what_field() -> Field:
    """What the character does, in the player's words."""
    return Field("what", "What do you do?", required=False, default="", longest=400)


def stat_field(
    table: Table, entity: Entity | None, *, name: str = "stat", label: str = "Stat", set_by: str
) -> Field:
    """Which stat a roll is made on, or none: proposed by who rolls, confirmed by the GM (S24)."""
    choices = (*stat_choices(table, entity), Choice(NO_STAT, "no stat"))
    return Field(
        name,
        label,
        "choice",
        choices,
        default=choices[0].value,
        set_by=set_by,
        needs_yes=True,
        rule="stars.2-formula",
    )


def modifier_field(*, name: str = "modifiers", label: str = "Modifiers", set_by: str) -> Field:
    """Anything that alters the roll, each worded as a bonus, a penalty or either."""
    return Field(
        name,
        label,
        "rows",
        default=[],
        required=False,
        high=20,
        set_by=set_by,
        needs_yes=True,
        help="A value is a number such as -2 or 1/2, or made of stats such as 1/2 Will. What is "
        "worded as a bonus never falls below 0, a penalty never rises above it.",
        rule="stars.1-modifier",
        columns=(
            Field("name", "What", required=False, default="", longest=80),
            Field("value", "Value", longest=80),
            Field(
                "wording",
                "Worded as",
                "choice",
                _WORDINGS,
                default="",
                required=False,
                rule="stars.1-modifier-both",
            ),
        ),
    )


def factor_field(table: Table, *, name: str = "factors", label: str, set_by: str) -> Field:
    """What speaks for or against somebody in a roll; each is a step, a big one two."""
    big = bool(setting(table.options, "single_major"))
    worths = [Choice("", "for, 1 step"), Choice("against-1", "against, 1 step")]
    if big:
        worths.insert(1, Choice("for-2", "for, 2 steps"))
        worths.append(Choice("against-2", "against, 2 steps"))
    return Field(
        name,
        label,
        "rows",
        default=[],
        required=False,
        high=20,
        set_by=set_by,
        needs_yes=True,
        help="Only what would matter by itself. Two steps at once should be rare."
        if big
        else "Only what would matter by itself.",
        rule="stars.3.2-count-real",
        columns=(
            Field("name", "What", longest=120),
            Field(
                "worth",
                "Speaks",
                "choice",
                tuple(worths),
                default="",
                required=False,
                rule="stars.3.1-grant-step",
            ),
        ),
    )


def extra_fields(
    table: Table, *, name: str = "extra", label: str = "Dice from elsewhere", set_by: str
) -> tuple[Field, ...]:
    """Dice from other sources that join the roll; no question where the table has none."""
    known = sources(table.options)
    if not known:
        return ()
    return (
        Field(
            name,
            label,
            "many",
            tuple(Choice(one.name, one.label) for one in known),
            default=[],
            required=False,
            set_by=set_by,
            needs_yes=True,
            help="Thrown first, added, and never exploding.",
            rule="stars.2-explode-only-decision",
        ),
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """One side of a roll as it stands: what is added, what speaks for it, its other dice."""

    effects: tuple[Effect, ...]
    steps: tuple[tuple[str, int], ...]
    extras: tuple[Extra, ...]

    def party(self, level: Level, base: int = DECISION_DICE) -> Party:
        """The side with its level of advantage taken in."""
        plus = added((*self.effects, *_of_level(level)))
        return Party(level.decision_dice(base), plus, self.extras)


def _of_level(level: Level) -> tuple[Effect, ...]:
    return (Effect(str(level), Fraction(level.bonus)),) if level.bonus else ()


def steps_of(one: Claim) -> tuple[int, ...]:
    """The steps of advantage that a side brings, for and against."""
    return tuple(step for _, step in one.steps)


def rows_of(answers: Answers, name: str) -> list[dict[str, Any]]:
    """The records of a field of rows."""
    value: Any = answers.get(name)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def claim(
    table: Table,
    entity: Entity,
    answers: Answers,
    told: tuple[Announced, ...],
    *,
    prefix: str = "",
    label: str = "",
) -> Claim:
    """What one side brings: its stat, its modifiers, what was announced for it. Errors: BadFormula.

    `label` sets the dice of two sides apart.
    """
    stat = find_stat(table.options, answers.get(f"{prefix}stat"))
    effects = [Effect(stat.name, Fraction(stat_value(entity, stat.key)))] if stat else []

    def numbers(name: str) -> int | None:
        return number_of(table, entity, name)

    rows = [*rows_of(answers, f"{prefix}modifiers"), *(one.row for one in told if not one.steps)]
    effects += [read_effect(row, numbers) for row in rows]
    steps = [
        (str(row.get("name")), STEPS.get(str(row.get("worth") or ""), 1))
        for row in rows_of(answers, f"{prefix}factors")
    ]
    steps += [(one.text, one.steps) for one in told if one.steps]
    picked: Any = answers.get(f"{prefix}extra") or []
    extras = tuple(
        (f"{one.name}{label}", one.count, one.sides)
        for one in sources(table.options)
        if one.name in picked
    )
    return Claim(tuple(effects), tuple(steps), extras)


def claim_problems(
    table: Table, entity: Entity | None, answers: Answers, prefix: str = ""
) -> tuple[Problem, ...]:
    """What of a side's modifiers cannot be added up."""
    if entity is None:
        return ()
    found = []
    for index, row in enumerate(rows_of(answers, f"{prefix}modifiers")):
        try:
            read_effect(row, lambda name: number_of(table, entity, name))
        except BadInput as error:
            where = f"{prefix}modifiers.{index}.value"
            found.append(Problem(where, "stars.1-modifier", str(error)))
    return tuple(found)


def side(entity: Entity, label: str, one: Claim, level: Level, total: int) -> Side:
    """One party on a card: dice, everything added by name, the total."""
    effects = (*one.effects, *_of_level(level))
    return Side(entity.name, label, parts(effects), total, audience=number_audience(entity))


def stat_title(table: Table, stat: Json) -> str:
    """A stat's name for a card's title; "Decision roll" for none."""
    found = find_stat(table.options, stat)
    return found.name if found else "Decision roll"


def factor_line(name: str, steps: tuple[tuple[str, int], ...], audience: str) -> tuple[Line, ...]:
    """What was weighed for somebody, for the card."""
    if not steps:
        return ()
    words = "; ".join(f"{text} {in_steps(step)}" for text, step in steps)
    return (Line(f"{name}: {words}.", audience),)


def base_dice(table: Table, answers: Answers) -> int:
    """Decision dice before advantage: two, or what the GM set where the table allows it."""
    if not setting(table.options, "gm_sets_dice"):
        return DECISION_DICE
    return whole(answers.get("dice")) or DECISION_DICE
