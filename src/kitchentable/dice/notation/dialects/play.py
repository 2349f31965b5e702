"""The mechanics that evaluate foreign expressions."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice.die import AnyDie, Die
from kitchentable.dice.mechanic import Dice as DiceInHand
from kitchentable.dice.mechanic import mechanic, start_over
from kitchentable.dice.notation.dialects.bags import (
    Bag,
    Course,
    chosen,
    course_of,
    far_enough,
    in_bag,
    is_meant,
    limited,
    places,
    points,
    repeats,
    scale_of,
    simple_keep,
)
from kitchentable.dice.notation.dialects.maths import calculate, whole
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Choose,
    Exact,
    Explode,
    ForeignExpression,
    ForeignTerms,
    Limit,
    Many,
    More,
    Named,
    Pool,
    Rank,
    Source,
    Steps,
    Term,
    Together,
    Total,
    Unique,
    Which,
)
from kitchentable.dice.notation.play import halves, part
from kitchentable.dice.notation.tree import Amount
from kitchentable.dice.trace import COUNTED, EXPLODED, THROWN_AGAIN

_ELSEWHERE = "other dice count instead"
_ADDED = "another die is thrown and added"
_HITS = "it hits"


@mechanic
def foreign(dice: DiceInHand, expression: ForeignExpression) -> Amount:
    """Evaluate an expression in another program's notation.

    >>> from kitchentable.dice import load
    >>> from kitchentable.dice.notation.dialects.reading import compile_notation
    >>> load(*compile_notation("4d6e6kh3", "avrae"), faces=[1, 5, 6, 3, 4]).outcome
    15
    """
    return _value(dice, expression.root, "")


@mechanic
def foreign_part(dice: DiceInHand, node: Term, label: str) -> Amount:
    """Evaluate a part as a mechanic of its own, so that equal parts are solved once."""
    return _value(dice, node, label)


@mechanic
def calculated(dice: DiceInHand, name: str, *values: Amount) -> Amount:
    """Apply an operation to thrown values."""
    return calculate(name, values)


@mechanic
def many(dice: DiceInHand, count: Amount, sides: Amount | Die, label: str) -> int:
    """Throw dice with a number or sides that were thrown before."""
    return dice.total(int(count), sides if isinstance(sides, Die) else int(sides), label=label)


def _value(dice: DiceInHand, node: Term, label: str) -> Amount:
    match node:
        case Exact(value):
            return value
        case Named(inner, own):
            return _value(dice, inner, own)
        case Total(terms):
            return _add(dice, terms, label)
        case Apply(name, args):
            return calculated(dice, name, *(foreign_part(dice, one, label) for one in args))
        case Many(count, sides):
            number = foreign_part(dice, count, label)
            of = sides if isinstance(sides, Die) else foreign_part(dice, sides, label)
            return many(dice, number, of, label)
        case Pool():
            return _pool(dice, node, label)
        case _:
            return part(dice, node, label)


def _add(dice: DiceInHand, terms: ForeignTerms, label: str) -> Amount:
    """Add terms by halves, so that the solver convolves two distributions at a time."""
    if len(terms) == 1:
        sign, node = terms[0]
        value = foreign_part(dice, node, label)
        return value if sign == "+" else -value
    return whole(sum(sum_of(dice, half, label) for half in halves(terms)))


@mechanic
def sum_of(dice: DiceInHand, terms: ForeignTerms, label: str) -> Amount:
    """The sum of some terms."""
    return _add(dice, terms, label)


def _pool(dice: DiceInHand, pool: Pool, label: str) -> Amount:
    """The value of a pool, by the cheapest method that its steps allow."""
    course = course_of(pool.steps)
    if not course.rest and course.unique is None:
        added = [several(dice, count, pool.one(of), label) for count, of in pool.sources if count]
        return whole(sum(added))
    last = course.rest[-1] if course.rest else None
    if isinstance(last, Explode) and not last.compound:
        return late_explosion(dice, pool, last, label)
    keep = simple_keep(pool, course)
    if keep is not None:
        kind = Pool(((1, pool.sources[0][1]),), pool.steps[:-1])
        most, least = (keep.count, None) if keep.end == "h" else (None, keep.count)
        of = (burst, kind, label)
        return dice.total(pool.count, of, keep_highest=most, keep_lowest=least)
    if course.shedding is not None:
        return shed(dice, pool, 0, pool.sources[0][0], 0, (), label).total
    kept = gather(dice, pool, 0, pool.sources[0][0], 0, (), label)
    return _worth(pool, kept)


def _worth(pool: Pool, bag: Bag) -> Amount:
    return whole(sum(points(pool.score, value) for value in bag))


@mechanic
def several(dice: DiceInHand, count: int, kind: Pool, label: str) -> Amount:
    """The sum of several dice of one kind, each with its own steps."""
    if count == 1:
        return burst(dice, kind, label)
    scale = scale_of(kind)
    if scale == 1:
        return dice.total(count, (burst, kind, label))
    # Dice are added as whole numbers; with a limit of 2.5, in units of 1/2.
    return calculated(dice, "/", dice.total(count, (scaled, kind, scale, label)), scale)


@mechanic
def scaled(dice: DiceInHand, kind: Pool, scale: int, label: str) -> int:
    """One die in units of 1/scale, in which its value is whole."""
    return int(burst(dice, kind, label) * scale)


@mechanic
def burst(dice: DiceInHand, kind: Pool, label: str) -> Amount:
    """One die with all its steps, and the dice added by its explosions."""
    course = course_of(kind.steps)
    source = kind.sources[0][1]
    value = _passed(dice, source, course.before, _throw(dice, source, label), label)
    if value is None:
        return 0
    explode = course.explode
    if not is_meant(explode.which, value) or not explode.goes_on(0):
        return _settled(dice, kind, course, value, label)
    dice.mark(EXPLODED, _ADDED)
    if explode.compound and (course.after or kind.score is not None):
        return _settled(dice, kind, course, compound(dice, kind, value, 1, label), label)
    first = _settled(dice, kind, course, value, label, _ADDED)
    return first + tail(dice, kind, explode.after(0), label)


@mechanic
def tail(dice: DiceInHand, kind: Pool, times: int, label: str) -> Amount:
    """The sum of the dice that an explosion adds; `times` counts them if they are limited."""
    course = course_of(kind.steps)
    explode = course.explode
    value = _throw(dice, kind.sources[0][1], label)
    goes = is_meant(explode.which, value) and explode.goes_on(times)
    if not goes:
        return _settled(dice, kind, course, value - explode.less, label)
    dice.mark(EXPLODED, _ADDED)
    counted = _settled(dice, kind, course, value - explode.less, label, _ADDED)
    return counted + tail(dice, kind, explode.after(times), label)


@mechanic
def compound(dice: DiceInHand, kind: Pool, so_far: Amount, times: int, label: str) -> Amount:
    """The value of a die with its explosions added, before the steps that follow."""
    course = course_of(kind.steps)
    explode = course.explode
    value = _throw(dice, kind.sources[0][1], label)
    whole = far_enough(kind, course, so_far + value - explode.less)
    if not (is_meant(explode.which, value) and explode.goes_on(times)):
        return whole
    dice.mark(EXPLODED, _ADDED)
    return compound(dice, kind, whole, explode.after(times), label)


def _settled(
    dice: DiceInHand, kind: Pool, course: Course, value: Amount, label: str, why: str = _HITS
) -> Amount:
    """The points of one die after the steps that follow an explosion; `why` explains a hit."""
    final = _passed(dice, kind.sources[0][1], course.after, value, label)
    if final is None:
        return 0
    counted = points(kind.score, final)
    if kind.score is not None and counted > 0:
        dice.mark(COUNTED, why)
    return counted


def _throw(dice: DiceInHand, source: Source, label: str) -> Amount:
    if isinstance(source, AnyDie):
        face: int = dice.die(source, label=label)
        return face
    return foreign_part(dice, source, label)


def _passed(
    dice: DiceInHand, source: Source, steps: Steps, value: Amount, label: str
) -> Amount | None:
    """The value of a die after the steps for single dice; None if the die is dropped."""
    for step in steps:
        if isinstance(step, Limit):
            value = limited(step, value)
        elif isinstance(step, Again) and is_meant(step.which, value):
            dice.mark(THROWN_AGAIN, "the die is thrown again")
            value = thrown_until(dice, source, step.which if step.forever else (), label)
        elif isinstance(step, Choose) and is_meant(step.which, value) != step.keep:
            dice.mark("dropped", _ELSEWHERE)
            return None
    return value


@mechanic
def thrown_until(dice: DiceInHand, source: Source, which: Which, label: str) -> Amount:
    """Throw a die until it does not fulfil the conditions."""
    value = _throw(dice, source, label)
    return start_over() if is_meant(which, value) else value


@mechanic
def thrown_beside(dice: DiceInHand, source: Source, unique: Unique, bag: Bag, label: str) -> Amount:
    """Throw a die until it differs from all dice before it."""
    value = _throw(dice, source, label)
    return start_over() if repeats(unique, value, bag) else value


@mechanic
def element(
    dice: DiceInHand, pool: Pool, at: int, times: int, bag: Bag, label: str
) -> tuple[Amount | None, bool]:
    """Throw a die of a pool: its value (None if dropped), and whether it explodes."""
    course = course_of(pool.steps)
    source = pool.sources[at][1]
    explode = course.explode
    thrown = _throw(dice, source, label)
    value = _passed(dice, source, () if times else course.before, thrown, label)
    if value is None:
        return None, False
    goes = is_meant(explode.which, value) and explode.goes_on(times)
    value -= explode.less if times else 0
    if goes:
        dice.mark(EXPLODED, "another die is thrown")
    if goes and explode.compound:
        value, goes = compound(dice, pool.one(source), value, 1, label), False
    value = _passed(dice, source, course.after, value, label)
    why = "another die is thrown" if goes else _HITS
    if value is not None and course.unique is not None and repeats(course.unique, value, bag):
        dice.mark(THROWN_AGAIN, "an earlier die shows the same")
        why = _HITS
        if course.unique.once:
            value = thrown_until(dice, source, (), label)
        else:
            value = thrown_beside(dice, source, course.unique, bag, label)
    if value is not None and pool.score is not None and points(pool.score, value) > 0:
        dice.mark(COUNTED, why)
    return value, goes


def _next_die(pool: Pool, at: int, left: int) -> tuple[int, int]:
    """The source of the next die, and the number of dice that are left of this source."""
    while left == 0 and at + 1 < len(pool.sources):
        at, left = at + 1, pool.sources[at + 1][0]
    return at, left


@mechanic
def gather(
    dice: DiceInHand, pool: Pool, at: int, left: int, times: int, bag: Bag, label: str
) -> Bag:
    """Throw the rest of a pool, die by die; returns the values that count."""
    at, left = _next_die(pool, at, left)
    course = course_of(pool.steps)
    if left == 0:
        return _finished(dice, pool, course.rest, bag, label)
    value, goes = element(dice, pool, at, times, bag if course.unique is not None else (), label)
    grown = bag if value is None else in_bag((*bag, value))
    if course.keeping is not None:
        grown = chosen(course.keeping, grown)
    left = left if goes else left - 1
    times = course.explode.after(times) if goes else 0
    kept = gather(dice, pool, at, left, times, grown, label)
    # Fates are passed as a generator that the solver does not run: reading it would split outcomes.
    dice.drop((0 for _ in (1,) if kept.count(value) <= bag.count(value)), _ELSEWHERE)
    return kept


@dataclass(frozen=True, slots=True)
class Shed:
    """The part of one die in a sum; the last die has the dropped extremes."""

    counted: Amount
    extremes: Bag = ()
    after: tuple[Shed, ...] = ()

    @property
    def total(self) -> Amount:
        """The sum of this die and all later ones."""
        return self.counted + self.after[0].total if self.after else self.counted

    @property
    def dropped(self) -> Bag:
        """The dropped extremes of the whole pool."""
        return self.after[0].dropped if self.after else self.extremes


@mechanic
def shed(
    dice: DiceInHand, pool: Pool, at: int, left: int, times: int, pending: Bag, label: str
) -> Shed:
    """The sum of a pool without its extremes, for any number of dice.

    `pending` has the extremes so far; a die that no longer belongs to them counts.
    """
    at, left = _next_die(pool, at, left)
    if left == 0:
        return Shed(0, pending)
    course = course_of(pool.steps)
    step = course.shedding or Choose(())
    value, goes = element(dice, pool, at, times, (), label)
    grown = pending if value is None else in_bag((*pending, value))
    counted = _worth(pool, chosen(step, grown))
    extremes = chosen(Choose(step.which), grown)
    left = left if goes else left - 1
    times = course.explode.after(times) if goes else 0
    after = shed(dice, pool, at, left, times, extremes, label)
    dice.drop((0 for _ in (1,) if after.dropped.count(value) > pending.count(value)), _ELSEWHERE)
    return Shed(counted, (), (after,))


def _finished(dice: DiceInHand, pool: Pool, steps: Steps, bag: Bag, label: str) -> Bag:
    """Apply the steps for all dice together, in order."""
    source = pool.sources[0][1]
    for step in steps:
        match step:
            case Choose() | Together():
                bag = chosen(step, bag)
            case Limit():
                bag = in_bag(limited(step, value) for value in bag)
            case Again(which, forever):
                meant = places(which, bag)
                stay = tuple(value for at, value in enumerate(bag) if at not in meant)
                bag = refill(dice, source, which if forever else (), len(meant), stay, label)
            case More(which):
                bag = refill(dice, source, (), 1, bag, label) if places(which, bag) else bag
            case Explode():
                bag = explosion(dice, source, step, bag, (), 0, label)
    return bag


@mechanic
def refill(dice: DiceInHand, source: Source, which: Which, count: int, bag: Bag, label: str) -> Bag:
    """Add dice that fulfil no condition to a bag."""
    if count == 0:
        return bag
    value = thrown_until(dice, source, which, label)
    return refill(dice, source, which, count - 1, in_bag((*bag, value)), label)


@mechanic
def explosion(
    dice: DiceInHand,
    source: Source,
    explode: Explode,
    fresh: Bag,
    spent: Bag,
    times: int,
    label: str,
) -> Bag:
    """Add a die for each die that explodes, until none explodes or the limit is reached."""
    # Of equal dice, the exploded ones come first.
    order = sorted([*((v, 1) for v in spent), *((v, 0) for v in fresh)], reverse=True)
    meant = [order[at] for at in places(explode.which, tuple(value for value, _ in order))]
    bursting = [value for value, done in meant if not done]
    if not bursting or not explode.goes_on(times):
        return in_bag((*fresh, *spent))
    stay = list(fresh)
    for value in bursting:
        stay.remove(value)
    grown = refill(dice, source, (), len(bursting), tuple(stay), label)
    done = in_bag((*spent, *bursting))
    return explosion(dice, source, explode, grown, done, explode.after(times), label)


@mechanic
def late_explosion(dice: DiceInHand, pool: Pool, explode: Explode, label: str) -> Amount:
    """Throw dice that explode only after a choice among them."""
    source = pool.sources[0][1]
    earlier = Pool(pool.sources, pool.steps[:-1], pool.score)
    kept = gather(dice, earlier, 0, pool.sources[0][0], 0, (), label)
    if any(isinstance(one, Rank) for one in explode.which):
        return _worth(pool, explosion(dice, source, explode, kept, (), 0, label))
    bursting = sum(1 for value in kept if is_meant(explode.which, value))
    extra = Pool(((1, source),), (explode,), pool.score)
    return _worth(pool, kept) + dice.total(bursting, (tail, extra, explode.after(0), label))
