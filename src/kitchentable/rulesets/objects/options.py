"""What a table can set otherwise: types of object and their basic talents, and every reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kitchentable.rules import Choice, Field, Json, Option
from kitchentable.rulesets.objects.book import TABLES


@dataclass(frozen=True, slots=True)
class Type:
    """A type of object at this table: its key, its name, and whether it has a will of its own."""

    key: str
    name: str
    hint: str = ""
    sentient: bool = False


@dataclass(frozen=True, slots=True)
class Basic:
    """A talent that all objects of a type have, so that they can be compared."""

    key: str
    name: str
    hint: str = ""
    rule: str = "objects.2.3-basic-talents"


_TYPES = Field(
    "types",
    "Types of object",
    "rows",
    default=[
        {"id": one["key"], "name": one["name"], "hint": one["hint"], "sentient": one["sentient"]}
        for one in TABLES["type"]
    ],
    low=1,
    high=40,
    help="Anything can be an object; a type only says which basic talents it has.",
    rule="objects.1-any-object",
    columns=(
        Field("id", "Key", required=False, default="", longest=40),
        Field("name", "Type", longest=40),
        Field("hint", "What it is", required=False, default="", longest=200),
        Field(
            "sentient",
            "Has a will of its own",
            "tick",
            default=False,
            required=False,
            help="Then a goal is asked for.",
            rule="objects.2.6-sentient-only",
        ),
    ),
)

_BASICS = Field(
    "basic_talents",
    "Basic talents",
    "rows",
    default=[
        {"type": one["type"], "talent": one["talent"], "hint": one["hint"]}
        for one in TABLES["basic"]
    ],
    required=False,
    high=200,
    help="One line for each: which type has it, what it is called, what it measures.",
    rule="objects.2.3-basic-talents",
    columns=(
        Field("type", "Type", longest=40),
        Field("talent", "Talent", longest=60),
        Field("hint", "What it measures", required=False, default="", longest=200),
    ),
)


def _tick(
    key: str, label: str, rule: str, group: str, help: str, effect: str = "", *, on: bool
) -> Option:
    field = Field(key, label, "tick", default=on, required=False, help=help, rule=rule)
    return Option(field, group, effect)


def _number(
    key: str,
    label: str,
    default: int | None,
    rule: str,
    group: str,
    help: str,
    effect: str = "",
    low: int = 0,
) -> Option:
    field = Field(
        key,
        label,
        "number",
        default=default,
        required=default is not None,
        low=low,
        high=99,
        help=help,
        rule=rule,
    )
    return Option(field, group, effect)


def _pick(
    key: str,
    label: str,
    rule: str,
    group: str,
    help: str,
    choices: tuple[tuple[str, str], ...],
    effect: str = "",
) -> Option:
    picks = tuple(Choice(value, words) for value, words in choices)
    field = Field(key, label, "choice", picks, default=picks[0].value, help=help, rule=rule)
    return Option(field, group, effect)


def _words(key: str, label: str, rule: str, group: str, help: str) -> Option:
    field = Field(
        key, label, "story", default="", required=False, help=help, rule=rule, longest=4000
    )
    return Option(field, group)


OPTIONS: tuple[Option, ...] = (
    Option(_TYPES, "Objects"),
    Option(
        _BASICS,
        "Objects",
        "A talent that joins stands at 0 on every object of its type; one that is struck out stays "
        "on the sheets that have it.",
    ),
    _tick(
        "use_split",
        "Basic and gained talents are told apart",
        "objects.2.3-split-optional",
        "Objects",
        "Off: every object has one plain list, and types bring no talents.",
        on=True,
    ),
    _tick(
        "steps_in_order",
        "The six steps open one after the other",
        "objects.2-order",
        "Creation",
        "Off: the whole sheet is open from the start. What was done stays open either way.",
        on=True,
    ),
    _number(
        "story_sentences",
        "Sentences in a story, at least",
        2,
        "objects.2.2-story",
        "Creation",
        "A shorter one gets a warning; only an empty one is refused.",
    ),
    _number(
        "many_sixes",
        "How many talents at 6 are many",
        2,
        "objects.2.3-many-sixes",
        "Creation",
        "From this number on the sheet suggests another look at the concept.",
        low=1,
    ),
    _tick(
        "basics_locked",
        "Basic talents do not change in play",
        "objects.2.3-basic-talents",
        "Creation",
        "On: only the GM can change one, by hand, and the log says so.",
        on=True,
    ),
    _words(
        "suitable",
        "What suits this game",
        "objects.2.2-story-discuss",
        "Creation",
        "What kinds of object fit, told before anybody begins. Shown beside the concept.",
    ),
    _pick(
        "modifier_detail",
        "The GM gives a modifier as",
        "objects.3-realism",
        "Rolls",
        "As much or as little detail as your game wants.",
        (("number", "one number"), ("aspects", "named aspects that add up")),
        "The odds depend on the sum alone.",
    ),
    _number(
        "modifier_usual",
        "The usual limit of modifiers",
        2,
        "objects.3-mod-size",
        "Rolls",
        "A larger one is allowed, with a reminder to the GM.",
        "At talent 3 without karma, +2 on Conflict takes a success of some kind from 391/648 "
        "down to 253/648.",
    ),
    _pick(
        "modifier_shown",
        "Players learn the modifier",
        "objects.3-conflict-mod",
        "Rolls",
        "The GM can still hide or show the modifier of any single roll.",
        (("before", "before the throw"), ("after", "after the throw"), ("never", "never")),
        "Told beforehand, players see their exact odds; otherwise the odds stay the GM's.",
    ),
    _tick(
        "status_zero_asks",
        "At status 0 a roll needs the GM's leave",
        "objects.2.5-status-zero",
        "Status",
        "Its fate is in the GM's hands; it is not dead for that.",
        on=True,
    ),
    _pick(
        "status_by",
        "Status is changed by",
        "objects.2.5-status-change",
        "Status",
        "When the GM decides, a player's change waits for a yes.",
        (("gm", "the GM"), ("table", "whoever owns the object")),
    ),
    _tick(
        "karma_reroll",
        "Karma can help a re-roll of Self",
        "objects.3.k-reroll",
        "Karma",
        "On: before Self is thrown again its owner says how much karma goes on it; the result is "
        "held between 0 and 6 points.",
        "Self equal, Conflict under: a total success in 1/6 of all cases, 1/3 with one point.",
        on=False,
    ),
    _tick(
        "karma_gm",
        "The GM's objects have karma too",
        "objects.3.k-gm-objects",
        "Karma",
        "Off: they neither earn nor use it.",
        on=False,
    ),
    _number(
        "karma_start",
        "Karma at the start",
        0,
        "objects.3.k-start",
        "Karma",
        "What a new object brings into play.",
    ),
    _number(
        "karma_cap",
        "Karma at most",
        None,
        "objects.3.k-start",
        "Karma",
        "Left empty, there is no limit. What is earned beyond it is lost.",
        low=1,
    ),
    _pick(
        "gm_numbers",
        "The talents of the GM's objects",
        "objects.2-pc-object",
        "The table",
        "How one that breaks off or comes along begins; the GM can open or close each.",
        (("closed", "are the GM's"), ("open", "are open to players")),
        "Closed, players see concept, signs and status.",
    ),
    _words(
        "house_rules",
        "Your own rules",
        "objects.1-additions",
        "The table",
        "What your group has added. Everybody reads it.",
    ),
)


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default."""
    return options.get(key, _DEFAULTS[key])


def slug(name: str) -> str:
    """A name as a key: small letters and dashes.

    >>> slug("Far-ranging, mostly")
    'far-ranging-mostly'
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "nameless"


def types(options: Mapping[str, Json]) -> tuple[Type, ...]:
    """The table's types of object. A row without a key gets one from its name.

    >>> [one.key for one in types({"types": [{"name": "Giant robot"}]})]
    ['giant-robot']
    """
    rows: Any = setting(options, "types")
    return tuple(
        Type(
            row.get("id") or slug(row["name"]),
            row["name"],
            row.get("hint") or "",
            bool(row.get("sentient")),
        )
        for row in rows
    )


def type_of(options: Mapping[str, Json], key: str) -> Type:
    """The type of that key; one that was struck out is called by its key."""
    found = next((one for one in types(options) if one.key == key), None)
    return found or Type(key, key.replace("-", " ").capitalize())


def basics(options: Mapping[str, Json], key: str) -> tuple[Basic, ...]:
    """The basic talents of a type, none where they are not told apart (objects.2.3-split-optional).

    A type is named in the list by its name or its key, capitals not minded.
    """
    if not setting(options, "use_split"):
        return ()
    one = type_of(options, key)
    names = {one.key.casefold(), one.name.casefold()}
    rows: Any = setting(options, "basic_talents") or []
    return _basics(
        tuple(
            (row["talent"], row.get("hint") or "")
            for row in rows
            if str(row.get("type")).strip().casefold() in names
        )
    )


@lru_cache(maxsize=256)
def _basics(rows: tuple[tuple[str, str], ...]) -> tuple[Basic, ...]:
    found: dict[str, Basic] = {}
    for name, hint in rows:
        rule = _BASIC_RULES.get(name, "objects.2.3-basic-talents")
        found.setdefault(slug(name), Basic(slug(name), name, hint, rule))
    return tuple(found.values())


_BASIC_RULES: dict[str, str] = {one["talent"]: one["rule"] for one in TABLES["basic"]}
_DEFAULTS: dict[str, Any] = {option.key: option.field.default for option in OPTIONS}
