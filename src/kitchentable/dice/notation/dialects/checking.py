"""Checks for pools that would never end, or whose exact odds are too large."""

from __future__ import annotations

from math import comb

from kitchentable.dice.die import Die
from kitchentable.dice.notation.dialects.bags import course_of, is_meant, simple_keep
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Apply,
    Explode,
    Many,
    More,
    Named,
    Pool,
    Rank,
    Source,
    Total,
    Unique,
)
from kitchentable.dice.notation.tree import Condition, Dice

MOST_COMPARED = 60
"""The largest number of dice in a pool that explode, are unique, or change by rank."""


MOST_CASES = 60_000
"""The largest number of cases for the odds of one pool whose dice are compared."""


def faces_of(source: Source) -> tuple[int, ...]:
    """The faces of a die, from the lowest; none for a throw of several dice.

    >>> faces_of(3)
    (1, 2, 3)
    """
    if isinstance(source, int):
        return tuple(range(1, source + 1))
    if isinstance(source, Die):
        return tuple(sorted({face for face in source.faces if isinstance(face, int)}))
    return ()


def check_pool(pool: Pool) -> tuple[str, str] | None:
    """The code and the sentence of a problem with a pool, or None."""
    faces = faces_of(pool.sources[0][1])
    course = course_of(pool.steps)
    for step in pool.steps:
        if isinstance(step, Explode) and step.times is None:
            if faces and all(is_meant(step.which, face) for face in faces):
                return "endless", "Every face would explode, without an end. Leave one face out."
        elif isinstance(step, Again) and step.forever:
            if any(isinstance(one, Rank) for one in step.which):
                says = "The highest or lowest die would be thrown again without an end. Write ro."
                return "endless", says
            if faces and all(is_meant(step.which, face) for face in faces):
                says = "Every face would be thrown again, without an end. Leave one face out."
                return "endless", says
        elif isinstance(step, Unique) and not step.once:
            free = [face for face in faces if step.which and not is_meant(step.which, face)]
            if not free and (pool.count > len(faces) or course.grows):
                says = "There are more dice than faces, so they cannot all differ. Throw fewer."
                return "endless", says
    compared = course.rest or course.unique is not None
    changing = (
        course.grows
        or course.unique is not None
        or any(isinstance(step, Again | Explode | More) for step in course.rest)
    )
    if compared and changing and pool.count > MOST_COMPARED:
        says = f"At most {MOST_COMPARED} dice are compared with each other here. Throw fewer."
        return "too-many-dice", says
    return None


def is_too_much(term: Source) -> bool:
    """Whether the exact odds of an expression take too long.

    >>> is_too_much(Pool(((5, 20),), (Unique(),)))
    True
    """
    match term:
        case Named(inner, _):
            return is_too_much(inner)
        case Total(terms):
            return any(is_too_much(one) for _, one in terms)
        case Apply(_, args):
            return any(map(is_too_much, args))
        case Many(count, sides):
            return is_too_much(count) or is_too_much(sides)
        case Pool():
            return _is_large(term) or any(is_too_much(one) for _, one in term.sources)
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
    cases = comb(len(faces) + min(kept, pool.count) - 1, min(kept, pool.count))
    return cases * pool.count * len(faces) > MOST_CASES
