"""AnyDice: its dice expressions, with the common functions in square brackets.

A division is rounded towards 0, comparisons give 1 or 0, and ``[explode ...]`` throws again at most
twice, which is that program's default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

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
    Test,
    Together,
)
from kitchentable.dice.notation.dialects.reader import Arranged, Infix, Match, Reader, Table
from kitchentable.dice.notation.dialects.spans import span
from kitchentable.dice.notation.dialects.words import unwrapped

_EXPLODE_DEPTH = 2
_AND = r"and\b"
_OUTPUT = r"output\b"


def _inside(reader: Reader, start: int) -> Term:
    """The argument of a function in square brackets, up to the bracket."""
    inner = reader.expression(0)
    reader.need("]", start)
    return inner


def _pool_of(reader: Reader, start: int) -> Pool:
    """The plain dice that are the argument of a function."""
    found = unwrapped(_inside(reader, start))
    if not isinstance(found, Pool) or found.steps or found.score is not None:
        says = "This function looks at the single dice of a throw such as 4d6. Write such a throw."
        reader.fail("function", says, start)
    return found


def _ranked(reader: Reader, match: Match, start: int) -> Term:
    pool, word, number = _pool_of(reader, start), match.group(1).lower(), int(match.group(2))
    if word == "middle":
        out = pool.count - number
        if out % 2 or out < 0:
            says = "The middle of these dice is not a whole number of dice on each side. "
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
    pool = _pool_of(reader, start)
    return Pool(pool.sources, (), _score(reader, match, start))


def _absolute(reader: Reader, _: Match, start: int) -> Term:
    return Apply("abs", (_inside(reader, start),))


def _maximum(reader: Reader, _: Match, start: int) -> Term:
    return Exact(int(span(lower(_inside(reader, start)))[1]))


def _position(reader: Reader, match: Match, start: int) -> Term:
    """The die at a place from the highest, as in ``2@4d6``."""
    found, place = unwrapped(reader.expression(45)), int(match.group(1))
    if not isinstance(found, Pool) or found.steps or not 1 <= place <= found.count:
        reader.fail("function", "@ takes one of the dice behind it, such as 1@4d6.", start)
    steps = (Choose((Rank("h", place),)), Choose((Rank("l", 1),)))
    return Pool(found.sources, steps if place > 1 else steps[:1])


def _score(reader: Reader, match: Match, start: int) -> Score:
    """The score of the listed numbers; a number listed twice counts twice."""
    counted: Counter[int] = Counter()
    for one in (match.group(1) or match.group(2)).split(","):
        low, _, high = one.strip().partition("..")
        if not low.strip().lstrip("-").isdecimal():
            reader.fail("function", "List whole numbers, such as {5, 6} or {4..6}.", start)
        for value in range(int(low), int(high or low) + 1):
            counted[value] += 1
    values = sorted(counted)
    if (
        len(counted) > 1
        and values == list(range(values[0], values[-1] + 1))
        and set(counted.values()) == {1}
    ):
        return _between(values[0], values[-1])
    return Score(tuple((Test("=", value), counted[value]) for value in values))


def _between(low: int, high: int) -> Score:
    """The values from one number to another, as two tests: smaller values count 0."""
    return Score(((Test("<", low), 0), (Test("<=", high), 1)))


def _exploding(reader: Reader, _: Match, start: int) -> Term:
    inner = _inside(reader, start)
    found = unwrapped(inner)
    single = isinstance(found, Pool) and found.count == 1 and not found.steps
    source = found.sources[0][1] if single and isinstance(found, Pool) else lower(inner)
    most = span(lower(inner))[1]
    if not isinstance(most, int):
        reader.fail("function", "What explodes needs a greatest value. Write plain dice.", start)
    return Pool(((1, source),), (Explode((Test("=", most),), times=_EXPLODE_DEPTH),))


_FUNCTIONS: tuple[tuple[str, Callable[[Reader, Match, int], Term]], ...] = (
    (r"(\d{1,4})\s*@", _position),
    (r"\[\s*(highest|lowest|middle)\s+(\d{1,4})\s+of\b", _ranked),
    (r"\[\s*(highest|lowest)\s+of\b", _better),
    (r"\[\s*count\s+(?:(\d{1,6})|\{([\d\s,.-]+)\})\s+in\b", _counted),
    (r"\[\s*explode\b", _exploding),
    (r"\[\s*absolute\b", _absolute),
    (r"\[\s*maximum\s+of\b", _maximum),
)


def _function(reader: Reader) -> Term | None:
    """A function in square brackets, or the die at a place."""
    start = reader.at
    if start == 0:
        reader.match(_OUTPUT)
    for pattern, read in _FUNCTIONS:
        match = reader.match(pattern)
        if match is not None:
            return reader.placed(read(reader, match, start), start)
    return None


def _unarranged(found: object) -> Arranged:
    return (), None


ANYDICE = Table(
    key="anydice",
    name="AnyDice",
    infix=MappingProxyType(
        {
            "|": Infix(10, "or"),
            "&": Infix(10, "and"),
            **{sign: Infix(20, sign) for sign in ("=", "!=", "<", ">", "<=", ">=")},
            "+": Infix(40, "+"),
            "-": Infix(40, "-"),
            "*": Infix(50, "*"),
            "/": Infix(50, "/0"),
            "^": Infix(70, "**", right=True),
        }
    ),
    prefix=60,
    modifiers=(),
    arrange=_unarranged,
    percent=100,
    fudge=False,
    zero=True,
    decimals=False,
    label=None,
    comment=r'\s*named\s*"([^"]*)"|\\([^\\]*)\\',
    primary=_function,
    hints=MappingProxyType(
        {
            "[": "This function is not read here; highest, lowest, middle, count, explode, "
            "absolute and maximum are.",
            "{": "A sequence stands behind d, as in d{1,1,2}, or in [count {5,6} in 10d6].",
        }
    ),
)
"""The dice expressions of AnyDice."""
