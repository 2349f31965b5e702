"""A choice point in the script of a path: created on one run, repeated on later runs."""

from dataclasses import dataclass
from typing import Any

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.lines import Amount, Groups

AT_LEAST_0 = "is at least a number"
IS_0 = "equals a number"

# The returned value, the path's weight, and the conditional distributions of an option.
Option = tuple[Any, Amount, Groups]


@dataclass(slots=True, eq=False)
class Step:
    """A choice point: the request, the value given, and the path's weight after it.

    The path's probability is `weight` / `total`. `at` is the place among the `options`.
    """

    request: Any
    value: Any
    weight: Amount
    total: int
    groups: Groups
    options: list[Option] | None = None
    at: int = 0

    def advance(self) -> bool:
        """Take the next option; False after the last option."""
        options = self.options
        at = self.at + 1
        if options is None or at == len(options):
            return False
        self.at = at
        self.value, self.weight, self.groups = options[at]
        return True


_NAMES = {
    "product": "a product",
    "hits of": "a count of a counted number of dice",
    "mixed": "a total of different dice",
    "fold of": "a fold",
    "item": "an item of a fold",
}


def in_words(request: Any) -> str:
    """A description of a request, for the author of the mechanic.

    >>> in_words(8), in_words(("total", 3, 6, None, 2)), in_words(("mixed", (8, 6), 1, None))
    ('a d8', 'a total of 3 d6', 'a total of different dice')
    """
    if isinstance(request, AnyDie):
        return f"a {_thing(request)}"
    kind, *rest = request
    if isinstance(kind, Mechanic):
        return f"the mechanic {kind.name} with {rest[0]!r}"
    if kind in _NAMES:
        return _NAMES[kind]
    if kind == "outermost":
        return f"the highest or lowest of {rest[0]} {_thing(rest[1])}"
    if kind in {"total", "count", "hits", "handful", "fold"}:
        return f"a {'count' if kind == 'hits' else kind} of {rest[0]} {_thing(rest[1])}"
    if kind in {"look", "end"}:
        return f"the result of {rest[0][0].name} with {rest[0][1]!r}"
    if kind == "draw":
        return f"a draw from {rest[0]!r}"
    return "the value of a total" if kind == "read" else f"whether a total {kind}"


def _thing(of: Any) -> str:
    if isinstance(of, int):
        return f"d{of}"
    if isinstance(of, Die):
        return of.name
    one = of[0] if isinstance(of, tuple) else of
    return f"throws of {one.name}"
