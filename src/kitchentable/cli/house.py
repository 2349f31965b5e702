"""Where the house is: the option that every command about it takes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kitchentable.app.house import House

NAME = "kitchentable.db"


def default_place() -> Path:
    """The record that is used when none is named: $KITCHENTABLE_DATA, or the user's own folder."""
    named = os.environ.get("KITCHENTABLE_DATA")
    return Path(named) if named else Path(click.get_app_dir("kitchentable")) / NAME


data_option = click.option(
    "--data",
    type=click.Path(dir_okay=False, path_type=Path),
    default=default_place,
    show_default="$KITCHENTABLE_DATA, or your own folder for applications",
    help="The file that holds the house's record.",
)


@contextmanager
def house_at(data: Path) -> Iterator[House]:
    """The house at a place, closed again at the end."""
    data.parent.mkdir(parents=True, exist_ok=True)
    house = House.at(data)
    try:
        yield house
    finally:
        house.close()
