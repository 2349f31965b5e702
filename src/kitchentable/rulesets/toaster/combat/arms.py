"""What somebody attacks and defends with: weapons in each use, their lengths, ways to defend.

One weapon can be two things: a spear is thrust or thrown, a dagger stabs or flies
(toaster.4.spear-two-values, toaster.4.wc-muscle-flags).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    Choice,
    Entity,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Choices, Parts, Record, Words, row, rows
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.attributes import attribute_for
from kitchentable.rulesets.toaster.character.gear import BARE, filled
from kitchentable.rulesets.toaster.character.lens import Weapon
from kitchentable.rulesets.toaster.character.people import lines_of
from kitchentable.rulesets.toaster.harm.state import dropped, useless_limbs
from kitchentable.rulesets.toaster.options import Options

#: What follows a weapon's id where it is thrown, or held in the other grip.
THROWN, GRIP = "thrown", "grip"

#: The skills that bare hands fight with.
BRAWL, MARTIAL_ARTS, THROW = "brawl", "martial-arts", "throw"

#: What everybody fights with, and the limbs by the keys of their areas.
FIST, KICK = BARE
ARMS, LEGS = ("right-arm", "left-arm"), ("right-leg", "left-leg")

#: The skill of shields, which count as weapons (toaster.4.defence-h2h).
SHIELD = "weapon-skill:Shield"


@dataclass(frozen=True, slots=True)
class Arm:
    """A weapon in one of its uses.

    `key` is the weapon's id, with ":thrown" or ":grip" behind it for the other uses. `scope` is
    what of a range penalty it takes away, `piercing` what its GM takes off protection rolls with
    it (0 or less), `blast` says that it hits whatever is near.
    """

    key: str
    weapon: Weapon
    thrown: bool = False
    scope: int = 0
    piercing: int = 0
    blast: bool = False

    @property
    def ranged(self) -> bool:
        """Whether it strikes from afar."""
        return self.weapon.ranged or self.thrown

    @property
    def name(self) -> str:
        """What it is called in this use."""
        return f"{self.weapon.name}, thrown" if self.thrown else self.weapon.name


def arms(table: Table, entity: Entity) -> tuple[Arm, ...]:
    """Everything that somebody can attack with, each use by itself; what was knocked away is not.

    Classes are those of the lists, also where the book's prose has others; whoever wants another
    writes it on the sheet. What an arm or a leg holds that is of no use does not strike.
    toaster.4.crit-a, toaster.4.hitloc-limb.
    """
    gone, limp = dropped(entity), useless_limbs(table, entity)
    here = [
        one
        for one in lens.weapons(table, entity)
        if one.id not in gone and not (limp and _is_limp(entity, one, limp))
    ]
    return tuple(use for one in here for use in _uses(table, entity, one))


def sword_arm(entity: Entity) -> str:
    """The arm that holds the weapon; a shield hangs on the other one."""
    return str(entity.state.get("sword_arm") or ARMS[0])


def _is_limp(entity: Entity, one: Weapon, limp: Words) -> bool:
    """Whether nothing is left to use it with: a fist takes either arm, a kick both legs."""
    if one.id == FIST:
        return set(ARMS) <= set(limp)
    return bool(set(limp) & ({*LEGS} if one.id == KICK else {sword_arm(entity)}))


def in_hand(table: Table, entity: Entity) -> Words:
    """The ids of what is drawn; as long as nobody has said, of the first weapon on the sheet.

    What is merely carried neither parries nor keeps anybody at a distance (toaster.4.defence-h2h).
    """
    carried = [one.id for one in lens.weapons(table, entity) if one.id not in BARE]
    said: Any = entity.state.get("drawn")
    drawn, gone = carried[:1] if said is None else said, dropped(entity)
    return tuple(one for one in carried if one in drawn and one not in gone)


def arm(table: Table, entity: Entity, key: Json) -> Arm | None:
    """One of them by its key; None where there is none."""
    return next((one for one in arms(table, entity) if one.key == key), None)


def _uses(table: Table, entity: Entity, weapon: Weapon) -> tuple[Arm, ...]:
    """A weapon in the hand, in its other grip where that has a number, and thrown.

    toaster.4.wc-bastard-grip, toaster.4.spear-two-values.
    """
    line = _line(entity, weapon.id)
    shipped = row(table, "weapon", weapon.like) or row(table, "missile", weapon.like) or {}
    full = filled(shipped, line)
    first = Arm(
        weapon.id,
        replace(weapon, unarmed=_is_unarmed(table, weapon, line)),
        scope=whole(full.get("scope")),
        piercing=-abs(whole(full.get("piercing"))),
        blast=bool(full.get("blast")),
    )
    found = [first]
    if full.get("grip_wc") is not None:
        grip = replace(first.weapon, wc=whole(full["grip_wc"]), name=f"{weapon.name}, other grip")
        found.append(replace(first, key=f"{weapon.id}:{GRIP}", weapon=grip))
    if full.get("throwable") and not first.ranged:
        missile = replace(first.weapon, wc=whole(full.get("thrown_wc", weapon.wc)), strength=0)
        found.append(replace(first, key=f"{weapon.id}:{THROWN}", weapon=missile, thrown=True))
    return tuple(found)


def _line(entity: Entity, ident: str) -> Record:
    lines = lines_of(entity, "weapons")
    return next((one for at, one in lines if (one.get("id") or f"w{at + 1}") == ident), {})


def _is_unarmed(table: Table, weapon: Weapon, line: Record) -> bool:
    """Whether a blow with it does one wound fewer (toaster.4.wounds-unarmed-what)."""
    if line.get("armed"):
        return False
    iron = weapon.like == "reinforced-fist" and Options(table.options).reinforced_fist_armed
    return weapon.unarmed and not iron


def skill_of(one: Arm) -> str:
    """The skill that wields it: Throw for whatever is thrown (toaster.4.wc-muscle-flags)."""
    return THROW if one.thrown or one.weapon.thrown else one.weapon.skill or BRAWL


def skills_of(table: Table, entity: Entity, one: Arm) -> Words:
    """The skills one may attack with it: bare hands by a formal style too, where it was learned.

    toaster.4.attack-roll.
    """
    own = skill_of(one)
    if own == BRAWL and not one.ranged and lens.skill_base(table, entity, MARTIAL_ARTS) > 0:
        return (MARTIAL_ARTS, BRAWL)
    return (own,)


def arm_choices(table: Table, entity: Entity) -> Choices:
    """What somebody can attack with, to pick from, with the best skill's rank where it is known."""
    return tuple(_arm_choice(table, entity, one) for one in arms(table, entity))


def _arm_choice(table: Table, entity: Entity, one: Arm) -> Choice:
    if not lens.numbers_known(entity):
        return Choice(one.key, one.name)
    skill = skills_of(table, entity, one)[0]
    rank = lens.skill_rank(table, entity, skill)
    label = f"{one.name}, {lens.skill_name(table, skill)} {rank}"
    return Choice(one.key, label, f"WC {weapon_class(table, entity, one)}")


def weapon_class(table: Table, entity: Entity, one: Arm, distance: Json = "") -> int:
    """What it does in this hand and at this distance, before the die.

    Muscle and weapon are averaged, what needs no muscle stands by itself; shot that spreads loses
    with the printed distance, whatever a scope does for the aim. toaster.4.wc-muscle,
    toaster.4.wc-fixed, toaster.4.shotgun.
    """
    whole_wc = lens.weapon_class(table, entity, one.weapon)
    if not one.weapon.spread:
        return whole_wc
    return max(0, whole_wc + one.weapon.spread * range_penalty(table, distance))


def range_penalty(table: Table, distance: Json) -> int:
    """What a distance takes off an attack, 0 or less (toaster.4.range-table)."""
    found = row(table, "range", str(distance or ""))
    return whole(found.get("penalty")) if found else 0


def range_choices(table: Table) -> Choices:
    """The distances of the table: which is which, the GM says (toaster.4.range-distances)."""
    return tuple(
        Choice(one["key"], f"{one['name']} ({one['penalty']})") for one in rows(table, "range")
    )


def strength_penalty(table: Table, entity: Entity, one: Weapon) -> int:
    """What too little strength takes off every roll with a weapon, 0 or less.

    A strong part of Physique counts; what is shot asks for nothing unless the GM wrote it down.
    toaster.4.strreq-penalty, toaster.4.strreq-sub, toaster.4.strreq-ranged.
    """
    if not Options(table.options).strength_requirements:
        return 0
    return min(0, attribute_for(table, entity, "muscle") - one.strength)


def shield(table: Table, entity: Entity) -> tuple[str, int]:
    """A shield's name and what it adds to its own parry, ("", 0) without one.

    It adds nothing to the armour class (toaster.4.shield-bonus, toaster.4.ac-shield-none). It hangs
    on an arm that can still hold it (toaster.4.hitloc-limb).
    """
    found = row(table, "shield", str(entity.sheet.get("shield") or ""))
    if found is None or "shield" in dropped(entity):
        return "", 0
    if set(useless_limbs(table, entity)) & ({*ARMS} - {sword_arm(entity)}):
        return "", 0
    return str(found["name"]), whole(found.get("bonus"))


def has_only_brawl(table: Table, entity: Entity) -> bool:
    """Whether somebody's only way to fight here is to brawl: no style, no weapon in the hand.

    toaster.2.skill-martial-plus-2 (A-09).
    """
    return lens.skill_base(table, entity, MARTIAL_ARTS) == 0 and not _armed(table, entity)


def _armed(table: Table, entity: Entity) -> bool:
    held = in_hand(table, entity)
    hand = any(one.weapon.id in held and not one.weapon.unarmed for one in arms(table, entity))
    return hand or bool(shield(table, entity)[0])


# ---------------------------------------------------------------- lengths
#
# The distance is shared by the two: it is that of the weapon which got through last, and before any
# did, that of the longer one of those that are drawn.

#: What attacking from the wrong distance costs, and what where lengths differ only slightly
#: (toaster.4.length-penalty, toaster.4.length-penalty-slight).
WRONG, SLIGHT = -2, -1


def between(one: str, other: str) -> str:
    """The name of two people's distance, whoever of them asks.

    >>> between("b", "a") == between("a", "b")
    True
    """
    return "|".join(sorted((one, other)))


def distance(table: Table, one: Entity, other: Entity) -> int:
    """The reach at which two people fight just now.

    toaster.4.length-shift, toaster.4.length-success.
    """
    known: Any = table.fight.get("distances") if table.fight else None
    found = (known or {}).get(between(one.id, other.id))
    if isinstance(found, Mapping):
        return whole(found.get("reach"))
    return max(_longest(table, one), _longest(table, other))


def _longest(table: Table, entity: Entity) -> int:
    drawn = in_hand(table, entity)
    held = [use.weapon for use in arms(table, entity) if not use.ranged]
    return max((one.length for one in held if one.id in drawn), default=0)


def length_penalty(table: Table, one: Entity, other: Entity, use: Arm) -> int:
    """What the distance takes off an attack; the GM may say otherwise.

    toaster.4.length-penalty, toaster.4.length-penalty-slight.
    """
    return penalty_of(abs(use.weapon.length - distance(table, one, other)))


def penalty_of(apart: int) -> int:
    """What being so far from a weapon's own distance costs.

    Roughly equal lengths are ignored, as a fist's and a dagger's; the GM may say otherwise.

    >>> [penalty_of(apart) for apart in (0, 1, 2, 3, 6)]
    [0, 0, -1, -2, -2]
    """
    if apart <= 1:
        return 0
    return SLIGHT if apart == 2 else WRONG


# ---------------------------------------------------------------- defences

DODGE = "dodge"
_PARRY = "parry:"


@dataclass(frozen=True, slots=True)
class Defence:
    """A way to defend: its key, words, and the skill that is rolled.

    `parts` are what comes with it by itself, such as a shield's bonus. `asks` is true where the GM
    has to name a difficulty first.
    """

    key: str
    name: str
    skill: str
    parts: Parts = ()
    asks: bool = False


def defences(
    table: Table, target: Entity, against: Arm | None, bare: int | None = None
) -> tuple[Defence, ...]:
    """How somebody may defend against this attack, the likeliest first.

    Dodging always will do (toaster.2.skill-dodge-any); Acrobatics never by itself
    (toaster.2.skill-acrobatics-not-dodge). Hand to hand everything drawn parries, shields too
    (toaster.4.defence-h2h); missiles only a shield stops (toaster.4.defence-ranged), and in a
    campaign of martial arts a weapon, at a difficulty (toaster.4.defence-ranged-weapon). Bare hands
    ward off bare hands (toaster.2.skill-brawl-defend-brawl), weapons only where `bare` says with
    which modifier (toaster.4.defence-unarmed-vs-weapon, toaster.2.skill-brawl-defend-weapon),
    missiles never (toaster.2.skill-brawl-never-ranged).
    """
    found = [Defence(DODGE, "Dodge", DODGE)]
    martial = Options(table.options).martial_arts_campaign
    afar = against is not None and against.ranged
    if against is not None and against.blast:
        return tuple(found)
    if not afar or martial:
        found += [_parry(table, target, one, asks=afar) for one in _held(table, target)]
    name, bonus = shield(table, target)
    if name:
        found.append(Defence("shield", name, SHIELD, (Part(name, bonus),)))
    found += _bare(table, target, against, 0 if martial and bare is None else bare)
    return tuple(found)


def _held(table: Table, target: Entity) -> tuple[Arm, ...]:
    drawn = in_hand(table, target)
    return tuple(
        one
        for one in arms(table, target)
        if not one.ranged and not one.weapon.unarmed and one.key in drawn
    )


def _parry(table: Table, target: Entity, one: Arm, *, asks: bool) -> Defence:
    weak = strength_penalty(table, target, one.weapon)
    parts = [Part(one.name, one.weapon.modifier)] if one.weapon.modifier else []
    if weak:
        parts.append(Part("too heavy", weak))
    return Defence(
        f"{_PARRY}{one.key}", f"Parry with {one.name}", one.weapon.skill, tuple(parts), asks
    )


def _bare(
    table: Table, target: Entity, against: Arm | None, bare: int | None
) -> tuple[Defence, ...]:
    armed = against is not None and not against.weapon.unarmed
    if against is not None and (against.ranged or (armed and bare is None)):
        return ()
    parts = (Part("bare hands against a weapon", bare),) if armed and bare else ()
    found = [Defence(BRAWL, "Brawl", BRAWL, parts)]
    if lens.skill_base(table, target, MARTIAL_ARTS) > 0:
        found.insert(0, Defence(MARTIAL_ARTS, "Martial Arts", MARTIAL_ARTS, parts))
    return tuple(found)


def likeliest(table: Table, target: Entity, found: tuple[Defence, ...]) -> Defence:
    """The defence with the best chance: rank and what comes with it; a dodge before its equals."""
    if not lens.numbers_known(target):
        return found[0]
    return max(
        (one for one in found if not one.asks),
        key=lambda one: rank(table, target, one) + sum(part.value for part in one.parts),
    )


def rank(table: Table, target: Entity, one: Defence, specialty: str = "") -> int:
    """The plain rank of a defence, which is the gate of a hand-to-hand attack as well.

    A speciality counts; a shield, wounds and everything else that is added to a roll does not
    (toaster.4.attack-h2h-gate-number).
    """
    return lens.skill_rank(table, target, one.skill, specialty=specialty)


def defence_choices(table: Table, target: Entity, found: tuple[Defence, ...]) -> Choices:
    """Ways to defend, to pick from, with ranks where they may be seen."""
    shown = lens.numbers_known(target)
    return tuple(
        Choice(
            one.key,
            f"{one.name} {rank(table, target, one)}" if shown else one.name,
            ", ".join(f"{part.name} {part.value:+d}" for part in one.parts) if shown else "",
        )
        for one in found
    )
