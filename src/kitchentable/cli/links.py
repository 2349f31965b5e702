"""`kitchentable links`: new links to a server, with a QR code."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import click
import segno

from kitchentable.app import kept
from kitchentable.app.places import Data
from kitchentable.app.server import Server
from kitchentable.cli.network import answers
from kitchentable.cli.report import json_option, say_json, wants_json
from kitchentable.cli.server import data_option, find, server_at
from kitchentable.web.urls import Urls, opens_here_only

_NOTHING = "none"
_INVITATION = "join"
#: Shown instead of a QR code that no phone could open.
_HERE_ONLY = (
    "\n  Only this machine can open these links. For phones on the same network, run serve\n"
    "  without --host 127.0.0.1, or with --host and this machine's address in that network."
)


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A link to a seat, with the seat's name and role."""

    name: str
    role: str
    link: str


@dataclass(frozen=True, slots=True)
class CampaignLinks:
    """The links to one campaign: one for each seat, and one for new players."""

    campaign: str
    title: str
    seats: tuple[SeatLink, ...]
    join: str


@dataclass(frozen=True, slots=True)
class Links:
    """The links to a server: the host's one-time link, and those of campaigns."""

    host: str
    campaigns: tuple[CampaignLinks, ...]


def make_links(server: Server, base: str, campaigns: Sequence[str]) -> Links:
    """Make new links with this address; the host's former link stops working."""
    url = Urls(base.rstrip("/"))
    return Links(
        host=url("host_key", key=server.host_link()),
        campaigns=tuple(
            CampaignLinks(
                campaign=one,
                title=server.tables.campaign(one).title,
                seats=tuple(
                    SeatLink(name, role, url("seat_key", key=key))
                    for name, role, key in server.seat_links(one)
                ),
                join=url("join", key=kept.join_key(server, one)),
            )
            for one in campaigns
        ),
    )


def tell_links(links: Links, qr: str) -> None:
    """Print links; `qr` is "join", "none", or the name of the link to draw."""
    click.echo(f"  The host's link, which works once\n    {links.host}\n")
    for campaign in links.campaigns:
        click.echo(click.style(f"  {campaign.title}", bold=True))
        wide = max(len(seat.name) for seat in campaign.seats)
        for seat in campaign.seats:
            role = " (GM)" if seat.role == "gm" and seat.name != "GM" else ""
            click.echo(f"    {seat.name:<{wide}}{role}  {seat.link}")
        click.echo(f"    {'Join':<{wide}}  {campaign.join}")
    tell_drawn(links, qr)


def tell_drawn(links: Links, qr: str) -> None:
    """Print the QR code of a link, or why there is none; for `qr` see `tell_links`."""
    drawn = qr_for(links, qr)
    if drawn is None:
        return
    whose, link = drawn
    if opens_here_only(link):
        click.echo(_HERE_ONLY)
    else:
        click.echo(f"\n  For a phone on the same network, {whose}:\n")
        click.echo(qr_code(link))


def qr_for(links: Links, qr: str) -> tuple[str, str] | None:
    """The link to draw, with words for its owner. Errors: click.BadParameter."""
    if qr == _NOTHING or not links.campaigns:
        return None
    for campaign in links.campaigns:
        if qr == _INVITATION:
            return "to join (the GM lets you in)", campaign.join
        for seat in campaign.seats:
            if seat.name.casefold() == qr.casefold():
                return f"as {seat.name}", seat.link
    names = ", ".join(seat.name for campaign in links.campaigns for seat in campaign.seats)
    raise click.BadParameter(
        f"No link is called {qr!r}. Use {_INVITATION}, {_NOTHING} or one of: {names}.",
        param_hint="--qr",
    )


def qr_code(link: str) -> str:
    """Draw a link as a QR code for the terminal, two modules per character."""
    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, compact=True, border=2)
    # These colours make the code dark on light in every terminal.
    lines = drawn.getvalue().rstrip("\n").split("\n")
    return "\n".join(click.style(line, fg="bright_white", bg="black") for line in lines)


@click.command(
    epilog="""\b
Examples:
  kitchentable links 'The Salt Road'           new links; earlier links to seats still work
  kitchentable links --qr none                 only the host's link
  kitchentable links salt --qr Mara            with Mara's link as a QR code"""
)
@click.argument("campaign", required=False)
@click.option("--url", help="The server's address. Default: the last one.")
@click.option(
    "--qr",
    default=_INVITATION,
    show_default=True,
    help="The QR code to print: join, none, or a seat's name.",
)
@data_option
@json_option
def links(campaign: str | None, url: str | None, qr: str, data: Data) -> None:
    """Make new links: for the host, and for the seats of a campaign."""
    with server_at(data) as server:
        known = kept.served_at(server)
        if not (url or known):
            raise click.UsageError(
                "This server has not run yet, so its address is unknown. Add the address, for "
                "example --url https://table.example.org"
            )
        # The newest server may have stopped while another one of the same database still runs.
        base = url or next(filter(answers, known), known[0])
        made = make_links(server, base, [find(server, campaign)] if campaign else [])
    if wants_json():
        say_json(made)
    else:
        tell_links(made, qr)
