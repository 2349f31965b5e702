"""The recap of a session, its story in sentences, and the luck of its players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from litestar import get

from kitchentable.app.luck import luck_for
from kitchentable.app.projections import Projection
from kitchentable.campaign.events import Event
from kitchentable.campaign.read_models import Entry
from kitchentable.rules import with_stop
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.folding import STORY, without_answered
from kitchentable.web.forms import read_query
from kitchentable.web.phrases import beyond
from kitchentable.web.urls import path

#: The most entries of one session that its recap tells; it says so where there are more.
MOST_ENTRIES = 2000


@dataclass(frozen=True, slots=True)
class Told:
    """A paragraph: speaker, text and kind ("say", "me", "roll" or "tell")."""

    how: str
    who: str
    words: tuple[str, ...]


@get(path("recap"))
async def recap(request: AtTable) -> Answer:
    """The story of a session, the last one unless another is asked for."""
    projection = request.projection
    view = view_in(projection)
    last = view.table.session.number
    number = max(read_query(request).whole("session", last, last), 1) if last else 0
    entries, more = await request.site.beside(_of_session, projection, number)
    return page(
        request,
        "pages/recap.html",
        view=view,
        number=number,
        story=list(paragraphs(entries)),
        more=more,
        day=entries[0].time if entries else "",
    )


def _of_session(projection: Projection, number: int) -> tuple[list[Entry], bool]:
    """The entries of a session for a seat, and whether some are left out.

    What happened before the first session belongs to it.
    """
    events: list[Event] = []
    for event in projection.events():
        if event.kind == "session-began" and event.data["session"] > 1:
            if event.data["session"] <= number:
                break
            events.clear()
        else:
            events.append(event)
    found: list[Entry] = []
    for entry in projection.entries_of(reversed(events)):
        if len(found) == MOST_ENTRIES:
            return without_answered(found), True
        if entry.kind in STORY and not entry.undone and not entry.stub and not entry.to:
            found.append(entry)
    return without_answered(found), False


def paragraphs(entries: Iterable[Entry]) -> Iterator[Told]:
    """Entries as paragraphs; consecutive lines of one person are one paragraph.

    >>> said = [Entry("c", "said", "", "Mara", "s2", text=text) for text in ("Hush.", "Hear it?")]
    >>> list(paragraphs(said))
    [Told(how='say', who='Mara', words=('Hush.', 'Hear it?'))]
    """
    before: Told | None = None
    for entry in entries:
        now = _told(entry)
        if before and now.how == before.how == "say" and now.who == before.who:
            before = replace(before, words=before.words + now.words)
            continue
        if before:
            yield before
        before = now
    if before:
        yield before


def _told(entry: Entry) -> Told:
    card = entry.card
    if card is not None:
        name = card.name or (card.sides[0].name if card.sides else entry.who)
        outcome = f"{card.title}: {card.outcome}." if card.outcome else f"{card.title}."
        parts = (beyond(card.sentence, card.outcome), *(line.text for line in card.lines))
        return Told("roll", name, (outcome, *map(with_stop, filter(None, parts))))
    if entry.kind == "said":
        how = "me" if entry.mode == "me" else "say"
        return Told(how, entry.who, (entry.spoken,))
    return Told("tell", entry.who, (entry.text, *([entry.reason] if entry.reason else ())))


@get(path("luck"))
async def luck(request: AtTable) -> Answer:
    """Everybody's luck in a session, or in the whole campaign."""
    projection = request.projection
    view = view_in(projection)
    number = read_query(request).whole("session", 0, view.table.session.number)
    report = await request.site.beside(luck_for, projection, number)
    return page(request, "pages/luck.html", view=view, number=number, report=report)
