"""Dice: one function, every reading."""

from kitchentable.dice.api import load, odds, replay, roll, sample, table
from kitchentable.dice.chance import Chance, Interval
from kitchentable.dice.columns import Columns
from kitchentable.dice.die import Die
from kitchentable.dice.distribution import Comparison, Distribution
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
from kitchentable.dice.hands import LoadedDice, ReplayingDice, RollingDice
from kitchentable.dice.mechanic import Dice, Mechanic, mechanic, part, start_over
from kitchentable.dice.notation import NotationError, compile_notation
from kitchentable.dice.pool import Pool
from kitchentable.dice.reading import Roll
from kitchentable.dice.sample import Tally
from kitchentable.dice.solving.folding import fold
from kitchentable.dice.source import SeededSource, Source, SystemEntropy
from kitchentable.dice.stock import exploding, told
from kitchentable.dice.trace import Throw, Trace
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
