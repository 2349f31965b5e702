"""Single throws of notation, mechanics or plain functions: thrown, loaded or replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from kitchentable.dice.errors import BadInput
from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs, as_mechanic
from kitchentable.dice.notation.dialects.reading import compile_notation
from kitchentable.dice.roller import LoadedDice, ReplayingDice, RollingDice
from kitchentable.dice.source import Source, SystemEntropy
from kitchentable.dice.trace import COUNTED, KEPT, Trace

#: In a roll's repr: the largest number of dice, and the fates that are left out.
SHOWN = 12
PLAIN = frozenset({KEPT, COUNTED})

R_co = TypeVar("R_co", covariant=True)
#: Anything that can be rolled: notation such as "4d6kh3", a mechanic, or a function of the dice.
Rollable: TypeAlias = str | AnyMechanic | Callable[..., Any]
#: A mechanic with its positional and its named arguments.
Call: TypeAlias = tuple[AnyMechanic, tuple[Any, ...], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Roll(Generic[R_co]):
    """The outcome of one roll, and the trace of every die thrown for it.

    >>> from kitchentable.dice import exploding
    >>> thrown = load(exploding, 6, faces=[6, 2])
    >>> thrown.outcome, [throw.fate for throw in thrown.trace.throws]
    (8, ['exploded', 'kept'])
    """

    outcome: R_co
    trace: Trace

    def __repr__(self) -> str:
        words = [
            f"{one.die} {one.face}" + ("" if one.fate in PLAIN else f" {one.fate}")
            for one in self.trace.throws
        ]
        more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
        return f"<Roll {self.outcome!r}: {', '.join(words[:SHOWN])}{more}>"


def roll(
    what: Rollable,
    /,
    *args: Any,
    source: Source | None = None,
    faces: Iterable[int | str] | None = None,
    **kwargs: Any,
) -> Roll[Any]:
    """Throw notation or a mechanic once; `faces` are those of real dice, in order.

    Without faces, the dice come from `source`, or else from the operating system's entropy. With
    `dialect="roll20"`, for example, notation is read as in that program. Errors: NotationError for
    notation that cannot be read, WrongFaces for faces that do not fit.

    >>> roll("2d6!+3", faces=[2, 6, 4]).outcome
    15
    >>> roll("4d6k3", faces=[1, 5, 6, 3], dialect="roll20").outcome
    14
    >>> def attack(dice, skill):
    ...     return dice.die(10, label="attack") + skill
    >>> roll(attack, 4, faces=[7]).outcome
    11
    """
    if faces is not None:
        return load(what, *args, faces=faces, **kwargs)
    mechanic, args, named = read_call(what, args, kwargs)
    dice = RollingDice(SystemEntropy() if source is None else source)
    return Roll(mechanic(dice, *args, **named), dice.trace)


def load(what: Rollable, /, *args: Any, faces: Iterable[int | str], **kwargs: Any) -> Roll[Any]:
    """Throw with these faces, in the order of throwing; all must be used.

    >>> load("4d6kh3", faces=[1, 5, 6, 3]).outcome
    14
    """
    call = read_call(what, args, kwargs)
    return _throw_all(LoadedDice(faces), call)


def replay(what: Rollable, /, *args: Any, trace: Trace, **kwargs: Any) -> Roll[Any]:
    """Throw with the dice of a recorded trace, to audit a roll.

    >>> thrown = roll("4d6kh3")
    >>> replay("4d6kh3", trace=thrown.trace) == thrown
    True
    """
    return _throw_all(ReplayingDice(trace), read_call(what, args, kwargs))


def _throw_all(dice: LoadedDice | ReplayingDice, call: Call) -> Roll[Any]:
    """Throw dice with known faces, and refuse unused faces."""
    mechanic, args, kwargs = call
    outcome = mechanic(dice, *args, **kwargs)
    dice.finish()
    return Roll(outcome, dice.trace)


def read_call(what: Any, args: Args, kwargs: Kwargs) -> Call:
    """The mechanic for notation, a mechanic or a function, with its arguments. Errors: BadInput."""
    if isinstance(what, str):
        if args:
            raise BadInput(
                f"Notation takes no arguments, but {what!r} was given "
                f"{', '.join(map(repr, args))}. Write everything into one text, or give several "
                f"texts to kt.table."
            )
        mechanic, expression = compile_notation(what, **kwargs)
        return mechanic, (expression,), {}
    if not callable(what):
        raise BadInput(
            f'Only notation such as "2d6" or a function of the dice can be rolled, not {what!r}.'
        )
    return as_mechanic(what), args, kwargs
