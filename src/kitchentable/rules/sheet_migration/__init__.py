"""Lists of a game that change in mid-campaign, and the numbers that sheets have for them."""

from kitchentable.rules.sheet_migration.decisions import refit_move
from kitchentable.rules.sheet_migration.lists import (
    LOST,
    Numbers,
    Place,
    former_notes,
    former_value,
    is_agreed,
    lost,
    values,
)
from kitchentable.rules.sheet_migration.questions import MOVE, Matter, refit

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
