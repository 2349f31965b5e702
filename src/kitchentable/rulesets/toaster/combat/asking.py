"""What an attack asks, and of whom: the attacker, the defender's owner, the GM."""

from __future__ import annotations

from kitchentable.rules import (
    Actor,
    Answers,
    Choice,
    Entity,
    Field,
    Problem,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.manoeuvres import manoeuvre_fields
from kitchentable.rulesets.toaster.combat import arms, stances
from kitchentable.rulesets.toaster.combat.arms import Arm
from kitchentable.rulesets.toaster.combat.beside import place
from kitchentable.rulesets.toaster.combat.defences import (
    Defence,
    defence_choices,
    defences,
    likeliest,
)
from kitchentable.rulesets.toaster.combat.reckoning import bare_of, chosen_arm, luck_left
from kitchentable.rulesets.toaster.combat.rulings import gm_fields
from kitchentable.rulesets.toaster.harm.state import is_awake
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import DAMAGE, PROTECTION, may_call

_OWNER = "owner:target"


def attack_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """Every question of an attack, as far as the answers so far lead to it."""
    attacker = lens.whom(table, actor.entity)
    if attacker is None:
        return ()
    target = lens.whom(table, answers.get("target"))
    use = chosen_arm(table, attacker, answers)
    fields = [
        Field(
            "target",
            "Whom?",
            "entity",
            lens.choose(targets(table, actor)),
            default=_likely(table, actor),
            rule="toaster.4.attack-five-steps",
        ),
        *_attackers(table, attacker, use, answers),
    ]
    if target is not None and use is not None:
        ways = defences(table, target, use, bare_of(answers))
        usual = likeliest(table, target, ways)
        picked = next((one for one in ways if one.key == answers.get("defence")), usual)
        fields.append(_defence_field(table, target, use, ways, usual))
        fields += _defenders(table, target, picked)
        fields += gm_fields(table, attacker, target, use, picked)
    return tuple(fields)


def targets(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """Those who can be attacked by somebody."""
    return lens.known(lens.present(table, but=actor.entity), actor)


def _likely(table: Table, actor: Actor) -> str | None:
    """The first of another side who still stands; outside a fight the only one there is."""
    mine = place(table, actor.entity)
    people = [one for one in targets(table, actor) if is_awake(one)]
    if mine is None:
        return people[0].id if len(people) == 1 else None
    for one in people:
        theirs = place(table, one.id)
        if theirs is not None and theirs["side"] != mine["side"] and theirs["status"] != "left":
            return one.id
    return None


# ---------------------------------------------------------------- the attacker's


def _attackers(table: Table, one: Entity, use: Arm | None, answers: Answers) -> list[Field]:
    choices = arms.arm_choices(table, one)
    fields = [
        Field(
            "arm",
            "With",
            "choice",
            choices,
            default=choices[0].value if choices else None,
            rule="toaster.4.attack-roll",
        )
    ]
    if use is None:
        return fields
    skills = arms.skills_of(table, one, use)
    if len(skills) > 1:
        fields.append(_skill_field(table, one, skills))
    skill = str(answers.get("skill") or skills[0])
    fields += _specialty(table, one, skill, "specialty", "Inside a speciality?", "actor")
    fields += manoeuvre_fields(table, skill, "manoeuvre")
    if use.ranged:
        fields.append(_aim_field(one))
    stance = stances.stance_field(
        table, stances.ATTACK, name="stance", label="Stance", set_by="actor"
    )
    fields += [stance] if stance is not None else []
    fields += _luck(table, one, "luck", "Luck points before the attack", "actor")
    if setting(table.options, "luck_on_damage"):
        fields += _luck(table, one, "damage_luck", "Luck points on the damage", "actor")
    fields += _called(table, "called", "Call a 4 on the attack", "actor")
    if not setting(table.options, "wcac_same_die"):
        fields += _called(table, "damage_called", "Call a 4 on the damage", "actor", DAMAGE)
    fields.append(Field("what", "What do you do?", required=False, default="", longest=400))
    return fields


def _skill_field(table: Table, one: Entity, skills: tuple[str, ...]) -> Field:
    shown = lens.numbers_known(one)
    choices = tuple(
        Choice(
            key,
            f"{lens.skill_name(table, key)} {lens.skill_rank(table, one, key)}"
            if shown
            else lens.skill_name(table, key),
        )
        for key in skills
    )
    rule = "toaster.2.skill-martial-plus-2"
    return Field("skill", "By which skill?", "choice", choices, default=skills[0], rule=rule)


def _aim_field(one: Entity) -> Field:
    return Field(
        "aimed",
        "A round of aiming went before",
        "tick",
        default=stances.aimed(one) > 0,
        required=False,
        needs_yes=not stances.aimed(one),
        rule="toaster.4.range-reduction",
    )


def _specialty(
    table: Table, one: Entity, skill: str, name: str, label: str, set_by: str
) -> list[Field]:
    if not setting(table.options, "specialization") or not lens.numbers_known(one):
        return []
    known = lens.find_skill(table, one, skill).specialties
    if not known:
        return []
    choices = (Choice("", "No"), *(Choice(o.name, f"{o.name}, +{o.bonus}") for o in known))
    return [
        Field(
            name,
            label,
            "choice",
            choices,
            default="",
            required=False,
            set_by=set_by,
            needs_yes=True,
            veto_only=True,
            rule="toaster.2.specialty-plus-1",
        )
    ]


def _luck(table: Table, one: Entity, name: str, label: str, set_by: str) -> list[Field]:
    left = luck_left(table, one)
    if not left:
        return []
    return [
        Field(
            name,
            label,
            "number",
            default=0,
            low=0,
            high=left,
            required=False,
            set_by=set_by,
            help=f"+{BEFORE} for each; {left} left.",
            rule="toaster.3.luck-before-plus2",
        )
    ]


def _called(table: Table, name: str, label: str, set_by: str, scope: str = "action") -> list[Field]:
    if not may_call(table.options, scope):
        return []
    rule = "toaster.3.call4-before"
    return [Field(name, label, "tick", default=False, required=False, set_by=set_by, rule=rule)]


# ---------------------------------------------------------------- the defender's


def _defence_field(
    table: Table, target: Entity, use: Arm, ways: tuple[Defence, ...], usual: Defence
) -> Field:
    return Field(
        "defence",
        f"{target.name} defends with",
        "choice",
        defence_choices(table, target, ways),
        default=usual.key,
        set_by=_OWNER,
        rule="toaster.4.defence-ranged" if use.ranged else "toaster.4.defence-h2h",
    )


def _defenders(table: Table, target: Entity, picked: Defence) -> list[Field]:
    fields: list[Field] = []
    name, label = "defence_specialty", f"Inside a speciality of {target.name}?"
    fields += _specialty(table, target, picked.skill, name, label, _OWNER)
    stance = stances.stance_field(
        table,
        stances.DEFENCE,
        name="defence_stance",
        label=f"Stance of {target.name}",
        set_by=_OWNER,
    )
    fields += [stance] if stance is not None else []
    label = f"Luck points of {target.name} before the defence"
    fields += _luck(table, target, "defence_luck", label, _OWNER)
    fields += _called(table, "defence_called", f"{target.name} calls a 4 on the defence", _OWNER)
    label = f"{target.name} calls a 4 on the protection"
    fields += _called(table, "protection_called", label, _OWNER, PROTECTION)
    return fields


# ---------------------------------------------------------------- what is wrong with the answers


def luck_problems(table: Table, attacker: Entity, answers: Answers) -> tuple[Problem, ...]:
    """More luck on attack and damage together than there is (toaster.3.luck-limits)."""
    both = whole(answers.get("luck")) + whole(answers.get("damage_luck"))
    if both <= luck_left(table, attacker):
        return ()
    sentence = f"{attacker.name} has {lens.plural(luck_left(table, attacker), 'luck point')} left."
    return (Problem("luck", "toaster.3.luck-limits", sentence),)
