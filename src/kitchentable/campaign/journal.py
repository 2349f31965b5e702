"""The log as it leaves the house: the journal that a seat may take home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from kitchentable.campaign import codec
from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import seat_of
from kitchentable.campaign.state import Campaign
from kitchentable.game.game import Game


def journal_for(
    campaign: Campaign, game: Game, events: Iterable[Event], seat: str
) -> tuple[dict[str, Any], ...]:
    """The journal that a seat may take home, oldest first, as plain data.

    For the GM and co-GMs the events themselves, whole, and of what even they may not see (whispers
    between players) that it happened; for everybody else the entries of the log as they read them,
    without any number. Errors: NotAllowed for a seat that nobody has.
    """
    reader = seat_of(campaign, seat)
    if is_gm(reader):
        return tuple(
            codec.to_data(event) if sees(event.audience, reader) else _sealed(event)
            for event in events
        )
    entries = (entry_for(campaign, game, event, seat) for event in events)
    return tuple(
        _plain_entry(msgspec.to_builtins(entry, enc_hook=str))
        for entry in entries
        if entry is not None
    )


def _sealed(event: Event) -> dict[str, Any]:
    return {"number": event.number, "kind": event.kind, "time": event.time, "sealed": True}


def _plain_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without what is empty."""
    return {key: value for key, value in entry.items() if value not in ("", None, [], False, 0)}
