"""Routes of the builder: drafts, saved while they are written, and the printed sheet."""

from __future__ import annotations

import asyncio

from litestar import get, post
from litestar.params import FromPath

from kitchentable.campaign.commands import DecideSheet, MakeEntity, SaveSheet, SubmitSheet
from kitchentable.campaign.decide.bounds import a_name
from kitchentable.campaign.read_models import View
from kitchentable.campaign.views import summary_for
from kitchentable.dice.errors import BadInput
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_sheet
from kitchentable.rules.values import Field, Problem
from kitchentable.web.answers import Answer, go_to, is_script, page, piece
from kitchentable.web.at_table import DESCRIBING, NAMING, AtTable, problems_of, shown_errors
from kitchentable.web.builder_page import builder_page, built, entity_in, merge
from kitchentable.web.desk import desk_page
from kitchentable.web.forms import Form, read_form, read_one, read_query
from kitchentable.web.urls import path

_MOST_AT_ONCE = 20
_COUNT = Field("count", "How many", "number", default=1, low=1, high=_MOST_AT_ONCE)


@get(path("builder"))
async def builder(request: AtTable, entity: FromPath[str]) -> Answer:
    """The page of the builder.

    With `wait` the page asks whether the GM has approved it, and goes to the table then.
    """
    if read_query(request).one("wait"):
        stage = entity_in(request.view, entity).stage
        if stage == "play":
            return go_to(request, "table")
        if stage != "submitted":
            return go_to(request, "builder", entity=entity)
    return await builder_page(request, entity)


@post(path("entity_make"))
async def entity_make(request: AtTable) -> Answer:
    """Make a character as a player, or one or several of a kind as the GM.

    If the kind is the id of a character, the GM makes copies of it, in play immediately.
    """
    form = await read_form(request)
    view, kind = request.view, form.one("kind")
    like = view.table.entities.get(kind) if view.for_gm else None
    copied = {"kind": like.kind, "sheet": dict(like.sheet)} if like else {"kind": kind}
    name = form.one("name").strip() or (like.name if like else nameless(request, view, kind))
    made = ""
    try:
        count = read_one(_COUNT, form.one("count", "1"))
        a_name(name)
        if count > 1:
            a_name(f"{name} {count}", "A name with its number")
        for index in range(1, count + 1):
            handled = await request.do(
                MakeEntity(
                    id=f"{form.command()}.{index}",
                    name=f"{name} {index}" if count > 1 else name,
                    hidden=form.ticked("hidden"),
                    **copied,
                ),
            )
            made = str(handled.events[0].data["entity"])
    except shown_errors(request) as refused:
        if not view.for_gm:
            raise
        problems = problems_of(refused, NAMING)
        return await desk_page(request, form=form, about="entity", problems=problems)
    if count > 1 or like:
        return go_to(request, "desk", "#people-of")
    return go_to(request, "builder", entity=made)


@post(path("sheet_save"))
async def sheet_save(request: AtTable, entity: FromPath[str]) -> Answer:
    """Save a draft, finished or not."""
    form = await read_form(request)
    refused: tuple[Problem, ...] = ()
    try:
        await keep_filled(request, entity, form)
    except shown_errors(request) as error:
        refused = problems_of(error, DESCRIBING)
    if is_script(request):
        status, shown = 422 if refused else 200, await built(request, entity, form, refused)
        return piece(request, "parts/builder_form.html", status=status, live=True, **shown)
    if refused:
        return await builder_page(request, entity, form=form, problems=refused)
    return go_to(request, "builder", entity=entity, step=form.one("go") or form.one("step"))


@post(path("sheet_submit"))
async def sheet_submit(request: AtTable, entity: FromPath[str]) -> Answer:
    """Save a sheet and submit it to the GM."""
    form, kept = await read_form(request), False
    try:
        await keep_filled(request, entity, form)
        kept = True
        await request.do(SubmitSheet(id=form.command(), entity=entity))
    except shown_errors(request) as refused:
        problems = problems_of(refused, DESCRIBING)
        return await builder_page(request, entity, form=form, problems=problems, kept=kept)
    return go_to(request, "builder", entity=entity)


@post(path("sheet_decide"))
async def sheet_decide(request: AtTable, entity: FromPath[str]) -> Answer:
    """Accept a sheet into play, or send it back with a comment, as the GM."""
    form = await read_form(request)
    accept = form.one("accept") == "yes"
    command = DecideSheet(
        id=form.command(), entity=entity, accept=accept, reason=form.one("reason")
    )
    try:
        if not accept and not command.reason.strip():
            raise BadInput("Write which changes the player should make.")
        await request.do(command)
    except shown_errors(request) as refused:
        problems = problems_of(refused, {"": "reason"})
        reason = command.reason
        return await builder_page(request, entity, problems=problems, reason=reason)
    return request.done(to="table")


@get(path("sheet"))
async def sheet(request: AtTable, entity: FromPath[str]) -> Answer:
    """The page of a sheet, for reading and printing."""
    return sheet_page(request, entity)


def sheet_page(request: AtTable, entity: str, problems: tuple[Problem, ...] = ()) -> Answer:
    """The page of a sheet, with the problems of a portrait that was refused."""
    view = request.view
    one = entity_in(view, entity)
    game = request.game
    mine = view.is_mine(entity)
    return page(
        request,
        "pages/sheet.html",
        status=422 if problems else 200,
        view=view,
        problems=problems,
        entity=one,
        summary=summary_for(game, view.table, one),
        sections=game.sheet.sections(view.table, one) if mine or one.open else (),
        filled=one.sheet,
        mine=mine,
        may_edit=mine and (view.for_gm or one.stage in {"draft", "submitted"}),
    )


async def keep_filled(request: AtTable, entity: str, form: Form) -> None:
    """Save the answers of a form; one that changes nothing is not a step of the log.

    Errors: BadAnswers for answers that could not be saved, after the others are; those of the
    table.
    """
    view = request.view
    one = entity_in(view, entity)
    sections = request.game.sheet.sections(view.table, one)
    raw, page = form.answers(), form.command("page") if form.one("page") else ""
    was, clashes = one, tuple[Problem, ...]()
    if form.one("seen"):
        number = request.tables.cursors.open(request.campaign, form.one("seen"))
        state = request.whole_campaign
        was, raw, clashes = await asyncio.to_thread(merge, state, one, sections, raw, number, page)
    new, unread = read_sheet(sections, one.sheet, raw)
    name, line = form.one("name").strip(), form.one("line", one.line).strip()
    # A value equal to the rendered one is not a change, even if another page has changed it since.
    name = one.name if name in {"", was.name} else name
    line = one.line if line == was.line else line
    if (new, name, line) != (one.sheet, one.name, one.line):
        command = SaveSheet(
            id=f"{page}.{form.command()}.save", entity=entity, raw=raw, name=name or None, line=line
        )
        await request.do(command)
    if clashes or unread:
        raise BadAnswers((*clashes, *unread))


def nameless(request: AtTable, view: View, kind: str) -> str:
    """The placeholder for a missing name."""
    if not view.for_gm:
        return f"{view.me.name}'s character"
    titles = {one.key: one.title for one in request.game.sheet.kinds(view.table)}
    return titles.get(kind, "Somebody")
