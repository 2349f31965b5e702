"""What the GM rules about harm: a wound without an attack, a condition, a bleeding made worse."""

from __future__ import annotations

from kitchentable.rules import Choice, Problem, whole
from kitchentable.rules.kit import Form, Input, Problems, needs, number, pick, somebody, text, tick
from kitchentable.rulesets.toaster.book import Choices
from kitchentable.rulesets.toaster.harm.hurting import hurt, inflict, mortality_ask
from kitchentable.rulesets.toaster.harm.passing import bleeding_words, full_rate, told
from kitchentable.rulesets.toaster.harm.places import place_choices, place_named
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    MORTAL,
    OUT,
    UNCONSCIOUS,
    record,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, present, toaster

# ---------------------------------------------------------------- a wound without an attack


def points(label: str, rule: str, help: str = "") -> Input[int]:
    """So many points, or none."""
    return number(label, default=0, low=0, high=999, required=False, rule=rule, help=help)


def places(at: Here) -> Choices:
    """Where somebody can be hurt; nothing where this table has no places."""
    return place_choices(at.table, at.form.who.entity) if at.options.hit_location else ()


class HarmForm(Form):
    who = somebody(among=present)
    cause = text()
    damage = points(
        "Damage",
        "toaster.4.wounds-per-attack",
        "Stun, and wounds by the threshold, as from one attack.",
    )
    stun = points("Stun besides", "toaster.4.stun-accumulate")
    wounds = points("Wounds besides", "toaster.4.wounds-penalty")
    unarmed = tick()
    place = pick(choices=lambda at: (Choice("", "Nowhere in particular"), *places(at)), when=places)

    def problems(self) -> Problems:
        if not self.damage + self.stun + self.wounds:
            words = "How much damage, stun or wounds?"
            yield Problem("damage", "toaster.4.stun-accumulate", words)


@toaster.move("harm", when=needs(present, "Nobody is there to be hurt."))
def harm(at: At[HarmForm]) -> None:
    form, who = at.form, at.form.who
    area, part = place_named(form.place)
    placed = {"area": area, "part": part, "cause": "ruling"}
    first = hurt(at.table, who.entity, form.damage, unarmed=form.unarmed, **placed)
    blows = [first] if first.changes else []
    if form.stun or form.wounds:
        more = inflict(at.table, first.after, stun=form.stun, wounds=form.wounds, **placed)
        blows.append(more)
    asks = {ask.id: ask for blow in (first, *blows) for ask in blow.asks}
    at.asks += asks.values()
    for blow in blows:
        at.lines += told(who.entity, blow)
        who.become(blow.after)
    at.tell(
        f"{who.name} is hurt: {form.cause}",
        "By the GM's ruling.",
        "hurt",
        "bad",
        dict.fromkeys(rule for blow in (first, *blows) for rule in blow.rules),
        of=(who,),
    )


# ---------------------------------------------------------------- a condition by hand

_STABLE = "stable"
_CONDITIONS = {
    AWAKE: "awake",
    UNCONSCIOUS: "unconscious",
    OUT: "out of the fight",
    MORTAL: "mortally wounded: a check at once",
    _STABLE: "mortally wounded, but stable",
    DEAD: "dead",
}


class ConditionForm(Form):
    condition = pick(choices=_CONDITIONS.items())
    why = text()


@toaster.move("condition")
def condition(at: At[ConditionForm]) -> None:
    asked = at.form.condition
    make(at, at.me, asked)
    at.tell_as("condition", words=_CONDITIONS[asked].partition(":")[0], why=at.form.why)


def make(at: Here, one: Person, asked: str) -> None:
    """Somebody in the condition that the GM named, and the check that it calls for."""
    if asked == _STABLE:
        one.put(condition=MORTAL, mortality={"fate": "holds", "rounds": 0, "stable": True})
        return
    one.put(condition=asked, mortality=None, senseless=asked == UNCONSCIOUS)
    if asked == MORTAL:
        at.asks.append(mortality_ask(one.entity))


# ---------------------------------------------------------------- bleeding made worse, or better


def may_bleed(at: Here) -> str | None:
    if not at.options.bleeding:
        return "This table does not play with bleeding."
    if not at.me.wounds or at.me.condition == DEAD:
        return "They have no wounds that could bleed."
    return None


class BleedingForm(Form):
    extra = number(default=lambda at: whole(record(at.me.entity, "bleeding").get("extra")))
    stops = tick()
    why = text()


@toaster.move("bleeding", when=may_bleed)
def bleeding(at: At[BleedingForm]) -> None:
    me = at.me
    facts = {**record(me.entity, "bleeding"), "extra": at.form.extra}
    me.put(bleeding=facts)
    if at.form.stops:
        me.put(bleeding={**facts, "stopped": full_rate(me.now)})
    words = bleeding_words(at.table, me.now)
    at.say("By the GM's ruling.")
    at.tell_as("bleeding", words=words or "bleeds no more", why=at.form.why)
