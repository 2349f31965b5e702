"""The types of Toast's options; data.toml declares them."""

from __future__ import annotations

from kitchentable.rules.kit.books import open_book
from kitchentable.rules.kit.listings import Listing
from kitchentable.rules.kit.settings import Settings
from kitchentable.rules.values import record

#: Toast's files in this folder: tables, rulebook, golden playthrough.
BOOK = open_book("kitchentable.rulesets.toast")
problem = BOOK.problem

#: The choice "no trait", at level 0, in questions for a trait.
NO_TRAIT = "none"

#: The points for each trait on the list (toast.3.1-points, toast.3.1-recount).
POINTS_PER_TRAIT = 4

#: The roles of traits in a fight (toast.3-list-combat-roles).
ROLES = ("initiative", "aim", "attack", "defense")


@record
class Trait:
    """A row of the list of traits: key, name, purpose, and whether it is magic."""

    key: str
    name: str
    purpose: str = ""
    magic: bool = False


NONE = Trait(NO_TRAIT, "no trait")


class Options(Settings, options=BOOK.options):
    """The options that this code reads by name, with their types.

    >>> rows = [{"name": "Deep lore"}, {"id": "aim", "name": "Aim"}]
    >>> [one.key for one in Options({"traits": rows}).traits]
    ['deep-lore', 'aim']
    """

    traits = Listing(Trait, NO_TRAIT, "trait")
    difficulty_shown: str
    actions_per_turn: int
    move_hint: str
    house_rules: str
    magic_defense: str
    npc_numbers: str
    advancement_rolls: str
    perk_every_sessions: int
    equipment_lists: str


def capacity_key(importance: str) -> str:
    """The option that holds the wounds of a class of importance: "wounds_elite_minion"."""
    return f"wounds_{importance.replace('-', '_')}"
