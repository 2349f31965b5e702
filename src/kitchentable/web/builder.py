"""Routes of the builder: drafts, saved while they are written, and the printed sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from litestar import get, post
from litestar.params import FromPath

from kitchentable.campaign.commands import (
    ChangeEntity,
    DecideSheet,
    MakeEntity,
    SaveSheet,
    SubmitSheet,
)
from kitchentable.campaign.decide.bounds import a_name
from kitchentable.campaign.read_models import View
from kitchentable.campaign.views import summary_for
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_sheet, read_value
from kitchentable.rules.values import GM, Field, Problem
from kitchentable.web.answers import Answer, is_script, page, piece, see_other, wants_json
from kitchentable.web.auth import Sitting, sit
from kitchentable.web.builder_page import builder_page, built, entity_in
from kitchentable.web.commands import done, send, told_on_page
from kitchentable.web.desk_page import desk_page
from kitchentable.web.forms import Form, read_form, read_query
from kitchentable.web.moves import problems_of
from kitchentable.web.projections import game_of, view_of
from kitchentable.web.site import Asked, renderer_of
from kitchentable.web.urls import path

_MOST_AT_ONCE = 20
_COUNT = Field("count", "How many", "number", default=1, low=1, high=_MOST_AT_ONCE)
#: Beside which field a refusal stands, by its code.
_PLACES: Mapping[str, str] = MappingProxyType(
    {
        "name/empty": "name",
        "name/too-long": "name",
        "name/unseen": "name",
        "entity/kind": "kind",
    }
)


@get(path("builder"), include_in_schema=False)
async def builder(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """The page of the builder.

    With `wait` the page asks whether the GM has approved it, and goes to the table then.
    """
    sitting = sit(request, campaign)
    if read_query(request).one("wait"):
        stage = entity_in(view_of(request, sitting), entity).stage
        url = renderer_of(request).url
        if stage == "play":
            return see_other(request, url("table", campaign=campaign))
        if stage != "submitted":
            return see_other(request, url("builder", campaign=campaign, entity=entity))
    return builder_page(request, sitting, entity)


@post(path("entity_make"), include_in_schema=False, status_code=200)
async def entity_make(request: Asked, campaign: FromPath[str]) -> Answer:
    """A player begins a character; the GM brings in one, or several of a kind."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    view = view_of(request, sitting)
    name = form.one("name").strip() or nameless(request, view, form.one("kind"))
    made = ""
    try:
        count = _how_many(form.one("count", "1"))
        a_name(name)
        if count > 1:
            a_name(f"{name} {count}", "A name with its number")
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
    except told_on_page(request) as refused:
        if view.me.role != GM:
            raise
        problems = _placed(refused, _PLACES)
        return await desk_page(
            request, sitting, form=form, about="entity", problems=problems, status=422
        )
    url = renderer_of(request).url
    if count > 1:
        return see_other(request, url("desk", campaign=campaign) + "#people-of")
    return see_other(request, url("builder", campaign=campaign, entity=made))


@post(path("sheet_save"), include_in_schema=False, status_code=200)
async def sheet_save(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Save a draft, finished or not."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    return await _save(request, sitting, entity, form)


@post(path("sheet_submit"), include_in_schema=False, status_code=200)
async def sheet_submit(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Save a sheet and submit it to the GM."""
    sitting = sit(request, campaign)
    form = await read_form(request)
    refused = await keep_filled(request, sitting, entity, form)
    if refused:
        return builder_page(request, sitting, entity, form=form, problems=refused, status=422)
    try:
        await send(request, sitting, SubmitSheet(id=form.command(), entity=entity))
    except told_on_page(request) as error:
        return builder_page(
            request, sitting, entity, form=form, problems=problems_of(error), status=422
        )
    return see_other(request, renderer_of(request).url("builder", campaign=campaign, entity=entity))


@post(path("sheet_decide"), include_in_schema=False, status_code=200)
async def sheet_decide(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Accept a sheet into play, or send it back with a comment, as the GM."""
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
    except told_on_page(request) as refused:
        problems = _placed(refused, {"": "reason"})
        reason = command.reason
        return builder_page(request, sitting, entity, problems=problems, reason=reason, status=422)
    return done(request, campaign, to="table")


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
    except told_on_page(request) as refused:
        problems = _placed(refused, {**_PLACES, "table/too-long": "line"})
        about = f"of {entity}"
        return await desk_page(
            request, sitting, form=form, about=about, problems=problems, status=422
        )
    return done(request, campaign, to="desk", anchor="#people-of")


@get(path("sheet"), include_in_schema=False)
async def sheet(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """Somebody's sheet, to be read and printed."""
    view = view_of(request, sit(request, campaign))
    one = entity_in(view, entity)
    game = game_of(request, view)
    mine = view.is_mine(entity)
    return page(
        request,
        "pages/sheet.html",
        view=view,
        entity=one,
        summary=view.summaries.get(entity) or summary_for(game, view.table, one),
        sections=game.sheet.sections(view.table, one) if mine or one.open else (),
        filled=one.sheet,
        mine=mine,
        may_edit=mine and (view.me.role == GM or one.stage in {"draft", "submitted"}),
    )


async def _save(request: Asked, sitting: Sitting, entity: str, form: Form) -> Answer:
    refused = await keep_filled(request, sitting, entity, form)
    if not is_script(request):
        if refused:
            return builder_page(request, sitting, entity, form=form, problems=refused, status=422)
        step = form.one("go") or form.one("step")
        url = renderer_of(request).url
        return see_other(
            request, url("builder", campaign=sitting.campaign, entity=entity, step=step)
        )
    view = view_of(request, sitting)
    return piece(
        request,
        "parts/builder_form.html",
        status=422 if refused else 200,
        view=view,
        live=True,
        **built(request, view, entity, form, refused),
    )


async def keep_filled(
    request: Asked, sitting: Sitting, entity: str, form: Form
) -> tuple[Problem, ...]:
    """Save the answers of a form; gives the problems of those that could not be saved.

    A form that changes nothing is no step of the log. Errors: BadAnswers, for a program.
    """
    view = view_of(request, sitting)
    one = entity_in(view, entity)
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
        return _for_page(request, unread)
    command = SaveSheet(
        id=f"{form.command()}.save",
        entity=entity,
        raw=raw,
        name=name or None,
        line=line if "line" in form.fields else None,
    )
    try:
        await send(request, sitting, command)
    except told_on_page(request) as refused:
        return _placed(refused, {**_PLACES, "table/too-long": "line"})
    return _for_page(request, unread)


def _for_page(request: Asked, unread: tuple[Problem, ...]) -> tuple[Problem, ...]:
    if unread and wants_json(request):
        raise BadAnswers(unread)
    return unread


def _placed(refused: KitchenTableError, places: Mapping[str, str]) -> tuple[Problem, ...]:
    """A refusal as problems, beside the field that its code names."""
    place = places.get(refused.code, places.get("", ""))
    return tuple(replace(one, where=one.where or place) for one in problems_of(refused))


def _how_many(given: str) -> int:
    """The number of entities to create at once. Errors: BadAnswers."""
    count, problem = read_value(_COUNT, given)
    if problem is not None:
        raise BadAnswers((problem,))
    return int(str(count))


def nameless(request: Asked, view: View, kind: str) -> str:
    """The placeholder for a missing name."""
    if view.me.role != GM:
        return f"{view.me.name}'s character"
    titles = {one.key: one.title for one in game_of(request, view).sheet.kinds(view.table)}
    return titles.get(kind, "Somebody")


ROUTES = (
    builder,
    entity_make,
    sheet_save,
    sheet_submit,
    sheet_decide,
    entity_change,
    sheet,
)
