"""Pending results: symbolic results of mechanics called by another mechanic.

A pending result that is returned unchanged, or with numbers added, is a term of the caller's
equation, and the caller's paths do not branch. Any other use reads the result, and the paths branch
over its outcomes.
"""

import operator
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.solving.symbolic import Symbolic

if TYPE_CHECKING:
    from kitchentable.dice.solving.keys import Key
    from kitchentable.dice.solving.walk import Walk


#: A mechanic with its arguments, among which may be symbolic numbers.
Call = tuple[Any, tuple[Any, ...], Mapping[str, Any]]
#: Returned where an attribute needs the whole result, because None may be an attribute's value.
NO_VIEW: Any = object()


class Pending:
    """The result of a call plus `extra`; `name` is the place of the call on the path.

    The call is identified by its `key`; `call` is set instead while its arguments have not been
    read.
    """

    # The prefix keeps these names apart from the attributes of outcomes.
    __slots__ = (
        *("pending_call", "pending_extra", "pending_known", "pending_name"),
        "pending_walk",
    )

    def __init__(
        self,
        walk: "Walk",
        key: "Key | None",
        name: Hashable,
        extra: "int | Symbolic" = 0,
        call: Any = None,
    ) -> None:
        self.pending_walk = walk
        self.pending_known = key
        self.pending_name = name
        self.pending_extra = extra
        self.pending_call: Call = call

    @property
    def pending_key(self) -> "Key":
        """The key of the call, after reading its arguments."""
        if self.pending_known is None:
            self.pending_known = self.pending_walk.look_at_arguments(self.pending_call)
        return self.pending_known

    def _plus(self, number: "int | Symbolic") -> "Pending":
        key = self.pending_known
        extra = self.pending_extra + number
        return Pending(self.pending_walk, key, self.pending_name, extra, self.pending_call)

    def pending_look(self) -> Any:
        """The result: a symbolic number, or one outcome on each path."""
        value = self.pending_walk.look(self)
        if type(self.pending_extra) is int and not self.pending_extra:
            return value
        return value + self.pending_extra

    # isinstance(result, ...) must answer as it does for thrown dice.
    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        kind: type[Any] = self.pending_look().__class__
        return kind

    def _is_kept(self, other: Any) -> bool:
        return type(other) is int or type(other) is Symbolic

    def __add__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(other)
        return self.pending_look() + _looked(other)

    def __radd__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(other)
        return _looked(other) + self.pending_look()

    def __sub__(self, other: Any) -> Any:
        if self._is_kept(other):
            return self._plus(-other)
        return self.pending_look() - _looked(other)

    def __hash__(self) -> NoReturn:
        # A hashed value may be kept (a key, a cache, a set) beyond this path.
        raise self.pending_walk.plainly("A result was used as a key.")

    def __getattr__(self, name: str) -> Any:
        view = self.pending_walk.view(self, name)
        return getattr(self.pending_look(), name) if view is NO_VIEW else view

    def pending_told(self, by: Callable[[Any], Any]) -> Any:
        """A function of the result, for a result that is returned."""
        return self.pending_walk.told(self, by)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.pending_look()(*args, **kwargs)

    def __format__(self, spec: str) -> str:
        return format(self.pending_look(), spec)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(self.pending_look(), _looked(other), _looked(modulus))

    def __round__(self, digits: Any = None) -> Any:
        return round(self.pending_look(), _looked(digits))


def _looked(value: Any) -> Any:
    return value.pending_look() if type(value) is Pending else value


def _of_one(operation: Callable[[Any], Any]) -> Callable[[Pending], Any]:
    def method(self: Pending) -> Any:
        return operation(self.pending_look())

    return method


def _of_two(operation: Callable[[Any, Any], Any]) -> Callable[[Pending, Any], Any]:
    def method(self: Pending, other: Any) -> Any:
        return operation(self.pending_look(), _looked(other))

    return method


def _turned(operation: Callable[[Any, Any], Any]) -> Callable[[Pending, Any], Any]:
    def method(self: Pending, other: Any) -> Any:
        return operation(_looked(other), self.pending_look())

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
_BOTH: dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("mul", "truediv", "floordiv", "mod")},
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "divmod": divmod,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
for _name, _unary in _ONE.items():
    setattr(Pending, f"__{_name}__", _of_one(_unary))
for _name, _binary in (_TWO | _BOTH).items():
    setattr(Pending, f"__{_name}__", _of_two(_binary))
for _name, _binary in (_BOTH | {"pow": pow, "sub": operator.sub}).items():
    setattr(Pending, f"__r{_name}__", _turned(_binary))
