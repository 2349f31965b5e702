"""Aid for the dying, the bleeding and the wounded; healing rolls; getting up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Part, noun, plural, whole, worth
from kitchentable.rules.kit import (
    Form,
    Problems,
    Roll,
    Unknown,
    maybe_number,
    number,
    pick,
    roll_of,
    somebody,
    tick,
)
from kitchentable.rulesets.toaster.actions.sides import Own, hampered
from kitchentable.rulesets.toaster.book import BOOK, ROLL_WORDS, Choices, Parts, Row, Words, problem
from kitchentable.rulesets.toaster.character.listing import skill_key, skill_name
from kitchentable.rulesets.toaster.character.skills import skill_choices
from kitchentable.rulesets.toaster.combat.turns import may_act, spend_action
from kitchentable.rulesets.toaster.harm.hurting import ask_check, heal_wound, inflict
from kitchentable.rulesets.toaster.harm.state import (
    FIRST_AID,
    LONG_TERM,
    PRONE,
)
from kitchentable.rulesets.toaster.luck import (
    End,
    LuckyForm,
    LuckyRoll,
    Waiting,
    brought,
    call_four,
)
from kitchentable.rulesets.toaster.mechanics.healing import medical_bonus
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options import ACTION, HEALING
from kitchentable.rulesets.toaster.people import (
    At,
    Here,
    Person,
    in_order,
    person,
    toaster,
)

# ---------------------------------------------------------------- the roll after a week's rest


def heals(outcome: Outcome) -> str:
    """The result of a healing roll, in a word."""
    return "heals" if outcome.succeeds else "worse" if outcome.fumble else "same"


class MendingRoll(LuckyRoll[Outcome]):
    """A roll against 10 by a healing body or a medic; the worst band is the fumble."""

    scope: str
    roll: Roll[..., Outcome]

    def throw(self, at: Here, modifier: int, called: bool) -> Outcome:
        ext, bands, roll = at.options.extended(self.scope), at.options.variable_outcomes, self.roll
        if not bands and not ext.zeros:
            roll = replace(roll, bands=roll.bands[:-1])
        return at.roll(roll(modifier, ext, called, bands), {"roll": at.me})


def healing_parts(one: Person, modifier: int = 0) -> Parts:
    """The parts of a healing roll: Physique, wounds, care, technology.

    toaster.4.heal-week, toaster.4.heal-medical-roll, toaster.4.heal-technology.
    """
    care = one.care
    every = (
        Part(noun(one.wounds, "wound"), -one.wounds),
        Part(care_word(one), whole(care.get("bonus"))),
        Part("facilities", one.options.healing_modifier),
        Part("this time", modifier),
    )
    return (one.health_part, *worth(*every))


def care_word(one: Person) -> str:
    """The name of a character's care."""
    return "long-term care" if one.care.get("kind") == LONG_TERM else "first aid"


def areas(at: Here) -> dict[str, int]:
    """The wounds by area, if several areas are wounded."""
    found: dict[str, int] = at.me.wounds_by_area
    return found if len(found) > 1 else {}


class HealForm(LuckyForm):
    luck = LuckyForm.luck
    called = call_four("Call a 4", HEALING)
    area = pick(
        choices=lambda at: [(area, area.replace("-", " ")) for area in areas(at)],
        when=areas,
        default=lambda at: max(areas(at), key=lambda area: areas(at)[area], default=""),
    )


@toaster.answer("healing", rolls=True)
def heal(at: At[HealForm]) -> None:
    """Make the healing roll; characters who died or healed meanwhile need none."""
    at.me.check_known()
    if at.asked and (at.me.is_dead or not at.me.wounds):
        at.tell_as("no-healing")
        return
    preset = brought(at).get("modifier", 0)
    title = f"Healing roll for {at.me.name}"
    heal_roll.go_on(at, heal_roll.throw_first(at, title, preset=preset, area=at.form.area))


class HealRoll(MendingRoll):
    """A healing roll; luck cannot improve a healed wound."""

    name, rules = "healing_luck", ("toaster.4.heal-week",)
    scope, roll = HEALING, roll_of(task, ROLL_WORDS["healing"], heals)

    def parts(self, at: Here, roll: Any) -> Parts:
        return healing_parts(at.me, roll["preset"])

    def is_best(self, outcome: Outcome) -> bool:
        return outcome.succeeds

    def settle(self, at: Here, waiting: Waiting, outcome: Outcome) -> End:
        """Heal one wound, none, or add one after a fumble; and use up care.

        toaster.4.heal-week, toaster.4.heal-week-example, toaster.4.heal-week-fumble,
        toaster.4.heal-first-aid-once, toaster.4.heal-long-term.
        """
        me, sentence = at.me, "No better this time."
        rules: Words = ()
        with in_order(at):
            resting = max(0, me.rested - me.next_interval)
            me.put(rested=resting, care=care_after(me, succeeds=outcome.succeeds))
            if outcome.succeeds:
                heal_wound(me, waiting.facts["area"])
                left = me.wounds
                sentence = f"A wound heals: {left} left." if left else "The last wound has healed."
            elif outcome.fumble:
                blow = inflict(at, me, wounds=1, cause="fever")
                sentence = f"The wounds fester: {me.wounds} now. {blow.seen}".strip()
                rules = ("toaster.4.heal-week-fumble",)
        if not at.asks and me.wounds and resting >= me.next_interval:
            ask_healing(at, me, waiting.facts["preset"])
        return (sentence, outcome.band, outcome.succeeds, rules)


heal_roll = HealRoll()


def care_after(one: Person, *, succeeds: bool) -> Row | None:
    """The care left after a healing roll; used first aid leaves a mark.

    toaster.4.heal-first-aid-once, toaster.4.heal-long-term.
    """
    care = one.care
    if care.get("kind") == LONG_TERM and succeeds:
        return {**care, "early": 0}
    return {"aided": True} if care.get("kind") == FIRST_AID or care.get("aided") else None


def ask_healing(at: Here, one: Person, modifier: int = 0) -> None:
    """Ask a character for the healing roll at the end of a week's rest."""
    at.ask(heal, of=one, modifier=modifier)


# ---------------------------------------------------------------- aid: whom, and what for

DYING, BLEEDING = "dying", "bleeding"
PURPOSES = {one["value"]: Choice(**one) for one in BOOK.tables["purpose"]}
#: The option that reduces bleeding point by point.
REDUCE = "reduce"


def helps(outcome: Outcome) -> str:
    """The result of a medic's roll, in a word."""
    return "success" if outcome.succeeds else "fumble" if outcome.fumble else "failure"


def purposes(patient: Person) -> Words:
    """The kinds of help that a character needs now; first aid once, until new wounds.

    A pending check comes before help against death (toaster.4.mortality-medical).
    """
    checks = f"mortality-{patient.id}" in patient.table.asks and not patient.rounds_left
    known = (
        (DYING, patient.is_dying and not checks),
        (BLEEDING, patient.bleeds),
        (FIRST_AID, patient.wounds and not patient.care.get("aided")),
        (LONG_TERM, patient.wounds),
    )
    return tuple(purpose for purpose, needed in known if needed)


def patients(at: Here) -> list[Person]:
    """The people whom a medic could help: visible and hurt."""
    return [one for one in at.here() if not one.is_dead and purposes(one)]


def medical_skills(one: Person) -> Choices:
    """The medical skills of this table; all skills if it names none.

    toaster.4.heal-medical-skill.
    """
    names = (name.strip() for name in one.options.medical_skills.split(","))
    keys = [skill_key(one.table, name) for name in names if name]
    if not keys:
        return skill_choices(one.table, one)
    return tuple(_medical_skill(one, key) for key in keys)


def _medical_skill(one: Person, key: str) -> Choice:
    name = skill_name(one.table, key)
    if not one.is_known:
        return Choice(key, name)
    found = one.skill(key)
    return Choice(key, f"{name} {found.rank}", "" if found.base > 0 else "never learned")


def could_be(at: Here) -> Words:
    """The kinds of help that the patient needs; all kinds before a patient is chosen."""
    patient = at.find(MedicalForm.patient.given(at))
    return purposes(patient) if patient else tuple(PURPOSES)


def failed_before(at: Here) -> bool:
    """Whether this medic already failed to stop this bleeding (toaster.4.bleed-stop-retry)."""
    tried = at.form.patient.bleeding.get("tried") or []
    return at.form.aim == BLEEDING and at.actor.entity in tried


class MedicalForm(LuckyForm):
    patient = somebody(among=patients, only=True)
    purpose = pick(choices=lambda at: [PURPOSES[one] for one in could_be(at)], first=True)
    skill = pick(
        choices=lambda at: medical_skills(at.me),
        first=True,
        needs_yes=lambda at: not at.options.medical_skills,
    )
    specialty = Own.specialty
    disabilities = Own.disabilities
    luck = LuckyForm.luck
    called = call_four("Call a 4", ACTION)
    modifier = number()
    bonus = maybe_number(when=lambda at: at.form.aim != BLEEDING)
    early = pick(
        choices=lambda at: (
            ("0", plural(at.options.healing_days, "day") + ", as ever"),
            ("1", "1 day"),
            ("2", "2 days"),
        ),
        when=lambda at: at.form.aim == FIRST_AID,
    )
    again = pick(when=failed_before)

    @property
    def aim(self) -> str:
        """The purpose of the help; by default the first that the patient needs."""
        able = purposes(self.patient)
        if not able:
            raise Unknown(f"{self.patient.name} is not hurt.")
        return self.purpose if self.purpose in able else able[0]

    def problems(self) -> Problems:
        if failed_before(self.at) and self.again == "no":
            yield problem("failed-before", name=self.patient.name)


# ---------------------------------------------------------------- a medic's roll


def medical_parts(at: At[MedicalForm]) -> Parts:
    """The parts of a medic's roll: the skill, the medic's state, the patient's wounds.

    When bleeding is reduced point by point, the patient's wounds do not count, and medics who treat
    themselves take their wound penalty once. toaster.4.heal-medical-roll, toaster.4.bleed-stop,
    toaster.4.bleed-reduce.
    """
    form, me = at.form, at.me
    light = form.aim == BLEEDING and at.options.bleeding_aid == REDUCE
    hurt = 0 if light or form.patient == me else form.patient.wounds
    more = (
        Part(f"{noun(hurt, 'wound')} to treat", -hurt),
        Part("circumstances", form.modifier),
    )
    return (
        me.rank_part(form.skill, form.specialty),
        *hampered(at),
        *me.modifiers(),
        *worth(*more),
    )


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


class MedicalRoll(MendingRoll):
    """A medic's roll."""

    name = "medical_luck"
    rules = ("toaster.4.heal-medical-roll",)
    scope, roll = ACTION, roll_of(task, ROLL_WORDS["medical"], helps)

    def parts(self, at: Here, roll: Any) -> Parts:
        return tuple(Part(name, value) for name, value in roll["parts"])

    def settle(self, at: Here, waiting: Waiting, outcome: Outcome) -> End:
        """Apply the medic's roll to the patient, after the last luck points."""
        roll: Any = waiting.roll
        patient = person(at, roll["patient"])
        bonus = medical_bonus(outcome.succeeds, outcome.total)
        if roll.get("bonus") is not None:
            bonus = roll["bonus"]
            at.say(f"The GM makes it {bonus:+d} for the patient.")
        sentence, *rules = bring(at, patient, outcome, bonus, roll)
        return (sentence, outcome.band, outcome.succeeds, tuple(rules))


medical_roll = MedicalRoll()


def bring(at: Here, patient: Person, outcome: Outcome, bonus: int, roll: Any) -> tuple[str, *Words]:
    """Give the patient the help; return a sentence and its rules."""
    purpose, name, succeeds = roll["purpose"], patient.name, outcome.succeeds
    if purpose == DYING:
        ask_check(at, patient, bonus=bonus, helped=True, healed=succeeds)
        rules = ("toaster.4.mortality-medical", "toaster.4.mortality-medical-amount")
        return f"{name} makes another mortality check at {bonus:+d}.", *rules
    if purpose == BLEEDING:
        rule = stop_bleeding(patient, at.me.id, outcome.total, succeeds=succeeds)
        words = patient.bleeding_words
        return f"{name} still {words}." if words else f"{name} bleeds no more.", rule
    if not succeeds and not bonus:
        return f"It does not help {name}: no bonus.", "toaster.4.heal-medical-fail"
    if whole(patient.care.get("bonus")) > bonus:
        words = f"{name} keeps the {care_word(patient)} of before, which does more."
        return words, "toaster.4.heal-long-term"
    early = roll["early"] if purpose == FIRST_AID and succeeds else patient.care.get("early") or 0
    patient.put(care={**patient.care, "kind": purpose, "bonus": bonus, "early": early})
    soon = f" The first comes after {plural(early, 'day')}." if early else ""
    span, rule = "the next healing roll", "first-aid-once"
    if purpose == LONG_TERM:
        span, rule = "healing rolls until one fails", "long-term"
    return f"{bonus:+d} for {name} on {span}.{soon}", f"toaster.4.heal-{rule}"


def stop_bleeding(one: Person, healer: str, total: int, *, succeeds: bool) -> str:
    """Apply a medic's roll to bleeding, by the table's option; return a sentence.

    All or nothing with "stop"; with "reduce" the total above 10, and the best roll counts
    (toaster.4.bleed-stop, toaster.4.bleed-reduce, toaster.4.bleed-reduce-repeat).
    """
    facts, rate, reduces = one.bleeding, one.full_rate, one.options.bleeding_aid == REDUCE
    tried, stopped = list(facts.get("tried") or []), whole(facts.get("stopped"))
    if succeeds:
        stopped = max(stopped, min(rate, total - 10)) if reduces else rate
    elif not reduces and healer not in tried:
        tried.append(healer)
    one.put(bleeding={**facts, "stopped": stopped, "tried": tried})
    return "toaster.4.bleed-reduce" if reduces else "toaster.4.bleed-stop"


# ---------------------------------------------------------------- getting over a critical hit


def burdens(at: Here, *, by_gm: bool) -> Iterator[Choice]:
    """The effects to end; the GM can also repair a broken weapon and end any effect."""
    for weapon, where in at.me.dropped.items():
        name = at.me.weapon_name(weapon, "the weapon")
        if where != "broken":
            verb = "Pick up" if where == "feet" else "Fetch"
            yield Choice(f"weapon:{weapon}", f"{verb} {name}")
        elif by_gm:
            yield Choice(f"weapon:{weapon}", f"{name} is whole again")
    for one in at.me.effect_rows:
        if one.get("id") == PRONE:
            yield Choice(f"effect:{PRONE}", "Get up from the ground")
        elif by_gm:
            yield Choice(f"effect:{one.get('id')}", f"No longer {one.get('name')}")


def may_recover(at: Here) -> str | None:
    if not any(burdens(at, by_gm=at.is_gm)):
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
    rule = "toaster.4.crit-a" if kind == "weapon" else "toaster.4.crit-b"
    if kind == "weapon":
        me.put(dropped={one: where for one, where in me.dropped.items() if one != name})
    else:
        me.put(effects=[one for one in me.effect_rows if one.get("id") != name])
    if at.form.action:
        spend_action(at)
    at.tell(me.name, f"{words.get(what, 'Gets over it')}.", rules=(rule,))
