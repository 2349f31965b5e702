"""The functions floor and ceil, expressed by other elements of the notation."""

from __future__ import annotations

from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.tree import (
    Labelled,
    Node,
    Number,
    Product,
    Sum,
    parts_of,
)


def rounded_up(node: Node) -> Node | None:
    """A division rounded up at its end, by a larger dividend; None if that is impossible.

    >>> from kitchentable.dice.notation.tree import Dice
    >>> str(rounded_up(Product(Dice(1, 6), (("/", Number(2)),))))
    '(1d6+1)/2'
    """
    if not _divides(node):
        return node
    match node:
        case Labelled(inner, label):
            up = rounded_up(inner)
            return None if up is None else Labelled(up, label)
        case Product(first, rest) if not any(map(_divides, [first, *(one for _, one in rest)])):
            *before, (sign, divisor) = rest
            if sign != "/" or any(way == "/" for way, _ in before) or bounds(divisor)[0] <= 0:
                return None
            dividend = Product(first, tuple(before)) if before else first
            return _over(dividend, divisor)
        case Sum(terms):
            whole = [(sign, one) for sign, one in terms if not _divides(one)]
            if len(whole) < len(terms) - 1 or any(
                sign == "-" and _divides(one) for sign, one in terms
            ):
                return None
            ups = [(sign, rounded_up(one)) for sign, one in terms]
            return Sum(tuple((sign, one) for sign, one in ups if one is not None))
    return None


def _over(dividend: Node, divisor: Node) -> Node:
    """A quotient rounded up: the negated quotient of the negated dividend, or a simpler form."""
    if isinstance(divisor, Number):
        terms = dividend.terms if isinstance(dividend, Sum) else (("+", dividend),)
        more = Sum((*terms, ("+", Number(divisor.value - 1))))
        return Product(more, (("/", divisor),))
    return Sum((("-", Product(Sum((("-", dividend),)), (("/", divisor),))),))


def ends_in_division(node: Node) -> bool:
    """Whether rounding down at each division equals rounding down once, at the end.

    >>> from kitchentable.dice.notation.tree import Dice
    >>> half = Product(Dice(1, 6), (("/", Number(2)),))
    >>> ends_in_division(half), ends_in_division(Product(half, (("*", Number(2)),)))
    (True, False)
    """
    match node:
        case Labelled(inner, _):
            return ends_in_division(inner)
        case Product(first, rest):
            divided = False
            for sign, one in rest:
                if _divides(one) or (divided and sign == "*"):
                    return False
                if sign == "/":
                    divided = True
                    if bounds(one)[0] <= 0:
                        return False
            return ends_in_division(first) and (
                not _divides(first) or all(sign == "/" for sign, _ in rest)
            )
        case Sum(terms):
            fractions = [(sign, one) for sign, one in terms if _divides(one)]
            return len(fractions) <= 1 and all(
                sign == "+" and ends_in_division(one) for sign, one in fractions
            )
    return not _divides(node)


def _divides(node: Node) -> bool:
    """Whether a part contains a division, so that its exact value could be a fraction."""
    divided = isinstance(node, Product) and any(sign == "/" for sign, _ in node.rest)
    return divided or any(map(_divides, parts_of(node)))
