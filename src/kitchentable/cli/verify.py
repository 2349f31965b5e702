"""`kitchentable verify`: check every die of a journal, without a server or a network."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.audit import audit_file
from kitchentable.cli.report import FOUND, answer, json_option


@click.command(
    epilog="""\b
Examples:
  kitchentable verify salt-road.zip
  kitchentable verify journal.jsonl --json"""
)
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@json_option
def verify(journal: Path) -> None:
    """Check every die of an exported journal against the session's commitment."""
    found = audit_file(journal)
    sessions = f"{len(found.sessions)} session{'s' * (len(found.sessions) != 1)}"
    reports = [f"Session {number}. {report}" for number, report in found.sessions]
    none = "No session has been played, so there are no dice to check."
    data = {
        "campaign": found.campaign,
        "events": found.events,
        "broken": found.broken,
        "sessions": [{"session": number, "report": report} for number, report in found.sessions],
    }
    lines = [f"{found.campaign}: {found.events} events, {sessions}.", *(reports or [none])]
    answer(data, lines)
    if found.broken:
        raise SystemExit(FOUND)
