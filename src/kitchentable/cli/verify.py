"""`kitchentable verify`: check every die of a journal, without a server or a network."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.audit import audit_file
from kitchentable.cli.report import FOUND, json_option, say_json


@click.command(
    epilog="""\b
Examples:
  kitchentable verify salt-road.zip
  kitchentable verify journal.jsonl --json"""
)
@click.argument("journal", type=click.Path(dir_okay=False, path_type=Path))
@json_option
def verify(journal: Path, as_json: bool) -> None:
    """Check that every die of an exported journal follows from its commitments."""
    found = audit_file(journal)
    if as_json:
        say_json(
            {
                "campaign": found.campaign,
                "events": found.events,
                "broken": found.broken,
                "sessions": [
                    {"session": number, "report": report} for number, report in found.sessions
                ],
            }
        )
    else:
        sessions = f"{len(found.sessions)} session{'s' * (len(found.sessions) != 1)}"
        click.echo(f"{found.campaign}: {found.events} events, {sessions}.")
        for number, report in found.sessions:
            click.echo(f"Session {number}. {report}")
        if not found.sessions:
            click.echo("No session has been played, so no dice were promised.")
    if found.broken:
        raise SystemExit(FOUND)
