"""The HTTP API: the table as one seat sees it, and lines and commands with that seat's rights.

The key of a seat's link, or of its device, is the bearer token. Every refusal has one shape:
``{"code": ..., "sentence": ..., "problems": [{"where", "rule", "sentence", "refuses"}]}``. What
version 1 answers keeps its names and meanings; new names may come beside them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import Body, FromPath, QueryParameter
from litestar.types import Guard

from kitchentable.app import shapes
from kitchentable.app.projections import Projection
from kitchentable.app.scene_lines import SceneLine
from kitchentable.app.shapes import LONGEST_ID, LONGEST_WORDS, plain
from kitchentable.app.table import Handled
from kitchentable.app.verbs import DialectLine, DiceLine, HelpLine, MoveLine
from kitchentable.campaign.commands import (
    AnyCommand,
    AskForSeat,
    Command,
    HandOver,
    OpenCampaign,
    SaveHandout,
    SetPortrait,
    Undo,
)
from kitchentable.campaign.errors import NotAllowed
from kitchentable.campaign.read_models import NoOdds, View
from kitchentable.campaign.views import summary_for
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.values import Problem
from kitchentable.web.answers import Answer, as_json
from kitchentable.web.at_table import AtTable, view_in
from kitchentable.web.auth import bearer, count_wrong_key, new_link
from kitchentable.web.builder_page import built, entity_in
from kitchentable.web.cards import ask_with
from kitchentable.web.chat import do_line, read_as_move, read_typed
from kitchentable.web.errors import BadForm, NoSeat
from kitchentable.web.forms import Form, read_query
from kitchentable.web.panel import fields_with
from kitchentable.web.seats import knock
from kitchentable.web.site import Asked
from kitchentable.web.typed_moves import lines_for
from kitchentable.web.urls import path

_MOST_ENTRIES = 500
#: Commands that a program may not send from an occupied seat.
NEWCOMERS = (OpenCampaign, AskForSeat)

Cursor = Annotated[str, QueryParameter(description="a place in the log", max_length=200)]
ForWhom = Annotated[
    str, QueryParameter(description="for whom; nobody when left out", max_length=LONGEST_ID)
]


def _get(name: str, summary: str, tag: str, answers: Any) -> get:
    return get(path(name), summary=summary, tags=[tag], opt={"answers": answers})


async def not_too_deep(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse JSON that is nested deeper than can be read. Errors: BadForm."""
    request: Asked = connection  # type: ignore[assignment]
    try:
        # What is not JSON at all is refused with the place, when the command is read.
        with suppress(msgspec.DecodeError):
            msgspec.json.decode(await request.body())
    except RecursionError as error:
        raise BadForm(
            "The command nests lists too deeply to be read. Send it with fewer levels."
        ) from error


def _post(name: str, summary: str, tag: str, answers: Any) -> post:
    opt = {"answers": answers}
    guards: list[Guard] = [not_too_deep]
    return post(path(name), summary=summary, tags=[tag], status_code=200, guards=guards, opt=opt)


def _tell(request: Asked, value: Any) -> Answer:
    return as_json(request, plain(value))


@_get("api_seat", "Whose key this is", "table", shapes.Place)
async def api_seat(request: Asked) -> Answer:
    """The campaign and the seat of a key; its state is "waiting" until the GM approves."""
    key = bearer(request)
    token = request.server.keys.open(key, "seat", "seat-link")
    if token is None or token.campaign is None or token.seat is None:
        if not key:
            raise NoSeat("Send the key of a seat's link as the bearer token.")
        count_wrong_key(request)
        raise NoSeat(
            "This link is not valid: it was revoked, or not copied completely. Ask the GM for "
            "a new one."
        )
    tables = request.tables
    await tables.ready(token.campaign)
    state = tables.campaign(token.campaign)
    seat = request.server.projections.seat(token.campaign, token.seat)
    if seat is None:
        raise NoSeat("This seat is no longer at the table. Ask the GM for a new one.")
    game = str(state.tree["game"])
    place = shapes.Place(campaign=token.campaign, title=state.title, game=game, seat=seat)
    return _tell(request, place)


@_post("api_knock", "Ask for a seat", "table", shapes.Knocked)
async def api_knock(request: Asked, data: Annotated[shapes.Knock, Body()]) -> Answer:
    """Ask for a seat with the key of an invitation as the bearer token; the GM decides."""
    made = await knock(request, bearer(request), data.id, data.name, data.role)
    return _tell(request, made)


@_get("api_view", "The table", "table", View)
async def api_view(request: AtTable) -> Answer:
    """The whole table as this seat sees it: people, rolls in progress, waiting cards, the fight."""
    view = await request.with_odds(lambda projection: projection.view)
    return _tell(request, view)


@_get("api_entries", "The log", "table", shapes.Entries)
async def api_entries(
    request: AtTable,
    after: Cursor = "",
    before: Cursor = "",
    limit: Annotated[
        int, QueryParameter(description="how many at most", ge=1, le=_MOST_ENTRIES)
    ] = 60,
) -> Answer:
    """Entries of the log as this seat reads them, oldest first, each with its cursor.

    Those after a cursor, or the last ones before one.
    """
    entries = await request.site.beside(
        request.projection.entries, after=after or None, before=before or None, limit=limit
    )
    return _tell(request, shapes.Entries(tuple(entries)))


@_get("api_sheet", "A sheet", "table", shapes.Sheet)
async def api_sheet(request: AtTable, entity: FromPath[str]) -> Answer:
    """A sheet; its builder also gets its questions and its problems."""
    view = request.view
    one = entity_in(view, entity)
    if view.is_mine(entity) or view.for_gm:
        made = await built(request, entity, step="all")
        names = ("summary", "sections", "problems", "word")
        return _tell(request, shapes.Sheet(entity=one, **{n: made[n] for n in names}))
    game = request.game
    summary = summary_for(game, view.table, one)
    sections = game.sheet.sections(view.table, one) if one.open else ()
    sheet = shapes.Sheet(entity=one, summary=summary, sections=sections)
    return _tell(request, sheet)


@_get("api_rules", "The rules", "table", shapes.Rules)
async def api_rules(
    request: AtTable,
    words: Annotated[
        str, QueryParameter(description="in id, title or text", max_length=LONGEST_WORDS)
    ] = "",
) -> Answer:
    """The rules of the table's game that contain all of these words; without words, all rules."""
    projection = request.projection
    view_in(projection)  # a seat that waits is refused
    return _tell(request, shapes.Rules(projection.game.rulebook.search(words)))


@_get("api_moves", "What can be done", "moves", shapes.Moves)
async def api_moves(request: AtTable, entity: ForWhom = "") -> Answer:
    """The moves of this seat, each with its form, or the reason why it cannot start now."""
    moves = request.projection.moves(entity)
    return _tell(request, shapes.Moves(moves))


@_get("api_odds", "The odds of a move", "moves", shapes.Odds)
async def api_odds(
    request: AtTable,
    move: Annotated[str, QueryParameter(description="the move's name", max_length=LONGEST_ID)],
    entity: ForWhom = "",
) -> Answer:
    """A move with the answers given as ``a.NAME=VALUE``: its questions, and its exact odds.

    The move may be that of a card that waits for this seat; then there are no odds.
    The odds are null, with the reason in `why`, where they are not told. Missing answers are no
    error; answers that the move would refuse are refused here, too.
    """
    answers = read_query(request).answers()
    odds = await request.with_odds(lambda projection: _odds(projection, move, entity, answers))
    return _tell(request, odds)


def _odds(projection: Projection, move: str, entity: str, answers: dict[str, Any]) -> shapes.Odds:
    """The questions and the odds of a move with these answers. Errors: BadAnswers.

    The move of a card that waits for this seat has its questions, and no odds.
    """
    seen = projection.move(move, entity)
    asks = (one for one in projection.view.asks if one.mine and one.ask.move == move)
    card = next((one for one in asks if one.ask.entity == entity), None)
    if seen is None and card is not None:
        fields = ask_with(projection.view, projection.game, card, answers).fields
        return shapes.Odds(odds=None, fields=fields)
    found = projection.odds(move, entity, answers)
    fields = () if seen is None or seen.why_not else fields_with(projection, seen, answers)
    if seen is not None and not seen.why_not:
        problems = projection.fill_in(move, entity, answers).problems
        _check_answers(problems, {field.name for field in fields}, answers)
    if isinstance(found, NoOdds):
        none = f"There is no move {move!r} for {entity!r}." if entity else f"No move {move!r}."
        return shapes.Odds(odds=None, why=found.why or ("" if seen else none), fields=fields)
    return shapes.Odds(odds=found, fields=fields)


def _check_answers(
    problems: Iterable[Problem], own: Container[str], answers: Mapping[str, Any]
) -> None:
    """Errors: BadAnswers for answers that a move would refuse; those that are missing may come.

    Answers to questions of others than this seat, which are not `own`, are left unjudged: no
    refusal may list their choices.
    """
    refusing, unknown = [], []
    for one in problems:
        # A list is refused as a whole, and answered by its rows.
        parts = (name for name in answers if name == one.where or name.startswith(f"{one.where}."))
        given = any(str(answers[name] or "").strip() for name in parts)
        if one.where in answers and not one.refuses:
            unknown.append(replace(one, refuses=True))
        elif given and one.where.partition(".")[0] in own:
            refusing.append(one)
    if refusing or unknown:
        raise BadAnswers(tuple(refusing or unknown))


@_get("api_line", "Read a line", "lines", shapes.ReadLine)
async def api_line(
    request: AtTable,
    text: Annotated[str, QueryParameter(description="as it is typed", max_length=4000)],
    entity: ForWhom = "",
) -> Answer:
    """The meaning of a typed line, and the odds of its move; nothing is done."""
    line = read_typed(request, text, entity)
    if not isinstance(line, MoveLine):
        kinds = {
            DiceLine: "dice",
            HelpLine: "help",
            DialectLine: "dialect",
            SceneLine: "scene",
        }
        dice = line.notation if isinstance(line, DiceLine) else ""
        read = shapes.ReadLine(does=kinds.get(type(line), "speech"), notation=dice)
        return _tell(request, read)

    def read_move(projection: Projection) -> shapes.ReadLine:
        actor, answers = read_as_move(projection, line, entity)
        odds = _odds(projection, line.move, actor, answers)
        return shapes.ReadLine(
            does="move", move=line.move, entity=actor, answers=answers, odds=odds
        )

    return _tell(request, await request.with_odds(read_move))


@_get("api_lines", "Lines to choose from", "lines", shapes.Lines)
async def api_offers(request: AtTable) -> Answer:
    """Completions of a line: rows of the own sheets, moves with their targets, commands."""
    projection = request.projection
    lines = lines_for(projection, view_in(projection))
    return _tell(request, shapes.Lines(tuple(lines)))


@_post("api_lines", "Say or do something in words", "lines", shapes.Done)
async def api_lines(request: AtTable, data: Annotated[shapes.LineSent, Body()]) -> Answer:
    """A line as it is typed at the table: speech, ``/roll 2d6+3``, or a move by name.

    The answer contains the resulting entries, as this seat reads them.
    """
    sent = {"command": data.id, "text": data.text, "entity": data.entity}
    form = Form({name: (word,) for name, word in sent.items() if word})
    done = await do_line(request, form, data.dialect)
    if isinstance(done, DialectLine):
        return _tell(request, shapes.Done(dialect=done.dialect))
    return await _done(request, done)


@_post("api_undo", "Take a step back", "commands", shapes.Done)
async def api_undo(request: AtTable, data: Annotated[shapes.TakenBack, Body()]) -> Answer:
    """Take back the step of an entry that has `may_undo`."""
    number = request.tables.cursors.open_entry(request.campaign, data.cursor)
    undo = Undo(id=data.id, number=number, reason=data.reason)
    return await _done(request, await request.do(undo))


@_post("api_commands", "Do something", "commands", shapes.Done)
async def api_commands(request: AtTable, data: Annotated[AnyCommand, Body()]) -> Answer:
    """Carry out one command: ``do`` is its name, and ``id`` makes it safe to send again.

    The answer contains the resulting entries, as this seat reads them.
    """
    handled = await request.do(checked(data))
    link = ""
    if isinstance(data, HandOver) and not handled.repeated:
        link = await new_link(request, request.campaign, data.of)
    return await _done(request, handled, link)


async def _done(request: AtTable, handled: Handled, link: str = "") -> Answer:
    """The result of a command, as its seat may read it."""
    projection = request.projection
    entries = await request.site.beside(lambda: tuple(projection.entries_of(handled.events)))
    return _tell(request, shapes.Done(repeated=handled.repeated, entries=entries, link=link))


def checked(command: Command) -> Command:
    """A command, checked to be one that a program may send. Errors: BadForm, NotAllowed."""
    if isinstance(command, NEWCOMERS):
        raise NotAllowed("This key already has a seat, so it cannot ask for one.")
    if isinstance(command, SetPortrait | SaveHandout) and command.picture:
        raise NotAllowed("The API takes no pictures. Send them from the pages of the table.")
    if not 0 < len(command.id) <= LONGEST_ID or not command.id.isprintable() or " " in command.id:
        raise BadForm("A command's id must have 1 to 80 plain characters without blanks.")
    return command
