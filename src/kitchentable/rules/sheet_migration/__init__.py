"""Lists of a game that change in mid-campaign, and the numbers that sheets have for them."""

from kitchentable.rules.sheet_migration.decisions import refit, refit_move
from kitchentable.rules.sheet_migration.lists import (
    LOST,
    Matter,
    Numbers,
    Place,
    former_notes,
    former_value,
    is_agreed,
    lost,
)

__all__ = [
    "LOST",
    "Matter",
    "Numbers",
    "Place",
    "former_notes",
    "former_value",
    "is_agreed",
    "lost",
    "refit",
    "refit_move",
]
