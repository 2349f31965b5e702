"""Tests of the app may be coroutines; each runs in an event loop of its own.

Nobody else waits for that loop, so a test may read old events on it, as a server does in threads.
"""

import asyncio
import inspect

import pytest

from kitchentable.app import held


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(held, "on_the_loop", lambda: False)
        asyncio.run(test)
    return True
