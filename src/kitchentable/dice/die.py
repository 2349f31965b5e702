"""Dice, their faces, and tables to draw from."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias

from kitchentable.dice.errors import BadDie

MOST_SIDES = 10_000
MOST_DICE = 1_000


@dataclass(frozen=True, slots=True)
class Die:
    """A die: a name, and the value on each of its faces.

    Physical face i, counted from 1, shows ``faces[i - 1]``. Every function that takes a
    die also takes a number of sides n, for the die with the faces 1 to n.

    >>> star = Die("d10*", tuple(range(10)))
    >>> star.sides, star.faces[0]
    (10, 0)
    """

    name: str
    faces: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.faces) <= MOST_SIDES:
            raise BadDie(f"A die has 1 to {MOST_SIDES} faces; {self.name} has {len(self.faces)}.")

    @property
    def sides(self) -> int:
        """The number of faces."""
        return len(self.faces)


#: A die, or the number of sides of a plain one.
AnyDie: TypeAlias = int | Die


def as_die(of: AnyDie) -> Die:
    """The die with a number of sides, or the :class:`Die` itself.

    >>> as_die(6).name
    'd6'
    """
    if isinstance(of, Die):
        return of
    if type(of) is not int:
        raise BadDie(f"A die must be a number of sides or a Die, not {of!r}.")
    if not 1 <= of <= MOST_SIDES:
        raise BadDie(f"A die must have 1 to {MOST_SIDES} sides, not {of}.")
    return _with_sides(of)


@lru_cache(maxsize=256)
def _with_sides(sides: int) -> Die:
    """The die with the faces 1 to `sides`, one object for all its throws."""
    return Die(f"d{sides}", tuple(range(1, sides + 1)))


def check_count(n: object) -> None:
    """Refuse invalid numbers of dice. Errors: BadDie."""
    if not isinstance(n, int):
        raise BadDie(f"The number of dice must be a whole number, not {n!r}.")
    if not 0 <= n <= MOST_DICE:
        raise BadDie(f"Throw 0 to {MOST_DICE} dice together, not {n}.")


def shown(face: Hashable) -> int | str:
    """A face as plain data: whole numbers stay numbers, other faces become text.

    >>> shown(3), shown("kick")
    (3, 'kick')
    """
    if isinstance(face, Enum):
        return face.value if isinstance(face.value, str) else face.name.lower()
    if isinstance(face, int) and not isinstance(face, bool):
        return face
    return str(face)


Table = Mapping[Hashable, int] | Sequence[tuple[Hashable, int]]


def rows_of(table: Table) -> tuple[tuple[Hashable, int], ...]:
    """The rows of a table to draw from, each an outcome and a whole weight of at least 0.

    >>> rows_of({"hit": 2, "miss": 1})
    (('hit', 2), ('miss', 1))
    """
    rows: tuple[Any, ...] = tuple(table.items() if isinstance(table, Mapping) else table)
    if any(not isinstance(row, tuple | list) or len(row) != 2 for row in rows):
        raise BadDie(
            "Each row of a table to draw from needs an outcome and a weight, such as "
            '{"hit": 2, "miss": 1}. For equally likely faces, use a die: Die("coin", faces).'
        )
    if any(type(weight) is not int or weight < 0 for _, weight in rows):
        raise BadDie("The weights of a table must be whole numbers of at least 0.")
    if not 1 <= sum(weight for _, weight in rows) <= MOST_SIDES:
        raise BadDie(f"The sum of the weights of a table must be 1 to {MOST_SIDES}.")
    return rows
