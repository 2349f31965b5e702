"""For programs: the table as one seat sees it, and commands with that seat's rights, as JSON.

The key of a seat's link, or of its device, is the bearer token. Every refusal has one shape:
``{"code": ..., "sentence": ..., "problems": [{"where", "rule", "sentence", "refuses"}]}``.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import Body, FromPath, QueryParameter

from kitchentable.campaign.commands import (
    AnyCommand,
    AskForSeat,
    Command,
    OpenCampaign,
    SaveHandout,
    SetPortrait,
)
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.read_models import NoOdds
from kitchentable.web.answers import Answer, as_json
from kitchentable.web.auth import sit
from kitchentable.web.commands import send
from kitchentable.web.errors import BadForm
from kitchentable.web.forms import read_query
from kitchentable.web.odds import with_odds
from kitchentable.web.projections import projection_of
from kitchentable.web.site import Asked, site_of
from kitchentable.web.urls import path

_MOST_ENTRIES = 500


@get(path("api_view"), summary="The table", tags=["table"])
async def api_view(request: Asked, campaign: FromPath[str]) -> Answer:
    """The whole table as this seat sees it: people, rolls under way, cards that wait, the fight."""
    sitting = sit(request, campaign)
    view = await with_odds(request, sitting, lambda projection: projection.view)
    return as_json(request, plain(view))


@get(path("api_entries"), summary="The log", tags=["table"])
async def api_entries(
    request: Asked,
    campaign: FromPath[str],
    after: Annotated[str | None, QueryParameter(description="entries after this cursor")] = None,
    before: Annotated[str | None, QueryParameter(description="the last ones before it")] = None,
    limit: Annotated[
        int, QueryParameter(description="how many at most", ge=1, le=_MOST_ENTRIES)
    ] = 60,
) -> Answer:
    """Entries of the log as this seat reads them, oldest first, each with its cursor."""
    sitting = sit(request, campaign)
    entries = projection_of(request, sitting).entries(
        after=after or None, before=before or None, limit=limit
    )
    return as_json(request, {"entries": plain(entries)})


@get(path("api_moves"), summary="What can be done", tags=["moves"])
async def api_moves(
    request: Asked,
    campaign: FromPath[str],
    entity: Annotated[str, QueryParameter(description="for whom; nobody when left out")] = "",
) -> Answer:
    """The moves that this seat may start now, each with its form, or why not."""
    sitting = sit(request, campaign)
    moves = projection_of(request, sitting).moves(entity)
    return as_json(request, {"moves": plain(moves)})


@get(path("api_odds"), summary="The odds of a move", tags=["moves"])
async def api_odds(
    request: Asked,
    campaign: FromPath[str],
    move: Annotated[str, QueryParameter(description="the move's name")],
    entity: Annotated[str, QueryParameter(description="for whom; nobody when left out")] = "",
) -> Answer:
    """The exact odds with the answers given as ``a.NAME=VALUE``; null, and why, where not told."""
    sitting = sit(request, campaign)
    answers = read_query(request).answers()
    odds = await with_odds(
        request, sitting, lambda projection: projection.odds(move, entity, answers)
    )
    if isinstance(odds, NoOdds):
        return as_json(request, {"odds": None, "why": odds.why})
    return as_json(request, {"odds": plain(odds), "why": ""})


async def not_too_deep(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse JSON that is nested deeper than can be read. Errors: BadForm."""
    request: Asked = connection  # type: ignore[assignment]
    try:
        # What is no JSON at all is refused with the place, when the command is read.
        with suppress(msgspec.DecodeError):
            msgspec.json.decode(await request.body())
    except RecursionError as error:
        raise BadForm("That command holds lists within lists, too deep to be read.") from error


@post(
    path("api_commands"),
    summary="Do something",
    tags=["commands"],
    status_code=200,
    guards=[not_too_deep],
)
async def api_commands(
    request: Asked, campaign: FromPath[str], data: Annotated[AnyCommand, Body()]
) -> Answer:
    """One command, as JSON: ``do`` names it, ``id`` makes a repeated sending harmless.

    The answer holds the entries that came of it, as this seat reads them.
    """
    sitting = sit(request, campaign)
    handled = await send(request, sitting, checked(data))
    first, last = handled.events[0].number, handled.events[-1].number
    seal = site_of(request).server.tables.cursors.seal
    entries = projection_of(request, sitting).entries(
        after=seal(campaign, first - 1), limit=last - first + 1
    )
    upto = {seal(campaign, one) for one in range(first, last + 1)}
    told = [entry for entry in entries if entry.cursor in upto]
    return as_json(request, {"repeated": handled.repeated, "entries": plain(told)})


def checked(command: Command) -> Command:
    """A command that a program may send. Errors: BadForm, NotAllowed."""
    if isinstance(command, OpenCampaign | AskForSeat):
        raise NotAllowed("A seat that is taken does not ask for one; use the pages for that.")
    if isinstance(command, SetPortrait | SaveHandout) and command.picture:
        raise NotAllowed("A picture comes as a file. Send it from the page of the character.")
    if not 0 < len(command.id) <= 80 or not command.id.isprintable() or " " in command.id:
        raise BadForm("A command's id has 1 to 80 plain characters without blanks.")
    return command


def plain(value: Any) -> Any:
    """A value of the table as plain data; a chance is its exact fraction, as text.

    >>> plain((Fraction(11, 12), frozenset({"a"})))
    ('11/12', ['a'])
    """
    return msgspec.to_builtins(value, enc_hook=_plain, order="deterministic")


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not leave the server.")


ROUTES = (api_view, api_entries, api_moves, api_odds, api_commands)
