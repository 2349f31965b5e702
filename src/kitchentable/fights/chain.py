"""The solution of a fight: each state is settled once, in order of falling health.

Health only falls, so the only loop is a round in which nothing changes, which a division closes.
All amounts are sums of products of chances, and the divisor is computed as a fraction, so nothing
is ever subtracted: rounding errors of floats only add up, and are counted on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import fsum
from typing import Any

from kitchentable.fights.errors import NeverEnds
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.rounds import Round, find_rounds
from kitchentable.fights.rows import add_rows, close_row, list_row, make_row

#: The relative rounding error of one operation on floats (IEEE 754, to nearest).
UNIT = Fraction(1, 2**53)

#: Rounds with fewer places than this are settled without numpy.
MANY_PLACES = 100


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a fight: each final state with its chance, the mean rounds, the error.

    `last` has numbers, or rows of them by round, for ends by a retreat or a limit too; `bound` is a
    proven bound of the relative error of a sum over them: 0 for fractions. `states` is the number
    of states of the fight with a turn to take, `tolls` the mean toll of each kind, as floats.
    """

    last: Mapping[Healths, Any]
    rounds: Any
    bound: Fraction
    states: int
    tolls: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """The possible actions from a configuration of healths, for every kind."""

    round: Round
    misses: Sequence[Any]
    hits: Sequence[Sequence[tuple[int, Any]]]
    leads: Sequence[tuple[Healths, tuple[int, ...]]]
    tolls: Sequence[tuple[int, int, float]]
    stay: Any
    leaves: Any


class Chain:
    """The Markov chain of a battle, in fractions or in floats."""

    def __init__(self, laws: Laws, *, exact: bool) -> None:
        self.laws, self.exact = laws, exact
        self.one: Any = Fraction(1) if exact else 1.0
        self.total: Callable[[Sequence[Any]], Any] = sum if exact else fsum
        self.rounds = find_rounds(laws, exact=exact)
        self._plans: dict[Healths, _Plan] = {}

    def settle(self, rows: int = 0) -> Ends:
        """All ends of the fight; with `rows`, by round up to that one, later rounds together.

        A fight with a limit of rounds is always solved by round. Errors: NeverEnds, BadBattle.
        """
        start, rows = self.laws.start, self.laws.battle.rounds or rows
        if self.laws.is_over(start):
            done = list_row(make_row(rows, 0, self.one, many=False)) if rows else self.one
            return Ends({start: done}, 0 * self.one, Fraction(0), 0)
        return _Settling(self, rows).run(start)

    def plan(self, healths: Healths) -> _Plan:
        """The possible actions from a configuration."""
        found = self._plans.get(healths)
        if found is None:
            found = self._plans[healths] = self._planned(healths)
        return found

    def _planned(self, healths: Healths) -> _Plan:
        laws, one = self.laws, self.one
        leads: dict[tuple[Healths, tuple[int, ...]], int] = {}
        hits: list[list[tuple[int, Any]]] = []
        misses: list[Fraction] = []
        for kind, left in enumerate(healths):
            ways: dict[int, Fraction] = {}
            hit = Fraction(0)
            for after, downs, chance in laws.ways(kind, healths) if left else ():
                if after != healths:
                    lead = leads.setdefault((after, downs), len(leads))
                    ways[lead] = ways.get(lead, Fraction(0)) + chance
                    hit += chance
            hits.append([(lead, chance * one) for lead, chance in ways.items() if chance])
            misses.append(1 - hit)
        counts = tuple(map(len, healths))
        stay = self.rounds.stay(counts, misses)
        if stay == 1 and not (laws.battle.rounds or laws.retreating(healths)):
            raise NeverEnds(
                "This fight comes to a point where nobody can hurt anybody any more. "
                "Give one side a chance to hit."
            )
        return _Plan(
            self.rounds.of(counts),
            [miss * one for miss in misses],
            hits,
            list(leads),
            [
                each
                for kind, left in enumerate(healths)
                if left
                for each in laws.tolls(kind, healths)
            ],
            stay * one,
            (1 - stay) * one,
        )


class _Settling:
    """One pass over all configurations, in order of falling health."""

    def __init__(self, chain: Chain, rows: int) -> None:
        self.chain, self.rows = chain, rows
        self.one = chain.one
        #: The amounts at each configuration's places, and the number of roundings behind them.
        self.inflow: dict[Healths, list[Any]] = {}
        self.depth: dict[Healths, int] = {}
        self.heap: list[tuple[int, Healths]] = []
        self.last: dict[Healths, Any] = {}
        self.visits: list[Any] = []
        self.tolls = [0.0] * len(chain.laws.kinds)
        self.states = self.deepest = 0

    def run(self, start: Healths) -> Ends:
        chain = self.chain
        counts = tuple(map(len, start))
        begun, places = chain.rounds.begin(counts)
        inflow = self._inflow(start, chain.rounds.of(counts))
        many = len(inflow) > MANY_PLACES
        for place, chance in places:
            row = make_row(self.rows, begun, chance, many=many) if self.rows else chance
            inflow[place] += row
        self.depth[start] = chain.rounds.depth + 2
        if begun:
            self.visits.append(self.one)
        while self.heap:
            _, healths = heappop(self.heap)
            self._settle(healths)
        # Sums over the ends and their rounds; doubled, because a mean is a quotient of two.
        deepest = 2 * (self.deepest + len(self.last) + len(self.visits) + self.rows + 4)
        off = deepest * (UNIT + chain.laws.slack)
        bound = Fraction(0) if chain.exact else off / (1 - off)
        last = {h: list_row(row) for h, row in self.last.items()} if self.rows else self.last
        tolls = tuple(self.tolls) if chain.laws.fought.toll else ()
        return Ends(last, chain.total(self.visits), bound, self.states, tolls)

    def _inflow(self, healths: Healths, places: Round) -> list[Any]:
        found = self.inflow.get(healths)
        if found is None:
            found = self.inflow[healths] = [0] * places.size
            heappush(self.heap, (-sum(map(sum, healths)), healths))
        return found

    def _settle(self, healths: Healths) -> None:
        plan = self.chain.plan(healths)
        around, here = plan.round, self.inflow.pop(healths)
        depth = self._begin_rounds(healths, plan, here, self.depth.pop(healths))
        self.states += len(around.steps)
        outs: list[list[Any]] = [[0] * around.size for _ in plan.leads]
        ways = [
            (miss, [(outs[lead], chance) for lead, chance in hits])
            for miss, hits in zip(plan.misses, plan.hits, strict=True)
        ]
        for place, kind, after in around.steps:
            amount = here[place]
            if type(amount) is int:  # nothing has come here
                continue
            miss, hits = ways[kind]
            here[after] += amount * miss
            for out, chance in hits:
                out[after] += amount * chance
        for kind, target, toll in plan.tolls:
            acts = [here[place] for place, who, _ in around.steps if who == kind]
            self.tolls[target] += toll * sum(
                float(self._total(a)) for a in acts if type(a) is not int
            )
        # A step is a product with a rounded chance, and a sum over the kinds that may have acted.
        kinds = len(plan.hits)
        depth += (around.longest + 1) * (2 + kinds)
        for (lead, downs), out in zip(plan.leads, outs, strict=True):
            self._push(healths, lead, downs, out, depth)

    def _begin_rounds(self, healths: Healths, plan: _Plan, here: list[Any], depth: int) -> int:
        """Start new rounds with the amounts at the end of a round; gives the depth of roundings."""
        around = plan.round
        stays: list[Any] = [self.one] * around.size
        over = list(range(around.size))
        for place, kind, after in reversed(around.steps):
            stays[place] = plan.misses[kind] * stays[after]
            over[place] = over[after]
        arrived: dict[int, list[Any]] = {}
        for place, amount in enumerate(here):
            if type(amount) is not int:
                arrived.setdefault(over[place], []).append(amount * stays[place])
        # Products along a round, their sum, the division, the chance of the order, one more sum.
        along = depth + 2 * around.longest + (around.size if self.rows else 0) + 4
        along += 4 * self.rows + self.chain.rounds.depth + 2
        if self.chain.laws.retreating(healths):
            self._end(healths, [one for each in arrived.values() for one in each], along)
            return along
        for end, starts in around.ends:
            if end not in arrived:
                continue
            begun, stopped = self._close(arrived[end], plan)
            if stopped is not None:
                self._end(healths, [stopped], along)
            self.visits.append(self._total(begun))
            for place, chance in starts:
                here[place] += begun * chance
        return along

    def _end(self, healths: Healths, amounts: Sequence[Any], depth: int) -> None:
        """Add amounts to those of an end of the fight."""
        if not amounts:
            return
        more = add_rows(amounts) if self.rows else self.chain.total(amounts)
        self.last[healths] = self.last.get(healths, 0) + more
        self.deepest = max(self.deepest, depth + (len(amounts) if self.rows else 1)) + 1

    def _close(self, arrived: Sequence[Any], plan: _Plan) -> tuple[Any, Any]:
        """The amount of new rounds, from the amounts left at the end of a round.

        The second is the amount that a limit of rounds stops, None without one.
        """
        if not self.rows:
            return self.chain.total(arrived) / plan.leaves, None
        limit = self.chain.laws.battle.rounds
        return close_row(arrived, plan.stay, None if limit else plan.leaves)

    def _total(self, amount: Any) -> Any:
        return self.chain.total(list_row(amount)) if self.rows else amount

    def _push(
        self, before: Healths, after: Healths, downs: tuple[int, ...], out: list[Any], depth: int
    ) -> None:
        chain = self.chain
        if chain.laws.winner(after) is not None:
            self._end(after, [amount for amount in out if type(amount) is not int], depth)
            return
        counts = tuple(map(len, before))
        around = chain.rounds.of(tuple(map(len, after)))
        inflow = self._inflow(after, around)
        for down in downs:
            gone = chain.rounds.without(counts, down)
            counts = (*counts[:down], counts[down] - 1, *counts[down + 1 :])
            fewer: list[Any] = [0] * chain.rounds.of(counts).size
            for amount, row in zip(out, gone, strict=True):
                if type(amount) is not int:
                    for place, chance in row:
                        fewer[place] += amount * chance
            out = fewer
            # A product with a rounded share; an order results from as many others as it has gaps.
            depth += around.longest + 5
        for place, amount in enumerate(out):
            if type(amount) is not int:
                inflow[place] += amount
        self.depth[after] = max(self.depth.get(after, 0), depth) + 1
