"""Supply dice, restocking, trackers, the D100, and plain dice such as damage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from kitchentable.dice import odds
from kitchentable.dice.chance import floor, in_percent
from kitchentable.rules import EVERYONE, GM, Json, Part, whole
from kitchentable.rules.kit import Form, Input, Problems, Roll, given, needs, number, pick, tick
from kitchentable.rules.kit import text as words
from kitchentable.rules.kit.listings import fresh_key
from kitchentable.rules.values import record
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.claims import Side
from kitchentable.rulesets.lucky_stars.mechanics import LOWERS, SIZES, lowered, supply_uses
from kitchentable.rulesets.lucky_stars.options import BANDS, NO_STAT, problem
from kitchentable.rulesets.lucky_stars.people import (
    DIE,
    EMPTY,
    PERCENT,
    STOCK,
    At,
    Here,
    Person,
    Thing,
    size_name,
    stars,
)

SUPPLY = Roll(
    mechanics.supply, BANDS["supply"], lambda face: "lower" if face <= LOWERS else "stays"
)


def within_reach(at: Here) -> tuple[Thing, ...]:
    """The supply dice that the actor can use: their own and a common stock's."""
    stocks = (
        one
        for one in at.here()
        if one.entity.kind == STOCK and one != at.me and (at.is_gm or not one.is_closed)
    )
    return tuple(each for one in (at.me, *stocks) if one.is_known for each in one.supplies)


def find_supply(at: Here, ident: Json) -> Thing | None:
    """The present supply die with this id, or None."""
    holder = at.find(str(ident or "").partition("/")[0])
    known = holder.supplies if holder is not None else ()
    return next((one for one in known if one.id == ident), None)


def uses_in_words(size: int) -> str:
    """The mean number of supply rolls until a die is Empty, rounded.

    >>> [uses_in_words(size) for size in SIZES]
    ['13.3', '9.3', '6', '3.3', '1.3', '0']
    """
    return f"{float(floor(odds(supply_uses, size).mean())):.1f}".removesuffix(".0")


# ---------------------------------------------------------------- the roll


def _roll(at: Here, one: Thing, what: str = "") -> int:
    """Make a supply roll with its card; return the new size of the die.

    stars.5.1-supply-roll, stars.5.1-supply-lower, stars.5.1-supply-empty.
    """
    size = one.value

    def say(shares: Mapping[str, Fraction]) -> str:
        after, lasts = size_name(lowered(size, LOWERS)), uses_in_words(size)
        return (
            f"3 or less: {after}. It lasts {lasts} more rolls on average. "
            f"It stays a {size_name(size)} in {in_percent(shares['stays'])}."
        )

    face = at.roll(SUPPLY(size), {"supply": one.holder}, say)
    after = lowered(size, face)
    at.say(what)
    at.say(one.said if after == EMPTY else "")
    one.tell(at, "supply-empty" if after == EMPTY else f"supply-{SUPPLY.band(face)}", after)
    at.show(one.holder, "supply", face)
    one.becomes(after)
    return after


class DueForm(Form):
    supply: Input[Thing | None] = given("").read_as(find_supply)
    times = given(0)


@stars.answer("supply_due", rolls=True)
def supply_due(at: At[DueForm]) -> None:
    one, left = at.form.supply, at.form.times - 1
    if one is None or one.value == EMPTY:
        at.tell_as("supply-gone", title=at.answered.title)
        return
    after = _roll(at, one)
    if left > 0 and after != EMPTY:
        ask_for_supply(at, replace(one, value=after), at.me, left)


def ask_for_supply(at: Here, one: Thing, user: Person, times: int) -> None:
    """Ask for the supply roll that follows an action.

    stars.5.1-supply-after, stars.5.1-supply-individual.
    """
    more = f" {times} rolls, one after the other." if times > 1 else ""
    words = f"The action is done; what it used is told now.{more}"
    at.ask(supply_due, "", f"Supply roll: {one.name}", words, of=user, supply=one.id, times=times)


_some = needs(within_reach, "Nothing here has a supply die.")


def _tells(part: str) -> Callable[[Here], str]:
    """Read a part of the chosen item's description."""
    return lambda at: getattr(at.form.supply, part, "")


class SupplyForm(Form):
    supply = pick(
        choices=lambda at: [one.choice(at.me) for one in within_reach(at)],
        default=lambda at: within_reach(at)[0].id if len(within_reach(at)) == 1 else None,
    ).read_as(find_supply)
    what = words(help=_tells("rolls"))

    def problems(self) -> Problems:
        """A problem if the die is Empty."""
        if self.supply is not None and self.supply.value == EMPTY:
            yield problem("empty", one=self.supply)


@stars.move("supply", when=_some, rolls=True)
def supply(at: At[SupplyForm]) -> None:
    one = at.form.supply
    if one is not None and one.value != EMPTY:
        _roll(at, one, at.form.what)


# ---------------------------------------------------------------- restocking


class RestockForm(Form):
    supply = SupplyForm.supply.having()
    size = pick(help=_tells("said"))
    why = words()


def _may_restock(at: Here) -> str | None:
    if at.is_gm or at.options.players_restock:
        return None
    return "At this table the GM restocks things."


@stars.move("restock", when=(_may_restock, _some))
def restock(at: At[RestockForm]) -> None:
    one, size = at.form.supply, int(at.form.size)
    if one is None:
        return
    at.say(at.form.why)
    one.tell(at, "restock", size, of=(one.holder,))
    one.becomes(size)


# ---------------------------------------------------------------- D100

#: The ways to compare a D100 with a threshold.
_LOW, _GM = "low", "gm"
OTHER = Roll(mechanics.other_dice)


@record
class Comes:
    """The result of a D100 against a threshold: "hit" or "miss" (stars.5.2-d100-range)."""

    low: bool
    threshold: int

    def __call__(self, face: int) -> str:
        about = face <= self.threshold if self.low else face >= self.threshold
        return "hit" if about else "miss"


class D100Form(Form):
    what = words()
    reading = pick()
    threshold = number(when=lambda at: at.form.reading != _GM)


@stars.move("d100", rolls=True)
def d100(at: At[D100Form]) -> None:
    form, open_end = at.form, at.form.reading == _GM
    limit = 0 if open_end else form.threshold
    comes = Comes(form.reading == _LOW, limit)
    roll = Roll(mechanics.percent, () if open_end else BANDS["d100"], comes)
    face = at.roll(roll(), {"percent": at.me}, "1 to 100, each as likely as any other.")
    at.say(form.what)
    if not open_end:
        side = "below" if form.reading == _LOW else "above"
        hidden = "threshold" in at.actor.hidden
        at.say(f"Threshold {limit} or {side}.", GM if hidden else EVERYONE)
    at.tell_as("d100-open" if open_end else f"d100-{comes(face)}")
    at.show(at.me, "percent", face)


# ---------------------------------------------------------------- dice that do not explode


class OtherForm(Form):
    what = Side.what
    count = number()
    sides = number()
    plus = number()


@stars.move("other_dice", rolls=True)
def other_dice(at: At[OtherForm]) -> None:
    form = at.form
    plus = whole(at.answers.get("plus"))
    total = at.roll(OTHER(form.count, form.sides, plus), {"dice": at.me})
    at.tell_as("dice", what=form.what)
    at.show(at.me, "dice", total, *((Part("added", plus),) if plus else ()))


# ---------------------------------------------------------------- trackers


def _found(at: Here, key: Json) -> Thing | None:
    return next((one for one in at.me.trackers if one.key == key), None)


def _is_new(at: Here) -> bool:
    return at.form.tracker is None


class TrackForm(Form):
    tracker = pick(
        choices=lambda at: (
            [("", "a new one")] + [(one.key, f"{one.name}, {one.words}") for one in at.me.trackers]
        )
    ).read_as(_found)
    name = words(when=_is_new)
    kind = pick(when=_is_new)
    drop = tick(when=tracker)
    size = pick(
        choices=[(str(size), size_name(size)) for size in SIZES],
        when=lambda at: at.form.was.kind == DIE,
        default=lambda at: str(at.form.was.value),
    )
    value = number(
        when=lambda at: at.form.was.kind != DIE,
        default=lambda at: at.form.was.value,
        high=lambda at: 100 if at.form.was.kind == PERCENT else 9999,
    )
    why = words()

    @property
    def was(self) -> Thing:
        """The current tracker, or a new one."""
        me, begins = self.me, {DIE: SIZES[0], PERCENT: 100}
        key = fresh_key(self.name, {NO_STAT, *me.kept})
        new = Thing(me, "trackers", key, self.name, self.kind, begins.get(self.kind, 0))
        return self.tracker or new


@stars.move("track")
def track(at: At[TrackForm]) -> None:
    form, was = at.form, at.form.was
    is_die, gone = was.kind == DIE, form.drop and not _is_new(at)
    now = replace(was, value=int(form.size) if is_die else form.value)
    at.say(form.why)
    told = f"Begins at {now.words}." if _is_new(at) else f"{was.words} to {now.words}."
    at.tell(
        f"Tracker: {now.name}",
        "Kept no longer." if gone else told,
        rules=("stars.5.1-supply-conditions" if is_die else "stars.5.2-d100-when",),
        audience=GM if at.me.is_closed else "",
    )
    kept = {"name": now.name, "kind": now.kind, "value": now.value}
    at.me.write("state", "trackers", now.key, now=None if gone else kept, gone=gone)
