"""Elements shared by several dialects: comparisons, keep and drop, and the order of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NoReturn, cast

from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.maths import whole
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Choose,
    Explode,
    Limit,
    More,
    Named,
    Pool,
    Rank,
    Score,
    Source,
    Step,
    Term,
    Total,
)
from kitchentable.dice.notation.dialects.reader import Arranged, Built, Infix, Match
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.tree import Amount, Condition, Sign

BASIC: Mapping[str, Infix] = MappingProxyType(
    {sign: Infix(power, sign) for sign, power in (("+", 40), ("-", 40), ("*", 50), ("/", 50))}
)
"""The four operators of every dialect."""

ARITHMETIC: Mapping[str, Infix] = MappingProxyType(
    {**BASIC, "%": Infix(50, "%0"), "**": Infix(70, "**", right=True)}
)
"""Operators of arithmetic with fractions; a sign's precedence is between the last two."""

COMPARISONS: Mapping[str, Infix] = MappingProxyType(
    {sign: Infix(20, sign) for sign in ("=", "!=", "<", ">", "<=", ">=")}
)
"""The operators that compare two values."""

_SIGNS: Mapping[str, Sign] = MappingProxyType({"": "=", "==": "=", "<>": "!="})


def read_test(match: Match, default: Amount = 0, *, inclusive: bool = False) -> Condition:
    """The test for a comparison in the groups `sign` and `value` of a match."""
    return as_test(match["sign"], match["value"], default, inclusive=inclusive)


def as_test(
    sign: str | None, value: str | None, default: Amount = 0, *, inclusive: bool = False
) -> Condition:
    """The test for a typed comparison; with `inclusive`, ``>4`` includes the 4.

    >>> as_test(">", "4", inclusive=True)
    Condition(comparator='>=', value=4)
    """
    read = _SIGNS.get(sign or "", sign)
    if inclusive and read in ("<", ">"):
        read = f"{read}="
    return Condition(cast(Sign, read), default if value is None else whole(Fraction(value)))


def lowest(source: Source) -> int:
    """The smallest face of a die."""
    return (faces_of(source) or (1,))[0]


def highest(source: Source) -> int:
    """The largest face of a die."""
    return (faces_of(source) or (1,))[-1]


def keep_or_drop(match: Match, _: Source) -> Built:
    """The step for ``k``, ``kh``, ``kl``, ``d``, ``dh`` or ``dl`` and its number, 1 by default."""
    word = match.group(1).lower()
    number = int(match.group(2) or 1)
    end = word[1:] or ("h" if word == "k" else "l")
    return Choose((Rank(cast(Literal["h", "l"], end), number),), keep=word[0] == "k")


KEEP = (r"(kh|kl|k|dh|dl|d)(?:(\d{1,9})|(?![a-z\d]))", keep_or_drop)
"""The modifier of dialects that keep or drop one die without a number."""


def idle(_: Match, __: Source) -> Built:
    """No step, for a word that does not change the total, such as sorting."""
    return None


def refuse(code: str, message: str) -> NoReturn:
    """Refuse a modifier; the reader adds the position."""
    raise NotationError(f"notation/{code}", message, "", 0)


def refused(message: str) -> Callable[[Match, Source], Built]:
    """Make a builder that refuses its word with this sentence."""

    def build(_: Match, __: Source) -> Built:
        refuse("dialect", message)

    return build


def in_a_row(found: Sequence[Built]) -> Arranged:
    """The steps in the order of writing, and the score.

    >>> in_a_row([Choose((Rank("h", 3),)), None])
    ((Choose(which=(Rank(end='h', count=3),), keep=True),), None)
    """
    steps = tuple(one for one in found if one is not None and not isinstance(one, Score))
    rules = [rule for one in found if isinstance(one, Score) for rule in one.rules]
    return steps, Score(tuple(rules)) if rules else None


def joined(found: Sequence[Built]) -> Arranged:
    """The steps in the order of writing, with adjacent similar ones merged, and the score.

    >>> from kitchentable.dice.notation.tree import Condition
    >>> steps, _ = joined([Choose((Condition("=", 1),)), Choose((Condition("=", 2),))])
    >>> len(steps)
    1
    """
    written, score = in_a_row(found)
    steps: list[Step] = []
    for one in written:
        both = _both(steps[-1], one) if steps else None
        if both is None:
            steps.append(one)
        else:
            steps[-1] = both
    return tuple(steps), score


def _both(last: Step, one: Step) -> Step | None:
    """Two steps merged into one, if the program applies them together."""
    if isinstance(last, Choose | Again | More | Explode) and type(one) is type(last):
        both = replace(one, which=(*last.which, *one.which))
        return both if both == replace(last, which=both.which) else None
    return None


def unwrapped(term: Term) -> Term:
    """A part without the brackets and labels around it."""
    while True:
        if isinstance(term, Apply) and term.name == "()":
            term = term.args[0]
        elif isinstance(term, Named):
            term = term.node
        else:
            return term


def dice_in(term: Term) -> tuple[tuple[int, Source], ...] | None:
    """The dice of a sum that consists only of added dice.

    >>> dice_in(Pool(((4, 6),)))
    ((4, 6),)
    """
    match unwrapped(term):
        case Pool(sources, (), None):
            return sources
        case Total(terms):
            parts = [dice_in(one) if sign == "+" else None for sign, one in terms]
            found = tuple(one for part in parts for one in part or ())
            return None if None in parts else found
    return None


def limit(match: Match, _: Source) -> Built:
    """The step for ``min`` or ``max`` and the least or the greatest value of a die."""
    number = whole(Fraction(match.group(2)))
    return Limit(least=number) if match.group(1).lower() == "min" else Limit(most=number)
