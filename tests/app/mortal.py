"""A house served by one mortal child after another; imports and templates are paid for once.

    python -m tests.app.mortal DATABASE

prints the port it listens on. Then each line on its input begins a new child, which opens the
record anew and serves it; the child's process number is printed once it is begun.
The listening socket belongs to the parent: whoever calls while nobody serves waits for the next.
"""

import os
import socket
import sys
from pathlib import Path

from kitchentable.app.house import House
from kitchentable.game import registry
from kitchentable.web.render import Renderer
from kitchentable.web.run import make_server, settle_down
from tests.compiled import ASSETS, COMPILED


def serve(database: Path, listener: socket.socket) -> None:
    """Be one of the children: open the record, and serve it until killed."""
    house = House.at(database)
    make_server(house, assets=ASSETS, compiled=COMPILED).run(sockets=[listener])
    house.close()


def main() -> None:
    """Be the parent."""
    database = Path(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    registry.load_all()
    Renderer(ASSETS, compiled=COMPILED).warm()
    settle_down()
    print(listener.getsockname()[1], flush=True)
    child = 0
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if not child:
            os.close(0)
            serve(database, listener)
            os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main()
