"""What a table can set otherwise: every optional rule and every number of Toast."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.game import Choice, Field, Json, Option
from kitchentable.games.toast.book import TABLES

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


def _option(field: Field, group: str, effect: str = "", *, in_play: bool = True) -> Option:
    return Option(field, group, effect, in_play=in_play)


def _number(
    key: str, label: str, default: int, rule: str, *, low: int = 0, help: str = ""
) -> Field:
    return Field(key, label, "number", default=default, low=low, high=99, help=help, rule=rule)


def _tick(key: str, label: str, rule: str, *, on: bool = False) -> Field:
    return Field(key, label, "tick", default=on, required=False, rule=rule)


def _pick(key: str, label: str, rule: str, *choices: tuple[str, str]) -> Field:
    picks = tuple(Choice(value, words) for value, words in choices)
    return Field(key, label, "choice", picks, default=picks[0].value, rule=rule)


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

_ROLE_HELP = f"A trait of your list by its name, or \N{LEFT DOUBLE QUOTATION MARK}{NO_TRAIT}\
\N{RIGHT DOUBLE QUOTATION MARK} for level 0."


def _roles() -> Iterable[Option]:
    names = {one.get("role"): one for one in TABLES["trait"]}
    for role in ROLES:
        label = f"Who plays {names[role]['name']} in fights"
        rule = "toast.3-list-combat-roles"
        field = Field(f"role_{role}", label, default=role, help=_ROLE_HELP, rule=rule, longest=40)
        yield _option(field, "Traits")


def _ladder() -> Iterable[Option]:
    for step in TABLES["difficulty"]:
        rule = f"toast.5-diff-{step['key']}"
        field = _number(step["key"], step["name"], step["number"], rule)
        effect = "A throw at level L succeeds on a die of at least this number less L, or a kick."
        yield _option(field, "Difficulties", effect)


def _importance() -> Iterable[Option]:
    for rank in TABLES["importance"]:
        rule = f"toast.7.4-wounds-{rank['key']}"
        field = _number(capacity_key(rank["key"]), rank["name"], rank["wounds"], rule, low=1)
        yield _option(field, "Wounds", f"Importance: {rank['rank'].lower()}. Down at this number.")


def capacity_key(importance: str) -> str:
    """The option that holds the wounds of a class of importance: "wounds_elite_minion"."""
    return f"wounds_{importance.replace('-', '_')}"


OPTIONS: tuple[Option, ...] = (
    _option(
        _TRAITS,
        "Traits",
        "A starting character gets four points for each trait on the list.",
        in_play=False,
    ),
    *_roles(),
    _option(
        _tick("new_trait_grant", "A trait that joins later brings 4 points", "toast.3.1-recount"),
        "Traits",
        "Off: finished characters have the new trait at 0. On: each also spreads 4 points.",
    ),
    *_ladder(),
    _option(
        _pick(
            "difficulty_shown",
            "Players learn the difficulty",
            "toast.5-sequence",
            ("before", "before the throw"),
            ("after", "after the throw"),
            ("never", "never"),
        ),
        "Difficulties",
        "Told beforehand, players see their exact odds; otherwise the odds stay the GM's.",
    ),
    _option(
        _tick(
            "refill_perks", "Starting perks can be filled up to five later", "toast.4-perk-creation"
        ),
        "Perks",
    ),
    _option(
        _tick(
            "initiative_each_round",
            "New Initiative every round",
            "toast.7-round-repeat",
            on=True,
        ),
        "Fights",
        "Off: the first order stays, and who flubbed acts last from the second round on.",
    ),
    _option(
        _tick("initiative_perk", "A perk helps on Initiative", "toast.7-init-no-perk"),
        "Fights",
        "On: a fitting perk adds 3, and the trait is noted for advancement.",
    ),
    _option(
        _tick(
            "initiative_flub_moves",
            "After a flub on Initiative one may still move",
            "toast.7.1-init-flub",
        ),
        "Fights",
        "Off: a flub, 1/12 of the throws, costs the whole turn.",
    ),
    _option(
        _number("actions_per_turn", "Actions in a turn", 1, "toast.7-turn-action", low=1), "Fights"
    ),
    _option(
        Field(
            "move_hint",
            "How far a short way is",
            default="20 to 30 feet",
            required=False,
            rule="toast.7-turn-move",
            longest=120,
        ),
        "Fights",
    ),
    _option(
        Field(
            "house_rules",
            "House rules for fights",
            "story",
            default="",
            required=False,
            rule="toast.7-house-rules",
        ),
        "Fights",
        "Shown beside every fight.",
    ),
    _option(
        Field(
            "magic_defense",
            "What answers a magical attack",
            default="willpower",
            help=_ROLE_HELP,
            rule="toast.10-magic-defense",
            longest=40,
        ),
        "Fights",
        "The GM can pick another trait for any attack.",
    ),
    _option(
        _tick(
            "first_aid_action",
            "First aid costs an action in a fight",
            "toast.7.3-first-aid-detail",
            on=True,
        ),
        "Wounds",
    ),
    *_importance(),
    _option(
        _pick(
            "npc_numbers",
            "The numbers of the GM's people",
            "toast.7.4-importance-story",
            ("closed", "are the GM's"),
            ("open", "are open to players"),
        ),
        "Fights",
        "How somebody new begins; the GM can open or close each one.",
    ),
    _option(
        _pick(
            "advancement_rolls",
            "Advancement: one roll for each",
            "toast.8.2-roll-each",
            ("trait", "trait noted"),
            ("use", "use of a trait with a perk"),
        ),
        "Advancement",
        "Level 4, three uses: 7/12 for at least one level with a roll for each trait, 1603/1728 "
        "with one for each use.",
    ),
    _option(
        _number(
            "perk_every_sessions",
            "Sessions from one new perk to the next",
            2,
            "toast.8.1-gm-discretion",
            low=2,
            help="2 is every other session, the most the book allows.",
        ),
        "Advancement",
    ),
    _option(
        _tick("petitions_open", "Petitions are heard", "toast.8.1-petition", on=True), "Advancement"
    ),
    _option(
        _pick(
            "equipment_lists",
            "Equipment lists",
            "toast.9-equipment-list",
            ("off", "are not asked for"),
            ("required", "are required"),
        ),
        "The table",
        "Required: a sheet without possessions is flagged.",
    ),
    _option(
        Field("tone", "Tone", default="", required=False, rule="toast.6-tone", longest=400),
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
    taken = {row["id"] for row in rows if row.get("id")}
    found = []
    for row in rows:
        key = row.get("id") or _fresh_key(row["name"], taken)
        taken.add(key)
        found.append(
            Trait(key, row["name"], row.get("purpose") or "", magic=bool(row.get("magic")))
        )
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


def whole(value: Json) -> int:
    """A number as it is stored, made sure of for the type checker."""
    return value if isinstance(value, int) else 0


def setting(options: Mapping[str, Json], key: str) -> Any:
    """An option as it is set, or its default."""
    return options.get(key, _DEFAULTS[key])


_DEFAULTS: dict[str, Any] = {option.key: option.field.default for option in OPTIONS}
