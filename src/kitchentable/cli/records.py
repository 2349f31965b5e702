"""`campaigns`, `log`, `export`, `import`, `backup`: what is kept, read in the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from kitchentable.app.house import House
from kitchentable.app.plaintext import tell
from kitchentable.cli.house import data_option, house_at
from kitchentable.cli.report import json_option, say_json
from kitchentable.dice.errors import BadInput
from kitchentable.game.values import GM


class WhichCampaign(BadInput):
    """No campaign of the house, or more than one, is meant."""

    code = "cli/which-campaign"


def find(house: House, words: str) -> str:
    """The campaign that is meant: by id, by title, or by the beginning of one of them."""
    known = house.campaigns()
    for same in (
        [one for one in known if one.id == words],
        [one for one in known if one.title.casefold() == words.casefold()],
        [one for one in known if one.title.casefold().startswith(words.casefold())],
        [one for one in known if one.id.startswith(words)],
    ):
        if len(same) == 1:
            return same[0].id
        if same:
            break
    told = "; ".join(f"{one.id} {one.title}" for one in known) or "none yet"
    raise WhichCampaign(f"Which campaign is {words!r}? The house has: {told}.")


@click.command(epilog="\b\nExample:\n  kitchentable campaigns")
@data_option
@json_option
def campaigns(data: Path, as_json: bool) -> None:
    """The campaigns of a house: id, title, game, since when."""
    with house_at(data) as house:
        known = house.campaigns()
    if as_json:
        say_json(known)
        return
    for one in known:
        put_away = ", put away" if one.archived else ""
        click.echo(f"{one.id}  {one.title} ({one.game}, since {one.created[:10]}{put_away})")
    if not known:
        click.echo("No campaign yet. `kitchentable serve` opens the house.")


@click.command(epilog="\b\nExample:\n  kitchentable log 'The Salt Road' --last 20")
@click.argument("campaign")
@click.option("--last", type=click.IntRange(1), default=40, show_default=True, help="How many.")
@data_option
@json_option
def log(campaign: str, last: int, data: Path, as_json: bool) -> None:
    """Read the end of a campaign's log, as its GM sees it."""
    with house_at(data) as house:
        found = find(house, campaign)
        seats = house.tables.campaign(found).table.seats.values()
        gm = next(seat.id for seat in seats if seat.role == GM)
        entries = house.eyes.entries(found, gm, limit=last)
    if as_json:
        say_json([{"number": e.number, "time": e.time, "text": tell(e)} for e in entries])
        return
    for entry in entries:
        click.echo(tell(entry))


@click.command(
    epilog="""\b
Examples:
  kitchentable export 'The Salt Road' salt-road.zip
  kitchentable export salt salt-road.zip --secrets     to move house: open sessions go on"""
)
@click.argument("campaign")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--secrets", is_flag=True, help="Seeds that are not yet revealed go with it.")
@data_option
@json_option
def export(campaign: str, file: Path, secrets: bool, data: Path, as_json: bool) -> None:
    """Write one campaign to one file: the whole journal in JSON lines, and nobody's keys."""
    with house_at(data) as house:
        found = find(house, campaign)
        house.export(found, file, secrets=secrets)
        events = house.tables.campaign(found).number
    if as_json:
        say_json({"campaign": found, "file": str(file), "events": events, "secrets": secrets})
        return
    click.echo(f"{events} events of {found} are in {file}.")
    if secrets:
        click.echo("It holds secret seeds: whoever has it can foretell dice of open sessions.")


@click.command(
    "import",
    epilog="""\b
Examples:
  kitchentable import salt-road.zip
  kitchentable import salt-road.zip --as salt-road-2   beside one that is here already""",
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--as", "new_id", help="Take it in under this id.")
@data_option
@json_option
def import_(file: Path, new_id: str | None, data: Path, as_json: bool) -> None:
    """Take in an exported campaign: identical, whole, or not at all."""
    with house_at(data) as house:
        entry = house.take_in(file, new_name=new_id)
        events = house.tables.campaign(entry.id).number
    if as_json:
        say_json({"campaign": entry.id, "title": entry.title, "events": events})
        return
    click.echo(f"{entry.title} is here, with {events} events, as {entry.id}.")
    click.echo("Its seats get new links from the page of the house, or when it is served.")


@click.command(
    epilog="""\b
Examples:
  kitchentable backup friday.db       a copy of the whole house, while people play
  kitchentable backup --list          the automatic copies there are"""
)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List the automatic copies.")
@data_option
@json_option
def backup(file: Path | None, listing: bool, data: Path, as_json: bool) -> None:
    """Copy the whole house to a file, checked, even while it is open."""
    if listing == (file is not None):
        raise click.UsageError("Name a file to write, or ask for --list.")
    with house_at(data) as house:
        if file is None:
            kept = house.generations()
            if as_json:
                say_json(
                    [{"file": str(one.path), "made": one.made, "why": one.reason} for one in kept]
                )
            else:
                for one in kept:
                    click.echo(f"{one.made:%Y-%m-%d %H:%M}  {one.reason:<16}  {one.path}")
                if not kept:
                    click.echo("No automatic copy yet.")
            return
        written = house.backup(file)
    if as_json:
        say_json({"file": str(written)})
        return
    click.echo(f"The house is copied to {written}, and the copy is sound.")
