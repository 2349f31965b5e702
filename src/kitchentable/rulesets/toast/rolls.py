"""Toast's rolls by name, for a program or a terminal: numbers in, with the table's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Json, Rolled, RuleRefuses
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.options import difficulty, setting

_STEPS = tuple(step["key"] for step in TABLES["difficulty"])
_DEFAULT_STEP = next(step["key"] for step in TABLES["difficulty"] if step.get("default"))


def _level(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 999:
        raise RuleRefuses(
            f"{name} is a whole number from 0 to 999, not {value!r}.",
            "toast.3-traits-define",
            code="roll/argument",
        )
    return value


def _yes(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RuleRefuses(
            f"{name} is True or False: one perk or none, not {value!r}.",
            "toast.4-perk-once",
            code="roll/argument",
        )
    return value


def _number(options: Mapping[str, Json], value: int | str | None) -> int:
    if value is None:
        return difficulty(options, _DEFAULT_STEP)
    if isinstance(value, str):
        if value.casefold() not in _STEPS:
            raise RuleRefuses(
                f"The difficulties are {', '.join(_STEPS)} or a number, not {value!r}.",
                "toast.5-diff-gm",
                code="roll/argument",
            )
        return difficulty(options, value.casefold())
    return _level("difficulty", value)


def _task(
    options: Mapping[str, Json],
    *,
    trait: int,
    perk: bool = False,
    difficulty: int | str | None = None,
) -> tuple[Any, ...]:
    return _level("trait", trait), _yes("perk", perk), _number(options, difficulty)


def _contest(
    options: Mapping[str, Json],
    *,
    trait: int,
    other_trait: int,
    perk: bool = False,
    other_perk: bool = False,
) -> tuple[Any, ...]:
    return (
        _level("trait", trait),
        _yes("perk", perk),
        _level("other_trait", other_trait),
        _yes("other_perk", other_perk),
    )


def _attack(
    options: Mapping[str, Json],
    *,
    trait: int,
    defense: int,
    perk: bool = False,
    defense_perk: bool = False,
) -> tuple[Any, ...]:
    return (
        _level("trait", trait),
        _yes("perk", perk),
        _level("defense", defense),
        _yes("defense_perk", defense_perk),
    )


def _initiative(options: Mapping[str, Json], *, trait: int, perk: bool = False) -> tuple[Any, ...]:
    if _yes("perk", perk) and not setting(options, "initiative_perk"):
        raise RuleRefuses(
            "At this table perks do not help on Initiative; the option initiative_perk allows it.",
            "toast.7-init-no-perk",
            code="roll/argument",
        )
    return _level("trait", trait), perk


def _advance(options: Mapping[str, Json], *, level: int) -> tuple[Any, ...]:
    return (_level("level", level),)


def _advance_each_use(options: Mapping[str, Json], *, level: int, uses: int) -> tuple[Any, ...]:
    return _level("level", level), _level("uses", uses)


ROLLS: dict[str, Rolled] = {
    "task": Rolled(
        mechanics.task,
        _task,
        "A task: trait=LEVEL, perk=True or False, difficulty=NUMBER or easy, medium, hard.",
        (
            {"trait": 3, "perk": True, "difficulty": 11},
            {"trait": 0, "difficulty": "hard"},
            {"trait": 9},
        ),
        lambda outcome: str(outcome.grade),
    ),
    "contest": Rolled(
        mechanics.contest,
        _contest,
        "A contest: trait=, perk= for one side, other_trait=, other_perk= for the other.",
        ({"trait": 4, "other_trait": 4}, {"trait": 2, "perk": True, "other_trait": 9}),
        lambda outcome: "tie" if outcome.winner == "tie" else f"{outcome.winner} wins",
    ),
    "attack": Rolled(
        mechanics.attack,
        _attack,
        "An attack: trait= and perk= of the attacker, defense= and defense_perk= of the defender.",
        (
            {"trait": 6, "defense": 6},
            {"trait": 6, "perk": True, "defense": 2, "defense_perk": True},
        ),
        lambda outcome: "hit" if outcome.hit else "miss",
    ),
    "initiative": Rolled(
        mechanics.initiative,
        _initiative,
        "Initiative: trait=LEVEL; a kick is a 12, a flub no action. perk= where it is allowed.",
        ({"trait": 4}, {"trait": 0}),
    ),
    "advance": Rolled(
        mechanics.advance,
        _advance,
        "Advancement: level=LEVEL of the trait; the bare die has to be greater.",
        ({"level": 4}, {"level": 13}),
        lambda outcome: "raised" if outcome.raised else "stays",
    ),
    "advance_each_use": Rolled(
        mechanics.advance_each_use,
        _advance_each_use,
        "Advancement with one roll for each use: level= and uses=; the level in the end.",
        ({"level": 4, "uses": 3},),
    ),
}
