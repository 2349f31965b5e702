"""Responses that a test delays, so that a race happens for certain."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from playwright.sync_api import APIResponse, Page, Route


class Held:
    """The table has what a page sent, and the page does not know it yet.

    Only what is sent is held (POST), unless `method` says otherwise. Lets everything through at the
    end; `lose` breaks the line instead.
    """

    def __init__(self, page: Page, what: str, method: str = "POST") -> None:
        self._page = page
        self._what = what
        self._method = method
        self._waiting: list[tuple[Route, APIResponse]] = []
        self._done = False
        self.requests = 0

    def __enter__(self) -> Self:
        self._page.route(self._what, self._hold)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.let_through()
        self._page.unroute(self._what)

    def _hold(self, route: Route) -> None:
        if self._done or route.request.method != self._method:
            route.continue_()
            return
        self.requests += 1
        self._waiting.append((route, route.fetch()))

    def wait(self, requests: int = 1) -> None:
        """Until this many requests have come, and the table has them."""
        for _ in range(1500):
            if len(self._waiting) >= requests:
                return
            self._page.wait_for_timeout(20)
        raise AssertionError(f"only {self.requests} came")

    def let_through(self) -> None:
        """Let the responses through in order, and delay nothing from now on."""
        waiting, self._waiting = self._waiting, []
        self._done = True
        for route, answer in waiting:
            route.fulfill(response=answer)

    def lose(self) -> None:
        """Drop the responses: the connection broke after the server had the request."""
        waiting, self._waiting = self._waiting, []
        self._done = True
        for route, _ in waiting:
            route.abort()
