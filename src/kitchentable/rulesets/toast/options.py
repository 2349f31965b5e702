"""What a table can set otherwise: every optional rule and every number of Toast."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kitchentable.rules import (
    Choice,
    Field,
    Json,
    Option,
    whole,
)
from kitchentable.rulesets.toast.book import TABLES

#: What stands for "no trait" where a trait is asked for: it brings level 0.
NO_TRAIT = "none"

#: The parts that traits play in a fight (toast.3-list-combat-roles).
ROLES = ("initiative", "aim", "attack", "defense")


@dataclass(frozen=True, slots=True)
class Trait:
    """A line of the table's list: its key, name and purpose, and whether it is a kind of magic."""

    key: str
    name: str
    purpose: str = ""
    magic: bool = False


def _number(
    key: str,
    label: str,
    default: int,
    rule: str,
    group: str,
    help: str,
    effect: str = "",
    low: int = 0,
) -> Option:
    field = Field(key, label, "number", default=default, low=low, high=99, help=help, rule=rule)
    return Option(field, group, effect)


def _tick(
    key: str, label: str, rule: str, group: str, help: str, effect: str = "", *, on: bool = False
) -> Option:
    field = Field(key, label, "tick", default=on, required=False, help=help, rule=rule)
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


def _text(
    key: str, label: str, default: str, rule: str, group: str, help: str, effect: str = ""
) -> Option:
    field = Field(key, label, default=default, required=False, help=help, rule=rule, longest=400)
    return Option(field, group, effect)


_TRAITS = Field(
    "traits",
    "Traits",
    "rows",
    default=[
        {"id": one["key"], "name": one["name"], "purpose": one["purpose"], "magic": False}
        for one in TABLES["trait"]
    ],
    low=1,
    high=60,
    help="One line for each. Everybody is measured by the same list.",
    rule="toast.3-list-alter",
    columns=(
        Field("id", "Key", required=False, default="", longest=40),
        Field("name", "Name", longest=40),
        Field("purpose", "What it is for", required=False, default="", longest=200),
        Field(
            "magic",
            "Magic",
            "tick",
            default=False,
            required=False,
            help="A kind of magic: it can be attacked with.",
            rule="toast.10-magic-traits",
        ),
    ),
)

_ROLE_HELP = "A trait of your list by its name, or the word none for level 0."


def _roles() -> Iterable[Option]:
    names = {one.get("role"): one["name"] for one in TABLES["trait"]}
    rule = "toast.3-list-combat-roles"
    for role in ROLES:
        label = f"Who plays {names[role]} in fights"
        yield _text(f"role_{role}", label, role, rule, "Traits", _ROLE_HELP)


def _ladder() -> Iterable[Option]:
    """The numbers to reach, which a table may set before it plays (toast.5.1-tune-before)."""
    for step in TABLES["difficulty"]:
        yield _number(
            step["key"],
            step["name"],
            step["number"],
            f"toast.5-diff-{step['key']}",
            "Difficulties",
            "The number to reach. Rolls in the log keep the number they were made against.",
            "At level L the die has to show at least this number less L, or a kick.",
        )


def _importance() -> Iterable[Option]:
    for rank in TABLES["importance"]:
        yield _number(
            capacity_key(rank["key"]),
            rank["name"],
            rank["wounds"],
            f"toast.7.4-wounds-{rank['key']}",
            "Wounds",
            f"Importance: {rank['rank'].lower()}. They go down at this many wounds.",
            "Between equals every wound costs 24/11 attacks on average.",
            low=1,
        )


def capacity_key(importance: str) -> str:
    """The option that holds the wounds of a class of importance: "wounds_elite_minion"."""
    return f"wounds_{importance.replace('-', '_')}"


OPTIONS: tuple[Option, ...] = (
    Option(
        _TRAITS,
        "Traits",
        "A starting character gets four points for each trait on the list.",
    ),
    *_roles(),
    _tick(
        "new_trait_grant",
        "A trait that joins later brings 4 points",
        "toast.3.1-recount",
        "Traits",
        "What finished characters get when the list grows in mid-campaign.",
        "Off: they have the new trait at 0. On: each also spreads 4 points.",
    ),
    *_ladder(),
    _pick(
        "difficulty_shown",
        "Players learn the difficulty",
        "toast.5-sequence",
        "Difficulties",
        "The GM can still hide or show the number of any single roll.",
        (("before", "before the throw"), ("after", "after the throw"), ("never", "never")),
        "Told beforehand, players see their exact odds; otherwise the odds stay the GM's.",
    ),
    _tick(
        "refill_perks",
        "Starting perks can be filled up to five later",
        "toast.4-perk-creation",
        "Perks",
        "For players who left places empty at the start. The GM accepts each one.",
    ),
    _tick(
        "initiative_each_round",
        "New Initiative every round",
        "toast.7-round-repeat",
        "Fights",
        "Off: the first order stays, and who flubbed acts last from the second round on.",
        "On: everybody loses a turn in 1/12 of all rounds. Off: in 1/12 of all fights.",
        on=True,
    ),
    _tick(
        "initiative_perk",
        "A perk helps on Initiative",
        "toast.7-init-no-perk",
        "Fights",
        "A fitting perk adds 3, and the trait is noted for advancement.",
        "Off: Initiative is noted only when an ordinary task uses it with a perk.",
    ),
    _tick(
        "initiative_flub_moves",
        "After a flub on Initiative one may still move",
        "toast.7.1-init-flub",
        "Fights",
        "Off: a flub costs the whole turn. Defence is never lost.",
    ),
    _number(
        "actions_per_turn",
        "Actions in a turn",
        1,
        "toast.7-turn-action",
        "Fights",
        "The book allows one.",
        low=1,
    ),
    _text(
        "move_hint",
        "How far a short way is",
        "20 to 30 feet",
        "toast.7-turn-move",
        "Fights",
        "A hint beside the move of a turn; there is no map to measure on.",
    ),
    Option(
        Field(
            "house_rules",
            "House rules for fights",
            "story",
            default="",
            required=False,
            help="Shown beside every fight.",
            rule="toast.7-house-rules",
        ),
        "Fights",
    ),
    _text(
        "magic_defense",
        "What answers a magical attack",
        "willpower",
        "toast.10-magic-defense",
        "Fights",
        f"{_ROLE_HELP} The GM can pick another trait for any attack.",
    ),
    _tick(
        "first_aid_action",
        "First aid costs an action in a fight",
        "toast.7.3-first-aid-detail",
        "Wounds",
        "It needs no roll; the GM can call for one first.",
        on=True,
    ),
    *_importance(),
    _pick(
        "npc_numbers",
        "The numbers of the GM's people",
        "toast.7.4-importance-story",
        "Wounds",
        "How somebody new begins; the GM can open or close each one.",
        (("closed", "are the GM's"), ("open", "are open to players")),
        "Closed, their dice and levels stay the GM's, and so do odds that would tell them.",
    ),
    _pick(
        "advancement_rolls",
        "Advancement: one roll for each",
        "toast.8.2-roll-each",
        "Advancement",
        "What is rolled for when a session closes.",
        (("trait", "trait noted"), ("use", "use of a trait with a perk")),
        "At level 4 with three uses: 7/12 for a level with one roll for the trait, 1603/1728 for "
        "at least one with a roll for each use.",
    ),
    _number(
        "perk_every_sessions",
        "Sessions from one new perk to the next",
        2,
        "toast.8.1-gm-discretion",
        "Advancement",
        "2 is every other session, the most the book allows.",
        low=2,
    ),
    _tick(
        "petitions_open",
        "Petitions are heard",
        "toast.8.1-petition",
        "Advancement",
        "Whether players can ask for a new perk when a session closes.",
        on=True,
    ),
    _pick(
        "equipment_lists",
        "Equipment lists",
        "toast.9-equipment-list",
        "The table",
        "Required: a sheet without possessions is flagged.",
        (("off", "are not asked for"), ("required", "are required")),
    ),
    _text(
        "tone",
        "Tone",
        "",
        "toast.6-tone",
        "The table",
        "How serious you want to be, in your own words.",
    ),
)


def traits(options: Mapping[str, Json]) -> tuple[Trait, ...]:
    """The table's list of traits, in order. A row without a key gets one from its name.

    >>> rows = [{"name": "Deep lore"}, {"id": "aim", "name": "Aim"}]
    >>> [one.key for one in traits({"traits": rows})]
    ['deep-lore', 'aim']
    """
    rows: Any = options.get("traits", _TRAITS.default)
    return _traits(
        tuple(
            (row.get("id") or "", row["name"], row.get("purpose") or "", bool(row.get("magic")))
            for row in rows
        )
    )


@lru_cache(maxsize=256)
def _traits(rows: tuple[tuple[str, str, str, bool], ...]) -> tuple[Trait, ...]:
    """Kept, because every form, sheet and roll of a table asks for its list again and again."""
    taken = {key for key, *_ in rows if key}
    found = []
    for key, name, purpose, magic in rows:
        own = key or _fresh_key(name, taken)
        taken.add(own)
        found.append(Trait(own, name, purpose, magic))
    return tuple(found)


def _fresh_key(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "trait"
    key, number = plain, 2
    while key in taken or key == NO_TRAIT:
        key, number = f"{plain}-{number}", number + 1
    return key


def find_trait(options: Mapping[str, Json], word: Json) -> Trait | None:
    """The trait of that key or name, capitals not minded; None where the list has none such."""
    wanted = str(word or "").strip().casefold()
    for one in traits(options):
        if wanted in {one.key.casefold(), one.name.casefold()}:
            return one
    return None


def difficulty(options: Mapping[str, Json], step: str) -> int:
    """The number of a step of the ladder at this table."""
    return whole(options.get(step, _DEFAULTS[step]))


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default."""
    return options.get(key, _DEFAULTS[key])


_DEFAULTS: dict[str, Any] = {option.key: option.field.default for option in OPTIONS}
