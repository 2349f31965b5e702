"""AnyDice: its dice expressions, with the common functions in square brackets.

Divisions and powers round towards 0. A sign binds more tightly than a power, and powers are read
from left to right (AnyDice's documentation). Comparisons give 1 or 0. ``[explode ...]`` throws
again at most twice, that program's default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

from kitchentable.dice.notation.dialects.bags import is_ranked
from kitchentable.dice.notation.dialects.lowering import lower
from kitchentable.dice.notation.dialects.nodes import (
    Apply,
    Choose,
    Exact,
    Explode,
    Pool,
    Rank,
    Score,
    Term,
    Together,
    parts_of,
)
from kitchentable.dice.notation.dialects.reader import Infix, Match, Reader, Table
from kitchentable.dice.notation.dialects.spans import span
from kitchentable.dice.notation.dialects.words import BASIC, COMPARISONS, in_a_row, unwrapped
from kitchentable.dice.notation.tree import Condition

_EXPLODE_DEPTH = 2
_AND = r"and\b"
_OUTPUT = r"output\b"


def _inside(reader: Reader, start: int) -> Term:
    """Read the argument of a function up to its square bracket."""
    inner = reader.expression(0)
    reader.need("]", start)
    return inner


def _pool_of(reader: Reader, start: int) -> Pool:
    """Read plain dice as the argument of a function."""
    found = unwrapped(_inside(reader, start))
    if not isinstance(found, Pool) or found.steps or found.score is not None:
        says = "This function needs plain dice, such as 4d6."
        reader.fail("function", says, start)
    return found


def _ranked(reader: Reader, match: Match, start: int) -> Term:
    pool, word, number = _pool_of(reader, start), match.group(1).lower(), int(match.group(2))
    if word == "middle":
        out = pool.count - number
        if out % 2 or out < 0:
            says = "The middle must leave out equally many dice on each side. "
            reader.fail("function", f"{says}Write another number.", start)
        ends = tuple(Choose((Rank(end, out // 2),), keep=False) for end in ("h", "l"))
        return Pool(pool.sources, (Together(ends),))
    return Pool(pool.sources, (Choose((Rank("h" if word == "highest" else "l", number),)),))


def _better(reader: Reader, match: Match, start: int) -> Term:
    left = reader.expression(0)
    if reader.match(_AND) is None:
        reader.fail("function", "Write two values: [highest of d6 and d8].")
    name = "max" if match.group(1).lower() == "highest" else "min"
    return Apply(name, (left, _inside(reader, start)))


def _counted(reader: Reader, match: Match, start: int) -> Term:
    brace = reader.at - 1
    counted = reader.listed(brace) if match.group(1) is None else [int(match.group(1))]
    if reader.match(r"in\b") is None:
        reader.fail("function", "Write 'in' and the dice: [count {5,6} in 10d6].")
    return Pool(_pool_of(reader, start).sources, (), _score(Counter(counted)))


def _absolute(reader: Reader, _: Match, start: int) -> Term:
    return Apply("abs", (_inside(reader, start),))


def _maximum(reader: Reader, _: Match, start: int) -> Term:
    return Exact(_greatest(reader, _inside(reader, start), start))


def _position(reader: Reader, match: Match, start: int) -> Term:
    """Read the die at a position from the highest, as in ``2@4d6``."""
    found, place = unwrapped(reader.expression(45)), int(match.group(1))
    if not isinstance(found, Pool) or found.steps or not 1 <= place <= found.count:
        reader.fail(
            "function", "@ needs the position of a die, then plain dice, such as 1@4d6.", start
        )
    steps = (Choose((Rank("h", place),)), Choose((Rank("l", 1),)))
    return Pool(found.sources, steps if place > 1 else steps[:1])


def _score(counted: Counter[int]) -> Score:
    """The score for listed numbers; a number listed twice counts twice."""
    low, high = min(counted), max(counted)
    if low < high and counted == Counter(range(low, high + 1)):
        return _between(low, high)
    return Score(tuple((Condition("=", value), counted[value]) for value in sorted(counted)))


def _between(low: int, high: int) -> Score:
    """Two tests for the values between two numbers; values below them count 0."""
    return Score(((Condition("<", low), 0), (Condition("<=", high), 1)))


def _exploding(reader: Reader, _: Match, start: int) -> Term:
    inner = _inside(reader, start)
    found = unwrapped(inner)
    single = isinstance(found, Pool) and found.count == 1 and not (found.steps or found.score)
    source = found.sources[0][1] if single and isinstance(found, Pool) else lower(inner)
    explode = Explode((Condition("=", _greatest(reader, inner, start)),), times=_EXPLODE_DEPTH)
    return Pool(((1, source),), (explode,))


def _greatest(reader: Reader, term: Term, start: int) -> int:
    """The greatest value of a part."""
    if not _has_corners(term):
        says = "maximum works only for dice, sums, differences, products and quotients"
        reader.fail("function", f"{says}. Write one of these, or the value itself.", start)
    return int(span(term)[1])


def _has_corners(term: Term) -> bool:
    """Whether a part has its extremes at those of its parts, so that its span is exact."""
    match term:
        case Pool(steps=steps) if not all(map(is_ranked, steps)):
            return False
        case Apply(name, _) if name not in ("()", "neg", "*", "/0", "max", "min"):
            return False
    return all(map(_has_corners, parts_of(term)))


_FUNCTIONS: tuple[tuple[str, Callable[[Reader, Match, int], Term]], ...] = (
    (r"(\d{1,4})\s*@", _position),
    (r"\[\s*(highest|lowest|middle)\s+(\d{1,4})\s+of\b", _ranked),
    (r"\[\s*(highest|lowest)\s+of\b", _better),
    (r"\[\s*count\s+(?:(\d{1,6})|\{)", _counted),
    (r"\[\s*explode\b", _exploding),
    (r"\[\s*absolute\b", _absolute),
    (r"\[\s*maximum\s+of\b", _maximum),
)


def _function(reader: Reader) -> Term | None:
    """Read a function in square brackets, or the die at a position."""
    start = reader.at
    if start == 0:
        reader.match(_OUTPUT)
    for pattern, read in _FUNCTIONS:
        match = reader.match(pattern)
        if match is not None:
            return reader.placed(read(reader, match, start), start)
    return None


ANYDICE = Table(
    key="anydice",
    name="AnyDice",
    infix=MappingProxyType(
        {
            "|": Infix(10, "or"),
            "&": Infix(10, "and"),
            **COMPARISONS,
            **BASIC,
            "/": Infix(50, "/0"),
            "^": Infix(70, "**0"),
        }
    ),
    signs=("-", "+", "!"),
    prefix=80,
    arrange=in_a_row,
    fudge=False,
    fewest=0,
    decimals=False,
    label=None,
    comment=r'\s*named\s*"([^"]*)"|\\([^\\]*)\\',
    primary=_function,
    hints=MappingProxyType(
        {
            "[": "This function is not supported. Use highest, lowest, middle, count, explode, "
            "absolute or maximum.",
            "f": "Write a Fudge die as d{-1,0,1}.",
            **dict.fromkeys(("k", "kh", "kl"), "Write a function, as in [highest 3 of 4d6]."),
            "{": "Write a sequence after d, as in d{1,1,2}, or in [count {5,6} in 10d6].",
        }
    ),
)
"""The dice expressions of AnyDice."""
