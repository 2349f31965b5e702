"""One choice point of a path, as met the first time; later runs only read it."""

from typing import Any

from kitchentable.dice.die import Die
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.lines import Amount, Groups

# What a path may go on with: the value handed out, the path's weight, what is known of numbers.
Option = tuple[Any, Amount, Groups]


class Step:
    """What the mechanic asked for, what it was given, and the path's weight after it.

    The path's chance is `weight` / `total`. `base` is the line of the number this step covered.
    """

    __slots__ = ("at", "base", "groups", "options", "request", "total", "value", "weight")

    def __init__(
        self,
        request: Any,
        value: Any,
        weight: Amount,
        total: int,
        groups: Groups,
        base: Any = None,
        options: list[Option] | None = None,
    ) -> None:
        self.request = request
        self.value = value
        self.weight = weight
        self.total = total
        self.groups = groups
        self.base = base
        self.options = options
        self.at = 0

    def advance(self) -> bool:
        """Go on to the next of several options; False after the last."""
        options = self.options
        at = self.at + 1
        if options is None or at == len(options):
            return False
        self.at = at
        self.value, self.weight, self.groups = options[at]
        return True


_NAMES = {
    "product": "a product",
    "hits of": "a count of as many dice as were counted before",
    "mixed": "a total of different dice",
    "fold of": "a fold",
    "item": "an item of a fold",
}


def in_words(request: Any) -> str:
    """What a mechanic asked for, for its author.

    >>> in_words(8), in_words(("total", 3, 6, None, 2)), in_words(("mixed", (8, 6), 1, None))
    ('a d8', 'a total of 3 d6', 'a total of different dice')
    """
    if isinstance(request, int | Die):
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
