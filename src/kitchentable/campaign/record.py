"""The record that proves an evening's dice: promise, words, throws and seed, out of the events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.campaign.events import Event
from kitchentable.campaign.paths import Path

_ID: Path = ("id",)
_UNUSED = "its command was refused or lost before anything was shown, or none came for it"


def verification_records(events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """The dice of every session, in order, as `kitchentable.dice.verify` reads them.

    `seed` is None while a session lasts. Traces are whole: this is for those who may see all.
    Throws between sessions are in no record; nothing was promised about them.
    """
    campaign = ""
    records: dict[int, dict[str, Any]] = {}
    current: dict[str, Any] = {}
    for event in events:
        if event.kind == "campaign-opened":
            campaign = str(next(one.now for one in event.changes if one.path == _ID))
        elif event.kind == "session-began":
            number = event.data["session"]
            current = records[number] = {
                "campaign": campaign,
                "session": number,
                "commitment": event.data["commitment"],
                "commitment_event": event.number,
                "seed": None,
                "contributions": [],
                "rolls": [],
                "unused": [],
            }
        elif event.kind == "contributed":
            keys = ("who", "words", "from_throw", "event")
            current["contributions"].append({key: event.data[key] for key in keys})
        elif event.kind == "session-ended":
            current["seed"] = event.data["seed"] or None
            current["unused"] = [
                {"throw": throw, "reason": _UNUSED} for throw in event.data.get("unused", ())
            ]
        _add_roll(records, event)
    return tuple(records.values())


def _add_roll(records: dict[int, dict[str, Any]], event: Event) -> None:
    throw = event.throw
    if throw is None or throw.session not in records:
        return
    records[throw.session]["rolls"].append(
        {
            "throw": throw.number or None,
            "typed": throw.typed,
            "trace": throw.trace,
            "event": event.number,
        }
    )
