"""Single runs of a mechanic: thrown, loaded or replayed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.roller import LoadedDice, ReplayingDice, RollingDice
from kitchentable.dice.source import Source, SystemEntropy
from kitchentable.dice.trace import COUNTED, KEPT, Trace

#: Limits of a roll's repr: the number of dice, and the fates not named.
SHOWN = 12
PLAIN = frozenset({KEPT, COUNTED})

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Roll(Generic[R_co]):
    """The outcome of one roll, and the trace of every die thrown for it.

    >>> from kitchentable.dice import exploding
    >>> thrown = load(exploding, 6, faces=[6, 2])
    >>> thrown.outcome, [throw.fate for throw in thrown.trace.throws]
    (8, ['exploded', 'kept'])
    """

    outcome: R_co
    trace: Trace

    def __repr__(self) -> str:
        words = [
            f"{one.die} {one.face}" + ("" if one.fate in PLAIN else f" {one.fate}")
            for one in self.trace.throws
        ]
        more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
        return f"<Roll {self.outcome!r}: {', '.join(words[:SHOWN])}{more}>"


def roll(
    mechanic: Mechanic[..., R], /, *args: Any, source: Source | None = None, **kwargs: Any
) -> Roll[R]:
    """Throw a mechanic's dice once, by the system's entropy unless a source is given.

    >>> from kitchentable.dice import exploding
    >>> 1 <= roll(exploding, 6).trace.throws[0].physical <= 6
    True
    """
    dice = RollingDice(SystemEntropy() if source is None else source)
    outcome = mechanic(dice, *args, **kwargs)
    return Roll(outcome, dice.trace)


def load(
    mechanic: Mechanic[..., R], /, *args: Any, faces: Iterable[int | str], **kwargs: Any
) -> Roll[R]:
    """Run a mechanic with the faces given, in the order of throwing; all must be used.

    >>> from kitchentable.dice import mechanic
    >>> @mechanic
    ... def attack(dice, skill: int) -> int:
    ...     return dice.die(10, label="attack") + skill
    >>> load(attack, 4, faces=[7]).outcome
    11
    """
    dice = LoadedDice(faces)
    outcome = mechanic(dice, *args, **kwargs)
    dice.finish()
    return Roll(outcome, dice.trace)


def replay(mechanic: Mechanic[..., R], /, *args: Any, trace: Trace, **kwargs: Any) -> Roll[R]:
    """Run a mechanic with the dice that a trace recorded: the audit of a roll.

    >>> from kitchentable.dice import exploding
    >>> thrown = roll(exploding, 6)
    >>> replay(exploding, 6, trace=thrown.trace) == thrown
    True
    """
    dice = ReplayingDice(trace)
    outcome = mechanic(dice, *args, **kwargs)
    dice.finish()
    return Roll(outcome, dice.trace)
