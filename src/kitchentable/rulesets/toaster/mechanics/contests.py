"""Opposed actions of two or more sides, rivals in parallel, and results without totals."""

from __future__ import annotations

from collections.abc import Callable

from kitchentable.dice import Dice, fold, mechanic, part
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.mechanics.stars import (
    CALLED,
    PLAIN,
    Extended,
    Numbers,
    Words,
    star,
)
from kitchentable.rulesets.toaster.mechanics.tasks import (
    BANDS,
    CRITICAL,
    FAILURE,
    FUMBLE,
    SUCCESS,
    TARGET,
    band_of,
)

WON, TIE, DRAW, BEHIND, NOBODY = "won", "tie", "draw", "behind", "nobody"


@record
class Side:
    """One side of an opposed roll: modifier, label, and a called 4."""

    modifier: int
    label: str = "first"
    called: bool = False


@record
class _Lead:
    """The best total so far, the standing, and the index of the possible winner."""

    standing: str
    best: int = 0
    winner: int | None = None


@record
class Second:
    """The second roll after a zero: its total, or None without a zero."""

    total: int | None = None


#: A side in a fold: its index, its total, and a face that can fail.
_Seen = tuple[int, int, int | None]


def _leading(near: int, target: int | None) -> Callable[[_Lead, _Seen], _Lead]:
    """Make a step to the next lead with one more side; leads within `near` do not win."""

    def step(lead: _Lead, side: _Seen) -> _Lead:
        place, total, face = side
        if face == 0 or (target is not None and total < target):
            return lead
        if lead.standing == NOBODY or total > lead.best + near:
            return _Lead(WON, total, place)
        if total > lead.best:
            return _Lead(DRAW, total)
        if total == lead.best:
            return _Lead(DRAW if lead.standing == DRAW else TIE, total)
        return _Lead(DRAW, lead.best) if total >= lead.best - near else lead

    return step


def _highest(target: int | None) -> Callable[[int | None, _Seen], int | None]:
    """Make a step to the next best total with one more side."""

    def step(best: int | None, side: _Seen) -> int | None:
        _, total, face = side
        if face == 0 or (target is not None and total < target):
            return best
        return total if best is None or total > best else best

    return step


@record
class Contest(Ordered):
    """The result of an opposed roll: the dice and their meaning.

    `faces` are the dice that fail with a 0, or None if none do; `seconds` the rolls after a 0;
    `modifiers` the number each side adds to its die. `varies` means variable outcomes. With a
    `target` the sides do not hinder each other, and each needs that number. `settled` records
    fumbles decided before luck changed the totals.
    """

    totals: Numbers
    faces: tuple[int | None, ...]
    seconds: tuple[Second, ...]
    modifiers: Numbers
    varies: bool = False
    target: int | None = None
    settled: tuple[bool, ...] = ()

    @property
    def zeros(self) -> tuple[bool, ...]:
        """The sides that failed with a 0."""
        return tuple(map(self._failed, range(len(self.faces))))

    @property
    def winner(self) -> int | None:
        """The index of the winner, or None."""
        return self._lead.winner

    @property
    def standing(self) -> str:
        """The standing: "won", "tie", "nobody" (everybody failed), or "draw".

        A tie has equal totals; a draw is a lead of 1 under variable outcomes.
        """
        return self._lead.standing

    @property
    def ahead(self) -> Numbers:
        """The indices with the best total; for a draw, followed by those within 1."""
        left = [(at, total) for at, total in enumerate(self.totals) if self._stands(at)]
        top = max((total for _, total in left), default=0)
        best = [at for at, total in left if total == top]
        return (*best, *(at for at, total in left if total < top <= total + self._near))

    @property
    def fares(self) -> str:
        """The standing of the first side: won, tie, behind or nobody."""
        best = fold(_highest(self.target), self._sides()[1:], None)
        if not self._stands(0):
            return NOBODY if best is None else BEHIND
        if best is None or self.totals[0] > best + self._near:
            return WON
        return TIE if self.totals[0] >= best - self._near else BEHIND

    @property
    def bands(self) -> Words:
        """Each side's outcome word under variable outcomes or after a zero, otherwise ""."""
        return tuple(self._band(at) for at in range(len(self.totals)))

    @property
    def winner_word(self) -> str:
        """The winner in words, "first wins", or the standing."""
        return standing(self).winner_word

    @property
    def _near(self) -> int:
        """The largest lead that does not win."""
        return 1 if self.varies and self.target is None else 0

    def _stands(self, at: int) -> bool:
        """Whether a side did not fail with a zero and reached the target."""
        return not self._failed(at) and (self.target is None or self.totals[at] >= self.target)

    def _failed(self, at: int) -> bool:
        """Whether a side failed with a zero."""
        return self.faces[at] == 0

    def _sides(self) -> list[_Seen]:
        return [*zip(range(len(self.totals)), self.totals, self.faces, strict=True)]

    @property
    def _lead(self) -> _Lead:
        """The lead after all sides."""
        return fold(_leading(self._near, self.target), self._sides(), _Lead(NOBODY))

    def fumbles(self, at: int) -> bool:
        """Whether the second roll after a side's zero failed too.

        Another 0 fails, and so does a total that does not beat all others (or reach the target).
        """
        if self.settled:
            return self.settled[at]
        second = self.seconds[at].total
        if second is None or second == self.modifiers[at]:
            return second is not None
        if self.target is not None:
            return not second >= self.target
        others = (total for place, total in enumerate(self.totals) if place != at)
        return not all(second > other for other in others)

    def _band(self, at: int) -> str:
        """A side's outcome word, by its distance to the best other side or the target.

        A side without a 0 has an ordinary success, or a critical if the others fumbled
        (toaster.3.vo-opposed-mirror, toaster.3.vo-zero-precedence).
        """
        if self._failed(at):
            return FUMBLE if self.fumbles(at) else FAILURE
        if not self.varies:
            return ""
        if self.target is not None:
            return band_of(self.totals[at] - self.target)
        others = [place for place in range(len(self.totals)) if place != at]
        rivals = [place for place in others if not self._failed(place)]
        if not rivals:
            return CRITICAL if all(self.fumbles(place) for place in others) else SUCCESS
        words = [band_of(self.totals[at] - self.totals[place]) for place in rivals]
        return min(words, key=BANDS.index)

    def order(self) -> tuple[Numbers, ...]:
        return self.totals, tuple(one.total or 0 for one in self.seconds)

    def __str__(self) -> str:
        to = " to ".join(map(str, self.totals))
        return f"{self.winner_word}, {to}"


@mechanic
def contest(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """An opposed roll: the highest total wins, with no number to reach.

    toaster.3.opposed-rolls, toaster.3.opposed-highest, toaster.3.opposed-multi. A 0 fails, and any
    other total beats it; if all throw 0, all fail (toaster.3.zeros-opposed). Under variable
    outcomes a lead of 1 is a draw (toaster.3.marginal-opposed), and one side's critical is the
    other's fumble (toaster.3.vo-opposed-mirror).

    >>> from kitchentable.dice import load, odds
    >>> even = odds(contest, (Side(6), Side(6, "second")))
    >>> [even.chance(lambda one, at=at: one.winner == at) for at in (0, 1)]
    [Fraction(9, 20), Fraction(9, 20)]
    >>> print(load(contest, (Side(3), Side(2, "second")), faces=[2, 1]).outcome)
    first wins, 5 to 3
    """
    return contending(dice, sides, ext, bands)


@mechanic
def parallel(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """Rivals who do not hinder each other: the best total of at least 10 wins.

    toaster.3.parallel-contest. All may fail. Each side's outcome word is measured against 10, and
    the second roll after a zero must reach 10.

    >>> from kitchentable.dice import load
    >>> print(load(parallel, (Side(4), Side(4, "second")), faces=[5, 4]).outcome)
    nobody, 9 to 8
    """
    return contending(dice, sides, ext, bands, TARGET)


def contending(
    dice: Dice, sides: tuple[Side, ...], ext: Extended, bands: bool, target: int | None = None
) -> Contest:
    """An opposed roll as part of another mechanic, with hidden totals.

    A zero gets a second roll. A called 4 is neither 0 nor 9.
    """
    shown = [CALLED if one.called else star(dice, ext.nines, one.label) for one in sides]
    pairs = [*zip(sides, shown, strict=True)]
    faces = tuple(face if ext.zeros and not one.called else None for one, face in pairs)
    seconds = [second(dice, face, one, ext.nines) for one, face in zip(sides, faces, strict=True)]
    return Contest(
        tuple(face + one.modifier for one, face in pairs),
        faces,
        tuple(seconds),
        tuple(one.modifier for one in sides),
        bands,
        target,
    )


@part
def second(dice: Dice, face: int | None, side: Side, nines: int) -> Second:
    """Throw the second roll after a zero that fails."""
    return Second(star(dice, nines, side.label) + side.modifier) if face == 0 else Second()


@mechanic
def do_over(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """Repeat the opposed roll until one side is ahead (toaster.3.tiebreak-doover).

    >>> from kitchentable.dice import load, odds, told
    >>> print(load(do_over, (Side(5), Side(5, "second")), faces=[4, 4, 3, 3, 6, 2]).outcome)
    first wins, 11 to 7
    >>> odds(told(do_over, lambda one: one.winner), (Side(6), Side(5, "second")))[0]
    Fraction(55, 91)
    """
    one = contending(dice, sides, ext, bands)
    return do_over(dice, sides, ext, bands) if one.winner is None else one


# ---------------------------------------------------------------- ends without totals
#
# A contest's outcome holds every total, for the card. With unlimited nines there are too many
# totals to list. A verdict keeps the words and hides the totals, so that its odds are fast under
# all options.


@record
class Verdict(Ordered):
    """The result of an opposed roll without totals: standing and winner's index.

    `bands` holds the outcome words of two sides under variable outcomes or after a zero; otherwise
    it is empty.

    >>> print(Verdict("won", 3), "/", Verdict("won", 0, ("critical", "fumble")))
    number 4 wins / first wins, critical to fumble
    """

    standing: str
    winner: int | None = None
    bands: Words = ()

    @property
    def winner_word(self) -> str:
        """The winner in words: "first wins"."""
        if self.winner is None:
            return self.standing
        words = ("first", "second", "third", f"number {self.winner + 1}")
        return f"{words[min(self.winner, 3)]} wins"

    def __str__(self) -> str:
        words = " to ".join(word or "-" for word in self.bands)
        return f"{self.winner_word}, {words}" if words else self.winner_word

    def order(self) -> tuple[int, int, Words]:
        place = -1 if self.winner is None else self.winner
        return (WON, TIE, DRAW, NOBODY).index(self.standing), place, self.bands


def verdict(one: Contest) -> Verdict:
    """The result of a contest without its totals.

    >>> from kitchentable.dice import odds, told
    >>> from kitchentable.rulesets.toaster.mechanics.contests import Side, contest
    >>> odds(told(contest, verdict), (Side(6), Side(6, "second")))[Verdict("won", 1)]
    Fraction(9, 20)
    """
    return Verdict(one.standing, one.winner, one.bands if any(one.bands) else ())


def standing(one: Contest) -> Verdict:
    """The result of a contest of many: the winner or the standing.

    >>> from kitchentable.dice import odds, told
    >>> from kitchentable.rulesets.toaster.mechanics.contests import Side, contest
    >>> sides = tuple(Side(5, name) for name in "abc")
    >>> odds(told(contest, standing), sides)[Verdict("won", 0)]
    Fraction(57, 200)
    """
    return Verdict(one.standing, one.winner)
