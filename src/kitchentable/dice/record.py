"""The dice of a session as plain data, written by exports and read by audits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    fields = _Fields(data)
    contributions = [_contribution(one) for one in fields.rows("contributions")]
    rolls = [_roll(one) for one in fields.rows("rolls")]
    aside = fields.rows("unused") if "unused" in data else []
    unused = {one.required("throw"): str(one.data.get("reason", "")) for one in aside}
    starts = [one.from_throw for one, _ in contributions]
    if starts != sorted(starts):
        raise BadRecord("contributions must be in rising order of from_throw.")
    numbers = [roll.throw for roll in rolls if roll.throw is not None]
    screened = data.get("screen_commitment") is not None
    return SessionRecord(
        campaign=fields.text("campaign"),
        session=fields.required("session", least=0),
        commitment=fields.hex("commitment"),
        seed=fields.secret("seed"),
        contributions=tuple(one for one, _ in contributions),
        contribution_events=tuple(event for _, event in contributions),
        rolls=tuple(rolls),
        unused=unused,
        last_throw=max([fields.number("last_throw") or 0, *numbers, *unused]),
        commitment_event=fields.number("commitment_event", least=0),
        screen_commitment=fields.hex("screen_commitment") if screened else None,
        screen=fields.secret("screen"),
    )


def _contribution(fields: _Fields) -> tuple[Contribution, int | None]:
    first = fields.required("from_throw")
    try:
        one = Contribution(fields.text("who"), fields.text("words"), first)
    except BadStream as error:
        raise BadRecord(f"{fields.place} cannot be read: {error}") from error
    return one, fields.number("event", least=0)


def _roll(fields: _Fields) -> RecordedRoll:
    typed, throw = fields.flag("typed"), fields.number("throw")
    dice = fields.rows("trace") if fields.data.get("trace") is not None else None
    if throw is None and not typed:
        raise BadRecord(
            f"{fields.name('throw')} is missing; only a typed-in roll has no throw number."
        )
    return RecordedRoll(
        throw=throw,
        typed=typed,
        trace=None if dice is None else _trace(dice, fields.name("trace")),
        event=fields.number("event", least=0),
        screened=frozenset(at for at, one in enumerate(dice or ()) if one.flag("screened")),
        more_behind=fields.flag("more_behind"),
    )


def _trace(dice: Sequence[_Fields], where: str) -> Trace:
    try:
        trace = Trace.from_data(one.data for one in dice)
    except (WrongTrace, OverflowError) as error:
        raise BadRecord(f"{where} cannot be read: {error}") from error
    for die in trace.throws:
        if not 1 <= die.sides <= MOST_RESULTS:
            raise BadRecord(f"{where} has an impossible die with {die.sides} sides.")
    return trace


@dataclass(frozen=True, slots=True)
class _Fields:
    """A JSON object in the record, with its place there. Every method can raise BadRecord."""

    data: Mapping[str, Any]
    place: str = ""

    def name(self, field: str) -> str:
        """The field with its place, for errors."""
        return f"{self.place}.{field}" if self.place else field

    def rows(self, field: str) -> list[_Fields]:
        """A list of JSON objects."""
        rows, name = self.data.get(field), self.name(field)
        if not isinstance(rows, list) or not all(isinstance(one, Mapping) for one in rows):
            raise BadRecord(f"{name} must be a list of JSON objects.")
        return [_Fields(one, f"{name}[{at}]") for at, one in enumerate(rows)]

    def text(self, field: str) -> str:
        """A text that can be encoded."""
        value = self.data.get(field)
        if not isinstance(value, str):
            raise BadRecord(f"{self.name(field)} must be text, not {value!r}.")
        try:
            encode(value)
        except BadStream as error:
            raise BadRecord(f"{self.name(field)} cannot be read: {error}") from error
        return value

    def hex(self, field: str) -> str:
        """64 hexadecimal digits."""
        value = self.text(field)
        if not _HEX_256.fullmatch(value):
            raise BadRecord(f"{self.name(field)} must be 64 hexadecimal digits in lower case.")
        return value

    def secret(self, field: str) -> bytes | None:
        """32 bytes in hexadecimal digits, or None."""
        return None if self.data.get(field) is None else bytes.fromhex(self.hex(field))

    def flag(self, field: str) -> bool:
        """A truth value, false by default."""
        value = self.data.get(field, False)
        if not isinstance(value, bool):
            raise BadRecord(f"{self.name(field)} must be true or false, not {value!r}.")
        return value

    def number(self, field: str, *, least: int = 1) -> int | None:
        """A whole number, or None."""
        value = self.data.get(field)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise BadRecord(
                f"{self.name(field)} must be a whole number of at least {least}, not {value!r}."
            )
        return value

    def required(self, field: str, *, least: int = 1) -> int:
        """A whole number."""
        value = self.number(field, least=least)
        if value is None:
            raise BadRecord(f"{self.name(field)} is missing.")
        return value
