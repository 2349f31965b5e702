"""Opposed actions of two sides or many, and rivals side by side."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, mechanic
from kitchentable.rulesets.toaster.mechanics.stars import (
    PLAIN,
    Extended,
    Throw,
    skill_throw,
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


@dataclass(frozen=True, slots=True)
class Side:
    """One party of an opposed roll: what is added to its die, its label, whether it calls a 4."""

    modifier: int
    label: str = "first"
    called: bool = False


@dataclass(frozen=True, slots=True)
class Contest:
    """What came of an opposed roll.

    `standing` is "won", "tie" (equal totals), "draw" (ahead by 1 under variable outcomes) or
    "nobody" (everybody failed). `ahead` are the places of those with the best total, from 0; of a
    draw also of those within 1 of it, the best first. `bands` has each side's outcome word under
    variable outcomes, else "". `zeros` says whose 0 failed, `seconds` the totals that followed.
    """

    standing: str
    ahead: tuple[int, ...]
    totals: tuple[int, ...]
    zeros: tuple[bool, ...]
    seconds: tuple[int | None, ...]
    bands: tuple[str, ...]

    @property
    def winner(self) -> int | None:
        """The place of who has won; None where nobody has."""
        return self.ahead[0] if self.standing == WON else None

    def __lt__(self, other: Contest) -> bool:
        return (self.totals, self.seconds_known) < (other.totals, other.seconds_known)

    @property
    def seconds_known(self) -> tuple[int, ...]:
        """The totals after a zero, 0 where none was thrown."""
        return tuple(one or 0 for one in self.seconds)

    def __str__(self) -> str:
        to = " to ".join(map(str, self.totals))
        return f"{self.standing if self.winner is None else self.winner_word}, {to}"

    @property
    def winner_word(self) -> str:
        """Who has won, as a word: "first wins"."""
        return winner_word(self.standing, self.winner)


def winner_word(standing: str, winner: int | None) -> str:
    """Who has won by place, in words; without a winner how it stands.

    >>> winner_word("won", 1), winner_word("won", 3), winner_word("tie", None)
    ('second wins', 'number 4 wins', 'tie')
    """
    if winner is None:
        return standing
    words = ("first", "second", "third")
    return f"{words[winner] if winner < 3 else f'number {winner + 1}'} wins"


@mechanic
def contest(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """Everybody throws and the highest total wins; there is no number to reach.

    toaster.3.opposed-rolls, toaster.3.opposed-highest, toaster.3.opposed-multi. Who throws a 0
    fails, and any other total beats it; who all throw 0 all fail (toaster.3.zeros-opposed). Under
    variable outcomes a lead of 1 is a draw (toaster.3.marginal-opposed), and one side's critical
    is the other's fumble (toaster.3.vo-opposed-mirror).

    >>> from kitchentable.dice import load, odds
    >>> even = odds(contest, (Side(6), Side(6, "second")))
    >>> [even.chance(lambda one, at=at: one.winner == at) for at in (0, 1)]
    [Fraction(9, 20), Fraction(9, 20)]
    >>> print(load(contest, (Side(3), Side(2, "second")), faces=[2, 1]).outcome)
    first wins, 5 to 3
    """
    return contending(dice, sides, ext, bands)


def contending(dice: Dice, sides: tuple[Side, ...], ext: Extended, bands: bool) -> Contest:
    """An opposed roll as a part of another mechanic, its totals still covered."""
    throws = tuple(skill_throw(dice, one.modifier, ext, one.called, one.label) for one in sides)
    return judge(dice, sides, throws, ext, bands)


def judge(
    dice: Dice, sides: tuple[Side, ...], throws: tuple[Throw, ...], ext: Extended, bands: bool
) -> Contest:
    """Who is ahead with these throws; for a zero a second roll is thrown.

    It has to beat the best of the other standing totals, or a fumble it is.
    """
    seconds: list[int | None] = [None] * len(throws)
    fumbled = [False] * len(throws)
    for at, throw in enumerate(throws):
        if throw.zero:
            others = [one.total for place, one in enumerate(throws) if place != at]
            again = skill_throw(dice, sides[at].modifier, ext, label=sides[at].label)
            seconds[at] = again.total
            fumbled[at] = again.zero or not all(again.total > other for other in others)
    zeros = tuple(throw.zero for throw in throws)
    totals = tuple(throw.total for throw in throws)
    return judged(totals, zeros, tuple(seconds), tuple(fumbled), bands=bands)


def judged(
    totals: tuple[int, ...],
    zeros: tuple[bool, ...],
    seconds: tuple[int | None, ...],
    fumbled: tuple[bool, ...],
    *,
    bands: bool,
) -> Contest:
    """What final totals come to in an opposed roll; no dice fall.

    >>> no = (False, False)
    >>> print(judged((11, 10), no, (None, None), no, bands=False))
    first wins, 11 to 10
    >>> print(judged((11, 10), no, (None, None), no, bands=True))
    draw, 11 to 10
    """
    standing = [at for at, zero in enumerate(zeros) if not zero]
    ahead, how = _leading(totals, standing, bands=bands)
    words = [
        (FUMBLE if fumbled[at] else FAILURE)
        if zeros[at]
        else _by_distance(totals, zeros, fumbled, at)
        if bands
        else ""
        for at in range(len(totals))
    ]
    return Contest(how, ahead, totals, zeros, seconds, tuple(words))


def judged_alone(
    totals: tuple[int, ...],
    zeros: tuple[bool, ...],
    seconds: tuple[int | None, ...],
    fumbled: tuple[bool, ...],
    *,
    bands: bool,
) -> Contest:
    """What final totals come to among rivals who each need 10; no dice fall.

    >>> no = (False, False)
    >>> [str(judged_alone(pair, no, (None, None), no, bands=False))
    ...  for pair in ((9, 12), (10, 13), (11, 11))]
    ['second wins, 9 to 12', 'second wins, 10 to 13', 'tie, 11 to 11']
    """
    reached = [at for at, total in enumerate(totals) if not zeros[at] and total >= TARGET]
    ahead, how = _leading(totals, reached, bands=False)
    words = [
        (FUMBLE if fumbled[at] else FAILURE)
        if zeros[at]
        else band_of(totals[at] - TARGET)
        if bands
        else ""
        for at in range(len(totals))
    ]
    return Contest(how, ahead, totals, zeros, seconds, tuple(words))


def _leading(
    totals: tuple[int, ...], standing: list[int], *, bands: bool
) -> tuple[tuple[int, ...], str]:
    """Who has the best total, and what that makes of the contest."""
    if not standing:
        return (), NOBODY
    best = [standing[0]]
    for at in standing[1:]:
        if totals[at] > totals[best[0]]:
            best = [at]
        elif totals[at] == totals[best[0]]:
            best.append(at)
    if bands:
        top = totals[best[0]]
        near = [at for at in standing if at not in best and totals[at] >= top - 1]
        if near:
            return (*best, *near), DRAW
    return tuple(best), (TIE if len(best) > 1 else WON)


def _by_distance(
    totals: tuple[int, ...], zeros: tuple[bool, ...], fumbled: tuple[bool, ...], at: int
) -> str:
    """A side's outcome word by its distance to the best of the others.

    Whom zeros leave alone has an ordinary success, or a critical where the others fumbled
    (toaster.3.vo-opposed-mirror, toaster.3.vo-zero-precedence).
    """
    others = [place for place in range(len(totals)) if place != at]
    rivals = [place for place in others if not zeros[place]]
    if not rivals:
        return CRITICAL if all(fumbled[place] for place in others) else SUCCESS
    words = [band_of(totals[at] - totals[place]) for place in rivals]
    return min(words, key=BANDS.index)


# ---------------------------------------------------------------- how the first fares


@mechanic
def best_standing(
    dice: Dice, sides: tuple[Side, ...], ext: Extended, least: int | None = None
) -> int | None:
    """The best total among sides that no zero has failed and that reach `least`, where one does.

    >>> from kitchentable.dice import load
    >>> load(best_standing, (Side(3, "a"), Side(5, "b")), PLAIN, 10, faces=[8, 4]).outcome
    11
    """
    throw = skill_throw(dice, sides[0].modifier, ext, sides[0].called, sides[0].label)
    rest = best_standing(dice, sides[1:], ext, least) if len(sides) > 1 else None
    if _falls_out(throw, least):
        return rest
    return throw.total if rest is None or throw.total > rest else rest


def _falls_out(throw: Throw, least: int | None) -> bool:
    return throw.zero or (least is not None and throw.total < least)


@mechanic
def fares(dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False) -> str:
    """How the first of many sides fares in an opposed roll: won, tie, behind or nobody.

    >>> from kitchentable.dice import odds
    >>> odds(fares, (Side(5, "a"), Side(5, "b"), Side(5, "c")))["won"]
    Fraction(57, 200)
    """
    return _fares(dice, sides, ext, None, 1 if bands else 0)


@mechanic
def fares_alone(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> str:
    """How the first of many rivals fares who each need 10."""
    return _fares(dice, sides, ext, TARGET, 0)


def _fares(dice: Dice, sides: tuple[Side, ...], ext: Extended, least: int | None, near: int) -> str:
    mine = skill_throw(dice, sides[0].modifier, ext, sides[0].called, sides[0].label)
    best = best_standing(dice, sides[1:], ext, least)
    if _falls_out(mine, least):
        return NOBODY if best is None else BEHIND
    if best is None or mine.total > best + near:
        return WON
    return TIE if mine.total >= best - near else BEHIND


@mechanic
def parallel(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """Rivals who do not hinder each other: each needs 10, the best of those who reach it wins.

    toaster.3.parallel-contest. All may fail. Each side's outcome word is measured against 10; the
    second roll after a zero has to reach 10.

    >>> from kitchentable.dice import load
    >>> print(load(parallel, (Side(4), Side(4, "second")), faces=[5, 4]).outcome)
    nobody, 9 to 8
    """
    throws = tuple(skill_throw(dice, one.modifier, ext, one.called, one.label) for one in sides)
    seconds: list[int | None] = [None] * len(throws)
    fumbled = [False] * len(throws)
    for at, throw in enumerate(throws):
        if throw.zero:
            again = skill_throw(dice, sides[at].modifier, ext, label=sides[at].label)
            seconds[at] = again.total
            fumbled[at] = again.zero or not again.total >= TARGET
    zeros = tuple(throw.zero for throw in throws)
    totals = tuple(throw.total for throw in throws)
    return judged_alone(totals, zeros, tuple(seconds), tuple(fumbled), bands=bands)


@mechanic
def do_over(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> Contest:
    """The same opposed roll again and again, until somebody is ahead (toaster.3.tiebreak-doover).

    >>> from kitchentable.dice import load
    >>> print(load(do_over, (Side(5), Side(5, "second")), faces=[4, 4, 3, 3, 6, 2]).outcome)
    first wins, 11 to 7
    """
    one = contending(dice, sides, ext, bands)
    return one if one.standing == WON else do_over(dice, sides, ext, bands)


@mechanic
def leader(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> int | None:
    """Who wins an opposed roll, by place, or None: the same dice as `contest`, told in brief.

    >>> from kitchentable.dice import odds
    >>> odds(leader, (Side(6), Side(6, "second")))[None]
    Fraction(1, 10)
    """
    near = 1 if bands else 0
    throws = tuple(skill_throw(dice, one.modifier, ext, one.called, one.label) for one in sides)
    best: int | None = None
    alone = True
    for side, throw in zip(sides, throws, strict=True):
        if throw.zero:
            skill_throw(dice, side.modifier, ext, label=side.label)
    for at, throw in enumerate(throws):
        if throw.zero:
            continue
        if best is None:
            best = at
            continue
        lead = throw.total - throws[best].total
        if lead > 0:
            best, alone = at, bool(lead > near)
        elif lead >= -near:
            alone = False
    return best if alone else None


@mechanic
def do_over_winner(
    dice: Dice, sides: tuple[Side, ...], ext: Extended = PLAIN, bands: bool = False
) -> int:
    """Who wins a do-over in the end, by place; with an end even where ties may follow for ever.

    >>> from kitchentable.dice import odds
    >>> odds(do_over_winner, (Side(6), Side(5, "second")))[0]
    Fraction(55, 91)
    """
    first = leader(dice, sides, ext, bands)
    return do_over_winner(dice, sides, ext, bands) if first is None else first
