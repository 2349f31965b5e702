"""What a table can set otherwise: the scale, the stats, and every switch of These Lucky Stars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kitchentable.rules import Choice, Field, Json, Option
from kitchentable.rulesets.lucky_stars.book import TABLES

#: What stands for "no stat" where one is asked for.
NO_STAT = "none"
#: What stands for "a number of its own" where a step of the scale is asked for.
OWN_NUMBER = "other"

_TARGETS, _STATS, _ADVANTAGE, _SUPPLY, _TABLE = (
    "Targets",
    "Stats and dice",
    "Advantage",
    "Supplies",
    "The table",
)


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


def _tick(
    key: str, label: str, rule: str, group: str, help: str, effect: str = "", *, on: bool = False
) -> Option:
    field = Field(key, label, "tick", default=on, required=False, help=help, rule=rule)
    return Option(field, group, effect)


_SCALE = Field(
    "scale",
    "The scale of targets",
    "rows",
    default=[
        {"number": one["number"], "name": one["name"], "open": one.get("open", False)}
        for one in TABLES["target"]
    ],
    low=1,
    high=40,
    help="What the GM picks from; in print it goes in twos. Steps between names need none.",
    rule="stars.2.2-even-steps",
    columns=(
        Field("number", "Target", "number", low=-99, high=999),
        Field("name", "Name", required=False, default="", longest=60),
        Field("open", "And above", "tick", default=False, required=False),
    ),
)

_STAT_LIST = Field(
    "stats",
    "Stats",
    "rows",
    default=[
        {
            "id": one["key"],
            "name": one["name"],
            "purpose": one["purpose"],
            "low": one["low"],
            "high": one["high"],
            "rolled": one["rolled"],
        }
        for one in TABLES["stat"]
    ],
    low=1,
    high=40,
    help="The chapter names some and lists none: write what your group plays with.",
    rule="stars.9-undefined-stats",
    columns=(
        Field("id", "Key", required=False, default="", longest=40),
        Field("name", "Name", longest=40),
        Field("purpose", "What it is for", required=False, default="", longest=200),
        Field("low", "Lowest", "number", required=False, low=-99, high=99),
        Field("high", "Highest", "number", required=False, low=-99, high=99),
        Field("rolled", "Is added to rolls", "tick", default=False, required=False),
    ),
)

_DERIVED = Field(
    "derived",
    "Derived numbers",
    "rows",
    default=[{"name": one["name"], "formula": one["formula"]} for one in TABLES["derived"]],
    required=False,
    high=20,
    help="Each is added up from stats and rounded down once.",
    rule="stars.9-undefined-stats",
    columns=(
        Field("name", "Name", longest=40),
        Field("formula", "Formula", longest=120, rule="stars.4.3-round-end"),
    ),
)

_EXTRA = Field(
    "extra_dice",
    "Dice from other sources",
    "rows",
    default=[
        {"name": one["name"], "count": one["count"], "sides": one["sides"]}
        for one in TABLES["extra"]
    ],
    required=False,
    high=20,
    help="They can join a decision roll, are added to it and never explode.",
    rule="stars.9-undefined-stats",
    columns=(
        Field("name", "Source", longest=30),
        Field("count", "How many", "number", low=1, high=10),
        Field("sides", "Sides", "number", low=2, high=20),
    ),
)

OPTIONS: tuple[Option, ...] = (
    Option(_SCALE, _TARGETS, "Odd and other targets come about when a target is adjusted."),
    _tick(
        "any_target",
        "The GM may name any whole target",
        "stars.2.2-even-steps",
        _TARGETS,
        "Off: a target starts on a row of the scale, and only adjustments move it off.",
        on=True,
    ),
    Option(
        Field(
            "impossible_from",
            "Impossible from",
            "number",
            default=20,
            low=1,
            high=999,
            help="A target that starts here or above needs the GM's leave to be tried at all.",
            rule="stars.2.2.1-impossible-gate",
        ),
        _TARGETS,
        "Two decision dice reach 20 in about one throw of thirty.",
    ),
    Option(
        Field(
            "target_shown",
            "Players learn the target",
            "choice",
            (
                Choice("before", "before the throw"),
                Choice("after", "after the throw"),
                Choice("never", "never"),
            ),
            default="before",
            help="The GM can still hide or show the target of any single roll.",
            rule="stars.2.1-target-scale",
        ),
        _TARGETS,
        "Told beforehand, players see their exact odds; otherwise the odds stay the GM's.",
    ),
    _tick(
        "show_margin",
        "Tell by how much",
        "stars.2.3-margin-style",
        _TARGETS,
        "The card shows the difference between result and target. It changes nothing by itself.",
    ),
    _tick(
        "narrate",
        "Ask what happened after each roll",
        "stars.2.3-describe",
        _TARGETS,
        "A card asks the GM for a sentence; it can be waved away.",
        on=True,
    ),
    Option(
        _STAT_LIST,
        _STATS,
        "The first +1 moves the odds of a target of 7 the most: it adds 14 points there, 11 at 8 "
        "and 4 at 12.",
    ),
    Option(_DERIVED, _STATS, "As printed: Stress and Vitality."),
    Option(_EXTRA, _STATS, "A d6 adds 3.5 on average; a decision die, which explodes, 4.2."),
    _tick(
        "gm_sets_dice",
        "The GM may change the number of decision dice",
        "stars.2-decision-dice",
        _STATS,
        "For abilities of your own that add or take dice. Advantage counts on top; one die stays.",
    ),
    _tick(
        "single_major",
        "One effect can be worth two steps",
        "stars.3.2-single-major",
        _ADVANTAGE,
        "Off: each effect is one step, and Major takes two of them.",
        on=True,
    ),
    _tick(
        "contest_disadvantage",
        "A side of a contest may be put at a disadvantage",
        "stars.3.3-no-dis",
        _ADVANTAGE,
        "Off: what speaks against one side speaks for the other. On: the GM can also set each "
        "side's level by itself.",
    ),
    _tick(
        "players_restock",
        "Players restock their own things",
        "stars.5.1-supply-item-text",
        _SUPPLY,
        "Off: only the GM does. Either way the log tells it.",
        on=True,
    ),
    Option(
        Field(
            "tone",
            "What else you have agreed on",
            "story",
            default="",
            required=False,
            help="House rules in your own words.",
            rule="stars.1-table",
        ),
        _TABLE,
    ),
)


def stats(options: Mapping[str, Json]) -> tuple[Stat, ...]:
    """The table's stats, in order. A row without a key gets one from its name.

    >>> [one.key for one in stats({"stats": [{"name": "Fine motor"}, {"id": "w", "name": "Will"}]})]
    ['fine-motor', 'w']
    """
    rows: Any = options.get("stats", _STAT_LIST.default)
    return _stats(
        tuple(
            (
                row.get("id") or "",
                row["name"],
                row.get("purpose") or "",
                *(row.get(end) for end in ("low", "high")),
                bool(row.get("rolled")),
            )
            for row in rows
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
    rows: Any = options.get("derived", _DERIVED.default) or ()
    return tuple(Derived(row["name"], row["formula"]) for row in rows)


def scale(options: Mapping[str, Json]) -> tuple[Step, ...]:
    """The rows of the scale, as they are set.

    stars.2.2-tn-22plus, stars.2.2-tn-20, stars.2.2-tn-18, stars.2.2-tn-16, stars.2.2-tn-14,
    stars.2.2-tn-12, stars.2.2-tn-10, stars.2.2-tn-8, stars.2.2-tn-6, stars.2.2-tn-4,
    stars.2.2-tn-2.
    """
    rows: Any = options.get("scale", _SCALE.default)
    return tuple(Step(row["number"], row.get("name") or "", bool(row.get("open"))) for row in rows)


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
    rows: Any = options.get("extra_dice", _EXTRA.default) or ()
    return tuple(Source(row["name"], row["count"], row["sides"]) for row in rows)


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default."""
    return options.get(key, _DEFAULTS[key])


_DEFAULTS: dict[str, Any] = {option.key: option.field.default for option in OPTIONS}
