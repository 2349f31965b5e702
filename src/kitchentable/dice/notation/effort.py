"""Estimates of the work for exact odds, made before solving.

A thousand dice of ten thousand sides are thrown at once, but their distribution takes long. Players
must not block the table with a text, so texts with odds that would take more than a few seconds are
refused at once. The estimates were fitted to measured times.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from kitchentable.dice.notation.bounds import bounds, kept
from kitchentable.dice.notation.dialects.bags import course_of, is_meant, simple_keep
from kitchentable.dice.notation.dialects.checking import faces_of
from kitchentable.dice.notation.dialects.nodes import (
    FOREIGN,
    AnyRoot,
    Apply,
    Explode,
    Many,
    Named,
    Pool,
    Rank,
    Source,
    Total,
)
from kitchentable.dice.notation.errors import NotationError
from kitchentable.dice.notation.play import split_product
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Factors,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Node,
    Number,
    Product,
    Root,
    Select,
    Sum,
    parts_of,
)

# The work done in about one second, in the unit of each algorithm.
_PLAIN_SUM = 40e6
_SUM_OF_REROLLS = 2e6
_KEEPING = 15e6
_KEEPING_TOTALS = 500e3
_POWERS = 60e6
_POOLS = 85e3
_TUPLES = 400e3
_EXPLODING = 600e3
_PAIRS = 60e3
_PAIRS_OF_A_SUM = 800e3
# Keeping several of different totals.
_KEEPING_UNLIKE = 2e9
# Different sums are compared by products of whole numbers with this many bits (Karatsuba).
_COMPARED_BITS = 6e6
_KARATSUBA = math.log2(3)

#: The largest number of cases of one foreign pool whose dice are compared.
_MOST_CASES = 60_000

_CLOSED_BITS = 72
"""Explosions are followed until less than 2**-72 of the probability is left."""


def is_too_much(root: AnyRoot) -> bool:
    """Whether the exact odds of an expression take too long.

    >>> from kitchentable.dice.notation.parse import parse
    >>> is_too_much(parse("100d6+20d10kh5").root), is_too_much(parse("1000d10000").root)
    (False, True)
    >>> from kitchentable.dice.notation.dialects.nodes import Unique
    >>> is_too_much(Pool(((5, 20),), (Unique(),)))
    True
    """
    if isinstance(root, FOREIGN):
        return _is_foreign_too_much(root)
    return _effort(root) > 1


def too_much(text: str) -> NotationError:
    """The error for odds that are too much work."""
    return NotationError(
        "notation/odds-too-large",
        f"The exact odds of {text} are too much work to add up. The dice can be thrown all the "
        "same; for odds, ask about fewer dice or smaller ones.",
        text,
        0,
    )


def _effort(root: Root) -> float:
    """An estimate of the seconds that the odds take; far above 1, it only means "too long"."""
    match root:
        case Dice():
            return _of_dice(root)
        case Handful(count, dice):
            several = [replace(dice, count=number) for number in _counts(count)]
            return _effort(count) + sum(map(_of_dice, several))
        case Group(items, select):
            own = _of_group(items, select)
        case Product(first, rest):
            own = _of_product(first, rest)
        case Sum(terms):
            own = _beside([term for _, term in terms])
        case _:
            own = 0.0
    return own + sum(map(_effort, parts_of(root)))


def _beside(terms: list[Node]) -> float:
    """The cost of infinite dice in a sum: their results are combined with the other terms.

    Infinite dice alone are added cheaply, in closed form; parts composed of them are not.
    """
    dice = [one for one in terms if isinstance(one, Dice) and one.explode is not None]
    rest = [one for one in terms if one not in dice and not isinstance(one, Number)]
    composed = [_results(one) for one in rest if math.inf in map(abs, bounds(one))]
    endless = sum(map(_results, dice))
    pairs = endless * sum(map(_results, rest)) / _PAIRS_OF_A_SUM
    meetings = math.prod(composed) * max(endless, 1) if composed else 0.0
    return pairs + (meetings / _PAIRS if dice or len(composed) > 1 else 0.0)


def _results(node: Node) -> float:
    """An estimate of the number of results of a part, explosions up to a tiny rest."""
    match node:
        case Dice(explode=Condition() as explode):
            throws = _throws(node, explode)
            spread = 1 if isinstance(node.select, Condition) else len(node.faces)
            return spread * (throws + node.count)
        case Number() | Dice() | Handful(dice=Dice(explode=None)):
            low, high = bounds(node)
            return float(high - low + 1)
        case Handful(count, dice):
            return _results(replace(dice, count=max(_counts(count))))
        case Labelled(inner, _):
            return _results(inner)
        case Group(items, select):
            return len(items) + 1 if isinstance(select, Condition) else sum(map(_results, items))
        case Product(first, rest):
            return _results_of_product(first, rest)
        case Sum(terms):
            return sum(_results(term) for _, term in terms)


def _results_of_product(first: Node, rest: Factors) -> float:
    """An estimate of the number of different products; equal factors may change places."""
    low, high = bounds(Product(first, rest)) if rest else bounds(first)
    if any(sign == "/" for sign, _ in rest):
        several = math.prod(
            [_results(first), *(_results(one) for sign, one in rest if sign == "*")]
        )
    else:
        each = Counter([first, *(factor for _, factor in rest)])
        several = math.prod(_choices(_results(one), times) for one, times in each.items())
    return min(several, high - low + 1)


def _choices(results: float, number: int) -> float:
    """The number of multisets of `number` results."""
    return math.prod((results + at) / (at + 1) for at in range(number))


def _of_product(first: Node, rest: Factors) -> float:
    """The cost of multiplication: pairs of results, in the order in which they are combined."""
    pairs, left = 0.0, _results(first)
    split = split_product(rest)
    if split is None:
        for _, factor in rest:
            left *= _results(factor)
        return left / _PAIRS if rest else 0.0
    before, divisor, behind = split
    cost = _of_product(first, before)
    left = _results_of_product(first, before)
    if divisor is not None:
        pairs += left * _results(divisor)
        left = _results_of_product(first, (*before, ("/", divisor)))
    if behind:
        (_, second), *others = behind
        pairs += left * _results_of_product(second, tuple(others))
        cost += _of_product(second, tuple(others))
    return cost + pairs / _PAIRS


def _bits(node: Node) -> float:
    """An estimate of the bits of the common denominator of a part's probabilities."""
    match node:
        case Dice():
            again = _throws(node, node.explode) if node.explode is not None else 0.0
            return (node.count + again) * math.log2(max(len(node.faces), 2))
        case Handful(count, dice):
            return _bits(count) + _bits(replace(dice, count=max(_counts(count))))
        case _:
            return sum(map(_bits, parts_of(node)))


def _counts(count: Node) -> range:
    """The possible numbers of dice."""
    low, high = bounds(count)
    return range(int(low), int(high) + 1)


def _throws(dice: Dice, explode: Condition) -> float:
    """The number of explosions in a row that are followed."""
    left = dice.resting
    again = sum(map(explode.holds, left))
    return _CLOSED_BITS / math.log2(len(left) / again) if again else 0.0


def _of_dice(dice: Dice) -> float:
    faces = len(dice.faces)
    if dice.explode is not None:
        again = sum(map(dice.explode.holds, dice.faces))
        work = dice.count**2 * faces * _throws(dice, dice.explode) * again**2
        return work / _EXPLODING
    if isinstance(dice.select, Middle):
        plain = dice.is_plain
        handfuls = _choices(faces, dice.count) if plain else math.prod([float(faces)] * dice.count)
        return handfuls / (_POOLS if plain else _TUPLES)
    if isinstance(dice.select, Keep):
        return _keeping(faces, dice.count, dice.select)
    if isinstance(dice.select, Condition):
        return 0.0
    results = dice.count * (faces - 1) + 1
    unit = _PLAIN_SUM if dice.reroll is None else _SUM_OF_REROLLS
    return results * dice.count * math.log2(max(faces, 2)) / unit


def _of_group(items: tuple[Node, ...], select: Select) -> float:
    if isinstance(select, Condition):
        return 0.0
    if isinstance(select, Middle):
        return math.prod(map(_results, items)) / _TUPLES
    if any(item != items[0] for item in items):
        results, bits = sum(map(_results, items)), sum(map(_bits, items))
        size = results * bits
        first, stop = kept(select, len(items))
        if stop - first > 1:
            return results * size / _KEEPING_UNLIKE
        return math.pow(size / _COMPARED_BITS, _KARATSUBA)
    low, high = bounds(items[0])
    if math.isinf(high - low):
        return 0.0
    return _keeping(high - low + 1, len(items), select, _KEEPING_TOTALS)


def _keeping(results: float, number: int, keep: Keep, unit: float = _KEEPING) -> float:
    first, stop = kept(keep, number)
    count = stop - first
    if count == 1:
        return results * number * math.log2(max(results, 2)) / _POWERS
    sums = count * (results - 1) + 1
    return results * number * sums * max(1, min(count, number - count)) / unit


# -- expressions of other programs ----------------------------------------------------------------


def _is_foreign_too_much(term: Source) -> bool:
    """Whether some pool of a foreign expression has too many cases, or hardly ends."""
    match term:
        case Named(inner, _):
            return _is_foreign_too_much(inner)
        case Total(terms):
            return any(_is_foreign_too_much(one) for _, one in terms)
        case Apply(_, args):
            return any(map(_is_foreign_too_much, args))
        case Many(count, sides):
            return _is_foreign_too_much(count) or _is_foreign_too_much(sides)
        case Pool():
            return _is_large(term) or any(_is_foreign_too_much(one) for _, one in term.sources)
        case Dice(explode=Condition() as explode):
            again = sum(map(explode.holds, term.faces))
            return 4 * again > 3 * len(term.faces)
        case _:
            return False


def _is_large(pool: Pool) -> bool:
    faces = faces_of(pool.sources[0][1])
    course = course_of(pool.steps)
    for step in pool.steps:
        if isinstance(step, Explode) and step.times is None:
            again = sum(is_meant(step.which, face) for face in faces)
            if 4 * again > 3 * len(faces):
                return True
    compared = course.rest or course.unique is not None
    if not compared or not faces or simple_keep(pool, course) is not None:
        return False
    looked_at = course.keeping or course.shedding
    kept = pool.count
    if looked_at is not None:
        kept = sum(one.count for one in looked_at.which if isinstance(one, Rank))
    cases = math.comb(len(faces) + min(kept, pool.count) - 1, min(kept, pool.count))
    return cases * pool.count * len(faces) > _MOST_CASES
