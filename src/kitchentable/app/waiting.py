"""Whether this thread may wait."""

from __future__ import annotations

import asyncio


def on_the_loop() -> bool:
    """Whether an event loop runs in this thread, so that everybody waits while it waits."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
