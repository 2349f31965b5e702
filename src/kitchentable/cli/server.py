"""The option --data, and the server with that database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kitchentable.app.places import Data, NoDatabase
from kitchentable.app.server import Server
from kitchentable.dice.errors import BadInput

NAME = "kitchentable.db"


def place(words: str) -> Data:
    """Read the place of a database: a file or an address."""
    folder = os.environ.get("KITCHENTABLE_FOLDER") or click.get_app_dir("kitchentable")
    return Data.named(words, Path(folder))


data_option = click.option(
    "--data",
    "--database",
    "data",
    type=place,
    metavar="FILE",
    envvar="KITCHENTABLE_DATA",
    default=lambda: str(Path(click.get_app_dir("kitchentable")) / NAME),
    show_default="$KITCHENTABLE_DATA, or your own folder for applications",
    help="The database: a file, or postgresql://...",
)


@contextmanager
def server_at(data: Data, *, new: bool = False) -> Iterator[Server]:
    """Open the server with a database, which is created if `new` allows it.

    Errors: NoDatabase, StoreError.
    """
    if not new and not data.is_there:
        raise NoDatabase(
            f"There is no database at {data} yet. `kitchentable serve` creates one there; "
            "--data FILE names another."
        )
    server = Server.at(data)
    try:
        yield server
    finally:
        server.close()


def find(server: Server, words: str) -> str:
    """Find a campaign by its id, its title, or a part of either.

    Errors: BadInput, with the matching campaigns, or with all of them if none matches.
    """
    known = server.campaigns()
    said = words.casefold()
    fitting = (
        [one for one in known if one.id == words]
        or [one for one in known if one.title.casefold() == said]
        or [one for one in known if said in one.title.casefold()]
        or [one for one in known if one.id.startswith(words)]
    )
    if len(fitting) == 1:
        return fitting[0].id
    told = "; ".join(f"{one.id} {one.title}" for one in fitting or known) or "none yet"
    found = f"{len(fitting)} campaigns match" if fitting else "None matches. The campaigns are"
    raise BadInput(f"Which campaign is {words!r}? {found}: {told}.", code="cli/which-campaign")
