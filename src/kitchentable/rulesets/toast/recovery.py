"""First aid, healing over days, and wounds without an attack."""

from __future__ import annotations

from kitchentable.rules import plural
from kitchentable.rules.kit import (
    Action,
    Form,
    Problems,
    may_act,
    needs,
    number,
    somebody,
    spend,
    text,
    tick,
)
from kitchentable.rulesets.toast.attacks import wound, wounds_of
from kitchentable.rulesets.toast.options import problem
from kitchentable.rulesets.toast.people import (
    AWAKE,
    UNCONSCIOUS,
    At,
    Here,
    Person,
    toast,
)


def patients(at: Here) -> list[Person]:
    return [one for one in at.others() if one.condition == UNCONSCIOUS]


def takes_action(at: Here) -> bool:
    return at.fight is not None and at.options.first_aid_action


class AidForm(Action):
    patient = somebody(among=patients, only=True)
    ends_turn = Action.ends_turn.having(
        when=lambda at: takes_action(at) and at.fight.left(at.me) > 0
    )


@toast.move(
    "first_aid",
    when=(
        lambda at: None if at.me.is_awake else f"{at.me.name} is not conscious.",
        needs(patients, "Nobody lies unconscious."),
        lambda at: may_act(at) if takes_action(at) else None,
    ),
)
def first_aid(at: At[AidForm]) -> None:
    """Wake the patient without healing wounds; the GM decides whether they rejoin the fight."""
    patient = at.form.patient
    if takes_action(at):
        spend(at)
    patient.condition = AWAKE
    if at.fight and at.fight.place(patient):
        at.ask(rejoin, of=patient)
    left = wounds_of(at, patient, "The wounds stay", patient.wounds)
    at.tell_as("aid", of=(at.me, patient), name=patient.name, wounds=left)


class RejoinForm(Form):
    rejoins = tick()


@toast.answer("rejoin")
def rejoin(at: At[RejoinForm]) -> None:
    """Put an awake character back into the fight, which may be another one by now."""
    mine = at.fight.place(at.me) if at.fight and at.form.rejoins and at.me.is_awake else None
    if mine and not at.fight.is_in(at.me):
        mine["status"] = "joins"
    at.tell_as("rejoins" if mine else "sits-out")


class DayForm(Form):
    days = number()


@toast.move("day", when=lambda at: "A fight is on." if at.fight else None)
def day(at: At[DayForm]) -> None:
    """Heal one wound of every living character for each day; nobody wakes up."""
    days, now = at.form.days, at.table.day + at.form.days
    for one in at.present():
        if one.wounds:
            one.wounds = left = max(0, one.wounds - days)
            words = f"{plural(left, 'wound')} left" if left else "no wounds left"
            still = ", still unconscious" if one.condition == UNCONSCIOUS else ""
            at.say(f"{one.name}: {words}{still}.", one.number_audience)
    at.write(("day",), now)
    at.tell_as("day" if days == 1 else "days", of=(), days=days, now=now)


class HurtForm(Form):
    who = somebody(among=At.present)
    wounds = number(default=1, low=-20, high=20)
    cause = text()

    def problems(self) -> Problems:
        if not self.wounds:
            yield problem("no-wounds")


@toast.move("hurt", when=needs(At.present, "Nobody is there to be hurt."))
def hurt(at: At[HurtForm]) -> None:
    """Change wounds by the GM's ruling, up to the capacity or down."""
    who, cause, count = at.form.who, at.form.cause, at.form.wounds
    at.say("By the GM's ruling.")
    if count < 0:
        who.wounds = max(0, who.wounds + count)
        left = wounds_of(at, who, "Fewer wounds", f"{who.wounds} of {who.capacity}")
        healed = ("toast.7.3-hit-wound",)
        at.tell(f"{who.name} is better: {cause}", left, "", "good", healed, of=(who,))
        return
    sentence, rules = wound(at, who, count=count)
    at.tell(f"{who.name} is hurt: {cause}", sentence, "wound", "bad", rules, of=(who,))
