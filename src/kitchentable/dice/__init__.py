"""Dice: one function, every reading."""

from kitchentable.dice.die import Die
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
    TooDeep,
    TooManyPaths,
    Unresolved,
    WrongFaces,
    WrongTrace,
)
from kitchentable.dice.mechanic import Dice, Mechanic, mechanic, start_over
from kitchentable.dice.pool import Pool
from kitchentable.dice.reading import Roll, load, replay, roll
from kitchentable.dice.source import SeededSource, Source, SystemEntropy
from kitchentable.dice.thrown import LoadedDice, ReplayingDice, RollingDice
from kitchentable.dice.trace import Throw, Trace

__all__ = [
    "BadDie",
    "BadInput",
    "Dice",
    "DiceFault",
    "Die",
    "HiddenPending",
    "ImpossibleFace",
    "KitchenTableError",
    "LeftoverFaces",
    "LoadedDice",
    "Mechanic",
    "MissingFaces",
    "NoChart",
    "NotANumber",
    "NotHashable",
    "NotRepeatable",
    "Pool",
    "ReplayingDice",
    "Roll",
    "RollingDice",
    "SeededSource",
    "Source",
    "SystemEntropy",
    "Throw",
    "TooDeep",
    "TooManyPaths",
    "Trace",
    "Unresolved",
    "WrongFaces",
    "WrongTrace",
    "load",
    "mechanic",
    "replay",
    "roll",
    "start_over",
]
