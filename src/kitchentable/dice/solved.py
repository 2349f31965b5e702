"""The exact odds of a mechanic, remembered."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from kitchentable.dice.distribution import Distribution
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.solver import Solver

REMEMBERED = 4096


def odds(mechanic: Mechanic[..., Any], /, *args: Any, **kwargs: Any) -> Distribution:
    """The exact distribution of a mechanic's outcomes, solved once and then remembered.

    >>> from kitchentable.dice import mechanic
    >>> @mechanic
    ... def clash(dice, ours: int, theirs: int) -> str:
    ...     '''Both sides total their dice; the higher wins, ties are thrown again.'''
    ...     a, b = dice.total(ours), dice.total(theirs)
    ...     if a == b:
    ...         return clash(dice, ours, theirs)
    ...     return "ours" if a > b else "theirs"
    >>> odds(clash, 3, 2)["ours"]
    Fraction(1009, 1206)
    """
    if mechanic.answers is None:
        mechanic.answers = lru_cache(REMEMBERED, typed=True)(partial(_solve, mechanic))
    answer: Distribution = mechanic.answers(*args, **kwargs)
    return answer


def _solve(mechanic: Mechanic[..., Any], *args: Any, **kwargs: Any) -> Distribution:
    return solve(mechanic, args, kwargs)


def solve(
    mechanic: Mechanic[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    budget: int | None = None,
) -> Distribution:
    """Solve a mechanic, along at most so many paths where a budget is given. Errors: NotSolved."""
    solver = Solver() if budget is None else Solver(budget)
    return Distribution(solver.solve(mechanic, args, kwargs))
