"""The live feed: server-sent events with what is new for one seat.

Every message contains its position in the log, so a browser that reconnects sends its last
position and gets the rest. The page and the feed are rendered by the same macros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from kitchentable.app.projections import Projection
from kitchentable.app.spans import Update
from kitchentable.campaign.read_models import View
from kitchentable.web.at_table import for_table, view_in
from kitchentable.web.auth import Sitting, browser_of
from kitchentable.web.render import Renderer
from kitchentable.web.site import Asked, Site

ALIVE = b"event: alive\ndata: {}\n\n"
MOVES = b"event: moves\ndata: {}\n\n"
RELOAD = b"event: reload\ndata: {}\n\n"

#: Parts of a campaign that no region of the page shows, because speech changes no region.
UNSEEN = frozenset({"undone", "revealed"})
#: Regions that tell of something on which depends what somebody may do.
_MOVING = frozenset({"party", "fight", "waiting", "chips"})
#: Proxies must neither cache nor buffer the feed.
FEED_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, private"),
    (b"x-accel-buffering", b"no"),
)


class Shown(Protocol):
    """The far end of a stream, which makes bytes of each update for its `watcher`.

    It is `stale` once the page has to reload, because the person's role has changed.
    """

    watcher: Watcher
    stale: bool

    def heard(self, update: Update) -> bytes | None:
        """An update that adds to the log alone as bytes of the stream; None for any other."""
        ...

    def news(self, update: Update) -> bytes:
        """Any other update as bytes; b"" where this seat notices nothing of it."""
        ...


@dataclass(frozen=True, slots=True)
class Watcher:
    """The parts of its request that a stream keeps: site, pages, seat and browser."""

    site: Site
    renderer: Renderer
    sitting: Sitting
    browser: str

    @property
    def projection(self) -> Projection:
        """The table as this seat sees it, from memory."""
        projections = self.site.server.projections
        return projections.of(self.sitting.campaign, self.sitting.seat, known=True)

    @property
    def view(self) -> View:
        """The table as a page shows it. Errors: NotAllowed."""
        return view_in(self.projection)

    @property
    def csrf(self) -> str:
        """A fresh token for forms of this browser."""
        return self.site.csrf.token(self.browser)


def watcher_of(request: Asked, sitting: Sitting) -> Watcher:
    """The parts of a request that its stream keeps."""
    return Watcher(request.site, request.renderer, sitting, browser_of(request)[0])


@dataclass(slots=True)
class Screen:
    """The state of one open page: its regions as last sent; of one that is not known, all are sent.

    It is `stale` once the person's role has changed, so that another page is needed.
    """

    watcher: Watcher
    regions: dict[str, Any]
    place: tuple[str, bool] | None = None
    stale: bool = False
    game: str = ""

    def heard(self, update: Update) -> bytes | None:
        """An update of entries alone: one message for all seats that read the same."""
        regions = self.regions
        if (
            update.altered
            or update.ended
            or update.reload
            or self.place is None
            or update.people != regions["people"]
            or not update.touched <= UNSEEN
        ):
            return None
        return self._told(update) if update.entries else b""

    def _told(self, update: Update) -> bytes:
        key = (self.watcher.renderer.url.prefix, self.game)
        shared = update.messages.get(key)
        if shared is None:
            campaign, entries = self.watcher.sitting.campaign, for_table(update.entries)
            news = self.watcher.renderer.news(entries, campaign, self.game) if entries else ""
            shared = update.messages[key] = message(news, update.cursor) if news else b""
        return shared

    def news(self, update: Update) -> bytes:
        """Any other update as bytes; b"" where this seat notices nothing of it."""
        view: View | None = None
        watcher, renderer = self.watcher, self.watcher.renderer
        changed: set[str] = set()
        if update.people != self.regions.get("people"):
            self.regions["people"] = update.people
            changed.add("people")
        if update.touched - UNSEEN or self.place is None:
            view = watcher.view
            self.game = view.game
            place = (view.me.role, view.plays)
            self.place = self.place or place
            self.stale = self.place != place
            changed |= self._changed(view)
        altered = for_table(update.altered)
        if not changed and not altered:
            return self._told(update)
        entries = for_table(update.entries)
        parts = [renderer.news(entries, watcher.sitting.campaign, self.game)] if entries else []
        parts.append(
            renderer.render(
                "parts/live.html",
                view=view or watcher.view,
                csrf=watcher.csrf,
                game_title=watcher.site.server.tables.load_game(self.game).title,
                altered=altered,
                changed=changed,
                people=update.people,
            ).strip()
        )
        moves = MOVES if changed & _MOVING else b""
        return message("\n".join(parts), update.cursor) + moves

    def _changed(self, view: View) -> set[str]:
        """The regions that have changed since they were sent."""
        now = regions_of(view)
        changed = {name for name, value in now.items() if self.regions.get(name) != value}
        self.regions.update(now)
        return changed


@dataclass(slots=True)
class QueueScreen:
    """The state of a page other than the table: its seat's queue, and the X-card."""

    watcher: Watcher
    regions: Any = None
    role: str = ""
    stale: bool = False

    def heard(self, update: Update) -> bytes | None:
        """The log is not on this page, so it needs no message for entries."""
        known = self.regions is not None and not update.touched - UNSEEN
        return b"" if known and not (update.ended or update.reload) else None

    def news(self, update: Update) -> bytes:
        """Any other update as bytes; b"" where this seat notices nothing of it."""
        view = self.watcher.view
        self.role = self.role or view.me.role
        self.stale = self.role != view.me.role
        now = (regions_of(view)["waiting"], view.scene.paused)
        if now == self.regions:
            return b""
        self.regions = now
        csrf, renderer = self.watcher.csrf, self.watcher.renderer
        html = renderer.render("parts/needs_news.html", view=view, csrf=csrf)
        return message(html.strip(), update.cursor)


def regions_of(view: View) -> dict[str, Any]:
    """The values of each region of the page; equal values make equal HTML."""
    table = view.table
    return {
        "party": (
            view.summaries,
            [
                (one.id, one.name, one.stage, one.owner, one.hidden)
                for one in table.entities.values()
            ],
            [one.id for one in view.mine],
            view.portraits,
            view.quick,
            view.fight is None,
            bool(table.players()),
        ),
        "fight": (view.fight, view.scene.marks),
        "waiting": (
            view.proposals,
            view.asks,
            view.settings.get("gm_confirms"),
            [one for one in table.seats.values() if one.state == "waiting"],
            [(one.id, one.name) for one in table.entities.values() if one.stage == "submitted"],
            [(one.id, one.name, one.stage) for one in view.mine if one.stage != "play"],
            bool(view.mine),
        ),
        "chips": (table.session.phase, table.session.number, table.day, view.settings.get("fudge")),
        "notes": view.notes,
        "scene": view.scene,
        "handouts": (view.handouts, view.backdrop),
    }


def message(html: str, cursor: str) -> bytes:
    r"""An unnamed message of the stream; line breaks in its text cannot end it.

    >>> message("<p>one</p>\r<p>two</p>", "place")
    b'id: place\ndata: <p>one</p>\ndata: <p>two</p>\n\n'
    """
    lines = html.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\ndata: ")
    return f"id: {cursor}\ndata: {lines}\n\n".encode()


def bye(why: str) -> bytes:
    """The last message of a stream, for a seat that has ended."""
    return f"event: bye\ndata: {why}\n\n".encode()
