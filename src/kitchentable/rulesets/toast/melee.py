"""Fights of Toast for forecasts: rolls with the combatants' levels."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import Table
from kitchentable.rules.kit.combatants import Fighters, Sides
from kitchentable.rulesets.toast.attacks import attack_traits
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, attack, initiative
from kitchentable.rulesets.toast.options import BOOK, Options
from kitchentable.rulesets.toast.people import Person, role, toast


class Levels(NamedTuple):
    """A combatant's levels of Initiative, attack and defense."""

    initiative: int
    attack: int
    defense: int


@mechanic
def turn(dice: Dice, mine: Levels) -> int | None:
    """The number for the turn order, or None after a flub (toast.7-init-roll)."""
    return initiative(dice, mine.initiative).number


@mechanic
def turn_again(dice: Dice, mine: Levels) -> int:
    """The number of a tie roll; a flub comes last (toast.7-init-tie)."""
    return initiative(dice, mine.initiative).number or 0


@mechanic
def wounds(dice: Dice, mine: Levels, theirs: Levels) -> int:
    """The wounds of one attack, without perks (toast.7.2-attack-contest)."""
    given = attack(dice, mine.attack, perk=False, defense=theirs.defense, defense_perk=False)
    return int(given.hit)


def _after(theirs: Levels, left: int, given: int) -> int:
    """The remaining wounds after an attack (toast.7.3-hit-wound)."""
    return left - given


_SIDES = Sides(
    dict.fromkeys(("INITIATIVE", "ATTACK", "DEFENSE"), range(1000)) | {"WOUNDS": range(1, 1000)},
    "5/6/4/4",
    "four whole numbers: levels of Initiative, attack and defense, and the wounds they can take, "
    "at least 1",
    "toast.7-init-roll",
)


def _at_table(one: Person) -> tuple[Levels, int] | None:
    """A character's levels and remaining wounds, or None if hidden."""
    at = one.at
    if at is None or not one.is_known:
        return None
    parts = (role(at, part) for part in ("initiative", "attack", "defense"))
    return Levels(*map(one.level, parts)), one.capacity - one.wounds if one.is_awake else 0


def _weapons(table: Table, who: str) -> dict[str, Levels]:
    """A character's attacks: each attack trait, alone and with each perk.

    Magic that needs another defense than Defense is excluded. toast.7.2-attack-trait,
    toast.4-perk-bonus.
    """
    at, found = toast.at(table), dict[str, Levels]()
    one = at.find(who)
    numbers = _at_table(one) if one is not None else None
    if one is None or numbers is None:
        return found
    defense = role(at, "defense")
    against = at.options.traits.find(at.options.magic_defense) or defense
    for trait in attack_traits(at):
        if not trait.magic or against == defense:
            mine = numbers[0]._replace(attack=one.level(trait))
            found[trait.name] = mine
            for perk in one.usable_perks():
                found[f"{trait.name}: {perk.text}"] = mine._replace(attack=mine.attack + PERK_BONUS)
    return found


def _fighter(here: Options, *row: int) -> tuple[Levels, int]:
    *levels, wounds = row
    return Levels(*levels), wounds


_FIGHTERS = Fighters(
    toast, _SIDES, _fighter, _at_table, lambda here: {"anew": here.initiative_each_round}
)

FIGHTS = {
    "melee": _FIGHTERS.fought(
        BOOK.tables["melee"], turn, turn_again, wounds, _after, weapons=_weapons
    )
}
