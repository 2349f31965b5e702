"""Rolls of one character against 10: luck afterwards, the card, and the GM's interpretation.

Tasks, called rolls and work together all use this module. The GM's answer can forbid another
attempt, call for a further roll, create a lasting bonus, or tone down a fumble or a critical.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import EVERYONE, GM, Part, fresh, plural, worth
from kitchentable.rules.kit import Form, Problems, Values, given, number, pick, tick
from kitchentable.rules.kit import text as words_of
from kitchentable.rulesets.toaster.actions import throws
from kitchentable.rulesets.toaster.actions.hints import Outlook, hint, ideas
from kitchentable.rulesets.toaster.actions.sides import Own, asked_side, on_choices, skill_of
from kitchentable.rulesets.toaster.actions.throws import (
    Thrown,
    against_10,
    outcome_row,
    read_thrown,
    show,
    tell_kept,
)
from kitchentable.rulesets.toaster.book import Facts, Record, Row, Words, problem
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.luck import AGAIN, Waiting, lucky, wait
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FAILURE, FUMBLE, MARGINAL
from kitchentable.rulesets.toaster.people import At, Here, Person, person, toaster

# ---------------------------------------------------------------- luck, and the card


def fall(at: Here, throw: Thrown, about: Values, *, may_throw_again: bool = True) -> None:
    """Let the owner spend luck on a roll, or settle it immediately.

    `about` holds further facts for the card; "gm_only" means that a hidden character was involved.
    Luck spent in advance is gone in any case; after a zero it also counted in the second roll
    (toaster.3.luck-before-zero).
    """
    one = person(at, throw.entity)
    one.threw(throw.luck, throw.on)
    plain: Facts = {"throw": throw.plain(), "about": dict(about)}
    waiting = Waiting(
        throw.name,
        queue=(one.id,),
        used={one.id: throw.luck} if throw.luck else {},
        no_again=() if may_throw_again and not throw.called else (one.id,),
        about=at.number,
    ).with_facts(plain, is_kept=bool(throw.kept or about.get("gm_only")))
    waits = (may_throw_again or not throw.zero) and _can_better(at, throw, one.luck_points)
    if waits and wait(at, task_luck, replace(waiting, text=_hint(at, throw))):
        _tell(at, throw, about)
    else:
        _settle(at, waiting)


def _read(waiting: Waiting) -> tuple[Thrown, Row]:
    facts = waiting.facts
    plain = facts["throw"]
    return read_thrown(plain, waiting.added.get(plain["entity"], 0)), facts["about"]


def _hint(at: Here, throw: Thrown) -> str:
    """The owner's hint: the public total, and the outcome so far.

    toaster.3.luck-after-blind.
    """
    text = f"The total is {throw.shown}{', as far as you know' if throw.kept else ''}."
    return text if at.options.luck_blind else f"{text} As it stands: {throw.outcome(at).band}."


def _can_better(at: Here, throw: Thrown, left: int) -> bool:
    """Whether this many points could still change a relevant outcome."""
    if throw.zero:
        return left >= AGAIN
    best = "critical" if at.options.variable_outcomes else "success"
    return left > 0 and (at.options.luck_blind or throw.outcome(at).band != best)


def _throw_again(at: Here, waiting: Waiting) -> Waiting:
    """Throw the same roll again for four points; luck spent in advance still counts.

    toaster.3.luck-reroll, toaster.3.luck-mixing.
    """
    throw, about = _read(waiting)
    throw = against_10(at, throw)
    better = _can_better(at, throw, at.me.luck_points - AGAIN)
    waiting = waiting.with_facts({"throw": throw.plain(), "about": about})
    return replace(
        waiting,
        queue=waiting.queue if better else (),
        text=_hint(at, throw),
        about=at.number,
    )


def _settle(at: Here, waiting: Waiting) -> None:
    """Write the card of a roll, and ask the GM for its meaning if needed."""
    throw, about = _read(waiting)
    later = waiting.about if waiting.about != at.number else 0
    outcome = throw.outcome(at)
    _tell(at, throw, about, told=True, later=later)
    ask_meaning(at, person(at, throw.entity), outcome.band, skill_of(throw.on), throw.name)


task_luck = lucky("task_luck", again=_throw_again)(_settle)


def _tell(at: Here, throw: Thrown, about: Record, *, told: bool = False, later: int = 0) -> None:
    """The card of a roll; `told` once it no longer waits for luck."""
    outcome, one = throw.outcome(at), person(at, throw.entity)
    show(at, throw)
    at.say(about.get("what", ""))
    if throw.zero:
        second = f", with {throw.second}," if not throw.kept else ""
        words = "A 0 fails; the second roll{} says whether it is a fumble."
        at.say(words.format("" if one.is_closed else second))
        at.say(f"The second roll makes {throw.second}." if one.is_closed else "", GM)
    tell_kept(at, throw, EVERYONE if told and about.get("told_after") else GM)
    words, word, tone = "Waits for luck.", "", "plain"
    rules: Words = ("toaster.3.luck-after-plus1",)
    if told:
        kind = "quality" if about.get("quality") else "sentence"
        words, word, tone, rules = throws.outcome_words(at, outcome, kind)
    at.tell(
        throw.name, words, word, tone, ("toaster.3.unopposed-order", *rules),
        of=(one,), about=later, audience=GM if about.get("gm_only") else "",
    )  # fmt: skip


# ---------------------------------------------------------------- what it means

_LOWER = {FUMBLE: FAILURE, CRITICAL: "success"}


def ask_meaning(
    at: Here, one: Person, band: str, skill: str, name: str, *, kind: str = "", instead: str = ""
) -> None:
    """Ask the GM for the meaning of an outcome that needs one.

    Fumbles, marginal results and criticals always ask. Failures ask if the skill has its own
    failures (toaster.2.skill-climb-failure) or by option. `kind` is "luck" for a luck roll, which
    has its own ideas. `instead` is "ID:fumble" or "ID:critical": the outcome of a contest's other
    side that may be played out instead (toaster.3.critical-once).
    """
    asks, known = at.options.outcome_prompts, hint(at.table, skill)
    wanted = {FUMBLE, MARGINAL, CRITICAL}
    if asks == "all" or known.failure or kind:
        wanted.add(FAILURE)
    found = outcome_row(at, band)
    if asks == "none" or band not in wanted or not found:
        return
    own = (known.failure_rule,) if known.failure_rule and band in {FAILURE, FUMBLE} else ()
    at.ask(
        meaning, "", f"{found['name']}: {one.name}, {name}", found["question"],
        of=one, rules=(found["rule"], *own),
        about=at.number, band=band, skill=skill, name=name, kind=kind, instead=instead,
    )  # fmt: skip


def _failed(at: Here) -> bool:
    return at.form.played in {FAILURE, FUMBLE} and not at.form.kind


def _outlooks(at: Here) -> tuple[Outlook, ...]:
    """The failures specific to the skill."""
    return hint(at.table, at.form.of_skill).failure if _failed(at) else ()


def _rule(at: Here) -> str:
    return str(outcome_row(at, at.form.played).get("rule") or "")


def _examples(at: Here) -> str:
    found = ideas(at.table, f"{at.form.kind} {at.form.played}".strip())
    return f"For instance: {'; '.join(found)}." if found else ""


class MeaningForm(Form):
    """The GM's account of an outcome: story, consequences, and whether it counts for less."""

    at: Here

    about = given(0)
    band = given("")
    skill = given("")
    name = given("")
    kind = given("")
    instead = given("")

    swap = tick(
        lambda at: f"Play out the {at.form.other_band} of {at.form.other.name} instead",
        when=lambda at: at.form.other,
    )
    text = words_of(story=True, help=_examples, rule=_rule)
    follows = pick(
        choices=lambda at: [
            ("", "Something else"),
            *((one.key, one.name) for one in _outlooks(at)),
        ],
        when=_outlooks,
        rule=lambda at: (
            hint(at.table, at.form.of_skill).failure_rule or "toaster.3.failure-meaning"
        ),
    )
    retry = pick(when=_failed)
    bonus = number(when=lambda at: at.form.played == CRITICAL and (not at.form.kind))
    bonus_name = words_of(when=lambda at: at.form.bonus)
    days = number(when=lambda at: at.form.bonus)
    roll = pick(choices=lambda at: (("", "None"), *on_choices(at, None)))
    modifier = number(when=lambda at: at.form.further)
    temper = tick(
        when=lambda at: at.form.played in _LOWER,
        help=lambda at: f"It counts as no more than a {_LOWER[at.form.played]}.",
    )

    @property
    def other(self) -> Person | None:
        """The other side of a contest, if its outcome may be played out instead."""
        return self.at.find(self.instead.partition(":")[0])

    @property
    def other_band(self) -> str:
        """The outcome of the other side."""
        return self.instead.partition(":")[2]

    @property
    def is_swapped(self) -> bool:
        """Whether the other side's outcome is played out; only one of critical and fumble is."""
        return self.swap and self.other is not None

    @property
    def played(self) -> str:
        """The outcome to play out."""
        return self.other_band if self.is_swapped else self.band

    @property
    def of_skill(self) -> str:
        """The skill of the outcome to play out, or "" for the other side's."""
        return "" if self.is_swapped else self.skill

    @property
    def further(self) -> str:
        """The skill or attribute of a further roll: the GM's choice, or the chosen failure's."""
        picked = [one.roll for one in _outlooks(self.at) if one.key == self.follows]
        return self.roll or next(iter(picked), "")

    def problems(self) -> Problems:
        if self.temper and self.bonus:
            yield problem("temper-bonus")


_RETRY = {
    "yes": "It may be tried again.",
    "no": "It cannot be tried again.",
    "otherwise": "Another way may be tried, not this one.",
}


@toaster.answer("meaning")
def meaning(at: At[MeaningForm]) -> None:
    form, band = at.form, at.form.played
    one = form.other or at.me if form.is_swapped else at.me
    for outlook in _outlooks(at):
        at.say(outlook.name if outlook.key == form.follows else "")
    at.say(_RETRY.get(form.retry, ""))
    if form.bonus:
        skill = form.of_skill.partition(":")[0]
        until = at.table.day + form.days
        boon = {"name": form.bonus_name, "value": form.bonus, "skill": skill, "until": until}
        at.write(("own", "boons", fresh(at.table, "boon")), boon)
        where = f" on {skill_name(at.table, skill)}" if skill else ""
        days = plural(form.days, "day")
        at.say(f"{form.bonus_name}: {form.bonus:+d}{where} for {days}.")
    if form.temper:
        at.say(f"Played down: it counts as a {_LOWER[band]}.")
    cited = (
        (True, _rule(at)),
        (form.retry, "toaster.3.failure-retry"),
        (form.temper, "toaster.3.critical-temper"),
        (form.instead, "toaster.3.critical-once"),
        (form.follows, hint(at.table, form.of_skill).failure_rule),
    )
    at.tell(
        f"{one.name}, {form.name}", form.text, _LOWER[band] if form.temper else band,
        rules=[rule for said, rule in cited if said and rule],
        of=(one,), about=form.about,
    )  # fmt: skip
    if form.further:
        facts: Any = {"on": form.further, "modifier": form.modifier, "why": form.name}
        at.ask(called_roll, of=one, **facts, about=at.number)


# ---------------------------------------------------------------- a further roll


class CalledForm(Form):
    """A roll called for by the GM, on the skill or attribute named by its card."""

    modifier = given(0)
    why = given("")
    own = asked_side(Own)


@toaster.answer("called_roll", rolls=True)
def called_roll(at: At[CalledForm]) -> None:
    throw = at.form.own.throw()
    called_for = worth(Part("as called for", at.form.modifier))
    throw = against_10(at, replace(throw, open=(*throw.open, *called_for)))
    fall(at, throw, {"what": at.form.why, "quality": False, "told_after": False})
