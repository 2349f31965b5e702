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
from kitchentable.campaign.record import verification_records
from kitchentable.campaign.state import Campaign
from kitchentable.game.game import Game
from kitchentable.game.table import Seat


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


def proofs_for(
    campaign: Campaign, events: Iterable[Event], seat: str
) -> tuple[dict[str, Any], ...]:
    """What a seat needs to check the dice at home, session by session, as `dice.verify` reads it.

    Of a throw that the seat did not see whole there is the number alone, and of a session whose
    seed is not shown yet the promise alone, so that nobody counts hidden throws while it lasts.
    Errors: NotAllowed for a seat that nobody has.
    """
    reader = seat_of(campaign, seat)
    if reader.state != "seated":
        return ()
    log = tuple(events)
    whole = {event.number for event in log if _is_whole(campaign, event, reader)}
    return tuple(_proof(record, whole) for record in verification_records(log))


def _is_whole(campaign: Campaign, event: Event, reader: Seat) -> bool:
    """Whether a seat sees every die of an event."""
    shown = str(event.number) in campaign.tree["revealed"]
    if event.throw is None or not (shown or sees(event.audience, reader)):
        return False
    return shown or is_gm(reader) or not event.throw.closed


def _proof(record: dict[str, Any], whole: set[int]) -> dict[str, Any]:
    """A record without the places in the log and without what fell unseen."""
    kept = {key: record[key] for key in ("campaign", "session", "commitment", "seed")}
    if record["seed"] is None:
        return {**kept, "contributions": [], "rolls": []}
    words = ("who", "words", "from_throw")
    rolls = [
        {key: roll[key] for key in ("throw", "typed", "trace")}
        if roll["event"] in whole
        else {"throw": roll["throw"], "typed": False, "trace": None}
        for roll in record["rolls"]
        if roll["event"] in whole or roll["throw"] is not None
    ]
    contributions = [{key: one[key] for key in words} for one in record["contributions"]]
    return {**kept, "contributions": contributions, "rolls": rolls, "unused": record["unused"]}


def _sealed(event: Event) -> dict[str, Any]:
    return {"number": event.number, "kind": event.kind, "time": event.time, "sealed": True}


def _plain_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without what is empty."""
    return {key: value for key, value in entry.items() if value not in ("", None, [], False, 0)}
