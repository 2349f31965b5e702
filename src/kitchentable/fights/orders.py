"""The chance of every turn order of kinds, for any dice; equals throw again.

People of a kind have the same dice, so an order is a string of kinds, not of people. For people of
the kinds `s`, in a given assignment, the chance of exactly the order `s` is a sum over the number
of first letters that share the highest number: equals throw again, and the rest have lower numbers.
One division closes the case that all are equal again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from kitchentable.fights.laws import Law
from kitchentable.rules.combat import BadBattle

#: Kinds by their index, in the order of acting.
Order = tuple[int, ...]


def list_orders(counts: Sequence[int]) -> list[Order]:
    """List the strings of kinds with at most `counts` of each, short ones first.

    >>> list_orders((1, 1))
    [(), (0,), (1,), (0, 1), (1, 0)]
    """
    layers: list[list[Order]] = [[()]]
    while layers[-1]:
        layers.append(
            [
                (*one, kind)
                for one in layers[-1]
                for kind, most in enumerate(counts)
                if one.count(kind) < most
            ]
        )
    return [one for layer in layers for one in layer]


class OrderChances:
    """The chance of each turn order, and a bound of its rounding errors.

    `chances[s]` is for people in a given assignment who all have a turn. `depth[n]` bounds the
    number of rounded operations behind the chance of an order of length n; 0 for fractions.
    """

    __slots__ = ("_cuts", "_exact", "_one", "_sums", "chances", "depth")

    def __init__(
        self, turn: Sequence[Law], again: Sequence[Law], counts: Sequence[int], one: Any
    ) -> None:
        orders = list_orders(counts)
        at = {order: place for place, order in enumerate(orders)}
        self._one, self._exact = one, isinstance(one, Fraction)
        self._cuts = [
            (order, [(at[order[:c]], at[order[c:]]) for c in range(1, len(order))])
            for order in orders
        ]
        ties: list[Any] = [one]
        depth = [0] * (sum(counts) + 1)
        self._sums: dict[Order, Fraction] = {}
        self._fold(again, ties, depth, close=True)
        done = self._fold(turn, ties, depth, close=False)
        self.chances = dict(zip(orders, done, strict=True))
        self.depth = [0] * len(depth) if self._exact else depth
        self._cuts.clear()

    def _fold(self, laws: Sequence[Law], ties: list[Any], depth: list[int], *, close: bool) -> Any:
        """The chance of each order by thrown numbers; `close` settles the orders of equals."""
        one, cuts = self._one, self._cuts
        levels = sorted({number for law in laws for number in law if number is not None})
        exact = [[law.get(level, Fraction(0)) for law in laws] for level in levels]
        shows = [[chance * one for chance in row] for row in exact]
        # For each level: all throw it and are then ordered; all throw it or less.
        equal: list[list[Any]] = [[one] for _ in levels]
        same: list[list[Any]] = [[one] for _ in levels]
        done: list[list[Any]] = [[one] for _ in range(len(levels) + 1)]
        rest = {order: place for place, (order, _) in enumerate(cuts)}
        for order, places in cuts[1:]:
            first, tail = order[0], rest[order[1:]]
            here = [0 * one]
            for level, row in enumerate(shows):
                share = row[first]
                same[level].append(share * same[level][tail])
                if share:
                    now, lower = equal[level], done[level]
                    here.append(sum([now[i] * lower[j] for i, j in places], 0 * one))
                else:
                    here.append(0 * one)
            below = list(accumulate(here))
            together = list(accumulate((row[-1] for row in same), initial=0 * one))
            if close:
                ties.append(
                    one if len(order) == 1 else below[-1] / self._chance_of_difference(order, exact)
                )
            tie = ties[rest[order]]
            for level, row in enumerate(equal):
                row.append(same[level][-1] * tie)
            for row, lower, equals in zip(done, below, together, strict=True):
                row.append(lower + equals * tie)
        self._deepen(depth, len(levels), close=close)
        return done[-1]

    def _chance_of_difference(self, order: Order, exact: list[list[Fraction]]) -> Any:
        """The chance that equals of these kinds do not all throw the same number again."""
        key = tuple(sorted(order))
        found = self._sums.get(key)
        if found is None:
            found = Fraction(1)
            for row in exact:
                chance = Fraction(1)
                for kind in key:
                    chance *= row[kind]
                found -= chance
            if not found:
                raise BadBattle(
                    "Equals in this fight always throw the same number, so there is no turn order."
                )
            self._sums[key] = found
        return found * self._one

    @staticmethod
    def _deepen(depth: list[int], levels: int, *, close: bool) -> None:
        """Update the counts of roundings, `depth[n]`, for orders of length n.

        A product adds one, a sum one for each further term, a factor rounded from a fraction one.
        """
        ties, done = list(depth), [0] * len(depth)
        for n in range(1, len(depth)):
            cut = [2 * c + ties[c] + done[n - c] + 2 for c in range(1, n)]
            below = max(cut, default=0) + n + levels
            if close:
                ties[n] = below + 2 if n > 1 else 0
            done[n] = max(below, 2 * n + levels + ties[n] + 1) + 1
        depth[:] = ties if close else done
