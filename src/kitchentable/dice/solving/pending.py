"""Pending results: symbolic results of mechanics called by another mechanic.

A pending result that is returned unchanged, or with numbers added, is a term of the caller's
equation, and the caller's paths do not branch. Any other use reads the result, and the paths branch
over its outcomes.

If the mechanic is annotated to return a dataclass, a caller may use one field or property of the
result. The solver then solves a projection, the same roll with only this part of the outcome.
Numbers that the part does not need stay symbolic.
"""

import operator
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NoReturn

from kitchentable.dice.mechanic import AnyMechanic, Mechanic
from kitchentable.dice.solving.choices import add_choice
from kitchentable.dice.solving.keys import Key, NeedsWhole, make_key
from kitchentable.dice.solving.outcome_parts import (
    check_kind,
    find_part,
    kind_of,
    no_such_part,
)
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.symbolic import OPERATIONS, Symbolic
from kitchentable.dice.solving.walk import Walk

#: A mechanic with its arguments, which may include symbolic numbers.
Call = tuple[Any, tuple[Any, ...], Mapping[str, Any]]
#: Means that an attribute needs the whole result; None could be the attribute's value.
_NO_VIEW: Any = object()


class Pending:
    """The result of a call plus `extra`; `name` is the place of the call on the path.

    The call is identified by its `key`, or by `call` while its arguments have not been read.
    """

    # The prefix prevents conflicts with attributes of outcomes.
    __slots__ = (
        *("pending_call", "pending_extra", "pending_known", "pending_name"),
        "pending_walk",
    )

    def __init__(
        self,
        walk: Walk,
        key: Key | None,
        name: Hashable,
        extra: int | Symbolic = 0,
        call: Any = None,
    ) -> None:
        self.pending_walk = walk
        self.pending_known = key
        self.pending_name = name
        self.pending_extra = extra
        self.pending_call: Call = call

    @property
    def pending_key(self) -> Key:
        """The key of the call, after reading the numbers among its arguments."""
        if self.pending_known is None:
            mechanic, args, kwargs = self.pending_call
            named = {name: _read(one) for name, one in kwargs.items()}
            self.pending_known = make_key(mechanic, tuple([_read(one) for one in args]), named)
        return self.pending_known

    def _plus(self, number: int | Symbolic) -> "Pending":
        key = self.pending_known
        extra = self.pending_extra + number
        return type(self)(self.pending_walk, key, self.pending_name, extra, self.pending_call)

    def pending_look(self) -> Any:
        """The result: a symbolic number, or one outcome on each path."""
        value = _look(self)
        if type(self.pending_extra) is int and not self.pending_extra:
            return value
        return value + self.pending_extra

    # isinstance(result, ...) must have the same result as for thrown dice.
    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        kind: type[Any] = self.pending_look().__class__
        return kind

    def _is_kept(self, other: Any) -> bool:
        return type(other) is int or type(other) is Symbolic

    def __add__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(other)
        return self.pending_look() + read_result(other)

    def __radd__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(other)
        return read_result(other) + self.pending_look()

    def __sub__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(-other)
        return self.pending_look() - read_result(other)

    def __hash__(self) -> NoReturn:
        # A hashed value may be stored (as a key, in a cache or set) beyond this path.
        raise self.pending_walk.plainly("A result was used as a key.")

    def __getattr__(self, name: str) -> Any:
        view = _view(self, name)
        return getattr(self.pending_look(), name) if view is _NO_VIEW else view

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.pending_look()(*args, **kwargs)

    def __format__(self, spec: str) -> str:
        return format(self.pending_look(), spec)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(self.pending_look(), read_result(other), read_result(modulus))

    def __round__(self, digits: Any = None) -> Any:
        return round(self.pending_look(), read_result(digits))


def _read(argument: Any) -> Any:
    return argument.read() if type(argument) is Symbolic else argument


def read_result(value: Any) -> Any:
    """The result of a call, if the value is pending; otherwise the value."""
    return value.pending_look() if type(value) is Pending else value


def _of_one(operation: Callable[[Any], Any]) -> Callable[[Pending], Any]:
    def method(self: Pending) -> Any:
        return operation(self.pending_look())

    return method


def _of_two(operation: Callable[[Any, Any], Any]) -> Callable[[Pending, Any], Any]:
    def method(self: Pending, other: Any) -> Any:
        return operation(self.pending_look(), read_result(other))

    return method


def _turned(operation: Callable[[Any, Any], Any]) -> Callable[[Pending, Any], Any]:
    def method(self: Pending, other: Any) -> Any:
        return operation(read_result(other), self.pending_look())

    return method


_ONE: dict[str, Callable[[Any], Any]] = {
    **{name: getattr(operator, name) for name in ("neg", "pos", "abs", "invert", "index")},
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "str": str,
    "repr": repr,
    "len": len,
    "iter": iter,
    "reversed": reversed,
}
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "contains", "getitem")
}
_BOTH = {"mul": operator.mul, **OPERATIONS}
for _name, _unary in _ONE.items():
    setattr(Pending, f"__{_name}__", _of_one(_unary))
for _name, _binary in (_TWO | _BOTH).items():
    setattr(Pending, f"__{_name}__", _of_two(_binary))
for _name, _binary in (_BOTH | {"pow": pow, "sub": operator.sub}).items():
    setattr(Pending, f"__r{_name}__", _turned(_binary))


# -- projections -------------------------------------------------------------------------------


def tell(roll: AnyMechanic, by: Callable[[Any], Any] | str) -> AnyMechanic:
    """A mechanic followed by a function of its outcome, or by one of its fields or properties.

    Repeated calls return the same mechanic, so it is solved once. Errors: NoSuchPart.
    """
    if isinstance(by, str):
        found = view_of(roll, by)
        if found is None:
            raise no_such_part(roll, by)
        return found
    try:
        return roll.kept(by, lambda: _project(roll, by))  # type: ignore[no-any-return]
    except TypeError:  # an unhashable function cannot be cached
        return _project(roll, by)


def _project(roll: AnyMechanic, by: Callable[[Any], Any], hint: Any = None) -> AnyMechanic:
    function, kind = roll.__wrapped__, kind_of(roll)

    def telling(dice: Any, *args: Any, **kwargs: Any) -> Any:
        outcome = function(dice, *args, **kwargs)
        if type(outcome) is Pending:
            return _projected(outcome, by)
        check_kind(roll, kind, outcome)
        return by(outcome)

    telling.__name__ = roll.name
    telling.__doc__ = roll.__doc__
    telling.__annotations__ = {"return": hint}
    return Mechanic(telling)


def view_of(roll: AnyMechanic, name: str) -> AnyMechanic | None:
    """A mechanic projected to a field or property of its outcome; None if there is none."""
    kind = kind_of(roll)
    if kind is None or name.startswith("__"):
        return None

    def make() -> AnyMechanic | None:
        found = find_part(kind, name)
        return None if found is None else _kept_view(roll, *found)

    return roll.kept((kind, name), make)  # type: ignore[no-any-return]


def _kept_view(roll: AnyMechanic, by: Callable[[Any], Any], hint: Any) -> AnyMechanic:
    return roll.kept(by, lambda: _project(roll, by, hint))  # type: ignore[no-any-return]


def _nothing(outcome: Any) -> None:
    """The projection that shows only that a roll ends."""


# -- use on a path -----------------------------------------------------------------------------


def shows(walk: Walk, roll: AnyMechanic) -> bool:
    """Whether a path reads the results of a mechanic immediately."""
    # A dataclass is never None, so `is None` is safe for it.
    return walk.open or (walk.eager and (walk.guarded or kind_of(roll) is None))


def _look(token: Pending) -> Any:
    """The result of a call: a symbolic number, or one outcome on each path."""
    walk, name = token.pending_walk, token.pending_name
    if name not in walk.looked:
        if name in walk.viewed:
            raise NeedsWhole(token.pending_key)
        request = ("look", token.pending_key)
        step = walk.known(request)
        if step is None:
            spread = walk.result(token.pending_key, by_words=not (walk.wholly or walk.plain))
            _check_whole(walk, token.pending_key[0], spread)
            walk.looked[name] = add_choice(walk, request, spread)
        else:
            walk.looked[name] = step.value
    return walk.looked[name]


def _view(token: Pending, name: str) -> Any:
    """One attribute of a result as its own pending result; _NO_VIEW to read the whole result."""
    walk, place, key = token.pending_walk, token.pending_name, token.pending_key
    if place in walk.looked or walk.wholly or walk.plain or walk.guarded:
        return _NO_VIEW
    if walk.whole and key in walk.whole:
        return _NO_VIEW
    if type(token.pending_extra) is not int or token.pending_extra:
        return _NO_VIEW
    if place not in walk.viewed:
        roll = view_of(key[0], name)
        if roll is None:
            return _NO_VIEW
        walk.viewed[place] = name, Pending(walk, (roll, *key[1:]), (place, name))
        walk.partial = True
    known, one = walk.viewed[place]
    if known != name:
        # Two attributes of one result are dependent.
        raise NeedsWhole(key)
    return one.pending_look() if shows(walk, one.pending_key[0]) else one


def _check_whole(walk: Walk, roll: AnyMechanic, spread: Spread) -> None:
    """Refuse results that contradict an annotation on which a path may have relied."""
    kind = kind_of(roll) if walk.eager else None
    if kind is not None:
        words = [words.shape for words, _, _ in spread.shaped]
        for outcome in (*(one for one, _ in spread.others), *words, *spread.values[:1]):
            check_kind(roll, kind, outcome)


def _projected(token: Pending, by: Callable[[Any], Any]) -> Any:
    """A returned result, projected by a function."""
    walk, place, key = token.pending_walk, token.pending_name, token.pending_key
    looked = place in walk.looked or place in walk.viewed
    # An added number changes every projection except the one that shows only the end.
    added = by is not _nothing and (type(token.pending_extra) is not int or token.pending_extra)
    if looked or added:
        return by(token.pending_look())
    one = Pending(walk, (tell(key[0], by), *key[1:]), (place, by))
    walk.viewed[place] = "", one
    return one


def ending(key: Key) -> Key:
    """The key of an unused call, for which only termination matters."""
    mechanic, *rest = key
    return tell(mechanic, _nothing), *rest  # type: ignore[return-value]


def nothing_but_the_end(spread: Spread) -> Spread:
    """The choice point of an unused result: it ends, or it never terminates."""
    mass = spread.total - spread.lost - spread.never
    ended: list[tuple[Any, Any]] = [(None, mass)] if mass else []
    return Spread([], [], ended, spread.total, None, spread.lost, spread.never)
