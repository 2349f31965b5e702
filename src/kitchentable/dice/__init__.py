"""Dice: one function, every reading."""

from kitchentable.dice.chance import Chance, Interval
from kitchentable.dice.die import Die
from kitchentable.dice.distribution import Comparison, Distribution
from kitchentable.dice.errors import (
    BadDie,
    BadInput,
    DiceFault,
    HiddenPending,
    ImpossibleFace,
    KitchenTableError,
    LeftoverFaces,
    MissingFaces,
    NoChart,
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
from kitchentable.dice.mechanic import Dice, Mechanic, mechanic, start_over
from kitchentable.dice.notation import NotationError, odds_of_notation, roll_notation
from kitchentable.dice.pool import Pool
from kitchentable.dice.reading import Roll, load, replay, roll
from kitchentable.dice.sample import Tally, sample
from kitchentable.dice.solved import odds
from kitchentable.dice.source import SeededSource, Source, SystemEntropy
from kitchentable.dice.stock import exploding, told
from kitchentable.dice.trace import Throw, Trace
from kitchentable.dice.vector import Vector

__all__ = [
    "BadDie",
    "BadInput",
    "Chance",
    "Comparison",
    "Dice",
    "DiceFault",
    "Die",
    "Distribution",
    "HiddenPending",
    "ImpossibleFace",
    "Interval",
    "KitchenTableError",
    "LeftoverFaces",
    "LoadedDice",
    "Mechanic",
    "MissingFaces",
    "NoChart",
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
    "exploding",
    "load",
    "mechanic",
    "odds",
    "odds_of_notation",
    "replay",
    "roll",
    "roll_notation",
    "sample",
    "start_over",
    "told",
]
