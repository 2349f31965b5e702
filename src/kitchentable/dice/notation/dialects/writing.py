"""Spelling of an expression in another program's notation.

The text is only a proposal: ``translate`` parses it in its dialect and returns it if the meaning is
the same. So nothing here checks whether the program knows a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.notation.dialects.bags import is_meant
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
    Named,
    Pool,
    Rank,
    Score,
    Source,
    Step,
    Term,
    Together,
    Total,
    Unique,
)
from kitchentable.dice.notation.dialects.reader import Table
from kitchentable.dice.notation.play import FUDGE_DIE
from kitchentable.dice.notation.tree import Amount, Condition


class NoSpelling(KitchenTableError):
    """A part has no spelling in the dialect; only used as control flow."""

    code = "notation/no-spelling"


@dataclass(frozen=True, slots=True)
class Words:
    """A dialect's words for steps, each with a spelling for its two kinds.

    `signs` has the spelling of each comparison, and the whole number added to its value. `again` is
    once or for ever, `score` has the words before successes and failures. An explosion on the
    highest face needs no number where `bare` is set.
    """

    signs: Mapping[str, tuple[str, int]]
    again: tuple[str, str] = ("ro", "r")
    explode: str = "!"
    bare: bool = True
    drop: str = "d"
    limit: tuple[str, str] = ("min", "max")
    score: tuple[str, str] = ("", "f")


_PLAIN = MappingProxyType({sign: (sign, 0) for sign in ("=", "!=", "<", "<=", ">", ">=")})
#: Roll20's comparisons, which include the number.
_INCLUSIVE = MappingProxyType(
    {"=": ("=", 0), ">=": (">", 0), "<=": ("<", 0), ">": (">", 1), "<": ("<", -1)}
)
#: Avrae's selectors: exactly, more than, less than.
_STRICT = MappingProxyType(
    {"=": ("", 0), ">": (">", 0), "<": ("<", 0), ">=": (">", -1), "<=": ("<", 1)}
)
_WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "roll20": Words(_INCLUSIVE),
        "foundry": Words(_PLAIN, again=("r", "rr"), explode="x", score=("cs", "df")),
        "rpg-dice-roller": Words(_PLAIN),
        "avrae": Words(
            _STRICT, again=("ro", "rr"), explode="e", bare=False, drop="p", limit=("mi", "ma")
        ),
    }
)

_ROW = frozenset(["*", "/", "//", "/0"])


def spell(term: Term, table: Table) -> str:
    """The spelling of a term in a dialect. Errors: NoSpelling.

    >>> from kitchentable.dice.notation.dialects.anydice import ANYDICE
    >>> spell(Pool(((4, 6),), (Choose((Rank("h", 3),)),)), ANYDICE)
    '[highest 3 of 4d6]'
    """
    match term:
        case Exact(value):
            return _number(value)
        case Named(inner, label):
            return f"{_part(inner, table)}[{label}]"
        case Total(terms):
            return "".join(f"{sign}{_part(one, table)}" for sign, one in terms).removeprefix("+")
        case Many(count, sides):
            faces = _sides(sides) if isinstance(sides, Die) else spell(sides, table)
            faces = faces if isinstance(sides, Die | Exact) else f"({faces})"
            return f"({spell(count, table)})d{faces}"
        case Pool():
            return _anydice(term, table) if table.key == "anydice" else _pool(term, table)
        case Apply("()", (inner,)):
            return _part(inner, table)
        case Apply(name, args):
            return _apply(name, args, table)
    raise NoSpelling("This part has no spelling there.")


def _number(value: Amount) -> str:
    return in_decimals(value) if isinstance(value, Fraction) else str(value)


def _sign(name: str, table: Table) -> str:
    """The sign of an operation, or of the one that rounds towards 0; "" for a function."""
    signs = {infix.name: sign for sign, infix in table.infix.items()}
    return signs.get(name) or signs.get(f"{name}0", "")


def _part(term: Term, table: Table) -> str:
    """The spelling of an operand, in brackets if it is composed."""
    said = spell(term, table)
    operators = isinstance(term, Apply) and _sign(term.name, table)
    return f"({said})" if isinstance(term, Total) or operators else said


def _apply(name: str, args: tuple[Term, ...], table: Table) -> str:
    sign = _sign(name, table)
    if name in ("neg", "not"):
        return f"{'-' if name == 'neg' else '!'}{_part(args[0], table)}"
    if name == "//" and not sign:
        divided = _apply("/", args, table)
        return divided if table.key == "anydice" else f"floor({divided})"
    if not sign:
        words = {operation: word for word, (operation, _, _) in table.functions.items()}
        return f"{words.get(name, name)}({', '.join(spell(one, table) for one in args)})"
    left, right = args
    row = isinstance(left, Apply) and left.name in _ROW and name in _ROW
    first = spell(left, table) if row else _part(left, table)
    if name == "**" and first.startswith("-"):
        first = f"({first})"
    return f"{first}{sign}{_part(right, table)}"


def _sides(source: AnyDie) -> str:
    if source == FUDGE_DIE:
        return "F"
    return str(source) if isinstance(source, int) else source.name[1:]


def _dice(count: int, source: Source, table: Table) -> str:
    return f"{count}d{_sides(source)}" if isinstance(source, AnyDie) else spell(source, table)


def _pool(pool: Pool, table: Table) -> str:
    words = _WORDS[table.key]
    source = pool.sources[0][1]
    steps = "".join(_step(step, words, source) for step in pool.steps)
    if pool.score is not None:
        steps += _score(pool.score, words)
    items = [_dice(count, one, table) for count, one in pool.sources]
    if not isinstance(source, AnyDie) or len(items) > 1:
        braces = table.braces or "()"
        joined = ("+" if isinstance(source, AnyDie) else ",").join(items)
        return f"{braces[0]}{joined}{braces[1]}{steps}"
    return f"{items[0]}{steps}"


def _test(test: Condition, words: Words) -> str:
    if test.comparator not in words.signs:
        raise NoSpelling("This comparison has no spelling there.")
    sign, more = words.signs[test.comparator]
    return f"{sign}{_number(test.value + more)}"


def _step(step: Step, words: Words, source: Source) -> str:
    match step:
        case Choose(which, keep):
            word = "k" if keep else words.drop
        case Together(choices):
            return "".join(_step(one, words, source) for one in choices)
        case Again(which, forever):
            word = words.again[forever]
        case Explode(which, compound, less, times):
            word = words.explode + "!" * compound + "p" * less + "o" * (times == 1)
            meant = [face for face in faces_of(source) if is_meant(which, face)]
            if words.bare and meant == [*faces_of(source)[-1:]]:
                return word
        case Unique(which, once):
            word = "uo" if once else "u"
        case Limit(least, most):
            least_word, most_word = words.limit
            said = "" if least is None else f"{least_word}{_number(least)}"
            return said if most is None else f"{said}{most_word}{_number(most)}"
        case _:
            word, which = "ra", step.which
    selectors = [
        f"{one.end}{one.count}" if isinstance(one, Rank) else _test(one, words) for one in which
    ]
    return "".join(f"{word}{one}" for one in selectors) or word


def _score(score: Score, words: Words) -> str:
    success, failure = words.score
    said = ""
    for test, points in sorted(score.rules, key=lambda rule: -rule[1]):
        if test.comparator in ("even", "odd"):
            said += test.comparator
        else:
            said += (success if points == 1 else failure) + _test(test, words)
    return said


def _anydice(pool: Pool, table: Table) -> str:
    count, source = pool.sources[0]
    sides = "{-1,0,1}" if source == FUDGE_DIE else ""
    dice = f"{count}d{sides}" if sides else _dice(count, source, table)
    match pool.steps, pool.score:
        case (), None:
            return dice
        case (), Score() as score:
            faces = [str(face) for face in faces_of(source) for _ in range(score.points(face))]
            return f"[count {{{','.join(faces)}}} in {dice}]"
        case (Choose((Rank(end, 1),), True),), None if len(pool.sources) == 2:
            both = " and ".join(_dice(*one, table) for one in pool.sources)
            return f"[{'highest' if end == 'h' else 'lowest'} of {both}]"
        case (Choose((Rank(end, number),), keep),), None:
            kept = number if keep else count - number
            return f"[{'highest' if (end == 'h') == keep else 'lowest'} {kept} of {dice}]"
        case (Together((Choose((Rank(_, number),)), _)),), None:
            return f"[middle {count - 2 * number} of {dice}]"
        case (Explode(times=2),), None:
            return f"[explode {dice}]"
    raise NoSpelling("These dice have no spelling there.")
