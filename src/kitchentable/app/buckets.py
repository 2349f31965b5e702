"""Token buckets: limit how often each caller may do something, on all servers together."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from kitchentable.app.clock import Seconds
from kitchentable.app.others import Others

#: Limit of remembered callers; the one unused for longest is forgotten first.
_MOST_CALLERS = 10_000


class Buckets:
    """Each caller may do something `burst` times at once, and `per_second` more each second. `tell`
    reports each use to the other servers.

    >>> buckets = Buckets(2, 1.0, clock=lambda: 0.0)
    >>> buckets.take("192.0.2.1"), buckets.take("192.0.2.1"), buckets.remaining("192.0.2.2")
    (1.0, 0.0, 2.0)
    """

    def __init__(
        self,
        burst: float,
        per_second: float,
        clock: Seconds = time.monotonic,
        tell: Callable[[str], None] = lambda caller: None,
    ) -> None:
        self._burst = float(burst)
        self.per_second = per_second
        self._clock = clock
        self._tell = tell
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def remaining(self, caller: str) -> float:
        """The number of uses left to a caller now; below 0 after too many."""
        left, then = self._left.get(caller, (self._burst, 0.0))
        return min(self._burst, left + (self._clock() - then) * self.per_second)

    def take(self, caller: str) -> float:
        """Count one use by a caller on all servers; return the number left."""
        self._tell(caller)
        self.count(caller)
        return self.remaining(caller)

    def count(self, caller: str) -> None:
        """Count one use by a caller, here or reported by another server."""
        left = self.remaining(caller) - 1
        self._left[caller] = left, self._clock()
        self._left.move_to_end(caller)
        if len(self._left) > _MOST_CALLERS:
            self._left.popitem(last=False)


def shared(
    others: Others,
    name: str,
    burst: float,
    per_second: float,
    clock: Seconds = time.monotonic,
) -> Buckets:
    """Buckets that all servers of a database share under a name."""
    buckets = Buckets(burst, per_second, clock, lambda caller: others.tell(name, caller))
    others.hear(name, lambda _, caller: buckets.count(caller))
    return buckets
