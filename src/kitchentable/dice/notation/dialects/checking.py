"""Checks for pools that would never end, or take too long."""

from __future__ import annotations

from kitchentable.dice.die import Die
from kitchentable.dice.notation.dialects.bags import course_of, is_meant
from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Explode,
    More,
    Pool,
    Rank,
    Source,
    Unique,
)

MOST_COMPARED = 60
"""The largest number of dice in a pool that are compared with each other."""


def faces_of(source: Source) -> tuple[int, ...]:
    """The faces of a die in ascending order; none for a throw of several dice.

    >>> faces_of(3)
    (1, 2, 3)
    """
    if isinstance(source, int):
        return tuple(range(1, source + 1))
    if isinstance(source, Die):
        return tuple(sorted({face for face in source.faces if isinstance(face, int)}))
    return ()


def check_pool(pool: Pool) -> tuple[str, str] | None:
    """Find a problem with a pool: its code and sentence, or None."""
    faces = faces_of(pool.sources[0][1])
    course = course_of(pool.steps)
    for step in pool.steps:
        if isinstance(step, Explode) and step.times is None:
            if faces and all(is_meant(step.which, face) for face in faces):
                return "endless", "Every face would explode, without end. Leave out a face."
        elif isinstance(step, Again) and step.forever:
            if any(isinstance(one, Rank) for one in step.which):
                says = "The highest or lowest die would be rerolled without end. Write ro."
                return "endless", says
            if faces and all(is_meant(step.which, face) for face in faces):
                says = "Every face would be rerolled, without end. Leave out a face."
                return "endless", says
        elif isinstance(step, Unique) and not step.once:
            free = [face for face in faces if step.which and not is_meant(step.which, face)]
            if not free and (pool.count > len(faces) or course.grows):
                says = "There are more dice than faces, so the dice cannot all differ. Throw fewer."
                return "endless", says
    compared = course.rest or course.unique is not None
    changing = (
        course.grows
        or course.unique is not None
        or any(isinstance(step, Again | Explode | More) for step in course.rest)
    )
    if compared and changing and pool.count > MOST_COMPARED:
        says = f"At most {MOST_COMPARED} dice can be compared with each other. Throw fewer."
        return "too-many-dice", says
    return None
