"""Opposed rolls without their totals, for odds by name.

A contest's own outcome holds every total, for its card. With nines without a limit those are more
than anybody reads and more than can be listed. What is told here keeps the words and leaves the
totals covered, so that its odds are there at once under every option.
"""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rulesets.toaster.mechanics.contests import (
    DRAW,
    NOBODY,
    TIE,
    WON,
    Contest,
    winner_word,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of an opposed roll without its totals: standing and place of the winner.

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
        """The winner as a word: "first wins"."""
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
    """The end of a contest, without its totals.

    >>> from kitchentable.dice import odds, told
    >>> from kitchentable.rulesets.toaster.mechanics.contests import Side, contest
    >>> odds(told(contest, verdict), (Side(6), Side(6, "second")))[Verdict("won", 1)]
    Fraction(9, 20)
    """
    return Verdict(one.standing, one.winner, one.bands if any(one.bands) else ())


def standing(one: Contest) -> Verdict:
    """The end of a contest of many: the winner, or the standing.

    >>> from kitchentable.dice import odds, told
    >>> from kitchentable.rulesets.toaster.mechanics.contests import Side, contest
    >>> sides = tuple(Side(5, name) for name in "abc")
    >>> odds(told(contest, standing), sides)[Verdict("won", 0)]
    Fraction(57, 200)
    """
    return Verdict(one.standing, one.winner)
