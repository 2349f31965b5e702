"""Processes that append to the harbour until their steps are done, or until they are killed.

It reads commands from its input, so that the imports are paid for once:

start PLACE FILE NAME STEPS: a new process whose two threads share the steps; answers its number. It
writes to FILE: ``ready`` once the store at PLACE is open, and, after it was sent a signal to
go on, a line for each step that the store acknowledged: the command, its row numbers and the throw
number it was given; ``done`` at the end.

wait NUMBER: answers the exit code of a process.
"""

import os
import signal
import sys
import threading
import traceback
from pathlib import Path

from kitchentable.store import Append, Conflict, NewRow
from kitchentable.store.places import open_place

TIME = "2026-11-21T19:30:00Z"


def play(place: str, file: Path, name: str, steps: int) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    store = open_place(place, software="0.1.0", wait=30)
    told = file.open("wb", buffering=0)
    told.write(b"ready\n")
    signal.sigwait({signal.SIGUSR1})

    def part(first: int) -> None:
        for step in range(first, steps, 2):
            command = f"{name}-{step}"
            row = NewRow(TIME, "said", b'{"by":"%s"}' % command.encode())
            throw = store.reserve("harbour", 1, command)
            while True:
                try:
                    done = store.append(
                        Append("harbour", store.latest("harbour"), command, [row] * 2)
                    )
                    break
                except Conflict:
                    continue
            first_row, second_row = (row.number for row in done.rows)
            told.write(f"{command} {first_row} {second_row} {throw}\n".encode())

    threads = [threading.Thread(target=part, args=(first,)) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    told.write(b"done\n")


def start(place: str, file: str, name: str, steps: str) -> int:
    if number := os.fork():
        return number
    try:
        play(place, Path(file), name, int(steps))
    except BaseException:  # noqa: BLE001 - a forked process ends here, whatever happened
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main() -> None:
    for line in sys.stdin:
        match line.rstrip("\n").split("\t"):
            case ["start", place, file, name, steps]:
                print(start(place, file, name, steps), flush=True)
            case ["wait", number]:
                _, status = os.waitpid(int(number), 0)
                print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
