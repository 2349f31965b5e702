"""The odds process: answers questions on a socket, one after another.

    python -m kitchentable.app.odds_worker NUMBER

`kitchentable.app.odds` starts it, ends it if it takes too long, and is its only caller.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
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
            "These odds take more memory to work out than there is; the dice can be thrown all "
            "the same."
        )
    except KitchenTableError as refused:
        error = refused
    return pack((False, (type(error), error.args, dict(vars(error)))))


def main(number: int) -> None:
    """Answer until the connection is closed."""
    # Ctrl-C at the terminal is for the server, which ends this process by closing the socket.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    with Connection(number) as line:
        while True:
            try:
                seconds, question = unpack(line.recv_bytes())
            except EOFError:
                return
            # If the server was killed, only this alarm ends a long question.
            signal.alarm(seconds)
            function, arguments = unpack(question)
            line.send_bytes(READY)
            line.send_bytes(answer(function, arguments))
            signal.alarm(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
