"""Server-sent events for programs: the log as it grows, and the parts of the view that changed.

The messages are `news`; `alive` shows that the stream is open, `reload` asks the program to begin
anew without a cursor, `bye` is the last one of a seat that has ended. The id of a message is the
cursor from which a stream goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import msgspec
from litestar import get
from litestar.types import ASGIApp

from kitchentable.app.shapes import News, plain
from kitchentable.app.spans import Update
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.read_models import View
from kitchentable.web.api import Cursor
from kitchentable.web.at_table import AtTable
from kitchentable.web.connections import pipe_of
from kitchentable.web.feed import UNSEEN, Watcher, watcher_of
from kitchentable.web.streams import Stream, check_screens
from kitchentable.web.urls import path

#: Every event moves the cursor, and it is the id of the message.
_NEWS = ("news",)
_PARTS = tuple(one.name for one in fields(View) if one.name != "cursor")


@dataclass(slots=True)
class ProgramScreen:
    """The state of a program's stream: the parts of the view as last sent."""

    watcher: Watcher
    parts: dict[str, Any] = field(default_factory=dict)
    people: tuple[str, ...] = ()
    stale: bool = False

    def heard(self, update: Update) -> bytes | None:
        """An update of entries alone: one message for all seats that read the same."""
        known = self.parts and update.people == self.people
        if update.ended or update.reload or not known or update.touched - UNSEEN:
            return None
        return _message(update) if update.entries or update.altered else b""

    def news(self, update: Update) -> bytes:
        """Any other update as a message; b"" where this seat notices nothing of it."""
        changed: dict[str, Any] = {}
        if not self.parts or update.touched - UNSEEN:
            changed = self._changed()
        if update.people == self.people and not (changed or update.entries or update.altered):
            return b""
        self.people = update.people
        return _message(update, changed)

    def _changed(self) -> dict[str, Any]:
        view = self.watcher.projection.view
        if not view.me.is_seated:
            raise NotAllowed("The GM has not let you in yet.", code="seat/waiting")
        now = {name: getattr(view, name) for name in _PARTS}
        if not self.parts:
            now["cursor"] = view.cursor
        changed = {name: one for name, one in now.items() if self.parts.get(name, self) != one}
        self.parts.update(now)
        return changed


def _message(update: Update, changed: dict[str, Any] | None = None) -> bytes:
    if changed:
        return _written(update, changed)
    message = update.messages.get(_NEWS)
    if message is None:
        message = update.messages[_NEWS] = _written(update, {})
    return message


def _written(update: Update, changed: dict[str, Any]) -> bytes:
    news = News(entries=update.entries, altered=update.altered, view=changed, people=update.people)
    data = msgspec.json.encode(plain(news)).decode()
    return f"id: {update.cursor}\nevent: news\ndata: {data}\n\n".encode()


@get(
    path("api_events"), summary="What happens", tags=["table"], opt={"answers": "text/event-stream"}
)
async def api_events(request: AtTable, after: Cursor = "") -> ASGIApp:
    """A stream of server-sent events: what is new after a cursor, and then as it happens.

    The first `news` has the whole view. A stream that was cut goes on with `Last-Event-ID`.
    """
    watcher = watcher_of(request, request.sitting)
    check_screens(watcher)
    cursor = request.headers.get("last-event-id") or after or None
    screen, pipe = ProgramScreen(watcher), pipe_of(request.scope)
    return Stream(screen, cursor, secure=request.origin.secure, pipe=pipe)
