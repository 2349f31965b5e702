"""How often a chain visits each of its states: a linear system, solved exactly, part by part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from kitchentable.dice.solving.circles import count_visits, find_circles
from kitchentable.fights.errors import NeverEnds

S = TypeVar("S", bound=Hashable)

Leads = Callable[[S], Sequence[tuple[S, Fraction]]]


def visits(start: S, states: Sequence[S], leads: Leads[S]) -> dict[S, Fraction]:
    """The expected number of visits to each state of an absorbing chain, from its start.

    States that lead nowhere absorb; for those the number is the chance to end there. The states
    are grouped into the smallest parts that one can come back to, and only within such a part is a
    system of equations solved (:mod:`kitchentable.dice.solving.circles`).
    Errors: NeverEnds, where a part can be entered and never left.

    >>> halves = {"a": (("a", Fraction(1, 2)), ("b", Fraction(1, 2))), "b": ()}
    >>> visits("a", ["a", "b"], halves.__getitem__)
    {'a': Fraction(2, 1), 'b': Fraction(1, 1)}
    """
    flowing: dict[S, Fraction] = dict.fromkeys(states, Fraction(0))
    flowing[start] = Fraction(1)
    for part in find_circles(start, lambda state: [after for after, _ in leads(state)]):
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
    """Turn what flows into a part from outside into visits."""
    inside = set(part)
    if all(after in inside for state in part for after, _ in leads(state)):
        raise NeverEnds(
            f"From {part[0]!r} on, this fight never ends: nobody can win it any more. "
            "Its turn has to lead out of there."
        )
    steps: dict[S, dict[S, Fraction]] = {state: {} for state in part}
    for state, row in steps.items():
        for after, chance in leads(state):
            if after in inside:
                row[after] = row.get(after, Fraction(0)) + chance
    visited = count_visits(steps, {state: {0: flowing[state]} for state in part})
    flowing.update((state, visits[0]) for state, visits in visited.items())
