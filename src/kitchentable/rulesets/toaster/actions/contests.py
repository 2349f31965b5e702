"""Opposed actions, rivals in parallel, races, and one throw against all onlookers.

A contest may wait for luck of those who are behind. Then its card is written, and a tie goes to the
GM. The kinds: "opposed", two or more against each other; "parallel", rivals who each need 10;
"race", opposed with a finishing order; "onlookers", one throw against each of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, prod
from typing import Any

from kitchentable.rules import EVERYONE, GM, listed, total
from kitchentable.rules.kit import (
    Each,
    Form,
    FormOf,
    Problems,
    Roll,
    Unknown,
    needs,
    pick,
    several,
    somebody,
    text,
)
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.actions.falling import ask_meaning
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.opposing import (
    ONLOOKERS,
    PARALLEL,
    RACE,
    Fallen,
    as_fallen,
    contest_throw,
    standing_words,
    swap_kept,
)
from kitchentable.rulesets.toaster.actions.sides import Gms, On, Own, Side, asked_side, skill_of
from kitchentable.rulesets.toaster.actions.tasks import opponents, what
from kitchentable.rulesets.toaster.actions.throws import (
    Thrown,
    plain_bands,
    show,
    tell_kept,
)
from kitchentable.rulesets.toaster.book import Words, problem
from kitchentable.rulesets.toaster.combat.turns import Counted, count
from kitchentable.rulesets.toaster.luck import AGAIN, Waiting, lucky, wait
from kitchentable.rulesets.toaster.mechanics.contests import NOBODY
from kitchentable.rulesets.toaster.mechanics.tasks import (
    CRITICAL,
    FAILURE,
    FUMBLE,
    TARGET,
    Outcome,
    task,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, able, person, toaster

# ---------------------------------------------------------------- two against each other


def _usual(at: Here) -> Words:
    """The skills that usually oppose the chosen one: Perception against Stealth.

    toaster.2.skill-act-vs-empathy, toaster.2.skill-stealth-opposed.
    """
    skill = at.form.mine.skill
    return (*hint(at.table, skill).against, skill) if skill else ()


def twice(first: Side, second: Side) -> str:
    """A warning if one disadvantage may be counted on both sides, or "".

    toaster.3.difficulty-opposed-one-side.
    """
    steps = [total(one.step()) for one in (first, second)]
    warning = "One disadvantage counts once: on the one side, or on the other."
    return warning if prod(steps) < 0 else ""


class ContestForm(Counted):
    """Two characters against each other, or in parallel."""

    other = somebody(among=opponents, only=True)
    what = what
    mine = asked_side(On)
    own = asked_side(Own)
    theirs = asked_side(
        On, other, "other_", label=other.words("{} on"), set_by="owner:other", proposed=_usual
    )
    their_own = asked_side(Own, other, "other_", set_by="owner:other")
    kind = pick()
    gms = asked_side(Gms, whose=lambda at: at.me.name)
    their_gms = asked_side(
        Gms,
        other,
        "other_",
        whose=other.words("{}"),
        warning=lambda at: twice(at.form.mine, at.form.theirs),
    )


@toaster.move(
    "contest", when=(able, needs(opponents, "There is nobody to contend with.")), rolls=True
)
def contest(at: At[ContestForm]) -> None:
    """Throw for both sides; the higher total wins. The opponent's owner has a say.

    Each side uses its own skill (toaster.3.opposed-skills, toaster.3.opposed-rolls), with the
    difficulties of any roll (toaster.3.difficulty-opposed-scale).
    """
    both = at.form.mine.throw("first"), at.form.theirs.throw("second")
    contend(
        at, at.form.kind, both if at.form.kind == PARALLEL else swap_kept(at, *both), at.form.what
    )
    count(at)


# ---------------------------------------------------------------- many

#: The usual throws of each kind: for the first side, and for the others.
_USUAL = {RACE: ("run", "run"), ONLOOKERS: ("sleight-of-hand", "perception")}


def _able(at: Here) -> list[Person]:
    return [one for one in at.present() if one.unable is None]


def _sides(at: Here) -> Iterator[tuple[str, tuple[Person, Words]]]:
    """All participants, with their usual skills."""
    usual = _USUAL.get(at.form.kind)
    for place, one in enumerate(at.form.order):
        yield one.id, (one, (usual[min(place, 1)],) if usual else ())


def _side(side: tuple[Person, Words]) -> FormOf[Side]:
    """The questions of a participant's side, with the suffix ".ID"."""
    one, usual = side
    return asked_side(
        Side,
        lambda at: one,
        suffix=f".{one.id}",
        label=f"{one.name} on",
        set_by=GM,
        whose=one.name,
        proposed=usual,
    )


class ManyForm(Form):
    """Three or more sides, races, rivals, and one throw against all onlookers."""

    kind = pick()
    who = several(among=_able)
    what = text()
    first = somebody(among=_able, when=kind.equals(ONLOOKERS))
    sides = Each(_sides, _side)

    @property
    def order(self) -> list[Person]:
        """The characters in the contest; the one whom onlookers watch is first."""
        first = [self.at.answers.get("first")] if self.kind == ONLOOKERS else []
        return list(dict.fromkeys([*self.at.people(first), *self.who]))

    def problems(self) -> Problems:
        if len(self.order) < 2:
            yield problem("two-at-least")


@toaster.move(
    "contest_of_many",
    when=needs(_able, "A contest needs two characters who can act.", 2),
    rolls=True,
)
def contest_of_many(at: At[ManyForm]) -> None:
    """Throw for everybody."""
    sides = at.form.sides
    if len(sides) < 2:
        raise Unknown("Choose at least two characters.")
    throws = tuple(side.throw(key) for key, side in sides.items())
    contend(at, at.form.kind, throws, at.form.what)


# ---------------------------------------------------------------- it falls


def contend(at: Here, kind: str, throws: Sequence[Thrown], what: str) -> None:
    """Make an opposed roll; those behind may spend luck, then those overtaken."""
    people = {one.label: person(at, one.entity) for one in throws}
    outcome = at.roll(contest_throw(at, kind, throws), people)
    about = {"what": what, "told_after": at.options.difficulty_shown == "after"}
    roll = as_fallen(at, kind, throws, outcome, about)
    for one, who in zip(throws, roll.people, strict=True):
        who.threw(one.luck, one.on)
    waiting = Waiting(
        _title(roll) if not any(one.hidden for one in roll.people) else "A contest",
        no_again=tuple(one.entity for one in roll.throws if one.called),
        used=roll.used,
        about=at.number,
    ).with_facts(roll.plain(), is_kept=not roll.is_open)
    if wait(at, contest_luck, _queued(at, waiting)):
        _tell(roll, told=False)
    else:
        _settle(at, waiting)


def _read(at: Here, waiting: Waiting) -> Fallen:
    return Fallen.read(at, waiting.facts, waiting.added, waiting.used)


def _queued(at: Here, waiting: Waiting) -> Waiting:
    """Queue those who are behind and may spend luck, with the text for the first.

    Points cannot improve a zero, but four of them throw it again (toaster.3.luck-after-zero).
    """
    roll = _read(at, waiting)
    behind = [
        one.entity
        for place, (one, who) in enumerate(zip(roll.throws, roll.people, strict=True))
        if _is_behind(roll, place)
        and who.id not in waiting.stood
        and who.luck_points >= (AGAIN if one.zero else 1)
    ]
    return replace(waiting, queue=tuple(behind), text=_text(roll, behind[0]) if behind else "")


def _is_behind(roll: Fallen, place: int) -> bool:
    """Whether a side has not won; an onlooker and the watched one against each other."""
    if roll.kind != ONLOOKERS:
        return roll.contest.winner != place
    leads, even = _leads(roll), _even(roll)
    return leads[place - 1] <= even if place else max(leads) >= -even


def _text(roll: Fallen, who: str) -> str:
    """The sentence for the first of those behind, without the secrets of others."""
    mine = roll.of(who)
    words = f"Your total is {mine.shown}{', as far as you know' if mine.kept else ''}."
    if roll.is_open:
        both = zip(roll.names, roll.throws, strict=True)
        others = listed(f"{name} has {one.final}" for name, one in both if one.entity != who)
        words = f"{words} {others}."
    return words if roll.at.options.luck_blind else f"{words} As it stands, you have not won."


@record
class Wins:
    """The outcome word of a die thrown again: success only from this total on."""

    least: int

    def __call__(self, fell: Outcome) -> str:
        return FAILURE if fell.succeeds and fell.total < self.least else fell.band


def _throw_again(at: Here, waiting: Waiting) -> Waiting:
    """Throw one side's die again, against the number it needs (toaster.3.luck-reroll).

    A lead that is a draw counts as a failure in the odds (toaster.3.marginal-opposed).
    """
    roll, me, ext = _read(at, waiting), at.me.id, at.options.extended()
    mine = roll.of(me)
    rivals = [one for one in roll.throws if one is not mine]
    if roll.kind == ONLOOKERS and mine is not roll.throws[0]:
        rivals = rivals[:1]  # onlookers do not affect each other
    to_beat, even = (
        max((one.final for one in rivals if not one.zero), default=-101) + 1,
        _even(roll),
    )
    if roll.kind == PARALLEL:
        to_beat, even = TARGET, 0
    again: Roll[..., Outcome] = Roll(task, plain_bands(ext), Wins(to_beat + even))
    dice = again(mine.modifier, ext, called=False, bands=False, target=to_beat, label=mine.label)
    outcome = at.roll(dice, {mine.label: at.me})
    throws = [one.fell(outcome) if one is mine else replace(one, added=0) for one in roll.throws]
    plain = replace(roll, throws=throws).plain()
    return replace(waiting.with_facts(plain), about=at.number)


def _settle(at: Here, waiting: Waiting) -> None:
    """Write the contest's card; ask the GM about a tie, critical or fumble."""
    roll = _read(at, waiting)
    _tell(roll, waiting.about if waiting.about != at.number else 0)
    if roll.kind == ONLOOKERS:
        return
    _ask_meaning(roll)
    if roll.contest.winner is not None or roll.contest.standing == NOBODY:
        return
    place, how = roll.by_default()
    if place is not None and at.card is not None:
        at.say(f"{roll.names[place]} wins: {how}.")
        rules = (*at.card.rules, "toaster.3.tiebreak-choice")
        at.card = replace(at.card, outcome="loses" if place else "wins", rules=rules)
    elif at.options.tiebreaker != "draw":
        roll.ask_tie(waiting.about)


contest_luck = lucky("contest_luck", again=_throw_again, queue=_queued)(_settle)


def _ask_meaning(roll: Fallen) -> None:
    """Ask the GM to reward the critical or play out the fumble, not both.

    The card takes the view of the players' characters (toaster.3.critical-once).
    """
    if roll.kind == PARALLEL or len(roll.throws) != 2:
        return
    every = zip(roll.people, roll.contest.bands, roll.throws, strict=True)
    found = [each for each in every if each[1] in {CRITICAL, FUMBLE}]
    found.sort(key=lambda each: not each[0].is_players)
    for one, band, throw in found[:1]:
        instead = f"{found[1][0].id}:{found[1][1]}" if len(found) > 1 else ""
        ask_meaning(roll.at, one, band, skill_of(throw.on), throw.name, instead=instead)


# ---------------------------------------------------------------- the card


def _tell(roll: Fallen, later: int = 0, *, told: bool = True) -> None:
    """Write the card of an opposed roll; `told` once it no longer waits for luck."""
    at, people = roll.at, roll.people
    in_bands = told and at.options.variable_outcomes
    bands = roll.contest.bands if in_bands else ("",) * len(people)
    at.say(roll.about.get("what", ""))
    told_after = told and roll.about.get("told_after")
    for one, throw, band in zip(people, roll.throws, bands, strict=True):
        show(at, throw, band)
        if throw.zero:
            second = "" if throw.kept else f", with {throw.second} on the second roll"
            at.say(f"A 0 for {one.name}, which fails{second}.", one.number_audience)
        tell_kept(at, throw, EVERYONE if told_after else GM)
    words, word, tone = _words(roll) if told else ("Waits for luck.", "", "plain")
    rules = ("toaster.3.opposed-rolls", *_rules(roll, told=told))
    at.tell(_title(roll), words, word, tone, rules, of=people, about=later)


def _title(roll: Fallen) -> str:
    names = listed(dict.fromkeys(one.name for one in roll.throws))
    if roll.kind == RACE:
        return f"A race: {names}"
    if len(roll.people) == 2:
        return f"{roll.throws[0].name} against {roll.names[1]}"
    return f"{'Side by side' if roll.kind == PARALLEL else 'A contest'}: {names}"


def _words(roll: Fallen) -> tuple[str, str, str]:
    """Sentence, word and tone; also adds lines for a race's order or unsure onlookers."""
    contest = roll.contest
    if roll.kind == ONLOOKERS:
        return _noticed(roll)
    if roll.kind == RACE:
        roll.at.say(f"At the end: {', '.join(order_of(roll))}.")
    words = standing_words(contest, roll.names)
    if contest.winner is None:
        return words, contest.standing, "plain"
    return (words, "wins", "good") if contest.winner == 0 else (words, "loses", "bad")


def order_of(roll: Fallen) -> list[str]:
    """The finishing order of a race, best total first; equal totals share a place.

    toaster.2.skill-run-race, toaster.2.skill-swim-race.
    """
    totals = [one.worth for one in roll.throws]
    places: dict[Any, list[str]] = {worth: [] for worth in sorted(totals, reverse=True)}
    for name, worth in zip(roll.names, totals, strict=True):
        places[worth].append(name)
    return [f"{place}. {listed(equal)}" for place, equal in enumerate(places.values(), 1)]


def _leads(roll: Fallen) -> list[float]:
    """Each onlooker's lead over the watched character."""
    mine, *others = roll.throws
    ahead = inf if mine.zero else -mine.final
    return [-inf if one.zero else one.final + ahead for one in others]


def _even(roll: Fallen) -> int:
    """The largest lead that decides nothing (toaster.3.marginal-opposed)."""
    return int(roll.at.options.variable_outcomes)


def _noticed(roll: Fallen) -> tuple[str, str, str]:
    """The result against onlookers: who notices, and who is not sure.

    toaster.2.skill-sleight-opposed.
    """
    leads, even = [*zip(roll.names[1:], _leads(roll), strict=True)], _even(roll)
    noticed = [name for name, lead in leads if lead > even]
    unsure = listed(name for name, lead in leads if abs(lead) <= even)
    roll.at.say(f"It is even for {unsure}; the GM says." if unsure else "")
    if not noticed:
        return "Nobody notices.", "unnoticed", "good"
    verb = "notices" if len(noticed) == 1 else "notice"
    return f"{listed(noticed)} {verb}.", "noticed", "bad"


def _rules(roll: Fallen, *, told: bool) -> Iterator[str]:
    if roll.kind == ONLOOKERS:
        yield "toaster.2.skill-sleight-opposed"
        return
    by_kind = {PARALLEL: "toaster.3.parallel-contest", RACE: "toaster.2.skill-run-race"}
    yield by_kind.get(roll.kind, "toaster.3.opposed-highest")
    if not told:
        return
    if any(roll.contest.zeros):
        yield "toaster.3.zeros-opposed"
    if roll.at.options.variable_outcomes and len(roll.throws) == 2:
        yield "toaster.3.vo-opposed-mirror"
    if roll.contest.standing == "draw":
        yield "toaster.3.marginal-opposed"
    if roll.contest.standing == "tie":
        yield "toaster.3.opposed-tie"
