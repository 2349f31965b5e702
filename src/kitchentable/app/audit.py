"""Checking a journal's dice: from the running house, or offline from an exported file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kitchentable.campaign import codec
from kitchentable.campaign.events import Event
from kitchentable.campaign.record import verification_records
from kitchentable.dice.verify import Report, verify_session
from kitchentable.store import read_journal


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found about a campaign's dice, session by session."""

    campaign: str
    events: int
    sessions: tuple[tuple[int, Report], ...]

    @property
    def broken(self) -> bool:
        """Whether anything contradicts what was promised."""
        return any(report.verdict == "broken" for _, report in self.sessions)


def audit(campaign: str, events: Iterable[Event]) -> Audit:
    """Check every session of a campaign's events."""
    journal = tuple(events)
    return Audit(
        campaign,
        len(journal),
        tuple(
            (int(record["session"]), verify_session(record))
            for record in verification_records(journal)
        ),
    )


def audit_file(path: Path) -> Audit:
    """Check an exported campaign or a bare journal, without a house.

    Errors: BadFile for a file that is no sound journal; BadEvent for a line that is no event.
    """
    rows = list(read_journal(path))
    campaign = rows[0].campaign if rows else ""
    return audit(campaign, (codec.decode(row.body) for row in rows))
