"""Parameters of throws, read in the same way by every kind of dice."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from kitchentable.dice.errors import BadDie
from kitchentable.dice.mechanic import AnyMechanic, Args, Mechanic, as_mechanic
from kitchentable.dice.notation.parse import parse
from kitchentable.dice.notation.play import notation
from kitchentable.dice.notation.tree import Expression, Target


def hit_test(hit: Callable[[Any], bool] | None, at_least: int | None) -> Callable[[Any], bool]:
    """The test whether a face hits, from `hit` or `at_least`."""
    if (hit is None) == (at_least is None):
        raise BadDie("Say which faces hit with either hit=... or at_least=..., not both.")
    if hit is not None:
        return hit
    return lambda face: isinstance(face, int) and face >= at_least  # type: ignore[operator]


def read_total(n: Any, of: Any, *keep: int | None) -> tuple[Any, Any]:
    """The arguments of dice.total, with notation such as ``"4d6kh3"`` read as one mechanic.

    Errors: NotationError; BadDie for an expression with a target, or with other arguments.
    """
    if type(n) is not str:  # isinstance would read a symbolic number
        return n, of
    if of != 6 or keep != (None, None):
        raise BadDie(f"dice.total({n!r}) takes no other arguments. Write them in the notation.")
    return 1, _read_notation(n)


@lru_cache(maxsize=256)
def _read_notation(text: str) -> tuple[AnyMechanic, Expression]:
    root = parse(text).root
    if isinstance(root, Target):
        raise BadDie(f"{text} has a target, so it is not a total. Leave out the target.")
    return notation, Expression(root)


def mechanic_of(of: Any) -> tuple[AnyMechanic, Args]:
    """A mechanic and its arguments, from the mechanic alone or from ``(mechanic, args...)``."""
    if isinstance(of, Mechanic):
        return of, ()
    if callable(of):
        return as_mechanic(of), ()
    if isinstance(of, tuple) and of and callable(of[0]):
        return as_mechanic(of[0]), of[1:]
    raise BadDie(f"Throw a number of sides, a Die or a mechanic, not {of!r}.")
