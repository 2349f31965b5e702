"""The effects of a blow: stun, wounds by thresholds, unconsciousness, mortal wounds.

Attacks and rulings of the GM share these functions: `hurt` turns damage into stun and wounds,
`inflict` records them and their consequences, `tell_blow` reports them. Characters with five or
more wounds make a mortality check.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import EVERYONE, GM, Choice, Part, listed, noun, plural, whole, worth
from kitchentable.rules.kit import (
    Form,
    Problems,
    needs,
    number,
    pick,
    roll_of,
    somebody,
    text,
    tick,
)
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import ROLL_WORDS, Choices, Parts, Row, Words, problem
from kitchentable.rulesets.toaster.character.attributes import area_key
from kitchentable.rulesets.toaster.harm.places import ask_where, place_choices, place_named
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    DRY,
    FIRST_AID,
    IN_WORDS,
    MORTAL,
    MORTAL_WOUNDS,
    OUT,
    UNCONSCIOUS,
)
from kitchentable.rulesets.toaster.luck import (
    End,
    LuckyForm,
    LuckyRoll,
    Waiting,
    brought,
    call_four,
)
from kitchentable.rulesets.toaster.mechanics.damage import wounds_of
from kitchentable.rulesets.toaster.mechanics.healing import DIES, HOLDS, Fate, fate_of, mortality
from kitchentable.rulesets.toaster.options import MORTALITY
from kitchentable.rulesets.toaster.people import At, Here, Person, in_order, toaster


@record
class Blow:
    """The effect of a blow: a sentence, and its rules.

    `seen` is the public part for seats that may not know the victim's numbers, or "".
    """

    sentence: str
    seen: str = ""
    rules: Words = ()


def hurt(at: Here, one: Person, damage: int, *, unarmed: bool = False, **where: str) -> Blow:
    """Apply one attack's damage: stun, and a wound for each threshold.

    `damage` is the damage after protection; 0 or less does nothing. `area` and `part` are the place
    struck, as in the location table; `cause` is "attack" by default. toaster.4.stun-accumulate,
    toaster.4.wounds-per-attack, toaster.4.wounds-unarmed.
    """
    rules = ["toaster.4.stun-accumulate"]
    if damage <= 0:
        return Blow("No damage.", rules=tuple(rules))
    fresh = wounds_of(damage, one.thresholds[1], unarmed=unarmed)
    blow = inflict(at, one, stun=damage, wounds=fresh, **where)
    rules += ["toaster.4.wounds-per-attack", *["toaster.4.wounds-unarmed"] * unarmed]
    return replace(blow, rules=(*rules, *blow.rules))


def inflict(
    at: Here,
    one: Person,
    *,
    stun: int = 0,
    wounds: int = 0,
    area: str = "",
    part: str = "",
    cause: str = "attack",
) -> Blow:
    """Deal stun and wounds of any cause, with all consequences."""
    was, degree, before = one.condition, one.stun_degree, one.wounds
    if was == DEAD:
        return Blow(f"{one.name} is dead already.")
    with in_order(at):
        _add(one, stun, wounds, area, part, cause)
        rules = _set_condition(one, was, wounds)
    down = ""
    if one.condition != was or (one.condition == MORTAL and one.wounds > before):
        down = f"{one.name} is {IN_WORDS[one.condition]}."
    worse = one.stun_degree > degree and not one.passes_out
    dazed = f"{one.name} is {one.stun_word}." if worse else ""
    words = f"{_harm_in_words(stun, wounds, area, part)} {down or dazed}".strip()
    if wounds > 0 and one.condition == MORTAL:
        ask_check(at, one)
    elif one.condition == OUT != was:
        at.ask(unnamed, of=one)
    if wounds > 0 and cause == "attack":  # a ruling names its own place
        ask_where(at, one, area, part)
    seen = down or (f"{one.name} is wounded." if wounds > 0 else "")
    return Blow(words, seen, rules)


def _add(one: Person, stun: int, wounds: int, area: str, part: str, cause: str) -> None:
    """Add stun and wounds, and end the states that a new wound ends.

    These are a week's rest, long-term care, the mark of used first aid, and progress against older
    bleeding. Wounds from blood loss are not blows. toaster.4.heal-long-term,
    toaster.4.heal-first-aid-once, toaster.4.bleed-stop-retry.
    """
    rate = one.full_rate
    one.put(stun=one.stun + max(0, stun))
    if wounds <= 0:
        return
    row = {"n": wounds, "area": area_key(area), "part": part, "cause": cause}
    one.put(wounds=[*one.wound_rows, row], rested=0)
    if one.care and one.care.get("kind") != FIRST_AID:
        one.put(care=None)
    if cause not in DRY and one.bleeding:
        stopped = min(rate, whole(one.bleeding.get("stopped")))
        one.put(bleeding={**one.bleeding, "stopped": stopped, "tried": []})


def _set_condition(one: Person, was: str, fresh: int) -> Words:
    """Set the condition after a blow, and return the rules for it.

    A countdown to death continues during a new check; the interval after a passed check ends
    (toaster.4.mortality-new-wound).
    """
    rules: Words = ()
    if one.passes_out and not one.senseless:
        rules = ("toaster.4.stun-table",)
        one.put(senseless=True)
        if one.is_awake:
            one.put(condition=UNCONSCIOUS)
    unnamed = one.options.unnamed_characters and not one.is_named
    if fresh > 0 and unnamed and was not in {OUT, MORTAL}:
        one.put(condition=OUT)
        return (*rules, "toaster.4.unnamed-out")
    if fresh > 0 and one.wounds >= MORTAL_WOUNDS and one.condition != OUT:
        runs = one.mortality.get("fate") == "dies"
        one.put(condition=MORTAL, mortality={**one.mortality, "stable": False} if runs else None)
        return (*rules, "toaster.4.mortal-state")
    return rules


def _harm_in_words(points: int, fresh: int, area: str, part: str) -> str:
    where = f" ({', '.join(filter(None, (area, part)))})" if part or area else ""
    told = [f"{points} stun"] * (points > 0) + [f"{plural(fresh, 'wound')}{where}"] * (fresh > 0)
    return f"{listed(told)}." if told else ""


def tell_blow(at: Here, one: Person, blow: Blow) -> None:
    """Report a blow: with numbers to seats that may know them, otherwise only `seen`."""
    if one.number_audience == EVERYONE:
        at.say(blow.sentence, one.card_audience)
        return
    at.say(blow.seen, one.card_audience)
    at.say(blow.sentence.replace(blow.seen, "").strip(), GM)


def leave_turns(at: Here, one: Person) -> None:
    """Take an unconscious or dead character out of the current fight."""
    if at.fight is not None and not one.is_awake:
        at.fight.fall(one)


# ---------------------------------------------------------------- a wound without an attack


def heal_wound(one: Person, area: str = "") -> None:
    """Heal one wound in the given area, otherwise where most wounds are.

    A character with fewer than five wounds is no longer mortally wounded.
    """
    rows = [dict(row) for row in one.wound_rows]
    if not rows:
        return
    wanted = [row for row in rows if area and area_key(row.get("area") or "") == area]
    worst = max(wanted or rows, key=lambda row: whole(row.get("n")))
    worst["n"] = whole(worst.get("n")) - 1
    one.put(wounds=[row for row in rows if whole(row.get("n")) > 0])
    if one.condition == MORTAL and one.wounds < MORTAL_WOUNDS:
        one.put(condition=UNCONSCIOUS if one.senseless else AWAKE, mortality=None)
    if not one.wounds:
        one.put(bleeding={}, care=None, rested=0)


def places(at: Here) -> Choices:
    """The places of a wound to choose from, if this table uses hit locations."""
    return place_choices(at.form.who) if at.options.hit_location else ()


class HarmForm(Form):
    who = somebody(among=At.present)
    cause = text()
    damage = number()
    stun = number()
    wounds = number()
    unarmed = tick()
    place = pick(choices=lambda at: (Choice("", "Nowhere in particular"), *places(at)), when=places)

    def problems(self) -> Problems:
        if not (self.damage or self.stun or self.wounds):
            yield problem("no-amount")
        if self.who.wounds + self.wounds < 0:
            yield problem("few-wounds", name=self.who.name, many=plural(self.who.wounds, "wound"))


@toaster.move("harm", when=needs(At.present, "Nobody is there to be hurt."))
def harm(at: At[HarmForm]) -> None:
    form, who = at.form, at.form.who
    area, part = place_named(form.place)
    placed = {"area": area, "part": part, "cause": "ruling"}
    for _ in range(-form.wounds):
        heal_wound(who)
    if form.wounds < 0:
        healed = plural(-form.wounds, "wound")
        at.say(f"{healed} healed, {who.wounds} left.", who.number_audience)
    blows = []
    if form.damage:
        blows.append(hurt(at, who, form.damage, unarmed=form.unarmed, **placed))
    if form.stun or form.wounds > 0:
        blows.append(inflict(at, who, stun=form.stun, wounds=max(0, form.wounds), **placed))
    for blow in blows:
        tell_blow(at, who, blow)
    leave_turns(at, who)
    rules = ["toaster.4.stun-accumulate", *(rule for blow in blows for rule in blow.rules)]
    card = "harm" if blows else "better"
    at.tell_as(card, rules=rules, of=(who,), name=who.name, cause=form.cause)


# ---------------------------------------------------------------- a condition by hand

_STABLE = "stable"


class ConditionForm(Form):
    condition = pick()
    why = text()


@toaster.move("condition")
def condition(at: At[ConditionForm]) -> None:
    """Set the condition that the GM named, and ask for the check it requires."""
    me, asked = at.me, at.form.condition
    words = IN_WORDS.get(asked, asked)
    if asked == _STABLE:
        words = "mortally wounded, but stable"
        me.put(condition=MORTAL, mortality={"fate": "holds", "rounds": 0, "stable": True})
    else:
        me.put(condition=asked, mortality=None, senseless=asked == UNCONSCIOUS)
    leave_turns(at, me)
    if asked == MORTAL:
        ask_check(at, me)
    at.tell_as("condition", words=words, why=at.form.why)


# ---------------------------------------------------------------- bleeding made worse, or better


def may_bleed(at: Here) -> str | None:
    if not at.me.wounds or at.me.is_dead:
        return "They have no wounds that can bleed."
    return None


class BleedingForm(Form):
    extra = number(default=lambda at: whole(at.me.bleeding.get("extra")))
    stops = tick()
    why = text()


@toaster.move("bleeding", when=may_bleed)
def bleeding(at: At[BleedingForm]) -> None:
    me = at.me
    me.put(bleeding={**me.bleeding, "extra": at.form.extra})
    if at.form.stops:
        me.put(bleeding={**me.bleeding, "stopped": me.full_rate})
    at.say("By the GM's ruling.")
    words = me.bleeding_words or "bleeds no more"
    at.tell_as("bleeding", words=words, why=at.form.why, audience=me.number_audience)


# ---------------------------------------------------------------- on death's door


CHECK = roll_of(mortality, ROLL_WORDS["mortality"], lambda fate: fate.word)


def ask_check(
    at: Here, one: Person, *, bonus: int = 0, helped: bool = False, healed: bool = False
) -> None:
    """Ask a mortally wounded character for a check; it replaces an older one.

    `helped` marks a second chance from a medic with a successful roll if `healed`; it may be
    declined during a countdown. toaster.4.mortal-state, toaster.4.mortality-medical.
    """
    why = "Five wounds or more" if one.wounds >= MORTAL_WOUNDS else "Mortally wounded"
    at.ask(
        check, "", "",
        "A medic's help: once more." if helped else f"{why}: now, at once.",
        of=one, skippable=helped and bool(one.rounds_left),
        bonus=bonus, helped=helped, healed=healed,
    )  # fmt: skip
    at.asks = [*{ask.id: ask for ask in at.asks}.values()]


def mortality_parts(one: Person, bonus: int = 0) -> Parts:
    """The parts of a mortality check: Physique, -1 for each wound over 5, medical help.

    The usual wound penalty does not apply in addition (toaster.4.mortality-roll).
    """
    over = max(0, one.wounds - MORTAL_WOUNDS)
    beyond = Part(f"{noun(over, 'wound')} over five", -over)
    return (one.health_part, *worth(beyond, Part("medical help", bonus)))


class CheckForm(LuckyForm):
    luck = LuckyForm.luck
    called = call_four("Call a 4", MORTALITY)


@toaster.answer("mortality", rolls=True)
def check(at: At[CheckForm]) -> None:
    """Make the check; characters who died or healed meanwhile need none."""
    me, card = at.me, brought(at)
    me.check_known()
    if at.asked and me.condition != MORTAL:
        at.tell_as("no-check")
        return
    facts: Row = {"bonus": 0, "helped": False, "healed": False}
    facts.update((key, card[key]) for key in facts if key in card)
    check_roll.go_on(at, check_roll.throw_first(at, f"Mortality check for {me.name}", **facts))


class CheckRoll(LuckyRoll[Fate]):
    """A mortality check."""

    name = "mortality_luck"
    rules = ("toaster.4.mortality-roll", "toaster.4.mortality-zero")

    def throw(self, at: Here, modifier: int, called: bool) -> Fate:
        nines = at.options.extended(MORTALITY).nines
        return at.roll(CHECK(modifier, nines, by_die(at), called), {"roll": at.me})

    def parts(self, at: Here, roll: Any) -> Parts:
        return mortality_parts(at.me, roll["bonus"])

    def says(self, at: Here, outcome: Fate) -> str:
        return f"{outcome.total} in all: {at.me.name} {outcome}."

    def write(self, outcome: Fate, modifier: int) -> Any:
        return {"shown": outcome.total - modifier}

    def read(self, at: Here, waiting: Waiting) -> Fate:
        roll, added = waiting.facts, waiting.added.get(at.me.id, 0)
        return fate_of(roll["shown"], roll["modifier"] + added, by_die=by_die(at))

    def settle(self, at: Here, waiting: Waiting, outcome: Fate) -> End:
        """Apply the check: dead, a number of rounds to live, holding on, or safe.

        A running countdown can only get shorter, except by a medic's second chance
        (toaster.4.mortality-new-wound). After successful help, a passed check can be the last
        (toaster.4.mortality-stabilise).
        """
        me, roll, fate = at.me, waiting.facts, outcome
        holds = fate.word == HOLDS
        running = me.mortality
        left = me.rounds_left
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


check_roll = CheckRoll()


def by_die(at: Here) -> bool:
    """Whether the bare die sets the number of rounds left (toaster.4.mortality-fail)."""
    return at.options.mortality_roll == "die"


# ---------------------------------------------------------------- a last act, and the unnamed


def may_act_last(at: Here) -> str | None:
    if at.me.condition != MORTAL:
        return "Only a mortally wounded character can do that."
    return None if at.me.is_conscious else f"{at.me.name} is not conscious."


class LastActForm(Form):
    what = text()


@toaster.move("last_act", when=may_act_last)
def last_act(at: At[LastActForm]) -> None:
    at.me.last_act = True
    at.tell_as("last-act", what=at.form.what)


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
    at.tell_as("unnamed", words=f"is {IN_WORDS[fate]}. {at.form.why}".strip())
