"""`kitchentable campaigns` and `kitchentable log`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from kitchentable.app.overviews import overview_of
from kitchentable.app.places import Data
from kitchentable.app.plaintext import tell
from kitchentable.app.server import Server
from kitchentable.cli.report import answer, harmless, json_option
from kitchentable.cli.server import data_option, find, server_at
from kitchentable.dice.errors import BadInput, KitchenTableError


@click.command(epilog="\b\nExample:\n  kitchentable campaigns")
@data_option
@json_option
def campaigns(data: Data) -> None:
    """List the campaigns, with their id, title, game, sessions and date."""
    with server_at(data) as server:
        told = [asdict(one) | _sessions(server, one.id) for one in server.campaigns()]
    none = "No campaigns yet. Run `kitchentable serve`, and open one in the browser."
    answer(told, map(_line, told) if told else [none])


def _sessions(server: Server, campaign: str) -> dict[str, Any]:
    """The number of a campaign's sessions, or the reason why the campaign cannot be read."""
    try:
        return {"sessions": overview_of(server.tables, campaign).session, "wrong": None}
    except KitchenTableError as error:
        return {"sessions": None, "wrong": str(error)}


def _line(one: dict[str, Any]) -> str:
    count = one["sessions"]
    played = "" if count is None else f"{count} session{'s' * (count != 1)}, "
    away = ", archived" if one["archived"] else ""
    wrong = f": {one['wrong']}" if one["wrong"] else ""
    about = f"({one['game']}, {played}since {one['created'][:10]}{away}){wrong}"
    return harmless(f"{one['id']}  {one['title']} {about}")


@click.command(
    epilog="""\b
Examples:
  kitchentable log 'The Salt Road' --last 20
  kitchentable log salt --as Mara              the log as Mara sees it"""
)
@click.argument("campaign")
@click.option("--last", type=click.IntRange(1), default=40, show_default=True, help="Entries.")
@click.option("--as", "name", help="As this person sees it. Default: the GM.")
@data_option
@json_option
def log(campaign: str, last: int, name: str | None, data: Data) -> None:
    """Show the end of a campaign's log, as one seat sees it."""
    with server_at(data) as server:
        found = find(server, campaign)
        entries = server.projections.of(found, seat_named(server, found, name)).entries(limit=last)
    told = [
        {
            "number": entry.number or None,
            "kind": entry.kind,
            "time": entry.time,
            "who": entry.who,
            "text": tell(entry, time=False),
        }
        for entry in entries
    ]
    answer(told, [harmless(tell(entry)) for entry in entries])


def seat_named(server: Server, campaign: str, name: str | None) -> str:
    """Find a seat by its person's name; without a name, the GM's. Errors: BadInput."""
    table = server.tables.campaign(campaign).table
    if name is None:
        return table.gm.id
    seats = table.seats.values()
    for seat in seats:
        if seat.name.casefold() == name.casefold() and seat.state == "seated":
            return seat.id
    there = ", ".join(seat.name for seat in seats if seat.state == "seated")
    raise BadInput(
        f"Nobody at this table is called {name!r}. The seats are: {there}.", code="cli/which-seat"
    )
