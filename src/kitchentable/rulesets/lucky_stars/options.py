"""What a table may set; the options themselves stand in data.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kitchentable.rules import Json
from kitchentable.rules.kit.settings import Settings, read_options
from kitchentable.rules.toml.document import read_part
from kitchentable.rulesets.lucky_stars.book import DATA

#: What stands for "no stat" where one is asked for.
NO_STAT = "none"
#: What stands for "a number of its own" where a step of the scale is asked for.
OWN_NUMBER = "other"


@dataclass(frozen=True, slots=True)
class Stat:
    """A line of the table's list of stats: its key, name, purpose, range; whether one rolls it."""

    key: str
    name: str
    purpose: str = ""
    low: int = -5
    high: int = 10
    rolled: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the scale of targets: its number, its name or "", whether it means "and above"."""

    number: int
    name: str = ""
    open: bool = False

    @property
    def label(self) -> str:
        """The row as it is read.

        >>> Step(12, "Challenging task").label, Step(16).label
        ('12 Challenging task', '16')
        """
        return f"{self.number}{'+' if self.open else ''} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Derived:
    """A number that is worked out from others: its name and its formula."""

    name: str
    formula: str


@dataclass(frozen=True, slots=True)
class Source:
    """Dice from another source that may join a decision roll, such as Luck."""

    name: str
    count: int
    sides: int

    @property
    def label(self) -> str:
        """As it is read.

        >>> Source("Luck", 1, 6).label
        'Luck, 1d6'
        """
        return f"{self.name}, {self.count}d{self.sides}"


OPTIONS = read_part(DATA, "rulesets/lucky_stars/data.toml", read_options)


class Options(Settings, options=OPTIONS):
    """The options that this code reads by name, with their types."""

    scale: list[dict[str, Any]]
    any_target: bool
    impossible_from: int
    target_shown: str
    show_margin: bool
    narrate: bool
    stats: list[dict[str, Any]]
    derived: list[dict[str, Any]]
    extra_dice: list[dict[str, Any]]
    gm_sets_dice: bool
    single_major: bool
    contest_disadvantage: bool
    players_restock: bool
    tone: str


def stats(options: Mapping[str, Json]) -> tuple[Stat, ...]:
    """The table's stats, in order. A row without a key gets one from its name.

    >>> [one.key for one in stats({"stats": [{"name": "Fine motor"}, {"id": "w", "name": "Will"}]})]
    ['fine-motor', 'w']
    """
    return _stats(
        tuple(
            (
                row.get("id") or "",
                row["name"],
                row.get("purpose") or "",
                *(row.get(end) for end in ("low", "high")),
                bool(row.get("rolled")),
            )
            for row in Options(options).stats
        )
    )


@lru_cache(maxsize=256)
def _stats(rows: tuple[tuple[Any, ...], ...]) -> tuple[Stat, ...]:
    """Kept, because every form, sheet and roll of a table asks for its list again and again."""
    taken = {row[0] for row in rows if row[0]}
    found = []
    for given, name, purpose, low, high, rolled in rows:
        key = given or fresh_key(name, taken)
        taken.add(key)
        lowest, highest = -99 if low is None else low, 99 if high is None else high
        found.append(Stat(key, name, purpose, lowest, highest, rolled))
    return tuple(found)


def fresh_key(name: str, taken: set[str]) -> str:
    """A key made from a name that nobody has yet.

    >>> fresh_key("Rope & hooks", {"rope-hooks"})
    'rope-hooks-2'
    """
    plain = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "it"
    key, number = plain, 2
    while key in taken or key == NO_STAT:
        key, number = f"{plain}-{number}", number + 1
    return key


def find_stat(options: Mapping[str, Json], word: Json) -> Stat | None:
    """The stat of that key or name, capitals not minded; None where there is none such."""
    wanted = str(word or "").strip().casefold()
    for one in stats(options):
        if wanted in {one.key.casefold(), one.name.casefold()}:
            return one
    return None


def derived(options: Mapping[str, Json]) -> tuple[Derived, ...]:
    """The numbers that are worked out (stars.4.3-stress, stars.4.3-vitality)."""
    return tuple(Derived(row["name"], row["formula"]) for row in Options(options).derived or ())


def scale(options: Mapping[str, Json]) -> tuple[Step, ...]:
    """The rows of the scale, as they are set.

    stars.2.2-tn-22plus, stars.2.2-tn-20, stars.2.2-tn-18, stars.2.2-tn-16, stars.2.2-tn-14,
    stars.2.2-tn-12, stars.2.2-tn-10, stars.2.2-tn-8, stars.2.2-tn-6, stars.2.2-tn-4,
    stars.2.2-tn-2.
    """
    return tuple(
        Step(row["number"], row.get("name") or "", bool(row.get("open")))
        for row in Options(options).scale
    )


def step_name(options: Mapping[str, Json], start: int) -> str:
    """What the scale calls a starting target: the name of its row, or of an open row below it.

    >>> step_name({}, 12), step_name({}, 16), step_name({}, 13), step_name({}, 25)
    ('Challenging task', '', '', 'Above impossible')
    """
    rows = scale(options)
    for one in rows:
        if one.number == start:
            return one.name
    open_rows = [one for one in rows if one.open and one.number < start]
    return max(open_rows, key=lambda one: one.number).name if open_rows else ""


def sources(options: Mapping[str, Json]) -> tuple[Source, ...]:
    """The dice from other sources that can join a decision roll."""
    return tuple(
        Source(row["name"], row["count"], row["sides"]) for row in Options(options).extra_dice or ()
    )


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default."""
    return Options(options)[key]
