"""The clock of the application, in one place so that tests can replace it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

#: Gives the current time as ISO-8601 in UTC, to the microsecond, with a closing Z.
Clock = Callable[[], str]


def utc_now() -> str:
    """The current time, in the form that events store.

    >>> len(utc_now())
    27
    """
    return datetime.now(UTC).isoformat(timespec="microseconds")[: -len("+00:00")] + "Z"
