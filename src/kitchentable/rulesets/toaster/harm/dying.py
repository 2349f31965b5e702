"""On death's door at the table: the check, luck on it, the last act, and the unnamed."""

from __future__ import annotations

from kitchentable.rules import Part
from kitchentable.rules.kit import Form, pick, roll_of, text
from kitchentable.rulesets.toaster.book import ROLL_WORDS, Parts, Row, plural
from kitchentable.rulesets.toaster.harm.rolls import End, LuckyForm, LuckyRoll, brought
from kitchentable.rulesets.toaster.harm.state import DEAD, MORTAL, MORTAL_WOUNDS, OUT
from kitchentable.rulesets.toaster.luck import Waiting, call_four
from kitchentable.rulesets.toaster.mechanics.mortality import DIES, HOLDS, Fate, fate_of, mortality
from kitchentable.rulesets.toaster.options import MORTALITY
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

CHECK = roll_of(mortality, ROLL_WORDS["mortality"], lambda fate: fate.word)


def ask_check(
    at: Here, one: Person, *, bonus: int = 0, helped: bool = False, healed: bool = False
) -> None:
    """The check of somebody on death's door; a newer one takes an older one's place.

    `helped` is a second chance by a medic, whose own roll succeeded if `healed`; where a countdown
    runs it may be declined. toaster.4.mortal-state, toaster.4.mortality-medical.
    """
    at.ask(
        check, "", "",
        "A medic's help: once more." if helped else "Five wounds or more: now, at once.",
        of=one, skippable=helped and bool(one.mortality.get("rounds")),
        bonus=bonus, helped=helped, healed=healed,
    )  # fmt: skip
    at.asks = [*{ask.id: ask for ask in at.asks}.values()]


def mortality_parts(one: Person, bonus: int = 0) -> Parts:
    """What is added to the die: Physique, less 1 for each wound over 5, and a medic's help.

    Nothing else: the ordinary penalty of the wounds is not taken off a second time
    (toaster.4.mortality-roll).
    """
    over = one.wounds - MORTAL_WOUNDS
    parts = [one.health_part]
    if over > 0:
        parts.append(Part(f"wound{'s' if over > 1 else ''} over five", -over))
    if bonus:
        parts.append(Part("medical help", bonus))
    return tuple(parts)


class CheckForm(LuckyForm):
    luck = LuckyForm.luck
    called = call_four("Call a 4", MORTALITY)


@toaster.answer("mortality", rolls=True)
def check(at: At[CheckForm]) -> None:
    """The check is thrown; who has died or healed while the card waited needs none any more."""
    me, card = at.me, brought(at)
    me.check_known()
    if at.asked and me.condition != MORTAL:
        at.tell_as("no-check")
        return
    facts: Row = {"bonus": 0, "helped": False, "healed": False}
    facts.update((key, card[key]) for key in facts if key in card)
    check_roll.go_on(at, check_roll.throw_first(at, f"Mortality check for {me.name}", **facts))


def throw(at: Here, modifier: int, called: bool) -> Fate:
    """The check's die, or a 4 that is called."""
    nines = at.options.extended(MORTALITY).nines
    return at.roll(CHECK(modifier, nines, by_die(at), called), {"roll": at.me})


def by_die(at: Here) -> bool:
    """Whether the bare die says how many rounds are left (toaster.4.mortality-fail)."""
    return at.options.mortality_roll == "die"


def read(at: Here, waiting: Waiting) -> Fate:
    """The check with the luck that was added."""
    roll, added = waiting.facts, waiting.added.get(at.me.id, 0)
    return fate_of(roll["shown"], roll["modifier"] + added, by_die=by_die(at))


def settle(at: Here, waiting: Waiting, fate: Fate) -> End:
    """Somebody after the check: dead, with so many rounds to live, holding on, or safe.

    A countdown that ran already is only shortened, unless this is a medic's second chance
    (toaster.4.mortality-new-wound); with help that succeeded a check passed can be the last
    (toaster.4.mortality-stabilise).
    """
    me, roll, holds = at.me, waiting.facts, fate.word == HOLDS
    running = me.mortality
    left = running.get("rounds") or 0
    word = "holds on" if holds else fate.word
    if fate.word not in {DIES, HOLDS}:
        me.put(condition=DEAD, mortality=None)
        sentence, rule = f"{me.name} dies.", "zero"
    elif running.get("fate") == DIES and not roll["helped"] and (holds or left <= fate.rounds):
        sentence, rule = f"{me.name} still dies after {plural(left, 'round')}.", "new-wound"
    else:
        stable = holds and roll["healed"] and at.options.medical_stabilises
        me.put(mortality={"fate": fate.word, "rounds": fate.rounds, "stable": stable})
        sentence, rule = f"{me.name} {fate}.", "success" if holds else "fail"
        if stable:
            sentence, rule = f"{me.name} is stable: no more checks.", "stabilise"
    return (sentence, word, holds, (f"toaster.4.mortality-{rule}",))


check_roll = LuckyRoll(
    "mortality_luck",
    "Luck on the mortality check",
    "toaster.4.mortality-roll",
    "toaster.4.mortality-zero",
    throw=throw,
    parts=lambda at, roll: mortality_parts(at.me, roll["bonus"]),
    settle=settle,
    says=lambda at, fate: f"{fate.total} in all: {at.me.name} {fate}.",
    write=lambda fate, modifier: {"shown": fate.total - modifier},
    read=read,
)


# ---------------------------------------------------------------- a last act, and the unnamed


def may_act_last(at: Here) -> str | None:
    if at.me.condition != MORTAL:
        return "That is for somebody who is mortally wounded."
    return None if at.me.is_conscious else f"{at.me.name} is not conscious."


class LastActForm(Form):
    what = text()


@toaster.move("last_act", when=may_act_last)
def last_act(at: At[LastActForm]) -> None:
    at.me.last_act = True
    at.tell_as("last-act", what=at.form.what)


_FATES = {OUT: "is out of the fight", MORTAL: "is mortally wounded", DEAD: "is dead"}


class UnnamedForm(Form):
    fate = pick()
    why = text()


@toaster.answer("unnamed")
def unnamed(at: At[UnnamedForm]) -> None:
    fate = at.form.fate
    if fate != OUT:
        at.me.put(condition=fate, mortality=None)
    if fate == MORTAL:
        ask_check(at, at.me)
    at.tell_as("unnamed", words=f"{_FATES[fate]}. {at.form.why}".strip())
