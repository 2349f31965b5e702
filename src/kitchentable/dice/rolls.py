"""Single throws of notation, mechanics or plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from kitchentable.dice import runs
from kitchentable.dice.errors import BadInput
from kitchentable.dice.mechanic import Mechanic, as_mechanic
from kitchentable.dice.notation.reading import compile_notation, roll_notation
from kitchentable.dice.runs import Roll
from kitchentable.dice.source import Source
from kitchentable.dice.trace import Trace

#: Anything that can be rolled: notation such as "4d6kh3", a mechanic, or a function of the dice.
Rollable: TypeAlias = str | Mechanic[..., Any] | Callable[..., Any]


def roll(
    what: Rollable,
    /,
    *args: Any,
    source: Source | None = None,
    faces: Iterable[int | str] | None = None,
    **kwargs: Any,
) -> Roll[Any]:
    """Throw notation or a mechanic once; `faces` are those of real dice, in order.

    Without faces, the dice come from `source`, or else from the operating system's entropy.

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
        return roll_notation(*notation_alone(what, args), source=source, **kwargs)
    return runs.roll(mechanic_for(what), *args, source=source, **kwargs)


def load(what: Rollable, /, *args: Any, faces: Iterable[int | str], **kwargs: Any) -> Roll[Any]:
    """Throw with the faces given, in the order of throwing; all must be used.

    >>> load("4d6kh3", faces=[1, 5, 6, 3]).outcome
    14
    """
    if isinstance(what, str):
        return runs.load(*compile_notation(*notation_alone(what, args), **kwargs), faces=faces)
    return runs.load(mechanic_for(what), *args, faces=faces, **kwargs)


def replay(what: Rollable, /, *args: Any, trace: Trace, **kwargs: Any) -> Roll[Any]:
    """Throw with the dice that a trace recorded: the audit of a roll.

    >>> thrown = roll("4d6kh3")
    >>> replay("4d6kh3", trace=thrown.trace) == thrown
    True
    """
    if isinstance(what, str):
        return runs.replay(*compile_notation(*notation_alone(what, args), **kwargs), trace=trace)
    return runs.replay(mechanic_for(what), *args, trace=trace, **kwargs)


def mechanic_for(what: Any) -> Mechanic[..., Any]:
    """The mechanic for notation, a mechanic or a function. Errors: BadInput."""
    if not callable(what):
        raise BadInput(
            f'Only notation such as "2d6" and functions of the dice can be rolled, not {what!r}.'
        )
    return as_mechanic(what)


def notation_alone(text: str, args: tuple[Any, ...]) -> tuple[str]:
    """Check that notation got no arguments, which belong to functions. Errors: BadInput."""
    if args:
        raise BadInput(
            f"Notation takes no arguments, and {text!r} was given {', '.join(map(repr, args))}. "
            "Write all of it into the text, or give several expressions to kt.table."
        )
    return (text,)
