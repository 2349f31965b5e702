"""Weapons in each use, their lengths, and ways to defend.

One weapon can have several uses: a spear is thrust or thrown (toaster.4.spear-two-values,
toaster.4.wc-muscle-flags).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Json, Part, Table, total, whole, worth
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import Choices, Parts, Words, read_row, row, rows
from kitchentable.rulesets.toaster.character.attributes import BARE, Weapon
from kitchentable.rulesets.toaster.character.listing import MARTIAL_ARTS, skill_name
from kitchentable.rulesets.toaster.harm.state import Wounded

#: Suffixes of a weapon's key when it is thrown, or held in the other grip.
THROWN, GRIP = "thrown", "grip"

#: The skills of bare hands, and the defense that is always possible.
BRAWL, THROW, DODGE = "brawl", "throw", "dodge"
#: The skills that need no weapon.
UNARMED = frozenset({BRAWL, MARTIAL_ARTS})

#: The natural weapons, and the limbs by the keys of their areas.
FIST, KICK = BARE
ARMS, LEGS = ("right-arm", "left-arm"), ("right-leg", "left-leg")

#: The skill of shields, which count as weapons (toaster.4.defence-h2h).
SHIELD = "weapon-skill:Shield"

#: The penalties for the wrong distance, and for a slightly wrong one (toaster.4.length-penalty,
#: toaster.4.length-penalty-slight).
WRONG, SLIGHT = -2, -1


@record
class Arm:
    """A weapon in one of its uses.

    `key` is the weapon's id, with ":thrown" or ":grip" for the other uses. `scope` is the part of a
    range penalty that a scope removes, `piercing` (0 or less) the GM's modifier to protection rolls
    against the weapon. `blast` weapons hit everything near the target.
    """

    key: str
    weapon: Weapon
    thrown: bool = False
    scope: int = 0
    piercing: int = 0
    blast: bool = False

    @property
    def ranged(self) -> bool:
        """Whether it is used from a distance."""
        return self.weapon.ranged or self.thrown

    @property
    def name(self) -> str:
        """The weapon's name in this use."""
        return f"{self.weapon.name}, thrown" if self.thrown else self.weapon.name

    @property
    def skill(self) -> str:
        """The skill of this use: Throw for everything thrown (toaster.4.wc-muscle-flags)."""
        thrown = self.thrown or self.weapon.thrown
        return THROW if thrown else self.weapon.skill or BRAWL


@record
class Defense:
    """A way to defend: its key, words, and the skill rolled.

    `parts` are built-in modifiers, such as a shield's bonus. `asks` means that the GM must set a
    difficulty first.
    """

    key: str
    name: str
    skill: str
    parts: Parts = ()
    asks: bool = False


class Armed(Wounded):
    """A character who can attack and defend."""

    # ------------------------------------------------------------ weapons in use

    @property
    def arms(self) -> list[Arm]:
        """The uses of all weapons that are at hand, without weapons knocked away.

        Weapon classes come from the lists, even where the book's prose differs; a sheet can
        override them. Useless limbs cannot use the weapons that they hold. toaster.4.crit-a,
        toaster.4.hitloc-limb.
        """
        gone, limp = self.dropped, {*self.useless_limbs}
        return [
            use
            for use in self.uses
            if use.weapon.id not in gone and not self._is_limp(use.weapon, limp)
        ]

    @property
    def uses(self) -> list[Arm]:
        """The uses of all weapons, at hand or not."""
        return [use for one in self.weapons for use in self._uses(one)]

    @property
    def sword_arm(self) -> str:
        """The arm that holds the weapon; a shield is on the other one."""
        return str(self.entity.state.get("sword_arm") or ARMS[0])

    def _is_limp(self, one: Weapon, limp: set[str]) -> bool:
        """Whether no limb can use a weapon: a fist needs one arm, a kick both legs."""
        if one.id == FIST:
            return limp >= {*ARMS}
        return bool(limp & ({*LEGS} if one.id == KICK else {self.sword_arm}))

    @property
    def carried(self) -> list[Weapon]:
        """The weapons on the sheet, without those knocked away."""
        return [one for one in self.weapons if one.id not in BARE and one.id not in self.dropped]

    @property
    def drawn(self) -> list[str]:
        """The ids of drawn weapons; by default the first on the sheet.

        Weapons that are only carried neither parry nor set the distance of a fight
        (toaster.4.defence-h2h).
        """
        said: Any = self.entity.state.get("drawn")
        drawn = [self.weapons[0].id] if said is None else said
        return [one.id for one in self.carried if one.id in drawn]

    def _uses(self, weapon: Weapon) -> Iterator[Arm]:
        """The uses of a weapon: held, in its other grip, and thrown.

        toaster.4.wc-bastard-grip, toaster.4.spear-two-values.
        """
        full = weapon.row
        iron = weapon.like == "reinforced-fist" and self.options.reinforced_fist_armed
        # An unarmed hit causes one wound fewer (toaster.4.wounds-unarmed-what).
        unarmed = weapon.unarmed and not iron and not full.get("armed")
        held = replace(weapon, unarmed=unarmed)
        piercing = -abs(whole(full.get("piercing")))
        first = read_row(Arm, full, key=weapon.id, weapon=held, thrown=False, piercing=piercing)
        yield first
        if full.get("grip_wc") is not None:
            grip = replace(held, wc=whole(full["grip_wc"]), name=f"{weapon.name}, other grip")
            yield replace(first, key=f"{weapon.id}:{GRIP}", weapon=grip)
        if full.get("throwable") and not first.ranged:
            missile = replace(held, wc=whole(full.get("thrown_wc", weapon.wc)), strength=0)
            yield replace(first, key=f"{weapon.id}:{THROWN}", weapon=missile, thrown=True)

    def skills_of(self, one: Arm) -> Words:
        """The skills to attack with: for bare hands also a formal style, if learned.

        toaster.4.attack-roll.
        """
        styled = one.skill == BRAWL and not one.ranged and self.base(MARTIAL_ARTS) > 0
        return (MARTIAL_ARTS, BRAWL) if styled else (one.skill,)

    def class_of(self, one: Arm, distance: Json = "") -> int:
        """The weapon class for this character and distance, before the die.

        Muscle and weapon are averaged for muscle-powered weapons, and other weapons keep their own
        class. A spreading shot loses the printed range penalty, regardless of a scope.
        toaster.4.wc-muscle, toaster.4.wc-fixed, toaster.4.shotgun.
        """
        spread = one.weapon.spread
        plain = self.weapon_class(one.weapon)
        return max(0, plain + spread * range_penalty(self.table, distance)) if spread else plain

    def weakness(self, one: Weapon) -> Parts:
        """The penalty on every roll with a weapon for insufficient strength.

        A Physique with a strong part counts in full. Ranged weapons need strength only if the GM
        wrote it down. toaster.4.strreq-penalty, toaster.4.strreq-sub, toaster.4.strreq-ranged.
        """
        lacks = min(0, self.attribute_for("muscle") - one.strength)
        return worth(Part("too heavy", lacks)) if self.options.strength_requirements else ()

    def armed_parts(self, use: Arm, far: Parts = ()) -> Parts:
        """The parts of an attack from weapon, distance and shield.

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
        """The shield's name and its parry bonus, or ("", 0).

        A shield does not change the armor class (toaster.4.shield-bonus, toaster.4.ac-shield-none).
        The arm that holds it must be usable (toaster.4.hitloc-limb).
        """
        found = row(self.table, "shield", self.sheet.get("shield"))
        limp = {*self.useless_limbs} & ({*ARMS} - {self.sword_arm})
        if found is None or limp or "shield" in self.dropped:
            return "", 0
        return str(found["name"]), whole(found.get("bonus"))

    @property
    def has_only_brawl(self) -> bool:
        """Whether the character can only brawl: no style, no drawn weapon, no shield.

        toaster.2.skill-martial-plus-2 (A-09).
        """
        held = self.drawn
        armed = any(one.weapon.id in held and one.skill != BRAWL for one in self.arms)
        return not armed and not self.shield[0] and self.base(MARTIAL_ARTS) == 0

    # ------------------------------------------------------------ lengths
    #
    # Two fighters share one distance: the length of the weapon that hit last, and before any hit,
    # the length of the longer drawn weapon.

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
        """The ways to defend against an attack.

        Dodging is always possible (toaster.2.skill-dodge-any), Acrobatics alone never defends
        (toaster.2.skill-acrobatics-not-dodge). Hand to hand, every drawn weapon parries, and so
        does a shield (toaster.4.defence-h2h). Only a shield stops missiles
        (toaster.4.defence-ranged); in a martial arts campaign a weapon can too, at a difficulty
        (toaster.4.defence-ranged-weapon). Bare hands stop bare hands
        (toaster.2.skill-brawl-defend-brawl), but weapons only with the modifier `bare`
        (toaster.4.defence-unarmed-vs-weapon, toaster.2.skill-brawl-defend-weapon), and missiles
        never (toaster.2.skill-brawl-never-ranged).
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

    def _parries(self, bare: Parts | None, *, asks: bool) -> Iterator[Defense]:
        """The parries. Those by an unarmed skill add `bare`, or are left out for None."""
        drawn = self.drawn
        for one in self.arms:
            held, more = one.weapon, bare if one.skill in UNARMED else ()
            if one.key in drawn and not one.ranged and not held.unarmed and more is not None:
                words = f"Parry with {one.name}"
                parts = (*worth(Part(one.name, held.modifier)), *self.weakness(held), *more)
                yield Defense(f"parry:{one.key}", words, one.skill, parts, asks)

    def likeliest(self, found: Sequence[Defense]) -> Defense:
        """The defense with the best rank and modifiers; a dodge wins ties."""
        if not self.is_known:
            return found[0]
        return max(
            (one for one in found if not one.asks),
            key=lambda one: self.rank(one.skill) + total(one.parts),
        )


# ---------------------------------------------------------------- to pick from


def arm_choices(one: Armed) -> Choices:
    """The weapons to choose from for an attack, with the best skill's rank if known."""
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
    """The ways to defend to choose from, with ranks if known."""
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
    """The penalty of a range, 0 or less (toaster.4.range-table)."""
    found = row(table, "range", distance)
    return whole(found.get("penalty")) if found else 0


def range_choices(table: Table) -> Choices:
    """The ranges of the table; the GM decides which one applies (toaster.4.range-distances)."""
    return tuple(
        Choice(one["key"], f"{one['name']} ({one['penalty']})") for one in rows(table, "range")
    )


def between(one: str, other: str) -> str:
    """The key of two fighters' distance, in either order.

    >>> between("b", "a") == between("a", "b")
    True
    """
    return "|".join(sorted((one, other)))


def penalty_of(apart: int) -> int:
    """The penalty for a distance that differs from a weapon's length.

    Nearly equal lengths do not matter, such as fist and dagger; the GM may rule otherwise.

    >>> [penalty_of(apart) for apart in (0, 1, 2, 3, 6)]
    [0, 0, -1, -2, -2]
    """
    if apart <= 1:
        return 0
    return SLIGHT if apart == 2 else WRONG
