"""AnyDice: its dice expressions, with the common functions in square brackets.

A division is rounded towards 0, comparisons give 1 or 0, and ``[explode ...]`` throws again at most
twice, which is that program's default.
"""

from __future__ import annotations

from collections import Counter
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
_RANKED = r"\[\s*(highest|lowest|middle)\s+(\d{1,4})\s+of\b"
_BETTER = r"\[\s*(highest|lowest)\s+of\b"
_EXPLODE = r"\[\s*explode\b"
_ABSOLUTE = r"\[\s*absolute\b"
_MAXIMUM = r"\[\s*maximum\s+of\b"
_COUNT = r"\[\s*count\s+(?:(\d{1,6})|\{([\d\s,.-]+)\})\s+in\b"
_AT = r"(\d{1,4})\s*@"
_AND = r"and\b"
_OUTPUT = r"output\b"


def _pool_of(reader: Reader, start: int) -> Pool:
    """The dice argument of a function in square brackets, up to the bracket."""
    found = unwrapped(reader.expression(0))
    reader.need("]", start)
    if not isinstance(found, Pool) or found.steps or found.score is not None:
        says = "This function looks at the single dice of a throw such as 4d6. Write such a throw."
        reader.fail("function", says, start)
    return found


def _functions(reader: Reader) -> Term | None:
    start = reader.at
    reader.match(_OUTPUT) if start == 0 else None
    at = reader.match(_AT)
    if at is not None:
        return _position(reader, int(at.group(1)), start)
    ranked = reader.match(_RANKED)
    if ranked is not None:
        pool = _pool_of(reader, start)
        return _ranked(reader, pool, ranked.group(1).lower(), int(ranked.group(2)), start)
    better = reader.match(_BETTER)
    if better is not None:
        left = reader.expression(0)
        if reader.match(_AND) is None:
            reader.fail("function", "Write two values: [highest of d6 and d8].")
        right = reader.expression(0)
        reader.need("]", start)
        name = "max" if better.group(1).lower() == "highest" else "min"
        return reader.placed(Apply(name, (left, right)), start)
    count = reader.match(_COUNT)
    if count is not None:
        pool = _pool_of(reader, start)
        return reader.placed(Pool(pool.sources, (), _score(reader, count, start)), start)
    if reader.match(_EXPLODE):
        inner = reader.expression(0)
        reader.need("]", start)
        return _exploding(reader, inner, start)
    for pattern in (_ABSOLUTE, _MAXIMUM):
        if reader.match(pattern):
            inner = reader.expression(0)
            reader.need("]", start)
            if pattern is _ABSOLUTE:
                return reader.placed(Apply("abs", (inner,)), start)
            return Exact(int(span(lower(inner))[1]))
    return None


def _ranked(reader: Reader, pool: Pool, word: str, number: int, start: int) -> Term:
    if word == "middle":
        out = pool.count - number
        if out % 2 or out < 0:
            says = "The middle of these dice is not a whole number of dice on each side. "
            reader.fail("function", f"{says}Write another number.", start)
        ends = tuple(Choose((Rank(end, out // 2),), keep=False) for end in ("h", "l"))
        return reader.placed(Pool(pool.sources, (Together(ends),)), start)
    rank = Rank("h" if word == "highest" else "l", number)
    return reader.placed(Pool(pool.sources, (Choose((rank,)),)), start)


def _position(reader: Reader, place: int, start: int) -> Term:
    """The die at a place from the highest, as in ``2@4d6``."""
    found = unwrapped(reader.expression(45))
    if not isinstance(found, Pool) or found.steps or not 1 <= place <= found.count:
        reader.fail("function", "@ takes one of the dice behind it, such as 1@4d6.", start)
    steps = (Choose((Rank("h", place),)), Choose((Rank("l", 1),)))
    return reader.placed(Pool(found.sources, steps if place > 1 else steps[:1]), start)


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


def _exploding(reader: Reader, inner: Term, start: int) -> Term:
    found = unwrapped(inner)
    single = isinstance(found, Pool) and found.count == 1 and not found.steps
    source = found.sources[0][1] if single and isinstance(found, Pool) else lower(inner)
    most = span(lower(inner))[1]
    if not isinstance(most, int):
        reader.fail("function", "What explodes needs a greatest value. Write plain dice.", start)
    step = Explode((Test("=", most),), times=_EXPLODE_DEPTH)
    return reader.placed(Pool(((1, source),), (step,)), start)


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
    primary=_functions,
    hints=MappingProxyType(
        {
            "[": "This function is not read here; highest, lowest, middle, count, explode, "
            "absolute and maximum are.",
            "{": "A sequence stands behind d, as in d{1,1,2}, or in [count {5,6} in 10d6].",
        }
    ),
)
"""The dice expressions of AnyDice."""
