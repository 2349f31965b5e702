"""Odds and samples of notation, mechanics and plain functions."""

from __future__ import annotations

from functools import partial
from typing import Any

from kitchentable.dice import solved
from kitchentable.dice.answers import Cumulative
from kitchentable.dice.columns import Columns
from kitchentable.dice.distribution import Distribution, side_by_side
from kitchentable.dice.errors import NotSolved, TooDeep
from kitchentable.dice.mechanic import AnyMechanic
from kitchentable.dice.notation.dialects.reading import AnyExpression
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.tree import Expression
from kitchentable.dice.rolls import Rollable, read_call
from kitchentable.dice.samples import Tally, run_many
from kitchentable.dice.source import Source, SystemEntropy
from kitchentable.dice.tails import bound_moments

#: Seconds that solving notation may take, because players at a table are waiting.
NOTATION_WITHIN = 5.0


def odds(
    what: Rollable,
    /,
    *args: Any,
    within: float | None = None,
    bounds: bool = False,
    **kwargs: Any,
) -> Distribution:
    """The exact distribution of notation or of a mechanic, solved once and cached.

    `within` and `bounds` are those of :func:`kitchentable.dice.solved.odds`; `within` is 5 seconds
    by default for notation. Errors: NotationError for notation that cannot be read or solved in
    time; NotSolved for a mechanic.

    >>> odds("4d6kh3")[18]
    Fraction(7, 432)
    >>> odds("(2d6!)>=12 # a lucky star")[True]
    Fraction(23, 108)
    >>> odds(lambda dice: dice.die(6) * dice.die(6)).at_least(30)
    Fraction(1, 12)
    """
    mechanic, args, named = read_call(what, args, kwargs)
    if isinstance(what, str):
        within = NOTATION_WITHIN if within is None else within
        return _odds_of_notation(what, mechanic, args[0], within, bounds)
    try:
        return solved.odds(mechanic, *args, within=within, bounds=bounds, **named)
    except NotSolved as error:
        if mechanic is what:
            raise
        hint = f"If {mechanic.name} calls itself, mark it with @mechanic to solve it only once."
        raise type(error)(f"{error} {hint}") from error


def _odds_of_notation(
    text: str,
    mechanic: AnyMechanic,
    expression: AnyExpression,
    within: float,
    bounds: bool,
) -> Distribution:
    house = isinstance(expression, Expression)
    try:
        found = solved.odds(mechanic, expression, within=within, bounds=bounds)
    except NotSolved as error:
        if house and isinstance(error, TooDeep):
            raise
        text = str(expression) if house else text
        raise NotationError(
            "notation/odds-too-large",
            f"The exact odds of {text} are too much work to compute. You can still throw the dice; "
            "for odds, ask about fewer or smaller dice.",
            text,
            0,
        ) from error
    if found.exact or not isinstance(expression, Expression):
        return found
    return Distribution(found.solution, None, partial(bound_moments, found.solution, expression))


def sample(
    what: Rollable,
    /,
    *args: Any,
    n: int = 10_000,
    source: Source | None = None,
    **kwargs: Any,
) -> Tally:
    """Throw notation or a mechanic n times and count the outcomes.

    If many runs make solving worthwhile, outcomes are drawn from the exact distribution, which does
    not change the distribution of the tally.

    >>> from kitchentable.dice import SeededSource
    >>> sample("2d6", n=5000, source=SeededSource(1)).n
    5000
    """
    mechanic, args, named = read_call(what, args, kwargs)
    return run_many(mechanic, args, named, n, SystemEntropy() if source is None else source)


def table(*texts: str, cumulative: Cumulative = "", **named: str | Distribution) -> Columns:
    """Distributions side by side: notation under its text, named arguments under their names.

    With `cumulative="at least"`, the chances are of each number or more; with `"at most"`, of each
    number or less.

    >>> print(table("1d4", "1d6", best=odds("2d4kh1"), cumulative="at least"))
    outcome       1d4       1d6      best
    1        100.00 %  100.00 %  100.00 %
    2         75.00 %   83.33 %   93.75 %
    3         50.00 %   66.67 %   75.00 %
    4         25.00 %   50.00 %   43.75 %
    5          0.00 %   33.33 %    0.00 %
    6          0.00 %   16.67 %    0.00 %
    """
    every = {text: odds(text) for text in texts}
    every |= {name: odds(one) if isinstance(one, str) else one for name, one in named.items()}
    return side_by_side(every, cumulative)
