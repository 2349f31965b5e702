"""Chat, notes, rolls in notation, and undo."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath

from kitchentable.app.projections import Projection
from kitchentable.app.scene_lines import SceneLine, scene_command
from kitchentable.app.table import Handled, Tables
from kitchentable.app.verbs import (
    BadLine,
    DialectLine,
    DiceLine,
    HelpLine,
    Line,
    MoveLine,
    NoVerb,
    Speech,
    read_line,
)
from kitchentable.campaign.commands import (
    Alter,
    Command,
    MakeMove,
    Propose,
    RollNotation,
    Say,
    Undo,
)
from kitchentable.campaign.errors import BuiltUpon, CannotBe, NotAllowed
from kitchentable.campaign.permissions import actor_for, seat_of
from kitchentable.campaign.read_models import Entry, View
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.undo import missing_dependents
from kitchentable.web.answers import Answer, go_to, is_script, page, piece
from kitchentable.web.at_table import AtTable, shown_errors, view_in
from kitchentable.web.auth import DIALECT_COOKIE, Sitting, cookie_of, make_cookie
from kitchentable.web.forms import Form, read_form
from kitchentable.web.panel import default_actor
from kitchentable.web.table_page import table_page
from kitchentable.web.typed_moves import answered, line_of_row, lines_for
from kitchentable.web.urls import path, paths

#: The header of the button that takes a verdict back: it asks nothing further.
_AT_ONCE = "kt-undo"


class AskedForHelp(CannotBe):
    """The line asks for help with chat lines."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, code="line/help")


@post(path("say"))
async def say(request: AtTable) -> Answer:
    """A chat line: speech, dice, a move by name, or a request for help."""
    try:
        cookie = await speak(request)
    except AskedForHelp:
        if is_script(request):
            raise
        return go_to(request, "help")
    except shown_errors(request) as refused:
        if is_script(request):
            raise
        return await table_page(
            request,
            notices=[("bad", str(refused))],
            typed=(await read_form(request)).one("text"),
            status=400,
        )
    answer = request.done("#log")
    if cookie is not None:
        answer.set_cookie(cookie)
    return answer


async def speak(request: AtTable) -> Cookie | None:
    """Read a typed line and run it; a new dialect is stored in a cookie of this device.

    Errors: AskedForHelp; those of the line and of the table.
    """
    form = await read_form(request)
    done = await do_line(request, form, cookie_of(request, DIALECT_COOKIE, request.campaign))
    if isinstance(done, DialectLine):
        return make_cookie(request, DIALECT_COOKIE, done.dialect, campaign=request.campaign)
    return None


async def do_line(request: AtTable, form: Form, dialect: str) -> Handled | DialectLine:
    """Run the line of a form; the caller stores a change of dialect.

    Errors: AskedForHelp; those of the line and of the table.
    """
    line = read_typed(request, form.one("text"), form.one("entity"))
    if isinstance(line, HelpLine):
        raise AskedForHelp(
            "Type words to speak. /roll 2d6+3 rolls for everyone, /gmroll for you and the GM. "
            "/w Name whispers, /me says what you do, /ooc speaks out of character. The question "
            "mark next to the line lists all commands."
        )
    if isinstance(line, DialectLine):
        return line
    if isinstance(line, MoveLine):
        return await _move(request, line, form)
    if isinstance(line, SceneLine):
        scene = request.view.scene
        return await request.do(scene_command(line, scene, form.command()))
    return await request.do(_spoken(line, form, dialect))


def read_typed(request: AtTable, text: str, entity: str) -> Line:
    """The meaning of a typed line, which may be a row of somebody's sheet. Errors: BadLine."""
    try:
        return _line(request.tables, request.sitting, text)
    except NoVerb:
        row = line_of_row(request.view, entity, text)
        if row is None:
            raise
        return row


def _line(tables: Tables, sitting: Sitting, text: str) -> Line:
    """The parsed line of a seat that may speak. Errors: BadLine, NotAllowed.

    Before a refusal the database is read, and the line is parsed again if there were new events.
    """
    known = tables.known(sitting.campaign)
    if known is not None:
        try:
            return _line_at(tables, known, sitting.seat, text)
        except (BadLine, NotAllowed):
            if tables.campaign(sitting.campaign) is known:
                raise
    return _line_at(tables, tables.campaign(sitting.campaign), sitting.seat, text)


def _line_at(tables: Tables, state: Campaign, seat: str, text: str) -> Line:
    seat_of(state, seat)
    moves = (move.name for move in tables.game_of(state).moves)
    return read_line(text, moves, state.table.seats.values())


def _spoken(line: Speech | DiceLine, form: Form, dialect: str) -> Command:
    if isinstance(line, Speech):
        return Say(
            id=form.command(),
            text=line.text,
            mode=line.mode,
            to=line.to,
            entity="" if line.mode == "ooc" else form.one("entity"),
            dialect=dialect,
        )
    return RollNotation(
        id=form.command(),
        notation=line.notation,
        audience=line.audience,
        entity=form.one("entity"),
        faces=form.faces(),
        dialect=dialect,
    )


async def _move(request: AtTable, line: MoveLine, form: Form) -> Handled:
    """A move as a verb, made as the panel makes it."""
    projection = request.projection
    entity, answers = read_as_move(projection, line, form.one("entity"))
    made: dict[str, Any] = {
        "id": form.command(),
        "move": line.move,
        "entity": entity,
        "answers": answers,
        "faces": line.faces,
    }
    converses = projection.game.move(line.move).converses
    return await request.do(Propose(**made, throw=True) if converses else MakeMove(**made))


def read_as_move(projection: Projection, line: MoveLine, entity: str) -> tuple[str, dict[str, str]]:
    """The actor and the answers of a typed move. Errors: BadLine, CannotBe."""
    view, move = view_in(projection), projection.game.move(line.move)
    entity = _entity_named(view, line.entity) or entity or default_actor(view)
    if not move.for_entity:
        entity = ""
    seen = projection.move(line.move, entity)
    if seen is None and entity:
        raise CannotBe(
            f"{move.title} is not a move that this character can start now.",
            code="move/unknown",
        )
    return entity, answered(projection, seen, line) if seen else dict(line.answers)


def _entity_named(view: View, name: str) -> str:
    """The id of who has that name; "" for no name. Errors: CannotBe."""
    if not name:
        return ""
    for entity in view.table.in_play():
        if name.casefold() in {entity.name.casefold(), entity.id.casefold()}:
            return entity.id
    raise CannotBe(f"No character in play is called {name}.", code="entity/unknown")


@get(path("say_lines"))
async def say_lines(request: AtTable) -> Answer:
    """Completions while a line is typed."""
    projection = request.projection
    lines = lines_for(projection, view_in(projection))
    return piece(request, "parts/lines.html", lines=lines)


@get(paths("help"))
async def help_page(request: AtTable) -> Answer:
    """Commands and keys, at a table with the moves of its game as verbs."""
    view = request.view if request.has_table else None
    moves = request.game.moves if view else ()
    known = [
        (move.name, move.title) for move in moves if view and actor_for(view.me).role in move.by
    ]
    return page(request, "pages/help.html", view=view, moves=known)


@get(path("undo"))
async def undo_page(request: AtTable, cursor: FromPath[str]) -> Answer:
    """The question before a step is taken back."""
    state = request.whole_campaign
    number = request.tables.cursors.open_entry(request.campaign, cursor)
    may_know = request.view.for_gm and 0 < number <= state.number
    also = await asyncio.to_thread(missing_dependents, state, [number]) if may_know else ()
    return await _ask_undo(request, cursor, also=also)


@post(path("undo"))
async def undo(request: AtTable, cursor: FromPath[str]) -> Answer:
    """Take back a step, with the steps that depend on it if the GM has seen them."""
    form = await read_form(request)
    number = request.tables.cursors.open_entry(request.campaign, cursor)
    also = tuple(int(one) for one in form.all("also") if one.isdecimal() and len(one) < 12)
    command = Undo(id=form.command(), number=number, also=also, reason=form.one("reason"))
    try:
        await request.do(command)
    except shown_errors(request) as refused:
        if _AT_ONCE in request.headers:
            raise
        later = (*also, *refused.numbers) if isinstance(refused, BuiltUpon) else ()
        return await _ask_undo(request, cursor, also=later, problem=str(refused))
    return request.done("#log")


@post(path("alter"))
async def alter(request: AtTable, cursor: FromPath[str]) -> Answer:
    """Change a die that fell, as the GM, where the table allows it; everybody can read it."""
    form = await read_form(request)
    number = request.tables.cursors.open_entry(request.campaign, cursor)
    command = Alter(
        id=form.command(), number=number, faces=form.faces() or (), reason=form.one("reason")
    )
    try:
        await request.do(command)
    except shown_errors(request) as refused:
        return await _ask_undo(request, cursor, problem=str(refused))
    return request.done("#log")


def _may_alter(view: View, entry: Entry) -> bool:
    return (
        view.for_gm
        and view.settings.get("fudge") == "logged"
        and bool(entry.dice)
        and not entry.undone
    )


async def _ask_undo(
    request: AtTable,
    cursor: str,
    *,
    also: tuple[int, ...] = (),
    problem: str = "",
) -> Answer:
    view, projection = request.view, request.projection

    def read() -> list[Entry]:
        seal = request.tables.cursors.seal
        places = [cursor, *(seal(request.campaign, number) for number in sorted({*also}))]
        return [_entry_at(request, projection, place) for place in places]

    entry, *later = await asyncio.to_thread(read)
    return page(
        request,
        "pages/undo.html",
        status=409 if problem else 200,
        view=view,
        entry=entry,
        later=later,
        needs_reason=view.for_gm,
        may_alter=_may_alter(view, entry) and not later,
        problem=problem,
    )


def _entry_at(request: AtTable, projection: Projection, cursor: str) -> Entry:
    """The log entry at a cursor. Errors: CannotBe, BadCursor."""
    server = request.server
    number = server.tables.cursors.open_entry(request.campaign, cursor)
    before = server.tables.cursors.seal(request.campaign, max(0, number - 1))
    found = projection.entries(after=before, limit=1)
    if not found or found[0].cursor != cursor:
        raise CannotBe("There is no such step.", code="undo/unknown")
    return found[0]
