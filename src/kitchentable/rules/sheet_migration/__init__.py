"""Changes of a game's lists during a campaign, and the numbers on sheets for these lists."""

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
