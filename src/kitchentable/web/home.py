"""The host's home: campaigns, new ones, imports, exports and backups."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from litestar import get, post

from kitchentable.app import copies, removal
from kitchentable.app.openings import begin_alone, begin_evening
from kitchentable.app.overviews import Overview, overview_of
from kitchentable.app.server import Server
from kitchentable.campaign.decide.options import read_options, read_settings
from kitchentable.campaign.settings import SETTINGS
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.game import Game
from kitchentable.rules.together import excluded_by
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, go_to, page, see_other
from kitchentable.web.at_table import AtTable, problems_of, shown_errors
from kitchentable.web.auth import THEME_COOKIE, is_host, make_cookie, seat_cookie
from kitchentable.web.choosing import filled_in, with_names
from kitchentable.web.errors import BadForm, read_error
from kitchentable.web.forms import Form, read_form, read_query
from kitchentable.web.site import Asked, Site
from kitchentable.web.urls import path

_CHUNK = 1 << 20
_SETTINGS = frozenset(field.name for field in SETTINGS)
#: The most bytes of an imported campaign; a long one has a few megabytes.
_LARGEST_IMPORT = 64_000_000
_HOST = MappingProxyType({"host": True})
#: The host's, also of a campaign that cannot be read.
_AS_IT_LIES = MappingProxyType({"host": True, "unread": True})


@dataclass(frozen=True, slots=True)
class Line:
    """A campaign as the host's home lists it; `wrong` says why it cannot be opened."""

    id: str
    title: str
    last: str = ""
    seen: Overview | None = None
    game: Game | None = None
    wrong: str = ""


async def home_page(request: Asked, *, problem: str = "", status: int = 200) -> Answer:
    """The host's home."""
    server = request.server
    games, unreadable = await asyncio.to_thread(server.local_games.every)
    entries = await asyncio.to_thread(server.campaigns)
    listed = [entry for entry in entries if entry.archived is None]
    lines = await asyncio.to_thread(lambda: [_line(server, one.id, one.title) for one in listed])
    return page(
        request,
        "pages/home.html",
        status=status,
        campaigns=sorted(lines, key=lambda one: one.last, reverse=True),
        put_away=[entry for entry in entries if entry.archived is not None],
        games=games,
        unreadable=unreadable,
        backups=copies.copies(server),
        problem=problem,
    )


@get(path("home"))
async def home(request: Asked) -> Answer:
    """The host's home; others are refused."""
    if not is_host(request):
        return page(request, "pages/shut.html", status=401, why="no-seat")
    return await home_page(request)


@post(path("theme"))
async def theme(request: Asked) -> Answer:
    """Set the theme of this browser."""
    form = await read_form(request)
    back = form.one("back")
    prefix = f"{request.origin.prefix}/"
    ours = back.startswith(prefix) and not back.startswith(("//", "/\\")) and back.isprintable()
    wanted = form.one("theme")
    cookie = make_cookie(request, THEME_COOKIE, wanted if wanted in {"light", "dark"} else "auto")
    return see_other(request, back if ours else prefix, cookies=[cookie])


@get(path("new_campaign"), opt=_HOST)
async def new_campaign(request: Asked) -> Answer:
    """A new campaign: which game, and its options."""
    return _new_campaign(request, read_query(request))


@post(path("campaign_create"), opt=_HOST)
async def campaign_create(request: Asked) -> Answer:
    """Create a campaign, with the host's device as its GM's."""
    site = request.site
    form = await read_form(request)
    if form.one("add"):
        return _new_campaign(request, form)
    try:
        game = site.server.local_games.load(form.one("game"))
        opened = await site.server.open_campaign(
            form.one("title"),
            game.name,
            gm_name=form.one("gm_name") or "GM",
            options=read_options(game, form.answers("o.")),
            settings=read_settings(form.answers("t.")),
            command=f"host.{form.command()}",
        )
    except shown_errors(request) as refused:
        return _new_campaign(request, form, problems_of(refused, {"": "title"}))
    return go_to(
        request,
        "table",
        campaign=opened.campaign,
        cookies=[await seat_cookie(request, opened.campaign, opened.gm_seat)],
    )


@post(path("example_open"), opt=_HOST)
async def example_open(request: Asked) -> Answer:
    """Open a game's example campaign, with the host's device as its GM's.

    With `alone`, a copy without a GM is opened, with the host as its player.
    """
    server = request.server
    form = await read_form(request)
    alone = form.ticked("alone")
    begin, kind = (begin_alone, "alone") if alone else (begin_evening, "example")
    try:
        campaign = await server.open_example(form.one("game"), begin, kind)
    except shown_errors(request) as refused:
        return await home_page(request, problem=str(refused), status=422)
    await server.tables.ready(campaign)
    table = server.tables.campaign(campaign).table
    seat = next(iter(table.players()), table.gm) if alone else table.gm
    return go_to(
        request,
        "table",
        campaign=campaign,
        cookies=[await seat_cookie(request, campaign, seat.id)],
    )


@post(
    path("import"),
    opt=_HOST,
    request_max_body_size=_LARGEST_IMPORT,
)
async def import_campaign(request: Asked) -> Answer:
    """Import an exported campaign."""
    site = request.site
    form = await read_form(request)
    sent = (form.files or {}).get("file")
    try:
        if sent is None:
            raise BadForm("Choose the file of an exported campaign first.")
        with tempfile.TemporaryDirectory(prefix="kitchentable-") as folder:
            archive = Path(folder) / "campaign.zip"
            with archive.open("wb") as out:
                while chunk := await sent.read(_CHUNK):
                    out.write(chunk)
            campaign = await asyncio.to_thread(_take_in, site, archive)
    except shown_errors(request, KitchenTableError) as refused:
        return await home_page(request, problem=str(refused), status=read_error(refused).status)
    return go_to(request, "table", campaign=campaign)


@post(path("backup_now"), opt=_HOST)
async def backup_now(request: Asked) -> Answer:
    """Make a backup."""
    return await _do(request, copies.copy_now, status=409)


@post(path("backup_restore"), opt=_HOST)
async def backup_restore(request: Asked) -> Answer:
    """Restore the campaigns of a backup, in addition to the existing ones."""
    form = await read_form(request)
    return await _do(request, copies.bring_back, form.one("backup"), status=409)


@post(path("campaign_put_away"), opt=_AS_IT_LIES)
async def campaign_put_away(request: AtTable) -> Answer:
    """Archive a campaign: it moves to another list on the host's page."""
    return await _do(request, removal.archive, request.campaign)


@post(path("campaign_fetch"), opt=_AS_IT_LIES)
async def campaign_fetch(request: AtTable) -> Answer:
    """Restore an archived campaign to the host's page."""
    return await _do(request, removal.unarchive, request.campaign)


@post(path("campaign_remove"), opt=_AS_IT_LIES)
async def campaign_remove(request: AtTable) -> Answer:
    """Remove a campaign; a copy stays in the backups folder for a while."""
    if not (await read_form(request)).ticked("sure"):
        problem = "To remove the campaign and its links, tick that you are sure."
        return await home_page(request, problem=problem, status=422)
    answer = await _do(request, removal.remove, request.campaign)
    request.tables.removed(request.campaign)
    return answer


async def _do(
    request: Asked, what: Callable[..., object], *about: str, status: int = 404
) -> Answer:
    """Do something that waits for the disk, and show the home again."""
    try:
        await asyncio.to_thread(what, request.server, *about)
    except shown_errors(request) as refused:
        return await home_page(request, problem=str(refused), status=status)
    return go_to(request, "home")


def _take_in(site: Site, archive: Path) -> str:
    """The id of a campaign taken in; beside the one that is here already, it gets an own one."""
    try:
        return site.server.take_in(archive).id
    except KitchenTableError as refused:
        if refused.code != "store/campaign-exists":
            raise
    return copies.take_in_beside(site.server, archive).id


def _new_campaign(request: Asked, form: Form, problems: tuple[Problem, ...] = ()) -> Answer:
    wanted = form.one("game")
    local_games = request.server.local_games
    game = local_games.load(wanted) if wanted else None
    raw = filled_in(game.options, form) if game is not None else {}
    return page(
        request,
        "pages/new_campaign.html",
        status=422 if problems else 200,
        games=local_games.every()[0],
        game=game,
        options=with_names(game.options, {}, raw) if game is not None else (),
        excluded_by=excluded_by(game.options) if game is not None else {},
        settings=SETTINGS,
        raw=raw,
        problems=[one for one in problems if one.where not in _SETTINGS],
        settings_problems=[one for one in problems if one.where in _SETTINGS],
    )


def _line(server: Server, campaign: str, title: str) -> Line:
    """A campaign in the list; if it cannot be read, with the reason."""
    try:
        seen = overview_of(server.tables, campaign)
        game = server.tables.load_game(seen.game, seen.version)
    except Exception as error:  # noqa: BLE001 - the line says so, and the log what it was
        return Line(campaign, title, wrong=read_error(error, f"campaign {campaign}").sentence)
    shown = title if title.startswith(seen.title) else seen.title
    return Line(campaign, shown, seen.last, seen, game)
