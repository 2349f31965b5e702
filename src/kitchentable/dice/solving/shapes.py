"""Values that contain one symbolic number, split into a template and the number.

Results such as ``Throw(total, zero)`` that differ only in one number share a template and one
symbolic number. Whole values are built from these two on demand.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from kitchentable.dice.solving.kinds import find_kind
from kitchentable.dice.solving.sums import in_order, new_table

#: Values of these types contain no other values.
PLAIN: frozenset[type] = frozenset(
    {int, bool, str, bytes, float, complex, type(None), Fraction, type(Ellipsis), range, type}
)


@dataclasses.dataclass(frozen=True, slots=True)
class Hole:
    """The place of a number in a template: `factor` times the number, plus `const`."""

    factor: int = 1
    const: int = 0


HOLE = Hole()


class Words:
    """A template: a value with holes for numbers, compared by the values and types of all parts.

    >>> Words(("won", HOLE, Hole(2, 1))).fill(5), Words((1, HOLE)) == Words((True, HOLE))
    (('won', 5, 11), False)
    """

    __slots__ = ("_hash", "_parts", "shape")

    def __init__(self, shape: Any) -> None:
        self.shape = shape
        kinds, parts = take_apart(shape)
        self._parts = tuple(kinds), tuple(parts)
        self._hash = hash(self._parts)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Words and self._parts == other._parts)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self.shape)

    def fill(self, number: Any) -> Any:
        """The value with this number in its holes."""
        return mapped(self.shape, lambda part: _put(part, number))


class Filled(NamedTuple):
    """An outcome as a template and its number."""

    words: Words
    number: int

    def __repr__(self) -> str:
        return repr(self.words.fill(self.number))


def _put(part: Any, number: Any) -> Any:
    return number * part.factor + part.const if type(part) is Hole else part


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a value with `change` applied to each part that is not a tuple or dataclass.

    Errors: TypeError for an object that only C code can make.

    >>> mapped((1, (2, "a")), lambda part: part * 2)
    (2, (4, 'aa'))
    """
    kind: Any = type(value)
    if kind is tuple:
        return tuple([mapped(part, change) for part in value])
    if not _is_open(kind):
        return change(value)
    made = object.__new__(kind)
    for name, old in attributes_of(value).items():
        object.__setattr__(made, name, mapped(old, change))
    return made


def take_apart(value: Any) -> tuple[list[Any], list[Any]]:
    """The types of a value and all its parts, and the parts that are neither tuple nor dataclass.

    >>> take_apart(("won", (5,)))
    ([(<class 'tuple'>, 2), <class 'str'>, (<class 'tuple'>, 1), <class 'int'>], ['won', 5])
    """
    kinds: list[Any] = []
    parts: list[Any] = []
    todo = [value]
    while todo:
        one = todo.pop()
        kind: Any = type(one)
        if kind is tuple:
            kinds.append((tuple, len(one)))
            todo.extend(reversed(one))
        elif _is_open(kind):
            held = attributes_of(one)
            kinds.append((kind, *held))
            todo.extend(reversed(held.values()))
        else:
            # Only immutable containers are searched; other objects may be symbolic.
            looks = kind in PLAIN or issubclass(kind, frozenset | tuple)
            kinds.append(find_kind(one) if looks else kind)
            parts.append(one)
    return kinds, parts


@lru_cache(maxsize=1024)
def _is_open(kind: Any) -> bool:
    return kind is not Hole and Enum not in kind.__mro__ and dataclasses.is_dataclass(kind)


@lru_cache(maxsize=1024)
def _slots(kind: type) -> tuple[str, ...]:
    """The names in the `__slots__` of a class and its bases."""
    found: list[str] = []
    for one in kind.__mro__:
        own = vars(one).get("__slots__", ())
        names = (own,) if isinstance(own, str) else own
        found.extend(
            f"_{one.__name__.lstrip('_')}{name}"
            if name.startswith("__") and not name.endswith("__")
            else name
            for name in names
        )
    return tuple(name for name in found if name not in {"__dict__", "__weakref__"})


def attributes_of(value: Any) -> dict[str, Any]:
    """All attributes of an object, by name."""
    held = dict(getattr(value, "__dict__", {}))
    for name in _slots(type(value)):  # type: ignore[arg-type]
        if hasattr(value, name):
            held[name] = getattr(value, name)
    return held


def divide_by_words(
    outcomes: Iterable[tuple[Any, int]],
) -> tuple[list[tuple[Any, int]], list[tuple[Words, Sequence[int], Sequence[int]]]]:
    """Divide outcomes into single ones and those that differ only in a number, by template.

    Among outcomes of one type, the number with the most different values becomes the hole.

    >>> divide_by_words([(("won", 5), 2), (("won", 7), 1), ("lost", 3)])
    ([('lost', 3)], [(('won', Hole(factor=1, const=0)), [5, 7], [2, 1])])
    """
    alone: list[tuple[Any, int]] = []
    alike: dict[Any, list[tuple[list[Any], Any, int]]] = {}
    tables: dict[Words, dict[int, int]] = defaultdict(new_table)
    for outcome, weight in outcomes:
        if type(outcome) is Filled:
            tables[outcome.words][outcome.number] += weight
            continue
        kinds, parts = take_apart(outcome)
        if len(kinds) > 1 and int in kinds:
            alike.setdefault(tuple(kinds), []).append((parts, outcome, weight))
        else:
            alone.append((outcome, weight))
    for some in alike.values():
        columns = [*zip(*(parts for parts, _, _ in some), strict=True)]
        numbers = [at for at, column in enumerate(columns) if type(column[0]) is int]
        at = max(numbers, key=lambda one: len(set(columns[one])))
        for parts, outcome, weight in some:
            try:
                words = Words(_with_hole(outcome, at))
            except TypeError:  # the outcome cannot be rebuilt, or contains unhashable values
                alone.append((outcome, weight))
            else:
                tables[words][parts[at]] += weight
    shaped = []
    for words, table in tables.items():
        if len(table) == 1:
            alone.extend((words.fill(number), weight) for number, weight in table.items())
        else:
            shaped.append((words, *in_order(table)))
    return alone, shaped


def _with_hole(outcome: Any, at: int) -> Any:
    """An outcome with a hole instead of one of its parts."""
    places = count()
    return mapped(outcome, lambda part: HOLE if next(places) == at else part)
