"""The journal: search, verification of the dice, and exports."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import IO

from litestar import get, post
from litestar.response import Stream

from kitchentable.app.audit import Audit, audit, to_take_home
from kitchentable.app.projections import Projection
from kitchentable.app.search import Search, find
from kitchentable.app.table import NoSuchCampaign
from kitchentable.campaign.kinds import GROUPS
from kitchentable.campaign.read_models import Entry
from kitchentable.web.answers import Answer, as_file, page
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.auth import is_host
from kitchentable.web.forms import Form, read_form, read_query
from kitchentable.web.site import Site
from kitchentable.web.urls import path

_PAGE = 60
#: The bytes of a download that are sent at once.
_PIECE = 256 * 1024
#: Results of checking a session's dice, for everyone.
_VERDICTS: Mapping[str, str] = MappingProxyType(
    {
        "fair": "Fair: every die of the session matches the commitment.",
        "broken": "Broken: something contradicts the commitment. The GM can see what.",
        "sealed": "Not revealed: the seed is not public yet, so no die can be checked.",
    }
)


@get(path("journal"))
async def journal(request: AtTable) -> Answer:
    """The journal, filtered and in pages."""
    return await _journal(request)


@post(path("journal_verify"))
async def journal_verify(request: AtTable) -> Answer:
    """Check every die of the ended sessions."""
    view = request.view
    await read_form(request)
    state = request.whole_campaign
    found = await asyncio.to_thread(audit, request.campaign, state.events)
    reports = {
        # What exactly was found names throws that are the GM's alone.
        number: str(report) if view.for_gm else _VERDICTS[report.verdict]
        for number, report in found.sessions
    }
    return await _journal(request, checked=found, reports=reports)


@get(path("journal_export"))
async def journal_export(request: AtTable) -> Stream:
    """The journal as a file of JSON lines, as this seat may read it, with the proof of its dice."""
    state = request.whole_campaign

    def write(path: Path) -> None:
        with path.open("wb") as file:
            file.writelines(to_take_home(state, request.sitting.seat))

    return await _download(write, as_file(state.title, ".jsonl"), "application/x-ndjson")


@get(path("export"), opt={"unread": True, "open": True})
async def export(request: AtTable) -> Stream:
    """The whole campaign in one file, for the GM and the host: it holds every secret."""
    site = request.site
    if not is_host(request):
        request.must_be_gm(
            "Only the GM and the host can export the campaign: the file has all secrets."
        )
    entry = await asyncio.to_thread(site.server.store.campaign, request.campaign)
    if entry is None:
        raise NoSuchCampaign("There is no such campaign on this server.")
    return await _download(
        partial(site.server.export, request.campaign),
        as_file(entry.title, ".zip"),
        "application/zip",
    )


async def _download(
    write: Callable[[Path], object], headers: dict[str, str], media_type: str
) -> Stream:
    """A file to keep, which `write` makes in a thread, sent piece by piece."""
    file = await asyncio.to_thread(_written, write)
    length = {"Content-Length": str(file.seek(0, os.SEEK_END))}
    return Stream(_pieces(file), media_type=media_type, headers=headers | length)


def _written(write: Callable[[Path], object]) -> IO[bytes]:
    with tempfile.TemporaryDirectory(prefix="kitchentable-") as folder:
        path = Path(folder) / "download"
        write(path)
        # What is open lasts until it is closed, also without its name.
        return path.open("rb")


async def _pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece


async def _journal(
    request: AtTable,
    *,
    checked: Audit | None = None,
    reports: dict[int, str] | None = None,
) -> Answer:
    projection = request.projection
    view, query = view_in(projection), read_query(request)
    chosen = Search(query.one("kind"), query.one("person"), query.one("words").strip()[:200])
    entries, older, newer = await asyncio.to_thread(_find, request.site, projection, query, chosen)
    ended = sorted(view.sessions.values(), key=lambda one: int(one["number"]))
    return page(
        request,
        "pages/journal.html",
        view=view,
        entries=entries,
        older=older,
        newer=newer,
        chosen=chosen,
        kinds=list(GROUPS.items()),
        people=[
            (seat.id, seat.name)
            for seat in view.table.seats.values()
            if seat.state in {"seated", "revoked"}
        ],
        sessions=[*ended, view.session] if view.table.session.phase != "none" else ended,
        reports=reports or {},
        checked=checked,
    )


def _find(
    site: Site, projection: Projection, query: Form, search: Search
) -> tuple[list[Entry], str, str]:
    """A page of results, oldest first, with the cursors before and after it."""
    tables = site.server.tables
    look = partial(find, tables.store, projection, search, limit=_PAGE + 1)

    def place(cursor: str) -> int:
        return tables.cursors.open(projection.campaign, cursor)

    after, before = query.one("after"), query.one("before")
    if after:
        found = look(after=place(after))
        more_before, more_after = True, len(found) > _PAGE
        entries = found[:_PAGE]
    else:
        found = look(before=place(before) if before else None)
        more_before, more_after = len(found) > _PAGE, bool(before)
        entries = found[:_PAGE][::-1]
    if not entries:
        return [], "", ""
    return (
        entries,
        entries[0].cursor if more_before else "",
        entries[-1].cursor if more_after else "",
    )
