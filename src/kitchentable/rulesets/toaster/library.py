"""Named rolls for programs and terminals, with the table's settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

from kitchentable.dice import Mechanic, told
from kitchentable.rules import Rolled, whole
from kitchentable.rules.kit.rolls import Reader, bad_argument, library_roll, whole_number, yes_or_no
from kitchentable.rules.values import Values
from kitchentable.rulesets.toaster.book import ROLL_WORDS, TABLES, UNCHANGED, find
from kitchentable.rulesets.toaster.harm.healing import heals
from kitchentable.rulesets.toaster.harm.state import MORTAL_WOUNDS
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics import contests, healing, tables
from kitchentable.rulesets.toaster.mechanics.attack import attack
from kitchentable.rulesets.toaster.mechanics.contests import Side
from kitchentable.rulesets.toaster.mechanics.damage import Classes
from kitchentable.rulesets.toaster.mechanics.initiative import initiative
from kitchentable.rulesets.toaster.mechanics.stars import star
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, task, together
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, to_hit
from kitchentable.rulesets.toaster.options import ACTION, HEALING, LUCK, MORTALITY, Options

_MOST = 12
#: The arguments of a mechanic.
_Arguments = tuple[Any, ...]


# ---------------------------------------------------------------- named arguments, read


def _difficulty(options: Values, name: str, value: Any) -> int:
    """A modifier, or the name of a step of the ladder (toaster.3.difficulty-ladder).

    >>> _difficulty({}, "difficulty", "Very difficult"), _difficulty({}, "difficulty", 2)
    (-3, 2)
    """
    if not isinstance(value, str):
        rule = "toaster.3.difficulty-rules-or-gm"
        return int(whole_number("a whole number", rule, -99, 99)(options, name, value))
    found = find(UNCHANGED, "difficulty", value)
    if found is None:
        raise bad_argument(
            f"There is no difficulty {value!r}; a number or a step of the ladder, such as "
            "difficult, is asked for.",
            "toaster.3.difficulty-ladder",
        )
    return whole(found["modifier"])


def _called(scope: str) -> Reader:
    """Read whether a 4 is called, if the table allows it."""
    is_called = yes_or_no("whether a 4 is called", "toaster.3.call4-switch")

    def read(options: Values, name: str, value: Any) -> bool:
        if is_called(options, name, value) and not Options(options).may_call(scope):
            raise bad_argument(
                "At this table you cannot call a 4 here. The option calling_fours allows it.",
                "toaster.3.call4-switch",
            )
        return bool(value)

    return read


def read_luck(options: Values, name: str, value: Any, most: int = 99) -> int:
    """Read the luck points for use before a throw, at a table with luck points."""
    rule = "toaster.3.luck-before-plus2"
    points: int = whole_number("a whole number", rule, 0, most)(options, name, value)
    if points and not Options(options).luck_points:
        raise bad_argument(
            "This table has no luck points. The option luck_points adds them.",
            "toaster.3.luck-start",
        )
    return points


def _ranks(given: Any, rule: str) -> list[int]:
    """The ranks of several people, as a list or a line such as "6, 4, 5".

    >>> _ranks("6, 4,5", "toaster.3.collab-best"), _ranks([7, 5], "toaster.3.collab-best")
    ([6, 4, 5], [7, 5])
    """
    number = whole_number("a whole number", rule, -99, 99)
    parts = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not 2 <= len(parts) <= _MOST:
        raise bad_argument(f"ranks are 2 to {_MOST} numbers, such as 6,4,5; not {given!r}.", rule)
    return [
        number(
            {},
            "each rank",
            int(one) if isinstance(one, str) and one.removeprefix("-").isdecimal() else one,
        )
        for one in parts
    ]


def _roll(
    key: str,
    mechanic: Mechanic[..., Any],
    make: Callable[..., _Arguments],
    sums_up: Callable[[Any], str] = str,
    told_by: Callable[[Any], Any] | None = None,
) -> Rolled:
    """A roll with its help, its samples and its arguments, as named in the table of words.

    Arguments that default to True or False there are switches; the others are numbers. `make` takes
    the table's options first.
    """
    row = ROLL_WORDS[key]
    takes = {**row.get("takes", {}), **dict.fromkeys(row.get("maybe", ()))}
    rule, bounds = row.get("rule", ""), row.get("bounds", {})
    known: dict[str, Reader] = {
        **dict.fromkeys(("difficulty", "other_difficulty"), _difficulty),
        "luck": lambda options, name, value: BEFORE * read_luck(options, name, value),
        "called": _called(LUCK if key == "luck" else ACTION),
        "ranks": lambda options, name, value: _ranks(value, rule),
        "body": lambda options, name, value: str(value),
    }

    def reader(name: str) -> Reader:
        if name in known:
            return known[name]
        if isinstance(takes.get(name), bool):
            return yes_or_no("a switch", rule)
        number = whole_number("a whole number", rule, *bounds.get(name, (-99, 99)))
        if name not in row.get("maybe", ()):
            return number
        return lambda options, name, value: None if value is None else number(options, name, value)

    return library_roll(
        mechanic,
        {**row, "takes": takes},
        {name: reader(name) for name in (*row.get("needs", ()), *takes)},
        lambda options, **read: make(Options(options), **read),
        by_options=True,
        sums_up=sums_up,
        told_by=told_by,
    )


# ---------------------------------------------------------------- the mechanics' arguments


def _task(here: Options, *, called: bool, scope: str = ACTION, **ranks: int) -> _Arguments:
    return sum(ranks.values()), here.extended(scope), called, here.variable_outcomes


def _pair(
    here: Options, rank: int, other_rank: int, difficulty: int, other_difficulty: int
) -> _Arguments:
    sides = Side(rank + difficulty, "first"), Side(other_rank + other_difficulty, "second")
    return sides, here.extended(), here.variable_outcomes


def _many(here: Options, ranks: list[int]) -> _Arguments:
    sides = tuple(Side(one, f"side {at}") for at, one in enumerate(ranks, 1))
    return sides, here.extended(), here.variable_outcomes


def _together(here: Options, ranks: list[int], difficulty: int, too_many: bool) -> _Arguments:
    who = tuple(f"side {at}" for at, _ in enumerate(ranks, 1))
    best = max(ranks) + difficulty
    return who, best, here.extended(), too_many, here.variable_outcomes


def _clash(
    here: Options, attack: int, defence: int | None, gate: int | None, ranged: bool
) -> _Arguments:
    """The arguments of both sides; the gate defaults to the defense, or to 10 at range."""
    other = Defender(rolls=False) if defence is None else Defender(defence)
    if ranged and gate is not None:
        raise bad_argument(
            "gate= does not go with ranged=True: from afar the attack roll needs a 10. Leave one "
            "of them out.",
            "toaster.4.attack-ranged-gate",
        )
    if ranged:
        return Attacker(attack, TARGET, reaches=True), other, here.to_hit
    return Attacker(attack, other.modifier if gate is None else gate), other, here.to_hit


def _attack(
    here: Options, wc: int, ac: int, bare: int | None, threshold: int, unarmed: bool, **sides: Any
) -> _Arguments:
    one, other, rules = _clash(here, **sides)
    body = ac if bare is None else bare
    classes = Classes(wc, ac, body, threshold=max(1, threshold), unarmed=unarmed)
    return one, other, classes, rules, here.damage(UNCHANGED)


def _mortality(here: Options, physique: int, wounds: int, bonus: int = 0) -> _Arguments:
    modifier = physique - (wounds - MORTAL_WOUNDS) + bonus
    return modifier, here.extended(MORTALITY).nines, here.mortality_roll == "die"


def _survival(here: Options, rounds: int, **named: int) -> _Arguments:
    modifier, *dice = _mortality(here, **named)
    return modifier, rounds, *dice


# ---------------------------------------------------------------- the rolls


_band = attrgetter("band")
_word = attrgetter("word")
_who = attrgetter("winner_word")

#: Each roll's mechanic, the function that makes its arguments, a word for an outcome, and
#: optionally a view of the outcome without unneeded details.
_ROLLS: dict[str, tuple[Any, ...]] = {
    "task": (task, _task, _band),
    "opposed": (contests.contest, _pair, _who, contests.verdict),
    "parallel": (contests.parallel, _pair, _who, contests.verdict),
    "do_over": (
        contests.do_over,
        _pair,
        lambda place: "first wins" if place == 0 else "second wins",
        attrgetter("winner"),
    ),
    "contest": (contests.contest, _many, _who, contests.standing),
    "together": (together, _together, _band),
    "luck": (task, partial(_task, scope=LUCK), _band),
    "star": (star, lambda here: (here.extended().nines,)),
    "clash": (to_hit, _clash, str, _word),
    "attack": (attack, _attack, str, _word),
    "damage": (told(attack, "taken"), _attack),
    "initiative": (initiative, lambda here, coordination: (coordination,)),
    "mortality": (healing.mortality, _mortality, _word),
    "survival": (healing.survives, _survival, lambda lives: "lives" if lives else "dies"),
    "healing": (
        task,
        lambda here, wounds, **ranks: _task(
            here, called=False, scope=HEALING, less=here.healing_modifier - wounds, **ranks
        ),
        heals,
    ),
    "weeks": (
        healing.wounds_after,
        lambda here, physique, **rest: (
            physique + here.healing_modifier,
            *(rest[name] for name in ("wounds", "weeks", "bonus", "lasting")),
            here.extended(HEALING),
            here.variable_outcomes,
        ),
    ),
    "recovery": (
        healing.weeks_until_healed,
        lambda here, physique, wounds: (
            physique + here.healing_modifier,
            wounds,
            here.extended(HEALING).nines,
        ),
    ),
    "location": (
        tables.location,
        lambda here, body: (
            tables.read_locations(TABLES["locations"], body),
            here.hit_location_side == "coin",
        ),
        lambda place: str(place.area) or "nowhere",
    ),
    "critical": (
        tables.critical,
        lambda here: (tables.read_criticals(TABLES["criticals"]),),
        lambda brought: str(brought.letters) or "nothing",
    ),
}
ROLLS: dict[str, Rolled] = {key: _roll(key, *row) for key, row in _ROLLS.items()}
