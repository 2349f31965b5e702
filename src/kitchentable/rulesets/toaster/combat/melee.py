"""Toaster's fights for forecasts: full attacks, until one side is out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from kitchentable.dice import Dice, mechanic
from kitchentable.rules import Battle, Points, Table, total, whole
from kitchentable.rules.kit import Values
from kitchentable.rules.kit.combatants import Fighters, Sides
from kitchentable.rulesets.toaster.book import BOOK, UNCHANGED, rows
from kitchentable.rulesets.toaster.character.attributes import BARE, Weapon
from kitchentable.rulesets.toaster.combat.arms import Arm
from kitchentable.rulesets.toaster.harm.state import MORTAL_WOUNDS, degrees
from kitchentable.rulesets.toaster.library import read_luck
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics.attack import attack
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways, wounds_of
from kitchentable.rulesets.toaster.mechanics.initiative import initiative
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, Rules
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import ALL_OUT, Person, toaster

#: The factor of Initiative in a turn number, so that Coordination breaks ties.
_PLACE = 1_000
#: The stun of a degree, and the damage of a wound, for an average body.
_THRESHOLD = 5


class Body(NamedTuple):
    """A combatant's limits: the stun of each degree with its penalty, and the wound threshold.

    The last degree means out. With `follows`, wounds count in addition to stun; `unnamed`
    combatants are out with the first wound (toaster.4.unnamed-out).
    """

    degrees: tuple[tuple[int, int], ...]
    threshold: int = _THRESHOLD
    follows: bool = False
    unnamed: bool = False

    @property
    def most(self) -> int:
        """The stun with which a combatant is out."""
        return self.degrees[-1][0]

    def health(self, stun: int, wounds: int) -> int:
        """Stun and wounds as one falling number; 0 means out."""
        left = self.most - stun
        if left <= 0 or (self.follows and wounds >= MORTAL_WOUNDS):
            return 0
        return left * MORTAL_WOUNDS - wounds if self.follows else left

    def harm(self, health: int) -> tuple[int, int]:
        """Stun and wounds at a health; 0 wounds if they do not count."""
        left, wounds = -(-health // MORTAL_WOUNDS), -health % MORTAL_WOUNDS
        return (self.most - left, wounds) if self.follows else (self.most - health, 0)

    def penalty(self, health: int) -> int:
        """The worse penalty of stun and wounds on actions (toaster.4.penalty-worst-of)."""
        stun, wounds = self.harm(health)
        return max(wounds, *(off for least, off in self.degrees if least <= stun))


class Fighter(NamedTuple):
    """A combatant's numbers for the dice.

    `guards` are the pairs of gate and defense against weapons, bare hands and missiles; `blow` is
    the index of the pair that applies to this combatant's attacks. `slowed` is the penalty of harm
    to Initiative, or None without that option.
    """

    coordination: int
    attack: int
    blow: int
    guards: tuple[tuple[int, int], ...]
    wc: int
    ac: int
    bare: int
    piercing: int
    body: Body
    rules: Rules
    ways: Ways
    slowed: int | None = None
    all_out: int = 0
    luck: int = 0


#: The most luck points of a combatant entered by numbers.
_MOST_LUCK = 20
_ARMED, _UNARMED, _RANGED = range(3)
#: The attack rank of a combatant without any attack.
_HELPLESS = -99


@mechanic
def turn(dice: Dice, mine: Fighter) -> int:
    """The number for the turn order: Initiative, then Coordination.

    toaster.4.initiative-order, toaster.4.initiative-ties, toaster.4.initiative-penalties.
    """
    number = initiative(dice, mine.coordination - (mine.slowed or 0)).number
    return number * _PLACE + mine.coordination


@mechanic
def turn_again(dice: Dice, mine: Fighter) -> int:
    """The die for complete ties (toaster.4.initiative-ties)."""
    return int(initiative(dice, 0).number)


def match(mine: Fighter, theirs: Fighter) -> tuple[Attacker, Defender, Classes]:
    """The numbers of an attack on a foe, as for an attack at the table."""
    gate, defense = theirs.guards[mine.blow]
    afar = mine.blow == _RANGED
    one = Attacker(mine.attack, TARGET if afar else gate, reaches=afar)
    classes = Classes(
        mine.wc, theirs.ac, theirs.bare, piercing=mine.piercing,
        threshold=theirs.body.threshold, unarmed=mine.blow == _UNARMED,
    )  # fmt: skip
    return one, Defender(defense), classes


@mechanic
def blow(dice: Dice, mine: Fighter, theirs: Fighter) -> int:
    """A whole attack in its five steps (toaster.4.attack-five-steps).

    The outcome is twice the damage taken, plus 1 for an unarmed attack.
    """
    fell = attack(dice, *match(mine, theirs), mine.rules, mine.ways)
    return 2 * fell.taken + (mine.blow == _UNARMED)


def _wounds(theirs: Fighter, outcome: int) -> int:
    """The wounds of an attack (toaster.4.wounds-per-attack)."""
    return wounds_of(outcome // 2, theirs.body.threshold, unarmed=bool(outcome % 2))


def _after(theirs: Fighter, health: int, outcome: int) -> int:
    """The health after an attack (toaster.4.stun-accumulate, toaster.4.unnamed-out)."""
    fresh = _wounds(theirs, outcome)
    if theirs.body.unnamed and fresh:
        return 0
    stun, wounds = theirs.body.harm(health)
    return theirs.body.health(stun + outcome // 2, wounds + fresh)


def now(one: Fighter, health: int) -> Fighter:
    """The numbers with the penalty of a health; gates do not change (toaster.4.penalty-scope)."""
    off = one.body.penalty(health)
    slowed = None if one.slowed is None else off
    hurt = one._replace(attack=one.attack - off, slowed=slowed)
    return _guarded(hurt, -off) if off else one


def _guarded(one: Fighter, more: int) -> Fighter:
    return one._replace(guards=tuple((gate, defense + more) for gate, defense in one.guards))


def _set_left(one: Fighter, health: int, left: int) -> int:
    """The health with this much stun left to take, and the same wounds."""
    return one.body.health(max(0, one.body.most - left), one.body.harm(health)[1])


# ---------------------------------------------------------------- combatants by numbers


def _degrees(table: Table, threshold: int) -> tuple[tuple[int, int], ...]:
    """The stun at which each degree begins, with its penalty (toaster.4.stun-table)."""
    every = degrees(table)
    return tuple((whole(one["at"]) * threshold, -whole(one.get("penalty"))) for one in every)


_AVERAGE = Body(_degrees(UNCHANGED, _THRESHOLD))

_SIDES = Sides(
    dict.fromkeys(("COORDINATION", "ATTACK", "DEFENSE", "WC", "AC"), range(100))
    | {"STUN": range(1, _AVERAGE.most + 1)},
    "6/6/6/6/4/25",
    "Coordination, the ranks of attack and defense, weapon class, armor class, and the stun they "
    "can still take, 25 for somebody fresh",
    "toaster.4.attack-five-steps",
)


def _fighter(here: Options, *row: int) -> tuple[Fighter, int]:
    coordination, rank, defense, wc, ac, stun = row
    guards = ((defense, defense),) * 3
    return Fighter(
        coordination, rank, _ARMED, guards, wc, ac, ac, 0, _AVERAGE, here.to_hit,
        here.damage(UNCHANGED), _slowed(here), ALL_OUT * here.stance,
    ), stun  # fmt: skip


def _slowed(here: Options) -> int | None:
    """The Initiative penalty of an unharmed fighter: 0, or None without that option."""
    return 0 if here.initiative_penalties else None


def _start(options: Values, *, ours: Any, theirs: Any, luck: int = 0) -> Battle:
    """The battle of two sides; every combatant has these luck points.

    toaster.3.luck-before-plus2.
    """
    points = read_luck(options, "luck", luck, _MOST_LUCK)
    battle = _FIGHTERS.start(options, ours=ours, theirs=theirs)
    lucky = (
        replace(one, numbers=Fighter(*one.numbers)._replace(luck=points))
        for one in battle.combatants
    )
    return replace(battle, combatants=tuple(lucky))


# ---------------------------------------------------------------- combatants of a table

#: The id of a weapon that a character has only for a comparison.
LISTED = "listed"
#: One attack of each kind, to look up the defenses against it.
_ATTACKS = (
    Arm("", Weapon("", "", 0)),
    Arm("", Weapon("", "", 0, unarmed=True)),
    Arm("", Weapon("", "", 0, ranged=True)),
)


def _at_table(one: Person, arm: Arm | None = None) -> tuple[Fighter, int] | None:
    """A character's numbers with a weapon, by default the first.

    None for characters with hidden numbers.
    """
    if not one.is_known:
        return None
    options, (stun, threshold) = one.options, one.thresholds
    use = arm or next(iter(one.arms), None)
    held = use or _ATTACKS[_ARMED]
    rank = one.rank(one.skills_of(use)[0]) + total(one.armed_parts(use)) if use else _HELPLESS
    unnamed = options.unnamed_characters and not one.is_named
    body = Body(_degrees(one.table, stun), threshold, unnamed=unnamed)
    body = body._replace(follows=not unnamed and _wounds_count(body, one.stun, one.wounds))
    fighter = Fighter(
        one.initiative_bonus, rank, _blow_of(held),
        tuple(_guard(one, against) for against in _ATTACKS), one.class_of(held),
        one.armor_class(), one.armor_class(body_only=True), held.piercing, body,
        options.to_hit, options.damage(one.table), _slowed(options),
        ALL_OUT * options.stance, one.luck_points,
    )  # fmt: skip
    return fighter, body.health(one.stun, one.wounds) if one.is_awake else 0


def _blow_of(use: Arm) -> int:
    return _RANGED if use.ranged else _UNARMED if use.weapon.unarmed else _ARMED


def _guard(one: Person, against: Arm) -> tuple[int, int]:
    """The gate and the defense of a character's likeliest way to defend."""
    way = one.likeliest(one.defenses(against))
    rank = one.rank(way.skill)
    return rank, rank + total(way.parts)


def _wounds_count(body: Body, stun: int, wounds: int) -> bool:
    """Whether wounds could ever cost more than stun, or end the fight earlier."""
    for now in range(stun, body.most):
        most = wounds + (now - stun) // body.threshold
        if most >= MORTAL_WOUNDS or most > max(off for least, off in body.degrees if least <= now):
            return True
    return False


def _weapons(table: Table, who: str) -> dict[str, Fighter]:
    """A character's numbers with each use of each weapon, own or listed.

    A listed weapon replaces all others, and parries.
    """
    one = toaster.at(table).find(who)
    if one is None or not one.is_known:
        return {}
    ways = [(arm.name, one, arm) for arm in one.arms]
    has = {*BARE, *(weapon.like for weapon in one.weapons)}
    for row in (*rows(table, "weapon"), *rows(table, "missile")):
        if row["key"] not in has:
            armed = one.with_sheet(weapons=[{"id": LISTED, "like": row["key"]}])
            own = (arm for arm in armed.arms if arm.weapon.id == LISTED)
            ways += [(f"{arm.name} (from the list)", armed, arm) for arm in own]
    found = ((name, _at_table(armed, arm)) for name, armed, arm in ways)
    return {name: fighter[0] for name, fighter in found if fighter is not None}


_FIGHTERS = Fighters(
    toaster, _SIDES, _fighter, _at_table, lambda here: {"passes": here.actions_per_round}
)

FIGHTS = {
    "melee": _FIGHTERS.fought(
        BOOK.tables["melee"],
        turn,
        turn_again,
        blow,
        _after,
        start=_start,
        weapons=_weapons,
        now=now,
        left=lambda one, health: one.body.most - one.body.harm(health)[0],
        set_left=_set_left,
        toll=_wounds,
        # An all-out defense, if the campaign has stances (toaster.4.stance-3).
        guard=lambda one: _guarded(one, one.all_out),
        spend=Points(
            "luck points",
            lambda one: one.luck,
            lambda one: one._replace(attack=one.attack + BEFORE),
        ),
    )
}
