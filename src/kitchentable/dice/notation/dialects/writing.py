"""Spelling of an expression in another program's notation.

The text is only a proposal: ``translate`` parses it in its dialect and returns it if the meaning is
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.maths import in_decimals
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Choose,
    Exact,
    Explode,
    Limit,
    Many,
    More,
    Named,
    Pool,
    Rank,
    Score,
    Source,
    Step,
    Term,
    Test,
    Total,
    Unique,
)
from kitchentable.dice.notation.dialects.raising import NoSpelling
from kitchentable.dice.notation.dialects.spans import is_whole
from kitchentable.dice.notation.play import FUDGE_DIE


@dataclass(frozen=True, slots=True)
class Words:
    """The spellings of a dialect: comparisons, steps, counting, operations, groups."""

    signs: Signs
    step: Callable[[Step, Words, Source], str]
    score: Callable[[Score, Words], str]
    infix: frozenset[str]
    functions: frozenset[str]
    group: str = "{}"
    labels: bool = True
    note: str = " # {}"


def spell(term: Term, words: Words) -> str:
    """The spelling of a term in a dialect. Errors: NoSpelling.

    >>> spell(Pool(((4, 6),), (Choose((Rank("h", 3),)),)), WORDS["anydice"])
    '[highest 3 of 4d6]'
    """
    match term:
        case Exact(value):
            return _number(value)
        case Named(inner, label):
            if not words.labels:
                raise NoSpelling("Labels have no spelling there.")
            return f"{_part(inner, words)}[{label}]"
        case Total(terms):
            return "".join(f"{sign}{_part(one, words)}" for sign, one in terms).removeprefix("+")
        case Many(count, sides):
            faces = _source(sides) if isinstance(sides, Die) else f"({spell(sides, words)})"
            return f"({spell(count, words)})d{faces}"
        case Pool():
            return _pool(term, words)
        case Apply("()" | "plain", (inner,)):
            return _part(inner, words)
        case Apply(name, args):
            return _apply(name, args, words)
        case _:
            raise NoSpelling("This part has no spelling there.")


def _number(value: int | Fraction) -> str:
    said = in_decimals(value) if isinstance(value, Fraction) else str(value)
    if "/" in said:
        raise NoSpelling("This number has no end.")
    return said


def _part(term: Term, words: Words) -> str:
    """The spelling of an operand, in brackets if it is composed."""
    said = spell(term, words)
    operators = isinstance(term, Apply) and term.name in words.infix
    return f"({said})" if isinstance(term, Total) or operators else said


def _apply(name: str, args: tuple[Term, ...], words: Words) -> str:
    if name == "neg":
        return f"-{_part(args[0], words)}"
    if name == "//" and "//" not in words.infix:
        divided = _apply("/", args, words) if "/" in words.infix else _apply("/0", args, words)
        return f"floor({divided})" if "floor" in words.functions else divided
    if name in words.infix:
        left, right = args
        if name == "**":
            return _power(left, right, words)
        row = isinstance(left, Apply) and left.name in _ROW and name in _ROW
        floored = isinstance(left, Apply) and left.name == "//" and "//" not in words.infix
        first = spell(left, words) if row or floored else _part(left, words)
        sign = {"/0": "/", "%0": "%", "**0": "^", "=": "==" if "//" in words.infix else "="}.get(
            name, name
        )
        return f"{first}{sign}{_part(right, words)}"
    if name in words.functions:
        word = {"round up": "round"}.get(name, name)
        return f"{word}({', '.join(spell(one, words) for one in args)})"
    raise NoSpelling(f"{name} has no spelling there.")


def _power(base: Term, exponent: Term, words: Words) -> str:
    first, second = _part(base, words), _part(exponent, words)
    if "**0" not in words.infix:
        return f"({first})**{second}" if first.startswith("-") else f"{first}**{second}"
    if not is_whole(Apply("**", (base, exponent))):
        raise NoSpelling("Powers are whole numbers there.")
    return f"{first}^{second}"


_ROW = frozenset(["*", "/", "//", "/0"])


def _source(source: Source) -> str:
    if isinstance(source, int):
        return str(source)
    if source == FUDGE_DIE:
        return "F"
    if isinstance(source, Die):
        return source.name[1:]
    raise NoSpelling("Only dice stand behind a d.")


def _pool(pool: Pool, words: Words) -> str:
    if words is WORDS["anydice"]:
        return _anydice(pool, words)
    dice = isinstance(pool.sources[0][1], AnyDie)
    steps = "".join(words.step(step, words, pool.sources[0][1]) for step in pool.steps)
    steps += "" if pool.score is None else words.score(pool.score, words)
    if dice and len(pool.sources) == 1:
        return f"{pool.sources[0][0]}d{_source(pool.sources[0][1])}{steps}"
    items = [
        f"{count}d{_source(one)}" if isinstance(one, AnyDie) else spell(one, words)
        for count, one in pool.sources
    ]
    inner = ("+" if dice else ",").join(items)
    return f"{words.group[0]}{inner}{words.group[1]}{steps}"


def _anydice(pool: Pool, words: Words) -> str:
    count, source = pool.sources[0]
    if not isinstance(source, AnyDie):
        return _better(pool, words)
    sides = "{-1,0,1}" if source == FUDGE_DIE else _source(source)
    dice = f"{count}d{sides}"
    if len(pool.sources) > 1 or len(pool.steps) > 1:
        raise NoSpelling("AnyDice looks at one kind of dice.")
    if pool.score is not None and not pool.steps:
        worth = {face: pool.score.points(face) for face in faces_of(source)}
        meant = [str(face) for face, points in worth.items() for _ in range(points)]
        if not meant or min(worth.values()) < 0:
            raise NoSpelling("This count has no spelling there.")
        return f"[count {{{','.join(meant)}}} in {dice}]"
    if pool.score is not None:
        raise NoSpelling("This count has no spelling there.")
    if not pool.steps:
        return dice
    step = pool.steps[0]
    if isinstance(step, Choose) and len(step.which) == 1 and isinstance(step.which[0], Rank):
        rank = step.which[0]
        number = rank.count if step.keep else count - rank.count
        highest = (rank.end == "h") == step.keep
        return f"[{'highest' if highest else 'lowest'} {number} of {dice}]"
    if isinstance(step, Explode) and step.times == 2 and count == 1:
        return f"[explode {dice}]"
    raise NoSpelling("This step has no spelling there.")


def _better(pool: Pool, words: Words) -> str:
    match pool.steps:
        case (Choose((Rank(end, 1),), True),) if len(pool.sources) == 2:
            word = "highest" if end == "h" else "lowest"
            left, right = (
                spell(one, words) for _, one in pool.sources if not isinstance(one, AnyDie)
            )
            return f"[{word} of {left} and {right}]"
    raise NoSpelling("Groups of this kind have no spelling there.")


#: The spelling of each comparison, and the whole number added to its value.
Signs: TypeAlias = Mapping[str, tuple[str, int]]
_SIGNED: Signs = MappingProxyType(
    {sign: (sign, 0) for sign in ("=", "!=", "<", "<=", ">", ">=", "even", "odd")}
)
#: Avrae's selectors: exactly, more than, less than.
_STRICT: Signs = MappingProxyType(
    {"=": ("", 0), ">": (">", 0), "<": ("<", 0), ">=": (">", -1), "<=": ("<", 1)}
)
#: Roll20's comparisons, which include the number.
_INCLUSIVE: Signs = MappingProxyType(
    {"=": ("=", 0), ">=": (">", 0), "<=": ("<", 0), ">": (">", 1), "<": ("<", -1)}
)


def _test(test: Test, words: Words) -> str:
    sign, more = words.signs.get(test.sign, (None, 0))
    if sign is None or (more and not isinstance(test.value, int)):
        raise NoSpelling("This comparison has no spelling there.")
    return f"{sign}{test.value + more}"


def _single(step: Again | Explode | Unique, words: Words, source: Source) -> str:
    """The only comparison of a step; "" for an explosion on the highest face."""
    tests = [_test(one, words) for one in step.which if isinstance(one, Test)]
    if len(tests) != len(step.which) or len(tests) > 1:
        raise NoSpelling("Several comparisons have no spelling there.")
    faces = faces_of(source)
    meant = [
        face for face in faces if any(isinstance(t, Test) and t.holds(face) for t in step.which)
    ]
    if isinstance(step, Explode) and faces and meant == [faces[-1]]:
        return ""
    return tests[0] if tests else ""


def _keep(step: Choose) -> str:
    if len(step.which) != 1 or not isinstance(step.which[0], Rank):
        raise NoSpelling("This choice has no spelling there.")
    rank = step.which[0]
    return f"{'k' if step.keep else 'd'}{rank.end}{rank.count}"


def _avrae_step(step: Step, words: Words, _: Source) -> str:
    if isinstance(step, Limit):
        return f"mi{step.least}" if step.least is not None else f"ma{step.most}"
    if isinstance(step, Explode) and (step.compound or step.less or step.times is not None):
        raise NoSpelling("This explosion has no spelling there.")
    match step:
        case Choose():
            word = "k" if step.keep else "p"
        case Again():
            word = "rr" if step.forever else "ro"
        case More():
            word = "ra"
        case Explode():
            word = "e"
        case _:
            raise NoSpelling("This step has no spelling there.")
    said = [
        f"{one.end}{one.count}" if isinstance(one, Rank) else _test(one, words)
        for one in step.which
    ]
    return "".join(f"{word}{one}" for one in said)


def _common_step(
    step: Step, words: Words, source: Source, bang: str, rolls: tuple[str, str]
) -> str:
    match step:
        case Choose():
            return _keep(step)
        case Again():
            return f"{rolls[1] if step.forever else rolls[0]}{_single(step, words, source)}"
        case Explode(times=None):
            return f"{bang}{_single(step, words, source)}"
        case Limit(least=least, most=None) if least is not None:
            return f"min{_number(least)}"
        case Limit(least=None, most=most) if most is not None:
            return f"max{_number(most)}"
    raise NoSpelling("This step has no spelling there.")


def _bang(step: Step) -> str:
    if not isinstance(step, Explode):
        return ""
    return "!" + ("!" if step.compound else "") + ("p" if step.less else "")


def _roller_step(step: Step, words: Words, source: Source) -> str:
    if isinstance(step, Unique):
        return f"u{'o' if step.once else ''}{_single(step, words, source)}"
    return _common_step(step, words, source, _bang(step), ("ro", "r"))


def _roll20_step(step: Step, words: Words, source: Source) -> str:
    if isinstance(step, Limit):
        raise NoSpelling("Limits have no spelling there.")
    return _common_step(step, words, source, _bang(step), ("ro", "r"))


def _foundry_step(step: Step, words: Words, source: Source) -> str:
    if isinstance(step, Explode):
        if step.compound or step.less or step.times not in (None, 1):
            raise NoSpelling("This explosion has no spelling there.")
        return f"{'x' if step.times is None else 'xo'}{_single(step, words, source)}"
    return _common_step(step, words, source, "x", ("r", "rr"))


def _no_score(_: Score, __: Words) -> str:
    raise NoSpelling("Counting dice has no spelling there.")


def _score_with(success: str, failure: str) -> Callable[[Score, Words], str]:
    def write(score: Score, words: Words) -> str:
        good = [test for test, points in score.rules if points == 1]
        bad = [test for test, points in score.rules if points == -1]
        if len(good) != 1 or len(bad) > 1 or len(good) + len(bad) != len(score.rules):
            raise NoSpelling("This count has no spelling there.")
        if good[0].sign in ("even", "odd"):
            return good[0].sign
        return success + _test(good[0], words) + "".join(failure + _test(one, words) for one in bad)

    return write


def _no_step(_: Step, __: Words, ___: Source) -> str:
    raise NoSpelling("This step has no spelling there.")


_COMPARE = frozenset(["=", "!=", "<", "<=", ">", ">="])
_MATHS = frozenset(["*", "/", "%0", "**"])
_ROUNDS = frozenset(["floor", "ceil", "abs"])

WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "avrae": Words(
            _STRICT,
            _avrae_step,
            _no_score,
            _COMPARE | {"*", "/", "//", "%"},
            frozenset(),
            "()",
        ),
        "rpg-dice-roller": Words(
            _SIGNED,
            _roller_step,
            _score_with("", "f"),
            frozenset(["*", "/", "%", "**"]),
            _ROUNDS | {"round", "sign", "sqrt", "log", "exp", "sin", "cos", "tan", "max", "min"},
        ),
        "roll20": Words(
            _INCLUSIVE, _roll20_step, _score_with("", "f"), _MATHS, _ROUNDS | {"round up"}
        ),
        "foundry": Words(
            _SIGNED,
            _foundry_step,
            _score_with("cs", "df"),
            _MATHS,
            _ROUNDS | {"round up", "max", "min", "sign", "sqrt", "trunc"},
        ),
        "anydice": Words(
            _SIGNED,
            _no_step,
            _no_score,
            _COMPARE | {"*", "/0", "**", "**0"},
            frozenset(),
            labels=False,
            note=' named "{}"',
        ),
    }
)
"""The spellings of each dialect."""
