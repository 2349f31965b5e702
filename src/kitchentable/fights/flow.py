"""How often a chain visits each of its states: a linear system, solved exactly, part by part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from kitchentable.fights.errors import NeverEnds

S = TypeVar("S", bound=Hashable)

Leads = Callable[[S], Sequence[tuple[S, Fraction]]]


def visits(start: S, states: Sequence[S], leads: Leads[S]) -> dict[S, Fraction]:
    """The expected number of visits to each state of an absorbing chain, from its start.

    States that lead nowhere absorb; for those the number is the chance to end there. The states
    are grouped into the smallest parts that one can come back to (Tarjan 1972), and only within
    such a part is a system of equations solved (Kemeny and Snell 1960, the fundamental matrix).
    Errors: NeverEnds, where a part can be entered and never left.

    >>> halves = {"a": (("a", Fraction(1, 2)), ("b", Fraction(1, 2))), "b": ()}
    >>> visits("a", ["a", "b"], halves.__getitem__)
    {'a': Fraction(2, 1), 'b': Fraction(1, 1)}
    """
    flowing: dict[S, Fraction] = dict.fromkeys(states, Fraction(0))
    flowing[start] = Fraction(1)
    for part in parts(start, leads):
        if len(part) == 1 and not leads(part[0]):
            continue
        _settle(part, leads, flowing)
        inside = set(part)
        for state in part:
            amount = flowing[state]
            for after, chance in leads(state):
                if after not in inside:
                    flowing[after] += amount * chance
    return flowing


def _settle(part: Sequence[S], leads: Leads[S], flowing: dict[S, Fraction]) -> None:
    """Turn what flows into a part from outside into visits: v = flow + v Q, for v."""
    place = {state: index for index, state in enumerate(part)}
    if all(after in place for state in part for after, _ in leads(state)):
        raise NeverEnds(
            f"From {part[0]!r} on, this fight never ends: nobody can win it any more. "
            "Its turn has to lead out of there."
        )
    rows: list[dict[int, Fraction]] = [{index: Fraction(1)} for index in range(len(part))]
    for state, index in place.items():
        for after, chance in leads(state):
            if after in place:
                row = rows[place[after]]
                row[index] = row.get(index, Fraction(0)) - chance
    known = [flowing[state] for state in part]
    flowing.update(zip(part, _solve(rows, known), strict=True))


def _solve(rows: list[dict[int, Fraction]], known: list[Fraction]) -> list[Fraction]:
    """Gauss's elimination on rows that hold what is not 0; the diagonal leads, so it is no pivot
    to be looked for: the matrix is one minus a part of a chain that leaks.
    """
    size = len(rows)
    for pivot in range(size):
        lead = rows[pivot]
        for below in range(pivot + 1, size):
            row = rows[below]
            first = row.pop(pivot, None)
            if not first:
                continue
            factor = first / lead[pivot]
            for column, value in lead.items():
                if column > pivot:
                    left = row.get(column, Fraction(0)) - factor * value
                    if left:
                        row[column] = left
                    else:
                        row.pop(column, None)
            known[below] -= factor * known[pivot]
    found = [Fraction(0)] * size
    for index in reversed(range(size)):
        row = rows[index]
        rest = sum((value * found[c] for c, value in row.items() if c > index), Fraction(0))
        found[index] = (known[index] - rest) / row[index]
    return found


def parts(start: S, leads: Leads[S]) -> Iterator[list[S]]:
    """The strongly connected parts of a chain, each before those that it leads to.

    >>> loop = {"a": ("b",), "b": ("a", "c"), "c": ()}
    >>> [sorted(part) for part in parts("a", lambda s: [(t, Fraction(1)) for t in loop[s]])]
    [['a', 'b'], ['c']]
    """
    found = list(_tarjan(start, leads))
    return reversed(found)


def _tarjan(start: S, leads: Leads[S]) -> Iterator[list[S]]:
    """Tarjan's search without recursion: a long fight is deeper than Python's stack."""
    number: dict[S, int] = {start: 0}
    lowest: dict[S, int] = {start: 0}
    path = [start]
    on_path = {start}
    work = [(start, iter(leads(start)))]
    while work:
        state, ways = work[-1]
        for after, _ in ways:
            if after not in number:
                number[after] = lowest[after] = len(number)
                path.append(after)
                on_path.add(after)
                work.append((after, iter(leads(after))))
                break
            if after in on_path:
                lowest[state] = min(lowest[state], number[after])
        else:
            work.pop()
            if work:
                before = work[-1][0]
                lowest[before] = min(lowest[before], lowest[state])
            if lowest[state] == number[state]:
                cut = len(path) - 1
                while path[cut] != state:
                    cut -= 1
                part = path[cut:]
                del path[cut:]
                on_path.difference_update(part)
                yield part
