"""Kitchen Table: a game table for rules-light universal role-playing games.

>>> import kitchentable as kt
>>> "toast" in kt.games()
True
>>> toast = kt.game("toast")
>>> toast.roll("task", trait=3, perk=True, difficulty=11, faces=[5]).outcome.succeeds
True
>>> kt.odds("2d6!").mean()
Fraction(42, 5)
>>> kt.odds(lambda dice: dice.die(20) >= 11)[True]
Fraction(1, 2)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kitchentable.dice import mechanic, odds, roll, sample, table
    from kitchentable.fights.grids import sweep
    from kitchentable.fights.named import fight
    from kitchentable.fights.series import series
    from kitchentable.rules.library import Playable, find_game, game, games

__version__ = "0.1.0"

__all__ = [
    "Playable",
    "__version__",
    "fight",
    "find_game",
    "game",
    "games",
    "mechanic",
    "odds",
    "roll",
    "sample",
    "series",
    "sweep",
    "table",
]

#: The module that each public name is imported from, on first use.
_LAZY = {
    "Playable": "kitchentable.rules.library",
    "fight": "kitchentable.fights.named",
    "find_game": "kitchentable.rules.library",
    "game": "kitchentable.rules.library",
    "games": "kitchentable.rules.library",
    "mechanic": "kitchentable.dice",
    "odds": "kitchentable.dice",
    "roll": "kitchentable.dice",
    "sample": "kitchentable.dice",
    "series": "kitchentable.fights.series",
    "sweep": "kitchentable.fights.grids",
    "table": "kitchentable.dice",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), so that `import kitchentable` stays quick."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
