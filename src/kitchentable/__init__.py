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

from kitchentable.dice import odds_of_notation as odds
from kitchentable.dice import roll_notation as roll
from kitchentable.game.library import Playable, game, games

__version__ = "0.1.0"

__all__ = ["Playable", "__version__", "game", "games", "odds", "roll"]
