"""Work that begins at once, and gets a task only where it has to wait."""

import asyncio

import pytest

from kitchentable.app.waiting import start


async def test_work_that_waits_for_nothing_is_done_at_once_without_a_task():
    done = []

    async def work() -> None:
        done.append("all")

    assert start(work()) is None
    assert done == ["all"]


async def test_work_that_waits_goes_on_in_a_task_with_what_it_waited_for():
    first, second = asyncio.Future[str](), asyncio.Future[str]()
    heard = []

    async def work() -> None:
        heard.append(await first)
        await asyncio.sleep(0)
        try:
            await second
        except ValueError as error:
            heard.append(str(error))

    task = start(work())
    assert task is not None
    first.set_result("one")
    second.set_exception(ValueError("two"))
    await task
    assert heard == ["one", "two"]


async def test_work_that_waits_can_be_cancelled_and_tidies_up():
    tidy = []

    async def work() -> None:
        try:
            await asyncio.Future()
        finally:
            tidy.append("yes")

    task = start(work())
    assert task is not None
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert tidy == ["yes"]
