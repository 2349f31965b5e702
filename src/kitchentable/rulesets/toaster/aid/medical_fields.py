"""Medical attention as a form: whom it is for, with which skill, what for, and the GM's part."""

from __future__ import annotations

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Choice,
    Entity,
    Field,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.bleeding import bleeds, has_tried
from kitchentable.rulesets.toaster.harm.dying import is_dying
from kitchentable.rulesets.toaster.harm.healing import FIRST_AID, LONG_TERM
from kitchentable.rulesets.toaster.harm.rolls import call_field, early_luck
from kitchentable.rulesets.toaster.harm.state import wounds
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import ACTION

DYING, BLEEDING = "dying", "bleeding"

PURPOSES = {
    DYING: Choice(DYING, "Help somebody who is dying", "A second mortality check"),
    BLEEDING: Choice(BLEEDING, "Stop the bleeding"),
    FIRST_AID: Choice(FIRST_AID, "First aid", "Counts for the first healing roll"),
    LONG_TERM: Choice(LONG_TERM, "Long-term care", "Counts until a healing roll fails"),
}


def purposes(table: Table, patient: Entity) -> tuple[str, ...]:
    """What somebody could be helped with as things stand."""
    found = [DYING] if is_dying(patient) else []
    if bleeds(table, patient):
        found.append(BLEEDING)
    return (*found, FIRST_AID, LONG_TERM) if wounds(patient) else tuple(found)


def patients(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """Those whom somebody could help: known to them, and hurt."""
    people = lens.known(lens.present(table), actor)
    return tuple(one for one in people if purposes(table, one))


def skill_choices(table: Table, entity: Entity | None) -> tuple[Choice, ...]:
    """The medical skills of this table; all skills while it has named none.

    toaster.4.heal-medical-skill.
    """
    names = [name.strip() for name in str(setting(table.options, "medical_skills")).split(",")]
    keys = [lens.skill_key(table, name) for name in names if name]
    if not keys:
        return lens.skill_choices(table, entity)
    return tuple(_choice(table, entity, key) for key in keys)


def _choice(table: Table, entity: Entity | None, key: str) -> Choice:
    name = lens.skill_name(table, key)
    if entity is None or not lens.numbers_known(entity):
        return Choice(key, name)
    found = lens.find_skill(table, entity, key)
    return Choice(key, f"{name} {found.rank}", "" if found.trained else "never learned")


def patient_of(table: Table, actor: Actor, answers: Answers) -> Entity | None:
    """The patient that was picked, or the only one there is."""
    picked = lens.whom(table, answers.get("patient"))
    people = patients(table, actor)
    return picked or (people[0] if len(people) == 1 else None)


def purpose_of(table: Table, patient: Entity | None, answers: Answers) -> str:
    """What the help is for; the first thing that can be done where nothing fitting was said."""
    able = purposes(table, patient) if patient is not None else ()
    asked = str(answers.get("purpose") or "")
    return asked if asked in able else (able[0] if able else "")


def medical_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """The whole form: the medic's questions, then the GM's."""
    entity = lens.whom(table, actor.entity)
    people = patients(table, actor)
    patient = patient_of(table, actor, answers)
    only = people[0].id if len(people) == 1 else None
    able = purposes(table, patient) if patient is not None else tuple(PURPOSES)
    purpose = purpose_of(table, patient, answers)
    skills = skill_choices(table, entity)
    return (
        Field("patient", "Whom?", "entity", lens.choose(people), default=only),
        Field(
            "purpose",
            "What for?",
            "choice",
            tuple(PURPOSES[one] for one in able),
            default=able[0] if able else None,
            rule="toaster.4.heal-medical-roll",
        ),
        Field(
            "skill",
            "With which skill?",
            "choice",
            skills,
            default=skills[0].value if skills else None,
            needs_yes=not setting(table.options, "medical_skills"),
            rule="toaster.4.heal-medical-skill",
        ),
        *early_luck(table, entity),
        *call_field(table, ACTION),
        *_gm_fields(table, entity, patient, purpose),
    )


def _gm_fields(
    table: Table, healer: Entity | None, patient: Entity | None, purpose: str
) -> tuple[Field, ...]:
    found = [
        Field(
            "modifier",
            "Modifier",
            "number",
            default=0,
            low=-20,
            high=20,
            set_by=GM,
            help="Circumstances and equipment.",
            rule="toaster.4.heal-technology",
        )
    ]
    if purpose not in {"", BLEEDING}:
        found.append(
            Field(
                "bonus",
                "Bonus to the patient's roll",
                "number",
                required=False,
                low=-9,
                high=20,
                set_by=GM,
                help="Left empty: what a success has over 10.",
                rule="toaster.4.mortality-medical-amount",
            )
        )
    if purpose == FIRST_AID:
        found.append(_early_field(table))
    tried = healer is not None and patient is not None and has_tried(patient, healer.id)
    if purpose == BLEEDING and tried:
        found.append(
            Field(
                "again",
                "That has failed once. May they try again?",
                "choice",
                (Choice("yes", "Yes, once more"), Choice("no", "No, not this way")),
                set_by=GM,
                rule="toaster.4.bleed-stop-retry",
            )
        )
    return tuple(found)


def _early_field(table: Table) -> Field:
    usual = whole(setting(table.options, "healing_days"))
    return Field(
        "early",
        "The first healing roll comes after",
        "choice",
        (
            Choice("0", lens.plural(usual, "day") + ", as ever"),
            Choice("1", "1 day"),
            Choice("2", "2 days"),
        ),
        default="0",
        set_by=GM,
        help="Sooner, where help came promptly and did help.",
        rule="toaster.4.heal-first-aid-early",
    )
