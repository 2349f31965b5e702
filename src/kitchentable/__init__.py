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

#: The module and name that each public name is imported from, on first use.
_LAZY = {
    "Playable": ("kitchentable.rules.library", "Playable"),
    "find_game": ("kitchentable.rules.library", "find_game"),
    "fight": ("kitchentable.fights.named", "fight"),
    "game": ("kitchentable.rules.library", "game"),
    "games": ("kitchentable.rules.library", "games"),
    "mechanic": ("kitchentable.dice", "mechanic"),
    "odds": ("kitchentable.dice", "odds"),
    "roll": ("kitchentable.dice", "roll"),
    "sample": ("kitchentable.dice", "sample"),
    "series": ("kitchentable.fights.series", "series"),
    "sweep": ("kitchentable.fights.grids", "sweep"),
    "table": ("kitchentable.dice", "table"),
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), so that `import kitchentable` stays quick."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LAZY[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
