"""The dice of a session as plain data, written by exports and read by audits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.dice.errors import BadInput, WrongTrace
from kitchentable.dice.stream import MOST_RESULTS, BadStream, Contribution, encode
from kitchentable.dice.trace import Trace

_HEX_256 = re.compile(r"[0-9a-f]{64}")


class BadRecord(BadInput):
    """A session record without the form of an export; nothing was checked."""

    code = "dice/bad-record"


@dataclass(frozen=True, slots=True)
class RecordedRoll:
    """One roll in the journal.

    - `throw`: the throw number reserved for it; only a typed-in roll may have none;
    - `typed`: whether real dice were typed in instead of thrown by the stream;
    - `trace`: its dice, or None if hidden from this reader;
    - `event`: its position in the journal, if known;
    - `screened`: the places in the trace, from 0, of dice thrown behind the screen;
    - `more_behind`: whether more dice were thrown behind the screen, hidden from this reader.
    """

    throw: int | None
    typed: bool
    trace: Trace | None
    event: int | None
    screened: frozenset[int] = frozenset()
    more_behind: bool = False


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """The dice of one session, as read from plain data.

    The required fields are ``campaign`` (text), ``session`` (number), ``commitment`` (64
    hexadecimal digits), ``seed`` (64 hexadecimal digits, or null while sealed), ``contributions``
    (a list of ``{who, words, from_throw}``) and ``rolls`` (a list of ``{throw, typed, trace}``,
    with trace null if hidden from the reader).

    The optional fields are ``unused`` (a list of ``{throw, reason}``: numbers reserved for a roll
    that was then refused), ``last_throw`` (the greatest number ever reserved) and positions in the
    journal: ``event`` of each contribution and roll, and ``commitment_event``.

    A session with a screen has its ``screen_commitment`` and, for readers who may know it, the
    ``screen`` (64 hexadecimal digits each). Dice thrown behind the screen are marked ``screened``;
    a roll with a trace that leaves out some of these dice is marked ``more_behind``. Unknown fields
    are ignored.
    """

    campaign: str
    session: int
    commitment: str
    seed: bytes | None
    contributions: tuple[Contribution, ...]
    contribution_events: tuple[int | None, ...]
    rolls: tuple[RecordedRoll, ...]
    unused: Mapping[int, str]
    last_throw: int
    commitment_event: int | None
    screen_commitment: str | None = None
    screen: bytes | None = None


def read_record(data: Mapping[str, Any]) -> SessionRecord:
    """The record in plain data. Raises :class:`BadRecord` naming the field at fault."""
    if not isinstance(data, Mapping):
        raise BadRecord("A session record must be a JSON object, as an export writes it.")
    contributions = [_contribution(one, at) for at, one in _rows(data, "contributions")]
    rolls = [_roll(one, at) for at, one in _rows(data, "rolls")]
    unused: dict[int, str] = {}
    for at, one in _rows(data, "unused", required=False):
        throw = _number(one, "throw", f"unused[{at}]")
        unused[_required(throw, f"unused[{at}].throw")] = str(one.get("reason", ""))
    starts = [one.from_throw for one, _ in contributions]
    if starts != sorted(starts):
        raise BadRecord("contributions must be in rising order of from_throw.")
    numbers = [roll.throw for roll in rolls if roll.throw is not None]
    return SessionRecord(
        campaign=_text(data, "campaign"),
        session=_required(_number(data, "session", "", least=0), "session"),
        commitment=_hex(data, "commitment"),
        seed=_secret(data, "seed"),
        contributions=tuple(one for one, _ in contributions),
        contribution_events=tuple(event for _, event in contributions),
        rolls=tuple(rolls),
        unused=unused,
        last_throw=max([_number(data, "last_throw", "") or 0, *numbers, *unused]),
        commitment_event=_number(data, "commitment_event", "", least=0),
        screen_commitment=None
        if data.get("screen_commitment") is None
        else _hex(data, "screen_commitment"),
        screen=_secret(data, "screen"),
    )


def _contribution(data: Mapping[str, Any], at: int) -> tuple[Contribution, int | None]:
    where = f"contributions[{at}]"
    first = _required(_number(data, "from_throw", where), f"{where}.from_throw")
    try:
        one = Contribution(_text(data, "who", where), _text(data, "words", where), first)
    except BadStream as error:
        raise BadRecord(f"{where} cannot be read: {error}") from error
    return one, _number(data, "event", where, least=0)


def _roll(data: Mapping[str, Any], at: int) -> RecordedRoll:
    where = f"rolls[{at}]"
    typed, trace = _flag(data, "typed", where), data.get("trace")
    if trace is not None and not (
        isinstance(trace, list) and all(isinstance(one, Mapping) for one in trace)
    ):
        raise BadRecord(f"{where}.trace must be a list of dice, or null if it is hidden.")
    throw = _number(data, "throw", where)
    if throw is None and not typed:
        raise BadRecord(f"{where}.throw is missing; only a typed-in roll has no throw number.")
    return RecordedRoll(
        throw=throw,
        typed=typed,
        trace=None if trace is None else _trace(trace, f"{where}.trace"),
        event=_number(data, "event", where, least=0),
        screened=frozenset(
            place
            for place, one in enumerate(trace or ())
            if _flag(one, "screened", f"{where}.trace[{place}]")
        ),
        more_behind=_flag(data, "more_behind", where),
    )


def _trace(rows: list[Mapping[str, Any]], where: str) -> Trace:
    try:
        trace = Trace.from_data(rows)
    except (WrongTrace, OverflowError) as error:
        raise BadRecord(f"{where} cannot be read: {error}") from error
    for die in trace.throws:
        if not 1 <= die.sides <= MOST_RESULTS:
            raise BadRecord(f"{where} has an impossible die with {die.sides} sides.")
    return trace


def _rows(
    data: Mapping[str, Any], name: str, *, required: bool = True
) -> enumerate[Mapping[str, Any]]:
    rows = data.get(name, None if required else [])
    if not isinstance(rows, list) or not all(isinstance(one, Mapping) for one in rows):
        raise BadRecord(f"{name} must be a list of JSON objects.")
    return enumerate(rows)


def _text(data: Mapping[str, Any], name: str, where: str = "") -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise BadRecord(f"{_place(where, name)} must be text, not {value!r}.")
    try:
        encode(value)
    except BadStream as error:
        raise BadRecord(f"{_place(where, name)} cannot be read: {error}") from error
    return value


def _flag(data: Mapping[str, Any], name: str, where: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise BadRecord(f"{_place(where, name)} must be true or false, not {value!r}.")
    return value


def _secret(data: Mapping[str, Any], name: str) -> bytes | None:
    return None if data.get(name) is None else bytes.fromhex(_hex(data, name))


def _hex(data: Mapping[str, Any], name: str) -> str:
    value = _text(data, name)
    if not _HEX_256.fullmatch(value):
        raise BadRecord(f"{name} must be 64 hexadecimal digits in lower case.")
    return value


def _number(data: Mapping[str, Any], name: str, where: str, *, least: int = 1) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadRecord(
            f"{_place(where, name)} must be a whole number of at least {least}, not {value!r}."
        )
    return value


def _required(value: int | None, name: str) -> int:
    if value is None:
        raise BadRecord(f"{name} is missing.")
    return value


def _place(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
