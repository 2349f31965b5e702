"""What time it is: the only place that asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

#: Gives the time now as ISO-8601 in UTC, to the microsecond, with a closing Z.
Clock = Callable[[], str]


def utc_now() -> str:
    """The time now, as events carry it.

    >>> len(utc_now())
    27
    """
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
