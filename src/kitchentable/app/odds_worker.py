"""The odds process: answers questions on a socket, one after another.

    python -m kitchentable.app.odds_worker NUMBER

`kitchentable.app.odds` starts the process and is its only caller. A question over its limit of
processor time ends the process.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from kitchentable.app.parcels import pack, unpack
from kitchentable.dice.errors import KitchenTableError, NotSolved

#: The memory limit of the process, in bytes.
_MOST_MEMORY = 2_000_000_000
#: The niceness, so that the server comes first on a shared processor.
_NICE = 10
#: Sent when a question has been read and its time begins.
READY = b"ready"


def answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The answer to a question, or the error that refuses it, as bytes.

    >>> unpack(answer(max, (3, 7)))
    (True, 7)
    """
    try:
        return pack((True, function(*arguments)))
    except (MemoryError, RecursionError):
        error: KitchenTableError = NotSolved(
            "These odds need more memory than the server has. The dice can still be thrown."
        )
    except KitchenTableError as refused:
        error = refused
    return pack((False, (type(error), error.args, dict(vars(error)))))


def main(number: int) -> None:
    """Answer until the connection is closed."""
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    # Without a server, nobody waits for an answer.
    with Connection(number) as line, suppress(EOFError, ConnectionError):
        while True:
            within, question = unpack(line.recv_bytes())
            function, arguments = unpack(question)
            line.send_bytes(READY)
            # Its signal ends the process, even in the middle of a long sum and without a server.
            signal.setitimer(signal.ITIMER_PROF, within)
            found = answer(function, arguments)
            signal.setitimer(signal.ITIMER_PROF, 0)
            line.send_bytes(found)


if __name__ == "__main__":
    main(int(sys.argv[1]))
