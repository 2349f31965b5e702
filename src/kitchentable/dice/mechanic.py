"""Mechanics: pure functions whose first argument is the dice."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache, update_wrapper
from inspect import CO_VARARGS
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, Protocol, TypeAlias, TypeVar

from kitchentable.dice.die import AnyDie, Table
from kitchentable.dice.errors import DiceFault, NoSuchThrow, StartingOver
from kitchentable.dice.pool import Pool
from kitchentable.dice.trace import DROPPED

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

#: The positional and the named arguments of a mechanic.
Args = tuple[Any, ...]
Kwargs = Mapping[str, Any]

# The number of projections and other derived objects cached with each mechanic.
MOST_VIEWS = 64


class Dice(Protocol):
    """The interface of the dice given to a mechanic, its only source of chance.

    The implementation decides the meaning of the mechanic: thrown dice give one outcome and a
    trace, the solver gives the exact odds, loaded dice give a test. Dice without a trace inherit
    :meth:`mark` and :meth:`drop`, which then do nothing.

    >>> from kitchentable.dice import LoadedDice
    >>> dice: Dice = LoadedDice([2, 5, 6])
    >>> dice.total(2, 6, label="damage"), dice.die(10)
    (7, 6)
    """

    def die(self, of: AnyDie = 6, *, label: str = "") -> Any:
        """Throw one die and return its value."""
        ...

    def pool(self, n: int, of: AnyDie = 6, *, label: str = "") -> Pool:
        """Throw n dice together, as a pool sorted from the highest face."""
        ...

    def total(
        self,
        n: int | str,
        of: Throwable = 6,
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> int:
        """Throw n dice (or n times a mechanic, alone or as ``(mechanic, args...)``) and add.

        ``dice.total("4d6kh3")`` throws notation.
        """
        ...

    def mixed(
        self,
        parts: Iterable[Throwable],
        *,
        keep_highest: int | None = None,
        keep_lowest: int | None = None,
        label: str = "",
    ) -> int:
        """Throw different dice, as in ``dice.mixed((12, 8, 6), keep_highest=2)``, and add."""
        ...

    def count(
        self,
        n: int,
        of: Throwable = 6,
        *,
        hit: Callable[[Any], bool] | None = None,
        at_least: int | None = None,
        label: str = "",
    ) -> int:
        """Throw n dice and count those that hit."""
        ...

    def draw(self, table: Table, *, label: str = "") -> Any:
        """Draw one outcome from a table of whole weights."""
        ...

    def mark(self, fate: str, why: str = "") -> None:
        """Record in the trace the fate of the die (or dice) thrown last."""
        return

    def drop(self, parts: Iterable[int], why: str = "", fate: str = DROPPED) -> None:
        """Record in the trace that some mechanics called by this one do not count.

        `parts` are their places among these calls, from 0. `fate` is "dropped", or "thrown again"
        if others replaced them.
        """
        return

    def perform(
        self,
        mechanic: Mechanic[..., R],
        args: Args,
        kwargs: Kwargs,
        /,
    ) -> R:
        """Run a mechanic as a named part of this roll; called by the mechanic itself."""
        ...


class Mechanic(Generic[P, R_co]):
    """A rule of the game as a function of the dice, made by :func:`mechanic`.

    Call it with dice and the rule's arguments. Arguments and outcome must be hashable, and the
    function pure: the same dice give the same outcome.

    >>> from kitchentable.dice import LoadedDice
    >>> @mechanic
    ... def damage(dice, bonus: int) -> int:
    ...     return dice.total(2, 6) + bonus
    >>> damage, damage(LoadedDice([1, 4]), 3)
    (<mechanic damage>, 8)
    """

    __wrapped__: Callable[..., R_co]

    def __init__(
        self, function: Callable[Concatenate[Dice, P], R_co], *, named: bool = True
    ) -> None:
        update_wrapper(self, function)
        #: Whether the trace names the mechanic.
        self.named = named
        self.name: str = getattr(function, "__name__", type(function).__name__)
        code = getattr(function, "__code__", None)
        if code is not None and not code.co_argcount and not code.co_flags & CO_VARARGS:
            raise DiceFault(
                f"{self.name} takes no dice. Make the dice its first parameter, as in "
                f"def {self.name}(dice): return dice.total(2, 6)."
            )
        self.remembered: dict[Any, Any] = {}
        self.answers: Any = None
        # Derived objects such as projections of this mechanic, by name.
        self.views: dict[Any, Any] = {}

    def __call__(self, dice: Dice, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        return dice.perform(self, args, kwargs)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle the mechanic by its name, like a function, or else by its function.

        >>> import pickle
        >>> from kitchentable.dice import exploding
        >>> pickle.loads(pickle.dumps(exploding)) is exploding
        True
        """
        name: str = vars(self)["__qualname__"]
        if _at(self.__module__, name) is self:
            return _at, (self.__module__, name)
        return (mechanic if self.named else part), (self.__wrapped__,)

    def kept(self, by: Hashable, make: Callable[[], Any]) -> Any:
        """The cached derived object with this name, made if it is missing."""
        if by not in self.views:
            if len(self.views) >= MOST_VIEWS:
                self.views.clear()
            self.views[by] = make()
        return self.views[by]

    def forget(self) -> None:
        """Clear the solutions cached with this mechanic."""
        self.remembered.clear()
        for one in self.views.values():
            if isinstance(one, Mechanic):
                one.forget()
        if self.answers is not None:
            self.answers.cache_clear()

    def __repr__(self) -> str:
        return f"<mechanic {self.name}>"


AnyMechanic: TypeAlias = Mechanic[..., Any]
#: A die, or a mechanic alone or as ``(mechanic, args...)``.
Throwable: TypeAlias = AnyDie | AnyMechanic | tuple[Any, ...]


def _at(module: str, name: str) -> Any:
    """The value of a name in a module, or None."""
    found: Any = importlib.import_module(module)
    for step in name.split("."):
        found = getattr(found, step, None)
    return found


def mechanic(function: Callable[Concatenate[Dice, P], R]) -> Mechanic[P, R]:
    """Make a function a mechanic, to be rolled, solved, sampled, loaded and replayed.

    >>> @mechanic
    ... def check(dice, bonus: int) -> bool:
    ...     '''A d20 plus a bonus reaches 15.'''
    ...     return dice.die(20) + bonus >= 15
    >>> check.name, check.__doc__
    ('check', 'A d20 plus a bonus reaches 15.')
    """
    return Mechanic(function)


def part(function: Callable[Concatenate[Dice, P], R]) -> Mechanic[P, R]:
    """Make a mechanic that the trace does not name: its dice appear as the caller's.

    The solver treats it like any other mechanic. Its arguments may be symbolic numbers, by which
    paths do not branch unless its result is used.

    >>> from kitchentable.dice import load
    >>> @part
    ... def again(dice, first: int) -> int:
    ...     return dice.die(6) if first == 1 else 0
    >>> @mechanic
    ... def check(dice) -> int:
    ...     first = dice.die(6)
    ...     return first + again(dice, first)
    >>> [one.path for one in load(check, faces=[1, 5]).trace.throws]
    [('check',), ('check',)]
    """
    return Mechanic(function, named=False)


def as_mechanic(function: Callable[..., R]) -> Mechanic[..., R]:
    """The mechanic for a plain function, one object for each function.

    >>> def check(dice, bonus: int) -> bool:
    ...     return dice.die(20) + bonus >= 15
    >>> as_mechanic(check), as_mechanic(check) is as_mechanic(check)
    (<mechanic check>, True)
    """
    if isinstance(function, Mechanic):
        return function
    try:
        return _made_of(function)
    except TypeError:  # unhashable, so it cannot be cached
        return Mechanic(function)


@lru_cache(maxsize=256)
def _made_of(function: Callable[..., Any]) -> AnyMechanic:
    return Mechanic(function)


def explain_methods(kind: type[R]) -> type[R]:
    """Decorate a kind of dice so that a wrong method name raises NoSuchThrow."""

    def refuse(dice: object, name: str) -> NoReturn:
        raise no_such_throw(name)

    kind.__getattr__ = refuse  # type: ignore[attr-defined]
    return kind


def no_such_throw(name: str) -> NoSuchThrow:
    """The error for a method that dice do not have."""
    return NoSuchThrow(
        f"Dice have no {name!r} method. Throw them with dice.die(6), dice.total(4, 6), "
        "dice.pool(4, 6), dice.count(10, 6, at_least=5) or dice.draw(table)."
    )


def start_over() -> NoReturn:
    """Discard this attempt and start the enclosing mechanic again.

    Write `return start_over()`, so that the end of the attempt is visible.

    >>> from kitchentable.dice import odds
    >>> @mechanic
    ... def not_a_one(dice) -> int:
    ...     face = dice.die(6)
    ...     return start_over() if face == 1 else face
    >>> odds(not_a_one)[6]
    Fraction(1, 5)
    """
    raise StartingOver("start_over() was called outside a mechanic. Mark it with @mechanic.")
