"""Lists of a game that change in mid-campaign, and the numbers that sheets have for them."""

from kitchentable.rules.refit.asking import MOVE, Matter, refit
from kitchentable.rules.refit.lists import (
    LOST,
    Numbers,
    Place,
    former_notes,
    former_value,
    is_agreed,
    lost,
    values,
)
from kitchentable.rules.refit.settling import refit_move

__all__ = [
    "LOST",
    "MOVE",
    "Matter",
    "Numbers",
    "Place",
    "former_notes",
    "former_value",
    "is_agreed",
    "lost",
    "refit",
    "refit_move",
    "values",
]
