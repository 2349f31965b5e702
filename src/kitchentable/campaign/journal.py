"""The journal of a campaign, as one seat may download it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from kitchentable.campaign import codec
from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import seat_of
from kitchentable.campaign.record import verification_records
from kitchentable.campaign.state import Campaign
from kitchentable.rules.game import Game
from kitchentable.rules.table import Seat


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
    """The proofs of the dice for one seat, session by session, as `dice.verify` reads them.

    Of a throw that the seat did not see there is the number alone, of one that fell partly behind
    the screen the dice before it, and of a session whose seed is not shown yet the promise alone,
    so that nobody counts hidden throws while it lasts. The screen's key is the GM's.
    Errors: NotAllowed for a seat that nobody has.
    """
    reader = seat_of(campaign, seat)
    if reader.state != "seated":
        return ()
    log = tuple(events)
    throws = {
        event.number: event.throw
        for event in log
        if event.throw is not None and _is_seen(campaign, event, reader)
    }
    closed = {
        number: frozenset(throw.closed)
        for number, throw in throws.items()
        if not (is_gm(reader) or str(number) in campaign.tree["revealed"])
    }
    return tuple(
        _proof(record, throws.keys(), closed, whole=is_gm(reader))
        for record in verification_records(log)
    )


def _is_seen(campaign: Campaign, event: Event, reader: Seat) -> bool:
    """Whether a seat sees at least some dice of an event."""
    return str(event.number) in campaign.tree["revealed"] or sees(event.audience, reader)


def _proof(
    record: dict[str, Any],
    seen: Collection[int],
    closed: Mapping[int, Collection[str]],
    *,
    whole: bool,
) -> dict[str, Any]:
    """A record without log positions and without unseen dice."""
    promises = ("campaign", "session", "commitment", "screen_commitment")
    kept = {**{key: record[key] for key in promises}, "seed": record["seed"]}
    if record["seed"] is None:
        return {**kept, "contributions": [], "rolls": []}
    words = ("who", "words", "from_throw")
    rolls = [
        _as_seen(roll, closed.get(roll["event"], ()), screen=kept["screen_commitment"] is not None)
        if roll["event"] in seen
        else {"throw": roll["throw"], "typed": False, "trace": None}
        for roll in record["rolls"]
        if roll["event"] in seen or roll["throw"] is not None
    ]
    contributions = [{key: one[key] for key in words} for one in record["contributions"]]
    kept |= {"contributions": contributions, "rolls": rolls, "unused": record["unused"]}
    return {**kept, "screen": record["screen"]} if whole else kept


def _as_seen(roll: dict[str, Any], closed: Collection[str], *, screen: bool) -> dict[str, Any]:
    """A roll without its closed dice, if the others can be checked without them.

    Without a screen they cannot, because all dice come from one stream.
    """
    trace = [die for die in roll["trace"] if die.get("label", "") not in closed]
    kept = {"throw": roll["throw"], "typed": roll["typed"], "trace": trace}
    if roll["typed"] or len(trace) == len(roll["trace"]):
        return kept
    return {**kept, "more_behind": True} if screen else {**kept, "trace": None}


def _sealed(event: Event) -> dict[str, Any]:
    return {"number": event.number, "kind": event.kind, "time": event.time, "sealed": True}


def _plain_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without empty values."""
    return {key: value for key, value in entry.items() if value not in ("", None, [], False, 0)}
