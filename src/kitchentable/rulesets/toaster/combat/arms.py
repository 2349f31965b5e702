"""Means of attack and defense: weapons in each use, their lengths, ways to defend.

One weapon can be two things: a spear is thrust or thrown, a dagger stabs or flies
(toaster.4.spear-two-values, toaster.4.wc-muscle-flags).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Json, Part, Table, total, whole, worth
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import Choices, Parts, Words, read_row, row, rows
from kitchentable.rulesets.toaster.character.attributes import BARE, Weapon
from kitchentable.rulesets.toaster.character.listing import MARTIAL_ARTS, skill_name
from kitchentable.rulesets.toaster.harm.state import Wounded

#: What follows a weapon's id where it is thrown, or held in the other grip.
THROWN, GRIP = "thrown", "grip"

#: The skills that bare hands fight with, and the way to defend that always will do.
BRAWL, THROW, DODGE = "brawl", "throw", "dodge"
#: The skills of bare hands, whatever is in them.
UNARMED = frozenset({BRAWL, MARTIAL_ARTS})

#: What everybody fights with, and the limbs by the keys of their areas.
FIST, KICK = BARE
ARMS, LEGS = ("right-arm", "left-arm"), ("right-leg", "left-leg")

#: The skill of shields, which count as weapons (toaster.4.defence-h2h).
SHIELD = "weapon-skill:Shield"

#: What attacking from the wrong distance costs, and what where lengths differ only slightly
#: (toaster.4.length-penalty, toaster.4.length-penalty-slight).
WRONG, SLIGHT = -2, -1


@record
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
        """The weapon's name in this use."""
        return f"{self.weapon.name}, thrown" if self.thrown else self.weapon.name

    @property
    def skill(self) -> str:
        """The skill that wields it: Throw for whatever is thrown (toaster.4.wc-muscle-flags)."""
        thrown = self.thrown or self.weapon.thrown
        return THROW if thrown else self.weapon.skill or BRAWL


@record
class Defense:
    """A way to defend: its key, words, and the skill that is rolled.

    `parts` are what comes with it by itself, such as a shield's bonus. `asks` is true where the GM
    has to name a difficulty first.
    """

    key: str
    name: str
    skill: str
    parts: Parts = ()
    asks: bool = False


class Armed(Wounded):
    """Somebody who can attack and defend."""

    # ------------------------------------------------------------ weapons in use

    @property
    def arms(self) -> list[Arm]:
        """Everything to attack with, each use by itself, without weapons that were knocked away.

        Classes are those of the lists, also where the book's prose has others; whoever wants
        another writes it on the sheet. What an arm or a leg holds that is of no use does not
        strike. toaster.4.crit-a, toaster.4.hitloc-limb.
        """
        gone, limp = self.dropped, {*self.useless_limbs}
        return [
            use
            for one in self.weapons
            if one.id not in gone and not self._is_limp(one, limp)
            for use in self._uses(one)
        ]

    def arm(self, key: Json) -> Arm | None:
        """The use with this key; None if there is none."""
        return next((one for one in self.arms if one.key == key), None)

    @property
    def sword_arm(self) -> str:
        """The arm that holds the weapon; a shield hangs on the other one."""
        return str(self.entity.state.get("sword_arm") or ARMS[0])

    def _is_limp(self, one: Weapon, limp: set[str]) -> bool:
        """Whether nothing is left to use it with: a fist takes either arm, a kick both legs."""
        if one.id == FIST:
            return limp >= {*ARMS}
        return bool(limp & ({*LEGS} if one.id == KICK else {self.sword_arm}))

    @property
    def carried(self) -> list[Weapon]:
        """The weapons on the sheet that were not knocked away."""
        return [one for one in self.weapons if one.id not in BARE and one.id not in self.dropped]

    @property
    def drawn(self) -> list[str]:
        """The ids of the weapons in the hand; by default the first on the sheet.

        What is merely carried neither parries nor keeps anybody at a distance
        (toaster.4.defence-h2h).
        """
        said: Any = self.entity.state.get("drawn")
        drawn = [self.weapons[0].id] if said is None else said
        return [one.id for one in self.carried if one.id in drawn]

    def _uses(self, weapon: Weapon) -> list[Arm]:
        """A weapon in the hand, in its other grip where that has a number, and thrown.

        toaster.4.wc-bastard-grip, toaster.4.spear-two-values.
        """
        full = weapon.row
        iron = weapon.like == "reinforced-fist" and self.options.reinforced_fist_armed
        # A blow without arms does one wound fewer (toaster.4.wounds-unarmed-what).
        unarmed = weapon.unarmed and not iron and not full.get("armed")
        held = replace(weapon, unarmed=unarmed)
        piercing = -abs(whole(full.get("piercing")))
        first = read_row(Arm, full, key=weapon.id, weapon=held, thrown=False, piercing=piercing)
        found = [first]
        if full.get("grip_wc") is not None:
            grip = replace(held, wc=whole(full["grip_wc"]), name=f"{weapon.name}, other grip")
            found.append(replace(first, key=f"{weapon.id}:{GRIP}", weapon=grip))
        if full.get("throwable") and not first.ranged:
            missile = replace(held, wc=whole(full.get("thrown_wc", weapon.wc)), strength=0)
            found.append(replace(first, key=f"{weapon.id}:{THROWN}", weapon=missile, thrown=True))
        return found

    def skills_of(self, one: Arm) -> Words:
        """The skills to attack with it: bare hands by a formal style too, where it was learned.

        toaster.4.attack-roll.
        """
        styled = one.skill == BRAWL and not one.ranged and self.base(MARTIAL_ARTS) > 0
        return (MARTIAL_ARTS, BRAWL) if styled else (one.skill,)

    def class_of(self, one: Arm, distance: Json = "") -> int:
        """The weapon class in this hand and at this distance, before the die.

        Muscle and weapon are averaged, what needs no muscle stands by itself; shot that spreads
        loses with the printed distance, whatever a scope does for the aim. toaster.4.wc-muscle,
        toaster.4.wc-fixed, toaster.4.shotgun.
        """
        spread = one.weapon.spread
        plain = self.weapon_class(one.weapon)
        return max(0, plain + spread * range_penalty(self.table, distance)) if spread else plain

    def weakness(self, one: Weapon) -> Parts:
        """The penalty on every roll with a weapon for too little strength.

        A strong part of Physique counts; what is shot asks for nothing unless the GM wrote it down.
        toaster.4.strreq-penalty, toaster.4.strreq-sub, toaster.4.strreq-ranged.
        """
        lacks = min(0, self.attribute_for("muscle") - one.strength)
        return worth(Part("too heavy", lacks)) if self.options.strength_requirements else ()

    def armed_parts(self, use: Arm, far: Parts = ()) -> Parts:
        """The parts of an attack that come with weapon, distance and shield.

        toaster.4.attack-roll.
        """
        (name, bonus), hampers = self.shield, self.options.shield_attack_penalty
        hampered = Part(f"hampered by {name.casefold()}", -bonus if hampers else 0)
        return (
            *worth(Part(use.name, use.weapon.modifier)),
            *far,
            *self.weakness(use.weapon),
            *worth(hampered),
        )

    @property
    def shield(self) -> tuple[str, int]:
        """The shield's name and its bonus to its own parry, ("", 0) without one.

        It adds nothing to the armor class (toaster.4.shield-bonus, toaster.4.ac-shield-none). It
        hangs on an arm that can still hold it (toaster.4.hitloc-limb).
        """
        found = row(self.table, "shield", self.sheet.get("shield"))
        limp = {*self.useless_limbs} & ({*ARMS} - {self.sword_arm})
        if found is None or limp or "shield" in self.dropped:
            return "", 0
        return str(found["name"]), whole(found.get("bonus"))

    @property
    def has_only_brawl(self) -> bool:
        """Whether the only way to fight here is to brawl: no style, no weapon in the hand.

        toaster.2.skill-martial-plus-2 (A-09).
        """
        held = self.drawn
        armed = any(one.weapon.id in held and one.skill != BRAWL for one in self.arms)
        return not armed and not self.shield[0] and self.base(MARTIAL_ARTS) == 0

    # ------------------------------------------------------------ lengths
    #
    # The distance is shared by two: it is that of the weapon which got through last, and before any
    # did, that of the longer one of those that are drawn.

    def length_penalty(self, other: Armed, use: Arm) -> int:
        """The penalty for the distance between two fighters; the GM may change it.

        toaster.4.length-shift, toaster.4.length-success, toaster.4.length-penalty,
        toaster.4.length-penalty-slight.
        """
        fight: Any = self.table.fight or {}
        found = (fight.get("distances") or {}).get(between(self.id, other.id))
        reach = whole(found["reach"]) if found else max(self._longest, other._longest)
        return penalty_of(abs(use.weapon.length - reach))

    @property
    def _longest(self) -> int:
        drawn = self.drawn
        held = (one.weapon for one in self.arms if not one.ranged)
        return max((one.length for one in held if one.id in drawn), default=0)

    # ------------------------------------------------------------ defenses

    def defenses(self, against: Arm, bare: int | None = None) -> list[Defense]:
        """The ways to defend against an attack, the likeliest first.

        Dodging always will do (toaster.2.skill-dodge-any); Acrobatics never by itself
        (toaster.2.skill-acrobatics-not-dodge). Hand to hand everything drawn parries, shields too
        (toaster.4.defence-h2h); missiles only a shield stops (toaster.4.defence-ranged), and in a
        campaign of martial arts a weapon, at a difficulty (toaster.4.defence-ranged-weapon). Bare
        hands ward off bare hands (toaster.2.skill-brawl-defend-brawl), weapons only where `bare`
        says with which modifier (toaster.4.defence-unarmed-vs-weapon,
        toaster.2.skill-brawl-defend-weapon), missiles never (toaster.2.skill-brawl-never-ranged).
        """
        found = [Defense(DODGE, "Dodge", DODGE)]
        martial, afar = self.options.martial_arts_campaign, against.ranged
        if against.blast:
            return found
        bare = 0 if martial and bare is None else bare
        armed = not against.weapon.unarmed
        parts = worth(Part("bare hands against a weapon", bare or 0)) if armed else ()
        wards = not afar and (not armed or bare is not None)
        if not afar or martial:
            found += self._parries(parts if wards else None, asks=afar)
        name, bonus = self.shield
        if name:
            found.append(Defense("shield", name, SHIELD, (Part(name, bonus),)))
        if not wards:
            return found
        if self.base(MARTIAL_ARTS) > 0:
            found.append(Defense(MARTIAL_ARTS, "Martial Arts", MARTIAL_ARTS, parts))
        return [*found, Defense(BRAWL, "Brawl", BRAWL, parts)]

    def _parries(self, bare: Parts | None, *, asks: bool) -> list[Defense]:
        """The parries; those by an unarmed skill add `bare`, and are left out where it is None."""
        drawn = self.drawn
        found = []
        for one in self.arms:
            held, more = one.weapon, bare if one.skill in UNARMED else ()
            if one.key in drawn and not one.ranged and not held.unarmed and more is not None:
                words = f"Parry with {one.name}"
                parts = (*worth(Part(one.name, held.modifier)), *self.weakness(held), *more)
                found.append(Defense(f"parry:{one.key}", words, one.skill, parts, asks))
        return found

    def likeliest(self, found: Sequence[Defense]) -> Defense:
        """The defense with the best chance: rank and what comes with it; a dodge before equals."""
        if not self.is_known:
            return found[0]
        return max(
            (one for one in found if not one.asks),
            key=lambda one: self.rank(one.skill) + total(one.parts),
        )


# ---------------------------------------------------------------- to pick from


def arm_choices(one: Armed) -> Choices:
    """The weapons to pick from for an attack, with the best skill's rank if it is known."""
    found = ((use, one.skills_of(use)[0]) for use in one.arms)
    return tuple(
        Choice(
            use.key,
            f"{use.name}, {skill_name(one.table, skill)} {one.rank(skill)}",
            f"WC {one.class_of(use)}",
        )
        if one.is_known
        else Choice(use.key, use.name)
        for use, skill in found
    )


def defense_choices(one: Armed, found: Sequence[Defense]) -> Choices:
    """Ways to defend, to pick from, with ranks where they may be seen."""
    return tuple(
        Choice(
            way.key,
            f"{way.name} {one.rank(way.skill)}",
            ", ".join(f"{part.name} {part.value:+d}" for part in way.parts),
        )
        if one.is_known
        else Choice(way.key, way.name)
        for way in found
    )


def range_penalty(table: Table, distance: Json) -> int:
    """The penalty of a distance, 0 or less (toaster.4.range-table)."""
    found = row(table, "range", distance)
    return whole(found.get("penalty")) if found else 0


def range_choices(table: Table) -> Choices:
    """The distances of the table: which is which, the GM says (toaster.4.range-distances)."""
    return tuple(
        Choice(one["key"], f"{one['name']} ({one['penalty']})") for one in rows(table, "range")
    )


def between(one: str, other: str) -> str:
    """The name of two people's distance, whoever of them asks.

    >>> between("b", "a") == between("a", "b")
    True
    """
    return "|".join(sorted((one, other)))


def penalty_of(apart: int) -> int:
    """The penalty for being so far from a weapon's own distance.

    Roughly equal lengths are ignored, as a fist's and a dagger's; the GM may say otherwise.

    >>> [penalty_of(apart) for apart in (0, 1, 2, 3, 6)]
    [0, 0, -1, -2, -2]
    """
    if apart <= 1:
        return 0
    return SLIGHT if apart == 2 else WRONG
