"""The time limit of the solving that runs now, checked inside long computations."""

from collections.abc import Callable
from contextvars import ContextVar

#: Raises an error if this many more seconds of the processor are not left.
CHECK: ContextVar[Callable[[float], None]] = ContextVar("CHECK")


def check_time(needed: float = 0.0) -> None:
    """Check that the running solving may take `needed` more seconds. Errors: TooSlow.

    Outside a solving nothing is checked.

    >>> check_time(1e9)
    """
    check = CHECK.get(None)
    if check is not None:
        check(needed)
