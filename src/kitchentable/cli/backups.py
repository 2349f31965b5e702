"""`kitchentable backup`: makes, lists and restores copies of the database."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.places import Data
from kitchentable.app.server import copies_of, put_back
from kitchentable.cli.progress import working
from kitchentable.cli.report import answer, json_option
from kitchentable.cli.server import data_option, server_at


@click.command(
    epilog="""\b
Examples:
  kitchentable backup tonight.db           copy everything, even while people play
  kitchentable backup --list               list the automatic copies
  kitchentable backup --restore tonight.db restore a copy; stop the server first"""
)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List the automatic copies.")
@click.option(
    "--restore",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Restore this copy: a file, or a name from --list.",
)
@click.option("--yes", is_flag=True, help="Restore without asking again.")
@data_option
@json_option
def backup(file: Path | None, listing: bool, copy: Path | None, yes: bool, data: Data) -> None:
    """Copy the whole database to a file, even while the server is running; or restore a copy."""
    if [file is not None, listing, copy is not None].count(True) != 1:
        raise click.UsageError("Name a file to write, or use --list or --restore COPY.")
    if listing:
        _list(data)
    elif copy is not None:
        _restore(copy, data, yes=yes)
    elif file is not None:
        with server_at(data) as server, working("copying the database"):
            written = server.store.backup(file)
        told = f"The database is copied to {written}, and the copy is sound."
        answer({"file": str(written)}, [told])


def _list(data: Data) -> None:
    kept = copies_of(data.file)
    told = [
        {
            "file": str(one.path),
            "made": one.made.isoformat(),
            "why": one.reason,
            "bytes": one.bytes,
        }
        for one in kept
    ]
    lines = [f"{one.made:%Y-%m-%d %H:%M}  {one.reason:<14}  {one.path.name}" for one in kept]
    none = "No automatic copies yet. A running server makes one every hour in which it is used."
    answer(told, lines or [none])


def _restore(copy: Path, data: Data, *, yes: bool) -> None:
    named = [one.path for one in copies_of(data.file) if one.path.name == str(copy)]
    source = named[0] if named and not copy.is_file() else copy
    if not yes and data.is_there and source.exists():
        click.confirm(
            f"This sets aside (but does not delete) the database {data}, with everything recorded "
            "after the copy was made. Restore the copy?",
            abort=True,
            err=True,
        )
    with working("checking the copy"):
        aside = put_back(source, data.file)
    lines = [f"The database is restored from {source}."]
    if aside is not None:
        lines.append(f"The former database is kept as {aside}.")
    restored = {"restored": str(source), "record": str(data), "aside": aside and str(aside)}
    answer(restored, lines)
