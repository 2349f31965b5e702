"""Every roll of Toast, declared once: for the page, the odds, the card and the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Band, Json, RuleRefuses
from kitchentable.rules.kit import Roll, whole_number, yes_or_no
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.options import Options

LADDER = {step["key"]: step["name"] for step in TABLES["difficulty"]}
MEDIUM = next(step["key"] for step in TABLES["difficulty"] if step.get("default"))
LEVEL = whole_number("a whole number", "toast.3-traits-define")
PERK = yes_or_no("one perk or none", "toast.4-perk-once")


def _difficulty(options: Mapping[str, Json], name: str, value: Any) -> int:
    if isinstance(value, str) and value.casefold() not in LADDER:
        steps = ", ".join(LADDER)
        raise RuleRefuses(
            f"The difficulties are {steps} or a number, not {value!r}.",
            "toast.5-diff-gm",
            code="roll/argument",
        )
    number = Options(options)[value.casefold()] if isinstance(value, str) else value
    return int(LEVEL(options, name, number))


def _initiative_perk(options: Mapping[str, Json], name: str, value: Any) -> bool:
    if PERK(options, name, value) and not Options(options).initiative_perk:
        raise RuleRefuses(
            "At this table perks do not help on Initiative; the option initiative_perk allows it.",
            "toast.7-init-no-perk",
            code="roll/argument",
        )
    return bool(value)


TASK = Roll(
    mechanics.task,
    (
        Band("success", "success", "good", good=True),
        Band("kick", "kick", "splendid", good=True),
        Band("failure", "failure", "bad"),
        Band("flub", "flub", "bad"),
    ),
    lambda fell: fell.grade,
    "A task: trait=LEVEL, perk=True or False, difficulty=NUMBER or easy, medium, hard.",
    (
        {"trait": 3, "perk": True, "difficulty": 11},
        {"trait": 0, "difficulty": "hard"},
        {"trait": 9},
    ),
    reads={"difficulty": _difficulty, ("difficulty", "default"): MEDIUM},
)
CONTEST = Roll(
    mechanics.contest,
    (
        Band("first", "wins", "good", good=True),
        Band("tie", "tie: the GM decides"),
        Band("second", "loses", "bad"),
    ),
    lambda fell: fell.winner,
    "A contest: trait=, perk= for one side, other_trait=, other_perk= for the other.",
    ({"trait": 4, "other_trait": 4}, {"trait": 2, "perk": True, "other_trait": 9}),
    lambda fell: "tie" if fell.winner == "tie" else f"{fell.winner} wins",
    "The higher result wins; a tie is the GM's.",
)
ATTACK = Roll(
    mechanics.attack,
    (Band("hit", "hit", "good", good=True), Band("miss", "miss", "bad")),
    lambda fell: "hit" if fell.hit else "miss",
    "An attack: trait= and perk= of the attacker, defense= and defense_perk= of the defender.",
    ({"trait": 6, "defense": 6}, {"trait": 6, "perk": True, "defense": 2, "defense_perk": True}),
    says="Your result has to be the higher one; a tie misses.",
)
INITIATIVE = Roll(
    mechanics.initiative,
    (
        Band("number", "acts this round", "good", good=True),
        Band("kick", "kick: a 12 and the trait", "splendid", good=True),
        Band("flub", "flub: no action this round", "bad"),
    ),
    lambda fell: fell.special or "number",
    "Initiative: trait=LEVEL; a kick is a 12, a flub no action. perk= where it is allowed.",
    ({"trait": 4}, {"trait": 0}),
    str,
    "Acts on anything but a flub.",
    {"perk": _initiative_perk},
)
ADVANCE = Roll(
    mechanics.advance,
    (Band("raised", "goes up by 1", "good", good=True), Band("same", "stays as it is")),
    lambda fell: "raised" if fell.raised else "same",
    "Advancement: level=LEVEL of the trait; the bare die has to be greater.",
    ({"level": 4}, {"level": 13}),
    lambda fell: "raised" if fell.raised else "stays",
)
ADVANCE_EACH_USE = Roll(
    mechanics.advance_each_use,
    help="Advancement with one roll for each use: level= and uses=; the level in the end.",
    samples=({"level": 4, "uses": 3},),
)
OF_MANY = Roll(mechanics.free_for_all)

ROLLS = {
    one.mechanic.name: one.rolled({"int": LEVEL, "bool": PERK})
    for one in (TASK, CONTEST, ATTACK, INITIATIVE, ADVANCE, ADVANCE_EACH_USE)
}
