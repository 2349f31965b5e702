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
    Which,
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


def _free(which: Which, faces: tuple[int, ...]) -> list[int]:
    return [face for face in faces if not is_meant(which, face)]


def check_pool(pool: Pool) -> tuple[str, str] | None:
    """Find a problem with a pool: its code and sentence, or None."""
    faces = faces_of(pool.sources[0][1])
    course = course_of(pool.steps)
    for step in pool.steps:
        match step:
            case Explode(which, times=None) if faces and not _free(which, faces):
                return "endless", "Every face would explode, without end. Leave out a face."
            case Again(which, True) if any(isinstance(one, Rank) for one in which):
                says = "The highest or lowest die would be rerolled without end. Write ro."
                return "endless", says
            case Again(which, True) if faces and not _free(which, faces):
                says = "Every face would be rerolled, without end. Leave out a face."
                return "endless", says
            case Unique(which, False) if not which or not _free(which, faces):
                if pool.count > len(faces) or course.grows:
                    says = "There are more dice than faces, so they cannot all differ. Throw fewer."
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
