"""Luck rolls for questions without a known answer, and the return of luck.

A luck roll uses Aura, and harm does not count. If lucky rolls use up luck and the table has no luck
points, the roll uses the luck that is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitchentable.rules import EVERYONE, GM, Part, Result, Table, fresh, listed, plural, with_stop
from kitchentable.rules.kit import (
    Form,
    Unknown,
    given,
    maybe_number,
    number,
    pick,
    several,
    text,
)
from kitchentable.rulesets.toaster.actions import throws
from kitchentable.rulesets.toaster.actions.falling import ask_meaning
from kitchentable.rulesets.toaster.actions.sides import Difficulty
from kitchentable.rulesets.toaster.actions.tasks import one_of_all
from kitchentable.rulesets.toaster.actions.throws import (
    Thrown,
    against_10,
    show,
    tell_kept,
)
from kitchentable.rulesets.toaster.character.listing import as_number
from kitchentable.rulesets.toaster.luck import call_four
from kitchentable.rulesets.toaster.options import LUCK
from kitchentable.rulesets.toaster.people import At, Here, Person, return_luck, toaster

ONE_EACH, CROWD = "each", "crowd"


def luck_rank(at: Here, one: Person) -> Part:
    """The rank of a luck roll: Aura, or less after earlier lucky rolls.

    toaster.3.luckroll-switch, toaster.3.luckroll-cost.
    """
    one.check_known()
    aura = one.attribute_for("luck")
    wears = at.options.luck_roll_cost and not at.options.luck_points
    return (
        Part("luck left", one.luck_left) if wears and one.luck_left < aura else Part("Aura", aura)
    )


class RollForm(Difficulty):
    """A question, and the difficulty of a good answer; a card sets both in advance."""

    kept_difficulty = given(default=False)

    what = text(when=lambda at: not at.actor.ask)
    called = call_four("Call a 4 instead of throwing", LUCK)
    difficulty = Difficulty.difficulty.having(when=lambda at: not at.actor.ask)
    number = Difficulty.number.having(
        when=lambda at: not at.actor.ask and at.form.difficulty == "custom"
    )

    def throw(self, one: Person, label: str = "roll") -> Thrown:
        """The character's luck with the difficulty."""
        rank, step = luck_rank(self.at, one), self.step()
        kept = self.kept_difficulty or self.is_kept("difficulty", "number")
        open_parts, kept_parts = ((rank,), step) if kept else ((rank, *step), ())
        return Thrown(
            one.id, "Luck", "luck", label, open=open_parts, kept=kept_parts,
            called=self.called, rank=rank.value,
        )  # fmt: skip


@toaster.move("luck_roll", rolls=True)
def luck_roll(at: At[RollForm]) -> None:
    """Aura against 10."""
    throw = against_10(at, at.form.throw(at.me), LUCK)
    _settle(at, throw, at.form.what, [at.me])


def _settle(at: Here, throw: Thrown, what: str, people: Sequence[Person]) -> None:
    """Apply the roll: success answers the question in the characters' favor, failure against them.

    A lucky roll uses up luck by option (toaster.3.luckroll-cost).
    """
    one, cost, outcome = people[0], at.options.luck_roll_cost, throw.outcome(at)
    show(at, throw)
    at.say(what)
    if cost and outcome.succeeds:
        left = one.luck_left
        one.luck = max(0, left - cost)
        at.say(f"Luck {one.luck - left:+d}: {one.luck} left.", one.number_audience)
    tell_kept(at, throw)
    words, word, tone, rules = throws.outcome_words(at, outcome, "luck")
    cited = ("toaster.3.luckroll-switch", *rules)
    at.tell("A luck roll", words, word, tone, cited, of=people)
    ask_meaning(at, one, outcome.band, "", "luck", kind="luck")


# ---------------------------------------------------------------- of a whole group


class GroupForm(RollForm):
    """The characters who roll, each alone or with one die for all."""

    what = RollForm.what
    who = several(among=At.present)
    how = pick()
    called = RollForm.called.having(when=lambda at: False)


@toaster.move("luck_of_many", rolls=True)
def luck_of_many(at: At[GroupForm]) -> None:
    """Ask every character for a roll, or roll one die for all."""
    form = at.form
    people = sorted(form.who, key=lambda one: -luck_rank(at, one).value)
    if not people:
        raise Unknown("Choose at least one character.")
    if form.how == ONE_EACH:
        _ask_each(at, people)
        return
    best, worst = people[0], form.how == CROWD
    throw = one_of_all(at, form.throw(best, best.name), people, worst=worst, scope=LUCK)
    told = f"{with_stop(form.what)} Luck of {listed(one.name for one in people)}.".strip()
    _settle(at, throw, told, people)


def _ask_each(at: At[GroupForm], people: Sequence[Person]) -> None:
    hidden = at.form.is_kept("difficulty", "number")
    secret = ("difficulty", "number", "kept_difficulty") if hidden else ()
    for place, one in enumerate(people, 1):
        at.ask(
            luck_roll, "", "", at.form.what,
            of=one, ident=fresh(at.table, "luck-roll", place), secret=secret,
            what=at.form.what, kept_difficulty=hidden,
            difficulty=at.form.difficulty, number=at.answers.get("number"),
        )  # fmt: skip


# ---------------------------------------------------------------- luck comes back


def session_began(table: Table) -> Result:
    """Return all luck at the start of a session, by option (toaster.3.luck-return)."""
    at = toaster.at(table)
    return_luck(at, "session")
    return at.result()


class RestoreForm(Form):
    """The characters who get luck back, and the number of points."""

    who = several(among=At.present, default=lambda at: [one.id for one in at.present()])
    points = maybe_number()


@toaster.move(
    "restore_luck",
    when=lambda at: None if at.options.uses_luck else "Luck cannot be used up at this table.",
)
def restore_luck(at: At[RestoreForm]) -> None:
    """Return all luck at the start of an adventure, or some of it."""
    people, some = at.form.who, at.form.points
    for one in people:
        left, start = one.luck_left, one.luck_at_start
        now = max(left, min(start, left + some) if some else start)
        if now != left:
            one.luck = now
            at.say(f"{one.name}: {now}", one.number_audience)
    seen = [one.name for one in people if not one.hidden]
    audience = EVERYONE if len(seen) == len(people) else GM
    names = f"For {listed(seen)}." if seen else ""
    at.tell_as("luck-back", names=names, of=(), audience=audience)


def affordable(at: Here) -> int:
    """The number of luck points that a character can buy with experience.

    The starting value is the maximum, unless an option removes it (toaster.3.luck-buyback).
    """
    for_money = int(at.me.experience // at.options.luck_buyback_xp)
    if at.options.luck_above_start:
        return for_money
    return max(0, min(for_money, at.me.luck_at_start - at.me.luck_left))


class BuyForm(Form):
    """The number of luck points to buy."""

    points = number(
        when=lambda at: at.me.is_known,
        high=lambda at: max(1, affordable(at)),
        help=lambda at: (
            f"{at.options.luck_buyback_xp} experience each; "
            f"{as_number(at.me.experience)} are there."
        ),
    )


def _can_buy(at: Here) -> str | None:
    if not at.options.uses_luck or at.options.luck_return != "experience":
        return "Luck cannot be bought at this table."
    if not at.actor.entity or affordable(at):
        return None
    return f"{at.me.name} has too little experience, or all their luck already."


@toaster.move("buy_luck", when=_can_buy)
def buy_luck(at: At[BuyForm]) -> None:
    """Buy back luck with experience points."""
    me, count = at.me, at.form.points
    price = count * at.options.luck_buyback_xp
    left = as_number(me.experience - price)
    me.luck = me.luck_left + count
    me.write("state", "xp", now=left)
    at.tell_as(
        "buy_luck", points=plural(count, "point"), price=price, gain=f"{count:+d}",
        now=me.luck, left=left,
    )  # fmt: skip
