"""Methods that cache their results in their object."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar
from weakref import proxy

P = ParamSpec("P")
R = TypeVar("R")

#: The number of results cached for each method, so that long fights need limited memory.
REMEMBERED = 50_000


class kept(Generic[P, R]):  # noqa: N801 - a decorator, like `property`
    """A method with a cache of its latest results that lives as long as its object.

    `functools.lru_cache` alone would keep the object alive.

    >>> class Dice:
    ...     @kept
    ...     def mean(self, sides):
    ...         print("calculated")
    ...         return (sides + 1) / 2
    >>> d = Dice()
    >>> d.mean(6), d.mean(6)
    calculated
    (3.5, 3.5)
    """

    def __init__(self, method: Callable[Concatenate[Any, P], R]) -> None:
        self.method = method

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, one: Any, owner: type) -> Callable[P, R]:
        if one is None:
            return self.method  # type: ignore[return-value]
        # A proxy avoids a cycle, so that the results are freed together with the object.
        found: Any = lru_cache(REMEMBERED)(partial(self.method, proxy(one)))
        vars(one)[self.name] = found
        return found  # type: ignore[no-any-return]
