"""Two in each other's way, rivals side by side, races, and one throw against all who look on.

A contest that has fallen may wait for luck of those who are behind; then it is told, and a tie
goes to the GM. The kinds: "opposed", two or many against each other; "parallel", rivals who each
need 10; "race", opposed with an order at the end; "onlookers", one throw against each of the
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

from kitchentable.rules import EVERYONE, GM, Problem, listed
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
from kitchentable.rulesets.toaster.actions.falling import ask_meaning
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.opposing import (
    ONLOOKERS,
    PARALLEL,
    RACE,
    Fallen,
    ask_tie,
    by_default,
    contest_throw,
    fallen,
    judged,
    standing_words,
    turned,
)
from kitchentable.rulesets.toaster.actions.sides import Gms, On, Own, skill_of
from kitchentable.rulesets.toaster.actions.tasks import cannot_act, opponents, what
from kitchentable.rulesets.toaster.actions.throws import (
    Thrown,
    band_of,
    plain_bands,
    show,
    tell_kept,
)
from kitchentable.rulesets.toaster.actions.totals import Side, asked_side
from kitchentable.rulesets.toaster.book import Row, Words
from kitchentable.rulesets.toaster.combat.turns import Counted, count
from kitchentable.rulesets.toaster.luck import AGAIN, Waiting, lucky, wait
from kitchentable.rulesets.toaster.mechanics.contests import NOBODY, Contest
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FUMBLE, TARGET, Outcome, task
from kitchentable.rulesets.toaster.people import At, Here, Person, able, person, present, toaster

# ---------------------------------------------------------------- two against each other


def _usual(at: Here) -> Words:
    """The skill that usually meets the one that was picked: Perception against Stealth.

    toaster.2.skill-act-vs-empathy, toaster.2.skill-stealth-opposed.
    """
    skill = at.form.mine.skill
    return (*hint(at.table, skill).against, skill) if skill else ()


def twice(first: Side, second: Side) -> str:
    """A warning where one disadvantage may have been counted on both sides; "" where not.

    toaster.3.difficulty-opposed-one-side.
    """
    steps = [sum(part.value for part in one.step()) for one in (first, second)]
    warning = "One disadvantage counts once: on the one side, or on the other."
    return warning if prod(steps) < 0 else ""


class ContestForm(Counted):
    """Two against each other, or side by side."""

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

    def problems(self) -> Problems:
        yield from cannot_act(self.at.me)
        yield from self.mine.check()
        yield from cannot_act(self.other)
        yield from self.theirs.check("other_luck")
        yield from super().problems()


@toaster.move(
    "contest", when=(able, needs(opponents, "Nobody is there to contend with.")), rolls=True
)
def contest(at: At[ContestForm]) -> None:
    """Both throw, and the higher total wins; the other's owner has a say.

    Each on a skill of its own (toaster.3.opposed-skills, toaster.3.opposed-rolls), with the
    difficulties of any roll (toaster.3.difficulty-opposed-scale).
    """
    both = at.form.mine.throw("first"), at.form.theirs.throw("second")
    contend(at, at.form.kind, both if at.form.kind == PARALLEL else turned(at, *both), at.form.what)
    count(at)


# ---------------------------------------------------------------- many

#: Usual throws in each kind: of whoever begins, and of the others.
_USUAL = {RACE: ("run", "run"), ONLOOKERS: ("sleight-of-hand", "perception")}


def _able(at: Here) -> list[Person]:
    return [one for one in present(at) if one.unable is None]


def _sides(at: Here) -> Iterator[tuple[str, tuple[Person, Words]]]:
    """Everybody who takes part, with the skills that are usual for them."""
    usual = _USUAL.get(at.form.kind)
    for place, one in enumerate(at.form.order):
        yield one.id, (one, (usual[min(place, 1)],) if usual else ())


def _side(side: tuple[Person, Words]) -> FormOf[Side]:
    """The questions of somebody's side, under "....ID"."""
    one, usual = side
    about: Row = {
        "label": f"{one.name} on",
        "set_by": GM,
        "whose": one.name,
        "proposed": usual,
    }
    return asked_side(Side, lambda at: one, suffix=f".{one.id}", **about)


class ManyForm(Form):
    """Three sides or more, races, rivals, and one throw against everybody who looks on."""

    kind = pick()
    who = several(among=_able)
    what = text()
    first = somebody(among=_able, when=kind.equals(ONLOOKERS))
    sides = Each(_sides, _side)

    @property
    def order(self) -> list[Person]:
        """Those who take part; who is watched by the others comes first."""
        first = self.at.find(self.at.answers.get("first"))
        looked_at = [first] if self.kind == ONLOOKERS and first is not None else []
        return list(dict.fromkeys([*looked_at, *self.who]))

    def problems(self) -> Problems:
        if len(self.order) < 2:
            yield Problem("who", "toaster.3.opposed-multi", "That takes two at least.")
            return
        for key, side in self.sides.items():
            yield from side.check(f"luck.{key}")


@toaster.move(
    "contest_of_many",
    when=needs(_able, "That takes two who can act.", 2),
    rolls=True,
)
def contest_of_many(at: At[ManyForm]) -> None:
    """Everybody throws at once."""
    sides = at.form.sides
    if len(sides) < 2:
        raise Unknown("Two have to be picked at least.")
    throws = tuple(side.throw(key) for key, side in sides.items())
    contend(at, at.form.kind, throws, at.form.what)


# ---------------------------------------------------------------- it falls


def contend(at: Here, kind: str, throws: tuple[Thrown, ...], what: str) -> None:
    """An opposed roll. Whoever is behind may spend luck first; then whoever has been overtaken."""
    people = {one.label: person(at, one.entity) for one in throws}
    outcome = at.roll(contest_throw(at, kind, throws), people)
    about = {"what": what, "told_after": at.options.difficulty_shown == "after"}
    roll = fallen(kind, throws, outcome, about)
    for one in throws:
        people[one.label].pay(one.luck)
        people[one.label].acted()
        people[one.label].note_use(one.on)
    plain, is_open = roll.plain(), roll.is_open(at)
    waiting = Waiting(
        " against ".join(one.name for one in roll.throws[:2]),
        roll=plain if is_open else {},
        kept={} if is_open else plain,
        no_again=tuple(one.entity for one in roll.throws if one.called),
        used=roll.used,
        about=at.table.number + 1,
    )
    if wait(at, contest_luck, _queued(at, waiting)):
        _tell(at, roll, None)
    else:
        _settle(at, waiting)


def _read(waiting: Waiting) -> Fallen:
    if not waiting.facts:
        raise Unknown("The GM keeps this roll.")
    return Fallen.read(waiting.facts, waiting.added, waiting.used)


def _queued(at: Here, waiting: Waiting) -> Waiting:
    """Those who are behind and may still do something about it, and what they are told.

    Of a zero points make nothing, but four throw it again (toaster.3.luck-after-zero).
    """
    roll = _read(waiting)
    contest = judged(at, roll)
    behind = [
        one
        for place, one in enumerate(roll.throws)
        if contest.winner != place
        and one.entity not in waiting.stood
        and person(at, one.entity).luck_points >= (AGAIN if one.zero else 1)
        and not (one.zero and one.called)
    ]
    text = _text(at, roll, behind[0].entity) if behind else ""
    return replace(waiting, queue=tuple(one.entity for one in behind), text=text)


def _text(at: Here, roll: Fallen, who: str) -> str:
    """What the first of those who are behind is told; nothing of what others keep."""
    mine = next(one for one in roll.throws if one.entity == who)
    words = f"Your total is {mine.shown}{', as far as you know' if mine.kept else ''}."
    if roll.is_open(at):
        others = [one for one in roll.throws if one.entity != who]
        told = listed(f"{person(at, one.entity).name} has {one.final}" for one in others)
        words = f"{words} {told}."
    return words if at.options.luck_blind else f"{words} As it stands, you have not won."


def _again(at: Here, waiting: Waiting) -> Waiting:
    """One side's die again, against what it has to beat (toaster.3.luck-reroll)."""
    roll, me, ext = _read(waiting), at.me.id, at.options.extended()
    mine = next(one for one in roll.throws if one.entity == me)
    others = (one.final for one in roll.throws if one.entity != me and not one.zero)
    to_beat = max(others, default=-101) + 1
    again: Roll[..., Outcome] = Roll(task, plain_bands(ext), band_of)
    target = TARGET if roll.kind == PARALLEL else to_beat
    dice = again(mine.modifier, ext, called=False, bands=False, target=target, label=mine.label)
    outcome = at.roll(dice, {mine.label: at.me})
    throws = tuple(
        one.fell(outcome) if one is mine else replace(one, added=0) for one in roll.throws
    )
    plain = replace(roll, throws=throws).plain()
    return replace(waiting.with_facts(plain), about=at.table.number + 1)


def _settle(at: Here, waiting: Waiting) -> None:
    """The contest is told, and the GM is asked about a tie, a critical or a fumble."""
    roll = _read(waiting)
    contest = judged(at, roll)
    is_later = waiting.about != at.table.number + 1
    _tell(at, roll, contest, waiting.about if is_later else 0)
    if roll.kind == ONLOOKERS:
        return
    _ask_meaning(at, roll, contest)
    if contest.winner is not None or contest.standing == NOBODY:
        return
    place, how = by_default(at, roll, contest)
    if place is not None and at.card is not None:
        at.say(f"{person(at, roll.throws[place].entity).name} wins: {how}.")
        rules = (*at.card.rules, "toaster.3.tiebreak-choice")
        at.card = replace(at.card, outcome="loses" if place else "wins", rules=rules)
    elif at.options.tiebreaker != "draw":
        ask_tie(at, roll, contest, waiting.about)


contest_luck = lucky("contest_luck", "Luck in a contest", again=_again, queue=_queued)(_settle)


def _ask_meaning(at: Here, roll: Fallen, contest: Contest) -> None:
    """One card for the GM: the critical is rewarded or the fumble is played out, not both.

    It is put from the side of the players' characters (toaster.3.critical-once).
    """
    if roll.kind == PARALLEL or len(roll.throws) != 2:
        return
    both = zip(roll.throws, contest.bands, strict=True)
    found = [
        (person(at, one.entity), band, one) for one, band in both if band in {CRITICAL, FUMBLE}
    ]
    found.sort(key=lambda each: not each[0].is_players)
    for one, band, throw in found[:1]:
        instead = f"{found[1][0].id}:{found[1][1]}" if len(found) > 1 else ""
        ask_meaning(at, one, band, skill_of(throw.on), throw.name, instead=instead)


# ---------------------------------------------------------------- the card


def _tell(at: Here, roll: Fallen, contest: Contest | None, later: int = 0) -> None:
    """The card of an opposed roll; without what it came to, of one that still waits for luck."""
    people: list[Person] = [person(at, one.entity) for one in roll.throws]
    in_bands = contest is not None and at.options.variable_outcomes
    bands = contest.bands if contest is not None and in_bands else ("",) * len(people)
    at.say(roll.about.get("what", ""))
    told_after = contest is not None and roll.about.get("told_after")
    for one, throw, band in zip(people, roll.throws, bands, strict=True):
        show(at, throw, band)
        if throw.zero:
            second = "" if throw.kept else f", with {throw.second} on the second roll"
            at.say(f"A 0 for {one.name}, which fails{second}.", one.number_audience)
        tell_kept(at, throw, EVERYONE if told_after else GM)
    words, word, tone = "Waits for luck.", "", "plain"
    if contest is not None:
        words, word, tone = _words(at, roll, contest, [one.name for one in people])
    rules = ("toaster.3.opposed-rolls", *_rules(at, roll, contest))
    at.tell(_title(roll, people), words, word, tone, rules, of=people, about=later)


def _title(roll: Fallen, people: list[Person]) -> str:
    names = list(dict.fromkeys(one.name for one in roll.throws))
    if roll.kind == RACE:
        return f"A race: {listed(names)}"
    if len(people) == 2:
        return f"{roll.throws[0].name} against {people[1].name}"
    return f"{'Side by side' if roll.kind == PARALLEL else 'A contest'}: {listed(names)}"


def _words(at: Here, roll: Fallen, contest: Contest, names: list[str]) -> tuple[str, str, str]:
    """Sentence, word and tone; and the lines of a race's order and of who is not sure."""
    if roll.kind == ONLOOKERS:
        return _noticed(at, roll, names)
    if roll.kind == RACE:
        at.say(f"At the end: {', '.join(order_of(roll, names))}.")
    words = standing_words(contest, names)
    if contest.winner is None:
        return words, contest.standing, "plain"
    return (words, "wins", "good") if contest.winner == 0 else (words, "loses", "bad")


def order_of(roll: Fallen, names: list[str]) -> list[str]:
    """Who comes in when, best total first; who is equal comes in together.

    toaster.2.skill-run-race, toaster.2.skill-swim-race.
    """
    totals = [(not one.zero, one.final) for one in roll.throws]
    places: dict[Any, list[str]] = {worth: [] for worth in sorted(totals, reverse=True)}
    for name, worth in zip(names, totals, strict=True):
        places[worth].append(name)
    return [f"{place}. {listed(equal)}" for place, equal in enumerate(places.values(), 1)]


def _noticed(at: Here, roll: Fallen, names: list[str]) -> tuple[str, str, str]:
    """One throw against each onlooker's: who notices, and who is not sure.

    toaster.2.skill-sleight-opposed.
    """
    mine, *others = [(not one.zero, one.final) for one in roll.throws]
    seen = [(name, one) for name, one in zip(names[1:], others, strict=True) if one[0]]
    noticed = [name for name, one in seen if one > mine]
    unsure = [name for name, one in seen if one == mine]
    at.say(f"It is even for {listed(unsure)}; the GM says." if unsure else "")
    if not noticed:
        return "Nobody notices.", "unnoticed", "good"
    verb = "notices" if len(noticed) == 1 else "notice"
    return f"{listed(noticed)} {verb}.", "noticed", "bad"


def _rules(at: Here, roll: Fallen, contest: Contest | None) -> Iterator[str]:
    if roll.kind == ONLOOKERS:
        yield "toaster.2.skill-sleight-opposed"
        return
    by_kind = {PARALLEL: "toaster.3.parallel-contest", RACE: "toaster.2.skill-run-race"}
    yield by_kind.get(roll.kind, "toaster.3.opposed-highest")
    if contest is None:
        return
    if any(contest.zeros):
        yield "toaster.3.zeros-opposed"
    if at.options.variable_outcomes and len(roll.throws) == 2:
        yield "toaster.3.vo-opposed-mirror"
    if contest.standing == "draw":
        yield "toaster.3.marginal-opposed"
    if contest.standing == "tie":
        yield "toaster.3.opposed-tie"
