"""Rate limit for wrong keys, by address."""

from __future__ import annotations

import ipaddress
import math

from kitchentable.app.buckets import Buckets
from kitchentable.dice.errors import BadInput


class TooManyTries(BadInput):
    """An address has sent too many invalid keys."""

    code = "key/too-many-tries"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"Your address has tried too many invalid links. Try again in {seconds} s."
        )
        self.seconds = seconds


class Tries:
    """Invalid keys, counted for each address in `buckets`.

    Valid keys are not counted, so a group behind one address is never locked out by playing.

    >>> tries = Tries(Buckets(1, 1.0, clock=lambda: 0.0))
    >>> tries.count("192.0.2.1")
    >>> tries.check("192.0.2.1")
    Traceback (most recent call last):
    ...
    kitchentable.web.limits.TooManyTries: Your address has tried too many invalid links. Try ...
    """

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def check(self, address: str) -> None:
        """Errors: TooManyTries when the address has no try left."""
        left = self._buckets.remaining(network(address))
        if left < 1:
            raise TooManyTries(max(1, math.ceil((1 - left) / self._buckets.per_second)))

    def count(self, address: str) -> None:
        """Count an invalid key from an address."""
        self._buckets.take(network(address))


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
