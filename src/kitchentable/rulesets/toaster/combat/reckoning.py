"""An attack reckoned up: everything that is added to its rolls, by name, and the numbers of a roll.

What people have agreed on comes in as answers; out come the parts of both totals and the arguments
of the mechanics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Answers,
    Entity,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE, points
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.manoeuvres import manoeuvre_parts
from kitchentable.rulesets.toaster.combat import arms, lengths, stances
from kitchentable.rulesets.toaster.combat.arms import Arm
from kitchentable.rulesets.toaster.combat.defences import DODGE, Defence, find_defence, rank
from kitchentable.rulesets.toaster.combat.ways import rules_by, ways_by
from kitchentable.rulesets.toaster.harm.places import (
    areas,
    body,
    critical_cells,
    location_cells,
    place_named,
    with_coin,
)
from kitchentable.rulesets.toaster.harm.state import is_awake, modifiers
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.tables import Locations, read_locations
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, Rules
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import rows

#: Whether a defence is rolled: as ever; not, and the skill still has to be beaten; nothing at all.
ROLLS, GATE, OPEN = "rolls", "gate", "open"

#: What a formal style adds against somebody who can only brawl (toaster.2.skill-martial-plus-2).
STYLE_BONUS = 2


@dataclass(frozen=True, slots=True)
class Case:
    """An attack as people have agreed on it: who, whom, with what, against which defence."""

    attacker: Entity
    target: Entity
    arm: Arm
    skill: str
    defence: Defence
    ward: str
    answers: Answers

    @property
    def ranged(self) -> bool:
        """Whether it strikes from afar."""
        return self.arm.ranged

    @property
    def key_of_place(self) -> str:
        """The place that the GM has named, "Left Arm: Hand"; "" where the dice say."""
        return str(self.answers.get("area") or "")


def read_case(table: Table, attacker: Entity | None, answers: Answers) -> Case | None:
    """The attack that these answers describe; None while somebody or the weapon is missing."""
    target = lens.whom(table, answers.get("target"))
    if attacker is None or target is None:
        return None
    use = chosen_arm(table, attacker, answers)
    if use is None:
        return None
    skills = arms.skills_of(table, attacker, use)
    skill = str(answers.get("skill") or "")
    defence = find_defence(table, target, use, answers.get("defence"), bare_of(answers))
    return Case(
        attacker,
        target,
        use,
        skill if skill in skills else skills[0],
        defence,
        ward(table, target, answers),
        answers,
    )


def chosen_arm(table: Table, attacker: Entity, answers: Answers) -> Arm | None:
    """The weapon that was picked, else the first at hand."""
    picked = arms.arm(table, attacker, answers.get("arm"))
    if picked is not None or answers.get("arm"):
        return picked
    here = arms.arms(table, attacker)
    return here[0] if here else None


def bare_of(answers: Answers) -> int | None:
    """The modifier at which the GM lets bare hands ward off a weapon; None for not at all."""
    found = answers.get("bare")
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def usual_ward(table: Table, target: Entity) -> str:
    """Whether this one can defend at all, as things stand.

    toaster.4.stance-3, toaster.4.defence-cost, toaster.4.attack-h2h-gate-number (A-37).
    """
    if not is_awake(target):
        return OPEN
    if stances.gives_up(target, stances.DEFENCE) or no_action_left(table, target):
        return GATE
    return ROLLS


def no_action_left(table: Table, target: Entity) -> bool:
    """Whether a defence counts as an action here and none is left (toaster.4.defence-cost)."""
    if not setting(table.options, "defence_uses_action") or table.fight is None:
        return False
    mine: Any = table.fight["fighters"].get(target.id)
    if mine is None:
        return False
    return whole(mine["left"]) <= 0


def ward(table: Table, target: Entity, answers: Answers) -> str:
    """Whether a defence is rolled here: what the GM has said, or what usually holds."""
    if answers.get("blast") == "unavoidable":
        return OPEN
    said = answers.get("ward")
    return str(said) if said in {ROLLS, GATE, OPEN} else usual_ward(table, target)


# ---------------------------------------------------------------- what is added to the rolls


def attack_parts(table: Table, case: Case) -> tuple[Part, ...]:
    """Everything that is added to the attack's die, by name (toaster.4.attack-roll)."""
    one, use, answers = case.attacker, case.arm, case.answers
    specialty = str(answers.get("specialty") or "")
    found = [_skill(table, one, case.skill, specialty)]
    if use.weapon.modifier:
        found.append(Part(use.name, use.weapon.modifier))
    if use.ranged:
        found += _range(table, case)
    weak = arms.strength_penalty(table, one, use.weapon)
    if weak:
        found.append(Part("too heavy", weak))
    name, bonus = arms.shield(table, one)
    if bonus and setting(table.options, "shield_attack_penalty"):
        found.append(Part(f"hampered by {name.casefold()}", -bonus))
    if lengths.matters(table, use):
        apart = _length(table, case)
        if apart:
            found.append(Part("wrong distance", apart))
    if case.skill == arms.MARTIAL_ARTS and arms.has_only_brawl(table, case.target):
        found.append(Part("style against brawling", STYLE_BONUS))
    return (
        *found,
        *manoeuvre_parts(table, case.skill, answers, "manoeuvre"),
        *modifiers(table, one, "attack"),
        *_stance(table, one, stances.ATTACK, answers.get("stance")),
        *_luck(answers.get("luck")),
        *said(answers, "attack"),
    )


def defence_parts(table: Table, case: Case) -> tuple[Part, ...]:
    """Everything that is added to the defence's die, by name.

    toaster.4.defence-h2h, toaster.4.shield-bonus-only-shield.
    """
    one, answers = case.target, case.answers
    specialty = str(answers.get("defence_specialty") or "")
    found = [_skill(table, one, case.defence.skill, specialty), *case.defence.parts]
    difficulty = whole(answers.get("missile_parry")) if case.defence.asks else 0
    if difficulty:
        found.append(Part("against a missile", difficulty))
    brawls = case.skill == arms.BRAWL and arms.has_only_brawl(table, case.attacker)
    if brawls and case.defence.skill == arms.MARTIAL_ARTS:
        found.append(Part("style against brawling", STYLE_BONUS))
    return (
        *found,
        *modifiers(table, one, "defence"),
        *_stance(table, one, stances.DEFENCE, answers.get("defence_stance")),
        *_luck(answers.get("defence_luck")),
        *said(answers, "defence"),
    )


def _skill(table: Table, one: Entity, skill: str, specialty: str) -> Part:
    name = lens.skill_name(table, skill)
    held = lens.skill_rank(table, one, skill, specialty=specialty)
    return Part(f"{name} ({specialty})" if specialty else name, held)


def _range(table: Table, case: Case) -> list[Part]:
    """The distance, and what scope and aim take off its penalty; never better than none.

    toaster.4.range-table, toaster.4.range-reduction.
    """
    penalty = arms.range_penalty(table, case.answers.get("distance"))
    if not penalty:
        return []
    name = next(
        (str(o["name"]) for o in rows(table, "range") if o["key"] == case.answers["distance"]), ""
    )
    found = [Part(f"{name.casefold()} range", penalty)]
    rounds = max(1, stances.aimed(case.attacker)) if case.answers.get("aimed") else 0
    for words, taken_off in (
        ("scope", case.arm.scope),
        ("aim", rounds * whole(setting(table.options, "aim_bonus"))),
    ):
        used = min(taken_off, -penalty)
        if used > 0:
            found.append(Part(words, used))
            penalty += used
    return found


def _length(table: Table, case: Case) -> int:
    picked = case.answers.get("length")
    if isinstance(picked, str) and picked:
        return int(picked)
    return lengths.length_penalty(table, case.attacker, case.target, case.arm)


def _stance(table: Table, one: Entity, kind: str, picked: Json) -> tuple[Part, ...]:
    if not setting(table.options, "stance"):
        return stances.carried(one, kind)
    put = stances.amount(picked)
    name = "offensive stance" if kind == stances.ATTACK else "defensive stance"
    mine = (Part(name, put),) if put else ()
    return (*mine, *stances.all_out_part(one, kind), *stances.carried(one, kind))


def _luck(spent: Json) -> tuple[Part, ...]:
    return (Part("luck", BEFORE * whole(spent)),) if whole(spent) else ()


def said(answers: Answers, on: str) -> tuple[Part, ...]:
    """The GM's own modifiers to one of the four rolls, with their reasons."""
    rows_: Any = answers.get("modifiers") or []
    return tuple(
        Part(str(one.get("why") or "by the GM"), whole(one.get("value")))
        for one in rows_
        if isinstance(one, Mapping) and (one.get("on") or "attack") == on and whole(one["value"])
    )


def total(parts: tuple[Part, ...]) -> int:
    """What all parts come to."""
    return sum(part.value for part in parts)


# ---------------------------------------------------------------- the arguments of the mechanics


def attacker_of(table: Table, case: Case) -> Attacker:
    """The attacker's numbers; the gate is 10 from afar, else the rank of the defence.

    toaster.4.attack-ranged-gate, toaster.4.attack-h2h-gate, toaster.4.attack-h2h-gate-number.
    """
    called = bool(case.answers.get("called"))
    modifier = total(attack_parts(table, case))
    if case.ranged:
        return Attacker(modifier, TARGET, reaches=True, called=called)
    specialty = str(case.answers.get("defence_specialty") or "")
    gate = 0 if case.ward == OPEN else rank(table, case.target, case.defence, specialty)
    return Attacker(modifier, gate, called=called)


def defender_of(table: Table, case: Case) -> Defender:
    """The defender's numbers."""
    if case.ward != ROLLS:
        return Defender(rolls=False)
    called = bool(case.answers.get("defence_called"))
    return Defender(total(defence_parts(table, case)), called=called)


def classes_of(table: Table, case: Case) -> Classes:
    """What stands against what after a hit: classes, places, thresholds.

    Whatever else protects, a force field or a charm, stands on the sheet as armour; its number is
    the GM's (toaster.4.ac-custom-protection, toaster.4.ac-example-vest). toaster.4.partial-ac,
    toaster.4.protection-modified, toaster.4.ac-formula.
    """
    one, answers = case.target, case.answers
    partial = bool(setting(table.options, "partial_armor"))
    wc = arms.weapon_class(table, case.attacker, case.arm, answers.get("distance"))
    return Classes(
        wc + total(said(answers, "damage")) + BEFORE * whole(answers.get("damage_luck")),
        lens.armour_class(table, one),
        lens.armour_class(table, one, body_only=True),
        tuple((area, lens.armour_class(table, one, area)) for area in areas(table, one))
        if partial
        else (),
        place_named(case.key_of_place)[0],
        case.arm.piercing + total(said(answers, "protection")),
        whole(answers.get("critical_bonus")),
        lens.thresholds(table, one)[1],
        case.arm.weapon.unarmed,
        bool(answers.get("damage_called")),
        bool(answers.get("protection_called")),
    )


def cells_of(table: Table, entity: Entity) -> Locations:
    """The sixty cells of somebody's body, where hits have a place or armour covers only parts.

    toaster.4.partial-switch, toaster.4.hitloc-humanoid.
    """
    if setting(table.options, "partial_armor"):
        return read_locations(rows(table, "locations"), body(entity))
    return location_cells(table, entity)


def rules_of(table: Table) -> Rules:
    """The optional rules for attack and defence."""
    return rules_by(table.options)


def ways_of(table: Table, target: Entity) -> Ways:
    """The optional rules for damage (toaster.4.opt-wcac-integrate, toaster.4.partial-switch)."""
    asked = setting(table.options, "wcac_critical_table") or setting(
        table.options, "critical_fumble_table"
    )
    criticals = critical_cells(table) if asked else ()
    return ways_by(table.options, criticals, cells_of(table, target), coin=with_coin(table))


def luck_spent(case: Case, entity: Entity) -> int:
    """The luck points that somebody has put on this attack beforehand."""
    names = ("luck", "damage_luck") if entity.id == case.attacker.id else ("defence_luck",)
    return sum(whole(case.answers.get(name)) for name in names)


def luck_left(table: Table, entity: Entity) -> int:
    """The luck points that somebody could put on it."""
    return points(table, entity)


__all__ = [
    "DODGE",
    "GATE",
    "OPEN",
    "ROLLS",
    "Case",
    "attack_parts",
    "attacker_of",
    "bare_of",
    "chosen_arm",
    "classes_of",
    "defence_parts",
    "defender_of",
    "luck_left",
    "luck_spent",
    "no_action_left",
    "read_case",
    "rules_of",
    "said",
    "total",
    "usual_ward",
    "ward",
    "ways_of",
]
