"""A list of a game changes in mid-campaign: what becomes of the numbers that sheets have for it."""

from kitchentable.game.refit.asking import MOVE, refit
from kitchentable.game.refit.lists import (
    Numbers,
    Place,
    former_notes,
    former_value,
    is_agreed,
    values,
)
from kitchentable.game.refit.settling import refit_move

__all__ = [
    "MOVE",
    "Numbers",
    "Place",
    "former_notes",
    "former_value",
    "is_agreed",
    "refit",
    "refit_move",
    "values",
]
