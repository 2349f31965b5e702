"""Healing at the table: care that was given, the roll after a week's rest, luck on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import Entity, Part, Problem, Table, whole
from kitchentable.rules.kit import Problems, pick, roll_of
from kitchentable.rulesets.toaster.book import ROLL_WORDS, Facts, Parts, Words
from kitchentable.rulesets.toaster.harm.hurting import inflict
from kitchentable.rulesets.toaster.harm.rolls import End, LuckyForm, LuckyRoll, brought
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    MORTAL,
    MORTAL_WOUNDS,
    UNCONSCIOUS,
    area_key,
    become,
    condition,
    health_part,
    record,
    wound_rows,
    wounds,
)
from kitchentable.rulesets.toaster.luck import Waiting, call_four
from kitchentable.rulesets.toaster.mechanics.stars import PLAIN
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options import HEALING, Options
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

FIRST_AID, LONG_TERM = "first-aid", "long-term"


def heals(outcome: Outcome) -> str:
    """What a healing roll brings, in a word."""
    return "heals" if outcome.succeeds else "worse" if outcome.fumble else "same"


#: The healing roll where there are fumbles, and where there are none.
WORSE = roll_of(task, ROLL_WORDS["healing"], heals)
HEALS = replace(WORSE, bands=WORSE.bands[:2])


def next_interval(table: Table, entity: Entity) -> int:
    """Days of rest before the next healing roll: the table's, or fewer after prompt first aid.

    toaster.4.heal-technology, toaster.4.heal-first-aid-early.
    """
    usual = Options(table.options).healing_days
    early = whole(record(entity, "care").get("early"))
    return min(usual, early) if early else usual


def healing_parts(table: Table, entity: Entity, modifier: int = 0) -> Parts:
    """What is added to the healing die: Physique, the wounds, care, technology.

    toaster.4.heal-week, toaster.4.heal-medical-roll, toaster.4.heal-technology.
    """
    care = record(entity, "care")
    word = "long-term care" if care.get("kind") == LONG_TERM else "first aid"
    every = (
        health_part(table, entity),
        Part("wound" if wounds(entity) == 1 else "wounds", -wounds(entity)),
        Part(word, whole(care.get("bonus"))),
        Part("facilities", Options(table.options).healing_modifier),
        Part("this time", modifier),
    )
    return tuple(part for part in every if part.value or part is every[0])


def healed(entity: Entity, area: str = "") -> Entity:
    """Somebody with one wound fewer: of the area named, else where the most are.

    Who comes below five wounds by it is no longer mortally wounded.
    """
    rows: list[Facts] = [dict(row) for row in entity.state.get("wounds") or []]
    if not rows:
        return entity
    wanted = [row for row in rows if area and area_key(str(row.get("area") or "")) == area]
    worst = max(wanted or rows, key=lambda row: whole(row.get("n")))
    worst["n"] = whole(worst.get("n")) - 1
    after = become(entity, wounds=[row for row in rows if whole(row.get("n")) > 0])
    if condition(after) == MORTAL and wounds(after) < MORTAL_WOUNDS:
        up = UNCONSCIOUS if after.state.get("senseless") else AWAKE
        after = become(after, condition=up, mortality=None)
    return after if wounds(after) else become(after, bleeding={}, care=None, rested=0)


# ---------------------------------------------------------------- the roll


def areas(at: Here) -> list[str]:
    """Where the wounds are, where they are in several areas."""
    found = list(dict.fromkeys(one.area for one in wound_rows(at.me.entity) if one.area))
    return found if len(found) > 1 else []


def worst_area(at: Here) -> str:
    """The area with the most wounds, where there are several."""
    rows = wound_rows(at.me.entity)
    return max(areas(at), key=lambda area: sum(r.n for r in rows if r.area == area), default="")


class HealForm(LuckyForm):
    luck = LuckyForm.luck
    called = call_four("Call a 4", HEALING)
    area = pick(
        choices=lambda at: [(area, area.replace("-", " ")) for area in areas(at)],
        when=areas,
        default=worst_area,
    )

    def problems(self) -> Problems:
        if not self.at.me.wounds:
            words = f"{self.at.me.name} has no wounds to heal."
            yield Problem("", "toaster.4.heal-week", words)


@toaster.answer("healing", rolls=True)
def heal(at: At[HealForm]) -> None:
    at.me.check_known()
    preset = brought(at).get("modifier", 0)
    title = f"Healing roll for {at.me.name}"
    heal_roll.go_on(at, heal_roll.throw_first(at, title, preset=preset, area=at.form.area))


def throw(at: Here, modifier: int, called: bool) -> Outcome:
    """The die after a week, or a 4 that is called."""
    ext, bands = at.options.extended(HEALING), at.options.variable_outcomes
    roll = WORSE if bands or ext != PLAIN else HEALS
    return at.roll(roll(modifier, ext, called, bands), {"roll": at.me})


def settle(at: Here, waiting: Waiting, outcome: Outcome) -> End:
    """One wound fewer, or none, or by a fumble one more; and the care that was used up.

    toaster.4.heal-week, toaster.4.heal-week-example, toaster.4.heal-week-fumble,
    toaster.4.heal-first-aid-once, toaster.4.heal-long-term.
    """
    me, sentence = at.me, "No better this time."
    rules: Words = ()
    after = rest_used(at, outcome)
    resting: Any = after.state["rested"]
    if outcome.succeeds:
        after = healed(after, waiting.facts["area"])
        left = wounds(after)
        sentence = f"A wound heals: {left} left." if left else "The last wound has healed."
    elif outcome.fumble:
        blow = inflict(at.table, after, wounds=1, cause="fever")
        after = blow.after
        at.asks += blow.asks
        sentence = f"The wounds fester: {wounds(after)} now. {blow.seen}".strip()
        rules = ("toaster.4.heal-week-fumble",)
    me.become(after)
    if not at.asks and wounds(after) and resting >= next_interval(at.table, after):
        ask_healing(at, me, waiting.facts["preset"])
    return (sentence, outcome.band, outcome.succeeds, rules)


#: A wound that heals can do no better.
heal_roll = LuckyRoll(
    "healing_luck",
    "Luck on the healing roll",
    "toaster.4.heal-week",
    throw=throw,
    parts=lambda at, roll: healing_parts(at.table, at.me.entity, roll["preset"]),
    settle=settle,
    is_best=lambda outcome: outcome.succeeds,
)


def rest_used(at: Here, outcome: Outcome) -> Entity:
    """The roller after the days of rest that the roll took, and the care that it used up."""
    me = at.me.now
    care = record(me, "care")
    lasts = care.get("kind") == LONG_TERM and outcome.succeeds
    resting = max(0, whole(me.state.get("rested")) - next_interval(at.table, me))
    return become(me, rested=resting, care={**care, "early": 0} if lasts else None)


def ask_healing(at: Here, one: Person, modifier: int = 0) -> None:
    """The roll at the end of a week's rest waits for whose body it is."""
    at.ask(heal, of=one, modifier=modifier)
