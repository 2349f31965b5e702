"""The rolls: two different dice, Self and Conflict, each compared with the talent."""

from __future__ import annotations

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record

#: The points of a die under the talent (objects.3-self-under) and over it (objects.3-self-over). An
#: equal die is rolled again and scores its new face.
UNDER_POINTS, OVER_POINTS = 6, 0

#: The points for a marginal success and for a total success.
MARGINAL, TOTAL = 6, 12

_GRADES = ("critical failure", "failure", "undecided", "marginal", "total", "critical success")


@record
class Attempt(Ordered):
    """The result of an attempt.

    `grade`: "critical failure", "failure", "marginal", "total", "critical success", or "undecided"
    while the owner has to decide on a re-roll. `own` and `task` are the two dice as compared,
    including karma and modifiers, followed by their points; a critical has no points.

    >>> Attempt("failure", 4, 5, 5, 0) < Attempt("marginal", 4, 3, 5, 6, 0)
    True
    >>> print(Attempt("total", 4, 3, 2, 6, 6))
    total success, 12 points
    """

    grade: str
    level: int
    own: int
    task: int
    own_points: int | None = None
    task_points: int | None = None

    @property
    def points(self) -> int | None:
        """The sum of both dice, 0 to 12 (objects.3-points-sum); None for a critical."""
        if self.own_points is None or self.task_points is None:
            return None
        return self.own_points + self.task_points

    @property
    def succeeds(self) -> bool:
        """Whether the attempt succeeds."""
        return self.grade in {"marginal", "total", "critical success"}

    @property
    def critical(self) -> bool:
        """Whether both dice show 1, or both show 6."""
        return self.grade.startswith("critical")

    def order(self) -> tuple[int, ...]:
        return _GRADES.index(self.grade), self.points or 0, -self.own, -self.task

    def __str__(self) -> str:
        words = {"marginal": "marginal success", "total": "total success"}
        said = words.get(self.grade, self.grade)
        return said if self.points is None else f"{said}, {self.points} points"


def compare(value: int, level: int) -> str:
    """Compare a die with the talent: "under", "equal" or "over".

    Modified dice are not limited to 1 to 6 (objects.3-no-clamp).

    >>> compare(0, 0), compare(7, 6), compare(3, 4)
    ('equal', 'over', 'under')
    """
    return "under" if value < level else "over" if value > level else "equal"


def grade_of(points: int) -> str:
    """The grade for the points of both dice.

    objects.3-failure, objects.3-marginal, objects.3-total.

    >>> [grade_of(points) for points in (0, 5, 6, 11, 12)]
    ['failure', 'failure', 'marginal', 'marginal', 'total']
    """
    return "total" if points >= TOTAL else "marginal" if points >= MARGINAL else "failure"


@mechanic
def two_dice(dice: Dice, level: int, modifier: int, karma: int) -> Attempt:
    """Roll Self and Conflict: criticals first, then karma and modifiers (objects.3-two-dice).

    Two natural 1s or 6s are critical, whatever the talent, modifier and karma
    (objects.3-crit-first, objects.3-crit-success, objects.3-crit-failure, objects.3-crit-natural).
    The GM's modifier applies only to Conflict, and plus is harder (objects.3-conflict-mod,
    objects.3-mod-sign, objects.3-self-not-modified). Karma applies only to Self (objects.3.k-use).
    """
    own, task = dice.die(6, label="self"), dice.die(6, label="conflict")
    if own == task == 1:
        return Attempt("critical success", level, own, task)
    if own == task == 6:
        return Attempt("critical failure", level, own, task)
    return Attempt("undecided", level, own + karma, task + modifier)


@mechanic
def attempt(dice: Dice, talent: int, modifier: int = 0, karma: int = 0) -> Attempt:
    """A whole attempt: two dice, with an immediate re-roll of each that equals the talent.

    objects.3-reroll-mandatory, objects.3-crit-no-reroll.
    """
    first = two_dice(dice, talent, modifier, karma)
    return first if first.critical else settle(dice, first)


@mechanic
def opening(dice: Dice, level: int, modifier: int, karma: int) -> Attempt:
    """An attempt up to a re-roll of Self on which its owner may spend karma.

    objects.3.k-reroll.
    """
    first = two_dice(dice, level, modifier, karma)
    waits = not first.critical and compare(first.own, level) == "equal"
    return first if first.critical or waits else settle(dice, first)


@mechanic
def settle(dice: Dice, first: Attempt, karma: int = 0) -> Attempt:
    """Score both dice, with re-rolls of those that equal the talent.

    A re-roll scores its face, so high is good, and has no modifier (objects.3-reroll-big-good). It
    is never critical (objects.3-crit-not-on-reroll).
    """
    own = _points(dice, compare(first.own, first.level), "self again", karma)
    task = _points(dice, compare(first.task, first.level), "conflict again", 0)
    return Attempt(grade_of(own + task), first.level, first.own, first.task, own, task)


def _points(dice: Dice, word: str, label: str, karma: int) -> int:
    """The points of a die: 6 under, 0 over, a new die when equal.

    objects.3-self-under, objects.3-self-over, objects.3-self-equal, objects.3-conflict-same,
    objects.3-both-under, objects.3-both-over, objects.3-one-under-one-over,
    objects.3-under-equal, objects.3-over-equal, objects.3-both-equal.
    """
    if word == "equal":
        shown: int = dice.die(6, label=label)
        return max(OVER_POINTS, min(UNDER_POINTS, shown + karma))
    return UNDER_POINTS if word == "under" else OVER_POINTS
