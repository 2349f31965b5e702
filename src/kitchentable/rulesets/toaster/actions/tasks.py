"""Unopposed actions: the need for a roll, the roll against 10, and work together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import Choice, Part, listed, plural, with_stop
from kitchentable.rules.kit import (
    Input,
    Problems,
    Roll,
    Unknown,
    maybe_number,
    needs,
    pick,
    several,
    text,
    tick,
)
from kitchentable.rulesets.toaster.actions import throws
from kitchentable.rulesets.toaster.actions.falling import fall
from kitchentable.rulesets.toaster.actions.hints import Use
from kitchentable.rulesets.toaster.actions.sides import (
    Gms,
    On,
    Own,
    Side,
    Within,
    asked_side,
    hint_of,
    side_of,
)
from kitchentable.rulesets.toaster.actions.throws import Thrown, against_10
from kitchentable.rulesets.toaster.book import Choices, Row, problem
from kitchentable.rulesets.toaster.character.checks import teaching_problems
from kitchentable.rulesets.toaster.character.listing import key_of, members, names_of, skill_name
from kitchentable.rulesets.toaster.combat.turns import Counted, count
from kitchentable.rulesets.toaster.luck import BEFORE
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, together
from kitchentable.rulesets.toaster.people import At, Here, Person, able, toaster

RULES, ROLL, ROUTINE, AUTOMATIC, IMPOSSIBLE = "rules", "roll", "routine", "automatic", "impossible"
LANGUAGE, STUDENT = "language", "student"

what = text("What do you do?", optional=True, longest=400)


def opponents(at: Here) -> list[Person]:
    """All other characters who are visible and can act."""
    return [one for one in at.others() if one.unable is None]


# ---------------------------------------------------------------- what a skill needs


def _uses(at: Here) -> tuple[Use, ...]:
    """The uses of the skill with different rules."""
    return hint_of(at).uses


def _needs(at: Here) -> str:
    """The additional need of a skill: "language", "student", or ""."""
    return hint_of(at).needs if at.me.is_known else ""


def _languages(at: Here) -> Choices:
    """The languages that the character speaks, and those in the table."""
    mine = (one for one in at.me.skills if one.key.startswith(f"{LANGUAGE}:"))
    own = {one.key: Choice(one.key, one.in_short) for one in mine}
    listed = (key_of(LANGUAGE, one) for one in members(at.table, LANGUAGE))
    more = (Choice(one, skill_name(at.table, one), "never learned") for one in listed)
    unknown = Choice("", "One the character does not know")
    return (*own.values(), *(one for one in more if one.value not in own), unknown)


def _native(at: Here) -> str:
    first: Choice = _languages(at)[0]
    return "" if first.hint else first.value


class TaskForm(Counted):
    """An unopposed action."""

    what = what
    mine = asked_side(On)
    use = pick(
        choices=lambda at: [
            ("", "Something else"),
            *((one.key, one.name, "A contest, as a rule." * one.contest) for one in _uses(at)),
        ],
        when=_uses,
        rule=lambda at: next((one.rule for one in _uses(at) if one.rule), hint_of(at).rule),
    )
    own = asked_side(Own)
    language = pick(choices=_languages, when=lambda at: _needs(at) == LANGUAGE, default=_native)
    student: Input[Person | None] = (
        pick(
            choices=lambda at: [
                ("", "Somebody else"),
                *((one.id, one.name, one.entity.line) for one in at.others() if one.is_known),
            ],
            when=lambda at: _needs(at) == STUDENT,
        )
        .having(kind="entity")
        .read_as(lambda at, ident: at.find(ident))
    )
    subject = pick(
        choices=lambda at: [(one.key, f"{one.name}, base {one.base}") for one in at.me.skills],
        when=lambda at: _needs(at) == STUDENT,
    )
    despite = tick(when=_needs)
    verdict = pick()
    ruled_out = tick(
        lambda at: f"{at.form.disability} rules this out", when=lambda at: at.form.disability
    )
    measures = pick()
    gms = asked_side(Gms)

    @property
    def skill(self) -> str:
        """The skill of the roll, or "" for an attribute."""
        return self.mine.skill

    @property
    def disability(self) -> str:
        """A disability that could make the task impossible, or ""."""
        at = self.at
        return at.me.impossible(names_of(at.table, self.skill)) if self.skill else ""

    def problems(self) -> Problems:
        yield from (*self._lacks(), *super().problems())

    def _lacks(self) -> Problems:
        """The skill's unmet needs, unless the GM allows an attempt."""
        need, me = _needs(self.at), self.me
        if self.despite:
            return
        if need == LANGUAGE and not (self.language and me.base(self.language) > 0):
            yield problem("lip-language", name=me.name)
        if need == STUDENT and self.student is not None and self.subject:
            yield from teaching_problems(me, self.student, self.subject, "subject")


def verdict(form: TaskForm, modifier: int) -> str:
    """Whether to roll ("roll"), or the reason for a result without a roll.

    toaster.3.auto-mundane, toaster.3.auto-failure, toaster.3.dice-when. Routine needs training: a
    base of 1 or more, not only a rank (toaster.3.auto-trained, toaster.2.skill-swim-afloat). Tasks
    that succeed even with a 0 need no roll (toaster.3.no-roll-if-sure), unless zeros fail and the
    table wants the roll (toaster.3.roll-anyway-zeros).
    """
    at, said, skill = form.at, form.verdict, form.skill
    if form.ruled_out:
        return IMPOSSIBLE  # toaster.2.trait-disability
    if said == RULES and any(one.routine for one in _uses(at) if one.key == form.use):
        said = ROUTINE
    if said in {AUTOMATIC, IMPOSSIBLE, ROLL}:
        return said
    if said == ROUTINE and skill and at.me.base(skill) > 0:
        return ROUTINE
    anyway = at.options.extended().zeros and at.options.roll_when_sure
    return RULES if modifier >= TARGET and not anyway else ROLL


@toaster.move("task", when=able, rolls=True)
def task(at: At[TaskForm]) -> None:
    """Roll a skill or an attribute against 10, or settle the task without a roll."""
    throw = at.form.mine.throw()
    ends = verdict(at.form, throw.modifier)
    if ends == ROLL:
        throw = against_10(at, throw)
        fall(at, throw, _about(at, at.form.what, quality=at.form.measures == "quality"))
    else:
        _without_dice(at, throw, ends)
    count(at)


def _about(at: Here, what: str, **more: Any) -> Row:
    told_after = at.options.difficulty_shown == "after"
    return {"what": what, "quality": False, "told_after": told_after, **more}


def _without_dice(at: At[TaskForm], throw: Thrown, ends: str) -> None:
    """Settle a task without dice, as done or impossible (toaster.3.gm-decides-roll).

    Luck points that make it sure are spent (toaster.3.luck-before-plus2).
    """
    at.me.acted()
    if ends != IMPOSSIBLE:
        at.me.note_use(throw.on)
    at.say(at.form.what)
    if ends == RULES and throw.modifier - BEFORE * throw.luck < TARGET:
        at.me.pay(throw.luck)
        at.say(f"With {plural(throw.luck, 'luck point')}.")
    at.tell_as(f"without-dice-{ends}", skill=throw.name)


# ---------------------------------------------------------------- several at one task

NO_EFFECT, TOO_MANY = "none", "too-many"


def _limits(at: Here) -> str:
    """The table's limits on helpers in a sentence."""
    limits = (
        (at.options.collab_min_rank, "a rank of {} at least"),
        (at.options.collab_max_gap, "no more than {} below the best"),
        (at.options.collab_max_helpers, "{} people at most"),
    )
    words = listed(words.format(limit) for limit, words in limits if limit is not None)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


class TogetherForm(Counted):
    """A task of several characters."""

    what = what
    mine = asked_side(Within)
    helpers = several(among=lambda at: [one for one in opponents(at) if one.is_known], help=_limits)
    effect = pick()
    min_rank = maybe_number()
    max_gap = maybe_number()
    max_helpers = maybe_number()
    gms = asked_side(Gms, names_traits=False)

    @property
    def people(self) -> list[Person]:
        """All participants, the actor first."""
        return list(dict.fromkeys([self.me, *self.helpers]))

    def problems(self) -> Problems:
        people, most = self.people, self.max_helpers
        if most is not None and len(people) > most:
            yield problem("collab-most", most=most, many=len(people))
        yield from super().problems()


def working(form: TogetherForm) -> list[Side]:
    """The sides of all participants who roll, the best rank first.

    Left out are ranks below the minimum or too far below the best (toaster.3.collab-min-rank,
    toaster.3.collab-gap).
    """
    sides = [side_of(form.at, one.id, form.at.answers) for one in form.people]
    first, *others = sorted(sides, key=lambda side: -side.rank())
    if form.effect == NO_EFFECT:
        return [first]
    low, gap = form.min_rank, form.max_gap
    if low is not None:
        others = [side for side in others if side.rank() >= low]
    if gap is not None:
        others = [side for side in others if side.rank() >= first.rank() - gap]
    return [first, *others]


@toaster.move(
    "together", when=(able, needs(opponents, "There is nobody to work with.")), rolls=True
)
def work_together(at: At[TogetherForm]) -> None:
    """Roll for everybody; one die counts, with rank, harm and modifiers of the best (A-67)."""
    people = at.form.people
    if len(people) < 2:
        raise Unknown("Choose at least one character.")
    sides = working(at.form)
    hands, best = [side.at.me for side in sides], sides[0]
    worst = at.form.effect == TOO_MANY
    names = tuple(one.name for one in hands)
    throw = one_of_all(at, best.throw(names[0], helped=False), hands, worst=worst)
    left_out = [one.name for one in people if one not in hands]
    which = "worst" if worst else "best"
    words = (
        with_stop(at.form.what),
        f"The {which} die counts: {listed(names)} throw." if len(hands) > 1 else "",
        f"Of no help: {listed(left_out)}." if left_out else "",
    )
    gm_only = any(one.hidden for one in people)
    about = _about(at, " ".join(filter(None, words)), gm_only=gm_only)
    fall(at, throw, about, may_throw_again=False)
    for one in hands[1:]:
        one.note_use(best.rolled)
    count(at)


def one_of_all(
    at: Here, throw: Thrown, hands: list[Person], *, worst: bool, scope: str = "action"
) -> Thrown:
    """Roll for several characters: one die counts, with rank and modifiers of the best."""
    ext, people = at.options.extended(scope), {one.name: one for one in hands}
    roll = Roll(together, throws.bands(at, ext), throws.band_of)
    names = tuple(one.name for one in hands)
    fell = at.roll(roll(names, throw.modifier, ext, worst, at.options.variable_outcomes), people)
    die = Part("the die that counts", fell.total - throw.modifier)
    return replace(throw, open=(*throw.open, die)).fell(fell)
