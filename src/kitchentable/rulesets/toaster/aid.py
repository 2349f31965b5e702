"""Aid: for the dying, against bleeding, first aid, care for weeks; getting over a critical hit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Entity, Part, Problem, Table
from kitchentable.rules.kit import (
    Form,
    Problems,
    Unknown,
    maybe_number,
    number,
    pick,
    roll_of,
    somebody,
    tick,
)
from kitchentable.rulesets.toaster.book import ROLL_WORDS, Choices, Parts, Words
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.turns import may_act, spend_action
from kitchentable.rulesets.toaster.harm.dying import is_dying
from kitchentable.rulesets.toaster.harm.healing import FIRST_AID, LONG_TERM
from kitchentable.rulesets.toaster.harm.hurting import mortality_ask
from kitchentable.rulesets.toaster.harm.passing import (
    REDUCE,
    bleeding_words,
    bleeds,
    has_tried,
    stops,
)
from kitchentable.rulesets.toaster.harm.places import PRONE
from kitchentable.rulesets.toaster.harm.rolls import End, LuckyForm, LuckyRoll
from kitchentable.rulesets.toaster.harm.state import dropped, record, wounds
from kitchentable.rulesets.toaster.luck import Waiting, call_four
from kitchentable.rulesets.toaster.mechanics.healing import medical_bonus
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options import ACTION, Options
from kitchentable.rulesets.toaster.people import At, Here, Person, present, toaster

DYING, BLEEDING = "dying", "bleeding"
PURPOSES = {
    DYING: Choice(DYING, "Help somebody who is dying", "A second mortality check"),
    BLEEDING: Choice(BLEEDING, "Stop the bleeding"),
    FIRST_AID: Choice(FIRST_AID, "First aid", "Counts for the first healing roll"),
    LONG_TERM: Choice(LONG_TERM, "Long-term care", "Counts until a healing roll fails"),
}


def helps(outcome: Outcome) -> str:
    """What a medic's roll comes to, in a word."""
    return "success" if outcome.succeeds else "fumble" if outcome.fumble else "failure"


#: A medic's roll where there are fumbles, and where there are none.
FUMBLING = roll_of(task, ROLL_WORDS["medical"], helps)
HELPING = replace(FUMBLING, bands=FUMBLING.bands[:2])


# ---------------------------------------------------------------- whom, what for, with what


def purposes(table: Table, patient: Entity) -> Words:
    """What somebody could be helped with as things stand."""
    found = [DYING] if is_dying(patient) else []
    if bleeds(table, patient):
        found.append(BLEEDING)
    return (*found, FIRST_AID, LONG_TERM) if wounds(patient) else tuple(found)


def patients(at: Here) -> list[Person]:
    """Those whom somebody could help: known to them, and hurt."""
    known = (one for one in present(at) if at.is_gm or not one.hidden)
    return [one for one in known if purposes(at.table, one.entity)]


def skill_choices(table: Table, entity: Entity | None) -> Choices:
    """The medical skills of this table; all skills while it has named none.

    toaster.4.heal-medical-skill.
    """
    names = [name.strip() for name in Options(table.options).medical_skills.split(",")]
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


def could_be(at: Here) -> Words:
    """What the patient could be helped with; everything while nobody is picked."""
    patient = at.find(MedicalForm.patient.given(at))
    return purposes(at.table, patient.entity) if patient else tuple(PURPOSES)


def failed_before(at: Here) -> bool:
    """Whether this medic has failed at this bleeding already (toaster.4.bleed-stop-retry)."""
    form = at.form
    return form.aim == BLEEDING and has_tried(form.patient.entity, at.actor.entity)


class MedicalForm(LuckyForm):
    patient = somebody(among=patients, only=True)
    purpose = pick(choices=lambda at: [PURPOSES[one] for one in could_be(at)], first=True)
    skill = pick(
        choices=lambda at: skill_choices(at.table, at.me.entity),
        first=True,
        needs_yes=lambda at: not at.options.medical_skills,
    )
    luck = LuckyForm.luck
    called = call_four("Call a 4", ACTION)
    modifier = number()
    bonus = maybe_number(when=lambda at: at.form.aim != BLEEDING)
    early = pick(
        choices=lambda at: (
            ("0", lens.plural(at.options.healing_days, "day") + ", as ever"),
            ("1", "1 day"),
            ("2", "2 days"),
        ),
        when=lambda at: at.form.aim == FIRST_AID,
    )
    again = pick(when=failed_before)

    @property
    def aim(self) -> str:
        """What the help is for; the first thing that can be done where nothing fitting was said."""
        able = purposes(self.at.table, self.patient.entity)
        if not able:
            raise Unknown(f"{self.patient.name} is not hurt.")
        return self.purpose if self.purpose in able else able[0]

    def problems(self) -> Problems:
        reason, patient = may_act(self.at), self.patient
        if reason:
            yield Problem("", "toaster.4.actions-two", reason)
        elif not purposes(self.at.table, patient.entity):
            words = f"{patient.name} is not hurt."
            yield Problem("patient", "toaster.4.heal-medical-roll", words)
        elif failed_before(self.at) and self.again == "no":
            words = f"That did not help {patient.name} before; it takes other hands or other means."
            yield Problem("again", "toaster.4.bleed-stop-retry", words)


# ---------------------------------------------------------------- the roll


def medical_parts(at: At[MedicalForm]) -> Parts:
    """What is added to a medic's die: the skill, the medic's own state, the patient's wounds.

    Against bleeding that is stopped point by point the patient's wounds do not count.
    toaster.4.heal-medical-roll, toaster.4.bleed-stop, toaster.4.bleed-reduce.
    """
    form, me = at.form, at.me
    light = form.aim == BLEEDING and at.options.bleeding_aid == REDUCE
    hurt = 0 if light else form.patient.wounds
    parts = [
        Part(lens.skill_name(at.table, form.skill), me.rank(form.skill)),
        *me.modifiers(),
    ]
    if hurt:
        parts.append(Part(f"{'wound' if hurt == 1 else 'wounds'} to treat", -hurt))
    if form.modifier:
        parts.append(Part("circumstances", form.modifier))
    return tuple(parts)


@toaster.move(
    "medical", when=lambda at: may_act(at) if patients(at) else "Nobody is hurt.", rolls=True
)
def medical(at: At[MedicalForm]) -> None:
    form, me, patient = at.form, at.me, at.form.patient
    me.check_known()
    patient.check_known()
    parts = [[one.name, one.value] for one in medical_parts(at)]
    waiting = medical_roll.throw_first(
        at, f"{PURPOSES[form.aim].label}: {patient.name}", {"parts": parts},
        patient=patient.id, purpose=form.aim, skill=form.skill,
        early=int(form.early), bonus=form.bonus,
    )  # fmt: skip
    me.note_use(f"skill:{form.skill}")
    spend_action(at)
    medical_roll.go_on(at, waiting)


def throw(at: Here, modifier: int, called: bool) -> Outcome:
    """The medic's die, or a 4 that is called."""
    ext, bands = at.options.extended(ACTION), at.options.variable_outcomes
    roll = FUMBLING if bands or ext.zeros else HELPING
    return at.roll(roll(modifier, ext, called, bands), {"roll": at.me})


def settle(at: Here, waiting: Waiting, outcome: Outcome) -> End:
    """What the medic's roll brings the patient, once luck has spoken."""
    roll: Any = waiting.roll
    patient = at.find(roll["patient"])
    if patient is None:
        raise Unknown("The patient is no longer at the table.")
    bonus = medical_bonus(outcome.succeeds, outcome.total)
    if roll.get("bonus") is not None:
        bonus = roll["bonus"]
        at.say(f"The GM makes it {bonus:+d} for the patient.")
    sentence, *rules = bring(at, patient, outcome, bonus, roll)
    return (sentence, outcome.band, outcome.succeeds, tuple(rules))


medical_roll = LuckyRoll(
    "medical_luck",
    "Luck on medical help",
    "toaster.4.heal-medical-roll",
    throw=throw,
    parts=lambda at, roll: [Part(name, value) for name, value in roll["parts"]],
    settle=settle,
)


def bring(at: Here, patient: Person, outcome: Outcome, bonus: int, roll: Any) -> tuple[str, *Words]:
    """What the help brings: a sentence, and the rules that say so."""
    purpose, name, succeeds = roll["purpose"], patient.name, outcome.succeeds
    if purpose == DYING:
        at.asks.append(mortality_ask(patient.entity, bonus=bonus, helped=True, healed=succeeds))
        rules = ("toaster.4.mortality-medical", "toaster.4.mortality-medical-amount")
        return f"{name} makes another mortality check at {bonus:+d}.", *rules
    if purpose == BLEEDING:
        total, entity = outcome.total, patient.entity
        patient.become(stops(at.table, entity, at.me.id, total, succeeds=succeeds))
        words = bleeding_words(at.table, patient.now)
        rule = "reduce" if at.options.bleeding_aid == REDUCE else "stop"
        sentence = f"{name} still {words}." if words else f"{name} bleeds no more."
        return sentence, f"toaster.4.bleed-{rule}"
    if not succeeds and not bonus:
        return f"It does not help {name}: no bonus.", "toaster.4.heal-medical-fail"
    early = roll["early"] if purpose == FIRST_AID and succeeds else 0
    care = {**record(patient.entity, "care"), "kind": purpose, "bonus": bonus, "early": early}
    patient.put(care=care)
    soon = f" The first comes after {lens.plural(early, 'day')}." if early else ""
    span, rule = "the next healing roll", "first-aid-once"
    if purpose == LONG_TERM:
        span, rule = "healing rolls until one fails", "long-term"
    return f"{bonus:+d} for {name} on {span}.{soon}", f"toaster.4.heal-{rule}"


# ---------------------------------------------------------------- getting over a critical hit


def burdens(at: Here, *, by_gm: bool) -> Choices:
    """What somebody can get over; the GM can also mend what is broken and end an effect."""
    found = []
    for weapon, where in dropped(at.me.entity).items():
        held = lens.weapon(at.table, at.me.entity, weapon)
        name = held.name if held else "the weapon"
        if where != "broken":
            verb = "Pick up" if where == "feet" else "Fetch"
            found.append(Choice(f"weapon:{weapon}", f"{verb} {name}"))
        elif by_gm:
            found.append(Choice(f"weapon:{weapon}", f"{name} is whole again"))
    for one in at.me.effects:
        if one.get("id") == PRONE:
            found.append(Choice(f"effect:{PRONE}", "Get up from the ground"))
        elif by_gm:
            found.append(Choice(f"effect:{one.get('id')}", f"No longer {one.get('name')}"))
    return tuple(found)


def may_recover(at: Here) -> str | None:
    if not burdens(at, by_gm=at.is_gm):
        return f"{at.me.name} has nothing to get over."
    return None if at.is_gm else may_act(at)


class RecoverForm(Form):
    what = pick(choices=lambda at: burdens(at, by_gm=at.is_gm), first=True)
    action = tick(
        when=lambda at: at.is_gm,
        default=lambda at: not at.is_gm or (at.table.fight is not None and may_act(at) is None),
    )


@toaster.move("recover", when=may_recover)
def recover(at: At[RecoverForm]) -> None:
    me, what = at.me, at.form.what
    kind, _, name = what.partition(":")
    words = {one.value: one.label for one in burdens(at, by_gm=True)}
    if kind == "weapon":
        me.put(dropped={one: where for one, where in dropped(me.entity).items() if one != name})
    else:
        me.put(effects=[one for one in me.effects if one.get("id") != name])
    if at.form.action:
        spend_action(at)
    rule = "toaster.4.crit-a" if kind == "weapon" else "toaster.4.crit-b"
    at.tell(me.name, f"{words.get(what, 'Gets over it')}.", rules=(rule,))
