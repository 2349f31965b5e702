"""Whole numbers under the cup.

While a mechanic is solved, a die or a total is not one number but all it might be. It stays
covered as long as the mechanic only adds to it; a comparison ("at least 12?") divides the paths by
its answer alone; and only what really needs the number (a place in a list, a word with the number
in it) looks under the cup and branches over its values.
"""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.errors import KitchenTableError

if TYPE_CHECKING:
    from kitchentable.dice.solving.lines import Terms
    from kitchentable.dice.solving.walk import Walk

AT_LEAST_0 = "at least 0"
IS_0 = "is 0"
_FRACTIONS = (float, Fraction)


class Plainly(KitchenTableError):
    """Control flow: solve the mechanic again with every number in plain sight."""

    code = "dice/plainly"


class Covered:
    """A whole number nobody has looked at: a sum of covered dice and a constant."""

    __slots__ = ("const", "terms", "walk")

    def __init__(self, walk: "Walk", terms: "Terms", const: int) -> None:
        self.walk = walk
        self.terms = terms
        self.const = const

    # A mechanic that asks isinstance(total, int) must hear what it hears from thrown dice.
    @property  # type: ignore[misc]
    def __class__(self) -> type[int]:  # type: ignore[override]
        return int

    def _plus(self, other: Any, sign: int) -> Any:
        kind = type(other)
        if kind is int or kind is bool:
            return Covered(self.walk, self.terms, self.const + sign * other)
        if kind is not Covered:
            return NotImplemented
        merged = dict(self.terms)
        for name, factor in other.terms:
            merged[name] = merged.get(name, 0) + sign * factor
        terms = tuple(sorted((name, factor) for name, factor in merged.items() if factor))
        const = self.const + sign * other.const
        return Covered(self.walk, terms, const) if terms else const

    def __add__(self, other: Any) -> Any:
        result = self._plus(other, 1)
        if result is NotImplemented and type(other) in _FRACTIONS:
            return self.read() + other
        return result

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        result = self._plus(other, -1)
        if result is NotImplemented and type(other) in _FRACTIONS:
            return self.read() - other
        return result

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __neg__(self) -> Any:
        return self.times(-1)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def times(self, factor: int) -> Any:
        """This number so many times."""
        if not factor:
            return 0
        terms = tuple((name, factor * old) for name, old in self.terms)
        return Covered(self.walk, terms, factor * self.const)

    def __mul__(self, other: Any) -> Any:
        if type(other) is int or type(other) is bool:
            return self.times(other)
        if type(other) is Covered:
            return self.read() * other.read()
        return self.read() * other

    __rmul__ = __mul__

    def _compare(self, other: Any, *, above: bool, strict: bool) -> Any:
        kind = type(other)
        if kind in _FRACTIONS:
            other, strict = _whole_bound(other, above=above, strict=strict), False
        elif kind is not int and kind is not Covered and kind is not bool:
            return NotImplemented
        gap = self - other if above else other - self
        if strict:
            gap = gap - 1
        return gap.walk.ask(AT_LEAST_0, gap.terms, gap.const) if type(gap) is Covered else gap >= 0

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, above=True, strict=False)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, above=True, strict=True)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, above=False, strict=False)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, above=False, strict=True)

    def __eq__(self, other: object) -> Any:
        whole: Any = other
        kind = type(other)
        if kind is not int and kind is not Covered and kind is not bool:
            if kind not in _FRACTIONS:
                return NotImplemented
            if whole != math.floor(whole):
                return False
            whole = int(whole)
        gap = self - whole
        return self.walk.ask(IS_0, gap.terms, gap.const) if type(gap) is Covered else gap == 0

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else not same

    def __bool__(self) -> bool:
        return not self.walk.ask(IS_0, self.terms, self.const)

    def __hash__(self) -> NoReturn:
        # What is hashed may be kept (a key, a cache, a set) beyond this path.
        raise Plainly("A covered number was used as a key.")

    def read(self) -> int:
        """Look under the cup: the paths branch over the values."""
        return self.walk.read(self.terms, self.const)

    __index__ = __int__ = __trunc__ = __ceil__ = __floor__ = read

    def __float__(self) -> float:
        return float(self.read())

    def __round__(self, digits: int | None = None) -> int:
        return round(self.read(), digits)

    def __repr__(self) -> str:
        return repr(self.read())

    def __format__(self, spec: str) -> str:
        return format(self.read(), spec)


def _whole_bound(other: float | Fraction, *, above: bool, strict: bool) -> int:
    """The whole number that a bound which need not be whole amounts to."""
    if above:
        return math.floor(other) + 1 if strict else math.ceil(other)
    return math.ceil(other) - 1 if strict else math.floor(other)


def _looking(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return operation(self.read(), other.read() if type(other) is Covered else other)

    return method


def _looking_back(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return operation(other, self.read())

    return method


_LOOKING: dict[str, Callable[[Any, Any], Any]] = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "truediv": operator.truediv,
    "divmod": divmod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
for _name, _operation in _LOOKING.items():
    setattr(Covered, f"__{_name}__", _looking(_operation))
    setattr(Covered, f"__r{_name}__", _looking_back(_operation))
