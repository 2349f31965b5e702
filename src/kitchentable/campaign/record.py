"""The proof of a session's dice from its events: commitment, words, throws and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias

from kitchentable.campaign.events import Event, Thrown
from kitchentable.campaign.paths import Path

_ID: Path = ("id",)
_UNUSED = "its command was refused or lost before anything was shown, or none came for it"


class Rolls(Protocol):
    """A receiver of a session's rolls, such as a list or a file."""

    def append(self, roll: dict[str, Any], /) -> object:
        """Take one roll."""
        ...


#: Converts the roll of an event for a session's record, or leaves it out with None.
Telling: TypeAlias = Callable[[dict[str, Any], Event, dict[str, Any]], dict[str, Any] | None]


def verification_records(
    events: Iterable[Event],
    tell: Telling = lambda record, event, roll: roll,
    rolls: Callable[[], Rolls] = list,
) -> Iterator[dict[str, Any]]:
    """Yield the dice of each session, in order, as `kitchentable.dice.verify` reads them.

    `seed` and `screen` are None while a session lasts; `screen` is also None without a secret
    stream. Traces are complete, and secret dice are marked: this is for readers who may see all.
    Throws between sessions are in no record, because no commitment covers them. A session is
    yielded when the next one begins. `rolls` makes the receiver of a session's rolls, so that they
    need not be in memory; `tell` converts each of them.
    """
    campaign = ""
    current: dict[str, Any] = {}
    for event in events:
        if event.kind == "campaign-opened":
            campaign = str(next(one.now for one in event.changes if one.path == _ID))
        elif event.kind == "session-began":
            if current:
                yield current
            current = {
                "campaign": campaign,
                "session": event.data["session"],
                "commitment": event.data["commitment"],
                "screen_commitment": event.data.get("screen_commitment") or None,
                "commitment_event": event.number,
                "seed": None,
                "screen": None,
                "contributions": [],
                "rolls": rolls(),
                "unused": [],
            }
        elif event.kind == "contributed":
            keys = ("who", "words", "from_throw", "event")
            current["contributions"].append({key: event.data[key] for key in keys})
        elif event.kind == "session-ended":
            current["seed"] = event.data["seed"] or None
            current["screen"] = event.data.get("screen") or None
            current["unused"] = [
                {"throw": throw, "reason": _UNUSED} for throw in event.data.get("unused", ())
            ]
        if (roll := _roll_of(current, event)) and (told := tell(current, event, roll)) is not None:
            current["rolls"].append(told)
    if current:
        yield current


def _roll_of(record: dict[str, Any], event: Event) -> dict[str, Any] | None:
    throw = event.throw
    if throw is None or throw.session != record.get("session"):
        return None
    has_screen = record["screen_commitment"] is not None and not throw.typed
    return {
        "throw": throw.number or None,
        "typed": throw.typed,
        "trace": [_marked(die, throw) for die in throw.trace] if has_screen else throw.trace,
        "event": event.number,
    }


def _marked(die: dict[str, Any], throw: Thrown) -> dict[str, Any]:
    """Return a die as plain data, marked if it came from the GM's secret stream."""
    screened = throw.screened or die.get("label", "") in throw.closed
    return {**die, "screened": True} if screened else die
