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
from kitchentable.web.auth import sit
from kitchentable.web.commands import done, send
from kitchentable.web.forms import Form, read_form
from kitchentable.web.site import Asked
from kitchentable.web.urls import path

_NUMBER = Field("number", "The number", "number", low=0, high=999)


async def _do(request: Asked, campaign: str, command: Command, anchor: str = "#notes") -> Answer:
    await send(request, sit(request, campaign), command)
    return done(request, campaign, anchor)


def _number(form: Form, name: str) -> int | None:
    """A number of a form, or None where it has none. Errors: BadAnswers."""
    if not form.one(name).strip():
        return None
    value, problem = read_value(_NUMBER, form.one(name))
    if problem is not None:
        raise BadAnswers((problem,))
    return int(str(value))


@post(path("x_card"), include_in_schema=False, status_code=200)
async def x_card(request: Asked, campaign: FromPath[str]) -> Answer:
    """Play the X-card or take it back, without a name."""
    form = await read_form(request)
    command = PlayXCard(id=form.command(), paused=form.ticked("paused"))
    return await _do(request, campaign, command, "")


@post(path("limit_set"), include_in_schema=False, status_code=200)
async def limit_set(request: Asked, campaign: FromPath[str]) -> Answer:
    """Add or remove a line or a veil, without a name."""
    form = await read_form(request)
    command = SetLimit(
        id=form.command(),
        limit=form.one("limit"),
        kind=form.one("kind"),
        text=form.one("text"),
        gone=form.ticked("gone"),
    )
    return await _do(request, campaign, command)


@post(path("clock_set"), include_in_schema=False, status_code=200)
async def clock_set(request: Asked, campaign: FromPath[str]) -> Answer:
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
    return await _do(request, campaign, command)


@post(path("oracle_set"), include_in_schema=False, status_code=200)
async def oracle_set(request: Asked, campaign: FromPath[str]) -> Answer:
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
    return await _do(request, campaign, command)


@post(path("oracle_roll"), include_in_schema=False, status_code=200)
async def oracle_roll(request: Asked, campaign: FromPath[str]) -> Answer:
    """Somebody rolls on a table."""
    form = await read_form(request)
    command = RollOracle(
        id=form.command(),
        oracle=form.one("oracle"),
        text=form.one("text"),
        audience=form.one("audience", "all"),
    )
    return await _do(request, campaign, command, "#log")


@post(path("marks_set"), include_in_schema=False, status_code=200)
async def marks_set(request: Asked, campaign: FromPath[str], entity: FromPath[str]) -> Answer:
    """The conditions of somebody, in a row."""
    form = await read_form(request)
    marks = tuple(one for one in form.one("marks").split(",") if one.strip())
    command = SetMarks(id=form.command(), entity=entity, marks=marks)
    return await _do(request, campaign, command, "#fight")


@post(path("fight_order"), include_in_schema=False, status_code=200)
async def fight_order(request: Asked, campaign: FromPath[str]) -> Answer:
    """The GM puts a fighter before another."""
    form = await read_form(request)
    command = ReorderFight(id=form.command(), entity=form.one("entity"), before=form.one("before"))
    return await _do(request, campaign, command, "#fight")


ROUTES = (x_card, limit_set, clock_set, oracle_set, oracle_roll, marks_set, fight_order)
