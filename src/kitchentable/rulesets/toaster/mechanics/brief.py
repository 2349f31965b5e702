"""Opposed rolls told in brief, as their odds by name are: who wins, and not by what.

A contest's own outcome holds every total, for its card. With nines without a limit those are more
than anybody reads and more than can be listed. What is told here keeps the words and leaves the
totals covered, so that its odds are there at once under every option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

from kitchentable.dice import Distribution, odds
from kitchentable.rulesets.toaster.mechanics.contests import (
    DRAW,
    NOBODY,
    TIE,
    WON,
    Contest,
    Side,
    winner_word,
)
from kitchentable.rulesets.toaster.mechanics.stars import CALLED, PLAIN, Extended, star


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an opposed roll ends, without its totals: its standing, and the place of who has won.

    `bands` has the outcome word of each of two sides under variable outcomes, and after a zero;
    of more sides, and elsewhere, it is empty.

    >>> print(Verdict("won", 1), "/", Verdict("won", 0, ("critical", "fumble")))
    second wins / first wins, critical to fumble
    """

    standing: str
    winner: int | None = None
    bands: tuple[str, ...] = ()

    @property
    def winner_word(self) -> str:
        """Who has won, as a word: "first wins"."""
        return self.standing if self.winner is None else winner_word(self.winner)

    def __str__(self) -> str:
        words = " to ".join(word or "-" for word in self.bands)
        return f"{self.winner_word}, {words}" if words else self.winner_word

    def __lt__(self, other: Verdict) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int, tuple[str, ...]]:
        place = -1 if self.winner is None else self.winner
        return (WON, TIE, DRAW, NOBODY).index(self.standing), place, self.bands


def verdict(one: Contest) -> Verdict:
    """How a contest ends, without its totals.

    >>> from kitchentable.dice import told
    >>> from kitchentable.rulesets.toaster.mechanics.contests import contest
    >>> odds(told(contest, verdict), (Side(6), Side(6, "second")))[Verdict("won", 1)]
    Fraction(9, 20)
    """
    return Verdict(one.standing, one.winner, one.bands if any(one.bands) else ())


def contest_odds(
    sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Distribution:
    """Who wins a contest of many, exactly; with endless nines all but what no eye can see.

    The totals do not hang together, so the best of them is looked through number by number: who
    alone has it, while all others lie under it, or fail by a zero. That grows by the head, where
    the paths of the roll grow by the power. toaster.3.opposed-multi, toaster.3.marginal-opposed.

    >>> contest_odds((Side(5, "a"), Side(5, "b"), Side(5, "c")))[Verdict("won", 0)]
    Fraction(57, 200)
    """
    shown, whole = _whole(odds(star, ext.nines))
    out = [shown[0] if ext.zeros and not one.called else 0 for one in sides]
    totals = [_totals(one, ext, shown, whole) for one in sides]
    found: Counter[Verdict] = Counter({Verdict(NOBODY): prod(out)})
    under = far = out  # the weights of lying under the number looked at, and two or more under it
    for number in range(min(map(min, totals)), max(map(max, totals)) + 1):
        same = [one.get(number, 0) for one in totals]
        if any(same):
            found.update(_topped(same, far if bands else under, under))
        far, under = under, [one + other for one, other in zip(under, same, strict=True)]
    every = whole ** len(sides)
    return Distribution.of({one: Fraction(weight, every) for one, weight in found.items()})


def _topped(same: Sequence[int], clear: Sequence[int], under: Sequence[int]) -> dict[Verdict, int]:
    """What it comes to where the best total is one number, and with which weights.

    Each side has that total by the weight in `same`, one well under it by that in `clear`, and any
    under it by that in `under`. Somebody just under it makes a draw.
    """
    won = {
        Verdict(WON, place): mine * prod(clear[:place]) * prod(clear[place + 1 :])
        for place, mine in enumerate(same)
        if mine
    }
    none_near = _someone(same, clear)
    tied = none_near - sum(won.values())
    return {**won, Verdict(TIE): tied, Verdict(DRAW): _someone(same, under) - none_near}


def _someone(same: Sequence[int], others: Sequence[int]) -> int:
    """The weight of at least one having the number, while who has not is among the others."""
    both = prod(one + other for one, other in zip(same, others, strict=True))
    return both - prod(others)


def _totals(side: Side, ext: Extended, shown: Mapping[int, int], whole: int) -> dict[int, int]:
    """The totals that a side can stand with, and their weights; a zero that fails is none."""
    if side.called:
        return {CALLED + side.modifier: whole}
    return {face + side.modifier: weight for face, weight in shown.items() if face or not ext.zeros}


def _whole(one: Distribution) -> tuple[dict[int, int], int]:
    """Whole weights, and what all together weigh; they lack what is not listed."""
    whole = lcm(*(chance.denominator for chance in one.values()))
    return {face: int(chance * whole) for face, chance in one.items()}, whole
