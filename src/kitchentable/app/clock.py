"""Time: clocks, in one place so that tests can replace them, and whether a thread may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

#: Gives the current time as ISO-8601 in UTC, to the microsecond, with a closing Z.
Clock = Callable[[], str]
#: Gives seconds that only ever grow; a difference between two of them is a span of time.
Seconds = Callable[[], float]


def utc_now() -> str:
    """The current time, in the form that events store.

    >>> len(utc_now())
    27
    """
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def on_the_loop() -> bool:
    """Whether an event loop runs in this thread, so that everybody waits while it waits.

    >>> on_the_loop()
    False
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
