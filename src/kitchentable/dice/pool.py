"""Pools: dice thrown together, to be kept, counted or added."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Protocol, SupportsIndex, overload

from kitchentable.dice.die import Die, shown
from kitchentable.dice.errors import BadDie, DiceFault, NotANumber
from kitchentable.dice.vector import kind_of


class Pool(Protocol):
    """Dice thrown together, from the highest face to the lowest.

    Keeping and dropping give a new pool and are recorded in the trace. An index gives a face, a
    slice a tuple of faces. If some faces of a die are not whole numbers, its faces rank in the
    order of the die's list, the last face highest.

    >>> from kitchentable.dice import LoadedDice
    >>> pool = LoadedDice([2, 6, 3, 5]).pool(4, 6)
    >>> list(pool), pool.highest(3).total(), pool.count(lambda face: face >= 5)
    ([6, 5, 3, 2], 14, 2)
    >>> pool[0], pool[-1], pool[1:3]
    (6, 2, (5, 3))
    >>> pool.fold(lambda widest, face, count: max(widest, count), 0)
    1
    """

    def highest(self, k: int = 1, /) -> "Pool":
        """Keep the k highest dice."""
        ...

    def lowest(self, k: int = 1, /) -> "Pool":
        """Keep the k lowest dice."""
        ...

    def drop_highest(self, k: int = 1, /) -> "Pool":
        """Drop the k highest dice."""
        ...

    def drop_lowest(self, k: int = 1, /) -> "Pool":
        """Drop the k lowest dice."""
        ...

    def total(self) -> Any:
        """Add the faces."""
        ...

    def count(self, hit: Callable[[Any], bool], /) -> int:
        """The number of faces that hit."""
        ...

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> Any: ...

    @overload
    def __getitem__(self, at: slice, /) -> tuple[Any, ...]: ...
    def fold(self, step: Callable[[Any, Any, int], Any], start: Any, /) -> Any:
        """The state after ``state = step(state, face, count)`` for each set of equal faces.

        Higher faces come first. The odds of the result are computed from the states alone.
        """
        ...

    def __iter__(self) -> Iterator[Any]: ...

    def __reversed__(self) -> Iterator[Any]: ...

    def __contains__(self, face: object, /) -> bool: ...

    def __len__(self) -> int: ...


def ranking(die: Die) -> tuple[int, ...]:
    """The indices of a die's faces from the lowest face to the highest."""
    faces: tuple[Any, ...] = die.faces
    if all(type(face) is int for face in faces):
        return tuple(sorted(range(len(faces)), key=faces.__getitem__))
    return tuple(range(len(faces)))


def add(faces: Sequence[Any]) -> Any:
    """The sum of faces that are whole numbers or vectors. Errors: NotANumber."""
    if faces and isinstance(faces[0], tuple):
        kind = kind_of(faces)
        if kind is not None:
            return kind([sum(column) for column in zip(*faces, strict=True)])
    for face in faces:
        if not isinstance(face, int):
            raise NotANumber(f"{shown(face)!r} is not a number and cannot be added to a total.")
    return sum(faces)


class FacePool:
    """A pool of known faces.

    `dropped` is called with the places of dropped dice in the pool as thrown, and the reason.
    """

    __slots__ = ("_dropped", "_faces", "_places")

    def __init__(
        self,
        faces: Sequence[Any],
        dropped: Callable[[Sequence[int], str], None] | None = None,
        places: Sequence[int] | None = None,
    ) -> None:
        self._faces = tuple(faces)
        self._dropped = dropped
        self._places = tuple(range(len(faces)) if places is None else places)

    def _keep(self, start: int, stop: int, why: str) -> "FacePool":
        if self._dropped is not None:
            gone = self._places[:start] + self._places[stop:]
            self._dropped(gone, why)
        return FacePool(self._faces[start:stop], self._dropped, self._places[start:stop])

    def highest(self, k: int = 1, /) -> "FacePool":
        """Keep the k highest dice."""
        return self._keep(0, some_of(k, len(self._faces)), f"only the highest {k} count")

    def lowest(self, k: int = 1, /) -> "FacePool":
        """Keep the k lowest dice."""
        size = len(self._faces)
        return self._keep(size - some_of(k, size), size, f"only the lowest {k} count")

    def drop_highest(self, k: int = 1, /) -> "FacePool":
        """Drop the k highest dice."""
        size = len(self._faces)
        return self._keep(some_of(k, size), size, f"the highest {k} are dropped")

    def drop_lowest(self, k: int = 1, /) -> "FacePool":
        """Drop the k lowest dice."""
        size = len(self._faces)
        return self._keep(0, size - some_of(k, size), f"the lowest {k} are dropped")

    def total(self) -> Any:
        """Add the faces."""
        return add(self._faces)

    def count(self, hit: Callable[[Any], bool], /) -> int:
        """The number of faces that hit. Errors: DiceFault if `hit` is not a function."""
        if not callable(hit):
            raise DiceFault(
                f"count takes a function that decides whether a face hits, such as "
                f"count(lambda face: face == {hit!r})."
            )
        return sum(1 for face in self._faces if hit(face))

    def __getitem__(self, at: Any, /) -> Any:
        return self._faces[at]

    def fold(self, step: Callable[[Any, Any, int], Any], start: Any, /) -> Any:
        """The state after all sets of equal faces, highest face first."""
        state = start
        for face, group in groupby(self._faces):
            state = step(state, face, len(list(group)))
        return state

    def __iter__(self) -> Iterator[Any]:
        return iter(self._faces)

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._faces[::-1])

    def __contains__(self, face: object, /) -> bool:
        return face in self._faces

    def __len__(self) -> int:
        return len(self._faces)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FacePool) and self._faces == other._faces

    def __hash__(self) -> int:
        return hash(self._faces)

    def __repr__(self) -> str:
        return f"Pool{self._faces}"


# Registered so that `match` and `isinstance` treat a pool as a sequence of faces.
Sequence.register(FacePool)


def check_keep(highest: int | None, lowest: int | None) -> int | None:
    """Refuse to keep both highest and lowest dice, or fewer than 0; return `highest`."""
    if highest is not None and lowest is not None:
        raise BadDie("Keep the highest or the lowest dice, not both.")
    keep = highest if highest is not None else lowest
    if keep is not None and keep < 0:
        raise BadDie(f"The number of dice to keep must be at least 0, not {keep}.")
    return highest


def some_of(k: int, size: int) -> int:
    """The number of dice to keep or drop: k, or the whole pool if it is smaller."""
    if k < 0:
        raise BadDie(f"The number of dice to keep or drop must be at least 0, not {k}.")
    return min(k, size)
