"""How a fight goes: who wins, how long it takes, who is left, and how all that was found."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10, sqrt
from typing import TypeAlias, TypeVar

from kitchentable.dice import BadInput
from kitchentable.fights.chain import Ends
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.tally import Tally

#: A fraction where it is exact or counted, a float with a proven bound where that is said.
Amount: TypeAlias = Fraction | float
#: Each number that can come out, with its chance.
Numbers: TypeAlias = Mapping[int, Amount]

K = TypeVar("K", bound=Hashable)

#: So many standard errors are 99 % of a normal distribution.
SURE = 2.5758293035489004


@dataclass(frozen=True, slots=True)
class Found:
    """How an answer was found.

    "fractions" and "floats" are solved: over `states`, each number within the relative `bound`
    (0 for fractions). "drawn" is so many `fights` drawn from the solved chain, "thrown" so many
    whose dice were thrown.
    """

    how: str
    states: int = 0
    bound: Fraction = Fraction(0)
    fights: int = 0
    undecided: int = 0

    @property
    def counted(self) -> bool:
        """Whether fights were counted, so that chance is in the answer."""
        return self.fights > 0

    @property
    def margin(self) -> float:
        """How far a counted share may be off, at most, in 99 of 100 such answers."""
        return SURE / 2 / sqrt(self.fights) if self.fights else 0.0

    @property
    def digits(self) -> int:
        """How many digits of a float are proven."""
        return floor(-log10(self.bound)) if self.bound else 0

    def __str__(self) -> str:
        if self.how == "fractions":
            return f"Exact: fractions over {self.states:,} states."
        if self.how == "floats":
            return (
                f"Exact to {self.digits} digits: floats with a proven bound, over "
                f"{self.states:,} states."
            )
        solved = f" from {self.states:,} solved states" if self.states else ""
        off = f"±{self.margin:.2%}".replace("%", " %")
        broken = f" {self.undecided:,} of them were broken off." if self.undecided else ""
        return f"Counted: {self.fights:,} fights {self.how}{solved}, {off} at 99 %.{broken}"


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many rounds a fight takes: `over_in[n]` is the chance that it is over after exactly n.

    `later` is the chance of more rounds than are told apart.

    >>> print(Lengths((0, Fraction(1, 2), Fraction(1, 4)), Fraction(1, 4)).over_by(2))
    3/4
    """

    over_in: tuple[Amount, ...]
    later: Amount

    def over_by(self, rounds: int) -> Amount:
        """The chance that the fight is over after so many rounds."""
        return sum(self.over_in[: rounds + 1], Fraction(0))

    def percentile(self, percent: float) -> int | None:
        """The rounds after which so many of 100 fights are over; None for more than are told apart.

        >>> Lengths((0, Fraction(1, 2), Fraction(1, 2)), Fraction(0)).percentile(90)
        2
        """
        return percentile(dict(enumerate(self.over_in)), percent)


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one kind of combatants: how many they were, and of each on average.

    `stands` is the chance to be up at the end, `left` the mean health left.
    """

    side: str
    name: str
    many: int
    health: int
    stands: Amount
    left: Amount


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a fight goes: each side's chance to win, the mean number of rounds, and what is left.

    `up` and `left` give for each side how many are up at the end and how much health they have
    left in all, with chances; `policies` who goes for whom, in words.
    """

    wins: Mapping[str, Amount]
    rounds: Amount
    lengths: Lengths
    up: Mapping[str, Numbers]
    left: Mapping[str, Numbers]
    fates: tuple[Fate, ...]
    health: str
    policies: Mapping[str, str]
    found: Found

    @property
    def costs(self) -> dict[str, Amount]:
        """Means of what is left, by what they are."""
        found = {f"of {side} still up": mean(up) for side, up in self.up.items()}
        return found | {self.health.format(side): mean(left) for side, left in self.left.items()}

    @property
    def undecided(self) -> Fraction:
        """The share of counted fights that were broken off."""
        return Fraction(self.found.undecided, self.found.fights or 1)

    @property
    def is_whole(self) -> bool:
        """Whether the chances of all winners, and what was broken off, add up to 1."""
        together = Fraction(add_up(self.wins.values())) + self.undecided
        return abs(together - 1) <= self.found.bound

    def interval(self, side: str) -> tuple[float, float]:
        """Where a side's chance lies: within the proven bound, or in 99 of 100 counts (Wilson).

        Errors: BadInput for no such side.
        """
        if side not in self.wins:
            raise BadInput(f"No side is called {side!r}. There are {', '.join(self.wins)}.")
        chance = self.wins[side]
        if not self.found.counted:
            off = float(self.found.bound)
            return float(chance) * (1 - off), min(1.0, float(chance) * (1 + off))
        return wilson(float(chance), self.found.fights)

    def __str__(self) -> str:
        lines = [
            f"{side} win{'s' if side == 'nobody' else ''} {share(chance)}"
            for side, chance in self.wins.items()
        ]
        lines += [f"rounds: {self.duration}"]
        lines += [f"{name}: {float(amount):.2f} on average" for name, amount in self.costs.items()]
        return "\n".join((*lines, self.assumed, str(self.found)))

    @property
    def duration(self) -> str:
        """The mean number of rounds, and after how many half and nine of ten fights are over."""
        half, most = self.lengths.percentile(50), self.lengths.percentile(90)
        spread = "" if half is None or most is None else f", half within {half}, 90 % within {most}"
        return f"{float(self.rounds):.4g} on average{spread}"

    @property
    def assumed(self) -> str:
        """The policies, as one sentence."""
        words = set(self.policies.values())
        if len(words) == 1:
            return f"Everybody fights to the end and goes for {words.pop()}."
        each = "; ".join(f"{side} go for {one}" for side, one in self.policies.items())
        return f"Everybody fights to the end: {each}."

    def __repr__(self) -> str:
        wins = ", ".join(f"{side} {share(chance)}" for side, chance in self.wins.items())
        return f"<Forecast: {wins}; {float(self.rounds):.2f} rounds; {self.found.how}>"


def share(chance: Amount) -> str:
    """A chance in percent, as a person reads it.

    >>> share(Fraction(2, 3))
    '66.67 %'
    """
    return f"{float(chance) * 100:.2f} %"


def mean(numbers: Numbers) -> Amount:
    """The mean of numbers with chances; of counted fights that ended, the mean over these.

    >>> mean({0: Fraction(1, 4), 2: Fraction(1, 4)})
    Fraction(1, 1)
    """
    whole = sum(numbers.values(), Fraction(0))
    total = sum((number * chance for number, chance in numbers.items()), Fraction(0))
    return total / whole if whole else Fraction(0)


def percentile(numbers: Numbers, percent: float) -> int | None:
    """The least number that so many of 100 do not exceed; None where the chances add up to less.

    >>> percentile({1: Fraction(1, 2), 3: Fraction(1, 2)}, 75)
    3
    """
    together: Amount = Fraction(0)
    for number, chance in sorted(numbers.items()):
        together += chance
        # Floats that add up to the whole miss it by their rounding errors.
        if together * 100 >= percent * (1 - 1e-12):
            return number
    return None


def wilson(seen: float, n: int) -> tuple[float, float]:
    """The 99 % interval of a chance from the share seen in n trials (Wilson 1927).

    >>> low, high = wilson(0.0, 500)
    >>> low, round(high, 4)
    (0.0, 0.0131)
    """
    square = SURE**2 / n
    middle = (seen + square / 2) / (1 + square)
    off = sqrt(seen * (1 - seen) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - off), min(1.0, middle + off)


def of_ends(laws: Laws, ends: Ends, by_round: Ends) -> Forecast:
    """The answers of a solved fight; `by_round` has the same ends told apart by round."""
    last = {
        healths: add_up(amount) if isinstance(amount, tuple) else amount
        for healths, amount in ends.last.items()
    }
    over_in = [add_up(column) for column in zip(*by_round.last.values(), strict=True)]
    lengths = Lengths(tuple(over_in[:-1]), over_in[-1])
    found = Found("floats" if ends.bound else "fractions", ends.states, ends.bound)
    return _forecast(laws, last, ends.rounds, lengths, found)


def of_tally(laws: Laws, tally: Tally, how: str, states: int) -> Forecast:
    """The answers of counted fights: means are over those that ended."""
    last: dict[Healths, Amount] = {}
    over_in = [Fraction(0)] * (max((number for _, number in tally.ends), default=0) + 1)
    total = 0
    for (healths, number), many in tally.ends.items():
        part = Fraction(many, tally.n)
        last[healths] = last.get(healths, Fraction(0)) + part
        over_in[number] += part
        total += number * many
    lengths = Lengths(tuple(over_in), Fraction(tally.undecided, tally.n))
    ended = tally.n - tally.undecided
    rounds = Fraction(total, ended) if ended else Fraction(0)
    found = Found(how, states, fights=tally.n, undecided=tally.undecided)
    return _forecast(laws, last, rounds, lengths, found)


def _forecast(
    laws: Laws,
    last: Mapping[Healths, Amount],
    rounds: Amount,
    lengths: Lengths,
    found: Found,
) -> Forecast:
    sides = laws.battle.sides
    wins: dict[str, Amount] = dict.fromkeys(sides, Fraction(0))
    up: dict[str, dict[int, Amount]] = {side: {} for side in sides}
    left: dict[str, dict[int, Amount]] = {side: {} for side in sides}
    for healths, chance in last.items():
        _count(wins, str(laws.winner(healths)), chance)
        for side in sides:
            mine = [
                health
                for one, kind in zip(laws.sides, healths, strict=True)
                if one == side
                for health in kind
            ]
            _count(up[side], len(mine), chance)
            _count(left[side], sum(mine), chance)
    by_chance = sorted(wins.items(), key=lambda one: (-one[1], one[0]))
    return Forecast(
        dict(by_chance),
        rounds,
        lengths,
        _in_order(up),
        _in_order(left),
        tuple(_fate(laws, kind, last) for kind in range(len(laws.kinds))),
        laws.fought.health,
        {side: laws.policies[side].words for side in sides},
        found,
    )


def _fate(laws: Laws, number: int, last: Mapping[Healths, Amount]) -> Fate:
    kind = laws.kinds[number]
    many = len(kind.names)
    ups: dict[int, Amount] = {}
    lefts: dict[int, Amount] = {}
    for healths, chance in last.items():
        _count(ups, len(healths[number]), chance)
        _count(lefts, sum(healths[number]), chance)
    name = ", ".join(one for one in kind.names if one) or "/".join(
        map(str, (*kind.numbers, kind.health))
    )
    return Fate(kind.side, name, many, kind.health, mean(ups) / many, mean(lefts) / many)


def _count(counts: dict[K, Amount], key: K, chance: Amount) -> None:
    counts[key] = counts.get(key, Fraction(0)) + chance


def add_up(amounts: Iterable[Amount]) -> Amount:
    """The sum of chances, or of other amounts."""
    return sum(amounts, Fraction(0))


def _in_order(numbers: Mapping[str, Mapping[int, Amount]]) -> dict[str, Numbers]:
    return {side: dict(sorted(law.items())) for side, law in numbers.items()}
