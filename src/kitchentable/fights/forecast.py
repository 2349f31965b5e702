"""Forecasts of fights: winners, rounds, survivors, and how the answer was found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, log10, sqrt
from typing import TypeAlias, TypeVar

from kitchentable.dice import BadInput
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.plans import Ends
from kitchentable.fights.tally import Tally

#: A fraction in exact or counted answers, a float in answers with a proven bound.
Amount: TypeAlias = Fraction | float
#: Each possible number, with its chance.
Numbers: TypeAlias = Mapping[int, Amount]

K = TypeVar("K", bound=Hashable)

#: The half width of the 99 % interval of a normal distribution, in standard errors.
SURE = 2.5758293035489004


@dataclass(frozen=True, slots=True)
class Found:
    """The method of an answer.

    "fractions" and "floats" are solved over `states`; the relative error of every number is at most
    `bound` (0 for fractions). "drawn" means `fights` drawn from the solved chain, "thrown" means
    `fights` with thrown dice.
    """

    how: str
    states: int = 0
    bound: Fraction = Fraction(0)
    fights: int = 0
    undecided: int = 0

    @property
    def counted(self) -> bool:
        """Whether fights were counted, so that the answer is random."""
        return self.fights > 0

    @property
    def margin(self) -> float:
        """The greatest error of a counted share, with 99 % confidence."""
        return SURE / 2 / sqrt(self.fights) if self.fights else 0.0

    @property
    def digits(self) -> int:
        """The number of proven digits of a float."""
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
    """The length of a fight: `over_in[n]` is the chance that it ends after exactly n rounds.

    `later` is the chance of more rounds.

    >>> print(Lengths((0, Fraction(1, 2), Fraction(1, 4)), Fraction(1, 4)).over_by(2))
    3/4
    """

    over_in: tuple[Amount, ...]
    later: Amount

    def over_by(self, rounds: int) -> Amount:
        """The chance that the fight is over after this many rounds."""
        return sum(self.over_in[: rounds + 1], Fraction(0))

    def percentile(self, percent: float) -> int | None:
        """The number of rounds after which `percent` % of fights are over; None if unknown.

        >>> Lengths((0, Fraction(1, 2), Fraction(1, 2)), Fraction(0)).percentile(90)
        2
        """
        return percentile(dict(enumerate(self.over_in)), percent)


@dataclass(frozen=True, slots=True)
class Fate:
    """The fate of one kind of combatants: their number, and averages for each of them.

    `stands` is the chance to be up at the end. `left` is the mean health left, `toll` the mean cost
    besides health, and `spent` the mean number of points spent.
    """

    side: str
    name: str
    many: int
    health: int
    stands: Amount
    left: Amount
    toll: Amount = Fraction(0)
    spent: Amount = Fraction(0)


@dataclass(frozen=True, slots=True)
class Forecast:
    """A forecast of a fight: each side's chance to win, the mean rounds, and the survivors.

    `broken_off` has the chances of endings before a side is down: "ours retreat", "stopped after 3
    rounds". `up` and `left` have, for each side, the numbers of combatants up and the total health
    at the end, with chances. `policies` says whom each side attacks; `limits` are sentences about
    retreats and the like.
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
    assumes: str = ""
    broken_off: Mapping[str, Amount] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    tolls: str = ""
    points: str = ""

    @property
    def costs(self) -> dict[str, Amount]:
        """The means, by name, of combatants up, health left, tolls and spent points."""
        found = {f"of {side} still up": mean(up) for side, up in self.up.items()}
        found |= {self.health.format(side): mean(left) for side, left in self.left.items()}
        for side in self.up if self.tolls else ():
            taken = [one.toll * one.many for one in self.fates if one.side == side]
            found[f"{self.tolls} {side} take"] = add_up(taken)
        for side in self.up if self.points else ():
            spent = [one.spent * one.many for one in self.fates if one.side == side]
            found[f"{self.points} {side} spend"] = add_up(spent)
        return found

    @property
    def ways(self) -> dict[str, Amount]:
        """The chance of each ending, in words."""
        wins = {
            f"{side} win{'s' if side == 'nobody' else ''}": won for side, won in self.wins.items()
        }
        return wins | dict(self.broken_off)

    @property
    def shares(self) -> dict[str, Amount]:
        """The chance of each side to win, and of each other ending."""
        return {**self.wins, **self.broken_off}

    @property
    def undecided(self) -> Fraction:
        """The share of counted fights that were stopped before an end."""
        return Fraction(self.found.undecided, self.found.fights or 1)

    @property
    def is_whole(self) -> bool:
        """Whether the chances of all endings add up to 1."""
        together = Fraction(add_up(self.ways.values())) + self.undecided
        return abs(together - 1) <= self.found.bound

    def interval(self, side: str) -> tuple[float, float]:
        """The interval of a side's chance: the proven bound, or 99 % confidence (Wilson 1927).

        Errors: BadInput for an unknown side.
        """
        if side not in self.wins:
            raise BadInput(f"No side is called {side!r}. The sides are {', '.join(self.wins)}.")
        chance = self.wins[side]
        if not self.found.counted:
            off = float(self.found.bound)
            return float(chance) * (1 - off), min(1.0, float(chance) * (1 + off))
        return wilson(float(chance), self.found.fights)

    def __str__(self) -> str:
        lines = [f"{way} {share(chance)}" for way, chance in self.ways.items()]
        lines += [f"rounds: {self.duration}"]
        lines += [f"{name}: {float(amount):.2f} on average" for name, amount in self.costs.items()]
        return "\n".join((*lines, self.assumed, str(self.found)))

    @property
    def duration(self) -> str:
        """The mean, the median and the 90th percentile of the rounds, in words."""
        half, most = self.lengths.percentile(50), self.lengths.percentile(90)
        spread = "" if half is None or most is None else f", half within {half}, 90 % within {most}"
        return f"{float(self.rounds):.4g} on average{spread}"

    @property
    def assumed(self) -> str:
        """The assumptions in words: the policy of each side, limits, and the game's own."""
        words = set(self.policies.values())
        each = "; ".join(f"{side} go for {one}" for side, one in self.policies.items())
        if self.limits:
            goes = f"Everybody goes for {words.pop()}" if len(words) == 1 else capitalize(each)
        else:
            goes = f" and goes for {words.pop()}" if len(words) == 1 else f": {each}"
            goes = f"Everybody fights to the end{goes}"
        return " ".join(filter(None, (f"{goes}.", *self.limits, self.assumes)))

    def __repr__(self) -> str:
        wins = ", ".join(f"{side} {share(chance)}" for side, chance in self.wins.items())
        return f"<Forecast: {wins}; {float(self.rounds):.2f} rounds; {self.found.how}>"


def share(chance: Amount) -> str:
    """A chance in percent, for readers.

    >>> share(Fraction(2, 3))
    '66.67 %'
    """
    return f"{float(chance) * 100:.2f} %"


def mean(numbers: Numbers) -> Amount:
    """The mean of numbers with chances; for counted fights, over fights that ended.

    >>> mean({0: Fraction(1, 4), 2: Fraction(1, 4)})
    Fraction(1, 1)
    """
    whole = sum(numbers.values(), Fraction(0))
    total = sum((number * chance for number, chance in numbers.items()), Fraction(0))
    return total / whole if whole else Fraction(0)


def percentile(numbers: Numbers, percent: float) -> int | None:
    """The least number not exceeded with a chance of `percent` %; None if unknown.

    >>> percentile({1: Fraction(1, 2), 3: Fraction(1, 2)}, 75)
    3
    """
    together: Amount = Fraction(0)
    for number, chance in sorted(numbers.items()):
        together += chance
        # A sum of floats may miss 1 by rounding errors.
        if together * 100 >= percent * (1 - 1e-12):
            return number
    return None


def wilson(seen: float, n: int) -> tuple[float, float]:
    """The 99 % confidence interval of a chance, from the share in n trials (Wilson 1927).

    >>> low, high = wilson(0.0, 500)
    >>> low, round(high, 4)
    (0.0, 0.0131)
    """
    square = SURE**2 / n
    middle = (seen + square / 2) / (1 + square)
    off = sqrt(seen * (1 - seen) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - off), min(1.0, middle + off)


def of_ends(laws: Laws, ends: Ends, by_round: Ends) -> Forecast:
    """Make the forecast of a solved fight; `by_round` has its ends by round."""
    last = {
        healths: add_up(amount) if isinstance(amount, tuple) else amount
        for healths, amount in ends.last.items()
    }
    over_in = [add_up(column) for column in zip(*by_round.last.values(), strict=True)]
    lengths = Lengths(tuple(over_in[:-1]), over_in[-1])
    found = Found("floats" if ends.bound else "fractions", ends.states, ends.bound)
    return _forecast(laws, last, ends.rounds, lengths, found, ends.tolls)


def of_tally(laws: Laws, tally: Tally, how: str, states: int) -> Forecast:
    """Make the forecast of counted fights, with means over fights that ended."""
    last: dict[Healths, Amount] = defaultdict(int)
    over_in = [0] * (max((number for _, number in tally.ends), default=0) + 1)
    for (healths, number), many in tally.ends.items():
        last[healths] += many
        over_in[number] += many
    total = sum(number * many for number, many in enumerate(over_in))
    shares = tuple(Fraction(many, tally.n) for many in over_in)
    lengths = Lengths(shares, Fraction(tally.undecided, tally.n))
    ended = tally.n - tally.undecided
    rounds = Fraction(total, ended) if ended else Fraction(0)
    found = Found(how, states, fights=tally.n, undecided=tally.undecided)
    return _forecast(laws, last, rounds, lengths, found, tally.tolls, tally.n)


def _forecast(
    laws: Laws,
    last: Mapping[Healths, Amount],
    rounds: Amount,
    lengths: Lengths,
    found: Found,
    tolls: Sequence[float],
    n: int = 1,
) -> Forecast:
    """Make a forecast from the ends of a fight, with their chances or counts of n fights."""
    sides = laws.battle.sides
    wins: dict[str, Amount] = defaultdict(int, dict.fromkeys(sides, 0))
    broken_off: dict[str, Amount] = defaultdict(int)
    up: dict[str, dict[int, Amount]] = {side: defaultdict(int) for side in sides}
    left: dict[str, dict[int, Amount]] = {side: defaultdict(int) for side in sides}
    for healths, chance in last.items():
        winner = laws.winner(healths)
        if winner is None:
            broken_off[_break(laws, healths)] += chance
        else:
            wins[winner] += chance
        for side in sides:
            mine = laws.left(side, healths)
            up[side][len(mine)] += chance
            left[side][sum(mine)] += chance
    return Forecast(
        _by_chance(wins, n),
        rounds,
        lengths,
        {side: dict(sorted(_shares(law, n))) for side, law in up.items()},
        {side: dict(sorted(_shares(law, n))) for side, law in left.items()},
        tuple(_fate(laws, kind, last, tolls) for kind in range(len(laws.kinds))),
        laws.fought.health,
        {side: laws.policies[side].words for side in sides},
        found,
        laws.fought.assumes,
        _by_chance(broken_off, n),
        tuple(_limits(laws)),
        laws.fought.tolls if tolls else "",
        laws.fought.spend.name if laws.fought.spend and laws.spends_points else "",
    )


def _break(laws: Laws, healths: Healths) -> str:
    """An ending before a side is down, in words."""
    sides = laws.retreating(healths)
    return f"{' and '.join(sides)} retreat" if sides else f"stopped after {_rounds(laws)}"


def _rounds(laws: Laws) -> str:
    return f"{laws.battle.rounds} round{'s' if laws.battle.rounds > 1 else ''}"


def _limits(laws: Laws) -> Iterator[str]:
    for side, retreat in laws.retreats.items():
        yield f"{capitalize(side)} retreat {retreat.words}, at the end of a round."
    for side, policy in laws.policies.items():
        if policy.defend is not None:
            yield f"Fighters of {side} only defend {policy.defend.words}."
    for side, policy in laws.policies.items():
        if policy.spend is not None and laws.fought.spend is not None:
            name = laws.fought.spend.name
            yield f"{capitalize(side)} spend {name} on attacks {policy.spend.words}."
    if laws.battle.rounds:
        yield f"The fight is stopped after {_rounds(laws)}."


def capitalize(words: str) -> str:
    """Capitalize only the first letter."""
    return words[:1].upper() + words[1:]


def _fate(laws: Laws, number: int, last: Mapping[Healths, Amount], tolls: Sequence[float]) -> Fate:
    kind = laws.kinds[number]
    many = len(kind.names)
    ups: dict[int, Amount] = defaultdict(int)
    lefts: dict[int, Amount] = defaultdict(int)
    for healths, chance in last.items():
        ups[len(healths[number])] += chance
        lefts[sum(laws.show(number, health) for health in healths[number])] += chance
    name = ", ".join(dict.fromkeys(one for one in kind.names if one)) or "/".join(
        map(str, (*kind.numbers, kind.health))
    )
    name = f"{kind.group} {name}" if kind.group else name
    toll = tolls[number] / many if tolls else Fraction(0)
    spent = tolls[len(laws.kinds) + number] / many if laws.spends_points else Fraction(0)
    full = laws.fought.left(kind.numbers, kind.health)
    left_of, stands = mean(lefts) / many, mean(ups) / many
    return Fate(kind.side, name, many, full, stands, left_of, toll, spent)


def add_up(amounts: Iterable[Amount]) -> Amount:
    """The sum of chances, or of other amounts."""
    return sum(amounts, Fraction(0))


def _shares(counts: Mapping[K, Amount], n: int) -> list[tuple[K, Amount]]:
    """Turn counts of n into chances; chances are unchanged."""
    return [(key, many if isinstance(many, float) else Fraction(many, n))
            for key, many in counts.items()]  # fmt: skip


def _by_chance(counts: Mapping[str, Amount], n: int) -> dict[str, Amount]:
    return dict(sorted(_shares(counts, n), key=lambda one: (-one[1], one[0])))
