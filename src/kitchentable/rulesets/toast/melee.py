"""The fight of Toast for forecasts: rolls on the combatants' levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import Battle, Combatant, Fought, RuleRefuses, Table
from kitchentable.rules.kit import Values
from kitchentable.rulesets.toast.mechanics import attack, initiative
from kitchentable.rulesets.toast.options import Options
from kitchentable.rulesets.toast.people import role, toast

_ONE = re.compile(r"(?:(\d{1,2})x)?(\d{1,3})/(\d{1,3})/(\d{1,3})/(\d{1,3})", re.IGNORECASE)
#: Fights of more combatants than this, both sides together, get no forecast.
_MOST = 40


class Levels(NamedTuple):
    """A combatant's levels of Initiative, attack and defence."""

    initiative: int
    attack: int
    defense: int


@mechanic
def turn(dice: Dice, mine: Levels) -> int | None:
    """The number for the order of a round, None after a flub (toast.7-init-roll)."""
    return initiative(dice, mine.initiative).number


@mechanic
def turn_again(dice: Dice, mine: Levels) -> int:
    """The number in a throw among equals; a flub comes last (toast.7-init-tie)."""
    return initiative(dice, mine.initiative).number or 0


@mechanic
def wounds(dice: Dice, mine: Levels, theirs: Levels) -> int:
    """The wounds of one attack, without perks (toast.7.2-attack-contest)."""
    given = attack(dice, mine.attack, perk=False, defense=theirs.defense, defense_perk=False)
    return int(given.hit)


def _after(theirs: Levels, left: int, given: int) -> int:
    """The remaining wounds after an attack (toast.7.3-hit-wound)."""
    return left - given


def _side(name: str, given: Any) -> list[Combatant]:
    """The fighters of a side: "5/6/4/4 3x1/2/2/1" or four numbers for each."""
    rows: list[tuple[Any, ...]] = []
    if isinstance(given, str):
        for word in given.replace(",", " ").split():
            found = _ONE.fullmatch(word)
            if found is None:
                raise RuleRefuses(
                    f"{word!r} is no fighter. Write INITIATIVE/ATTACK/DEFENCE/WOUNDS, such as "
                    "5/6/4/4, and 3x before it for three of a kind.",
                    "toast.7-init-roll",
                    code="fight/argument",
                )
            many, *numbers = found.groups(default="1")
            rows += [tuple(int(n) for n in numbers)] * int(many)
    elif isinstance(given, Sequence):
        rows = [tuple(row) for row in given]
    if not rows or any(
        len(row) != 4 or any(not isinstance(n, int) or n < 0 for n in row) or not row[3]
        for row in rows
    ):
        raise RuleRefuses(
            f"{name} needs at least one fighter, each with four whole numbers: levels of "
            "Initiative, attack and defence, and the wounds they can take, at least 1.",
            "toast.7.3-capacity",
            code="fight/argument",
        )
    return [Combatant(name, Levels(*row[:3]), row[3]) for row in rows]


def _start(options: Values, *, ours: Any, theirs: Any) -> Battle:
    fighters = (*_side("ours", ours), *_side("theirs", theirs))
    if len(fighters) > _MOST:
        raise RuleRefuses(
            f"{len(fighters)} fighters are more than can be followed; {_MOST} is the most.",
            "toast.7-init-roll",
            code="fight/argument",
        )
    return Battle(fighters, anew=Options(options).initiative_each_round)


def _standing(table: Table) -> Battle | None:
    """The current fight from the next round on; None if there is none or it is secret."""
    if table.fight is None:
        return None
    at = toast.at(table)
    parts = [role(at, part) for part in ("initiative", "attack", "defense")]
    fighters = []
    for who, place in at.fight.facts["fighters"].items():
        one = at.find(who)
        if one is None or not one.is_known:
            return None
        left = one.capacity - one.wounds
        if at.fight.is_in(one) and one.is_awake and left > 0:
            levels = Levels(*[one.level(part) for part in parts])
            fighters.append(Combatant(str(place["side"]), levels, left, one.name))
    battle = Battle(tuple(fighters), anew=at.options.initiative_each_round)
    return battle if len(battle.standing) > 1 else None


FIGHTS: dict[str, Fought] = {
    "melee": Fought(
        turn,
        turn_again,
        wounds,
        _after,
        _start,
        "A fight to the end: ours= and theirs= as INITIATIVE/ATTACK/DEFENCE/WOUNDS of each, "
        "3x before for three of a kind. Everybody goes for the foe with fewest wounds left.",
        (
            {"ours": "4/4/4/2", "theirs": "4/4/4/2"},
            {"ours": "5/6/4/4", "theirs": "2x2/3/3/1"},
        ),
        "wounds {} could still take",
        _standing,
    )
}
