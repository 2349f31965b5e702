"""Clocks that tests can replace, and a check whether a thread may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

#: Returns the current time as ISO-8601 in UTC, to the microsecond, with a closing Z.
Clock = Callable[[], str]
#: Returns seconds of a monotonic clock.
Seconds = Callable[[], float]


def utc_now() -> str:
    """The current time, in the form that events store.

    >>> len(utc_now())
    27
    """
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def on_the_loop() -> bool:
    """Whether an event loop runs in this thread, which must therefore not block.

    >>> on_the_loop()
    False
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
