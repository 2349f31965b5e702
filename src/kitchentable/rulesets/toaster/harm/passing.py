"""Passing time: bleeding, countdowns, recovery from stun, and due healing rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from kitchentable.rules import Problem, plural, whole
from kitchentable.rules.kit import Form, Problems, number, several, text
from kitchentable.rulesets.toaster.harm.healing import ask_healing
from kitchentable.rulesets.toaster.harm.hurting import ask_check, inflict, tell_blow
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    MORTAL,
    OUT,
    UNCONSCIOUS,
    this_round,
)
from kitchentable.rulesets.toaster.mechanics.healing import stun_after
from kitchentable.rulesets.toaster.people import At, Here, Person, in_order, toaster

#: The stun from bleeding that causes another wound (toaster.4.bleed-extra-wound).
POINTS_FOR_A_WOUND = 10
_MINUTES_A_DAY = 24 * 60
_STOPS = "Time stops for a check."

# ---------------------------------------------------------------- rounds that pass


def end_round(at: Here) -> None:
    """End a round for everybody in play, in a fight or outside.

    Countdowns of the dying advance, and open wounds bleed. toaster.4.mortality-fail,
    toaster.4.mortality-success, toaster.4.bleed-counting.
    """
    this = this_round(at.table)
    with in_order(at):
        for one in at.present():
            if one.counts_down:
                _count_down(at, one)
            if one.bleeds:
                _bleed(at, one)
            if at.table.fight:
                end_effects(one, lambda until: 0 < until <= this)


def _count_down(at: Here, one: Person) -> None:
    """Take a round off the time to live or to hold on."""
    running, left = one.mortality, one.rounds_left
    one.put(mortality={**running, "rounds": left - 1})
    if left > 1:
        return
    if running.get("fate") == "dies":
        one.put(condition=DEAD, mortality=None)
        at.say(f"{one.name} dies.", one.card_audience)
        return
    at.say(f"{one.name} has held on so long: a new check.", one.card_audience)
    ask_check(at, one)


def _bleed(at: Here, one: Person) -> None:
    """Lose a round's blood: stun, and a wound for every ten points lost in total.

    toaster.4.bleed-rate, toaster.4.bleed-extra-wound, toaster.4.bleed-counting,
    toaster.4.bleed-death.
    """
    rate, before = one.bleeds, whole(one.bleeding.get("lost"))
    more = (before + rate) // POINTS_FOR_A_WOUND - before // POINTS_FOR_A_WOUND
    one.put(bleeding={**one.bleeding, "lost": before + rate})
    blow = inflict(at, one, stun=rate, wounds=more, cause="bleeding")
    words = f"{one.name} bleeds: {blow.sentence}"
    tell_blow(at, one, replace(blow, sentence=words, seen=blow.seen or f"{one.name} bleeds."))


def end_effects(one: Person, ends: Callable[[int], bool]) -> None:
    """Remove effects that end with this round or fight."""
    kept = [row for row in one.effect_rows if not ends(whole(row.get("until")))]
    if len(kept) < len(one.effect_rows):
        one.put(effects=kept)


def pass_rounds(at: Here, rounds: int) -> tuple[int, bool]:
    """Pass rounds outside a fight; return their number, and whether a check stopped time.

    If nobody is dying or bleeding, all rounds pass in one step.
    """
    told, waiting, passed = len(at.lines), len(at.asks), 0
    with in_order(at):
        while passed < rounds and len(at.asks) == waiting:
            if not any(one.counts_down or one.bleeds for one in at.present()):
                break
            end_round(at)
            passed += 1
    # Combine equal lines, with their count.
    at.lines[told:] = [
        line if count == 1 else replace(line, text=f"{line.text} ({count} times)")
        for line, count in Counter(at.lines[told:]).items()
    ]
    stops = len(at.asks) > waiting
    return passed if stops else rounds, stops


def pass_minutes(at: Here, minutes: int) -> tuple[int, bool]:
    """Pass minutes; return the full minutes passed, and whether a check stopped time.

    The table sets the length of a round: at 4 seconds, ten minutes are 150 rounds
    (toaster.4.round).
    """
    seconds = at.options.round_seconds
    passed, stops = pass_rounds(at, -(-minutes * 60 // seconds))
    return passed * seconds // 60 if stops else minutes, stops


# ---------------------------------------------------------------- rest


def cannot_rest(one: Person) -> str | None:
    """The reason why a character cannot rest: bleeding or dying (toaster.4.heal-stun-period)."""
    if one.is_dying:
        return f"{one.name} is dying, and cannot rest before that is decided."
    if one.bleeds:
        return f"{one.name} is bleeding, and cannot rest until it is stopped."
    return None


def rest_for(at: Here, one: Person, minutes: int) -> None:
    """Reduce stun by Physique for every full ten minutes of rest.

    If a character could wake, the GM gets a card and decides when (toaster.4.stun-unconscious).
    toaster.4.heal-stun, toaster.4.heal-stun-rate, toaster.4.heal-stun-period.
    """
    physique, was_out = one.attribute_for("health"), one.passes_out
    one.stun = left = stun_after(one.stun, physique, minutes, at.options.stun_recovery_percent)
    if one.senseless and was_out and not one.passes_out:
        at.ask(wakes, of=one, left=left)


def no_fight(at: Here) -> str | None:
    """Guard for moves that take longer than a round of a fight."""
    return "A fight is in progress; rounds pass there." if at.table.fight else None


class RoundsForm(Form):
    rounds = number()


@toaster.move("rounds", when=no_fight)
def rounds(at: At[RoundsForm]) -> None:
    passed, stops = pass_rounds(at, at.form.rounds)
    words = "A round passes" if passed == 1 else f"{passed} rounds pass"
    rules = ("toaster.4.bleed-counting", "toaster.4.mortality-success")
    at.tell(words, _STOPS * stops, rules=rules)


class WhoForm(Form):
    who = several(
        "Who rests?",
        At.present,
        default=lambda at: [
            one.id for one in at.present() if one.condition != OUT and not cannot_rest(one)
        ],
        required=False,
        rule="toaster.4.heal-stun",
    )

    def problems(self) -> Problems:
        for why in filter(None, map(cannot_rest, self.who)):
            yield Problem("who", "toaster.4.heal-stun-period", why)


class RestForm(WhoForm):
    minutes = number()


@toaster.move("rest", when=no_fight)
def rest(at: At[RestForm]) -> None:
    """Rest; meanwhile rounds pass for the dying and the bleeding.

    toaster.4.heal-stun, toaster.4.round, toaster.4.mortality-fail, toaster.4.bleed-counting.
    """
    minutes, stops = pass_minutes(at, at.form.minutes)
    nobody = "Nobody recovers any stun."
    for one in at.form.who:
        before = one.stun
        rest_for(at, one, minutes)
        if before != one.stun:
            words, nobody = f"{one.name}: stun {before} to {one.stun}.", ""
            at.say(words, one.number_audience)
    at.tell(
        f"{plural(minutes, 'minute')} of rest",
        _STOPS if stops else nobody,
        rules=("toaster.4.heal-stun", "toaster.4.heal-stun-period"),
    )


class DaysForm(WhoForm):
    days = number()
    who = WhoForm.who.having(rule="toaster.4.heal-week")
    modifier = number()


@toaster.move("days", when=no_fight)
def days(at: At[DaysForm]) -> None:
    """Pass days: stun ends, and each full interval of rest asks for a healing roll.

    Rounds pass first for the dying and the bleeding; a check due among them stops time after the
    full days passed (toaster.4.heal-week, toaster.4.mortality-fail).
    """
    minutes, stops = pass_minutes(at, at.form.days * _MINUTES_A_DAY)
    full = minutes // _MINUTES_A_DAY
    if full:
        at.write(("day",), at.table.day + full)
    for one in at.form.who:
        rest_for(at, one, minutes)
        if one.wounds and full:
            one.put(rested=one.rested + full)
            due = one.rested >= one.next_interval
            if due:
                ask_healing(at, one, at.form.modifier)
            words = "a healing roll" if due else "not rested long enough yet"
            at.say(f"{one.name}: {words}.", one.card_audience)
    at.tell(
        "A day passes" if full == 1 else f"{full} days pass",
        f"Day {at.table.day + full}. {_STOPS * stops}".strip(),
        rules=("toaster.4.heal-week",),
    )


# ---------------------------------------------------------------- waking


class WakesForm(Form):
    why = text()


def is_out(at: Here) -> str | None:
    me = at.me
    if not me.is_dead and (me.senseless or me.condition in {UNCONSCIOUS, OUT}):
        return None
    return f"{me.name} is not unconscious."


@toaster.move("wakes", when=is_out)
def wakes(at: At[WakesForm]) -> None:
    at.me.put(condition=MORTAL if at.me.condition == MORTAL else AWAKE, senseless=False)
    at.close(f"wake-{at.me.id}")
    at.tell_as("wakes", why=at.form.why)
