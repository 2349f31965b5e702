"""Odds and samples of notation, mechanics and plain functions."""

from __future__ import annotations

from functools import partial
from typing import Any

from kitchentable.dice import solved
from kitchentable.dice.answers import Cumulative
from kitchentable.dice.columns import Columns
from kitchentable.dice.distribution import Distribution, side_by_side
from kitchentable.dice.errors import NotSolved
from kitchentable.dice.notation import (
    Expression,
    NotationError,
    check_odds,
    compile_notation,
)
from kitchentable.dice.notation.dialects.checking import is_too_much
from kitchentable.dice.notation.exact import odds_of_notation
from kitchentable.dice.rolls import Rollable, mechanic_for, notation_alone
from kitchentable.dice.samples import Tally, run_many
from kitchentable.dice.source import Source, SystemEntropy
from kitchentable.dice.tails import bound_moments


def odds(what: Rollable, /, *args: Any, **kwargs: Any) -> Distribution:
    """The exact distribution of notation or of a mechanic, solved once and cached.

    >>> odds("4d6kh3")[18]
    Fraction(7, 432)
    >>> odds(lambda dice: dice.die(6) * dice.die(6)).at_least(30)
    Fraction(1, 12)
    """
    if isinstance(what, str):
        found = odds_of_notation(*notation_alone(what, args), **kwargs)
        if found.exact:
            return found
        _, expression = compile_notation(what, kwargs.get("dialect", "house"))
        if not isinstance(expression, Expression):
            return found
        return Distribution(
            found.solution, None, partial(bound_moments, found.solution, expression)
        )
    mechanic = mechanic_for(what)
    try:
        return solved.odds(mechanic, *args, **kwargs)
    except NotSolved as error:
        if mechanic is what:
            raise
        hint = f"If {mechanic.name} calls itself, mark it with @mechanic: it is solved once then."
        raise type(error)(f"{error} {hint}") from error


def sample(
    what: Rollable,
    /,
    *args: Any,
    n: int = 10_000,
    source: Source | None = None,
    **kwargs: Any,
) -> Tally:
    """Throw notation or a mechanic n times and count the outcomes.

    If the mechanic is solved already, or many runs make solving worthwhile, outcomes are drawn from
    the exact distribution. The tally has the same distribution either way.

    >>> from kitchentable.dice import SeededSource
    >>> sample("2d6", n=5000, source=SeededSource(1)).n
    5000
    """
    source = SystemEntropy() if source is None else source
    if not isinstance(what, str):
        return run_many(mechanic_for(what), args, kwargs, n, source)
    mechanic, expression = compile_notation(*notation_alone(what, args), **kwargs)
    return run_many(mechanic, (expression,), {}, n, source, solve=_is_quick(expression))


def table(*texts: str, cumulative: Cumulative = "", **named: str | Distribution) -> Columns:
    """Distributions side by side: notation under its own text, others by name.

    With `cumulative="at least"` the chances are those of each number or more, with `"at most"` of
    each number or less.

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


def _is_quick(expression: Any) -> bool:
    """Whether solving an expression takes at most some seconds."""
    if not isinstance(expression, Expression):
        return not is_too_much(expression.root)
    try:
        check_odds(expression)
    except NotationError:
        return False
    return True
