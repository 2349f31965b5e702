"""Conversion of foreign expressions to the house tree, if it can express them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, cast

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.notation.dialects.maths import whole
from kitchentable.dice.notation.dialects.nodes import (
    FOREIGN,
    Again,
    AnyRoot,
    Apply,
    Choose,
    Exact,
    Explode,
    ForeignTerms,
    Many,
    Named,
    Pool,
    Rank,
    Score,
    Source,
    Steps,
    Term,
    Total,
    Which,
)
from kitchentable.dice.notation.dialects.spans import is_whole, span
from kitchentable.dice.notation.play import FUDGE_DIE
from kitchentable.dice.notation.tree import (
    FUDGE,
    Condition,
    Dice,
    Group,
    Keep,
    KeepWord,
    Labelled,
    Node,
    Number,
    Plus,
    Product,
    Reroll,
    Select,
    Sum,
    Target,
    Terms,
    Times,
)


def lower_root(term: Term) -> AnyRoot:
    """Convert a whole expression: like :func:`lower`, but a comparison at the top is a target.

    >>> str(lower_root(Apply(">", (Pool(((1, 20),)), Exact(15)))))
    '(1d20)>=16'
    """
    match _unbracketed(term):
        case Apply(">=" | "<=" | ">" | "<" as name, args):
            left, right = (lower(one) for one in args)
            strict = {">": 1, "<": -1}.get(name, 0)
            if isinstance(right, Number):
                right, strict = _number(right.value + strict), 0
            if not strict and all(_is_house(one) and is_whole(one) for one in (left, right)):
                sign: Literal[">=", "<="] = ">=" if name[0] == ">" else "<="
                return Target(cast(Node, left), sign, cast(Node, right))
    return lower(term)


def lower(term: Term) -> Term:
    """Convert a part to the house tree, or as much of the part as possible.

    >>> from kitchentable.dice.notation.dialects.nodes import Choose
    >>> str(lower(Pool(((4, 6),), (Choose((Rank("h", 3),)),))))
    '4d6kh3'
    """
    match term:
        case Exact(value):
            return _number(value)
        case Named(inner, label):
            return _named(lower(inner), label)
        case Total(terms):
            return _total(terms)
        case Apply(name, args):
            return _apply(name, args)
        case Many(count, sides):
            return Many(lower(count), sides if isinstance(sides, Die) else lower(sides))
        case Pool():
            return _pool(term)
        case _:
            return term


def _unbracketed(term: Term) -> Term:
    while isinstance(term, Apply) and term.name == "()":
        term = term.args[0]
    return term


def _is_house(term: Source) -> bool:
    return not isinstance(term, (*FOREIGN, int, Die))


def _number(value: int | Fraction) -> Term:
    value = whole(value)
    if isinstance(value, Fraction):
        return Exact(value)
    return Number(value) if value >= 0 else Sum((("-", Number(-value)),))


def _named(node: Term, label: str) -> Term:
    if _is_house(node) and not isinstance(node, Labelled) and "]" not in label and "[" not in label:
        return Labelled(cast(Node, node), label)
    return Named(node, label)


def _total(terms: ForeignTerms) -> Term:
    done = tuple((sign, lower(node)) for sign, node in map(_with_its_sign, terms))
    if len(done) == 1 and done[0][0] == "+":
        return done[0][1]
    if all(_is_house(node) for _, node in done):
        return Sum(cast(Terms, done))
    return Total(done)


def _with_its_sign(
    term: tuple[Plus, Term],
) -> tuple[Plus, Term]:
    """A term with its own leading sign merged into the sign of the sum."""
    sign, node = term
    other: Plus = "-" if sign == "+" else "+"
    match node:
        case Apply("neg", (inner,)):
            return other, inner
        case Exact(value) if value < 0:
            return other, Exact(-value)
    return term


def _apply(name: str, args: tuple[Term, ...]) -> Term:  # noqa: PLR0911 -- one answer for each operation
    if name == "()":
        return lower(args[0])
    if name == "neg":
        return _total((("-", args[0]),))
    if name == "*":
        return _product(args, "*")
    if name == "//":
        return _product(args, "/")
    done = tuple(lower(one) for one in args)
    first = done[0]
    if name in _ROUNDS and is_whole(first):
        return first
    if name == "abs" and span(first)[0] >= 0:
        return first
    if name in ("max", "min") and len(done) > 1 and all(_is_house(one) for one in done):
        end: Literal["h", "l"] = "h" if name == "max" else "l"
        best = (Choose((Rank(end, 1),)),)
        return _pool(Pool(tuple((1, one) for one in done), best))
    inner = _unbracketed(args[0])
    falls = name == "floor" or (name == "trunc" and span(first)[0] >= 0)
    if falls and isinstance(inner, Apply) and inner.name == "/":
        divided = _product(inner.args, "/")
        return divided if _is_house(divided) else Apply(name, done)
    if name == "/0" and span(first)[0] >= 0 and span(done[1])[0] > 0:
        return _product(args, "/")
    if name == "**0" and span(done[1])[0] >= 0:
        return Apply("**", done)
    return Apply(name, done)


_ROUNDS = frozenset(["floor", "ceil", "trunc", "round", "round up", "hundredths"])


def _product(args: tuple[Term, ...], sign: Times) -> Term:
    left, right = (lower(one) for one in args)
    low, high = span(right)
    fits = _is_house(left) and _is_house(right) and is_whole(left) and is_whole(right)
    if not fits or (sign == "/" and low <= 0 <= high):
        return Apply("//" if sign == "/" else sign, (left, right))
    step = (sign, cast(Node, right))
    if isinstance(left, Product) and isinstance(args[0], Apply) and args[0].name in ("*", "//"):
        return Product(left.first, (*left.rest, step))
    return Product(cast(Node, left), (step,))


def _pool(pool: Pool) -> Term:
    sources = tuple(
        (count, one if isinstance(one, AnyDie) else lower(one)) for count, one in pool.sources
    )
    pool = _without_idle_choice(Pool(sources, pool.steps, pool.score))
    if pool.count == 0:
        return Number(0)
    if len(sources) == 1 and not _is_house(sources[0][1]):
        return _dice(pool)
    if all(_is_house(one) for _, one in sources):
        items = tuple(cast(Node, one) for count, one in sources for _ in range(count))
        if not pool.steps and pool.score is None:
            return _total(tuple(("+", one) for one in items))
        select = _select(pool.steps, pool.score, len(items), range(0))
        if len(items) > 1 and select is not None:
            return Group(items, select)
    return pool


def _without_idle_choice(pool: Pool) -> Pool:
    """A pool in a normal form if its first step keeps or drops all dice."""
    match pool.steps:
        case (Choose((Rank(_, number),), keep), *others) if number >= pool.count:
            none = Choose((Rank("h", 0),))
            return Pool(pool.sources, tuple(others if keep else [none, *others]), pool.score)
    return pool


def _dice(pool: Pool) -> Term:
    count, source = pool.sources[0]
    if source == FUDGE_DIE:
        dice = Dice(count, FUDGE)
    elif isinstance(source, int):
        dice = Dice(count, source)
    else:
        return pool
    reroll = explode = None
    steps = pool.steps
    match steps:
        case (Again(which, forever), *_):
            found = _condition(which, dice.faces, "=")
            if found is None or (forever and found.holds_too_often(dice.faces)):
                return pool
            reroll, steps = Reroll(forever, found), steps[1:]
        case (Explode(which, compound, 0, None),):
            explode, steps = _condition(which, dice.faces, ">="), ()
            # A compound die differs from its parts if dice are counted.
            counted = compound and pool.score is not None
            if explode is None or explode.comparator == "=" or counted:
                return pool
            if explode.holds_too_often(dice.faces):
                return pool
    if not steps and pool.score is None:
        return Dice(count, dice.sides, reroll, explode)
    select = _select(steps, pool.score, count, dice.faces)
    return pool if select is None else Dice(count, dice.sides, reroll, explode, select)


def _select(steps: Steps, score: Score | None, count: int, faces: Sequence[int]) -> Select | None:
    """The house modifier for keeping or counting, or None."""
    if score is not None:
        if steps or any(points not in (0, 1) for _, points in score.rules):
            return None
        if len(score.rules) == 1:
            return _condition((score.rules[0][0],), faces, "hits")
        counted = tuple(Condition("=", face) for face in faces if score.points(face))
        return _condition(counted, faces, "hits") if counted else None
    match steps:
        case (Choose((Rank(end, number),), keep),) if 0 < number < count:
            return Keep(cast(KeepWord, ("k" if keep else "d") + end), number)
    return None


def _condition(which: Which, faces: Sequence[int], prefer: str) -> Condition | None:
    """The house condition for the same faces, or None if there is none."""
    tests = [one for one in which if isinstance(one, Condition)]
    if len(tests) != len(which):
        return None
    if not faces:
        return _of_totals(tests)
    meant = [face for face in faces if any(test.holds(face) for test in tests)]
    if not meant or meant != list(range(meant[0], meant[-1] + 1)):
        return None
    exact = prefer == "=" or (prefer == "hits" and tests[0].comparator == "=")
    if exact and len(meant) == 1:
        return Condition("=", meant[0])
    if meant[-1] == faces[-1] and (meant[0] != faces[0] or tests[0].comparator in (">", ">=")):
        return Condition(">=", meant[0])
    if meant[0] == faces[0]:
        return Condition("<=", meant[-1])
    return Condition("=", meant[0]) if len(meant) == 1 else None


def _of_totals(tests: list[Condition]) -> Condition | None:
    """A condition on whole totals, with unchecked bounds."""
    if len(tests) != 1 or not isinstance(tests[0].value, int):
        return None
    match tests[0]:
        case Condition(">", value):
            return Condition(">=", value + 1)
        case Condition("<", value):
            return Condition("<=", value - 1)
        case Condition(">=" | "<=" | "="):
            return tests[0]
    return None
