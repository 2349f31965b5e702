"""Supply dice of things and trackers, the rolls that lower them, and restocking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from kitchentable.dice import odds
from kitchentable.dice.chance import floor
from kitchentable.rules import GM, Json, Track
from kitchentable.rules.kit import Form, Problems, Roll, given, needs, pick
from kitchentable.rules.kit import text as words
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.laddered import in_percent
from kitchentable.rulesets.lucky_stars.mechanics import LOWERS, SIZES, lowered, supply_uses
from kitchentable.rulesets.lucky_stars.options import BANDS, problem
from kitchentable.rulesets.lucky_stars.people import (
    EMPTY,
    STOCK,
    At,
    Here,
    Person,
    Thing,
    show,
    size_name,
    stars,
)

SUPPLY = Roll(
    mechanics.supply, BANDS["supply"], lambda face: "lower" if face <= LOWERS else "stays"
)


def within_reach(at: Here) -> tuple[Thing, ...]:
    """The supply dice that somebody can use: their own and those of a common stock."""
    stocks = (
        one
        for one in at.here()
        if one.entity.kind == STOCK and one != at.me and (at.is_gm or not one.is_closed)
    )
    return tuple(each for one in (at.me, *stocks) if one.is_known for each in one.supplies)


def find_supply(at: Here, ident: Json) -> Thing | None:
    """The present supply die that an answer names; None for none."""
    holder = at.find(str(ident or "").partition("/")[0])
    known = holder.supplies if holder is not None else ()
    return next((one for one in known if one.id == ident), None)


def uses_in_words(size: int) -> str:
    """The mean number of supply rolls until a die is Empty, rounded.

    >>> [uses_in_words(size) for size in SIZES]
    ['13.3', '9.3', '6', '3.3', '1.3', '0']
    """
    return f"{float(floor(odds(supply_uses, size).mean())):.1f}".removesuffix(".0")


def track_of(name: str, size: int) -> Track:
    """A supply die as a row of boxes: five while it is a D12, none when it is Empty."""
    boxes = len(SIZES) - 1
    left = boxes - SIZES.index(size)
    lasts = f", {uses_in_words(size)} rolls on average" if size else ""
    tone = "good" if left > 1 else "bad"
    return Track(name, left, boxes, f"{name}: {size_name(size)}{lasts}", tone)


# ---------------------------------------------------------------- the roll


def _roll(at: Here, one: Thing, what: str = "") -> int:
    """Make a supply roll with its card; returns the new size of the die.

    stars.5.1-supply-roll, stars.5.1-supply-lower, stars.5.1-supply-empty.
    """
    size = one.die

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
    at.tell_as(
        "supply-empty" if after == EMPTY else f"supply-{SUPPLY.band(face)}",
        audience=GM if at.me.hidden else one.audience,
        name=one.name,
        before=size_name(size),
        after=size_name(after),
    )
    show(at, one.holder, "supply", face)
    one.becomes(after)
    return after


class DueForm(Form):
    supply = given("")
    times = given(0)


@stars.answer("supply_due", rolls=True)
def supply_due(at: At[DueForm]) -> None:
    one, left = find_supply(at, at.form.supply), at.form.times - 1
    if one is None or one.die == EMPTY:
        sentence = "Nothing is left to roll for."
        at.tell(at.answered.title, sentence, rules=("stars.5.1-supply-empty",))
        return
    after = _roll(at, one)
    if left > 0 and after != EMPTY:
        ask_for_supply(at, replace(one, size=after), at.me, left)


def ask_for_supply(at: Here, one: Thing, user: Person, times: int) -> None:
    """Ask for the supply roll that follows an action.

    stars.5.1-supply-after, stars.5.1-supply-individual.
    """
    more = f" {times} rolls, one after the other." if times > 1 else ""
    words = f"The action is done; what it used is told now.{more}"
    at.ask(supply_due, "", f"Supply roll: {one.name}", words, of=user, supply=one.id, times=times)


_some = needs(within_reach, "Nothing here has a supply die.")


def _of(at: Here) -> Thing | None:
    return find_supply(at, at.answers.get("supply"))


def _tells(part: str) -> Callable[[Here], str]:
    """Read a part of the picked item's description."""
    return lambda at: getattr(_of(at), part, "")


class SupplyForm(Form):
    supply = pick(
        choices=lambda at: [one.choice(at.me) for one in within_reach(at)],
        default=lambda at: within_reach(at)[0].id if len(within_reach(at)) == 1 else None,
    )
    what = words(help=_tells("rolls"))

    def problems(self) -> Problems:
        """A problem if the die is Empty."""
        one = find_supply(self.at, self.supply)
        if one is not None and one.die == EMPTY:
            yield problem("empty", one=one)


@stars.move("supply", when=_some, rolls=True)
def supply(at: At[SupplyForm]) -> None:
    one = _of(at)
    if one is not None and one.die:
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
    one, size = _of(at), int(at.form.size)
    if one is None:
        return
    at.say(at.form.why)
    was, now = size_name(one.die), size_name(size)
    whose, who_hears = (one.holder,), one.audience
    at.tell_as("restock", of=whose, audience=who_hears, name=one.name, before=was, after=now)
    one.becomes(size)
