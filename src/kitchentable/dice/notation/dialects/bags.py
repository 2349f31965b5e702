"""The steps of a pool on thrown values: choosing, limiting, counting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from math import lcm
from typing import TypeAlias, TypeGuard

from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Choose,
    Explode,
    Limit,
    Pool,
    Rank,
    Score,
    Step,
    Steps,
    Together,
    Unique,
    Which,
)
from kitchentable.dice.notation.tree import Amount, Condition

Bag: TypeAlias = tuple[Amount, ...]
"""A multiset of values, in descending order."""

_NOTHING = Explode(())


@dataclass(frozen=True, slots=True)
class Course:
    """The steps of a pool by stage.

    `before`, then `explode`, then `after` apply to single dice. `unique` compares a die with the
    dice before it. `rest` applies to all dice together.
    """

    before: Steps
    explode: Explode
    after: Steps
    unique: Unique | None
    rest: Steps

    @property
    def grows(self) -> bool:
        """Whether explosions add dice to the pool as separate dice."""
        return bool(self.explode.which) and not self.explode.compound

    @property
    def shedding(self) -> Choose | None:
        """The last step, if it drops the highest or lowest of an unknown number of dice."""
        if self.grows and self.unique is None and len(self.rest) == 1:
            last = self.rest[0]
            if isinstance(last, Choose) and not last.keep and only_ranks(last.which):
                return last
        return None

    @property
    def keeping(self) -> Choose | None:
        """The next step for all dice together, if it keeps the highest or lowest ones."""
        # Dice that are compared with all earlier dice must be remembered.
        first = self.rest[0] if self.rest and self.unique is None else None
        if isinstance(first, Choose) and first.keep and only_ranks(first.which):
            return first
        return None


def course_of(steps: Steps) -> Course:
    """Sort the steps of a pool by stage.

    >>> from kitchentable.dice.notation.tree import Condition
    >>> course = course_of((Explode((Condition("=", 6),)), Choose((Rank("h", 3),))))
    >>> course.grows, course.keeping is not None
    (True, True)
    """
    single = list(takewhile(_is_single, steps))
    bangs = [place for place, step in enumerate(single) if isinstance(step, Explode)]
    if len(bangs) > 1:
        single = single[: bangs[1]]
    rest = steps[len(single) :]
    unique = rest[0] if rest and isinstance(rest[0], Unique) else None
    if unique is not None:
        rest = rest[1:]
    for place, step in enumerate(single):
        if isinstance(step, Explode):
            return Course(steps[:place], step, tuple(single[place + 1 :]), unique, rest)
    return Course((), _NOTHING, tuple(single), unique, rest)


def _is_single(step: Step) -> bool:
    """Whether a step applies to each die separately."""
    if isinstance(step, Limit):
        return True
    if isinstance(step, Again | Choose | Explode):
        return not any(isinstance(one, Rank) for one in step.which)
    return False


def only_ranks(which: Which) -> bool:
    """Whether all conditions are ranks among the dice."""
    return all(isinstance(one, Rank) for one in which)


def is_ranked(step: Step) -> TypeGuard[Choose | Together]:
    """Whether a step chooses a fixed number of the highest or lowest dice."""
    return isinstance(step, Together) or (isinstance(step, Choose) and only_ranks(step.which))


def is_meant(which: Which, value: Amount) -> bool:
    """Whether a value fulfils one of the tests; ranks are ignored."""
    return any(isinstance(one, Condition) and one.holds(value) for one in which)


def places(which: Which, bag: Bag) -> set[int]:
    """The positions in a bag of dice that fulfil a condition; of equal dice, the first ones.

    >>> from kitchentable.dice.notation.tree import Condition
    >>> sorted(places((Rank("l", 2), Condition("=", 6)), (6, 4, 3, 1)))
    [0, 2, 3]
    >>> places((Rank("l", 1),), (2, 2))
    {0}
    """
    found = set()
    for one in which:
        if isinstance(one, Condition):
            found |= {at for at, value in enumerate(bag) if one.holds(value)}
        elif one.end == "h":
            found |= set(range(min(one.count, len(bag))))
        else:
            found |= set(sorted(range(len(bag)), key=bag.__getitem__)[: one.count])
    return found


def chosen(step: Choose | Together, bag: Bag) -> Bag:
    """Apply a choice, or several choices from the same dice, to a bag.

    >>> chosen(Choose((Rank("h", 1),), keep=False), (6, 4, 3))
    (4, 3)
    """
    if isinstance(step, Choose):
        meant = places(step.which, bag)
        return tuple(value for at, value in enumerate(bag) if (at in meant) == step.keep)
    left = set(range(len(bag)))
    for choice in step.choices:
        for rank in choice.which:
            if isinstance(rank, Condition):
                continue
            cut = min(rank.count, len(bag))
            ends = range(cut) if rank.end == "h" else range(len(bag) - cut, len(bag))
            left = left.intersection(ends) if choice.keep else left.difference(ends)
    return tuple(bag[at] for at in sorted(left))


def limited(step: Limit, value: Amount) -> Amount:
    """Apply a limit to a value."""
    if step.least is not None and value < step.least:
        return step.least
    if step.most is not None and value > step.most:
        return step.most
    return value


def in_bag(values: Iterable[Amount]) -> Bag:
    """Make a bag of values.

    >>> in_bag([2, 5, 1])
    (5, 2, 1)
    """
    return tuple(sorted(values, reverse=True))


def points(score: Score | None, value: Amount) -> Amount:
    """The points for one value."""
    return value if score is None else score.points(value)


def scale_of(pool: Pool) -> int:
    """The common denominator of all values of a pool.

    >>> from fractions import Fraction
    >>> scale_of(Pool(((4, 6),), (Limit(least=Fraction(5, 2)),)))
    2
    """
    limits = [step for step in pool.steps if isinstance(step, Limit)]
    ends = [one for step in limits for one in (step.least, step.most) if one is not None]
    return 1 if pool.score is not None else lcm(*(one.denominator for one in ends))


def simple_keep(pool: Pool, course: Course) -> Rank | None:
    """The ranks kept of a fixed number of equal dice; None if there are other steps."""
    filters = any(isinstance(step, Choose) for step in course.after)
    if course.unique is not None or course.grows or filters or scale_of(pool) != 1:
        return None
    if len(pool.sources) != 1 or pool.score is not None:
        return None
    match course.rest:
        case (Choose((Rank() as rank,), keep),):
            other = Rank("l" if rank.end == "h" else "h", max(0, pool.count - rank.count))
            return rank if keep else other
    return None


def far_enough(kind: Pool, course: Course, whole: Amount) -> Amount:
    """Cap a growing value above the values that tests can distinguish."""
    if kind.score is None or course.after or course.unique is not None:
        return whole
    tests = [test for test, _ in kind.score.rules]
    if any(test.comparator in ("even", "odd") for test in tests):
        return whole
    beyond = max(int(test.value) for test in tests) + 2
    return min(whole, beyond) if isinstance(kind.sources[0][1], int) else whole


def repeats(unique: Unique, value: Amount, bag: Bag) -> bool:
    """Whether a value is already in the bag and must not repeat."""
    return value in bag and (not unique.which or is_meant(unique.which, value))
