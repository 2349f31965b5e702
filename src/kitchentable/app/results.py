"""Exact odds of dice notation as rows and figures for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kitchentable import dice
from kitchentable.campaign.words import outcome_in_words
from kitchentable.dice.chance import floor
from kitchentable.dice.show import Rows, common

#: The most rows of a page; more results are grouped in steps.
_MOST_ROWS = 100
_STEPS: tuple[int, ...] = tuple(
    one * tens for tens in (1, 10, 100, 1_000, 10_000, 100_000) for one in (1, 2, 5)
)


@dataclass(frozen=True, slots=True)
class Row:
    """One result, or a group of neighbouring results, with its chance.

    `or_more` is the chance of its lowest number or more; None for results that are not numbers.
    """

    name: str
    chance: Fraction
    or_more: Fraction | None


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a notation, as the page shows them.

    `rare` are results with tiny chances at the ends, and `rest` is the chance of higher or
    unresolved ones. `step` is 1 if each result has its own row.
    """

    stats: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    rare: tuple[Row, ...]
    rest: Fraction
    endless: bool
    step: int


def odds_of(notation: str, dialect: str = "house") -> Odds:
    """The exact distribution of a notation in a dialect, for the page. Errors: BadInput.

    >>> found = odds_of("2d6!")
    >>> found.stats[:2], found.endless
    ((('On average', '8.4'), ('In the middle', '7')), True)
    >>> found.rows[0]
    Row(name='2', chance=Fraction(1, 36), or_more=Fraction(1, 1))
    >>> [row.name for row in odds_of("d1000").rows][:2]
    ['1 to 10', '11 to 20']
    """
    found = dice.odds(notation, dialect=dialect)
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
    """Whether every outcome is a whole number, not True or False."""
    return all(type(outcome) is int for outcome in found)


def _step(rows: int) -> int:
    """The number of results grouped in a row to keep the page short."""
    return next(step for step in _STEPS if rows <= step * _MOST_ROWS)


def _rows(found: dice.Distribution, part: Rows, step: int) -> tuple[Row, ...]:
    if not _whole(found):
        return tuple(Row(outcome_in_words(outcome), chance, None) for outcome, chance in part)
    steps: dict[int, list[tuple[int, Fraction]]] = {}
    for outcome, chance in part:
        # Groups of ten go from 1 to 10, as people count.
        steps.setdefault((outcome - 1) // step if step > 1 else outcome, []).append(
            (outcome, chance)
        )
    return tuple(
        Row(
            f"{one[0][0]} to {one[-1][0]}" if len(one) > 1 else str(one[0][0]),
            sum((chance for _, chance in one), Fraction(0)),
            floor(found.at_least(one[0][0])),
        )
        for one in steps.values()
    )


def _stats(found: dice.Distribution) -> Iterator[tuple[str, str]]:
    """The figures of a distribution of numbers; none for words."""
    if not _whole(found) or not found.exact:
        return
    yield "On average", number_in_words(found.mean())
    yield "In the middle", str(found.median())
    yield "Spread", number_in_words(Fraction(float(found.variance()) ** 0.5))
    outcomes = list(found)
    yield "Lowest", str(outcomes[0])
    yield "Highest", "no end" if found.unresolved else str(outcomes[-1])


def number_in_words(number: Any) -> str:
    """A number with as many digits as are useful.

    >>> number_in_words(Fraction(49, 4)), number_in_words(Fraction(7))
    ('12.25', '7')
    """
    return f"{float(number):.4g}"
