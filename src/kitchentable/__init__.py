"""Kitchen Table: a game table for rules-light universal role-playing games.

>>> import kitchentable as kt
>>> "toast" in kt.games()
True
>>> toast = kt.game("toast")
>>> toast.roll("task", trait=3, perk=True, difficulty=11, faces=[5]).outcome.succeeds
True
>>> kt.odds("2d6!").mean()
Fraction(42, 5)
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kitchentable.dice import odds_of_notation as odds
    from kitchentable.dice import roll_notation as roll
    from kitchentable.fights.named import fight
    from kitchentable.game.library import Playable, game, games

__version__ = "0.1.0"

__all__ = ["Playable", "__version__", "fight", "game", "games", "odds", "roll"]


class _Leads:
    """A name of the package that leads to what it stands for, which is loaded on first use.

    `game` and `games` are also the names of two rooms, and Python puts a room over the name once it
    is imported; here the name keeps its meaning. The rooms are reached as always, by
    ``from kitchentable.game import ...``.
    """

    __slots__ = ("_name", "_room")

    def __init__(self, room: str, name: str) -> None:
        self._room = room
        self._name = name

    def __get__(self, package: ModuleType | None, owner: type) -> Any:
        return getattr(importlib.import_module(self._room), self._name)

    def __set__(self, package: ModuleType, room: ModuleType) -> None:
        """Python's own doing: `room` is in `sys.modules`, which is all it needs."""


class _Door(ModuleType):
    """This package: quick to import, and its names lead on."""

    Playable = _Leads("kitchentable.game.library", "Playable")
    fight = _Leads("kitchentable.fights.named", "fight")
    game = _Leads("kitchentable.game.library", "game")
    games = _Leads("kitchentable.game.library", "games")
    odds = _Leads("kitchentable.dice", "odds_of_notation")
    roll = _Leads("kitchentable.dice", "roll_notation")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Door
