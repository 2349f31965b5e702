"""The database that a command uses: the option --data."""

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


class WhichCampaign(BadInput):
    """No campaign matches the name, or several do."""

    code = "cli/which-campaign"


def place(words: str) -> Data:
    """The place that somebody names."""
    folder = os.environ.get("KITCHENTABLE_FOLDER") or click.get_app_dir("kitchentable")
    return Data.named(words, Path(folder))


def default_place() -> str:
    """The default database: $KITCHENTABLE_DATA, or a file in the user's own folder."""
    named = os.environ.get("KITCHENTABLE_DATA")
    return named or str(Path(click.get_app_dir("kitchentable")) / NAME)


data_option = click.option(
    "--data",
    "--database",
    "data",
    type=place,
    metavar="FILE",
    default=default_place,
    show_default="$KITCHENTABLE_DATA, or your own folder for applications",
    help="The database: a file, or postgresql://...",
)


@contextmanager
def server_at(data: Data, *, new: bool = False) -> Iterator[Server]:
    """The server with the database at a place, closed at the end; created if `new` allows it.

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
    """The campaign with this id or title, or with this part of one.

    Errors: WhichCampaign, with those that fit; with all there are where none does.
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
    whose = f"{len(fitting)} have that in their name" if fitting else "There are"
    raise WhichCampaign(f"Which campaign is {words!r}? {whose}: {told}.")
