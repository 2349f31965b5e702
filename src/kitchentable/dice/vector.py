"""Vectors of whole numbers: the faces of symbol dice, and their totals."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self, SupportsIndex

from kitchentable.dice.errors import NotANumber


class Vector(tuple[int, ...]):
    """A vector of whole numbers, added component by component.

    The total of dice with tuples of whole numbers as faces is a vector, which equals the tuple with
    the same numbers. A type made by :meth:`named` counts symbols.

    >>> Vector((1, 0)) + (2, 5) - Vector((0, 1))
    Vector(3, 4)
    >>> Symbols = Vector.named("success", "advantage")
    >>> result = Symbols(success=2) + Symbols(success=1, advantage=1)
    >>> result, result.success, result == (3, 1)
    (Vector(success=3, advantage=1), 3, True)
    """

    __slots__ = ()
    names: ClassVar[tuple[str, ...]] = ()

    def __new__(cls, values: Sequence[int] = (), **counts: int) -> Self:
        if not cls.names:
            return super().__new__(cls, values)
        strange = [name for name in counts if name not in cls.names]
        if strange:
            raise NotANumber(f"There is no symbol {strange[0]!r}; use {', '.join(cls.names)}.")
        return super().__new__(cls, values or [counts.get(name, 0) for name in cls.names])

    @classmethod
    def named(cls, *names: str) -> "type[Vector]":
        """The type of vectors that count symbols with these names."""
        return type("Symbols", (cls,), {"names": names, "__slots__": ()})

    def __getattr__(self, name: str) -> int:
        if name in self.names:
            return self[self.names.index(name)]
        raise AttributeError(name)

    def _with(self, other: Any, sign: int) -> Any:
        # An empty total is 0, and sum() starts at 0.
        if type(other) is int and other == 0:
            return self
        if not isinstance(other, tuple) or len(other) != len(self):
            return NotImplemented
        kind = type(self) if type(other) in {tuple, type(self)} else Vector
        return kind([a + sign * b for a, b in zip(self, other, strict=True)])

    def __add__(self, other: Any) -> Any:
        return self._with(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __neg__(self) -> Any:
        return self * -1

    def __mul__(self, factor: SupportsIndex) -> Any:
        return type(self)([factor.__index__() * one for one in self])

    __rmul__ = __mul__

    def __repr__(self) -> str:
        if self.names:
            inside = [f"{name}={one}" for name, one in zip(self.names, self, strict=True)]
        else:
            inside = [str(one) for one in self]
        return f"Vector({', '.join(inside)})"


def is_vector(value: object) -> bool:
    """Whether a face or an outcome is a tuple of whole numbers.

    >>> is_vector((1, 0)), is_vector(("hit", 0)), is_vector(1)
    (True, False, False)
    """
    return isinstance(value, tuple) and all(type(one) is int for one in value)


def kind_of(vectors: Sequence[Any]) -> type[Vector] | None:
    """The vector type of a sum of faces; None if they are not vectors of one length.

    >>> kind_of([(1, 0), (0, 2)]), kind_of([(1, 0), (1, 0, 0)])
    (<class 'kitchentable.dice.vector.Vector'>, None)
    """
    if not all(is_vector(one) for one in vectors) or len({len(one) for one in vectors}) != 1:
        return None
    kinds = {type(one) for one in vectors}
    first = type(vectors[0])
    return first if len(kinds) == 1 and issubclass(first, Vector) else Vector
