"""A whole fight as a mechanic: one step is a round's initiative, or one fighter's attack.

The policies are stated: everybody fights to the end, attacks the foe of theirs who has fewest
wounds left, and uses no perk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import Fought, RuleRefuses, Table
from kitchentable.rules.kit import Values
from kitchentable.rulesets.toast.mechanics import attack, initiative, initiative_tie
from kitchentable.rulesets.toast.options import Options
from kitchentable.rulesets.toast.people import role, toast

_ONE = re.compile(r"(?:(\d{1,2})x)?(\d{1,3})/(\d{1,3})/(\d{1,3})/(\d{1,3})", re.IGNORECASE)
#: More than this many on both sides together are no longer a fight to be followed.
_MOST = 40


@dataclass(frozen=True, slots=True, order=True)
class Fighter:
    """One fighter in numbers: the side, levels of Initiative, attack and defence, wounds left."""

    side: str
    initiative: int
    attack: int
    defense: int
    left: int


@dataclass(frozen=True, slots=True)
class Melee:
    """A fight as it stands: who fights, and who still acts this round, in order, by place.

    `again` says that Initiative is rolled anew each round, the rulebook's way; otherwise `first`
    keeps the order of the first round.
    """

    fighters: tuple[Fighter, ...]
    order: tuple[int, ...] = ()
    again: bool = True
    first: tuple[int, ...] = ()


@mechanic
def order_of_round(dice: Dice, levels: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Who acts in a round and in which order: (place, level of Initiative) of all who stand.

    A flub does not act; equals throw among themselves (toast.7-init-order, toast.7-init-tie,
    toast.7.1-init-flub, toast.7.1-init-kick).
    """
    groups: dict[int, list[int]] = {}
    for place, trait in levels:
        number = initiative(dice, trait, label=str(place)).number
        if number is not None:
            groups.setdefault(number, []).append(place)
    traits = dict(levels)
    order: list[int] = []
    for number in sorted(groups, reverse=True):
        equal = groups[number]
        if len(equal) == 1:
            order += equal
        else:
            tied = tuple((str(place), traits[place], False) for place in equal)
            order += [int(who) for who in initiative_tie(dice, tied)]
    return tuple(order)


@mechanic
def melee_turn(dice: Dice, melee: Melee) -> Melee:
    """One step of a fight: Initiative for those who stand, or the attack of who is next.

    toast.7-init-roll, toast.7-round-repeat, toast.7.2-attack-contest, toast.7.3-hit-wound.
    """
    if not melee.order:
        standing = tuple(
            (place, one.initiative) for place, one in enumerate(melee.fighters) if one.left
        )
        if melee.first and not melee.again:
            kept = {place for place, _ in standing}
            return replace(melee, order=tuple(p for p in melee.first if p in kept))
        order = order_of_round(dice, standing)
        return replace(melee, order=order, first=() if melee.again else order)
    who, *rest = melee.order
    one = melee.fighters[who]
    target = _target(melee, one)
    foe = melee.fighters[target]
    fighters = melee.fighters
    if attack(dice, one.attack, perk=False, defense=foe.defense, defense_perk=False).hit:
        hurt = replace(foe, left=foe.left - 1)
        fighters = (*fighters[:target], hurt, *fighters[target + 1 :])
        if not hurt.left:
            rest = [place for place in rest if place != target]
    return _canonical(replace(melee, fighters=fighters, order=tuple(rest)))


def _target(melee: Melee, one: Fighter) -> int:
    foes = [
        (foe.left, p) for p, foe in enumerate(melee.fighters) if foe.left and foe.side != one.side
    ]
    return min(foes)[1]


def _canonical(melee: Melee) -> Melee:
    """Between rounds it does not matter which of two alike stands where; at the end, whose turn."""
    if winner(melee):
        return replace(melee, fighters=tuple(sorted(melee.fighters)), order=(), first=())
    if melee.order or not melee.again:
        return melee
    return replace(melee, fighters=tuple(sorted(melee.fighters)))


def winner(melee: Melee) -> str:
    """The side that is left, "" while there are two."""
    left = {one.side for one in melee.fighters if one.left}
    return left.pop() if len(left) == 1 else ""


def sides(melee: Melee) -> tuple[str, ...]:
    """Who fights whom, by the names of the sides."""
    return tuple(sorted({one.side for one in melee.fighters}))


def begins_round(melee: Melee) -> bool:
    """Whether the next step rolls Initiative."""
    return not melee.order


def _side(name: str, given: Any) -> list[Fighter]:
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
    return [Fighter(name, row[0], row[1], row[2], row[3]) for row in rows]


def _start(options: Values, *, ours: Any, theirs: Any) -> Melee:
    fighters = (*_side("ours", ours), *_side("theirs", theirs))
    if len(fighters) > _MOST:
        raise RuleRefuses(
            f"{len(fighters)} fighters are more than can be followed; {_MOST} is the most.",
            "toast.7-init-roll",
            code="fight/argument",
        )
    again = Options(options).initiative_each_round
    return Melee(tuple(sorted(fighters)), again=again)


def _standing(table: Table) -> Melee | None:
    """The fight that is on, from the next round on; None where there is none, or it is secret."""
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
            levels = [one.level(part) for part in parts]
            fighters.append(Fighter(str(place["side"]), levels[0], levels[1], levels[2], left))
    melee = Melee(tuple(sorted(fighters)), again=at.options.initiative_each_round)
    return None if winner(melee) or not fighters else melee


def _wounds_left(side: str) -> Any:
    def left(melee: Melee) -> int:
        return sum(one.left for one in melee.fighters if one.side == side)

    return left


def _still_up(side: str) -> Any:
    def up(melee: Melee) -> int:
        return sum(one.left > 0 for one in melee.fighters if one.side == side)

    return up


FIGHTS: dict[str, Fought] = {
    "melee": Fought(
        melee_turn,
        _start,
        winner,
        begins_round,
        "A fight to the end: ours= and theirs= as INITIATIVE/ATTACK/DEFENCE/WOUNDS of each, "
        "3x before for three of a kind. Everybody goes for the foe with fewest wounds left.",
        (
            {"ours": "4/4/4/2", "theirs": "4/4/4/2"},
            {"ours": "5/6/4/4", "theirs": "2x2/3/3/1"},
        ),
        {
            "of ours still up": _still_up("ours"),
            "of theirs still up": _still_up("theirs"),
            "wounds ours could still take": _wounds_left("ours"),
        },
        _standing,
        sides,
    )
}
