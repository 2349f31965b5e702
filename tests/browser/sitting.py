"""How somebody comes to sit at a table of a browser test; see `conftest.py`."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.people import Person

#: Seats a person by name at the test's table, with a browser of their own.
Sit = Callable[[str], Person]
