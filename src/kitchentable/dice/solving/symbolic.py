"""Symbolic whole numbers, with which a mechanic computes while it is solved.

A die or a total represents its whole distribution, and stays symbolic while the mechanic only adds
to it. A comparison ("at least 12?") branches the paths only by its answer. An operation that needs
the value (an index, a string with the number in it) reads the number, and the paths branch over its
support.
"""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from numbers import Number
from typing import Any, NoReturn, SupportsIndex

from kitchentable.dice.solving.derived import product
from kitchentable.dice.solving.keys import Plainly
from kitchentable.dice.solving.lines import Terms
from kitchentable.dice.solving.queries import Situation, ask, read
from kitchentable.dice.solving.step import AT_LEAST_0, IS_0
from kitchentable.dice.solving.sums import new_table
from kitchentable.dice.solving.walk import Walk

_FRACTIONS: frozenset[type] = frozenset({float, Fraction})


def _is_number(kind: type) -> bool:
    """Whether operations with this type need the value: IntEnum, complex, Decimal."""
    return kind in _FRACTIONS or issubclass(kind, Number)


def _comparing(
    compare: Callable[[Any, Any], Any], more: int, *, reaches: bool
) -> Callable[[Any, Any], Any]:
    """A comparison that is true if the number reaches the other plus `more`, or if it does not."""

    def method(self: "Symbolic", other: Any) -> Any:
        answer = self._reaches(other, more)
        if answer is NotImplemented:
            return self._seen(other, compare)
        return answer is reaches

    return method


class Symbolic:
    """A symbolic whole number: a linear form of symbolic dice plus a constant."""

    __slots__ = ("const", "terms", "walk")

    def __init__(self, walk: Walk, terms: Terms, const: int) -> None:
        self.walk = walk
        self.terms = terms
        self.const = const

    # isinstance(total, int) must be true, as for thrown dice.
    @property  # type: ignore[misc]
    def __class__(self) -> type[int]:  # type: ignore[override]
        return int

    def __add__(self, other: Any) -> Any:
        kind = type(other)
        if kind is int or kind is bool:
            return Symbolic(self.walk, self.terms, self.const + other)
        if kind is Symbolic:
            return self._merge(other, 1)
        return self.read() + other if _is_number(kind) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        kind = type(other)
        if kind is int or kind is bool:
            return Symbolic(self.walk, self.terms, self.const - other)
        if kind is Symbolic:
            return self._merge(other, -1)
        return self.read() - other if _is_number(kind) else NotImplemented

    def _merge(self, other: "Symbolic", sign: int) -> Any:
        mine, const = self.terms, self.const + sign * other.const
        theirs = other.terms if sign == 1 else tuple([(n, -f) for n, f in other.terms])
        if mine[-1][0] < theirs[0][0]:
            return Symbolic(self.walk, mine + theirs, const)
        if theirs[-1][0] < mine[0][0]:
            return Symbolic(self.walk, theirs + mine, const)
        merged = new_table(mine)
        for name, factor in theirs:
            merged[name] += factor
        terms = tuple(sorted([(name, factor) for name, factor in merged.items() if factor]))
        return Symbolic(self.walk, terms, const) if terms else const

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __neg__(self) -> Any:
        return self.times(-1)

    def _itself(self, *_: Any) -> Any:
        return self

    __pos__ = __trunc__ = __ceil__ = __floor__ = __copy__ = __deepcopy__ = conjugate = _itself
    real = numerator = property(_itself)
    imag = property(lambda _: 0)
    denominator = property(lambda _: 1)

    def __invert__(self) -> Any:
        return -self - 1

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def times(self, factor: int) -> Any:
        """The product with a constant."""
        if not factor:
            return 0
        terms = tuple((name, factor * old) for name, old in self.terms)
        return Symbolic(self.walk, terms, factor * self.const)

    def __mul__(self, other: Any) -> Any:
        if type(other) is int or type(other) is bool:
            return self.times(other)
        if type(other) is Symbolic:
            mine, theirs = (self.terms, self.const), (other.terms, other.const)
            found = product(self.walk, mine, theirs)
            return self.read() * other.read() if found is None else Symbolic(self.walk, found, 0)
        return self.read() * other

    __rmul__ = __mul__

    def _reaches(self, other: Any, more: int) -> Any:
        """Whether this number is at least the other plus `more`, which is 0 or 1."""
        kind = type(other)
        if kind is int or kind is bool:
            return ask(self.walk, AT_LEAST_0, self.terms, self.const - other - more)
        if kind is Symbolic:
            gap = self._merge(other, -1)
            if type(gap) is Symbolic:
                return ask(self.walk, AT_LEAST_0, gap.terms, gap.const - more)
            return gap >= more
        if issubclass(kind, int):
            return self._reaches(int(other), more)
        if kind in _FRACTIONS and math.isfinite(other):
            bound = math.floor(other) + 1 if more else math.ceil(other)
            return ask(self.walk, AT_LEAST_0, self.terms, self.const - bound)
        return NotImplemented

    def _seen(self, other: Any, compare: Callable[[Any, Any], Any]) -> Any:
        """Compare with a number that needs the value: infinity, Decimal."""
        return compare(self.read(), other) if _is_number(type(other)) else NotImplemented

    __ge__ = _comparing(operator.ge, 0, reaches=True)
    __gt__ = _comparing(operator.gt, 1, reaches=True)
    __lt__ = _comparing(operator.lt, 0, reaches=False)
    __le__ = _comparing(operator.le, 1, reaches=False)

    def __eq__(self, other: object) -> Any:
        kind = type(other)
        number: Any = other
        if kind is int or kind is bool:
            return ask(self.walk, IS_0, self.terms, self.const - number)
        if kind is Symbolic:
            gap = self._merge(number, -1)
            if type(gap) is Symbolic:
                return ask(self.walk, IS_0, gap.terms, gap.const)
            return bool(gap == 0)
        if kind is str or number is None:
            return NotImplemented
        if issubclass(kind, int):
            return ask(self.walk, IS_0, self.terms, self.const - int(number))
        if kind in _FRACTIONS and math.isfinite(number):
            whole = math.floor(number)
            return whole == number and ask(self.walk, IS_0, self.terms, self.const - whole)
        return self._seen(number, operator.eq)

    def __ne__(self, other: object) -> Any:
        answer = self.__eq__(other)
        return answer if answer is NotImplemented else not answer

    def __bool__(self) -> bool:
        return not ask(self.walk, IS_0, self.terms, self.const)

    def _plainly(self, why: str) -> Plainly:
        situation = Situation(self.walk)
        for name, _ in self.terms:
            situation.group(name)  # raises an error if the number cannot be enumerated either
        return self.walk.plainly(why)

    def __hash__(self) -> NoReturn:
        # A hashed value may be stored (as a key, in a cache or set) beyond this path.
        raise self._plainly("A symbolic number was used as a key.")

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise self._plainly("A symbolic number was copied or pickled.")

    def __sizeof__(self) -> NoReturn:
        raise self._plainly("The memory size of a symbolic number was read.")

    def __dir__(self) -> list[str]:
        return dir(int)

    def read(self) -> int:
        """Read the number: the paths branch over its values."""
        return read(self.walk, self.terms, self.const)

    __index__ = __int__ = read

    def __float__(self) -> float:
        return float(self.read())

    def __round__(self, digits: int | None = None) -> Any:
        return self if digits is None else round(self.read(), digits)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        plain = other.read() if type(other) is Symbolic else other
        modulus = modulus.read() if type(modulus) is Symbolic else modulus
        return pow(self.read(), plain, modulus)

    def __rpow__(self, other: Any, modulus: Any = None) -> Any:
        return pow(other, self.read(), modulus)

    def __repr__(self) -> str:
        return repr(self.read())

    def __format__(self, spec: str) -> str:
        return format(self.read(), spec)


def _looking(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return operation(self.read(), other.read() if type(other) is Symbolic else other)

    return method


def _looking_back(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return operation(other, self.read())

    return method


#: Operations that need the values of both numbers.
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "truediv": operator.truediv,
    "divmod": divmod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
for _name, _operation in OPERATIONS.items():
    setattr(Symbolic, f"__{_name}__", _looking(_operation))
    setattr(Symbolic, f"__r{_name}__", _looking_back(_operation))


def _read_attribute(name: str) -> Any:
    return property(lambda symbolic: getattr(symbolic.read(), name))


for _name in dir(int):
    if not (_name.startswith("__") or hasattr(Symbolic, _name)):
        setattr(Symbolic, _name, _read_attribute(_name))
