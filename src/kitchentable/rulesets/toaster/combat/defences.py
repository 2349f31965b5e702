"""What may defend against what: dodging, parrying with what is held, shields, bare hands."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rules import Choice, Entity, Part, Table
from kitchentable.rulesets.toaster.book import Choices, Parts
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.arms import (
    BRAWL,
    MARTIAL_ARTS,
    SHIELD,
    Arm,
    arms,
    in_hand,
    shield,
    strength_penalty,
)
from kitchentable.rulesets.toaster.options import Options

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
