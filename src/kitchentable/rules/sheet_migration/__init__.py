"""Lists of a game that change in mid-campaign, and the numbers that sheets have for them."""

from kitchentable.rules.sheet_migration.decisions import migrate, migration_move
from kitchentable.rules.sheet_migration.lists import (
    LOST,
    MOVE,
    Cards,
    Numbers,
    OpenQuestion,
    Place,
    former_notes,
    former_value,
    lost,
)

__all__ = [
    "LOST",
    "MOVE",
    "Cards",
    "Numbers",
    "OpenQuestion",
    "Place",
    "former_notes",
    "former_value",
    "lost",
    "migrate",
    "migration_move",
]
