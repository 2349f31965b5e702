"""Sums of vector-valued faces, packed into one symbolic number.

The numbers of a vector are the digits of one long number, so far apart that no sum carries into the
next digit. Vectors are then added as numbers.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn, cast

from kitchentable.dice.errors import BadDie, NotANumber
from kitchentable.dice.solving.choices import choose
from kitchentable.dice.solving.solution import Spread, spread_of
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.throws import adding
from kitchentable.dice.solving.walk import Walk
from kitchentable.dice.vector import Vector, kind_of

# The bits of one digit; a number on a face has at most half of them.
BITS = 64
HALF = 1 << BITS - 1
MOST = 1 << BITS // 2


class Frame(NamedTuple):
    """The packing of a vector into a long number."""

    kind: type[Vector]
    size: int

    def pack(self, vector: tuple[int, ...]) -> int:
        """The long number of a vector.

        >>> Frame(Vector, 2).unpack(Frame(Vector, 2).pack((-3, 7)))
        Vector(-3, 7)
        """
        if any(abs(one) >= MOST for one in vector):
            raise BadDie(f"Odds need vectors with numbers below {MOST}.")
        return sum([one << BITS * at for at, one in enumerate(vector)])

    def unpack(self, number: int) -> Vector:
        """The vector of a long number."""
        found = []
        for _ in range(self.size):
            digit = (number + HALF) % (2 * HALF) - HALF
            found.append(digit)
            number = (number - digit) >> BITS
        return self.kind(found)


def total(walk: Walk, request: Any, one: Spread, n: int, *, keeps: bool) -> Any:
    """The total of n throws with faces that may be vectors."""
    faces = [face for face, _ in one.others]
    kind = kind_of(faces) if not one.values and one.law is None else None
    if kind is None or keeps:
        raise NotANumber(
            f"{faces[0]!r} is not a whole number and cannot be "
            f"{'kept as the highest or lowest' if keeps else 'added to a total'}."
        )
    if not n:
        return choose(walk, request, lambda: Spread([0], [1], [], 1))
    frame = Frame(kind, len(faces[0]))
    numbers = spread_of([(frame.pack(face), weight) for face, weight in one.others], one.total)
    choose(walk, request, lambda: adding(numbers, n))
    step = walk.script[-1]
    step.value = framed(step.value, frame)
    if step.options is not None:
        step.options = [(framed(value, frame), *rest) for value, *rest in step.options]
    return step.value


def framed(number: Any, frame: Frame) -> Any:
    """A long number as a vector, symbolic if the number is."""
    return SymbolicVector(number, frame) if type(number) is Symbolic else frame.unpack(number)


class SymbolicVector:
    """A symbolic vector: its sums stay symbolic, and any other operation reads its numbers."""

    __slots__ = ("frame", "number")

    def __init__(self, number: Symbolic, frame: Frame) -> None:
        self.number = number
        self.frame = frame

    @property  # type: ignore[misc]
    def __class__(self) -> type[Vector]:  # type: ignore[override]
        return self.frame.kind

    def _with(self, other: Any, sign: int) -> Any:
        if type(other) is int and other == 0:
            return self
        if not isinstance(other, tuple) or len(other) != self.frame.size:
            return NotImplemented
        number: Any
        mine, theirs = self.frame.kind, cast("Any", other)
        if type(theirs) is SymbolicVector:
            number, kind = theirs.number, theirs.frame.kind
        else:
            number, kind = self.frame.pack(theirs), type(theirs)
        frame = Frame(mine if kind in {mine, tuple} else Vector, self.frame.size)
        return framed(self.number + number if sign > 0 else self.number - number, frame)

    def __add__(self, other: Any) -> Any:
        return self._with(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __neg__(self) -> Any:
        return self * -1

    def __mul__(self, factor: Any) -> Any:
        if type(factor) is int and abs(factor) < MOST:
            return framed(self.number.times(factor), self.frame)
        return self.read() * factor

    __rmul__ = __mul__

    def read(self) -> Vector:
        """Read the numbers: the paths branch over the vectors."""
        return self.frame.unpack(self.number.read())

    def __len__(self) -> int:
        return self.frame.size

    def __iter__(self) -> Iterator[int]:
        return iter(self.read())

    def __hash__(self) -> NoReturn:
        # A hashed value may be kept (a key, a cache, a set) beyond this path.
        raise self.number.walk.plainly("A symbolic vector was used as a key.")

    def __eq__(self, other: object) -> bool:
        return self.read() == (other.read() if type(other) is SymbolicVector else other)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.read(), name)

    def __repr__(self) -> str:
        return repr(self.read())

    def __format__(self, spec: str) -> str:
        return format(self.read(), spec)


def _looking(name: str) -> Callable[..., Any]:
    def method(self: SymbolicVector, other: Any) -> Any:
        seen = other.read() if type(other) is SymbolicVector else other
        return getattr(self.read(), name)(seen)

    return method


for _name in ("getitem", "contains", "lt", "le", "gt", "ge"):
    setattr(SymbolicVector, f"__{_name}__", _looking(f"__{_name}__"))
