"""Dice in notation outside any campaign: thrown, and what they do. Open to everybody."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from litestar import get

from kitchentable import dice
from kitchentable.campaign.seen import Entry, SeenDie
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice.notation import parse, tally
from kitchentable.dice.show import Rows, common
from kitchentable.web.acting import told_on_page
from kitchentable.web.answers import Answer, page
from kitchentable.web.forms import read_query
from kitchentable.web.site import Asked, site_of
from kitchentable.web.urls import path

#: More rows than this nobody reads: results are then told of together, in steps.
_MOST_ROWS = 100
_STEPS: tuple[int, ...] = tuple(
    one * tens for tens in (1, 10, 100, 1_000, 10_000, 100_000) for one in (1, 2, 5)
)


@dataclass(frozen=True, slots=True)
class Row:
    """One result, or a step of neighbouring ones, and how likely it is.

    `or_more` is the chance of its lowest number or more; none where results are no numbers.
    """

    name: str
    chance: Fraction
    or_more: Fraction | None


@dataclass(frozen=True, slots=True)
class Odds:
    """What a notation does, as the page shows it.

    `rare` are the results at the ends that hardly ever happen, and `rest` is the chance of what is
    higher still, or not resolved. `step` is 1 where each result has a row of its own.
    """

    stats: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    rare: tuple[Row, ...]
    rest: Fraction
    endless: bool
    step: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a notation cannot be thrown, and where in it."""

    sentence: str
    at: int | None


@get(path("dice"), include_in_schema=False)
async def dice_page(request: Asked) -> Answer:
    """Dice in notation: what they do, and thrown with the operating system's entropy."""
    query = read_query(request)
    notation = query.one("notation").strip()
    # Nothing is kept of these dice, so no form has to prove where it comes from.
    thrown, odds, problem = None, None, None
    if notation:
        try:
            if query.ticked("roll"):
                thrown = _thrown(site_of(request).house.tables.clock(), notation)
            odds = odds_of(notation)
        except told_on_page(request) as refused:
            problem = Wrong(str(refused), getattr(refused, "position", None))
    return page(
        request,
        "pages/dice.html",
        # Dice that fell are an answer, even where their odds are too much to add up.
        status=400 if problem and not thrown else 200,
        notation=notation,
        thrown=thrown,
        odds=odds,
        problem=problem,
    )


def odds_of(notation: str) -> Odds:
    """The exact distribution of a notation, for the page. Errors: BadInput.

    >>> found = odds_of("2d6!")
    >>> found.stats[:2], found.endless
    ((('On average', '8.4'), ('In the middle', '7')), True)
    >>> found.rows[0]
    Row(name='2', chance=Fraction(1, 36), or_more=Fraction(1, 1))
    >>> [row.name for row in odds_of("d1000").rows][:2]
    ['1 to 10', '11 to 20']
    """
    found = dice.odds(notation)
    inner, outer = common(found.items())
    step = _step(len(inner)) if _whole(found) else 1
    return Odds(
        stats=tuple(_stats(found)),
        rows=_rows(found, inner, step),
        rare=_rows(found, outer, step),
        rest=found.unresolved,
        endless=found.exact and bool(found.unresolved),
        step=step,
    )


def _whole(found: dice.Distribution) -> bool:
    """Whether every outcome is a whole number; reached or not is none here."""
    return all(type(outcome) is int for outcome in found)


def _step(rows: int) -> int:
    """How many neighbours share a row, so that not too many rows are left."""
    return next(step for step in _STEPS if rows <= step * _MOST_ROWS)


def _rows(found: dice.Distribution, part: Rows, step: int) -> tuple[Row, ...]:
    if not _whole(found):
        return tuple(Row(outcome_in_words(outcome), chance, None) for outcome, chance in part)
    steps: dict[int, list[tuple[int, Fraction]]] = {}
    for outcome, chance in part:
        # A step of tens goes from 1 to 10, as people count.
        steps.setdefault((outcome - 1) // step if step > 1 else outcome, []).append(
            (outcome, chance)
        )
    return tuple(
        Row(
            f"{one[0][0]} to {one[-1][0]}" if len(one) > 1 else str(one[0][0]),
            sum((chance for _, chance in one), Fraction(0)),
            _lowest(found.at_least(one[0][0])),
        )
        for one in steps.values()
    )


def _lowest(chance: dice.Chance) -> Fraction:
    return chance if isinstance(chance, Fraction) else chance.low


def _stats(found: dice.Distribution) -> Iterator[tuple[str, str]]:
    """What can be said of the whole in a number each; of words nothing."""
    if not _whole(found) or not found.exact:
        return
    yield "On average", number_in_words(found.mean())
    yield "In the middle", str(found.median())
    yield "Spread", number_in_words(Fraction(float(found.variance()) ** 0.5))
    outcomes = list(found)
    yield "Lowest", str(outcomes[0])
    yield "Highest", "no end" if found.unresolved else str(outcomes[-1])


def number_in_words(number: Any) -> str:
    """A number with as many digits as say something.

    >>> number_in_words(Fraction(49, 4)), number_in_words(Fraction(7))
    ('12.25', '7')
    """
    return f"{float(number):.4g}"


def _thrown(now: str, notation: str) -> Entry:
    rolled = dice.roll(notation)
    return Entry(
        cursor=re.sub(r"\W+", "-", now),
        kind="rolled",
        time=now,
        who="You",
        seat="",
        text=f"You roll {notation}: {outcome_in_words(rolled.outcome)}.",
        dice=_seen(rolled.trace.throws),
        sum=tally(parse(notation), rolled.trace.faces),
    )


def _seen(throws: Iterable[dice.Throw]) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(one.die, one.sides, str(one.face), one.label, one.fate, one.why) for one in throws
    )


ROUTES = (dice_page,)
