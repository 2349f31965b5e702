"""Conversion of the house tree to pools and operations, to spell it in another dialect."""

from __future__ import annotations

from typing import Literal, cast

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    AnyRoot,
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
    Steps,
    Term,
    Together,
    Total,
)
from kitchentable.dice.notation.dialects.writing import NoSpelling
from kitchentable.dice.notation.play import die_of
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Number,
    Product,
    Select,
    Sum,
    Target,
)


def raised(node: AnyRoot) -> Term:  # noqa: C901, PLR0911 -- one answer for each kind of part
    """Convert a house tree to pools and operations. Errors: NoSpelling.

    >>> from kitchentable.dice.notation.parse import parse
    >>> raised(parse("4d6kh3").root)
    Pool(sources=((4, 6),), steps=(Choose(which=(Rank(end='h', count=3),), keep=True),), score=None)
    """
    match node:
        case Number(value):
            return Exact(value)
        case Labelled(inner, label) | Named(inner, label):
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
        case Handful(count, dice) if dice == Dice(1, dice.sides):
            die = die_of(dice)
            return Many(raised(count), Exact(die) if isinstance(die, int) else die)
        case Many(count, sides):
            return Many(raised(count), sides if isinstance(sides, Die) else raised(sides))
        case Pool(sources, steps, score):
            return Pool(tuple((count, _source(one)) for count, one in sources), steps, score)
        case Exact() | Handful():
            return node


def _source(source: Source) -> Source:
    return source if isinstance(source, AnyDie) else raised(source)


def _product(node: Product) -> Term:
    found = raised(node.first)
    for sign, factor in node.rest:
        found = Apply("*" if sign == "*" else "//", (found, raised(factor)))
    return found


def _dice(dice: Dice) -> Term:
    if dice.reroll is not None and dice.explode is not None:
        # Here a reroll also applies to the dice that an explosion adds.
        raise NoSpelling("Dice that are thrown again and explode have no spelling there.")
    steps: Steps = ()
    if dice.reroll is not None:
        steps = (Again((dice.reroll.condition,), dice.reroll.forever),)
    if dice.explode is not None:
        steps = (*steps, Explode((dice.explode,)))
    if dice.least is not None:
        steps = (*steps, Limit(least=dice.least))
    if dice.most is not None:
        steps = (*steps, Limit(most=dice.most))
    return _pool(((dice.count, die_of(dice)),), steps, dice.select)


def _pool(sources: tuple[tuple[int, Source], ...], steps: Steps, select: Select | None) -> Pool:
    match select:
        case Condition():
            return Pool(sources, steps, Score(((select, 1),)))
        case Keep(word, count):
            choose = Choose((Rank(cast(Literal["h", "l"], word[1]), count),), keep=word[0] == "k")
            return Pool(sources, (*steps, choose))
        case Middle(highest, lowest):
            ends = (Rank("h", highest), Rank("l", lowest))
            choices = tuple(Choose((end,), keep=False) for end in ends)
            return Pool(sources, (*steps, Together(choices)))
        case None:
            return Pool(sources, steps)
