"""Conversion of the house tree to pools and operations, to spell it in another dialect."""

from __future__ import annotations

from typing import Literal, cast

from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    AnyRoot,
    Apply,
    Choose,
    Exact,
    Explode,
    Limit,
    Named,
    Pool,
    Rank,
    Score,
    Source,
    Steps,
    Term,
    Test,
    Total,
)
from kitchentable.dice.notation.play import FUDGE_DIE
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Number,
    Product,
    Sum,
    Target,
)


class NoSpelling(KitchenTableError):
    """A part has no spelling in the dialect; only used as control flow."""

    code = "notation/no-spelling"


def raised(node: AnyRoot) -> Term:  # noqa: PLR0911 -- one answer for each operation
    """Convert a house tree to pools and operations. Errors: NoSpelling.

    >>> from kitchentable.dice.notation.parse import parse
    >>> raised(parse("4d6kh3").root)
    Pool(sources=((4, 6),), steps=(Choose(which=(Rank(end='h', count=3),), keep=True),), score=None)
    """
    match node:
        case Number(value):
            return Exact(value)
        case Labelled(inner, label):
            return Named(raised(inner), label)
        case Dice():
            return _dice(node)
        case Group(items, select):
            return _pool(tuple((1, raised(item)) for item in items), (), select)
        case Sum(terms) | Total(terms):
            return Total(tuple((sign, raised(one)) for sign, one in terms))
        case Product():
            return _product(node)
        case Target(left, comparator, right):
            return Apply(comparator, (raised(left), raised(right)))
        case Apply(name, args):
            return Apply(name, tuple(raised(one) for one in args))
        case Handful():
            raise NoSpelling("A number of dice that is thrown itself has no spelling there.")
        case _:
            return node


def _product(node: Product) -> Term:
    found = raised(node.first)
    for sign, factor in node.rest:
        found = Apply("*" if sign == "*" else "//", (found, raised(factor)))
    return found


def _dice(dice: Dice) -> Term:
    if dice.reroll is not None and dice.explode is not None:
        raise NoSpelling("Dice that are thrown again and explode have no spelling there.")
    if isinstance(dice.sides, tuple):
        raise NoSpelling("A die with faces of its own has no spelling there.")
    steps: Steps = ()
    if dice.reroll is not None:
        steps = (Again((_test(dice.reroll.condition),), dice.reroll.forever),)
    if dice.explode is not None:
        steps = (Explode((_test(dice.explode),)),)
    if (dice.least, dice.most) != (None, None):
        steps = (*steps, Limit(dice.least, dice.most))
    source: Source = FUDGE_DIE if dice.sides == FUDGE else int(dice.sides)
    return _pool(((dice.count, source),), steps, dice.select)


def _pool(
    found: tuple[tuple[int, Source], ...],
    steps: Steps,
    select: Keep | Middle | Condition | None,
) -> Term:
    if isinstance(select, Middle):
        ends = (Rank("h", select.highest), Rank("l", select.lowest))
        steps = (*steps, Choose(tuple([one for one in ends if one.count]), keep=False))
        select = None
    if isinstance(select, Keep):
        end = cast(Literal["h", "l"], select.word[1])
        choose = Choose((Rank(end, select.count),), keep=select.word[0] == "k")
        return Pool(found, (*steps, choose))
    score = None if select is None else Score(((_test(select), 1),))
    return Pool(found, steps, score)


def _test(condition: Condition) -> Test:
    return Test(condition.comparator, condition.value)
