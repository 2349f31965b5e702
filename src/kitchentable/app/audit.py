"""Audit of a journal's dice, on the running server or offline from an exported file."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zipfile import is_zipfile

import msgspec

from kitchentable.app.held import event_of
from kitchentable.campaign.decide.tellable import FAULTS
from kitchentable.campaign.errors import BadEvent, NewerEvent
from kitchentable.campaign.events import Event
from kitchentable.campaign.journal import journal_for, proofs_for
from kitchentable.campaign.record import verification_records
from kitchentable.campaign.state import Campaign
from kitchentable.dice.errors import KitchenTableError
from kitchentable.dice.verify import Report, verify_session
from kitchentable.store import BadFile, read_journal

#: The kind of journal line with the proof of a session's dice.
_PROOF = "proof"
#: Placeholder for the rolls in a proof. Inside a JSON text its quotes would have backslashes.
_NO_ROLLS = b'"rolls":[]'
#: Bytes of rolls in one read.
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit, session by session."""

    campaign: str
    events: int
    sessions: tuple[tuple[int, Report], ...]

    @property
    def broken(self) -> bool:
        """Whether any session contradicts its commitment."""
        return any(report.verdict == "broken" for _, report in self.sessions)


def audit(campaign: str, events: Collection[Event]) -> Audit:
    """Check every session of a campaign's events."""
    sessions = tuple(
        (int(record["session"]), verify_session(record)) for record in verification_records(events)
    )
    return Audit(campaign, len(events), sessions)


def to_take_home(campaign: Campaign, seat: str) -> Iterator[bytes]:
    """The journal of one seat as JSON lines, in pieces; the last lines prove its dice.

    The rolls of a session are kept in a file until its seed is read, so memory has only a few of
    them. Errors: NotAllowed for a seat that does not exist.
    """
    encode = msgspec.json.Encoder().encode
    for line in journal_for(campaign, campaign.events, seat):
        yield encode(line) + b"\n"
    with tempfile.TemporaryFile(prefix="kitchentable-") as file:
        rolls = _Rolls(file)
        for proof in proofs_for(campaign, campaign.events, seat, rolls.begin):
            told = rolls if proof["rolls"] is rolls else ()
            whole = encode({"kind": _PROOF, "record": {**proof, "rolls": []}}) + b"\n"
            before, empty, after = whole.partition(_NO_ROLLS)
            yield before + empty[:-1]
            yield from told
            yield empty[-1:] + after


class _Rolls:
    """The rolls of one session at a time, as JSON in a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._encode = msgspec.json.Encoder().encode

    def begin(self) -> _Rolls:
        """Forget the rolls of the session before."""
        self._file.seek(0)
        self._file.truncate()
        return self

    def append(self, roll: dict[str, Any]) -> None:
        """Write one more roll."""
        self._file.write((b"," if self._file.tell() else b"") + self._encode(roll))

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece


def audit_file(path: Path) -> Audit:
    """Check an exported campaign, its bare journal, or the journal that a seat took home.

    Errors: BadFile for a file that is not a sound journal; NewerEvent; BadRecord for a session
    whose dice cannot be read.
    """
    with reading(path):
        taken_home = _taken_home(path)
        if taken_home is not None:
            return taken_home
        rows = list(read_journal(path))
        return audit(rows[0].campaign if rows else "", list(map(event_of, rows)))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Guard code that reads a file of events. Errors: BadFile if they fit no campaign."""
    try:
        yield
    except NewerEvent:
        raise
    except BadEvent as error:
        raise _unreadable(path, str(error)) from error
    except KitchenTableError:
        raise
    except (*FAULTS, RuntimeError) as error:
        what = "It has an entry that no version of Kitchen Table wrote."
        raise _unreadable(path, what) from error


def _unreadable(path: Path, what: str) -> BadFile:
    return BadFile(
        f"{path} cannot be read. {what} Export the campaign again from its server.",
        code="store/damaged-file",
    )


def _taken_home(path: Path) -> Audit | None:
    """The journal of a seat, with its proofs of the dice; None for any other file."""
    if not path.is_file() or is_zipfile(path):
        return None
    events = 0
    proofs: list[dict[str, Any]] = []
    with path.open("rb") as stream:
        for text in stream:
            try:
                line = msgspec.json.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return None
            if not isinstance(line, dict) or "kind" not in line or "body" in line:
                return None
            if line["kind"] != _PROOF:
                events += 1
            elif isinstance(line.get("record"), dict):
                proofs.append(line["record"])
    reports = tuple((proof, verify_session(proof)) for proof in proofs)
    name = next((str(proof["campaign"]) for proof in proofs), path.name)
    return Audit(name, events, tuple((int(one["session"]), told) for one, told in reports))
