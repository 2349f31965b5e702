"""Sources of random numbers."""

import random
import secrets
from typing import Protocol


class Source(Protocol):
    """A source of fair whole numbers below a bound, the only source of chance.

    Any class with this method fits:

    >>> from kitchentable.dice import RollingDice
    >>> class AlwaysTheLowest:
    ...     def below(self, n: int, /) -> int:
    ...         return 0
    >>> RollingDice(AlwaysTheLowest()).die(6)
    1
    """

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, all equally likely."""
        ...


class SystemEntropy:
    """The operating system's entropy, for rolls outside a campaign.

    >>> 0 <= SystemEntropy().below(6) < 6
    True
    """

    __slots__ = ()

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, all equally likely."""
        return secrets.randbelow(n)


class SeededSource:
    """Numbers that repeat for the same seed: for tests and benchmarks, never for play.

    >>> SeededSource(7).below(1000) == SeededSource(7).below(1000)
    True
    """

    __slots__ = ("_below",)

    def __init__(self, seed: int) -> None:
        self._below = random.Random(seed).randrange

    def below(self, n: int, /) -> int:
        """A number from 0 to n - 1, all equally likely."""
        return self._below(n)
