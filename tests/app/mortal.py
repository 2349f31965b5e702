"""A server on an inherited socket: requests between two servers wait for the next one.

Its processes begin in a nursery (see `tests.nursery`), which has made rooms and templates ready.
"""

import socket
from pathlib import Path

from litestar import Litestar

from kitchentable.app.house import House
from kitchentable.store import MemoryStore
from kitchentable.web.render import Renderer
from kitchentable.web.run import HouseServer, make_server, settle_down
from kitchentable.web.server import make_rooms, make_site
from kitchentable.web.settings import Settings
from tests.compiled import ASSETS, COMPILED

#: Rooms for the one house that each process opens.
READY: list[Litestar] = []


def get_ready() -> None:
    """Make routes and templates once for all servers."""
    Renderer(ASSETS, compiled=COMPILED).warm()
    nowhere = House(MemoryStore())
    READY.append(make_rooms(make_site(nowhere, assets=ASSETS, compiled=COMPILED)))
    nowhere.close()


def make_ready_server(house: House, settings: Settings | None = None) -> HouseServer:
    """As `make_server`, from the prepared parts."""
    return make_server(house, settings, assets=ASSETS, compiled=COMPILED, rooms=READY[0])


def serve(database: str, listener: int) -> None:
    """Open the database, and serve it until killed or stopped."""
    house = House.at(Path(database))
    server = make_ready_server(house)
    settle_down()
    server.run(sockets=[socket.socket(fileno=listener)])
    house.close()
    print("closed")
