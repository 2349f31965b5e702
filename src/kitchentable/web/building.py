"""Building somebody: drafts that are kept as they are written, and the sheet as it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from kitchentable.campaign.commands import (
    ChangeEntity,
    DecideSheet,
    MakeEntity,
    SaveSheet,
    SubmitSheet,
)
from kitchentable.campaign.seen import View
from kitchentable.campaign.views import summary_for
from kitchentable.dice.errors import BadInput
from kitchentable.game.errors import BadAnswers
from kitchentable.game.forms import gather_rows, read_sheet
from kitchentable.game.sheets import Section
from kitchentable.game.table import Entity
from kitchentable.game.values import GM, Problem
from kitchentable.web.acting import done, send, tell_program
from kitchentable.web.answers import Answer, is_script, page, piece, see_other
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.deskpage import desk_page
from kitchentable.web.errors import NoSuchPage
from kitchentable.web.forms import Form, read_form
from kitchentable.web.moving import problems_of
from kitchentable.web.seen import game_of, view_of
from kitchentable.web.site import Asked, renderer_of, site_of
from kitchentable.web.urls import path

_MOST_AT_ONCE = 20


@get(path("builder_new"), include_in_schema=False)
async def builder_new(request: Asked, campaign: FromPath[str]) -> Answer:
    """Who will it be? The kinds that this seat may make."""
    view = view_of(request, sit(request, campaign))
    gm = view.me.role == GM
    kinds = [
        kind
        for kind in game_of(request, view).sheet.kinds(view.table)
        if gm or kind.made_by == "player"
    ]
    return page(request, "pages/builder.html", view=view, entity=None, kinds=kinds)


@get(path("builder"), include_in_schema=False)
async def builder(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """A sheet as it is being built."""
    sitting = sit(request, campaign)
    return _builder(request, sitting, entity)


@post(path("entity_make"), include_in_schema=False, status_code=200)
async def entity_make(request: Asked, campaign: FromPath[str]) -> Answer:
    """A player begins a character; the GM brings in one, or several of a kind."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    view = view_of(request, sitting)
    name = form.one("name").strip() or _nameless(request, view, form.one("kind"))
    number = form.one("count", "1")
    count = min(max(int(number), 1), _MOST_AT_ONCE) if number.isdecimal() else 1
    made = ""
    try:
        for index in range(1, count + 1):
            handled = await send(
                request,
                sitting,
                MakeEntity(
                    id=f"{form.command()}.{index}",
                    kind=form.one("kind"),
                    name=f"{name} {index}" if count > 1 else name,
                    hidden=form.ticked("hidden"),
                ),
            )
            made = str(handled.events[0].data["entity"])
    except BadInput as refused:
        tell_program(request, refused)
        if view.me.role != GM:
            raise
        return desk_page(
            request, sitting, about="entity", problems=problems_of(refused), status=422
        )
    url = renderer_of(request).url
    if count > 1:
        return see_other(request, url("desk", campaign=campaign) + "#people-of")
    return see_other(request, url("builder", campaign=campaign, entity=made))


@post(path("sheet_save"), include_in_schema=False, status_code=200)
async def sheet_save(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """What was built is kept, finished or not."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    return await _save(request, sitting, entity, form)


@post(path("sheet_submit"), include_in_schema=False, status_code=200)
async def sheet_submit(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """A finished sheet is put before the GM; what was changed on the way is kept first."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    refused = await _keep(request, sitting, entity, form)
    if refused:
        tell_program(request, BadAnswers(refused))
        return _builder(request, sitting, entity, form=form, problems=refused, status=422)
    try:
        await send(request, sitting, SubmitSheet(id=form.command(), entity=entity))
    except BadInput as error:
        tell_program(request, error)
        return _builder(
            request, sitting, entity, form=form, problems=problems_of(error), status=422
        )
    return see_other(request, renderer_of(request).url("builder", campaign=campaign, entity=entity))


@post(path("sheet_decide"), include_in_schema=False, status_code=200)
async def sheet_decide(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """The GM takes somebody into play, or sends the sheet back with a word."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    accept = form.one("accept") == "yes"
    command = DecideSheet(
        id=form.command(), entity=entity, accept=accept, reason=form.one("reason")
    )
    try:
        if not accept and not command.reason.strip():
            raise BadInput("Say what should be different, so that the player knows.")
        await send(request, sitting, command)
    except BadInput as refused:
        tell_program(request, refused)
        return _builder(request, sitting, entity, problems=problems_of(refused), status=422)
    return done(request, campaign, to="desk", anchor="#people-of")


@post(path("entity_change"), include_in_schema=False, status_code=200)
async def entity_change(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """The GM changes who somebody is to the table."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    command = ChangeEntity(
        id=form.command(),
        entity=entity,
        name=form.one("name") if "name" in form.fields else None,
        line=form.one("line") if "line" in form.fields else None,
        owner=form.one("owner") if "owner" in form.fields else None,
        hidden=form.ticked("hidden") if "hidden" in form.fields else None,
        open=form.ticked("open") if "open" in form.fields else None,
        gone=form.ticked("gone") if "gone" in form.fields else None,
    )
    try:
        await send(request, sitting, command)
    except BadInput as refused:
        tell_program(request, refused)
        return desk_page(
            request, sitting, about="entity", problems=problems_of(refused), status=422
        )
    return done(request, campaign, to="desk", anchor="#people-of")


@get(path("sheet"), include_in_schema=False)
async def sheet(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Somebody's sheet, to be read and printed."""
    view = view_of(request, sit(request, campaign))
    one = _entity(view, entity)
    game = game_of(request, view)
    mine = any(own.id == entity for own in view.mine)
    return page(
        request,
        "pages/sheet.html",
        view=view,
        entity=one,
        summary=view.summaries.get(entity) or summary_for(game, view.table, one),
        sections=game.sheet.sections(view.table, one) if mine or one.open else (),
        filled=one.sheet,
        may_edit=mine and (view.me.role == GM or one.stage in {"draft", "submitted"}),
    )


async def _save(request: Asked, sitting: Sitting, entity: str, form: Form) -> Answer:
    refused = await _keep(request, sitting, entity, form)
    if refused:
        tell_program(request, BadAnswers(refused))
    if not is_script(request):
        if refused:
            return _builder(request, sitting, entity, form=form, problems=refused, status=422)
        url = renderer_of(request).url("builder", campaign=sitting.campaign, entity=entity)
        return see_other(request, url)
    view = view_of(request, sitting)
    return piece(
        request,
        "parts/builder_form.html",
        status=422 if refused else 200,
        view=view,
        **_build(request, view, entity, form, refused),
    )


async def _keep(request: Asked, sitting: Sitting, entity: str, form: Form) -> tuple[Problem, ...]:
    """Keep what was filled in; what could not be kept comes back as problems.

    A form that changes nothing is no step of the log.
    """
    view = view_of(request, sitting)
    one = _entity(view, entity)
    sections = game_of(request, view).sheet.sections(view.table, one)
    raw = form.answers()
    new, unread = read_sheet(sections, one.sheet, raw)
    name, line = form.one("name").strip(), form.one("line").strip()
    same = (
        new == one.sheet
        and name in {"", one.name}
        and ("line" not in form.fields or line == one.line)
    )
    if same:
        return unread
    command = SaveSheet(
        id=f"{form.command()}.save",
        entity=entity,
        raw=raw,
        name=name or None,
        line=line if "line" in form.fields else None,
    )
    try:
        await send(request, sitting, command)
    except BadInput as refused:
        tell_program(request, refused)
        return problems_of(refused)
    return unread


def _builder(
    request: Asked,
    sitting: Sitting,
    entity: str,
    *,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    status: int = 200,
) -> Answer:
    view = view_of(request, sitting)
    return page(
        request,
        "pages/builder.html",
        status=status,
        view=view,
        kinds=(),
        **_build(request, view, entity, form, problems),
    )


def _build(
    request: Asked, view: View, entity: str, form: Form | None, problems: tuple[Problem, ...]
) -> dict[str, Any]:
    """All that the builder shows of somebody."""
    one = _entity(view, entity)
    if all(own.id != entity for own in view.mine) and view.me.role != GM:
        raise NoSuchPage("There is nobody of yours to build here.")
    game = game_of(request, view)
    sections = game.sheet.sections(view.table, one)
    found = game.sheet.check(view.table, one, "play" if one.stage == "play" else "creation")
    told = {(problem.where, problem.sentence) for problem in problems}
    return {
        "entity": one,
        "sections": sections,
        "filled": _filled(one, sections, form, problems),
        "problems": (
            *problems,
            *(p for p in found if (p.where, p.sentence) not in told),
        ),
        "saved": "" if form is None else ("Not all could be kept." if problems else "Kept."),
        "may_submit": one.stage == "draft",
        "word": _word(request, view, one),
        "judge": view.me.role == GM and one.stage == "submitted",
    }


def _filled(
    entity: Entity,
    sections: tuple[Section, ...],
    form: Form | None,
    problems: tuple[Problem, ...],
) -> Mapping[str, Any]:
    """The sheet, with what was typed where it could not be kept."""
    filled: dict[str, Any] = dict(entity.sheet)
    if form is None:
        return filled
    raw = form.answers()
    for section in sections:
        for field in section.fields:
            if not any(
                p.where == field.name or p.where.startswith(f"{field.name}.") for p in problems
            ):
                continue
            given = gather_rows(field, raw) if field.kind == "rows" else raw.get(field.name)
            if given is not None:
                filled[field.name] = given
    if problems:
        filled["name"], filled["line"] = form.one("name"), form.one("line")
    return filled


def _word(request: Asked, view: View, entity: Entity) -> str:
    """What the GM said when the sheet was sent back, for as long as it is a draft."""
    if entity.stage != "draft":
        return ""
    events = site_of(request).house.tables.campaign(view.campaign).events
    for event in reversed(events):
        if event.kind == "sheet-sent-back" and event.data.get("entity") == entity.id:
            return event.reason
    return ""


def _entity(view: View, entity: str) -> Entity:
    found = view.table.entities.get(entity)
    if found is None:
        raise NoSuchPage("Nobody of that name is at this table.")
    return found


def _nameless(request: Asked, view: View, kind: str) -> str:
    if view.me.role != GM:
        return f"{view.me.name}'s character"
    titles = {one.key: one.title for one in game_of(request, view).sheet.kinds(view.table)}
    return titles.get(kind, "Somebody")


ROUTES = (
    builder_new,
    builder,
    entity_make,
    sheet_save,
    sheet_submit,
    sheet_decide,
    entity_change,
    sheet,
)
