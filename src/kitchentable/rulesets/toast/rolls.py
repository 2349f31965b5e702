"""All rolls of Toast, declared once for the page, the odds, the card and the library."""

from __future__ import annotations

from typing import Any

from kitchentable.rules.kit import Roll, Values, roll_of, whole_number, yes_or_no
from kitchentable.rules.kit.rolls import bad_argument
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.options import BOOK, Options

LADDER = BOOK.column("difficulty", "name")
MEDIUM = next(step["key"] for step in BOOK.tables["difficulty"] if step.get("default"))
LEVEL = whole_number("a whole number", "toast.3-traits-define")
PERK = yes_or_no("one perk or none", "toast.4-perk-once")


def _difficulty(options: Values, name: str, value: Any) -> int:
    if isinstance(value, str) and value.casefold() not in LADDER:
        steps = ", ".join(LADDER)
        words = f"The difficulties are {steps} or a number, not {value!r}."
        raise bad_argument(words, "toast.5-diff-gm")
    number = Options(options)[value.casefold()] if isinstance(value, str) else value
    return int(LEVEL(options, name, number))


def _initiative_perk(options: Values, name: str, value: Any) -> bool:
    if PERK(options, name, value) and not Options(options).initiative_perk:
        words = (
            "At this table perks do not help with Initiative. The option initiative_perk allows it."
        )
        raise bad_argument(words, "toast.7-init-no-perk")
    return bool(value)


_ROWS = BOOK.by_key("roll")

TASK = roll_of(
    mechanics.task,
    _ROWS["task"],
    lambda fell: fell.grade,
    reads={"difficulty": _difficulty, ("difficulty", "default"): MEDIUM},
)
CONTEST = roll_of(
    mechanics.contest,
    _ROWS["contest"],
    lambda fell: fell.winner,
    lambda fell: "tie" if fell.winner == "tie" else f"{fell.winner} wins",
)
ATTACK = roll_of(mechanics.attack, _ROWS["attack"], lambda fell: "hit" if fell.hit else "miss")
INITIATIVE = roll_of(
    mechanics.initiative,
    _ROWS["initiative"],
    lambda fell: fell.special or "number",
    str,
    reads={"perk": _initiative_perk},
)
ADVANCE = roll_of(
    mechanics.advance,
    _ROWS["advance"],
    lambda fell: "raised" if fell.raised else "same",
    lambda fell: "raised" if fell.raised else "stays",
)
ADVANCE_EACH_USE = roll_of(mechanics.advance_each_use, _ROWS["advance_each_use"])
OF_MANY = Roll(mechanics.free_for_all)

ROLLS = {
    one.mechanic.name: one.rolled({int: LEVEL, bool: PERK})
    for one in (TASK, CONTEST, ATTACK, INITIATIVE, ADVANCE, ADVANCE_EACH_USE)
}
