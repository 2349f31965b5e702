"""Reserved throw numbers, recorded already and used by the next throw.

Throws take them in the event loop while a thread may be giving them back to the store, so each is
handed out once.
"""

from __future__ import annotations

import threading
from bisect import insort


class Ready:
    """Reserved numbers by campaign and session, mostly one for each.

    >>> ready = Ready()
    >>> ready.lay("salt-road", 1, 4)
    >>> ready.take("salt-road", 1), ready.take("salt-road", 1)
    (4, None)
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], list[int]] = {}
        self._lock = threading.Lock()

    def lay(self, campaign: str, session: int, number: int) -> None:
        """Add a number for the next throw."""
        with self._lock:
            insort(self._numbers.setdefault((campaign, session), []), number)

    def take(self, campaign: str, session: int) -> int | None:
        """Take the lowest number of a session; None if there is none."""
        with self._lock:
            numbers = self._numbers.get((campaign, session))
            return numbers.pop(0) if numbers else None

    def has(self, campaign: str, session: int) -> bool:
        """Whether a number of this session is reserved."""
        return bool(self._numbers.get((campaign, session)))

    def take_all(self, campaign: str | None) -> list[tuple[str, int, int]]:
        """Take every number of a campaign or of all, with campaign and session, highest first.

        >>> ready = Ready()
        >>> for number in (4, 5):
        ...     ready.lay("salt-road", 1, number)
        >>> ready.take_all("another"), ready.take_all(None)
        ([], [('salt-road', 1, 5), ('salt-road', 1, 4)])
        """
        with self._lock:
            ours = [key for key in self._numbers if campaign in {None, key[0]}]
            taken = [(*key, number) for key in ours for number in self._numbers.pop(key)]
        return taken[::-1]
