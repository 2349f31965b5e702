"""Waiting: whether this thread may, and work that begins before it has to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from typing import Any


def on_the_loop() -> bool:
    """Whether an event loop runs in this thread, so that everybody waits while it waits."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run until the first wait; gives a task for the rest, or None where nothing is left.

    Sending waits for slow clients alone, so most events need no task. (Python 3.12 can do this.)
    """
    try:
        awaited = work.send(None)
    except StopIteration:
        return None
    return asyncio.create_task(_go_on(work, awaited))


async def _go_on(work: Coroutine[Any, Any, None], awaited: Any) -> None:
    await _Begun(work, awaited)


class _Begun:
    """A coroutine that was begun outside of a task, and what it waits for."""

    __slots__ = ("_awaited", "_work")

    def __init__(self, work: Coroutine[Any, Any, None], awaited: Any) -> None:
        self._work = work
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, None]:
        work, awaited = self._work, self._awaited
        while True:
            try:
                try:
                    answer = yield awaited
                except BaseException as error:  # noqa: BLE001 - the coroutine is to handle it
                    awaited = work.throw(error)
                else:
                    awaited = work.send(answer)
            except StopIteration:
                return
