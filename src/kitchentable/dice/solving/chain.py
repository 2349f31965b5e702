"""A call with all its tail calls, solved as an absorbing chain.

Each call is run once and gives one row (:mod:`.row`). Probability flows from call to call. Cycles
of calls are linear systems (:mod:`.circles`), or systems of generating functions if the cycle adds
numbers (:mod:`.counted`). In an infinite chain, calls reached with a total probability below 2**-72
are left out, and this probability stays unresolved.
"""

import operator
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

from kitchentable.dice.solving.circles import BELOW, EXACT, Arithmetic, count_visits, find_circles
from kitchentable.dice.solving.counted import (
    close_as_phase,
    close_counting,
    is_small,
    not_a_number,
)
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.keys import Key
from kitchentable.dice.solving.kinds import find_mixed, is_whole
from kitchentable.dice.solving.phase import PhaseLaw
from kitchentable.dice.solving.results import Results
from kitchentable.dice.solving.row import Row
from kitchentable.dice.solving.solution import NONE, Solution, whole
from kitchentable.dice.solving.sums import convolve, in_order, new_table

#: From this depth, or this number of calls, the chain may be infinite, and is checked for a
#: negligible rest.
FAR = 256
MANY = 20_000
FIRST_LOOK = 512
#: The largest probability that may be left out.
FAINT = Fraction(1, 2**72)
#: The chain is cut at this depth, or this number of calls.
FARTHEST = 20_000
MOST = 400_000
MUCH = 2_000
CERTAIN = Fraction(1)


class Chain:
    """The calls reachable from `key` by tail calls, and their rows."""

    def __init__(self, results: Results, key: Key, chance: Fraction = CERTAIN) -> None:
        self.results = results
        self.key = key
        # The probability that the result is needed, on the path that first needed it.
        self.chance = chance
        self.rounds = 0
        # The lower bound and the guess, while an upper bound is tried.
        self.tried: tuple[Solution, Solution] | None = None
        self.begin()

    def begin(self) -> None:
        """Reset the exploration."""
        self.rows: dict[Key, Row] = {}
        self.level: dict[Key, int] = {self.key: 0}
        self.queue: deque[Key] = deque([self.key])
        self.next_look = FIRST_LOOK
        self.cut: Solution | None = None
        # The depth of the results that the rows need, whether any is inexact, and the calls with
        # guessed results.
        self.depth = 0
        self.inexact = False
        self.taint: set[Key] = set()

    def explore(self, make_row: Callable[[Key], Row]) -> None:
        """Run every reachable call. Errors: NeedsValue; the rows found so far are kept."""
        level = self.level
        while self.queue and self.cut is None:
            key = self.queue[0]
            row = self.rows[key] = make_row(key)
            self.queue.popleft()
            self.depth = max(self.depth, row.depth)
            self.inexact |= row.inexact
            self.taint.update(row.taint)
            beyond = level[key] + 1
            for target in row.calls:
                if target not in level:
                    level[target] = beyond
                    self.queue.append(target)
            if len(self.rows) >= self.next_look and self.queue:
                self._look_for_an_end(level[self.queue[0]])

    def _look_for_an_end(self, level: int) -> None:
        self.next_look = 2 * len(self.rows)
        self.results.check_time()
        last = level >= FARTHEST or len(self.rows) >= MOST
        if level < FAR and len(self.rows) < MANY and not last:
            return
        solution = self._pushed(self.key, BELOW)
        if last or solution.unresolved < FAINT:
            self.cut = solution

    def solve(self) -> Solution:
        """The solution of the call, from the explored rows."""
        solution = self._pushed(self.key, EXACT) if self.cut is None else self.cut
        solution.depth = self.depth
        solution.inexact = self.inexact or self.cut is not None
        solution.mixed = self._mixed() or solution.mixed
        return solution

    def _mixed(self) -> tuple[Any, Any] | None:
        """Two equal outcomes of the chain with different types."""
        rows = self.rows.values()
        known = [row.mixed for row in rows if row.mixed is not None]
        if known or len(rows) == 1:
            return known[0] if known else None
        firsts: dict[Any, Any] = {}
        found = (find_mixed(firsts, row.found) for row in rows)
        return next((one for one in found if one is not None), None)

    # -- probability flow -------------------------------------------------------------------------

    def _follow(self, key: Key) -> Iterable[Key]:
        rows = self.rows
        calls = rows[key].calls
        return [target for target in calls if target in rows] if self.queue else calls

    def _pushed(self, start: Key, arithmetic: Arithmetic) -> Solution:
        only = self.rows[start]
        if not only.calls and arithmetic is EXACT:
            return assemble(only.found, only.total, only.laws, only.never)
        circles = find_circles(start, self._follow)
        counting = [one for one in circles if self._goes_round(one) and self._counts(one)]
        if counting and (arithmetic is BELOW or not is_small(counting, self.rows)):
            keys = [key for circle in circles for key in circle]
            return close_as_phase(
                keys, self.rows, exact=arithmetic is EXACT, guessed=bool(self.taint)
            )
        flow = Flow(self, arithmetic)
        flow.enter(start, 1, {0: 1})
        for circle in circles:
            self.results.check_time()
            if not self._goes_round(circle):
                flow.leave(circle[0])
            elif circle in counting:
                flow.count(circle)
            else:
                flow.solve_cycle(circle)
        (weights,), total = whole([flow.found])
        return assemble(weights, total, flow.laws, flow.never)

    def _goes_round(self, circle: list[Key]) -> bool:
        return len(circle) > 1 or circle[0] in self.rows[circle[0]].calls

    def _counts(self, circle: list[Key]) -> bool:
        """Whether a cycle adds numbers."""
        inside = set(circle)
        return any(
            any(extras)
            for key in circle
            for to, extras in self.rows[key].calls.items()
            if to in inside
        )

    def beyond(self, circle: list[Key]) -> dict[Key, Solution]:
        """The solutions of the calls that follow a cycle."""
        inside = set(circle)
        return {
            to: self._pushed(to, EXACT)
            for key in circle
            for to in self._follow(key)
            if to not in inside
        }


class Flow:
    """The probability that reaches each call, by the number added on the way."""

    def __init__(self, chain: Chain, arithmetic: Arithmetic) -> None:
        self.chain = chain
        self.exact = arithmetic is EXACT
        self.arithmetic = arithmetic
        # For each call, a denominator, and weights by the number added.
        self.waiting: dict[Key, tuple[int, dict[int, int]]] = {}
        self.found: dict[int, dict[Any, Any]] = defaultdict(new_table)
        self.laws: list[tuple[Fraction, GeneratingFunction | PhaseLaw]] = []
        self.never = NONE

    def enter(self, key: Key, below: int, amounts: dict[int, int]) -> None:
        """Add probability to a call."""
        if not self.exact and below != BELOW.one:
            amounts = {extra: BELOW.share(one, below) for extra, one in amounts.items()}
            below = BELOW.one
        known = self.waiting.get(key)
        if known is None:
            self.waiting[key] = below, new_table(amounts)
            return
        before, sums = known
        whole = before if before == below else lcm(before, below)
        mine, theirs = whole // before, whole // below
        if mine != 1:
            sums = new_table({extra: mine * one for extra, one in sums.items()})
        for extra, one in amounts.items():
            sums[extra] += theirs * one
        self.waiting[key] = whole, sums

    def leave(self, key: Key) -> None:
        """Pass on the probability of a call, after all of it has arrived."""
        if key not in self.waiting:
            return  # Only a cycle leads here, and it was solved as a whole.
        row = self.chain.rows[key]
        self._distribute(row, *self.waiting.pop(key), row.total)

    def _distribute(
        self,
        row: Row,
        below: int,
        amounts: dict[int, int],
        total: int,
        inside: Collection[Key] = (),
    ) -> None:
        """Add the product of weights over `below` and a row of weights over `total`."""
        whole = below * total if self.exact else below
        if row.found:
            self._add_found(row, whole, amounts, total)
        for share, law in row.laws:
            for extra, one in amounts.items():
                part = share * Fraction(row.total * one, total * below)
                self.laws.append((part, law.moved(extra)))
        if row.never:
            self.never += row.never * Fraction(sum(amounts.values()) * row.total, total * below)
        for target, steps in row.calls.items():
            if target in inside or target not in self.chain.level:
                continue
            self.enter(target, whole, self._times(amounts, steps, total))

    def _times(self, amounts: dict[int, int], steps: dict[int, int], total: int) -> dict[int, int]:
        if len(amounts) * len(steps) > MUCH:
            out = dict(zip(*convolve(in_order(amounts), in_order(steps)), strict=True))
        else:
            out = new_table()
            for extra, one in amounts.items():
                for step, weight in steps.items():
                    out[extra + step] += one * weight
        if not self.exact:
            out = {extra: one // total for extra, one in out.items()}
        return out

    def _add_found(self, row: Row, whole: int, amounts: dict[int, int], total: int) -> None:
        cell = self.found[whole]
        if len(amounts) == 1 and 0 in amounts:
            one = amounts[0]
            for outcome, weight in row.found.items():
                cell[outcome] += one * weight if self.exact else one * weight // total
            return
        numbers = {}
        for outcome, weight in row.found.items():
            if type(outcome) is int:
                numbers[outcome] = weight
            elif any(amounts):
                raise not_a_number(self.chain.key, [outcome])
            else:
                cell[outcome] += sum(amounts.values()) * weight
        for outcome, weight in self._times(amounts, numbers, total).items() if numbers else ():
            cell[outcome] += weight

    def solve_cycle(self, circle: list[Key]) -> None:
        """Solve a cycle that adds nothing: pass on the probability that leaves it."""
        rows = self.chain.rows
        inside = frozenset(circle)
        entries = {key: self.waiting.pop(key) for key in circle if key in self.waiting}
        if not entries:
            return
        if not any(
            row.found
            or row.laws
            or row.lost
            or row.never
            or any(to not in inside for to in row.calls)
            for row in map(rows.__getitem__, circle)
        ):
            for below, amounts in entries.values():
                self.never += Fraction(sum(amounts.values()), below)
            return
        if len(circle) == 1 and self.exact:
            ((key, (below, amounts)),) = entries.items()
            row = rows[key]
            self._distribute(row, below, amounts, row.total - row.calls[key][0], inside)
            return
        share = self.arithmetic.share
        steps = {
            key: {
                to: share(extras[0], rows[key].total)
                for to, extras in rows[key].calls.items()
                if to in inside
            }
            for key in circle
        }
        enters = {
            key: {extra: share(one, below) for extra, one in amounts.items()}
            for key, (below, amounts) in entries.items()
        }
        for key, visits in count_visits(steps, enters, self.arithmetic).items():
            below, amounts = _over_one(visits) if self.exact else (BELOW.one, visits)
            self._distribute(rows[key], below, amounts, rows[key].total, inside)

    def count(self, circle: list[Key]) -> None:
        """Solve a cycle that adds numbers: pass on the probability that leaves it."""
        entries = {key: self.waiting.pop(key) for key in circle if key in self.waiting}
        solutions = close_counting(circle, self.chain.rows, self.chain.beyond(circle))
        for key, (below, amounts) in entries.items():
            solution = solutions[key]
            law = solution.law
            for extra, one in amounts.items():
                part = Fraction(one, below)
                cell = self.found[below * solution.total]
                for outcome, weight in solution.weights.items():
                    cell[outcome + extra] += one * weight
                if law is not None:
                    self.laws.append((part, law.moved(extra)))
                self.never += part * solution.never


def _over_one(visits: dict[int, Fraction]) -> tuple[int, dict[int, int]]:
    below = lcm(*(one.denominator for one in visits.values()))
    return below, {extra: int(one * below) for extra, one in visits.items()}


def assemble(
    weights: dict[Any, int], total: int, laws: list[tuple[Fraction, Any]], never: Fraction
) -> Solution:
    """The solution with these weights over a total and infinite laws with probabilities."""
    if not laws:
        return Solution(weights, total, never=never)
    if len(laws) == 1 and not weights:
        only = laws[0][1].scaled(laws[0][0])
        if only.as_law() is not only:
            return Solution({}, 1, only, never=never)
    law = reduce(operator.add, [one.as_law().scaled(share) for share, one in laws])
    numbers = {outcome: weight for outcome, weight in weights.items() if type(outcome) is int}
    if numbers:
        law += polynomial(numbers, total)
        weights = {o: weight for o, weight in weights.items() if type(o) is not int}
    mixed = next(((int(o), o) for o in weights if is_whole(o) and law.chance(int(o))), None)
    if law.finite:
        below = law.whole
        scale = lcm(below, total)
        weights = new_table({o: weight * (scale // total) for o, weight in weights.items()})
        for at, weight in enumerate(law.over):
            if weight:
                weights[law.low + at] += weight * (scale // below)
        solution = Solution(weights, scale, never=never)
    else:
        solution = Solution(weights, total, law, never=never)
    solution.mixed = mixed
    return solution
