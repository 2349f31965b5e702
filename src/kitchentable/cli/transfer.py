"""`export` and `import`: a campaign to a file, and back."""

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
  kitchentable export salt salt-road.zip --secrets     with secrets: open sessions continue"""
)
@click.argument("campaign")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--secrets", is_flag=True, help="Include seeds that are not revealed yet.")
@data_option
@json_option
def export(campaign: str, file: Path, secrets: bool, data: Data, as_json: bool) -> None:
    """Write one campaign to one file: the whole journal in JSON lines, and nobody's keys."""
    with server_at(data) as server:
        found = find(server, campaign)
        with working("writing the journal", quiet=as_json):
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
        lines.append("It holds secret seeds: whoever has it can foretell dice of open sessions.")
    answer(written, lines, as_json=as_json)


@click.command(
    "import",
    epilog="""\b
Examples:
  kitchentable import salt-road.zip
  kitchentable import salt-road.zip --as salt-road-2   beside one that is here already""",
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--as", "new_id", help="Import under this id.")
@data_option
@json_option
def import_(file: Path, new_id: str | None, data: Data, as_json: bool) -> None:
    """Import an exported campaign: identical and whole, or not at all."""
    with server_at(data, new=True) as server, working("checking every event", quiet=as_json):
        entry = server.take_in(file, new_name=new_id)
        events = server.tables.campaign(entry.id).number
    lines = [
        f"{entry.title} is here, with {events} events, as {entry.id}.",
        f"Keys never travel: `kitchentable links {entry.id}` gives its seats new links.",
    ]
    imported = {"campaign": entry.id, "title": entry.title, "events": events}
    answer(imported, lines, as_json=as_json)


@click.command(
    epilog="""\b
Examples:
  kitchentable move table.db postgresql://table@db.example.org/play
  kitchentable move postgresql://... table.db

\b
Stop every server of both first. The source is left as it is."""
)
@click.argument("source", type=place)
@click.argument("target", type=place)
@json_option
def move(source: Data, target: Data, as_json: bool) -> None:
    """Carry everything of a server to an empty database: campaigns, keys, seeds and settings.

    Both are compared in the end. Links stay as they are.
    """
    with working("carrying every event", quiet=as_json):
        campaigns, events = move_all(source, target)
    what = f"{campaigns} campaign{'s' * (campaigns != 1)} with {events} events"
    lines = [f"Moved to {target}: {what}, the same as before."]
    own = source.local_games.folder
    if own is not None and own.is_dir() and own != target.local_games.folder:
        lines.append(f"Games of your own stay in {own}: copy them to {target.local_games.folder}.")
    moved = {"source": str(source), "target": str(target), "campaigns": campaigns}
    answer(moved, lines, as_json=as_json)
