"""A covering array: few settings of many options in which each pair of values occurs."""

from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random
from typing import Any

Row = dict[str, Any]
Allowed = Callable[[Row], bool]


def covering(values: Mapping[str, tuple[Any, ...]], allowed: Allowed, seed: int = 0) -> list[Row]:
    """Rows of one value for each option that cover every pair that may be on together.

    Greedy: each row begins with a pair that is still missing and goes on with the values that
    bring most missing pairs with those it has. `allowed` says whether a row, or a part of one, may
    be. Not the shortest array there is, and near enough.
    """
    rng = Random(seed)
    missing = pairs(values, allowed)
    rows: list[Row] = []
    while missing:
        row = dict(next(iter(missing)))
        rest = [key for key in values if key not in row]
        rng.shuffle(rest)
        for key in rest:
            fits = [value for value in values[key] if allowed({**row, key: value})]
            rng.shuffle(fits)
            row[key] = max(fits, key=lambda value: _brings(missing, row, key, value))
        missing = {pair: None for pair in missing if not _has(row, pair)}
        rows.append({key: row[key] for key in values})
    return rows


Pair = tuple[tuple[str, Any], tuple[str, Any]]


def pairs(values: Mapping[str, tuple[Any, ...]], allowed: Allowed) -> dict[Pair, None]:
    """Every two values of two options that may be on together, in a fixed order."""
    return {
        ((one, first), (other, second)): None
        for one, other in combinations(values, 2)
        for first in values[one]
        for second in values[other]
        if allowed({one: first, other: second})
    }


def _has(row: Row, pair: Pair) -> bool:
    return all(row[key] == value for key, value in pair)


def _brings(missing: dict[Pair, None], row: Row, key: str, value: Any) -> int:
    new = (key, value)
    return sum(
        ((other, row[other]), new) in missing or (new, (other, row[other])) in missing
        for other in row
    )
