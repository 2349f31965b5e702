"""The result of a mechanic that another one has called, before anybody looks at it.

Returned unchanged, or with numbers added, it is a term of the caller's equation, and the caller's
paths do not divide by it. Any other use looks at the result: the paths then divide by its outcomes.
"""

import operator
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.solving.covered import Covered

if TYPE_CHECKING:
    from kitchentable.dice.solving.keys import Key
    from kitchentable.dice.solving.walk import Walk


#: A mechanic with its arguments, among which may be covered numbers.
Call = tuple[Any, tuple[Any, ...], Mapping[str, Any]]
#: Says that an attribute is asked of the whole result. None may be what the attribute is.
NO_VIEW: Any = object()


class Pending:
    """What a call gives, plus `extra`; `name` is the place of the call on the path.

    The call is known by its `key`, or it is one whose arguments nobody has looked at.
    """

    # No outcome has attributes of these names, which would be asked of the token instead.
    __slots__ = (
        *("pending_call", "pending_extra", "pending_known", "pending_name"),
        "pending_walk",
    )

    def __init__(
        self,
        walk: "Walk",
        key: "Key | None",
        name: Hashable,
        extra: "int | Covered" = 0,
        call: Any = None,
    ) -> None:
        self.pending_walk = walk
        self.pending_known = key
        self.pending_name = name
        self.pending_extra = extra
        self.pending_call: Call = call

    @property
    def pending_key(self) -> "Key":
        """The key of the call, its arguments looked at."""
        if self.pending_known is None:
            self.pending_known = self.pending_walk.look_at_arguments(self.pending_call)
        return self.pending_known

    def _plus(self, number: "int | Covered") -> "Pending":
        key = self.pending_known
        extra = self.pending_extra + number
        return Pending(self.pending_walk, key, self.pending_name, extra, self.pending_call)

    def pending_look(self) -> Any:
        """The result itself: a covered number, or one outcome for each path."""
        value = self.pending_walk.look(self)
        if type(self.pending_extra) is int and not self.pending_extra:
            return value
        return value + self.pending_extra

    # A mechanic that asks isinstance(result, ...) must hear what it hears from thrown dice.
    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        kind: type[Any] = self.pending_look().__class__
        return kind

    def _is_kept(self, other: Any) -> bool:
        return type(other) is int or type(other) is Covered

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
        # What is hashed may be kept (a key, a cache, a set) beyond this path.
        raise self.pending_walk.plainly("A result was used as a key.")

    def __getattr__(self, name: str) -> Any:
        view = self.pending_walk.view(self, name)
        return getattr(self.pending_look(), name) if view is NO_VIEW else view

    def pending_told(self, by: Callable[[Any], Any]) -> Any:
        """What a function tells of the result, as it is handed on."""
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
