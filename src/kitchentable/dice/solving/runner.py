"""One run of a mechanic along its script, safe against mechanics that catch exceptions.

A mechanic may catch an exception of the solver (the path stops, a number must be enumerated), or an
exception that another mechanic raises only for some dice. So the dice of a mechanic that catches
exceptions store every exception that they raise, and the runner raises it again after the run.
"""

import sys
from collections.abc import Callable
from typing import Any

from kitchentable.dice.errors import BadInput, CaughtInside, KitchenTableError
from kitchentable.dice.mechanic import no_such_throw
from kitchentable.dice.solving.bytecode import find_tail_calls
from kitchentable.dice.solving.inspection import look_at
from kitchentable.dice.solving.walk import Walk

_OURS = ("kitchentable.dice.mechanic", "kitchentable.dice.solving.")
_ASKED = ("die", "pool", "total", "count", "draw", "perform")


def prepare(walk: Walk) -> None:
    """Check the mechanic's code and configure its walk accordingly."""
    look = look_at(walk.mechanic.__wrapped__, walk.key[3])
    walk.plain = walk.open = look.plain
    walk.eager = look.eager
    walk.guarded = look.guarded
    if look.guarded:
        for name in _ASKED:
            setattr(walk, name, _storing(walk, name, getattr(walk, name)))


def _storing(walk: Walk, name: str, asked: Callable[..., Any]) -> Callable[..., Any]:
    """A method of the dice that also stores the exception that it raises."""

    def asking(*args: Any, **kwargs: Any) -> Any:
        if walk.raised is not None:
            raise walk.raised
        try:
            return asked(*args, **kwargs)
        except BadInput as error:
            if name == "perform":
                walk.raised = error
            raise
        except Exception as error:
            walk.raised = error
            raise

    return asking


def is_returned(walk: Walk) -> bool:
    """Whether the mechanic returns the result of the current call unchanged."""
    code = walk.mechanic.__wrapped__.__code__
    frame = sys._getframe(2)  # noqa: SLF001 - no other way to find the calling instruction
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_OURS):
        frame = frame.f_back
    return frame.f_code is code and frame.f_lasti in find_tail_calls(code)


def run(walk: Walk) -> Any:
    """Run the mechanic along its script."""
    walk.raised = None
    try:
        outcome = walk.mechanic.__wrapped__(walk, *walk.args, **walk.kwargs)
    except KitchenTableError as error:
        _raise_stored(walk, error)
        raise
    except Exception as error:
        _raise_stored(walk, error)
        # A `__getattr__` with this error would slow down every other attribute.
        if isinstance(error, AttributeError) and error.obj is walk:
            raise no_such_throw(str(error.name)) from error
        if (walk.covers or walk.waiting) and not walk.open:
            # C code may reject a symbolic number where it accepts a plain one.
            raise walk.plainly("An exception may be due to a symbolic number.") from error
        raise
    _raise_stored(walk)
    return outcome


def _raise_stored(walk: Walk, now: Exception | None = None) -> None:
    """Raise the exception that the mechanic has caught."""
    error = walk.raised
    if error is None or error is now:
        return
    if isinstance(error, KitchenTableError) and not isinstance(error, BadInput):
        raise error
    raise _caught(walk, error) from error


def check_caught(walk: Walk | None, error: Exception) -> None:
    """Refuse an exception of another mechanic that a caller may catch."""
    if walk is None or walk is walk.results.walking:
        return
    if isinstance(error, BadInput) or not isinstance(error, KitchenTableError):
        raise _caught(walk, error) from error


def _caught(walk: Walk, error: Exception) -> CaughtInside:
    return CaughtInside(
        f"{walk.place} catches a {type(error).__name__} ({error}) that was raised while it used "
        f"its dice. Only some dice raise it, and odds cannot tell these dice apart. Make the "
        f"other mechanic return a value instead."
    )
