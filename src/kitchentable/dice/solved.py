"""The exact odds of a mechanic, solved once and cached."""

from copy import copy
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from kitchentable.dice.distribution import Distribution
from kitchentable.dice.errors import BadInput, NotSolved, TooDeep, TooSlow
from kitchentable.dice.growth import follow_moments
from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs
from kitchentable.dice.solving.keys import Key, in_words, make_key
from kitchentable.dice.solving.results import BUDGET, WITHIN
from kitchentable.dice.solving.solver import Solver

REMEMBERED = 4096


#: More than this may be unresolved only with `bounds`.
OPEN = Fraction(1, 10**15)


def odds(
    mechanic: AnyMechanic,
    /,
    *args: Any,
    within: float | None = None,
    bounds: bool = False,
    **kwargs: Any,
) -> Distribution:
    """The exact distribution of a mechanic's outcomes, solved once and cached.

    `within` is the limit in seconds of processor time (default: 20); listing the outcomes of
    infinite dice comes later, and has its own limit of 20 seconds. With `bounds`, chances that
    depend on an unresolved rest are intervals; without, a rest of more than 10**-15 is an error.
    Errors are cached like answers. Errors: BadInput for an impossible limit; TooDeep, TooManyPaths,
    TooSlow (all are NotSolved).

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
    limit: Any = WITHIN if within is None else within
    if not isinstance(limit, int | float) or not limit >= 0:
        raise BadInput(f"within is a number of seconds of at least 0, not {within!r}.")
    if mechanic.answers is None:
        mechanic.answers = lru_cache(REMEMBERED)(_Answer)
    answer: _Answer = mechanic.answers(make_key(mechanic, args, kwargs))
    return answer.read(limit, bounds=bounds)


class _Answer:
    """The odds of one call, or an error and the time that was allowed."""

    __slots__ = ("found", "key", "refused", "tried")

    def __init__(self, key: Key) -> None:
        self.key = key
        self.found: Distribution | None = None
        self.refused: NotSolved | None = None
        self.tried = 0.0

    def read(self, within: float, *, bounds: bool) -> Distribution:
        found = self.found
        if found is None:
            found = self.found = self._solved(within)
        if not (found.exact or bounds) and (left := found.solution.unresolved) > OPEN:
            raise TooDeep(
                f"The odds of {in_words(self.key)} leave {float(left):.2g} unresolved: its calls "
                f"do not end soon enough, or need their own results too often. Limit the numbers "
                f"that grow, or get bounds with odds(..., bounds=True)."
            )
        return found

    def _solved(self, within: float) -> Distribution:
        refused = self.refused
        if refused and not (isinstance(refused, TooSlow) and within > self.tried):
            raise copy(refused)
        try:
            solution = Solver(within=within).solve(self.key)
            return Distribution(solution, None, partial(follow_moments, self.key))
        except NotSolved as error:
            # A copy without the traceback, which would keep all its frames alive.
            self.refused, self.tried = copy(error), within
            raise


def solve(
    mechanic: AnyMechanic,
    args: Args,
    kwargs: Kwargs,
    budget: int = BUDGET,
    within: float = WITHIN,
) -> Distribution:
    """Solve a mechanic within a number of paths and seconds. Errors: NotSolved."""
    return Distribution(Solver(budget, within).solve(make_key(mechanic, args, kwargs)))
