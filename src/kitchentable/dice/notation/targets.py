"""Parser for comparisons at the end of a roll: a target for the total, or a count of dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from kitchentable.dice.notation.bounds import bounds, kept
from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.errors import Suggestion
from kitchentable.dice.notation.tokens import begin
from kitchentable.dice.notation.tree import (
    Comparator,
    Condition,
    Dice,
    Group,
    Handful,
    Labelled,
    Node,
    Number,
    Product,
    Sum,
)

_THRESHOLD = re.compile(r"[ ]*(-?[ ]*[0-9]{1,9})(?![0-9])(?![ ]*[dwktDWKT][ ]*[0-9%{fF])")
COMPARES: Mapping[str, Comparator] = MappingProxyType(
    {">=": ">=", "<=": "<=", "=": "=", "==": "=", ">": ">=", "<": "<="}
)
"""The comparisons, with their plain form that includes the number."""

Pool: TypeAlias = Dice | Handful | Group


def pool_at_end(node: Node) -> Pool | None:
    """The dice at the end of a part that a comparison after them could count.

    A single die does not matter: to count it and to compare it are the same.

    >>> pool_at_end(Sum((("+", Number(3)), ("+", Dice(2, 6)))))
    Dice(count=2, sides=6, reroll=None, explode=None, select=None, least=None, most=None)
    >>> pool_at_end(Dice(1, 20)), pool_at_end(Number(3))
    (None, None)
    """
    match node:
        case Dice(count, select=select, explode=explode):
            if isinstance(select, Condition):
                return None
            first, stop = kept(select, count)
            return None if stop - first == 1 and explode is None else node
        case Handful(_, dice):
            return None if isinstance(dice.select, Condition) else node
        case Group(_, select):
            return None if isinstance(select, Condition) else node
        case Labelled(inner, _):
            return pool_at_end(inner)
        case Product(_, rest):
            return pool_at_end(rest[-1][1])
        case Sum(terms):
            return pool_at_end(terms[-1][1])
        case Number():
            return None


def can_count(pool: Pool, condition: Condition) -> bool:
    """Whether some but not all of the dice or throws can fulfil the condition.

    >>> can_count(Dice(2, 6), Condition(">=", 10)), can_count(Dice(2, 6), Condition("<=", 3))
    (False, True)
    """
    if isinstance(pool, Group):
        spans = [bounds(item) for item in pool.items]
        low, high = min(low for low, _ in spans), max(high for _, high in spans)
    else:
        dice = pool.dice if isinstance(pool, Handful) else pool
        low, high = dice.worth(dice.lowest), dice.worth(dice.highest)
    if condition.comparator == ">=":
        return condition.value <= high
    return (
        condition.value < high if condition.comparator == "<=" else low <= condition.value <= high
    )


def can_be(node: Node, condition: Condition) -> bool:
    """Whether a total can fulfil the condition."""
    low, high = bounds(node)
    if condition.comparator == ">=":
        return high >= condition.value
    return low <= condition.value and (condition.comparator == "<=" or condition.value <= high)


def threshold(cursor: Cursor) -> tuple[int, int] | None:
    """The plain number after the next comparison, with its end position; None for dice."""
    match = _THRESHOLD.match(cursor.text, cursor.token.end)
    return None if match is None else (int(match[1].replace(" ", "")), match.end())


def fail_at_pool(cursor: Cursor, total: Node, value: int, end: int) -> NoReturn:
    """Refuse a comparison that could count dice or compare the total."""
    token = cursor.token
    sign, group = token.text, pool_at_end(total)
    thing = "throws of the group" if isinstance(group, Group) else "dice"
    tail = {">": "or more", "<": "or less", "=": "exactly"}[sign[0]]
    if sign in (">", "<"):
        beyond = value + 1 if sign == ">" else value - 1
        says = (
            f"{sign}{value} is read in three ways: Roll20 counts the {thing} that show {value} "
            f"{tail}, rpg-dice-roller counts those {'above' if sign == '>' else 'below'} {value}, "
            f"Avrae compares the total with {value}."
        )
        limits = [value, beyond]
    else:
        says = (
            f"{sign}{value} is read in two ways: rpg-dice-roller counts the {thing} that show "
            f"{f'exactly {value}' if sign[0] == '=' else f'{value} {tail}'}, Avrae compares the "
            f"total with {value}."
        )
        limits = [value]
    compares = sign[0] if sign[0] == "=" else f"{sign[0]}="
    start = len(cursor.text[: token.start].rstrip())
    shows = [f"exactly {one}" if tail == "exactly" else f"{one} {tail}" for one in limits]
    offers = [
        cursor.instead(
            start, end, f" hits{compares}{one}", f"to count the {thing} that show {show}"
        )
        for one, show in zip(limits, shows, strict=True)
    ]
    before = cursor.text[begin(cursor.text) : start].lstrip()
    compared = f"({before}){compares}{limits[-1]}{cursor.text[end:]}"
    offers.append(Suggestion(compared, f"to ask for a total of {shows[-1]}"))
    cursor.fail("target-or-hits", says, token, tuple(offers))


def counted(node: Node, condition: Condition) -> Node | None:
    """The roll with its last dice counted instead of added; None if some dice are kept.

    >>> str(counted(Sum((("+", Number(3)), ("+", Dice(8, 6)))), Condition("=", 6)))
    '3+8d6 hits=6'
    """
    match node:
        case Dice(select=None):
            return replace(node, select=condition)
        case Handful(count, dice) if dice.select is None:
            return Handful(count, replace(dice, select=condition))
        case Sum(terms):
            last = counted(terms[-1][1], condition)
            return None if last is None else Sum((*terms[:-1], (terms[-1][0], last)))
    return None
