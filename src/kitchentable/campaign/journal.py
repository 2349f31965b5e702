"""The log as it leaves the house: a seat's journal, and the record that proves the dice."""

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


def verification_record(events: Iterable[Event], session: int, campaign: str) -> dict[str, Any]:
    """The dice of one session as `kitchentable.dice.verify` reads them.

    `seed` is None while the session lasts. Traces are whole: this is the record of who may see all.
    """
    record: dict[str, Any] = {
        "campaign": campaign,
        "session": session,
        "commitment": "",
        "commitment_event": None,
        "seed": None,
        "contributions": [],
        "rolls": [],
    }
    current = 0
    for event in events:
        if event.kind == "session-began":
            current = event.data["session"]
            if current == session:
                record["commitment"] = event.data["commitment"]
                record["commitment_event"] = event.number
        elif event.kind == "session-ended" and event.data["session"] == session:
            record["seed"] = event.data["seed"] or None
        elif event.kind == "contributed" and current == session:
            keys = ("who", "words", "from_throw", "event")
            record["contributions"].append({key: event.data[key] for key in keys})
        if event.throw is not None and event.throw.session == session and session:
            record["rolls"].append(
                {
                    "throw": event.throw.number or None,
                    "typed": event.throw.typed,
                    "trace": event.throw.trace,
                    "event": event.number,
                }
            )
    return record
