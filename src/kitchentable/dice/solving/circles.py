"""Graphs of calls: which of them go round in circles, and how often a circle is passed through.

The visits of an absorbing chain are found by state reduction (Grassmann, Taksar and Heyman, 1985),
state by state with the fewest connections first, so that chains with few neighbours stay sparse.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def find_circles(start: K, follow: Callable[[K], Iterable[K]]) -> list[list[K]]:
    """The strongly connected components that `start` reaches, sources first (Tarjan, 1972).

    >>> find_circles(1, {1: [2], 2: [3], 3: [2, 4], 4: []}.__getitem__)
    [[1], [2, 3], [4]]
    """
    found: list[list[K]] = []
    number: dict[K, int] = {start: 0}
    low: dict[K, int] = {start: 0}
    open_: list[K] = [start]
    is_open: set[K] = {start}
    path = [(start, iter(follow(start)))]
    while path:
        here, others = path[-1]
        for other in others:
            if other not in number:
                number[other] = low[other] = len(number)
                open_.append(other)
                is_open.add(other)
                path.append((other, iter(follow(other))))
                break
            if other in is_open:
                low[here] = min(low[here], number[other])
        else:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[here])
            if low[here] == number[here]:
                at = _last(open_, here)
                found.append(open_[at:])
                is_open.difference_update(open_[at:])
                del open_[at:]
    found.reverse()
    return found


def _last(items: list[K], wanted: K) -> int:
    at = len(items) - 1
    while items[at] != wanted:
        at -= 1
    return at


class Exact:
    """Fractions: nothing is rounded."""

    one: Fraction = Fraction(1)

    @staticmethod
    def multiply(a: Fraction, b: Fraction) -> Fraction:
        """The product."""
        return a * b

    @staticmethod
    def divide(a: Fraction, b: Fraction) -> Fraction:
        """The quotient."""
        return a / b

    @staticmethod
    def share(weight: int, total: int) -> Fraction:
        """A chance from its weight."""
        return Fraction(weight, total)


class Below:
    """Whole numbers over 2**PLACES, every step rounded down: a lower bound of what is exact."""

    PLACES = 256
    one: int = 1 << PLACES

    @classmethod
    def multiply(cls, a: int, b: int) -> int:
        """The product, rounded down."""
        return a * b >> cls.PLACES

    @classmethod
    def divide(cls, a: int, b: int) -> int:
        """The quotient, rounded down."""
        return (a << cls.PLACES) // b

    @classmethod
    def share(cls, weight: int, total: int) -> int:
        """A chance from its weight, rounded down."""
        return (weight << cls.PLACES) // total


def count_visits(
    steps: Mapping[K, Mapping[K, Fraction]],
    entries: Mapping[K, Mapping[int, Fraction]],
    numbers: type[Exact] | type[Below] = Exact,
) -> dict[K, dict[int, Fraction]]:
    """How often each state of a circle is passed through, for each sum that it is entered with.

    `steps` are the chances of going from state to state; from every state the circle can be left.

    >>> half = Fraction(1, 2)
    >>> count_visits({1: {2: half}, 2: {1: half}}, {1: {0: Fraction(1)}})
    {1: {0: Fraction(4, 3)}, 2: {0: Fraction(2, 3)}}
    """
    multiply, divide, one = numbers.multiply, numbers.divide, numbers.one
    goes = {state: dict(others) for state, others in steps.items()}
    comes: dict[K, set[K]] = {state: set() for state in goes}
    for state, others in goes.items():
        for other in others:
            comes[other].add(state)
    enters = {state: dict(entries.get(state, {})) for state in goes}
    place = {state: at for at, state in enumerate(goes)}
    states = list(goes)
    heap = [(len(goes[state]) * len(comes[state]), at) for state, at in place.items()]
    heapify(heap)
    reduced: list[tuple[K, Fraction, dict[K, Fraction]]] = []
    left = set(goes)
    while heap:
        size, at = heappop(heap)
        state = states[at]
        if state not in left:
            continue
        if size != (now := len(goes[state]) * len(comes[state])):
            heappush(heap, (now, at))
            continue
        left.remove(state)
        out = goes.pop(state)
        stays = out.pop(state, None)
        leaves = one if stays is None else one - stays
        arrivals: dict[K, Fraction] = {}
        for other in comes.pop(state):
            if other == state:
                continue
            weight = goes[other].pop(state)
            arrivals[other] = weight
            through = divide(weight, leaves)
            row = goes[other]
            for to, chance in out.items():
                more = multiply(through, chance)
                if to in row:
                    row[to] += more
                else:
                    row[to] = more
                    comes[to].add(other)
        for to, chance in out.items():
            comes[to].discard(state)
            part = divide(chance, leaves)
            into = enters[to]
            for extra, amount in enters[state].items():
                into[extra] = into.get(extra, 0) + multiply(part, amount)
        reduced.append((state, leaves, arrivals))
    visits: dict[K, dict[int, Fraction]] = {}
    for state, leaves, arrivals in reversed(reduced):
        own = dict(enters[state])
        for other, weight in arrivals.items():
            for extra, amount in visits[other].items():
                own[extra] = own.get(extra, 0) + multiply(amount, weight)
        visits[state] = {extra: divide(amount, leaves) for extra, amount in own.items()}
    return {state: visits[state] for state in states}
