"""The journal of a campaign as one seat may download it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

import msgspec

from kitchentable.campaign import codec
from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.entries import entry_for
from kitchentable.campaign.events import Event
from kitchentable.campaign.permissions import seat_of
from kitchentable.campaign.record import verification_records
from kitchentable.campaign.state import Campaign


def journal_for(campaign: Campaign, events: Iterable[Event], seat: str) -> Iterator[dict[str, Any]]:
    """Yield the journal for one seat, oldest first, as plain data.

    The GM and co-GMs get whole events, but only the fact that one happened if they may not see it
    (whispers between players). Other seats get their log entries, without numbers. Errors:
    NotAllowed for a seat that is not taken.
    """
    reader = seat_of(campaign, seat)
    for event in events:
        if is_gm(reader):
            yield codec.to_data(event) if sees(event.audience, reader) else _sealed(event)
        elif (entry := entry_for(campaign, event, seat)) is not None:
            yield _plain_entry(msgspec.to_builtins(entry, enc_hook=str))


def proofs_for(
    campaign: Campaign, events: Iterable[Event], seat: str, rolls: Callable[[], Any] = list
) -> Iterator[dict[str, Any]]:
    """Yield the proofs of each session's dice for one seat, as `dice.verify` reads them.

    An unseen throw has only its number, a partly secret throw only its visible dice. A session with
    an unrevealed seed has only its commitment, so that nobody can count hidden throws. Only the GM
    gets the secret seed. `rolls` is passed to `verification_records`. Errors: NotAllowed for a seat
    that is not taken.
    """
    reader = seat_of(campaign, seat)
    if not reader.is_seated:
        return
    whole = is_gm(reader)

    def tell(record: dict[str, Any], event: Event, roll: dict[str, Any]) -> dict[str, Any] | None:
        shown = campaign.revealed(event.number)
        if not (shown or sees(event.audience, reader)):
            unseen = {"throw": roll["throw"], "typed": False, "trace": None}
            return unseen if roll["throw"] is not None else None
        closed = () if whole or shown or event.throw is None else event.throw.closed
        return _as_seen(roll, closed, screen=record["screen_commitment"] is not None)

    for record in verification_records(events, tell, rolls):
        yield _proof(record, whole=whole)


def _proof(record: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    """Return a record without log positions."""
    promises = ("campaign", "session", "commitment", "screen_commitment")
    kept = {**{key: record[key] for key in promises}, "seed": record["seed"]}
    if record["seed"] is None:
        return {**kept, "contributions": [], "rolls": []}
    words = ("who", "words", "from_throw")
    contributions = [{key: one[key] for key in words} for one in record["contributions"]]
    kept |= {"contributions": contributions, "rolls": record["rolls"], "unused": record["unused"]}
    return {**kept, "screen": record["screen"]} if whole else kept


def _as_seen(roll: dict[str, Any], closed: Collection[str], *, screen: bool) -> dict[str, Any]:
    """Return a roll without its closed dice, if the other dice can be checked without them.

    Without a secret stream they cannot, because all dice come from one stream.
    """
    trace = [die for die in roll["trace"] if die.get("label", "") not in closed]
    kept = {"throw": roll["throw"], "typed": roll["typed"], "trace": trace}
    if roll["typed"] or len(trace) == len(roll["trace"]):
        return kept
    return {**kept, "more_behind": True} if screen else {**kept, "trace": None}


def _sealed(event: Event) -> dict[str, Any]:
    return {"number": event.number, "kind": event.kind, "time": event.time, "sealed": True}


def _plain_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without empty values."""
    return {key: value for key, value in entry.items() if value not in ("", None, [], False, 0)}
