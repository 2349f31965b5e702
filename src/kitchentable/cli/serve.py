"""`kitchentable serve`: runs the server, prints its links, and makes backups."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

import click

from kitchentable.app import kept
from kitchentable.app.openings import begin_evening
from kitchentable.app.places import Data
from kitchentable.app.server import Server
from kitchentable.cli.links import Links, make_links, qr_for, tell_drawn
from kitchentable.cli.network import EVERYWHERE, answers, at, home_address, listen
from kitchentable.cli.report import json_option, say_json, wants_json
from kitchentable.cli.server import data_option, server_at
from kitchentable.cli.watching import log_as_json, measured
from kitchentable.cli.workers import Workers, interrupting
from kitchentable.dice.errors import KitchenTableError
from kitchentable.web.run import make_http_server, settle_down
from kitchentable.web.site import Settings

_LOOPBACK = "127.0.0.1"
#: The value of --example that stands for every game.
EVERY = "every-game"
_PROXIES_HERE = ("127.0.0.1", "::1")
#: Seconds between checks whether a backup is due.
_BACKUP_CHECK = 300.0


@click.command(
    epilog="""\b
Examples:
  kitchentable serve --example toast           with a ready campaign
  kitchentable serve --port 9000 --open        on another port, and open a browser
  kitchentable serve --host 127.0.0.1          only for this machine
  kitchentable serve --behind-proxy --public-url https://table.example.org
  kitchentable serve --database postgresql://... --workers 4

\b
Without --host, only this machine and its private network can reach the server.
Ctrl-C stops the server. Everything acknowledged is already on disk."""
)
@click.option(
    "--example",
    is_flag=False,
    flag_value=EVERY,
    metavar="[GAME]",
    help="Add the example campaign of this game; without GAME, of every game.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    help="Listen on this address; may be repeated. Default: this machine and its private network.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0: any free port.",
)
@click.option("--root-path", default="", help="The path of the server, such as /table.")
@click.option("--public-url", default="", help="The address for links, if it differs.")
@click.option("--behind-proxy", is_flag=True, help="Trust a reverse proxy on this machine.")
@click.option(
    "--proxy", "proxies", multiple=True, help="Trust reverse proxies in this network, too."
)
@click.option(
    "--private-webhooks", is_flag=True, help="Let webhooks go to private networks and to http://."
)
@click.option("--open", "browse", is_flag=True, help="Open the host's page in a browser.")
@click.option(
    "--qr",
    default="join",
    show_default=True,
    help="The QR code to print: join, none, or a seat's name.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of server processes; more than one needs PostgreSQL.",
)
@click.option(
    "--metrics",
    type=click.IntRange(1, 65535),
    help="Port for Prometheus, on this machine only; each further worker uses the next port.",
)
@click.option("--log-json", is_flag=True, help="Write the log as lines of JSON.")
@data_option
@json_option
def serve(
    example: str | None,
    hosts: tuple[str, ...],
    port: int,
    root_path: str,
    public_url: str,
    behind_proxy: bool,
    proxies: tuple[str, ...],
    private_webhooks: bool,
    browse: bool,
    qr: str,
    workers: int,
    metrics: int | None,
    log_json: bool,
    data: Data,
) -> None:
    """Start the server, print its links, and make a backup every hour."""
    if workers > 1 and not data.is_shared:
        raise click.UsageError(
            "A database file allows only one worker, because one thread writes to it. For several "
            "workers use PostgreSQL: --database postgresql://..."
        )
    if log_json:
        log_as_json()
    proxied = behind_proxy or bool(proxies)
    home = None if hosts or proxied else home_address()
    prefix = f"/{root_path.strip('/')}" if root_path.strip("/") else ""
    everywhere = hosts or ((_LOOPBACK, home) if home else (_LOOPBACK,))
    ports = () if metrics is None else range(metrics, metrics + workers)
    with (
        until_stopped() as stopped,
        listening(everywhere, [port]) as sockets,
        listening([_LOOPBACK], ports) as watched,
    ):
        port = int(sockets[0].getsockname()[1])
        base = public_url.rstrip("/") or f"http://{at(home or _named(everywhere[0]), port)}{prefix}"
        settings = Settings(
            root_path=prefix,
            # A proxy sends the address with each request; here it is unknown.
            public_url=public_url if proxied else base,
            trusted=(*(_PROXIES_HERE if behind_proxy else ()), *proxies),
            private_webhooks=private_webhooks,
        )
        with server_at(data, new=True) as server:
            ready = asyncio.run(_examples(server, example)) if example else []
            others = [one for one in kept.served_at(server) if one != base and answers(one)]
            kept.remember_served_at(server, base, *others)
            made = make_links(server, base, ready)
            qr_for(made, qr)
            # Missing files or pages must be found before links are printed.
            http = make_http_server(server, settings)
            _tell(made, base, data, qr)
            if not (home or hosts or proxied or wants_json()):
                click.echo(
                    "  No private network was found. For phones, use --host with your address."
                )
            if browse:
                webbrowser.open(made.host)
            if workers == 1:
                with copying(server), measured(server, next(iter(watched), None)):
                    settle_down()
                    http.run(sockets=sockets, stopped=stopped.is_set)
                return

        def work(number: int, stopped: Callable[[], bool]) -> None:
            with (
                server_at(data) as mine,
                measured(mine, watched[number] if watched else None),
            ):
                http = make_http_server(mine, settings)
                settle_down()
                http.run(sockets=sockets, stopped=stopped)

        Workers(workers, work).run()


@contextmanager
def until_stopped() -> Iterator[threading.Event]:
    """Treat Ctrl-C and SIGTERM as a normal end, at any moment; SIGTERM also sets the event."""
    asked = threading.Event()
    before = signal.signal(signal.SIGTERM, interrupting(asked))
    try:
        with suppress(KeyboardInterrupt):
            yield asked
        click.echo("\nThe server has stopped.", err=True)
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def listening(hosts: Sequence[str], ports: Iterable[int]) -> Iterator[list[socket.socket]]:
    """Listen on each of these ports until the block ends. Errors: CannotListen."""
    with ExitStack() as opened:
        yield [opened.enter_context(one) for port in ports for one in listen(hosts, port)]


@contextmanager
def copying(server: Server) -> Iterator[None]:
    """Make automatic backups in the background, whenever one is due."""
    over = threading.Event()

    def look() -> None:
        while True:
            try:
                server.backup_if_due()
            except KitchenTableError as error:
                click.echo(f"The automatic backup failed. {error}", err=True)
            if over.wait(_BACKUP_CHECK):
                return

    copier = threading.Thread(target=look, name="copies", daemon=True)
    copier.start()
    try:
        yield
    finally:
        over.set()
        # An unfinished copy is abandoned; it has no name yet.
        copier.join(0.5)


def _named(host: str) -> str:
    """The address for links to a server that listens on `host`."""
    return (home_address() or _LOOPBACK) if host in EVERYWHERE else host


async def _examples(server: Server, which: str) -> list[str]:
    names = server.local_games.names() if which == EVERY else [which]
    return [await server.open_example(game, begin_evening) for game in names]


def _tell(links: Links, base: str, data: Data, qr: str) -> None:
    if wants_json():
        told = {"url": base, "record": str(data), "host": links.host, "campaigns": links.campaigns}
        say_json(told, indent=None)
        return
    click.echo(f"\n{click.style('Kitchen Table is open', bold=True)} at {base}\n")
    click.echo(f"  Open this link on your own device; it works once.\n    {links.host}\n")
    tell_drawn(links, qr)
    click.echo("\n  `kitchentable links CAMPAIGN` prints a link for each seat.")
    click.echo(f"\n  Database: {data}\n  Ctrl-C stops the server.\n")
