"""The decision roll: stat, modifiers and exploding dice against the GM's target."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rules import EVERYONE, GM, whole
from kitchentable.rules.kit import Form, Problems, Roll, given, number, pick, rows, tick
from kitchentable.rules.kit import text as words
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import weigh
from kitchentable.rulesets.lucky_stars.claims import (
    Side,
    base_dice,
    claim,
    counted_in_words,
    forget,
    level_of,
    problems_of,
    said,
    stat_title,
    steps_for,
)
from kitchentable.rulesets.lucky_stars.laddered import in_words
from kitchentable.rulesets.lucky_stars.mechanics import Named
from kitchentable.rulesets.lucky_stars.options import BANDS, OWN_NUMBER, problem
from kitchentable.rulesets.lucky_stars.people import EMPTY, At, Here, Person, rolls, stars
from kitchentable.rulesets.lucky_stars.supplies import ask_for_supply, find_supply, within_reach

#: The GM's word that an impossible task may not be tried (stars.2.2.1-impossible-gate).
REFUSED = "no"

CHECK = Roll(mechanics.check, BANDS["check"], mechanics.grade_of)


@dataclass(frozen=True, slots=True)
class Target:
    """A target: its start, the adjustments by name, and the adjusted number.

    stars.2.1-base-and-adjusted.

    >>> Target(12, (("rain", 2), ("a map", -1))).final
    13
    """

    start: int
    adjustments: Named = ()

    @property
    def final(self) -> int:
        """The number to reach."""
        return self.start + sum(value for _, value in self.adjustments)

    def is_impossible(self, at: Here) -> bool:
        """Whether a task starts as impossible; adjustments do not count (S10).

        stars.2.2.1-impossible-gate, stars.2.2.1-adjusted-not-impossible.
        """
        return self.start >= at.options.impossible_from

    def in_words(self, at: Here) -> str:
        """The target in words: start by name, adjustments, and the number to reach."""
        said = f"Against {f'{self.start} {at.options.step_name(self.start)}'.strip()}"
        told = ", ".join(f"{value:+d} {what}".strip() for what, value in self.adjustments)
        return f"{said}; {told}: {self.final}." if told else f"{said}."

    def rules(self, at: Here, audience: str) -> tuple[str, ...]:
        """The rules of the target for the card, if everybody may know them."""
        if audience != EVERYONE:
            return ()
        if self.is_impossible(at):
            return ("stars.2.2.1-impossible-gate",)
        if self.final >= at.options.impossible_from:
            return ("stars.2.2.1-adjusted-not-impossible",)
        return ("stars.2.1-base-and-adjusted",) if self.adjustments else ()


def _is_kept(at: Here) -> bool:
    return at.options.target_shown != "before"


def _is_veiled(at: Here) -> bool:
    """Whether the target is hidden, and the other answers with it."""
    return _is_kept(at) or "target" in at.actor.hidden


class DecisionForm(Form):
    what = Side.what
    stat = Side.stat
    modifiers = Side.modifiers
    factors = Side.factors
    extra = Side.extra
    uses = pick(
        choices=lambda at: [("", "nothing"), *(one.choice(at.me) for one in within_reach(at))],
        when=within_reach,
    )
    times = number(when=uses)
    no_supplies = tick(when=uses)
    target = pick(
        choices=lambda at: (
            [(str(one.number), one.label) for one in at.options.steps]
            + [(OWN_NUMBER, "A number of its own")] * at.options.any_target
        ),
        hidden=_is_kept,
    )
    number = number(when=target.equals(OWN_NUMBER), hidden=_is_veiled)
    adjustments = rows(hidden=_is_veiled)
    allow = pick(
        when=lambda at: at.form.goal.is_impossible(at),
        hidden=_is_veiled,
    )
    announced = Side.announced
    dice = Side.dice
    level = level_of(
        "Advantage",
        help=lambda at: counted_in_words(
            (step for _, step in steps_for(at, at.me, at.form.factors))
        ),
    )

    @property
    def goal(self) -> Target:
        """The target. Errors: Unknown while it is not set or not visible."""
        start = self.number if self.target == OWN_NUMBER else int(self.target)
        changes = (
            (str(one.get("name") or ""), whole(one.get("value"))) for one in self.adjustments
        )
        return Target(start, tuple(changes))

    def sides(self) -> tuple[Person, ...]:
        """The roller."""
        return (self.at.me,)

    def problems(self) -> Problems:
        """Problems of modifiers that are no formulas, and of an Empty supply die."""
        yield from problems_of(self.at.me, self.modifiers, "modifiers.{}.value")
        supply = find_supply(self.at, self.uses)
        if supply is not None and supply.die == EMPTY and not self.no_supplies:
            yield problem("unusable", supply=supply)


@stars.move("decision", when=rolls, rolls=True)
def decision(at: At[DecisionForm]) -> None:
    form, me, goal, base = at.form, at.me, at.form.goal, base_dice(at)
    title = stat_title(at, form.stat)
    if goal.is_impossible(at) and at.answers.get("allow") == REFUSED:
        at.say(form.what)
        at.tell_as("not-allowed", title=title)
        forget(at, me)
        return
    bare = claim(at, me, "decision", said(form))
    counted = weigh(bare.counted)
    mine = bare.at_level(form.level, counted)
    level, thrown = mine.level, mine.party(base)
    even, final = bare.party(base), goal.final
    fell = at.roll(
        CHECK(thrown.dice, thrown.plus, thrown.extras, final),
        mine.dice,
        lambda _: in_words(even, level, final),
    )
    hidden = {"target", "number", "adjustments"} & at.actor.hidden
    audience = GM if hidden and at.options.target_shown != "after" else EVERYONE
    at.say(form.what)
    mine.weighed(at, "Weighed")
    if counted != level:
        at.say(f"{level}, by the GM's ruling; the count says {counted}.")
    elif level.steps:
        at.say(f"{level}.")
    at.say(goal.in_words(at), audience)
    if at.options.show_margin:  # stars.2.3-margin-style
        at.say(f"Margin {fell.total - final:+d}.", audience)
    if form.no_supplies and form.uses:
        at.say("No supplies are needed for it, the GM says.")
    level_rule = (level.rule,) if level.steps else ()
    rules = (*level_rule, *goal.rules(at, audience))
    at.tell_as(f"decision-{fell.grade}", rules=rules, title=title)
    mine.show(at, fell.total)
    forget(at, me)
    ask_what_happens(at, title)
    supply = find_supply(at, form.uses)
    if supply is not None and not form.no_supplies:
        ask_for_supply(at, supply, me, form.times)


# ---------------------------------------------------------------- the consequences


def ask_what_happens(at: Here, title: str) -> None:
    """Ask the GM for a sentence about the roll; a newer card replaces an older one.

    stars.2.3-describe.
    """
    if at.options.narrate:
        me, said = at.me, f"What happens? {at.me.name}: {title}"
        at.ask(telling, "", said, of=me, about=at.table.number + 1, name=me.name)


class TellingForm(Form):
    about = given(0)
    name = given("")
    text = words(story=True)


@stars.answer("telling")
def telling(at: At[TellingForm]) -> None:
    form = at.form
    at.tell_as("telling", about=form.about, name=form.name, text=form.text)
