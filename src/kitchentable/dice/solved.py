"""The exact odds of a mechanic, remembered."""

from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from kitchentable.dice.distribution import Distribution
from kitchentable.dice.errors import NotSolved, TooDeep, TooSlow
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving.keys import in_words, kinds_of, make_key
from kitchentable.dice.solving.solver import BUDGET, WITHIN, Solver

REMEMBERED = 4096


#: More than this may be left open only where bounds are asked for.
OPEN = Fraction(1, 10**15)


def odds(
    mechanic: Mechanic[..., Any],
    /,
    *args: Any,
    within: float | None = None,
    bounds: bool = False,
    **kwargs: Any,
) -> Distribution:
    """The exact distribution of a mechanic's outcomes, solved once and then remembered.

    `within` is how many seconds solving may take (default: 20). With `bounds`, a chance that stays
    open makes intervals; without, more than 10**-15 of it is an error. A refusal is remembered like
    an answer. Errors: TooDeep, TooManyPaths, TooSlow, all of them NotSolved.

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
        mechanic.answers = lru_cache(REMEMBERED, typed=True)(partial(_answer, mechanic))
    # The types of what lies in tuples; those of the arguments themselves the cache compares.
    values = (*args, *kwargs.values())
    inside = kinds_of(values) if tuple in map(type, values) else ()
    answer: _Answer = mechanic.answers(inside, *args, **kwargs)
    return answer.read(WITHIN if within is None else within, bounds=bounds)


class _Answer:
    """What one call came to: its odds, or why it was refused and with how much time."""

    def __init__(
        self, mechanic: Mechanic[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        self.key = make_key(mechanic, args, kwargs)
        self.found: Distribution | None = None
        self.refused = NotSolved("Nobody has asked yet.")
        self.tried = 0.0

    def read(self, within: float, *, bounds: bool) -> Distribution:
        again = isinstance(self.refused, TooSlow) and within > self.tried
        if self.found is None and (again or not self.tried):
            self._solve(within)
        if self.found is None:
            raise copy(self.refused)
        left = self.found.solution.unresolved
        if left > OPEN and not bounds:
            raise TooDeep(
                f"The odds of {in_words(self.key)} stay open by {float(left):.2g}: the calls that "
                f"follow have no end within reach, or too often need their own results. Put a "
                f"bound on what grows, or ask for bounds with odds(..., bounds=True)."
            )
        return self.found

    def _solve(self, within: float) -> None:
        mechanic, args, kwargs, _ = self.key
        try:
            self.found = solve(mechanic, args, dict(kwargs), within=within)
        except NotSolved as refused:
            self.refused, self.tried = refused, within


def _answer(mechanic: Mechanic[..., Any], _: Any, *args: Any, **kwargs: Any) -> _Answer:
    return _Answer(mechanic, args, kwargs)


def solve(
    mechanic: Mechanic[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    budget: int = BUDGET,
    within: float = WITHIN,
) -> Distribution:
    """Solve a mechanic along so many paths and seconds at most. Errors: NotSolved."""
    return Distribution(Solver(budget, within).solve(mechanic, args, kwargs))
