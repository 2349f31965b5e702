"""First aid, days that pass, and wounds without an attack."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import card_audience
from kitchentable.rules.kit import Action, Form, may_act, number, somebody, spend, text, tick
from kitchentable.rulesets.toast.attacks import wound
from kitchentable.rulesets.toast.people import (
    AWAKE,
    UNCONSCIOUS,
    At,
    Person,
    others,
    present,
    toast,
)

AID = ("toast.7.3-first-aid", "toast.7.3-first-aid-detail")


def patients(at: At[Any]) -> list[Person]:
    return [one for one in others(at) if one.condition == UNCONSCIOUS]


def takes_action(at: At[Any]) -> bool:
    return at.fight is not None and at.options.first_aid_action


class AidForm(Action):
    patient = somebody("Whom?", patients, only=True, rule="toast.7.3-first-aid")
    ends_turn = tick(
        "And end the turn",
        when=lambda at: takes_action(at) and at.fight.left(at.me) > 0,
        default=Action.ends_turn.parts["default"],
        rule="toast.7-turn-action",
    )


@toast.move(
    "first_aid",
    form=AidForm,
    when=(
        lambda at: None if at.me.is_awake else f"{at.me.name} is not conscious.",
        lambda at: None if patients(at) else "Nobody lies unconscious.",
        lambda at: may_act(at) if takes_action(at) else None,
    ),
)
def first_aid(at: At[AidForm]) -> None:
    """The patient wakes, wounds and all, and sits out this fight unless the GM says otherwise."""
    patient = at.form.patient
    if takes_action(at):
        spend(at)
    patient.condition = AWAKE
    if at.fight and at.fight.place(patient):
        by_default = "By default somebody who was brought round sits out this fight."
        at.ask(
            rejoin, "gm", f"Does {patient.name} fight on?", by_default, of=patient, skippable=True
        )
    said = f"{patient.name} is conscious again. The wounds stay: {patient.wounds}."
    at.tell(f"First aid for {patient.name}", said, "conscious", "good", AID, of=(at.me, patient))


class RejoinForm(Form):
    rejoins = tick("Fights on from the next round", rule=AID[1])


@toast.answer("rejoin", form=RejoinForm)
def rejoin(at: At[RejoinForm]) -> None:
    mine = at.fight.place(at.me) if at.fight and at.form.rejoins else None
    if mine:
        mine["status"] = "joins"
    title = f"{at.me.name} {'fights on' if mine else 'sits out this fight'}"
    at.tell(title, "Rolls Initiative from the next round on." if mine else "", rules=AID[1:])


class DayForm(Form):
    days = number("Days", default=1, low=1, high=3650, rule="toast.7.3-heal")


@toast.move("day", form=DayForm, when=lambda at: "A fight is on." if at.fight else None)
def day(at: At[DayForm]) -> None:
    """Each day takes a wound off everybody alive, down to none; nobody wakes by it."""
    days = at.form.days
    for one in present(at):
        if one.wounds:
            one.wounds = left = max(0, one.wounds - days)
            words = f"{left} wound{'s' if left > 1 else ''} left" if left else "no wounds left"
            still = ", still unconscious" if one.condition == UNCONSCIOUS else ""
            at.say(f"{one.name}: {words}{still}.", card_audience(one.entity))
    at.write(("day",), at.table.day + days)
    title = "A day passes" if days == 1 else f"{days} days pass"
    rules = ("toast.7.3-heal", "toast.7.3-heal-not-wake")
    at.tell(title, f"Day {at.table.day + days}.", rules=rules, of=())


class HurtForm(Form):
    who = somebody("Who?", present)
    cause = text("By what?", longest=200, rule="toast.7.3-npc-no-player-blow")


@toast.move(
    "hurt", form=HurtForm, when=lambda at: None if present(at) else "Nobody is there to be hurt."
)
def hurt(at: At[HurtForm]) -> None:
    who = at.form.who
    sentence, rules = wound(at, who)
    at.say("By the GM's ruling.")
    at.tell(f"{who.name} is hurt: {at.form.cause}", sentence, "wound", "bad", rules, of=(who,))
