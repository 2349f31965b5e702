"""The solver of a fight, which settles each state once, in order of falling health.

Health only falls, so the only loop is a round in which nothing changes, and a division closes it.
All amounts are sums of products of chances, and the divisor is a fraction. Nothing is subtracted,
so rounding errors of floats only add up, and are counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from kitchentable.fights.laws import Healths
from kitchentable.fights.plans import UNIT, Ends, Plan, Plans
from kitchentable.fights.rounds import Counts, Round, one_fewer
from kitchentable.fights.rows import add_rows, close_row, make_row


class Settling:
    """One pass over all configurations, in order of falling health."""

    def __init__(self, chain: Plans, rows: int) -> None:
        self.chain, self.rows = chain, rows
        self.one = chain.one
        #: For each configuration: the amounts at its places, and the number of their roundings.
        self.inflow: dict[Healths, Any] = {}
        self.depth: dict[Healths, int] = {}
        self.heap: list[tuple[int, Healths]] = []
        self.last: dict[Healths, Any] = defaultdict(int)
        self.visits: list[Any] = []
        self.tolls = [0.0] * chain.laws.accounts
        self.states = self.deepest = 0

    def run(self, starts: Mapping[Healths, Any], slack: Fraction) -> Ends:
        """Solve all ends from these starts; `slack` bounds the relative error of their chances."""
        chain = self.chain
        for healths, chance in starts.items():
            self._start(healths, chance * self.one)
        while self.heap:
            _, healths = heappop(self.heap)
            self._settle(healths)
        # Sums over the ends and their rounds; doubled, because a mean is a quotient of two sums.
        deepest = 2 * (self.deepest + len(self.last) + len(self.visits) + self.rows + 4)
        off = deepest * (UNIT + chain.laws.slack) + 2 * slack
        bound = Fraction(0) if chain.exact else off / (1 - off)
        tolls = tuple(self.tolls) if chain.laws.accounts else ()
        return Ends(self._ended(), chain.total(self.visits), bound, self.states, tolls)

    def _ended(self) -> dict[Healths, Any]:
        """The amounts of all ends, rows as tuples."""
        return self.last

    def _start(self, healths: Healths, chance: Any) -> None:
        """Begin with a state, which may already be an end."""
        if self.chain.laws.is_over(healths):
            self._end(healths, [make_row(self.rows, 0, chance) if self.rows else chance], 0)
            return
        counts, rounds = tuple(map(len, healths)), self.chain.rounds_at(healths)
        begun, places = rounds.begin(counts)
        inflow = self._inflow(healths, rounds.of(counts))
        for place, share in places:
            self._put(inflow, place, begun, chance * share)
        self.depth[healths] = max(self.depth.get(healths, 0), rounds.depth + 3)
        if begun:
            self.visits.append(chance)

    def _put(self, inflow: Any, place: int, begun: int, amount: Any) -> None:
        inflow[place] += make_row(self.rows, begun, amount) if self.rows else amount

    def _inflow(self, healths: Healths, places: Round) -> Any:
        found = self.inflow.get(healths)
        if found is None:
            found = self.inflow[healths] = self._none(places.size)
            heappush(self.heap, (-sum(map(sum, healths)), healths))
        return found

    def _none(self, size: int) -> Any:
        """No amounts at any place."""
        return [0] * size

    def _settle(self, healths: Healths) -> None:
        plan = self.chain.plan(healths)
        around, here = plan.round, self.inflow.pop(healths)
        depth = self._begin_rounds(healths, plan, here, self.depth.pop(healths))
        self.states += len(around.steps)
        # A step is a product with a rounded chance, and a sum over the kinds that may act.
        depth += (around.longest + 1) * (2 + len(plan.hits))
        for (lead, downs), out in zip(plan.leads, self._act(plan, here), strict=True):
            self._push(healths, lead, downs, out, depth)

    def _act(self, plan: Plan, here: Any) -> Sequence[Any]:
        """Take all turns of a round from these amounts; returns the amounts of each lead."""
        around = plan.round
        outs: list[list[Any]] = [[0] * around.size for _ in plan.leads]
        ways = [
            (miss, [(outs[lead], chance) for lead, chance in hits])
            for miss, hits in zip(plan.misses, plan.hits, strict=True)
        ]
        for place, kind, after in around.steps:
            amount = here[place]
            if type(amount) is int:  # no amount here
                continue
            miss, hits = ways[kind]
            here[after] += amount * miss
            for out, chance in hits:
                out[after] += amount * chance
        for kind, target, toll in plan.tolls:
            acts = [here[place] for place, who, _ in around.steps if who == kind]
            self.tolls[target] += toll * sum(float(self._total(a)) for a in self._came(acts))
        return outs

    def _begin_rounds(self, healths: Healths, plan: Plan, here: Any, depth: int) -> int:
        """Start new rounds with the amounts at the end of a round; returns the rounding depth."""
        around = plan.round
        stays: list[Any] = [self.one] * around.size
        for place, kind, after in reversed(around.steps):
            stays[place] = plan.misses[kind] * stays[after]
        # Products along a round, their sum, the division, the chance of the order, one more sum.
        along = depth + 2 * around.longest + (around.size if self.rows else 0) + 4
        along += 4 * self.rows + plan.depth + 2
        retreating = self.chain.laws.retreating(healths)
        for amounts, starts in self._arrive(around, here, stays):
            if retreating:
                self._end(healths, amounts, along)
                continue
            begun, stopped = self._close(amounts, plan)
            if stopped is not None:
                self._end(healths, [stopped], along)
            self.visits.append(self._total(begun))
            self._start_at(here, starts, begun)
        return along

    def _arrive(
        self, around: Round, here: Any, stays: Sequence[Any]
    ) -> list[tuple[Sequence[Any], Any]]:
        """For each end of a round: the amounts that arrive unchanged, and the next starts."""
        over = list(range(around.size))
        for place, _, after in reversed(around.steps):
            over[place] = over[after]
        arrived: dict[int, list[Any]] = {}
        for place, amount in enumerate(here):
            if type(amount) is not int:
                arrived.setdefault(over[place], []).append(amount * stays[place])
        return [(arrived[end], starts) for end, starts in around.ends if end in arrived]

    def _start_at(self, here: Any, starts: Any, begun: Any) -> None:
        """Add an amount to the places at the start of a round, by their chances."""
        for place, chance in starts:
            here[place] += begun * chance

    def _end(self, healths: Healths, amounts: Sequence[Any], depth: int) -> None:
        """Add amounts to those of an end of the fight."""
        if not amounts:
            return
        more = add_rows(amounts) if self.rows else self.chain.total(amounts)
        self.last[healths] += more
        self.deepest = max(self.deepest, depth + (len(amounts) if self.rows else 1)) + 1

    def _close(self, arrived: Sequence[Any], plan: Plan) -> tuple[Any, Any]:
        """The amount of new rounds, and the amount stopped by a limit of rounds (or None)."""
        if not self.rows:
            return self.chain.total(arrived) / plan.leaves, None
        limit = self.chain.laws.battle.rounds
        return close_row(self._add_up(arrived), plan.stay, None if limit else plan.leaves)

    def _add_up(self, arrived: Sequence[Any]) -> Any:
        """The sum of the rows that arrive at an end of a round."""
        return add_rows(arrived)

    def _total(self, amount: Any) -> Any:
        return self.chain.total(amount) if self.rows else amount

    def _push(
        self, before: Healths, after: Healths, downs: tuple[int, ...], out: Any, depth: int
    ) -> None:
        """Add the amounts of a lead to those of its healths, or of an end."""
        rounds = self.chain.rounds
        if downs and self.chain.laws.winner(after) is not None:
            self._end(after, self._came(out), depth)
            return
        counts = tuple(map(len, before))
        around = rounds.of(tuple(map(len, after)))
        for down in downs:
            fewer = one_fewer(counts, down)
            out = self._without(counts, down, out, self._none(rounds.of(fewer).size))
            counts = fewer
            # A product with a rounded share; an order has as many predecessors as gaps.
            depth += around.longest + 5
        self._join(self._inflow(after, around), out)
        self.depth[after] = max(self.depth.get(after, 0), depth) + 1

    def _came(self, amounts: Any) -> list[Any]:
        """The places with amounts."""
        return [amount for amount in amounts if type(amount) is not int]

    def _without(self, counts: Counts, kind: int, amounts: Any, fewer: Any) -> Any:
        """Add the amounts at the places without one of a kind to `fewer`."""
        gone = self.chain.rounds.without(counts, kind)
        for amount, row in zip(amounts, gone, strict=True):
            if type(amount) is not int:
                for place, chance in row:
                    fewer[place] += amount * chance
        return fewer

    def _join(self, inflow: Any, amounts: Any) -> None:
        """Add amounts place by place."""
        for place, amount in enumerate(amounts):
            if type(amount) is not int:
                inflow[place] += amount
