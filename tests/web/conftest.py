"""A server with visitors, for all tests of pages."""

from collections.abc import Iterator

import pytest

from tests.web.visitors import Clock, Visited, visit


@pytest.fixture
def clock() -> Clock:
    """The clock of the server's limits."""
    return Clock()


@pytest.fixture
def visited(clock: Clock) -> Iterator[Visited]:
    """A server of its own for one test."""
    with visit(clock=clock) as one:
        yield one


@pytest.fixture(scope="module")
def shared() -> Iterator[Visited]:
    """A server for all tests of a module that change nothing in it."""
    with visit() as one:
        yield one
