"""Cycles in a graph of calls, and the expected number of visits to each state.

Visits of an absorbing chain are computed by state reduction (Grassmann, Taksar and Heyman, 1985).
The state with the fewest connections is removed first, so that sparse chains stay sparse.
"""

import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

from kitchentable.dice.solving.deadline import check_time
from kitchentable.dice.solving.sums import new_table

K = TypeVar("K", bound=Hashable)
CLOSED = 1 << 62


def find_circles(start: K, follow: Callable[[K], Iterable[K]]) -> list[list[K]]:
    """The strongly connected components that `start` reaches, sources first (Tarjan, 1972).

    >>> find_circles(1, {1: [2], 2: [3], 3: [2, 4], 4: []}.__getitem__)
    [[1], [2, 3], [4]]
    """
    found: list[list[K]] = []
    # The order of discovery; CLOSED once a state's component is known.
    number: dict[K, int] = {start: 0}
    low: dict[K, int] = {start: 0}
    open_: list[K] = [start]
    path = [(start, iter(follow(start)))]
    while path:
        here, others = path[-1]
        for other in others:
            seen = number.get(other)
            if seen is None:
                number[other] = low[other] = len(number)
                open_.append(other)
                path.append((other, iter(follow(other))))
                break
            low[here] = min(low[here], seen)
        else:
            path.pop()
            least = low[here]
            if path and least < low[path[-1][0]]:
                low[path[-1][0]] = least
            if least == number[here]:
                circle: list[K] = []
                while not circle or circle[-1] != here:
                    circle.append(open_.pop())
                    number[circle[-1]] = CLOSED
                circle.reverse()
                found.append(circle)
    found.reverse()
    return found


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Products, quotients and shares of probabilities."""

    one: Any
    multiply: Callable[[Any, Any], Any]
    divide: Callable[[Any, Any], Any]
    share: Callable[[int, int], Any] = Fraction


#: Exact fractions.
EXACT = Arithmetic(Fraction(1), operator.mul, operator.truediv)
PLACES = 256
#: Whole numbers over 2**PLACES, rounded down at every step: a lower bound.
BELOW = Arithmetic(
    1 << PLACES,
    lambda a, b: a * b >> PLACES,
    lambda a, b: (a << PLACES) // b,
    lambda weight, total: (weight << PLACES) // total,
)


def count_visits(
    steps: Mapping[K, Mapping[K, Any]],
    entries: Mapping[K, Mapping[int, Any]],
    arithmetic: Arithmetic = EXACT,
) -> dict[K, dict[int, Any]]:
    """The expected visits to each state of a cycle, for each number added before entry.

    `steps` are the transition probabilities; every state has a path out of the cycle.

    >>> half = Fraction(1, 2)
    >>> count_visits({1: {2: half}, 2: {1: half}}, {1: {0: Fraction(1)}})
    {1: {0: Fraction(4, 3)}, 2: {0: Fraction(2, 3)}}
    """
    multiply, divide = arithmetic.multiply, arithmetic.divide
    chain = _Reduced(steps, entries, arithmetic)
    removed = [(state, *chain.remove(state)) for state in chain.in_order()]
    visits: dict[K, dict[int, Any]] = {}
    for state, leaves, arrivals in reversed(removed):
        own = chain.enters[state]
        for other, weight in arrivals.items():
            for extra, amount in visits[other].items():
                own[extra] += multiply(amount, weight)
        visits[state] = {extra: divide(amount, leaves) for extra, amount in own.items()}
    return {state: visits[state] for state in steps}


def solve_equations(
    steps: Mapping[K, Mapping[K, Any]], own: Mapping[K, Any], arithmetic: Arithmetic = EXACT
) -> dict[K, Any]:
    """The solution of the linear equations x = own + steps x, with one `own` for each state.

    >>> solve_equations({1: {2: Fraction(1, 2)}, 2: {1: Fraction(1, 2)}}, {1: Fraction(3), 2: 0})
    {1: Fraction(4, 1), 2: Fraction(2, 1)}
    """
    comes: dict[K, dict[K, Any]] = {state: {} for state in steps}
    for state, others in steps.items():
        for to, step in others.items():
            comes[to][state] = step
    visits = count_visits(comes, {state: {0: one} for state, one in own.items()}, arithmetic)
    return {state: one[0] for state, one in visits.items()}


class _Reduced(Generic[K]):
    """A chain from which states are removed one by one, while paths through them are kept."""

    def __init__(
        self,
        steps: Mapping[K, Mapping[K, Any]],
        entries: Mapping[K, Mapping[int, Any]],
        arithmetic: Arithmetic,
    ) -> None:
        self.arithmetic = arithmetic
        self.goes = {state: new_table(others) for state, others in steps.items()}
        self.comes: dict[K, set[K]] = {state: set() for state in steps}
        for state, others in steps.items():
            for other in others:
                self.comes[other].add(state)
        self.enters = {state: new_table(entries.get(state, {})) for state in steps}

    def _size(self, state: K) -> int:
        return len(self.goes[state]) * len(self.comes[state])

    def in_order(self) -> Iterator[K]:
        """The remaining states, those with the fewest connections first."""
        states = list(self.goes)
        heap = [(self._size(state), at) for at, state in enumerate(states)]
        heapify(heap)
        while heap:
            size, at = heappop(heap)
            state = states[at]
            now = self._size(state)
            if size == now:
                yield state
            else:
                heappush(heap, (now, at))

    def remove(self, state: K) -> tuple[Any, dict[K, Any]]:
        """Remove a state; return its probability of leaving itself, and its incoming steps."""
        multiply, divide = self.arithmetic.multiply, self.arithmetic.divide
        out = self.goes.pop(state)
        leaves = self.arithmetic.one - out.pop(state, 0)
        comes = self.comes.pop(state) - {state}
        arrivals = {other: self.goes[other].pop(state) for other in comes}
        for other, weight in arrivals.items():
            check_time()
            through = divide(weight, leaves)
            row = self.goes[other]
            for to, chance in out.items():
                row[to] += multiply(through, chance)
                self.comes[to].add(other)
        for to, chance in out.items():
            self.comes[to].discard(state)
            part = divide(chance, leaves)
            into = self.enters[to]
            for extra, amount in self.enters[state].items():
                into[extra] += multiply(part, amount)
        return leaves, arrivals
