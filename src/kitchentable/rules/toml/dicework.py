"""The mechanics of all rolls of games in files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from kitchentable.dice import Dice, Die, Pool, mechanic, start_over
from kitchentable.dice.errors import DiceFault
from kitchentable.dice.notation import Expression, notation, parse
from kitchentable.dice.notation.tree import Labelled, Target
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record


@record
class Throw:
    """The throw of one side: an expression or a named die, and the number added to it."""

    what: Expression | Die
    worth: tuple[tuple[str, int], ...]
    add: int


Counts = tuple[tuple[str, int], ...]


@record
class Rung:
    """The condition of a result: a face, a least margin, or all other outcomes."""

    key: str
    at_least: int | None
    face: str

    def fits(self, margin: int | None, face: str, counts: Counts) -> bool:
        """Whether an outcome has this result."""
        if self.face:
            return self.face == face
        return self.at_least is None or (margin is not None and margin >= self.at_least)


@record
class Bounds(Rung):
    """A condition with further bounds, or with least counts."""

    at_most: int | None
    exact: int | None
    needs: Counts

    def fits(self, margin: int | None, face: str, counts: Counts) -> bool:
        """Whether an outcome has this result."""
        if not Rung.fits(self, margin, face, counts):
            return False
        if self.at_most is not None and (margin is None or margin > self.at_most):
            return False
        if self.exact is not None and margin != self.exact:
            return False
        has = dict(counts)
        return all(has[name] >= least for name, least in self.needs)


@record
class Outcome(Ordered):
    """The outcome of a roll: the result, both sides' totals, and a face that is a word.

    >>> print(Outcome("done", 9, None, ""))
    done with 9
    """

    result: str
    total: int | None
    other: int | None
    face: str
    margin: int = 0

    def order(self) -> tuple[int, int, str]:
        """The values that are compared."""
        return (self.margin, self.total or 0, self.face)

    def __str__(self) -> str:
        shown = self.face or (f"{self.total}" if self.other is None else "")
        if self.other is not None:
            shown = f"{self.total} to {self.other}"
        return f"{self.result} with {shown}"


@lru_cache(maxsize=1024)
def thrown_of(text: str, add: int, label: str) -> Throw:
    """A throw of dice in notation, under a label. Errors: NotationError."""
    root = parse(text).root
    if isinstance(root, Target):
        labelled = Target(Labelled(root.left, label), root.comparator, Labelled(root.right, label))
        return Throw(Expression(labelled), (), add)
    return Throw(Expression(Labelled(root, label)), (), add)


def side(dice: Dice, throw: Throw, label: str) -> tuple[int | None, str]:
    """One side's throw: its total, and the face if it is a word.

    A word without a number gives no total. As a mechanic, this function would have to list all
    totals, and exploding dice have infinitely many.
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
    """A roll against a number: the first result that fits the face or the margin."""
    total, face = side(dice, ours, "roll")
    margin = None if total is None else total - against
    result = rung_for(rungs, margin, face)
    return Outcome(result, total, None, face, margin or 0)


@mechanic
def against_another(
    dice: Dice, ours: Throw, theirs: Throw, ties: str, rungs: tuple[Rung, ...]
) -> Outcome:
    """An opposed roll: the difference of both totals gives the result.

    On a tie both throw again, or the margin is 0 ("ours") or -1 ("theirs").
    """
    mine, face = side(dice, ours, "roll")
    other, _ = side(dice, theirs, "other")
    if mine is None or other is None:
        raise DiceFault("In an opposed roll, every face of a die needs a number.")
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
    """All throws for the turn order, highest first; equals keep their given order."""
    thrown = []
    for who, throw in everyone:
        total, _ = side(dice, throw, who)
        thrown.append((who, total or 0))
    return tuple(sorted(thrown, key=lambda one: -one[1]))


def rung_for(
    rungs: tuple[Rung, ...],
    margin: int | None,
    face: str,
    counts: Counts = (),
) -> str:
    """The first result that fits the margin, the face and the counts.

    >>> rungs = (Rung("flare", None, "flame"), Rung("done", 0, ""), Rung("trouble", None, ""))
    >>> rung_for(rungs, 2, ""), rung_for(rungs, -1, ""), rung_for(rungs, None, "flame")
    ('done', 'trouble', 'flare')
    """
    found = (one for one in rungs if one.fits(margin, face, counts))
    return next(found, rungs[-1]).key


# ---------------------------------------------------------------- pools


@record
class Colour:
    """The dice of one colour in a pool: `dice` to throw, and the faces of `held` dice.

    With `lowest`, a colour without dice throws two and uses the lower one.
    """

    key: str
    dice: int
    sides: int
    lowest: bool = False
    held: tuple[int, ...] = ()


@record
class Counted:
    """A count in a pool: the dice with these faces, or the largest set of equal faces."""

    key: str
    faces: tuple[int, ...]
    of: str
    equals: bool


@record
class Handful:
    """A pool: its colours, counts, and `keep`: "highest", "lowest", "sum" or a count's key.

    If dice may be thrown `again`, the outcome has the numbers of dice with the faces `keeps`.
    """

    colours: tuple[Colour, ...]
    counts: tuple[Counted, ...]
    keep: str
    add: int
    again: bool
    keeps: tuple[int, ...] = ()


@record
class Gathered(Ordered):
    """The outcome of a pool: the result, its number, the counts, and the dice that stay.

    `lie` has the number of dice by colour and kept face; () if dice cannot be thrown again.
    """

    result: str
    total: int
    margin: int
    counts: Counts
    lie: tuple[tuple[int, ...], ...] = ()

    def order(self) -> tuple[int, Counts]:
        """The values that are compared."""
        return (self.margin, self.counts)

    def __str__(self) -> str:
        return f"{self.result} with {self.total}"


@mechanic
def gather(dice: Dice, hand: Handful, against: int, rungs: tuple[Rung, ...]) -> Gathered:
    """A roll of a pool: the result follows from its number and its counts."""
    pools = [_pool(dice, one) for one in hand.colours]
    both = list(zip(hand.colours, pools, strict=True))

    @cache
    def shown(at: int, faces: tuple[int, ...]) -> int:
        """The number of dice of a colour that show one of these faces, including held dice."""
        one, pool = both[at]
        return sum(face in faces for face in one.held) + pool.count(faces.__contains__)

    def count(what: Counted) -> int:
        of = [at for at, one in enumerate(hand.colours) if what.of in {"", one.key}]
        if what.equals:
            return _largest_set([both[at] for at in of])
        return sum(shown(at, what.faces) for at in of)

    counts = tuple((one.key, count(one)) for one in hand.counts)
    total = dict(counts)[hand.keep] if hand.keep in dict(counts) else _kept_number(hand.keep, both)
    margin = total + hand.add - against
    lie = tuple(
        tuple(shown(at, (face,)) for face in hand.keeps) for at in range(len(both) * hand.again)
    )
    return Gathered(rung_for(rungs, margin, "", counts), total + hand.add, margin, counts, lie)


def _pool(dice: Dice, one: Colour) -> Pool:
    if one.lowest and one.dice <= 0 and not one.held:
        return dice.pool(2, one.sides, label=one.key).lowest(1)
    return dice.pool(max(0, one.dice), one.sides, label=one.key)


def _kept_number(keep: str, both: list[tuple[Colour, Pool]]) -> int:
    numbers = [face for one, _ in both for face in one.held]
    if keep == "sum":
        total: int = sum(numbers) + sum(pool.total() for _, pool in both)
        return total
    for one, pool in both:
        if one.dice > 0 or (one.lowest and not one.held):
            numbers.append((pool.highest(1) if keep == "highest" else pool.lowest(1)).total())
    if not numbers:
        return 0
    return max(numbers) if keep == "highest" else min(numbers)


def _largest_set(mine: list[tuple[Colour, Pool]]) -> int:
    """The size of the largest set of equal faces."""
    *others, (_, last) = mine
    lie = [face for one, _ in mine for face in one.held]
    lie += [face for _, pool in others for face in pool]

    def widest(most: int, face: int, count: int) -> int:
        return max(most, count + lie.count(face))

    return int(last.fold(widest, max(map(lie.count, lie), default=0)))


def throw_again(hand: Handful, lie: tuple[tuple[int, ...], ...]) -> Handful:
    """The same pool, with the dice held that show one of the faces `keeps`."""
    colours = []
    for one, many in zip(hand.colours, lie, strict=True):
        held = tuple(face for face, n in zip(hand.keeps, many, strict=True) for _ in range(n))
        dice = one.dice + len(one.held) - len(held)
        colours.append(replace(one, dice=max(0, dice), held=held))
    return replace(hand, colours=tuple(colours))
