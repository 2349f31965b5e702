"""A server for each test file, and a table with people for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from kitchentable.app.server import lay_out
from tests.browser.people import EXPECT, Person, Sit
from tests.browser.serving import Played, Served

# The usual five seconds are too few on a machine that others keep busy.
expect.set_options(timeout=EXPECT)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as one:
        yield one


@pytest.fixture
def table(served: Served) -> Played:
    one = Played(served, served.wait_for(lay_out(served.server, "toast")))
    one.play("GM> begin")
    return one


@pytest.fixture
def sit(browser: Browser, table: Played) -> Iterator[Sit]:
    people: list[Person] = []

    def sit(name: str) -> Person:
        person = Person(browser, name)
        person.context.add_cookies([table.cookie(name)])
        person.page.goto(table.address)
        person.live()
        people.append(person)
        return person

    yield sit
    for person in people:
        assert [one for one in person.complaints if "ailed to" not in one] == [], person.name
        person.close()
