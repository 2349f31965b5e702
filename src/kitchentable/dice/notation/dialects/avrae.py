"""Avrae's d20: operations with selectors, sets in round brackets, comparisons.

Operations apply in the order of writing; adjacent equal ones are merged. A fraction is rounded
towards 0 at the very end.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, cast

from kitchentable.dice.die import Die
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Choose,
    Explode,
    Limit,
    More,
    Pool,
    Rank,
    Source,
    Term,
    Which,
)
from kitchentable.dice.notation.dialects.reader import Built, Infix, Match, Reader, Table
from kitchentable.dice.notation.dialects.words import (
    BASIC,
    COMPARISONS,
    joined,
    refuse,
    unwrapped,
)
from kitchentable.dice.notation.tree import Condition, Sign

_SELECTOR = r"\s*(<|>|h|l)?\s*(\d{1,9})"


def _which(match: Match) -> Which:
    kind, number = match.group(2), int(match.group(3))
    if kind and kind.lower() in "hl":
        return (Rank(cast(Literal["h", "l"], kind.lower()), number),)
    return (Condition(cast(Sign, kind or "="), number),)


def _operation(match: Match, _: Source) -> Built:
    word, which = match.group(1).lower(), _which(match)
    match word:
        case "k" | "p":
            return Choose(which, keep=word == "k")
        case "rr" | "ro":
            return Again(which, forever=word == "rr")
        case "ra":
            return More(which)
        case "e":
            return Explode(which)
    if match.group(2):
        refuse("selector", f"{word} needs a plain number. Leave out the selector.")
    number = int(match.group(3))
    return Limit(least=number) if word == "mi" else Limit(most=number)


def _round_brackets(reader: Reader) -> Term | None:
    """Read a set, or an expression in brackets, with the operations after it."""
    start = reader.at
    if not reader.accept("("):
        return None
    if reader.accept(")"):
        return reader.placed(Pool(()), start)
    items = [reader.expression(0)]
    is_set = False
    while reader.accept(","):
        is_set = True
        if reader.comes(r"\)"):
            break
        items.append(reader.expression(0))
    reader.need(")", start)
    inner = unwrapped(items[0])
    pool = Pool(tuple((1, one) for one in items))
    if isinstance(inner, Pool) and not is_set:
        pool = inner
    with_modifiers = reader.with_modifiers(pool, _SET, start)
    return with_modifiers if is_set or with_modifiers != pool else Apply("()", (items[0],))


_DICE = ((rf"(rr|ro|ra|e|mi|ma|k|p){_SELECTOR}", _operation),)
_SET = ((rf"(k|p){_SELECTOR}", _operation),)

AVRAE = Table(
    key="avrae",
    name="Avrae",
    infix=MappingProxyType(
        {
            **{{"=": "=="}.get(sign, sign): infix for sign, infix in COMPARISONS.items()},
            **BASIC,
            "//": Infix(50, "//"),
            "%": Infix(50, "%"),
        }
    ),
    modifiers=_DICE,
    arrange=joined,
    percent=Die("d%", tuple(range(0, 100, 10))),
    fudge=False,
    fewest=0,
    computed=False,
    finish="trunc",
    comment=r"#(.*)|(?<=\s)([A-Za-z].*)",
    primary=_round_brackets,
    hints=MappingProxyType(
        {
            "{": "Avrae writes sets in round brackets, as in (1d8, 1d6)kh1.",
            "f": "Avrae has no Fudge dice. Write 4d3-8 for four of them.",
        }
    ),
)
"""The notation of Avrae's d20 library."""
