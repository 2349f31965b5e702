"""Forms that send one command each: a row of `FORMS` for each address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import post
from litestar.handlers import HTTPRouteHandler

from kitchentable.campaign import commands as c
from kitchentable.rules.values import Field
from kitchentable.web.answers import Answer, is_script
from kitchentable.web.at_table import DESCRIBING, AtTable, problems_of, shown_errors
from kitchentable.web.desk import desk_page
from kitchentable.web.forms import Form, read_form, read_one
from kitchentable.web.urls import path

_NUMBER = Field("number", "The number", "number", low=0, high=999, required=False)
_STEP = Field("number", "The step of the log", "number", low=1, high=10**12)


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A form with the fields of a command, and the page to show afterwards.

    `rest` reads the fields that have other names in the form. A form of the desk is shown there
    again if it is refused, under the name `again`, and its `places` are the fields of refusals.
    """

    command: type[c.Command]
    anchor: str = ""
    to: str = "table"
    again: str = ""
    rest: Callable[[Form], Mapping[str, Any]] = lambda form: {}
    places: Mapping[str, str] = field(default_factory=dict)

    def read(self, form: Form, address: Mapping[str, str]) -> c.Command:
        """The command of a form; parts of its address are fields, too. Errors: BadAnswers."""
        named = {"of" if name == "seat" else name: value for name, value in address.items()}
        given, values = {**named, **self.rest(form)}, dict[str, Any]()
        for one in msgspec.structs.fields(self.command):
            read = _READERS.get(one.type)
            # A box that is not ticked is not sent.
            asked = one.name in form.fields or one.required or one.type is bool
            if one.name in given:
                values[one.name] = given[one.name]
            elif read is not None and asked and one.name != "seat":
                values[one.name] = read(form, one.name)
        return self.command(**{**values, "id": form.command()})


#: How a field of a form is read, by the type of the command's field.
_READERS: Mapping[Any, Callable[[Form, str], Any]] = MappingProxyType(
    {
        str: Form.one,
        str | None: Form.one,
        bool: Form.ticked,
        bool | None: Form.ticked,
        int | None: lambda form, name: read_one(_NUMBER, form.one(name)),
    }
)


def _card(form: Form) -> dict[str, Any]:
    return {"number": read_one(_STEP, form.one("number"))}


def _marks(form: Form) -> dict[str, Any]:
    return {"marks": tuple(one for one in form.one("marks").split(",") if one.strip())}


def _clock(form: Form) -> dict[str, Any]:
    # An empty field changes nothing.
    return {"title": form.one("title") or None, "shape": form.one("shape") or None}


def _override(form: Form) -> dict[str, Any]:
    return {
        "path": tuple(form.one("path").strip().split(".")),
        "now": as_value(form.one("value")),
    }


def as_value(text: str) -> Any:
    """The value of a typed fact: a number, yes or no, a list, or a text.

    >>> as_value("3"), as_value(" true"), as_value("dead"), as_value('"3"')
    (3, True, 'dead', '3')
    """
    try:
        return msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text.strip()


def _options(form: Form) -> dict[str, Any]:
    return {"options": form.answers("o."), "answers": form.answers("q.")}


FORMS: Mapping[str, CommandForm] = MappingProxyType(
    {
        # The table.
        "note": CommandForm(c.SetNote, "#notes"),
        "contribute": CommandForm(c.Contribute),
        "proposal_withdraw": CommandForm(c.Withdraw, "#moves"),
        "proposal_decline": CommandForm(c.Decline, "#moves"),
        "ask_skip": CommandForm(c.SkipAsk, "#moves"),
        "quick": CommandForm(c.KeepQuick, "#sheet", rest=lambda f: {"answers": f.answers()}),
        # The scene.
        "x_card": CommandForm(c.PlayXCard),
        "reveal": CommandForm(c.Reveal, "#log", rest=_card),
        "limit_set": CommandForm(c.SetLimit, "#notes"),
        "clock_set": CommandForm(c.SetClock, "#notes", rest=_clock),
        "oracle_set": CommandForm(c.SetOracle, "#notes"),
        "oracle_roll": CommandForm(c.RollOracle, "#log"),
        "marks_set": CommandForm(c.SetMarks, "#fight", rest=_marks),
        "fight_order": CommandForm(c.ReorderFight, "#fight"),
        # The desk.
        "seat_decide": CommandForm(c.DecideSeat, "#seats", "desk", "seats"),
        "seat_rename": CommandForm(c.RenameSeat, "#seats", "desk", "seats"),
        "seat_role": CommandForm(c.SetRole, "#seats", "desk", "seats"),
        "game_update": CommandForm(c.UpdateGame, "#rules-of", "desk", "update"),
        "options_set": CommandForm(c.SetOptions, "#rules-of", "desk", "options", _options),
        "settings_set": CommandForm(
            c.SetSettings, "#run", "desk", "settings", lambda f: {"settings": f.answers("t.")}
        ),
        "session_begin": CommandForm(c.BeginSession, again="evening"),
        "session_close": CommandForm(c.CloseSession, to="closing", again="evening"),
        "session_end": CommandForm(c.EndSession, again="evening"),
        "override": CommandForm(c.Override, "#hand", "desk", "override", _override),
        "entity_change": CommandForm(
            c.ChangeEntity, "#people-of", "desk", "of {entity}", places=DESCRIBING
        ),
    }
)


def _make_route(name: str, known: CommandForm) -> HTTPRouteHandler:
    async def send_form(request: AtTable) -> Answer:
        form = await read_form(request)
        # Who is let in from the table stays there, and so does a player with another name.
        at_desk = known.again and form.one("back") != "table" and request.view.for_gm
        about = known.again.format_map(request.path_params)
        if at_desk and form.one("add"):
            return await desk_page(request, form=form, about=about)
        try:
            await request.do(known.read(form, request.path_params))
        except shown_errors(request) as refused:
            if not at_desk or is_script(request):
                raise
            problems = problems_of(refused, known.places)
            return await desk_page(request, form=form, problems=problems, about=about)
        if known.again and not at_desk:
            return request.done()
        return request.done(known.anchor, known.to)

    return post(path(name))(send_form)


ROUTES = tuple(_make_route(name, form) for name, form in FORMS.items())
