"""Time that heals: rounds that pass outside a fight, minutes of rest, days, and being woken."""

from __future__ import annotations

from kitchentable.rules import GM, Entity, Problem, Table, whole
from kitchentable.rules.kit import Form, Problems, number, several, text
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.dying import is_dying
from kitchentable.rulesets.toaster.harm.healing import ask_healing, next_interval
from kitchentable.rulesets.toaster.harm.passing import (
    bleeds,
    pass_minutes,
    pass_rounds,
    write_passed,
)
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    MORTAL,
    OUT,
    UNCONSCIOUS,
    become,
    passes_out,
    stun,
)
from kitchentable.rulesets.toaster.mechanics.healing import stun_after
from kitchentable.rulesets.toaster.people import At, Here, Person, present, toaster

_MINUTES_A_DAY = 24 * 60
_STOPS = "Time stops for a check."


def cannot_rest(table: Table, entity: Entity) -> str | None:
    """Why somebody gets no rest: they bleed, or they are dying (toaster.4.heal-stun-period)."""
    if is_dying(entity):
        return f"{entity.name} is dying, and no rest helps before that is decided."
    if bleeds(table, entity):
        return f"{entity.name} is bleeding, and does not rest before that is stopped."
    return None


def rested(at: Here, one: Person, minutes: int) -> Entity:
    """Somebody after so many minutes of rest: Physique off the stun for every full ten.

    toaster.4.heal-stun, toaster.4.heal-stun-rate, toaster.4.heal-stun-period.
    """
    before, here = one.now, at.table
    physique = lens.attribute_for(here, before, "health")
    left = stun_after(stun(before), physique, minutes, at.options.stun_recovery_percent)
    after = before if left == stun(before) else become(before, stun=left)
    if one.senseless and passes_out(here, before) and not passes_out(here, after):
        ask_waking(at, one, left)
    return after


def ask_waking(at: Here, one: Person, left: int) -> None:
    """A word to the GM that somebody's stun would let them wake now.

    toaster.4.stun-unconscious: the GM says when; this is only the moment to think of it.
    """
    at.ask(
        wakes,
        GM,
        f"Does {one.name} wake?",
        f"The stun is down to {left}. You decide how long they stay unconscious.",
        of=one,
    )


def no_fight(at: Here) -> str | None:
    """Guards what takes longer than a round of a fight."""
    return "A fight is on; its rounds pass there." if at.table.fight else None


# ---------------------------------------------------------------- rounds, minutes, days


class RoundsForm(Form):
    rounds = number()


@toaster.move("rounds", when=no_fight)
def rounds(at: At[RoundsForm]) -> None:
    passed = pass_rounds(at.table, at.form.rounds)
    write_passed(at, passed)
    words = "A round passes" if passed.rounds == 1 else f"{passed.rounds} rounds pass"
    rules = ("toaster.4.bleed-counting", "toaster.4.mortality-success")
    at.tell(words, _STOPS if passed.asks else "", rules=rules)


class WhoForm(Form):
    who = several(
        "Who rests?",
        present,
        default=lambda at: [
            one.id
            for one in present(at)
            if one.condition != OUT and cannot_rest(at.table, one.entity) is None
        ],
        required=False,
        rule="toaster.4.heal-stun",
    )

    def problems(self) -> Problems:
        for one in self.who:
            if why := cannot_rest(self.at.table, one.entity):
                yield Problem("who", "toaster.4.heal-stun-period", why)


class RestForm(WhoForm):
    minutes = number()


@toaster.move("rest", when=no_fight)
def rest(at: At[RestForm]) -> None:
    """Rest for those who rest; the dying and the bleeding have as many rounds as that takes.

    toaster.4.heal-stun, toaster.4.round, toaster.4.mortality-fail, toaster.4.bleed-counting.
    """
    passed, minutes = pass_minutes(at.table, at.form.minutes)
    write_passed(at, passed)
    told = len(at.lines)
    for one in at.form.who:
        before, after = one.stun, rested(at, one, minutes)
        if before != stun(after):
            words = f"{one.name}: stun {before} to {stun(after)}."
            at.say(words, GM if one.hidden else one.number_audience)
        one.become(after)
    nobody = "" if len(at.lines) > told else "Nobody recovers any stun."
    at.tell(
        "1 minute of rest" if minutes == 1 else f"{minutes} minutes of rest",
        _STOPS if passed.asks else nobody,
        rules=("toaster.4.heal-stun", "toaster.4.heal-stun-period"),
    )


class DaysForm(WhoForm):
    days = number(default=lambda at: at.options.healing_days)
    who = WhoForm.who.having(rule="toaster.4.heal-week")
    modifier = number()


@toaster.move("days", when=no_fight)
def days(at: At[DaysForm]) -> None:
    """Stun is gone; each interval of rest that is full calls for a healing roll.

    The dying and the bleeding have their rounds first; where one of them has to check, time stops
    after as many full days as passed (toaster.4.heal-week, toaster.4.mortality-fail).
    """
    passed, minutes = pass_minutes(at.table, at.form.days * _MINUTES_A_DAY)
    full = minutes // _MINUTES_A_DAY
    write_passed(at, passed)
    if full:
        at.write(("day",), at.table.day + full)
    for one in at.form.who:
        after = rested(at, one, minutes)
        if one.wounds and full:
            after = become(after, rested=whole(one.entity.state.get("rested")) + full)
            due = whole(after.state["rested"]) >= next_interval(at.table, after)
            if due:
                ask_healing(at, one, at.form.modifier)
            words = "a healing roll" if due else "not rested long enough yet"
            at.say(f"{one.name}: {words}.", one.card_audience)
        one.become(after)
    at.tell(
        "A day passes" if full == 1 else f"{full} days pass",
        f"Day {at.table.day + full}.{' ' + _STOPS if passed.asks else ''}",
        rules=("toaster.4.heal-week",),
    )


# ---------------------------------------------------------------- waking


class WakesForm(Form):
    why = text()


def is_out(at: Here) -> str | None:
    me = at.me
    if me.senseless or me.condition in {UNCONSCIOUS, OUT}:
        return None
    return f"{me.name} is not unconscious."


@toaster.move("wakes", when=is_out)
def wakes(at: At[WakesForm]) -> None:
    at.me.put(condition=MORTAL if at.me.condition == MORTAL else AWAKE, senseless=False)
    at.tell_as("wakes", why=at.form.why)
