"""The places of a round: the kinds that have yet to act, in turn order.

Rounds with new orders and rounds that keep one order have the same interface: places from long to
short, the next place after an action, the places at the start of a round, and the change of a place
when a combatant goes down. All combatants of a kind are equally likely to go down, because nothing
distinguishes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, product
from math import comb, factorial, prod
from typing import Any, TypeAlias

from kitchentable.fights.kept import kept
from kitchentable.fights.laws import Healths, Law, Laws
from kitchentable.fights.orders import Order, OrderChances

Counts = tuple[int, ...]
#: Places or other numbered values, each with its chance.
Shares = Sequence[tuple[int, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """The places of a round for these numbers of each kind.

    `steps` are (place, acting kind, next place), the longest first. `ends` are the places at the
    end of a round, each with the places where the next round begins and their chances.
    """

    size: int
    longest: int
    steps: Sequence[tuple[int, int, int]]
    ends: Sequence[tuple[int, Shares]]


def count_places(counts: Counts, *, anew: bool, passes: int = 1) -> int:
    """Count the places of a round at which somebody has yet to act.

    >>> count_places((1, 2), anew=True), count_places((1, 2), anew=False)
    (8, 17)
    >>> count_places((1, 2), anew=True, passes=2)
    25
    """
    total, places = sum(counts), 0
    every = list(product(*(range(n + 1) for n in counts)))
    if anew:
        # Before the last pass the whole order counts, because it is repeated.
        again = sum(sum(acts) * _shuffles(acts) for acts in every) if passes > 1 else 0
        return sum(map(_shuffles, every)) - 1 + (passes - 1) * again
    # The first `acting` have a turn in the first round; the others are listed in order.
    for acts in every:
        acting = sum(acts)
        if acting < total:
            places += acting * _shuffles(acts)
    return passes * (places + total * _shuffles(counts))


def _shuffles(counts: Sequence[int]) -> int:
    return factorial(sum(counts)) // prod(map(factorial, counts))


def one_fewer(counts: Counts, kind: int) -> Counts:
    """The numbers of each kind without one of this kind."""
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


class _Solved:
    """The chances of turn orders, for both kinds of rounds.

    `depth` bounds the number of rounded operations behind the chances at a round's start.
    """

    def __init__(
        self, turn: Sequence[Law], again: Sequence[Law], counts: Counts, passes: int, one: Any
    ) -> None:
        self.one, self.start, self.passes = one, counts, passes
        self.none = [law.get(None, Fraction(0)) for law in turn]
        self.orders = OrderChances(turn, again, counts, one)
        self.depth = max(self.orders.depth) + 2

    def chance(self, order: Order, counts: Counts) -> Any:
        """The chance that exactly these kinds act, in this order."""
        return self._weight(_tally(order, len(counts)), counts) * self.orders.chances[order]

    def _weight(self, acts: Counts, counts: Counts) -> Any:
        """The number of ways to assign turns, times the chance that all others have none."""
        found = Fraction(1)
        for none, here, many in zip(self.none, acts, counts, strict=True):
            found *= comb(many, here) * factorial(here) * none ** (many - here)
        return found * self.one

    def share(self, many: int, among: int) -> Any:
        """The chance `many` / `among`."""
        return Fraction(many, among) * self.one


def _tally(order: Order, kinds: int) -> Counts:
    return tuple([order.count(kind) for kind in range(kinds)])


#: The turn order, the index of the next turn, and the number of the pass; in the last pass, the
#: order of those who have yet to act.
_Lap = tuple[Order, int, int]


class AnewRounds(_Solved):
    """Rounds with a new order each, which is repeated for several passes."""

    def __init__(
        self, turn: Sequence[Law], again: Sequence[Law], counts: Counts, passes: int, one: Any
    ) -> None:
        super().__init__(turn, again, counts, passes, one)
        self._by_acts: dict[Counts, list[Order]] = {}
        for order in self.orders.chances:
            self._by_acts.setdefault(_tally(order, len(self.start)), []).append(order)

    def begin(self, counts: Counts) -> tuple[int, Shares]:
        """The start of a fight, which is the end of a round."""
        return 0, [(len(self._places(counts)[0]) - 1, self.one)]

    def stay(self, counts: Counts, misses: Sequence[Fraction]) -> Fraction:
        """The chance that nobody's turns change anything in a round."""
        found = Fraction(1)
        for none, miss, many in zip(self.none, misses, counts, strict=True):
            found *= (none + (1 - none) * miss**self.passes) ** many
        return found

    @kept
    def _places(self, counts: Counts) -> tuple[list[_Lap], dict[_Lap, int]]:
        inside, last = product(*(range(many + 1) for many in counts)), self.passes - 1
        orders = [order for acts in inside for order in self._by_acts[acts]]
        places = [(order, 0, last) for order in orders]
        places += [(o, at, lap) for o in orders for at in range(len(o)) for lap in range(last)]
        places.sort(key=self._to_come, reverse=True)
        return places, {place: number for number, place in enumerate(places)}

    def _to_come(self, place: _Lap) -> int:
        """The number of turns yet to come in a round."""
        order, at, lap = place
        return len(order) * (self.passes - lap) - at

    def _at(self, order: Order, at: int, lap: int) -> _Lap:
        if at == len(order) and lap < self.passes - 1:
            at, lap = 0, lap + 1
        if not order or lap == self.passes - 1:
            return order[at:], 0, self.passes - 1
        return order, at, lap

    @kept
    def of(self, counts: Counts) -> Round:
        """The places of a round for these numbers of each kind."""
        places, at = self._places(counts)
        steps = [
            (number, order[now], at[self._at(order, now + 1, lap)])
            for number, (order, now, lap) in enumerate(places[:-1])
        ]
        weights = {
            acts: self._weight(acts, counts)
            for acts in product(*(range(many + 1) for many in counts))
            if any(acts)
        }
        starts = [
            (at[self._at(order, 0, 0)], weight * self.orders.chances[order])
            for acts, weight in weights.items()
            if weight
            for order in self._by_acts[acts]
        ]
        longest = self.passes * sum(counts)
        return Round(len(places), longest, steps, [(len(places) - 1, starts)])

    @kept
    def without(self, counts: Counts, kind: int) -> Sequence[Shares]:
        """For each place, the places that it may become without one of a kind, with chances."""
        many = counts[kind]
        _, after = self._places(one_fewer(counts, kind))
        shares = [self.share(part, many) for part in range(many + 1)]
        rows = []
        for order, now, lap in self._places(counts)[0]:
            row, idle = [], many
            for seat, less, long in self._gone(order, kind):
                idle -= long
                acted = min(long, max(0, now - seat))
                for part, earlier in ((acted, 1), (long - acted, 0)):
                    if part:
                        row.append((after[self._at(less, now - earlier, lap)], shares[part]))
            if idle:
                row.append((after[order, now, lap], shares[idle]))
            rows.append(row)
        return rows

    @kept
    def _gone(self, order: Order, kind: int) -> list[tuple[int, Order, int]]:
        """An order without one of a kind, for each run of the kind, with its place and length."""
        found, place = [], 0
        for letter, run in groupby(order):
            long = len(list(run))
            if letter == kind:
                found.append((place, (*order[:place], *order[place + 1 :]), long))
            place += long
        return found


#: The order of all who are up, the index of the next, the end of this round's turns, and the pass.
_Place = tuple[Order, int, int, int]


class KeptRounds(_Solved):
    """Rounds that keep the first order: a place is the whole order and a position in it."""

    @kept
    def _places(self, counts: Counts) -> tuple[list[_Place], dict[_Place, int]]:
        places = set()
        for order in self.orders.chances:
            acts = _tally(order, len(counts))
            if all(here <= many for here, many in zip(acts, counts, strict=True)):
                whole, until = self._whole(order, counts), len(order)
                laps = product(range(until), range(self.passes))
                places |= {(whole, at, until, lap) for at, lap in laps}
                places.add(self._at(whole, len(whole), len(whole), self.passes - 1))
        # By the number of turns to come; the last place has none.
        ranked = sorted(places, key=lambda one: (-self._to_come(one), one))
        return ranked, {place: number for number, place in enumerate(ranked)}

    @staticmethod
    def _whole(order: Order, counts: Counts) -> Order:
        """The whole order: kinds with a turn, then the others as listed."""
        acts = _tally(order, len(counts))
        return (*order, *(k for k, many in enumerate(counts) for _ in range(many - acts[k])))

    def _to_come(self, place: _Place) -> int:
        """The number of turns yet to come in a round."""
        _, at, until, lap = place
        return until * (self.passes - lap) - at

    def _at(self, whole: Order, at: int, until: int, lap: int) -> _Place:
        if at == until > 0 and lap < self.passes - 1:
            at, lap = 0, lap + 1
        over = whole, len(whole), len(whole), self.passes - 1
        return (whole, at, until, lap) if at < until else over

    @kept
    def of(self, counts: Counts) -> Round:
        """The places of a round for these numbers of each kind."""
        places, at = self._places(counts)
        steps, ends = [], []
        for number, (whole, now, until, lap) in enumerate(places):
            if now < until:
                steps.append((number, whole[now], at[self._at(whole, now + 1, until, lap)]))
            else:
                ends.append((number, [(at[whole, 0, len(whole), 0], self.one)]))
        return Round(len(places), self.passes * sum(counts), steps, ends)

    @kept
    def without(self, counts: Counts, kind: int) -> Sequence[Shares]:
        """For each place, the places that it may become without one of a kind, with chances."""
        many = counts[kind]
        places, _ = self._places(counts)
        _, after = self._places(one_fewer(counts, kind))
        share = self.share(1, many)
        rows = []
        for whole, now, until, lap in places:
            row = []
            for seat, letter in enumerate(whole):
                if letter == kind:
                    less = (*whole[:seat], *whole[seat + 1 :])
                    place = self._at(less, now - (seat < now), until - (seat < until), lap)
                    row.append((after[place], share))
            rows.append(row)
        return rows

    def begin(self, counts: Counts) -> tuple[int, Shares]:
        """The start of a fight, with the first round's order."""
        _, at = self._places(counts)
        starts = [
            (at[self._at(self._whole(order, counts), 0, len(order), 0)], chance)
            for order in self.orders.chances
            if all(order.count(kind) <= many for kind, many in enumerate(counts))
            if (chance := self.chance(order, counts))
        ]
        return 1, starts

    def stay(self, counts: Counts, misses: Sequence[Fraction]) -> Fraction:
        """The chance that everybody has a turn and changes nothing."""
        return prod(
            (miss ** (many * self.passes) for miss, many in zip(misses, counts, strict=True)),
            start=Fraction(1),
        )


#: All rounds of a battle, by the numbers of each kind that are up.
Rounds: TypeAlias = AnewRounds | KeptRounds
#: The number of cached rounds, for battles with the same throws for the turn order, and the most
#: places of a cached one.
REMEMBERED, SMALL = 16, 5_000


def find_rounds(laws: Laws, turn_laws: Sequence[Law], *, exact: bool) -> Rounds:
    """The rounds of a battle with these throws for the order, in fractions or floats.

    Small ones are cached.
    """
    counts = tuple(len(kind.names) for kind in laws.kinds)
    turn, again = (tuple(tuple(law.items()) for law in one) for one in (turn_laws, laws.again))
    anew, passes = laws.battle.anew, laws.battle.passes
    small = count_places(counts, anew=anew, passes=passes) <= SMALL
    make = remembered_rounds if small else make_rounds
    return make(turn, again, counts, anew, passes, exact)


_Items = tuple[tuple[tuple[Any, Fraction], ...], ...]


def make_rounds(
    turn: _Items, again: _Items, counts: Counts, anew: bool, passes: int, exact: bool
) -> Rounds:
    made = AnewRounds if anew else KeptRounds
    one = Fraction(1) if exact else 1.0
    return made(tuple(map(dict, turn)), tuple(map(dict, again)), counts, passes, one)


remembered_rounds = lru_cache(REMEMBERED)(make_rounds)


# ---------------------------------------------------------------- the size of a fight


def count_states(laws: Laws, most: int, starts: Iterable[Healths] = ()) -> int:
    """Count the states of a fight in which somebody can act; stops above `most`.

    The count begins at the battle's start or at `starts`, and equals the solver's. Fights with
    policies that remember have too many states. Counting takes milliseconds, because a formula
    counts the places of a round; only healths are enumerated.
    """
    states = 0
    if laws.remembers:
        return most + 1
    waiting = list(starts) or [laws.start]
    seen = set(waiting)
    while waiting and states <= most:
        healths = waiting.pop()
        if laws.winner(healths) is not None:
            continue
        counts, battle = tuple(map(len, healths)), laws.battle
        states += count_places(counts, anew=battle.anew, passes=battle.passes)
        fresh = {
            after
            for kind, left in enumerate(healths)
            if left
            for after, _, _ in laws.ways(kind, healths)
        }
        waiting += fresh - seen
        seen |= fresh
    return states
