"""Dice: mechanics as functions, which can be rolled, solved, sampled, loaded and replayed."""

from typing import TYPE_CHECKING

from kitchentable.dice.chance import Chance, Interval
from kitchentable.dice.die import Die
from kitchentable.dice.errors import (
    BadDie,
    BadInput,
    CaughtInside,
    ComparedByIdentity,
    DiceFault,
    ImpossibleFace,
    KitchenTableError,
    LeftoverFaces,
    MissingFaces,
    MixedOutcomes,
    NoChart,
    NoSuchOutcome,
    NoSuchThrow,
    NotANumber,
    NotHashable,
    NotRepeatable,
    NotSolved,
    TooDeep,
    TooManyPaths,
    TooSlow,
    Unresolved,
    WrongFaces,
    WrongTrace,
)
from kitchentable.dice.lazy import import_later
from kitchentable.dice.mechanic import Dice, Mechanic, mechanic, part, start_over
from kitchentable.dice.pool import Pool
from kitchentable.dice.source import SeededSource, Source, SystemEntropy
from kitchentable.dice.trace import Throw, Trace

if TYPE_CHECKING:
    from kitchentable.dice.api import odds, sample, table
    from kitchentable.dice.columns import Columns
    from kitchentable.dice.distribution import Comparison, Distribution
    from kitchentable.dice.notation import NotationError, compile_notation
    from kitchentable.dice.roller import LoadedDice, ReplayingDice, RollingDice
    from kitchentable.dice.rolls import Roll, load, replay, roll
    from kitchentable.dice.samples import Tally
    from kitchentable.dice.solving.folds import fold
    from kitchentable.dice.stock import exploding, told
    from kitchentable.dice.vector import Vector

__all__ = [
    "BadDie",
    "BadInput",
    "CaughtInside",
    "Chance",
    "Columns",
    "ComparedByIdentity",
    "Comparison",
    "Dice",
    "DiceFault",
    "Die",
    "Distribution",
    "ImpossibleFace",
    "Interval",
    "KitchenTableError",
    "LeftoverFaces",
    "LoadedDice",
    "Mechanic",
    "MissingFaces",
    "MixedOutcomes",
    "NoChart",
    "NoSuchOutcome",
    "NoSuchThrow",
    "NotANumber",
    "NotHashable",
    "NotRepeatable",
    "NotSolved",
    "NotationError",
    "Pool",
    "ReplayingDice",
    "Roll",
    "RollingDice",
    "SeededSource",
    "Source",
    "SystemEntropy",
    "Tally",
    "Throw",
    "TooDeep",
    "TooManyPaths",
    "TooSlow",
    "Trace",
    "Unresolved",
    "Vector",
    "WrongFaces",
    "WrongTrace",
    "compile_notation",
    "exploding",
    "fold",
    "load",
    "mechanic",
    "odds",
    "part",
    "replay",
    "roll",
    "sample",
    "start_over",
    "table",
    "told",
]

#: Names loaded on first use, by module, so that a roll does not load the solver.
__getattr__ = import_later(
    __name__,
    {
        "odds": "kitchentable.dice.api",
        "sample": "kitchentable.dice.api",
        "table": "kitchentable.dice.api",
        "Columns": "kitchentable.dice.columns",
        "Comparison": "kitchentable.dice.distribution",
        "Distribution": "kitchentable.dice.distribution",
        "LoadedDice": "kitchentable.dice.roller",
        "ReplayingDice": "kitchentable.dice.roller",
        "RollingDice": "kitchentable.dice.roller",
        "NotationError": "kitchentable.dice.notation",
        "compile_notation": "kitchentable.dice.notation",
        "Roll": "kitchentable.dice.rolls",
        "Tally": "kitchentable.dice.samples",
        "fold": "kitchentable.dice.solving.folds",
        "exploding": "kitchentable.dice.stock",
        "told": "kitchentable.dice.stock",
        "load": "kitchentable.dice.rolls",
        "replay": "kitchentable.dice.rolls",
        "roll": "kitchentable.dice.rolls",
        "Vector": "kitchentable.dice.vector",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
