"""Facts by path: look up, change with a record of the former value, and undo.

The tree is plain JSON and is never changed in place: a change copies the dictionaries on its path
and shares all others, so unchanged parts stay the same objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from kitchentable.campaign.errors import CannotBe, Overreach
from kitchentable.campaign.events import Recorded
from kitchentable.rules.moves import Change

Path: TypeAlias = tuple[str, ...]
Tree: TypeAlias = Mapping[str, Any]

_DEEPEST = 40
_SIMPLE = frozenset({type(None), bool, int, str})


class Missing:
    """The result of `look` for an absent fact."""


MISSING = Missing()


def look(tree: Any, path: Path, default: Any = MISSING) -> Any:
    """Return the fact at a path, or `default`.

    >>> look({"seats": {"s1": {"name": "Mara"}}}, ("seats", "s1", "name"))
    'Mara'
    """
    here = tree
    for step in path:
        if isinstance(here, Mapping) and step in here:
            here = here[step]
        elif isinstance(here, list) and step.isdecimal() and int(step) < len(here):
            here = here[int(step)]
        else:
            return default
    return here


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON stores it: tuples as lists, mappings as dictionaries with text keys.

    Errors: Overreach for values that JSON cannot store.
    """
    kind = type(value)
    if kind in _SIMPLE or (kind is float and math.isfinite(value)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if depth < _DEEPEST:
        if kind is list or kind is tuple:
            return [one if type(one) in _SIMPLE else plain(one, depth + 1) for one in value]
        if (kind is dict or isinstance(value, Mapping)) and all(map(_is_text, value)):
            return {
                str.__str__(key): one if type(one) in _SIMPLE else plain(one, depth + 1)
                for key, one in value.items()
            }
    raise Overreach(f"Only plain data can be stored at the table, not {value!r}.")


def _is_text(key: object) -> bool:
    return isinstance(key, str)


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal in JSON, where 1 is neither true nor 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def put(tree: Any, path: Path, value: Any) -> Any:
    """Return the tree with `value` at `path`; missing parents are created, all else is shared."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(tree, list):
        index = int(step)
        return [*tree[:index], put(tree[index], rest, value), *tree[index + 1 :]]
    copy = dict(tree)
    copy[step] = put(copy.get(step, {}), rest, value) if rest else value
    return copy


def drop(tree: Any, path: Path) -> Any:
    """Return the tree without the value at `path`, which must not be an element of a list."""
    if isinstance(tree, list):
        index = int(path[0])
        return [*tree[:index], drop(tree[index], path[1:]), *tree[index + 1 :]]
    copy = dict(tree)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = drop(copy[path[0]], path[1:])
    return copy


def apply(tree: Any, changes: Iterable[Recorded]) -> Any:
    """Return the tree after recorded changes. Errors: LookupError, TypeError for a misfit."""
    for one in changes:
        tree = drop(tree, one.path) if one.gone else put(tree, one.path, one.now)
    return tree


def record(tree: Tree, changes: Iterable[Change]) -> tuple[tuple[Recorded, ...], Tree]:
    """Record changes with the former values; also return the tree after them.

    Missing parents of a new fact are created, and their number is recorded.

    >>> recorded, after = record({"own": {}}, [Change(("own", "clock", "ticks"), 1)])
    >>> recorded[0].made, after
    (1, {'own': {'clock': {'ticks': 1}}})
    """
    kept: list[Recorded] = []
    for change in changes:
        one = _record_one(tree, change)
        if one is not None:
            tree = apply(tree, (one,))
            kept.append(one)
    return tuple(kept), tree


def _record_one(tree: Tree, change: Change) -> Recorded | None:
    path = tuple(change.path)
    if not path:
        raise Overreach("A change needs the path of a fact.")
    was = look(tree, path)
    if change.gone:
        if was is MISSING:
            return None
        if isinstance(look(tree, path[:-1]), list):
            raise CannotBe("A list can only be changed as a whole.", code="table/no-such-path")
        return Recorded(path=path, was=was, gone=True)
    now = plain(change.now)
    if was is not MISSING:
        return None if same(was, now) else Recorded(path=path, was=was, now=now)
    here: Any = tree
    for index, step in enumerate(path):
        below = look(here, (step,))
        if not isinstance(below, Mapping | list):
            return _record_new(here, path, index, below, now)
        here = below
    raise CannotBe(f"There is no fact at {'/'.join(path)}.", code="table/no-such-path")


def _record_new(here: Any, path: Path, index: int, below: Any, now: Any) -> Recorded:
    """Return the record of a new fact; its path leaves the tree at step `index`."""
    if isinstance(here, list) or not (below is MISSING or below is None):
        raise CannotBe(f"There is no fact at {'/'.join(path)}.", code="table/no-such-path")
    if below is MISSING:
        return Recorded(path=path, now=now, new=True, made=len(path) - index - 1)
    for step in reversed(path[index + 1 :]):
        now = {step: now}
    return Recorded(path=path[: index + 1], was=below, now=now)


def take_back(tree: Tree, changes: Iterable[Recorded]) -> tuple[tuple[Change, ...], Tree]:
    """Return the changes that take recorded ones back, in order, and the tree after them.

    Parents created for a new fact are removed with it, unless they have other contents by now.

    >>> take_back({"day": 4}, [Recorded(path=("day",), was=3, now=4)])
    ((Change(path=('day',), now=3, gone=False),), {'day': 3})
    """
    back: list[Change] = []
    for one in reversed(tuple(changes)):
        step = [Change(one.path, one.was, gone=one.new)]
        _, tree = record(tree, step)
        for length in range(len(one.path) - 1, len(one.path) - 1 - one.made, -1):
            if look(tree, one.path[:length]) != {}:
                break
            step.append(Change(one.path[:length], gone=True))
            _, tree = record(tree, step[-1:])
        back += step
    return tuple(back), tree


def touch(one: Path, other: Path) -> bool:
    """Whether two paths overlap: equal, or one within the other.

    >>> touch(("entities", "pc"), ("entities", "pc", "state")), touch(("day",), ("own",))
    (True, False)
    """
    return all(a == b for a, b in zip(one, other, strict=False))
