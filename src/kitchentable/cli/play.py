"""`kitchentable play` and `kitchentable mcp`: a seat in a terminal, and for programs."""

from __future__ import annotations

import importlib
import importlib.util
import os
import signal
import threading

import click

from kitchentable.app.shapes import Refused
from kitchentable.cli.report import harmless, json_option, say_json, wants_json
from kitchentable.cli.terminal.prompt import lines_typed
from kitchentable.cli.terminal.session import Session
from kitchentable.cli.terminal.telling import tell_refusal
from kitchentable.cli.terminal.verbs import run_line
from kitchentable.client import Table, read_link
from kitchentable.client.table import Refusal
from kitchentable.dice.errors import BadInput, KitchenTableError

_EARLIER = 10


@click.command(
    epilog="""\b
Examples:
  kitchentable play https://table.example.org/s/KEY
  kitchentable play https://table.example.org/join/KEY --name Ida
  echo "/roll 2d6+3 to climb" | kitchentable play LINK
  kitchentable play LINK --json                  a JSON object on each line, for programs

\b
At the table, /help lists the verbs. Tab completes a line; the arrow keys recall earlier lines."""
)
@click.argument("link", envvar="KITCHENTABLE_LINK")
@click.option("--name", default="", help="Your name, for an invitation link.")
@click.option(
    "--log",
    "earlier",
    type=click.IntRange(0, 500),
    default=_EARLIER,
    show_default=True,
    help="Number of earlier entries to show.",
)
@json_option
def play(link: str, name: str, earlier: int) -> None:
    """Play at a table: read the log as it grows, and type what you say and do."""
    as_json = wants_json()
    with come_in(link, name) as table:
        session = Session(
            table,
            click.echo if as_json else lambda line: click.echo(harmless(line)),
            as_json=as_json,
        )
        seat = table.seat.name if table.seat is not None else ""
        session.tell(
            "table", table.title, [f"{table.title}. You are {seat}. /help lists the verbs."]
        )
        cursor = table.view().cursor
        session.tell_log(table.entries(limit=earlier) if earlier else ())
        threading.Thread(target=_listen, args=[session, cursor], daemon=True).start()
        try:
            _play(session)
        except KeyboardInterrupt:
            if session.ended is None:
                raise
        if session.ended is not None:
            raise session.ended


def come_in(link: str, name: str) -> Table:
    """Open the table of a link; with an invitation link, knock and wait for the GM.

    Errors: BadLink, Refusal, Unreachable, Gone.
    """
    if read_link(link).kind == "s":
        return Table.at(link)
    if not name:
        raise click.UsageError("An invitation link needs your name. Add it, such as --name Ida")
    table = Table.knock(link, name)
    back = f"{table.link.base}/s/{table.link.key}"
    if wants_json():
        say_json({"knocked": {"link": back}}, indent=None)
    else:
        click.echo(
            f"You knock as {name}. Wait until the GM lets you in. To come back later: {back}"
        )
    table.wait_for_yes()
    return table


def _play(session: Session) -> None:
    """Run lines until the person leaves; after a refusal, print it and read the next line."""
    with lines_typed(session.table) as lines:
        for line in lines:
            try:
                if not run_line(session, line):
                    return
            except KitchenTableError as refused:
                _tell_refusal(session, refused)


def _tell_refusal(session: Session, refused: KitchenTableError) -> None:
    ours = Refused(code=refused.code, sentence=str(refused))
    told = refused.told if isinstance(refused, Refusal) else ours
    session.tell("error", told, tell_refusal(refused))


def _listen(session: Session, cursor: str) -> None:
    """Print the news of the table; when the seat ends, interrupt the prompt."""
    session.follow(cursor)
    if session.ended is not None:
        os.kill(os.getpid(), signal.SIGINT)


@click.command(
    epilog="""\b
Examples:
  kitchentable mcp https://table.example.org/s/KEY
  KITCHENTABLE_LINK=https://table.example.org/s/KEY kitchentable mcp"""
)
@click.argument("link", envvar="KITCHENTABLE_LINK")
@json_option
def mcp(link: str) -> None:
    """Offer a seat as tools of the Model Context Protocol, over standard input and output."""
    if importlib.util.find_spec("mcp") is None:
        raise BadInput(
            "The MCP library is not installed: pip install 'kitchentable[mcp]'",
            code="mcp/not-installed",
        )
    tools = importlib.import_module("kitchentable.cli.tools")
    with Table.at(link) as table:
        tools.make_tools(table).run("stdio")
