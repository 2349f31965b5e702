"""The rolls of These Lucky Stars: exploding decision dice, and other dice."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple, TypeAlias

from kitchentable.dice import Dice, mechanic
from kitchentable.rules.values import record

#: A six on a decision die explodes without limit (stars.2-explode).
SIX = 6
#: The decision dice of an unmodified roll (stars.2-formula).
DECISION_DICE = 2
#: The highest supply roll that lowers the die (stars.5.1-supply-lower).
LOWERS = 3
#: The sizes of a supply die, from full to 0, which is Empty (stars.5.1-supply-sizes).
SIZES = (12, 10, 8, 6, 4, 0)

#: Dice from another source, such as Luck: label, number, sides.
Extras: TypeAlias = tuple[tuple[str, int, int], ...]
#: Numbers, each after its name.
Named: TypeAlias = tuple[tuple[str, int], ...]


class Party(NamedTuple):
    """One side of a contest: decision dice, their bonus, dice from other sources."""

    dice: int = DECISION_DICE
    plus: int = 0
    extras: Extras = ()


@record
class Check:
    """The result of a decision roll against a target: total, and "success" or "failure".

    >>> print(Check("success", 17))
    success with 17
    """

    grade: str
    total: int

    def __str__(self) -> str:
        return f"{self.grade} with {self.total}"


@record
class Clash:
    """The decision dice of both sides, the first side's lead, and any throw after a tie."""

    first: int
    second: int
    again: tuple[Clash, ...] = ()

    @property
    def winner(self) -> str:
        """The winner of the last throw: "first" or "second"."""
        if self.again:
            return self.again[0].winner
        return "first" if self.first > self.second else "second"

    @property
    def throws(self) -> tuple[Clash, ...]:
        """The totals of a throw and of all later throws; the last one decides."""
        return (self, *(throw for one in self.again for throw in one.throws))


@record
class Contest:
    """The result of a contest: the second side's bonus, and the throws.

    >>> outcome = Contest(2, Clash(6, 6, (Clash(5, 7),)))
    >>> print(outcome)
    second wins, 7 to 9
    >>> outcome.tied
    (8,)
    """

    plus: int
    clash: Clash

    @property
    def winner(self) -> str:
        """The winner: "first" or "second"."""
        return self.clash.winner

    @property
    def first(self) -> int:
        """The first side's total in the deciding throw."""
        return self.clash.throws[-1].first + self.plus

    @property
    def second(self) -> int:
        """The second side's total in the deciding throw."""
        return self.clash.throws[-1].second + self.plus

    @property
    def tied(self) -> tuple[int, ...]:
        """The totals of earlier ties, in order."""
        return tuple(one.first + self.plus for one in self.clash.throws[:-1])

    def __str__(self) -> str:
        return f"{self.winner} wins, {self.first} to {self.second}"


#: The grade of a check, and the winner of a contest, for odds.
grade_of, winner_of = attrgetter("grade"), attrgetter("winner")


@mechanic
def decision_die(dice: Dice, label: str = "decision") -> int:
    """A d6 that explodes: each six adds one more die.

    stars.2-explode, stars.2-explode-chain, stars.2-no-max. The order of a roll's dice does not
    change their sum or number.
    """
    face: int = dice.die(SIX, label=label)
    if face == SIX:
        dice.mark("exploded", "a six: one die more")
        return SIX + decision_die(dice, label)
    return face


@mechanic
def extra_dice(dice: Dice, extras: Extras) -> int:
    """Dice from other sources, which never explode (stars.2-explode-only-decision)."""
    total = 0
    for label, count, sides in extras:
        total += dice.total(count, sides, label=label)
    return total


@mechanic
def decision(
    dice: Dice,
    n: int = DECISION_DICE,
    plus: int = 0,
    extras: Extras = (),
    label: str = "decision",
) -> int:
    """A decision roll: the sum of decision dice, stat and modifiers.

    `plus` is the sum of all additions, rounded down once (stars.4.3-round-end); rounding before the
    roll is equivalent, because dice are whole. Dice from other sources are rolled first, as in a
    contest. stars.2-formula, stars.2-decision-dice. Billy's gate (stars.2-example-billy):

    >>> from kitchentable.dice import load
    >>> load(decision, faces=[3, 6, 6, 2]).outcome
    17
    """
    if extras:
        plus = plus + extra_dice(dice, extras)
    return dice.total(n, of=(decision_die, label)) + plus


def grade(total: int, target: int) -> str:
    """The grade of a result: it succeeds by reaching the target.

    stars.2.3-success, stars.2.3-failure, stars.4.2-tie-target.

    >>> grade(12, 12), grade(11, 12)
    ('success', 'failure')
    """
    return "success" if total >= target else "failure"


@mechanic
def check(dice: Dice, n: int, plus: int, extras: Extras, target: int) -> Check:
    """A decision roll against a target, with its result."""
    total = decision(dice, n, plus, extras)
    return Check(grade(total, target), total)


@mechanic
def contest(dice: Dice, first: Party, second: Party) -> Contest:
    """A contest: the higher total wins; dice from other sources are rolled once and kept.

    stars.4.1-contest, stars.4.2-tie-contest.
    """
    ours = first.plus + extra_dice(dice, first.extras)
    theirs = second.plus + extra_dice(dice, second.extras)
    return Contest(theirs, _clash(dice, first.dice, second.dice, ours - theirs))


@mechanic
def _clash(dice: Dice, n: int, other_n: int, lead: int) -> Clash:
    """Roll the decision dice of both sides until the totals differ."""
    ours = decision(dice, n, lead, label="first")
    theirs = decision(dice, other_n, label="second")
    if ours != theirs:
        return Clash(ours, theirs)
    again = _clash(dice, n, other_n, lead)
    dice.drop([0, 1], "a tie", fate="thrown again")
    return Clash(ours, theirs, (again,))


@mechanic
def contest_of_many(dice: Dice, everyone: tuple[tuple[str, Party], ...]) -> Named:
    """A contest of three or more; those tied for the highest total roll decision dice again.

    The totals by name, with the winner first among equals (stars.4.2-tie-contest).
    """
    plus = {who: one.plus + extra_dice(dice, one.extras) for who, one in everyone}
    last: dict[str, int] = {}
    thrown: dict[str, int] = {}
    still, number = everyone, len(everyone)
    while len(still) > 1:
        for who, one in still:
            last[who] = decision(dice, one.dice, plus[who], label=who)
            thrown[who], number = number, number + 1
        best = max(last[who] for who, _ in still)
        still = tuple(one for one in still if last[one[0]] == best)
        if len(still) > 1:
            dice.drop([thrown[who] for who, _ in still], "a tie for the highest: thrown again")
    first = still[0][0]
    return ((first, last[first]), *((who, last[who]) for who, _ in everyone if who != first))


def lowered(size: int, face: int) -> int:
    """The supply die after a roll: 3 or less lowers it by one size.

    stars.5.1-supply-lower, stars.5.1-supply-empty.

    >>> lowered(12, 3), lowered(12, 4), lowered(4, 1)
    (10, 12, 0)
    """
    return SIZES[SIZES.index(size) + 1] if face <= LOWERS else size


@mechanic
def supply(dice: Dice, size: int) -> int:
    """A supply roll: the bare face, without explosions or modifiers.

    stars.5.1-supply-roll, stars.5.1-supply-no-explode.
    """
    face: int = dice.die(size, label="supply")
    return face


@mechanic
def supply_left(dice: Dice, size: int) -> int:
    """The size of a supply die after one supply roll; 0 is Empty."""
    return lowered(size, supply(dice, size))


@mechanic
def supply_uses(dice: Dice, size: int) -> int:
    """The number of supply rolls until a die is Empty, including the last.

    stars.5.1-supply-purpose: its mean is the value of a kit.
    """
    if size == 0:
        return 0
    if supply(dice, size) > LOWERS:
        return 1 + supply_uses(dice, size)
    return 1 + supply_uses(dice, lowered(size, LOWERS))


@mechanic
def percent(dice: Dice) -> int:
    """A D100: 1 to 100, uniformly (stars.5.2-d100-range)."""
    face: int = dice.die(100, label="percent")
    return face


@mechanic
def other_dice(dice: Dice, count: int, sides: int, plus: int) -> int:
    """Plain dice that never explode, for damage and similar rolls.

    stars.2-explode-only-decision.
    """
    return dice.total(count, sides, label="dice") + plus
