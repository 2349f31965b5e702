"""The time limit of the current solving or listing, checked inside long computations."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Raises an error if fewer seconds of processor time are left than needed.
CHECK: ContextVar[Callable[[float], None]] = ContextVar("CHECK")


@contextmanager
def checked_by(check: Callable[[float], None]) -> Iterator[None]:
    """Call `check` inside the long computations of this block."""
    before = CHECK.set(check)
    try:
        yield
    finally:
        CHECK.reset(before)


def check_time(needed: float = 0.0) -> None:
    """Check that the current work may take `needed` more seconds. Errors: TooSlow.

    Outside a solving or a listing, there is no limit.

    >>> check_time(1e9)
    """
    check = CHECK.get(None)
    if check is not None:
        check(needed)
