"""Plain enumeration, independent of the package's dice: a mechanic run with every face there is."""

from collections import Counter
from fractions import Fraction
from math import prod

from kitchentable.dice import Die
from kitchentable.dice.errors import StartingOver


class TooLong(BaseException):
    """Raised for more dice than are followed; no mechanic catches it."""


class Hand(tuple):
    """Faces in hand, highest first, as the documentation of a pool describes them."""

    __slots__ = ()

    def highest(self, k=1):
        return Hand(self[:k])

    def lowest(self, k=1):
        return Hand(self[max(0, len(self) - k) :])

    def drop_highest(self, k=1):
        return Hand(self[k:])

    def drop_lowest(self, k=1):
        return Hand(self[: max(0, len(self) - k)])

    def total(self):
        return sum(self)

    def count(self, hit):
        return sum(1 for face in self if hit(face))

    def __repr__(self):
        return f"Pool{tuple(self)}"


class Enumerated:
    """Dice with faces from a list, then their first face."""

    def __init__(self, wanted, most):
        self.wanted, self.most = wanted, most
        self.sides = []

    def _fall(self, sides):
        at = len(self.sides)
        if at == self.most:
            raise TooLong
        if at == len(self.wanted):
            self.wanted.append(0)
        self.sides.append(sides)
        return self.wanted[at]

    def die(self, of=6, *, label=""):
        faces = of.faces if isinstance(of, Die) else range(1, of + 1)
        return faces[self._fall(len(faces))]

    def pool(self, n, of=6, *, label=""):
        return Hand(sorted((self.die(of) for _ in range(n)), reverse=True))

    def _each(self, n, of):
        if isinstance(of, int | Die):
            return [self.die(of) for _ in range(n)]
        rule, *args = of if isinstance(of, tuple) else (of,)
        return [rule(self, *args) for _ in range(n)]

    def total(self, n, of=6, *, keep_highest=None, keep_lowest=None, label=""):
        faces = sorted(self._each(n, of))
        if keep_highest is not None:
            faces = faces[max(0, n - keep_highest) :]
        if keep_lowest is not None:
            faces = faces[:keep_lowest]
        return sum(faces)

    def count(self, n, of=6, *, hit=None, at_least=None, label=""):
        faces = self._each(n, of)
        return len([face for face in faces if (hit(face) if hit else face >= at_least)])

    def draw(self, table, *, label=""):
        rows = list(table.items() if isinstance(table, dict) else table)
        at = self._fall(sum(weight for _, weight in rows))
        return [outcome for outcome, weight in rows for _ in range(weight)][at]

    def mark(self, fate, why=""):
        pass

    def drop(self, parts, why=""):
        pass

    def perform(self, mechanic, args, kwargs):
        while True:
            try:
                return mechanic.__wrapped__(self, *args, **kwargs)
            except StartingOver:
                continue


def enumerate_faces(mechanic, *args, most=8):
    """Outcome to chance, and the chance of what takes more than `most` dice."""
    # How often an outcome came of one of this many equally likely runs of dice.
    came, wanted = Counter(), []
    while True:
        dice = Enumerated(wanted, most)
        try:
            outcome = mechanic(dice, *args)
        except TooLong:
            outcome = TooLong
        came[outcome, prod(dice.sides)] += 1
        while wanted and wanted[-1] == dice.sides[len(wanted) - 1] - 1:
            wanted.pop()
        if not wanted:
            break
        wanted[-1] += 1
    found = {}
    for (outcome, runs), count in came.items():
        found[outcome] = found.get(outcome, 0) + Fraction(count, runs)
    return found, found.pop(TooLong, Fraction(0))
