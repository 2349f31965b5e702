"""Rate limit for wrong keys: a token bucket for each address."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable

from kitchentable.dice.errors import BadInput

#: So many addresses are remembered; the one that tried longest ago is forgotten first.
_MOST_ADDRESSES = 10_000


class TooManyTries(BadInput):
    """An address has presented too many keys that open nothing."""

    code = "key/too-many-tries"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"Too many links that open nothing came from your address. Try again in {seconds} s."
        )
        self.seconds = seconds


class Tries:
    """Each address may miss `burst` times at once and gets `per_minute` tries back in a minute.

    `clock` gives seconds that only ever grow; `tell` tells other servers of a miss. Who presents a
    right key loses nothing, so a group behind one address is never locked out by playing.

    >>> tries = Tries(burst=1, per_minute=60, clock=lambda: 0.0)
    >>> tries.missed("192.0.2.1")
    >>> tries.check("192.0.2.1")
    Traceback (most recent call last):
    ...
    kitchentable.web.limits.TooManyTries: Too many links that open nothing came from your ...
    """

    def __init__(
        self,
        *,
        burst: int,
        per_minute: float,
        clock: Callable[[], float],
        tell: Callable[[str], None] = lambda address: None,
    ) -> None:
        self._tell = tell
        self._burst = float(burst)
        self._per_second = per_minute / 60
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Errors: TooManyTries when the address has no try left."""
        left = self._now(network(address))
        if left < 1:
            raise TooManyTries(max(1, math.ceil((1 - left) / self._per_second)))

    def missed(self, address: str) -> None:
        """The address presented a key that opens nothing."""
        one = network(address)
        self._tell(one)
        self.count(one)

    def count(self, one: str) -> None:
        """Count a miss of an address, here or on another server."""
        self._left[one] = (self._now(one) - 1, self._clock())
        self._left.move_to_end(one)
        while len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)

    def _now(self, one: str) -> float:
        left, then = self._left.get(one, (self._burst, self._clock()))
        return min(self._burst, left + (self._clock() - then) * self._per_second)


def network(address: str) -> str:
    """The unit of the rate limit: an IPv4 address, or the IPv6 network of a household.

    >>> network("2001:db8:1:2:3:4:5:6"), network("192.0.2.7"), network("")
    ('2001:db8:1:2::/64', '192.0.2.7', '')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(ipaddress.ip_network(f"{address}/64", strict=False))
