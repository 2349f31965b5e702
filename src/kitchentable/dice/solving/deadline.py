"""The time limit of the current solving, checked inside long computations."""

from collections.abc import Callable
from contextvars import ContextVar

#: Raises an error if fewer seconds of processor time are left than needed.
CHECK: ContextVar[Callable[[float], None]] = ContextVar("CHECK")


def check_time(needed: float = 0.0) -> None:
    """Check that the current solving may take `needed` more seconds. Errors: TooSlow.

    Outside a solving, there is no limit.

    >>> check_time(1e9)
    """
    check = CHECK.get(None)
    if check is not None:
        check(needed)
