"""`kitchentable export`, `import` and `move`: campaigns in files and other databases."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.places import Data, move_all
from kitchentable.cli.progress import working
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option, find, place, server_at


@click.command(
    epilog="""\b
Examples:
  kitchentable export 'The Salt Road' salt-road.zip
  kitchentable export salt salt-road.zip --secrets     an open session can continue elsewhere"""
)
@click.argument("campaign")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--secrets", is_flag=True, help="Include the secret seed of an open session.")
@data_option
@json_option
def export(campaign: str, file: Path, secrets: bool, data: Data) -> None:
    """Export one campaign to one file: its whole journal, one event per line, without keys."""
    with server_at(data) as server:
        found = find(server, campaign)
        with working("writing the journal"):
            manifest = server.export(found, file, secrets=secrets)
    written = {
        "campaign": found,
        "title": manifest.campaign.title,
        "file": str(file),
        "events": manifest.events,
        "secrets": manifest.secrets,
    }
    lines = [f"{manifest.campaign.title}: {manifest.events} events are in {file}."]
    if secrets:
        lines.append(
            "The file has secret seeds. Anyone who has it can predict dice of open sessions."
        )
    answer(written, lines)


@click.command(
    "import",
    epilog="""\b
Examples:
  kitchentable import salt-road.zip
  kitchentable import salt-road.zip --as salt-road-2   import a copy next to an existing one""",
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--as", "new_id", help="Import under this id.")
@data_option
@json_option
def import_(file: Path, new_id: str | None, data: Data) -> None:
    """Import an exported campaign: identical and whole, or not at all."""
    with server_at(data, new=True) as server, working("checking every event"):
        entry = server.take_in(file, new_name=new_id)
        events = server.tables.campaign(entry.id).number
    lines = [
        f"{entry.title} is here, with {events} events, as {entry.id}.",
        f"An export has no keys. `kitchentable links {entry.id}` makes new links for its seats.",
    ]
    imported = {"campaign": entry.id, "title": entry.title, "events": events}
    answer(imported, lines)


@click.command(
    epilog="""\b
Examples:
  kitchentable move table.db postgresql://table@db.example.org/play
  kitchentable move postgresql://... table.db

\b
Stop all servers of both first. The source is not changed."""
)
@click.argument("source", type=place)
@click.argument("target", type=place)
@json_option
def move(source: Data, target: Data) -> None:
    """Copy everything on a server to an empty database: campaigns, keys, seeds and settings.

    Finally the two databases are compared. Links keep working.
    """
    with working("copying every event"):
        campaigns, events = move_all(source, target)
    what = f"{campaigns} campaign{'s' * (campaigns != 1)} with {events} events"
    lines = [f"Moved to {target}: {what}, the same as before."]
    own = source.local_games.folder
    if own is not None and own.is_dir() and own != target.local_games.folder:
        lines.append(
            f"Your own games are still in {own}. Copy them to {target.local_games.folder}."
        )
    moved = {"source": str(source), "target": str(target), "campaigns": campaigns}
    answer(moved, lines)
