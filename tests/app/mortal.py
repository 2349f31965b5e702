"""A server on an inherited socket: requests between two servers wait for the next one.

Its processes are forked from one that has made routes and templates ready (`tests.fork_server`).
"""

import socket
from asyncio import Protocol

from litestar import Litestar
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol

from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from kitchentable.web.application import make_app
from kitchentable.web.connections import limited
from kitchentable.web.render import Renderer
from kitchentable.web.run import HttpServer, make_http_server, settle_down
from kitchentable.web.site import Settings
from tests.compiled import ASSETS, COMPILED

#: Routes for the one server that each process opens.
READY: list[Litestar] = []


def get_ready() -> None:
    """Make routes and templates once for all servers."""
    Renderer(ASSETS, compiled=COMPILED).warm()
    nowhere = Server(MemoryStore())
    READY.append(make_app(nowhere, assets=ASSETS, compiled=COMPILED).router)
    nowhere.close()


def make_ready_server(server: Server, settings: Settings | None = None) -> HttpServer:
    """As `make_http_server`, from the prepared parts."""
    return make_http_server(server, settings, assets=ASSETS, compiled=COMPILED, router=READY[0])


def serve(database: str, listener: int, protocol: type[Protocol] = AutoHTTPProtocol) -> None:
    """Open the database, and serve it until killed or stopped."""
    server = Server.at(database)
    http = make_ready_server(server)
    http.config.http = limited(protocol, Settings())
    settle_down()
    http.run(sockets=[socket.socket(fileno=listener)])
    server.close()
    print("closed")


def serve_with_h11(database: str, listener: int) -> None:
    """As `serve`, as where the extra `fast` is not installed."""
    serve(database, listener, H11Protocol)
