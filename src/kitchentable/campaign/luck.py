"""Luck: each player's rolls, against the exact odds that each roll had when the dice fell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log2, prod

from kitchentable.campaign.read_models import Entry
from kitchentable.dice.trials import longest_run, run_of, successes

#: Least probability of an ordinary number of successes: nine times out of ten.
ORDINARY = Fraction(9, 10)
#: With fewer rolls than this, almost any number of successes is ordinary.
FEW = 20
#: Number of the rarest results that are listed.
_RAREST = 3


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll with odds: its player, its outcome, and the probability of the outcome.

    `chance` is the probability of success, `share` that of the outcome's band, and `entropy` the
    expected surprise in bits.
    """

    who: str
    time: str
    title: str
    success: bool
    chance: Fraction
    label: str
    share: Fraction
    entropy: float

    @property
    def surprise(self) -> float:
        """The surprise of the result in bits: one for each halving of its probability."""
        return -log2(self.share)


@dataclass(frozen=True, slots=True)
class Run:
    """The longest run of successes or failures, and the probability of one at least as long."""

    success: bool
    length: int
    chance: float


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one player: the number of successes and its expected value.

    `fewer` and `as_many` are the probabilities of fewer and of exactly as many successes. Numbers
    from `low` to `high` are ordinary, and `outside` is the probability of any other number.
    """

    who: str
    rolls: tuple[Roll, ...]
    got: int
    expected: Fraction
    fewer: float
    as_many: float
    low: int
    high: int
    outside: float
    runs: tuple[Run, ...]

    @property
    def surprise(self) -> float:
        """The surprise of all results together, in bits."""
        return sum(roll.surprise for roll in self.rolls)

    @property
    def entropy(self) -> float:
        """The expected surprise of these rolls, in bits."""
        return sum(roll.entropy for roll in self.rolls)

    @property
    def ahead(self) -> tuple[float, ...]:
        """The successes above expectation after each roll."""
        return tuple(accumulate(float(roll.success - roll.chance) for roll in self.rolls))

    @property
    def rarest(self) -> tuple[Roll, ...]:
        """The results with the smallest probabilities, rarest first."""
        return tuple(sorted(self.rolls, key=lambda roll: roll.share)[:_RAREST])

    @property
    def verdict(self) -> str:
        """A sentence about this luck: ordinary, good or bad."""
        many = f"{self.low} to {self.high}" if self.low < self.high else f"{self.low}"
        ordinary = f"With these rolls, {many} would be ordinary"
        if self.low <= self.got <= self.high:
            few = " So few rolls say little." if len(self.rolls) < FEW else ""
            return f"Ordinary luck. {ordinary}.{few}"
        lucky = "Good" if self.got > self.high else "Bad"
        return f"{lucky} luck. {ordinary}, nine times out of ten."


def roll_of(entry: Entry, who: str) -> Roll | None:
    """Return the roll of an entry; None unless the reader knows its odds and result."""
    odds, card = entry.odds, entry.card
    if odds is None or card is None:
        return None
    fell = next((band for band in odds.bands if band[0] == odds.fell), None)
    if fell is None:
        return None
    _, label, _, share = fell
    return Roll(
        who,
        entry.time,
        card.title,
        label in odds.counted,
        odds.good,
        label,
        share,
        sum(-float(chance) * log2(chance) for *_, chance in odds.bands if chance),
    )


def luck_of(rolls: Iterable[Roll]) -> list[Luck]:
    """Return the luck of each player with rolls, in the order of their first rolls.

    >>> one = Roll("Mara", "", "Climb", True, Fraction(1, 2), "success", Fraction(1, 2), 1.0)
    >>> [mara] = luck_of([one, one])
    >>> mara.got, mara.expected, mara.fewer, mara.as_many
    (2, Fraction(1, 1), 0.75, 0.25)
    >>> mara.verdict
    'Ordinary luck. With these rolls, 0 to 2 would be ordinary. So few rolls say little.'
    """
    by: dict[str, list[Roll]] = {}
    for roll in rolls:
        by.setdefault(roll.who, []).append(roll)
    return [_luck(who, theirs) for who, theirs in by.items()]


def somebody_outside(every: Iterable[Luck]) -> float:
    """Return the probability that at least one of these players has unusual luck."""
    return 1 - prod(1 - one.outside for one in every)


def _luck(who: str, rolls: list[Roll]) -> Luck:
    chances = [float(roll.chance) for roll in rolls]
    found = successes(chances)
    got = sum(roll.success for roll in rolls)
    low, high = _ordinary(found)
    return Luck(
        who,
        tuple(rolls),
        got,
        sum((roll.chance for roll in rolls), Fraction(0)),
        sum(found[:got]),
        found[got],
        low,
        high,
        sum(found[:low]) + sum(found[high + 1 :]),
        tuple(_runs([roll.success for roll in rolls], chances)),
    )


def _ordinary(found: list[float]) -> tuple[int, int]:
    """Return the range of successes left after cutting at most 5 % from each end."""
    tail = (1 - float(ORDINARY)) / 2
    below = list(accumulate(found))
    low = next(count for count, share in enumerate(below) if share > tail)
    above = accumulate(reversed(found))
    high = len(found) - 1 - next(count for count, share in enumerate(above) if share > tail)
    return low, high


def _runs(outcomes: list[bool], chances: list[float]) -> Iterator[Run]:
    for success in (True, False):
        length = longest_run(outcomes, of=success)
        if length:
            of = chances if success else [1 - chance for chance in chances]
            yield Run(success, length, run_of(of, length))
