"""Contests of two or more sides: the highest total wins; ties are thrown again."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import EVERYONE, GM
from kitchentable.rules.kit import (
    Each,
    Form,
    Problems,
    Roll,
    maybe_number,
    needs,
    several,
    somebody,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import Level, apart, share, weigh
from kitchentable.rulesets.lucky_stars.claims import (
    Claim,
    Side,
    base_dice,
    claim,
    forget,
    level_of,
    problems_of,
    said,
    stat_of,
    stat_title,
    steps_for,
)
from kitchentable.rulesets.lucky_stars.decisions import ask_what_happens
from kitchentable.rulesets.lucky_stars.options import BANDS, problem
from kitchentable.rulesets.lucky_stars.people import At, Here, Person, others, people, rolls, stars

_RULES = ("stars.4.1-contest", "stars.4.2-tie-contest")
#: The shared scale from one side's end to the other's (stars.3.3-shared-scale).
_SHARED = (2, 1, 0, -1, -2)

CONTEST = Roll(mechanics.contest, BANDS["contest"], mechanics.winner_of)
OF_MANY = Roll(mechanics.contest_of_many)


def _shared(at: Here) -> list[tuple[str, str]]:
    first, second = at.me, at.form.other
    return [(str(net), _in_words(first, second, apart(net))) for net in _SHARED]


def _in_words(first: Person, second: Person, levels: tuple[Level, Level]) -> str:
    both = zip(levels, (first, second), strict=True)
    return (
        ", ".join(f"{one} for {who.name}" for one, who in both if one.steps) or "Neutral for both"
    )


def _count(at: Here) -> str:
    form, other = at.form, at.form.other
    sides = ((at.me, form.factors), (other, form.other_factors))
    levels = share(*((step for _, step in steps_for(at, *one)) for one in sides))
    return f"Counted: {_in_words(at.me, other, levels)}."


def _alone(name: Any) -> Any:
    """The level of one side by itself, if the table allows a disadvantage (S5)."""
    return level_of(
        lambda at: f"{name(at)} alone",
        first="by the shared scale",
        when=lambda at: at.form.other and at.options.contest_disadvantage,
        rule="stars.3.3-no-dis",
    )


class ContestForm(Form):
    other = somebody(among=others, only=True)
    what = Side.what
    stat = Side.stat
    modifiers = Side.modifiers
    factors = Side.factors
    extra = Side.extra
    other_stat = stat_of(other, other.words("Stat of {}"))
    other_modifiers = Side.modifiers.having(label=other.words("Modifiers of {}"))
    other_factors = factors.having(label=other.words("What speaks for or against {}"))
    other_extra = Side.extra.having(label=other.words("Dice from elsewhere for {}"))
    announced = Side.announced
    dice = Side.dice
    level = level_of("Advantage", _shared, help=_count)
    first_level = _alone(lambda at: at.me.name)
    second_level = _alone(lambda at: at.form.other.name)

    def sides(self) -> tuple[Person, ...]:
        """The known ones of the two sides."""
        other = self.at.find(self.at.answers.get("other"))
        return (self.at.me,) if other is None else (self.at.me, other)

    def problems(self) -> Problems:
        """Problems of modifiers that are no formulas."""
        yield from problems_of(self.at.me, self.modifiers, "modifiers.{}.value")
        yield from problems_of(self.other, self.other_modifiers, "other_modifiers.{}.value")


@stars.move(
    "contest",
    when=(rolls, needs(others, "Nobody is there to contend with.")),
    rolls=True,
)
def contest(at: At[ContestForm]) -> None:
    form, me, other, base = at.form, at.me, at.form.other, base_dice(at)
    mine = claim(at, me, "first", said(form))
    theirs = claim(at, other, "second", said(form, "other_"), f" of {other.name}")
    counted = share(mine.counted, theirs.counted)
    on_scale = apart(int(form.level)) if form.level else counted
    mine = mine.at_level(form.first_level, on_scale[0])
    theirs = theirs.at_level(form.second_level, on_scale[1])
    levels = mine.level, theirs.level
    stands = _in_words(me, other, levels)
    fell = at.roll(
        CONTEST(mine.party(base), theirs.party(base)),
        {**mine.dice, **theirs.dice},
        f"{stands}. The higher total wins; a tie is thrown again.",
    )
    at.say(form.what)
    mine.weighed(at, me.name)
    theirs.weighed(at, other.name)
    ruling = f", by the GM's ruling; the count says {_in_words(me, other, counted)}."
    at.say(f"{stands}{'.' if counted == levels else ruling}")
    if fell.tied:
        ties = ", then ".join(f"{total} to {total}" for total in fell.tied)
        closed = me.is_closed or other.is_closed
        at.say(f"Thrown again after {ties}.", GM if closed else EVERYONE)
    rules = _RULES if fell.tied else _RULES[:1]
    if any(one.steps for one in levels):
        rules = (*rules, "stars.3.3-shared-scale", *(one.rule for one in levels if one.steps))
    title = f"{stat_title(at, form.stat)} against {other.name}"
    key, cites = f"contest-{fell.winner}", dict.fromkeys(rules)
    at.tell_as(key, rules=cites, of=(me, other), title=title, one=me.name, other=other.name)
    mine.show(at, fell.first)
    theirs.show(at, fell.second)
    forget(at, me, other)
    ask_what_happens(at, title)


# ---------------------------------------------------------------- three sides or more


def _in_it(at: Here) -> list[tuple[str, Person]]:
    return [(one.id, one) for one in at.form.who]


class ManyForm(Form):
    who = several(among=people)
    stat = Each(_in_it, lambda who: stat_of(lambda at: who, f"Stat of {who.name}", set_by=GM))
    plus = Each(
        _in_it,
        lambda who: maybe_number(
            f"Modifier of {who.name}",
            default=0,
            low=-99,
            high=99,
            set_by=GM,
            rule="stars.1-modifier",
        ),
        beside=stat,
    )
    extra = Each(
        _in_it,
        lambda who: Side.extra.having(label=f"Dice from elsewhere for {who.name}", set_by=GM),
        beside=stat,
    )
    level = Each(
        _in_it,
        lambda who: level_of(
            f"Advantage of {who.name}",
            help=lambda at: f"Counted: {weigh(step for _, step in steps_for(at, who))}.",
            rule="stars.3.2-start-neutral",
        ),
        beside=stat,
    )
    announced = Side.announced

    def sides(self) -> list[Person]:
        """All sides of the contest."""
        return self.who

    def claim(self, who: Person) -> Claim:
        """One side with stat, modifier, other dice and announced factors. Errors: Unknown."""
        key, plus = who.id, self.plus[who.id]
        adds = [{"name": "modifier", "value": str(plus)}] if plus else []
        brings = (self.stat[key], adds, (), self.extra[key])
        one = claim(self.at, who, key, brings, f" of {who.name}")
        return one.at_level(self.level[key], weigh(one.counted))

    def problems(self) -> Problems:
        """A problem for fewer than three sides."""
        if len(self.who) < 3:
            yield problem("two")


@stars.move(
    "contest_of_many",
    when=needs(people, "That takes three who can roll.", 3),
    rolls=True,
)
def contest_of_many(at: At[ManyForm]) -> None:
    form, here = at.form, at.form.who
    brought = [form.claim(one) for one in here]
    sides = tuple((one.label, one.party()) for one in brought)
    dice = {one.id: one for one in here}
    for each in brought:
        dice |= each.dice
    fell = at.roll(OF_MANY(sides), dice)
    totals = dict(fell)
    for each in brought:
        each.show(at, totals[each.label])
    used = (f"{stat_title(at, form.stat[one.label])}, {one.level}" for one in brought)
    at.say(f"Stats: {', '.join(used)}.")
    first = at.find(next(iter(totals)))
    hidden = GM if any(one.hidden for one in here) else EVERYONE
    winner = first.name if first else ""
    at.tell_as("contest-many", of=(), audience=hidden, winner=winner)
    forget(at, *here)
