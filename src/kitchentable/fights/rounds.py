"""The places of a round: the kinds that have yet to act, in turn order.

A place is an order and the next turn in it, whether each round has a new order or all keep the
first. Places lead to the next one by an action, to those at the start of a round, and to others
when a combatant goes down. All combatants of a kind are equally likely to go down, because nothing
distinguishes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, factorial, prod
from typing import Any

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


#: A turn order, the index of the next turn, the end of this round's turns, and the number of the
#: pass.
_Place = tuple[Order, int, int, int]


class Rounds:
    """All rounds of a battle, by the numbers of each kind that are up.

    With `anew`, every round has a new order of those with a turn, and a place in the last pass has
    only those who have yet to act. Otherwise every round keeps the first order, with those without
    a turn in it last. `depth` bounds the number of rounded operations behind the chances at a
    round's start.
    """

    def __init__(
        self,
        turn: Sequence[Law],
        again: Sequence[Law],
        counts: Counts,
        *,
        anew: bool,
        passes: int,
        one: Any,
    ) -> None:
        self.anew, self.passes, self.one = anew, passes, one
        self.none = [law.get(None, Fraction(0)) for law in turn]
        self.orders = OrderChances(turn, again, counts, one)
        self.depth = max(self.orders.depth) + 2
        self._by_acts: dict[Counts, list[Order]] = {}
        for order in self.orders.chances:
            acts = tuple([order.count(kind) for kind in range(len(counts))])
            self._by_acts.setdefault(acts, []).append(order)

    def begin(self, counts: Counts) -> tuple[int, Shares]:
        """The number of the round in which a fight starts, and its places with their chances."""
        if self.anew:  # at the end of round 0
            return 0, [(end, self.one) for end, _ in self.of(counts).ends]
        return 1, self._starts(counts)

    def stay(self, counts: Counts, misses: Sequence[Fraction]) -> Fraction:
        """The chance that nobody's turns change anything in a round."""
        found = Fraction(1)
        for none, miss, many in zip(self.none, misses, counts, strict=True):
            idle = none if self.anew else 0
            found *= (idle + (1 - idle) * miss**self.passes) ** many
        return found

    def _orders(self, counts: Counts) -> Iterator[tuple[Counts, Sequence[Order]]]:
        """The numbers of each kind that may act in a round, with their orders."""
        for acts in product(*(range(many + 1) for many in counts)):
            yield acts, self._by_acts[acts]

    def _starts(self, counts: Counts) -> Shares:
        """The places at the start of a round, with chances; without new rounds of no turns."""
        at = self._places(counts)
        found = []
        for acts, orders in self._orders(counts):
            weight = self._weight(acts, counts)
            if weight and (any(acts) or not self.anew):
                found += [
                    (at[self._start(order, counts)], weight * self.orders.chances[order])
                    for order in orders
                ]
        return [(place, chance) for place, chance in found if chance]

    def _weight(self, acts: Counts, counts: Counts) -> Any:
        """The number of ways to assign turns, times the chance that all others have none."""
        found = Fraction(1)
        for none, here, many in zip(self.none, acts, counts, strict=True):
            found *= comb(many, here) * factorial(here) * none ** (many - here)
        return found * self.one

    def _start(self, order: Order, counts: Counts) -> _Place:
        """The place at the start of a round with this order."""
        others = [] if self.anew else [
            kind for kind, many in enumerate(counts) for _ in range(many - order.count(kind))
        ]  # fmt: skip
        return self._at((*order, *others), 0, len(order), 0)

    def _at(self, order: Order, now: int, until: int, lap: int) -> _Place:
        """A place; after the last turn of a pass, the place at the start of the next."""
        last = self.passes - 1
        if now >= until > 0 and lap < last:
            now, lap = 0, lap + 1
        if self.anew and lap == last:
            return order[now:], 0, until - now, last
        return (order, now, until, lap) if now < until else (order, len(order), len(order), last)

    @kept
    def _places(self, counts: Counts) -> dict[_Place, int]:
        """The places of a round with their numbers, by the number of turns to come."""
        places = set()
        for _, orders in self._orders(counts):
            for order in orders:
                place = self._start(order, counts)
                while place not in places:
                    places.add(place)
                    place = self._next(place)
        ranked = sorted(places, key=lambda one: (one[1] - one[2] * (self.passes - one[3]), one))
        return {place: number for number, place in enumerate(ranked)}

    def _next(self, place: _Place) -> _Place:
        """The place after one turn; an end of the round stays the same."""
        order, now, until, lap = place
        return self._at(order, now + 1, until, lap) if now < until else place

    @kept
    def of(self, counts: Counts) -> Round:
        """The places of a round for these numbers of each kind."""
        at = self._places(counts)
        steps: list[tuple[int, int, int]] = []
        ends: list[tuple[int, Shares]] = []
        for place, number in at.items():
            order, now, until, _ = place
            if now < until:
                steps.append((number, order[now], at[self._next(place)]))
            elif self.anew:
                ends.append((number, self._starts(counts)))
            else:
                ends.append((number, [(at[self._start(order, counts)], self.one)]))
        return Round(len(at), self.passes * sum(counts), steps, ends)

    @kept
    def without(self, counts: Counts, kind: int) -> Sequence[Shares]:
        """For each place, the places that it may become without one of a kind, with chances."""
        many, after = counts[kind], self._places(one_fewer(counts, kind))
        shares = [Fraction(part, many) * self.one for part in range(many + 1)]
        rows = []
        for order, now, until, lap in self._places(counts):
            ways: Counter[int] = Counter()
            for seat, letter in enumerate(order):
                if letter == kind:
                    less = (*order[:seat], *order[seat + 1 :])
                    place = self._at(less, now - (seat < now), until - (seat < until), lap)
                    ways[after[place]] += 1
            idle = many - ways.total()
            if idle:
                ways[after[order, now, until, lap]] += idle
            rows.append([(place, shares[part]) for place, part in ways.items()])
        return rows


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
    one = Fraction(1) if exact else 1.0
    laws, ties = [dict(law) for law in turn], [dict(law) for law in again]
    return Rounds(laws, ties, counts, anew=anew, passes=passes, one=one)


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
