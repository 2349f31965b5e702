"""The parent of prepared processes; `tests.fork_server` sends it orders.

    python -m tests.fork_parent FILE

hears orders, a line of JSON each, on the socket that is open under that number.
"""

import functools
import gc
import importlib
import json
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

import uvicorn

from kitchentable.cli import serve
from kitchentable.cli.main import COMMANDS
from kitchentable.cli.main import main as command
from kitchentable.rules import registry
from tests.app import mortal

#: Modules that are imported when they are first needed, and not before.
LATER = [where.partition(":")[0] for where, _ in COMMANDS.values()]


def kitchentable(*words: str) -> None:
    """The command line, which finds templates and routes made ready where it serves."""
    serve.make_http_server = mortal.make_ready_server
    command(words)


def orders(line: socket.socket) -> Iterator[tuple[dict[str, Any], list[int]]]:
    """Each order, with the files that were lent with it."""
    while True:
        text, lent, _, _ = socket.recv_fds(line, 1 << 16, 16)
        while text and not text.endswith(b"\n"):
            text += line.recv(1 << 16)
        if not text:
            return
        yield json.loads(text), lent


def become(order: dict[str, Any], lent: list[int]) -> None:
    """Become the requested process."""
    out, err, *more = lent
    for own, other in ((out, 1), (err, 2)):
        os.dup2(own, other)
        os.close(own)
    # The old one would remember whether it was a file, a pipe or a terminal.
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environ"])
    module, _, name = order["call"].partition(":")
    getattr(importlib.import_module(module), name)(*order["words"], *more)


def main() -> None:
    """Import everything, and start the requested processes."""
    line = socket.socket(fileno=int(sys.argv[1]))
    for module in LATER:
        importlib.import_module(module)
    registry.entry_points = functools.cache(registry.entry_points)
    for name in registry.names():
        registry.load(name)
    uvicorn.Config(mortal.serve).load()
    mortal.get_ready()
    gc.collect()
    gc.freeze()
    for order, lent in orders(line):
        if "ended" in order:
            number, status = os.waitpid(order["ended"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if number else None
        else:
            answer = os.fork()
            if not answer:
                os.close(line.detach())
                become(order, lent)
                return
            for one in lent:
                os.close(one)
        line.sendall(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main()
