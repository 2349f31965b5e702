"""Plain enumeration for dialects: every combination of faces, run through a rule in steps.

Nothing here knows the reader, the tree or the solver. What more dice than `most` would bring is
left open, and compared as a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from kitchentable.dice import odds
from kitchentable.dice.notation.dialects.reading import compile_notation

Throw = Callable[..., int]


class _TooLong(Exception):
    """A fall of more dice than are followed."""


class _Script:
    def __init__(self, most: int) -> None:
        self.most = most
        self.path: list[list[int]] = []

    def runs(self, rule: Callable[[Throw], Any]) -> Iterator[tuple[Any, int]]:
        """Each outcome with the number of equally likely runs of dice that it is one of."""
        while True:
            at = 0
            ways = 1

            def throw(faces: int | Sequence[int]) -> int:
                nonlocal at, ways
                listed = range(1, faces + 1) if isinstance(faces, int) else faces
                if at == self.most:
                    raise _TooLong
                if at == len(self.path):
                    self.path.append([0, len(listed)])
                ways *= len(listed)
                at += 1
                return listed[self.path[at - 1][0]]

            try:
                yield rule(throw), ways
            except _TooLong:
                yield None, ways
            del self.path[at:]
            while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
                self.path.pop()
            if not self.path:
                return
            self.path[-1][0] += 1


def enumerate_rule(
    rule: Callable[[Throw], Any], most: int = 12
) -> tuple[dict[Any, Fraction], Fraction]:
    """The chance of each outcome of a rule, and of what takes more dice than are followed."""
    found: dict[Any, Fraction] = {}
    for (outcome, ways), count in Counter(_Script(most).runs(rule)).items():
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(count, ways)
    return found, found.pop(None, Fraction(0))


def check(text: str, dialect: str, rule: Callable[[Throw], Any], most: int = 12) -> None:
    """Compare a text's odds with the enumeration of a rule."""
    expected, left = enumerate_rule(rule, most)
    found = odds(*compile_notation(text, dialect))
    if not left:
        assert found.exact
        assert dict(found.items()) == expected, text
        return
    assert found.unresolved < Fraction(1, 10**15)
    listed = dict(found.items())
    assert left < Fraction(1, 20), f"{text}: too much is left open to compare"
    for outcome, chance in expected.items():
        known = listed[outcome] if not found.exact else found[outcome]
        assert chance <= known + found.unresolved, (text, outcome)
        assert known <= chance + left, (text, outcome)
