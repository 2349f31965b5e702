"""Events as JSON lines; fields of later versions are kept.

An event is one line of JSON. When an older form is read, :data:`LIFTS` converts it step by step to
the current form; stored lines are never rewritten. Unknown names in an event, a changed fact or a
throw are kept in `extra`, and return to their old place when the event is encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from kitchentable.campaign.errors import BadEvent, NewerEvent
from kitchentable.campaign.events import FORMAT, Event, Recorded, Thrown
from kitchentable.campaign.kinds import KINDS

_EVENT = frozenset(Event.__struct_fields__)
_RECORDED = frozenset(Recorded.__struct_fields__)
_THROWN = frozenset(Thrown.__struct_fields__)
#: The last bytes of every event in the current form.
_PRESENT = f',"v":{FORMAT}}}'.encode()
_ENCODER, _DECODER = msgspec.json.Encoder(), msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """Return an event as one line of JSON, without a line end."""
    if event.v == FORMAT and _has_known_names(event):
        return _ENCODER.encode(event)[:-1] + _PRESENT
    return _ENCODER.encode(to_data(event))


def decode(data: bytes) -> Event:
    """Read an event from one line of JSON, in this form or an older one.

    Errors: BadEvent, with the reason, for anything else.
    """
    if data.endswith(_PRESENT) and (event := _of_known_names(data)) is not None:
        return _of_known_kind(event)
    try:
        raw = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadEvent(f"A stored event is not JSON: {error}.") from error
    return from_data(raw)


def to_data(event: Event) -> dict[str, Any]:
    """An event as plain data, unknown fields included."""
    data: dict[str, Any] = _unfold(msgspec.to_builtins(event))
    data["v"] = event.v
    if "changes" in data:
        data["changes"] = [_unfold(change) for change in data["changes"]]
    if "throw" in data:
        data["throw"] = _unfold(data["throw"])
    return data


def from_data(raw: Any) -> Event:
    """Read an event from plain data, in this form or an older one. Errors: BadEvent."""
    if not isinstance(raw, Mapping):
        raise BadEvent("A stored event is not a JSON object.")
    data = lift(raw)
    try:
        data = _fold(data, _EVENT)
        if isinstance(data.get("changes"), list | tuple):
            data["changes"] = [_fold(change, _RECORDED) for change in data["changes"]]
        if isinstance(data.get("throw"), Mapping):
            data["throw"] = _fold(data["throw"], _THROWN)
        event = msgspec.convert(data, Event)
    except (msgspec.ValidationError, TypeError) as error:
        raise BadEvent(f"A stored event cannot be read: {error}.") from error
    return _of_known_kind(event)


def lift(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Convert plain data of any known form to the current form."""
    data = dict(raw)
    form = data.get("v", 0)
    if not isinstance(form, int) or isinstance(form, bool) or form < 0:
        raise BadEvent(f"A stored event has the invalid form {form!r}.")
    if form > FORMAT:
        raise NewerEvent(f"events of form {form}")
    for step in range(form, FORMAT):
        data = LIFTS[step](data)
    return data


def _first_form(data: dict[str, Any]) -> dict[str, Any]:
    """Convert form 0, which had no `v`, paths with slashes, and no `was` for a new fact."""
    changes = []
    for change in data.get("changes", ()):
        lifted = dict(change)
        if isinstance(lifted.get("path"), str):
            lifted["path"] = lifted["path"].split("/")
        if "was" not in lifted:
            lifted["new"] = True
        changes.append(lifted)
    return {**data, "changes": changes, "v": 1}


def _second_form(data: dict[str, Any]) -> dict[str, Any]:
    """Convert form 1, which had no secret stream: all dice of a session came from one. The data
    stays equal; form 2 exists so that older programs do not try to check its dice.
    """
    return {**data, "v": 2}


#: The step from each older form to the next.
LIFTS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = MappingProxyType(
    {0: _first_form, 1: _second_form}
)


def _of_known_names(data: bytes) -> Event | None:
    """Read an event in the current form without unknown names; None for anything else."""
    try:
        event = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return event if _has_known_names(event) else None


def _of_known_kind(event: Event) -> Event:
    """Return the event if this version knows its kind. Errors: BadEvent."""
    if event.kind not in KINDS:
        raise NewerEvent(f"an event of the kind {event.kind!r}")
    return event


def _has_known_names(event: Event) -> bool:
    """Whether an event has no fields of later versions, so that it needs no folding."""
    thrown = event.throw is not None and event.throw.extra
    return not (event.extra or thrown or any(change.extra for change in event.changes))


def _fold(data: Any, known: frozenset[str]) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise BadEvent(f"A part of a stored event is {data!r} instead of a JSON object.")
    extra = {key: value for key, value in data.items() if key not in known or key == "extra"}
    if not extra:
        return dict(data)
    return {**{key: value for key, value in data.items() if key not in extra}, "extra": extra}


def _unfold(data: dict[str, Any]) -> dict[str, Any]:
    extra = data.pop("extra", None)
    return {**data, **extra} if extra else data
