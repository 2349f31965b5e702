"""All rolls of Toast, each with one twelve-sided die, the d10+."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from kitchentable.dice import Dice, Die, mechanic
from kitchentable.rules.kit.outcomes import Ordered
from kitchentable.rules.values import record


class Special(Enum):
    """The two faces of the d10+ with words instead of numbers (toast.2-flub, toast.2-kick)."""

    FLUB = "flub"
    KICK = "kick"

    def __repr__(self) -> str:
        return self.value

    def __str__(self) -> str:
        return self.value


FLUB, KICK = Special.FLUB, Special.KICK

#: Ten numbers, a flub on 11 and a kick on 12 (toast.2-die, toast.2-number).
D10_PLUS = Die("d10+", (*range(1, 11), FLUB, KICK))

#: The bonus of a perk, once per roll (toast.4-perk-bonus, toast.4-perk-once).
PERK_BONUS = 3

#: The announced result of a roll: a total, "flub" or "kick".
Announced: TypeAlias = int | Special

#: The tied: id, level of the trait, and whether a perk helps.
Tied: TypeAlias = tuple[tuple[str, int, bool], ...]


def worth(announced: Announced) -> tuple[int, int]:
    """The rank of a result: a flub is below every number, a kick above.

    toast.5.2-contest-kick-vs-number, toast.5.2-contest-flub-vs-number.

    >>> worth(FLUB) < worth(1) < worth(22) < worth(KICK)
    True
    """
    if isinstance(announced, int):
        return (1, announced)
    return (2, 0) if announced is KICK else (0, 0)


def shown(announced: Announced) -> tuple[int | None, str]:
    """A result as a card shows it: a number, or a word instead.

    >>> shown(9), shown(KICK)
    ((9, ''), (None, 'kick'))
    """
    return (announced, "") if isinstance(announced, int) else (None, announced.value)


@record
class Task(Ordered):
    """The result of a task: "success", "failure", "kick" or "flub", and the total of a number.

    >>> Task("failure", 10) < Task("success", 11) < Task("kick")
    True
    >>> print(Task("success", 11), "or", Task("kick"))
    success with 11 or kick
    """

    grade: str
    total: int | None = None

    @property
    def succeeds(self) -> bool:
        """Whether the task succeeds: a kick always does, a flub never."""
        return self.grade in {"success", "kick"}

    @property
    def announced(self) -> Announced:
        """The total, or the special face."""
        return Special(self.grade) if self.total is None else self.total

    def order(self) -> tuple[int, int]:
        return worth(self.announced)

    def __str__(self) -> str:
        return self.grade if self.total is None else f"{self.grade} with {self.total}"


@record
class Contest(Ordered):
    """The result of a contest: "first", "second" or "tie", and both announced results.

    >>> print(Contest("second", 9, KICK))
    second wins, 9 to kick
    """

    winner: str
    first: Announced
    second: Announced

    def order(self) -> tuple[tuple[int, int], ...]:
        return worth(self.first), worth(self.second)

    def __str__(self) -> str:
        won = self.winner if self.winner == "tie" else f"{self.winner} wins"
        return f"{won}, {self.first} to {self.second}"


@record
class Attack(Ordered):
    """The result of an attack: whether it hit, and both announced results."""

    hit: bool
    attack: Announced
    defense: Announced

    def order(self) -> tuple[tuple[int, int], ...]:
        return worth(self.attack), worth(self.defense)

    def __str__(self) -> str:
        return f"{'hit' if self.hit else 'miss'}, {self.attack} to {self.defense}"


@record
class Initiative(Ordered):
    """An initiative number, or None after a flub; `special` is a flub or a kick."""

    number: int | None
    special: str = ""

    def order(self) -> tuple[int, str]:
        return self.number or 0, self.special

    def __str__(self) -> str:
        if self.number is None:
            return f"{self.special}, no action"
        return f"{self.number}, a {self.special}" if self.special else str(self.number)


@record
class Advance(Ordered):
    """The result of an advancement roll: whether the trait rises, and the bare die."""

    raised: bool
    die: Announced

    def order(self) -> tuple[int, int]:
        return worth(self.die)

    def __str__(self) -> str:
        return f"{'raised' if self.raised else 'stays'} with {self.die}"


@mechanic
def task_roll(dice: Dice, trait: int, perk: bool, label: str = "roll") -> Announced:
    """One d10+: a number adds the trait's level, and 3 for a perk; a flub or kick stays.

    toast.5-player-rolls, toast.5-total, toast.5-special-announce, toast.4-perk-bonus. Wounds are no
    parameter, because they do not change rolls before a character is down (toast.7.3-no-penalty).
    """
    face: Announced = dice.die(D10_PLUS, label=label)
    if isinstance(face, Special):
        return face
    return face + trait + (PERK_BONUS if perk else 0)


@mechanic
def task(dice: Dice, trait: int, perk: bool, difficulty: int) -> Task:
    """A task: succeed by reaching the difficulty; a kick always succeeds, a flub never.

    toast.5-success, toast.5-failure, toast.5-flub-fails, toast.5-kick-succeeds.
    """
    announced = task_roll(dice, trait, perk)
    if isinstance(announced, Special):
        return Task(announced.value)
    return Task("success" if announced >= difficulty else "failure", announced)


@mechanic
def contest(dice: Dice, trait: int, perk: bool, other_trait: int, other_perk: bool) -> Contest:
    """A contest of two sides: the higher result wins; equal numbers and equal specials tie.

    toast.5.2-contest-both-roll, toast.5.2-contest-higher, toast.5.2-double-flub,
    toast.5.2-double-kick, toast.5.2-flub-vs-kick.
    """
    first = task_roll(dice, trait, perk, "first")
    second = task_roll(dice, other_trait, other_perk, "second")
    if worth(first) == worth(second):
        return Contest("tie", first, second)
    return Contest("first" if worth(first) > worth(second) else "second", first, second)


@mechanic
def attack(dice: Dice, trait: int, perk: bool, defense: int, defense_perk: bool) -> Attack:
    """An attack: a contest with the defender, who always rolls; a tie misses.

    toast.7.2-attack-contest, toast.7.2-tie-miss, toast.7.2-double-special-miss, toast.7.2-unaware.
    """
    attacker = task_roll(dice, trait, perk, "attack")
    defender = task_roll(dice, defense, defense_perk, "defense")
    return Attack(worth(attacker) > worth(defender), attacker, defender)


@mechanic
def initiative(dice: Dice, trait: int, perk: bool = False, label: str = "roll") -> Initiative:
    """Initiative: the die and the trait; a kick counts as 12, a flub gives no number.

    toast.7-init-roll, toast.7-init-no-perk, toast.7.1-init-flub, toast.7.1-init-kick.
    """
    face: Announced = dice.die(D10_PLUS, label=label)
    if face is FLUB:
        return Initiative(None, "flub")
    bonus = trait + (PERK_BONUS if perk else 0)
    if isinstance(face, Special):
        return Initiative(12 + bonus, "kick")
    return Initiative(face + bonus)


@mechanic
def initiative_of_all(
    dice: Dice, everyone: tuple[tuple[str, int, bool], ...]
) -> tuple[Initiative, ...]:
    """Initiative for all: each id with its trait's level, and whether a perk helps."""
    return tuple(initiative(dice, trait, perk, who) for who, trait, perk in everyone)


@mechanic
def initiative_tie_told(dice: Dice, tied: Tied) -> tuple[tuple[str, Initiative], ...]:
    """The order after a tie, each with the deciding throw; equal throws are repeated.

    A flub comes last and has no other effect (toast.7-init-tie).
    """
    thrown = {who: initiative(dice, trait, perk, who) for who, trait, perk in tied}
    if len({one.number for one in thrown.values()}) == 1:
        return initiative_tie_told(dice, tied)
    order: list[tuple[str, Initiative]] = []
    for number in sorted({one.number or 0 for one in thrown.values()}, reverse=True):
        equal = tuple(one for one in tied if (thrown[one[0]].number or 0) == number)
        who = equal[0][0]
        order += initiative_tie_told(dice, equal) if len(equal) > 1 else ((who, thrown[who]),)
    return tuple(order)


@mechanic
def advance(dice: Dice, level: int) -> Advance:
    """An advancement roll: a bare die above the trait, or a kick, raises it by one level.

    toast.8.2-number, toast.8.2-equal-no, toast.8.2-kick, toast.8.2-flub, toast.8.2-bare-die.
    """
    face: Announced = dice.die(D10_PLUS, label="roll")
    return Advance(worth(face) > worth(level), face)


@mechanic
def advance_each_use(dice: Dice, level: int, uses: int) -> int:
    """The level after one advancement roll for each use of the trait (toast.8.2-roll-each)."""
    if uses == 0:
        return level
    raised = advance(dice, level).raised
    return advance_each_use(dice, level + 1 if raised else level, uses - 1)


@mechanic
def free_for_all(dice: Dice, sides: tuple[tuple[str, int, bool], ...]) -> tuple[Announced, ...]:
    """A contest of three or more sides: the highest result wins (a ruling, see toast.5.2)."""
    return tuple(task_roll(dice, trait, perk, who) for who, trait, perk in sides)
