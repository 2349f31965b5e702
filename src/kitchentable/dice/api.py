"""One function for each reading: of notation, of a mechanic, and of a plain function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

from kitchentable.dice import reading, solved
from kitchentable.dice.answers import Cumulative
from kitchentable.dice.columns import Columns
from kitchentable.dice.distribution import Distribution, side_by_side
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.dice.mechanic import Mechanic, as_mechanic
from kitchentable.dice.notation import (
    Expression,
    NotationError,
    check_odds,
    compile_notation,
    odds_of_notation,
    roll_notation,
)
from kitchentable.dice.notation.dialects.checking import is_too_much
from kitchentable.dice.reading import Roll
from kitchentable.dice.sample import Tally, run_many
from kitchentable.dice.source import Source, SystemEntropy
from kitchentable.dice.tails import bound_moments
from kitchentable.dice.trace import Trace

#: What can be rolled: notation such as "4d6kh3", a mechanic, or a function of the dice.
Rollable: TypeAlias = str | Mechanic[..., Any] | Callable[..., Any]


def roll(
    what: Rollable,
    /,
    *args: Any,
    source: Source | None = None,
    faces: Iterable[int | str] | None = None,
    **kwargs: Any,
) -> Roll[Any]:
    """Throw notation or a mechanic once; `faces` are those of real dice, in order of throwing.

    Without faces the operating system's entropy throws, or the source that is given.

    >>> roll("2d6!+3", faces=[2, 6, 4]).outcome
    15
    >>> def attack(dice, skill):
    ...     return dice.die(10, label="attack") + skill
    >>> roll(attack, 4, faces=[7]).outcome
    11
    """
    if faces is not None:
        return load(what, *args, faces=faces, **kwargs)
    if isinstance(what, str):
        return roll_notation(*_text(what, args), source=source, **kwargs)
    return reading.roll(_mechanic(what), *args, source=source, **kwargs)


def odds(what: Rollable, /, *args: Any, **kwargs: Any) -> Distribution:
    """The exact distribution of notation or of a mechanic, solved once and then remembered.

    >>> odds("4d6kh3")[18]
    Fraction(7, 432)
    >>> odds(lambda dice: dice.die(6) * dice.die(6)).at_least(30)
    Fraction(1, 12)
    """
    if isinstance(what, str):
        found = odds_of_notation(*_text(what, args), **kwargs)
        if found.exact:
            return found
        _, expression = compile_notation(what, kwargs.get("dialect", "house"))
        if not isinstance(expression, Expression):
            return found
        return Distribution(
            found.solution, None, partial(bound_moments, found.solution, expression)
        )
    mechanic = _mechanic(what)
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

    Where the mechanic is solved, or many runs make it worth solving, outcomes are drawn from the
    solved distribution; the tally is distributed the same either way.

    >>> from kitchentable.dice import SeededSource
    >>> sample("2d6", n=5000, source=SeededSource(1)).n
    5000
    """
    source = SystemEntropy() if source is None else source
    if not isinstance(what, str):
        return run_many(_mechanic(what), args, kwargs, n, source)
    mechanic, expression = compile_notation(*_text(what, args), **kwargs)
    return run_many(mechanic, (expression,), {}, n, source, solve=_is_quick(expression))


def load(what: Rollable, /, *args: Any, faces: Iterable[int | str], **kwargs: Any) -> Roll[Any]:
    """Throw with the faces given, in the order of throwing; all must be used.

    >>> load("4d6kh3", faces=[1, 5, 6, 3]).outcome
    14
    """
    if isinstance(what, str):
        return reading.load(*compile_notation(*_text(what, args), **kwargs), faces=faces)
    return reading.load(_mechanic(what), *args, faces=faces, **kwargs)


def replay(what: Rollable, /, *args: Any, trace: Trace, **kwargs: Any) -> Roll[Any]:
    """Throw with the dice that a trace recorded: the audit of a roll.

    >>> thrown = roll("4d6kh3")
    >>> replay("4d6kh3", trace=thrown.trace) == thrown
    True
    """
    if isinstance(what, str):
        return reading.replay(*compile_notation(*_text(what, args), **kwargs), trace=trace)
    return reading.replay(_mechanic(what), *args, trace=trace, **kwargs)


def table(*texts: str, cumulative: Cumulative = "", **named: str | Distribution) -> Columns:
    """Distributions side by side: notation by itself, others by name.

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


def _mechanic(what: Any) -> Mechanic[..., Any]:
    if not callable(what):
        raise BadInput(
            f'Only notation such as "2d6" and functions of the dice can be rolled, not {what!r}.'
        )
    return as_mechanic(what)


def _text(text: str, args: tuple[Any, ...]) -> tuple[str]:
    """Notation, which takes no arguments: they belong to functions. Errors: BadInput."""
    if args:
        raise BadInput(
            f"Notation takes no arguments, and {text!r} was given {', '.join(map(repr, args))}. "
            "Write all of it into the text, or give several expressions to kt.table."
        )
    return (text,)


def _is_quick(expression: Any) -> bool:
    """Whether the odds of an expression take no longer than some seconds."""
    if not isinstance(expression, Expression):
        return not is_too_much(expression.root)
    try:
        check_odds(expression)
    except NotationError:
        return False
    return True
