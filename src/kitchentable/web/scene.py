"""Routes of the scene: clocks, tables to roll on, conditions, lines and veils, the X-card."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath

from kitchentable.campaign.commands import (
    Command,
    PlayXCard,
    ReorderFight,
    RollOracle,
    SetClock,
    SetLimit,
    SetMarks,
    SetOracle,
)
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_value
from kitchentable.rules.values import Field
from kitchentable.web.answers import Answer
from kitchentable.web.at_table import AtTable
from kitchentable.web.forms import Form, read_form
from kitchentable.web.urls import path

_NUMBER = Field("number", "The number", "number", low=0, high=999)


async def _do(request: AtTable, command: Command, anchor: str = "#notes") -> Answer:
    await request.do(command)
    return request.done(anchor)


def _number(form: Form, name: str) -> int | None:
    """A number of a form, or None where it has none. Errors: BadAnswers."""
    if not form.one(name).strip():
        return None
    value, problem = read_value(_NUMBER, form.one(name))
    if problem is not None:
        raise BadAnswers((problem,))
    return int(str(value))


@post(path("x_card"))
async def x_card(request: AtTable) -> Answer:
    """Play the X-card or take it back, without a name."""
    form = await read_form(request)
    command = PlayXCard(id=form.command(), paused=form.ticked("paused"))
    return await _do(request, command, "")


@post(path("limit_set"))
async def limit_set(request: AtTable) -> Answer:
    """Add or remove a line or a veil, without a name."""
    form = await read_form(request)
    command = SetLimit(
        id=form.command(),
        limit=form.one("limit"),
        kind=form.one("kind"),
        text=form.one("text"),
        gone=form.ticked("gone"),
    )
    return await _do(request, command)


@post(path("clock_set"))
async def clock_set(request: AtTable) -> Answer:
    """The GM makes a clock, moves it, shows it or puts it away."""
    form = await read_form(request)
    command = SetClock(
        id=form.command(),
        clock=form.one("clock"),
        title=form.one("title") or None,
        filled=_number(form, "filled"),
        of=_number(form, "of"),
        shape=form.one("shape") or None,
        open=form.ticked("open") if "open" in form.fields else None,
        gone=form.ticked("gone"),
    )
    return await _do(request, command)


@post(path("oracle_set"))
async def oracle_set(request: AtTable) -> Answer:
    """The GM writes a table to roll on, or puts one away."""
    form = await read_form(request)
    command = SetOracle(
        id=form.command(),
        oracle=form.one("oracle"),
        title=form.one("title"),
        rows=form.one("rows"),
        dice=form.one("dice"),
        open=form.ticked("open"),
        gone=form.ticked("gone"),
    )
    return await _do(request, command)


@post(path("oracle_roll"))
async def oracle_roll(request: AtTable) -> Answer:
    """Somebody rolls on a table."""
    form = await read_form(request)
    command = RollOracle(
        id=form.command(),
        oracle=form.one("oracle"),
        text=form.one("text"),
        audience=form.one("audience", "all"),
    )
    return await _do(request, command, "#log")


@post(path("marks_set"))
async def marks_set(request: AtTable, entity: FromPath[str]) -> Answer:
    """The conditions of somebody, in a row."""
    form = await read_form(request)
    marks = tuple(one for one in form.one("marks").split(",") if one.strip())
    command = SetMarks(id=form.command(), entity=entity, marks=marks)
    return await _do(request, command, "#fight")


@post(path("fight_order"))
async def fight_order(request: AtTable) -> Answer:
    """The GM puts a fighter before another."""
    form = await read_form(request)
    command = ReorderFight(id=form.command(), entity=form.one("entity"), before=form.one("before"))
    return await _do(request, command, "#fight")
