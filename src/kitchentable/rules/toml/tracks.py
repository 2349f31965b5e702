"""Tracks of boxes as a page shows them."""

from __future__ import annotations

from kitchentable.rules.sheets import Track
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.toml.form import Scale, Written
from kitchentable.rules.toml.numbers import boxes, marks


def track_of(game: Written, table: Table, entity: Entity, scale: Scale) -> Track:
    """A track as boxes."""
    most, now = boxes(game, table, entity, scale), marks(game, table, entity, scale)
    words = f"{now} of {most} left" if scale.starts_full else f"{now or 'none'} of {most}"
    return Track(scale.title, now, most, words, "good" if scale.starts_full else "bad")
