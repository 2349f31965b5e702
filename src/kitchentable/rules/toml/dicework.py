"""The dice of a written game: two mechanics that every roll of every such game is thrown with."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.dice import Dice, Die, mechanic, start_over
from kitchentable.dice.errors import DiceFault
from kitchentable.dice.notation import Expression, notation, parse
from kitchentable.dice.notation.tree import Labelled, Target


@dataclass(frozen=True, slots=True)
class Throw:
    """What one side throws: an expression or a named die, and what is added to it."""

    what: Expression | Die
    worth: tuple[tuple[str, int], ...]
    add: int


@dataclass(frozen=True, slots=True)
class Rung:
    """A result by its key: a face it goes by, a number it begins at, or everything that is left."""

    key: str
    at_least: int | None
    face: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a roll: the result, the totals of both sides, and a face that is a word.

    >>> print(Outcome("done", 9, None, ""))
    done with 9
    """

    result: str
    total: int | None
    other: int | None
    face: str
    margin: int = 0

    def __lt__(self, other: Outcome) -> bool:
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, int, str]:
        return (self.margin, self.total or 0, self.face)

    def __str__(self) -> str:
        shown = self.face or (f"{self.total}" if self.other is None else "")
        if self.other is not None:
            shown = f"{self.total} to {self.other}"
        return f"{self.result} with {shown}"


def throw_of(text: str, add: int, label: str) -> Throw:
    """A throw of dice in notation, under a label. Errors: NotationError."""
    root = parse(text).root
    if isinstance(root, Target):
        labelled = Target(Labelled(root.left, label), root.comparator, Labelled(root.right, label))
        return Throw(Expression(labelled), (), add)
    return Throw(Expression(Labelled(root, label)), (), add)


def side(dice: Dice, throw: Throw, label: str) -> tuple[int | None, str]:
    """One side's throw: its total, and the face where that is a word.

    A word that is worth no number gives no total. It is no mechanic of its own: a total inside a
    pair would have to be told to the last digit, and exploding dice have no last one.
    """
    if isinstance(throw.what, Expression):
        return notation(dice, throw.what) + throw.add, ""
    face: int | str = dice.die(throw.what, label=label)
    if isinstance(face, int):
        return face + throw.add, ""
    number = dict(throw.worth).get(face)
    return (None if number is None else number + throw.add), face


@mechanic
def attempt(dice: Dice, ours: Throw, against: int, rungs: tuple[Rung, ...]) -> Outcome:
    """A roll measured against a number: the first result whose face or number fits."""
    total, face = side(dice, ours, "roll")
    margin = None if total is None else total - against
    result = rung_for(rungs, margin, face)
    return Outcome(result, total, None, face, 0 if margin is None else margin)


@mechanic
def against_another(
    dice: Dice, ours: Throw, theirs: Throw, ties: str, rungs: tuple[Rung, ...]
) -> Outcome:
    """Both sides throw, and the difference tells the result.

    On a tie both throw again, or it counts as won by nothing ("ours") or as lost by 1 ("theirs").
    """
    mine, face = side(dice, ours, "roll")
    other, _ = side(dice, theirs, "other")
    if mine is None or other is None:
        raise DiceFault("Against another side every face of a die needs a number.")
    if mine == other:
        if ties == "again":
            return start_over()
        margin = 0 if ties == "ours" else -1
    else:
        margin = mine - other
    return Outcome(rung_for(rungs, margin, face), mine, other, face, margin)


def result_of(outcome: Outcome) -> str:
    """The key of the result."""
    return outcome.result


@mechanic
def order_of(dice: Dice, everyone: tuple[tuple[str, Throw], ...]) -> tuple[tuple[str, int], ...]:
    """Everybody's throw for the order of acting, the highest first; equals as they were listed."""
    thrown = []
    for who, throw in everyone:
        total, _ = side(dice, throw, who)
        thrown.append((who, 0 if total is None else total))
    return tuple(sorted(thrown, key=lambda one: -one[1]))


def rung_for(rungs: tuple[Rung, ...], margin: int | None, face: str) -> str:
    """The first result that fits a number or a face.

    >>> rungs = (Rung("flare", None, "flame"), Rung("done", 0, ""), Rung("trouble", None, ""))
    >>> rung_for(rungs, 2, ""), rung_for(rungs, -1, ""), rung_for(rungs, None, "flame")
    ('done', 'trouble', 'flare')
    """
    for rung in rungs:
        if rung.face:
            if rung.face == face:
                return rung.key
        elif rung.at_least is None or (margin is not None and margin >= rung.at_least):
            return rung.key
    return rungs[-1].key
