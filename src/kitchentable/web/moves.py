"""The panel of moves: making moves, proposing rolls, saving quick rolls."""

from __future__ import annotations

from dataclasses import replace

from litestar import get, post

from kitchentable.app.projections import Projection
from kitchentable.app.table import Handled
from kitchentable.campaign.commands import (
    MakeMove,
    Propose,
)
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.read_models import SeenMove, View
from kitchentable.rules.values import LONGEST_NAME, Field, Problem
from kitchentable.web.answers import Answer, go_to, is_script, page, piece
from kitchentable.web.at_table import AtTable, problems_of, shown_errors, view_in
from kitchentable.web.forms import Form, read_either, read_form, read_query
from kitchentable.web.panel import (
    Panel,
    default_actor,
    fields_with,
    in_form,
    moves_of,
    only,
    panel_of,
)
from kitchentable.web.table_page import table_page
from kitchentable.web.urls import path

#: Notice for real dice typed in before their roll was settled.
_NOT_YET = (
    "Your real dice are not in the log yet, because someone else has to set part of this roll "
    "first. Type them in again when it is your turn to roll."
)
#: The value of `hide` that keeps all of a form hidden.
EVERYTHING = "*"
#: Pages beside the table that a form may ask to be led back to.
_BACK = frozenset({"closing", "desk"})


@post(path("table_move"))
async def table_move(request: AtTable) -> Answer:
    """Make a move from the panel, or propose it if others take part in it."""
    form = await read_form(request)
    view = request.view
    early = False
    try:
        seen = _find_move(request, view, form)
        if seen.converses:
            proposed = await _propose(request, view, seen, form)
            early = proposed.events[-1].kind == "proposed" and form.faces() is not None
        else:
            await request.do(
                MakeMove(
                    id=form.command(),
                    move=seen.name,
                    entity=seen.entity,
                    answers=only(seen, form.answers()),
                    faces=form.faces(),
                    audience=form.one("audience", "all"),
                ),
            )
    except shown_errors(request) as refused:
        return await _panel_again(request, form, problems_of(refused))
    if is_script(request):
        fresh = Form({"entity": form.all("entity") or ("",), "move": form.all("move") or ("",)})
        notes = (Problem("", "", _NOT_YET, refuses=False),) if early else ()
        return await moves_panel(request, fresh, notes)
    if early:
        return await table_page(request, notices=[("plain", _NOT_YET)])
    back = form.one("back")
    return go_to(request, back) if back in _BACK else go_to(request, "table", "#moves")


def _find_move(request: AtTable, view: View, form: Form) -> SeenMove:
    """The move a form names, with the questions that its answers open. Errors: CannotBe."""
    projection = request.projection
    wanted = form.one("move")
    actor = form.one("entity") if "entity" in form.fields else default_actor(view)
    for seen in moves_of(projection, actor):
        if seen.name == wanted:
            if seen.why_not:
                lost = _words_of(projection, seen, form)
                raise CannotBe(f"{seen.why_not}{lost}", code="rule/refuses")
            return replace(seen, fields=fields_with(projection, seen, form.answers()))
    raise CannotBe("Pick a move first.", code="move/unknown")


def _words_of(projection: Projection, seen: SeenMove, form: Form) -> str:
    """The texts of a form that no longer has its questions, as a sentence, so that none is lost."""
    answers = form.answers()
    fields = projection.fill_in(seen.name, seen.entity, answers).fields
    texts = (answers.get(one.name) for one in fields if one.kind in {"text", "story"})
    words = " / ".join(str(one) for one in texts if one)
    return f" You had written: {words}" if words else ""


async def _propose(request: AtTable, view: View, seen: SeenMove, form: Form) -> Handled:
    """Propose a roll; if nobody else takes part in it, roll at once."""
    gm = view.for_gm
    hidden, shown = veils(seen.fields, form) if gm else ((), ())
    return await request.do(
        Propose(
            id=form.command(),
            move=seen.name,
            entity=seen.entity,
            answers=only(seen, form.answers()),
            hidden=hidden,
            shown=shown,
            any_yes=gm and form.ticked("any_yes"),
            audience=form.one("audience", "all"),
            throw=True,
            faces=form.faces(),
        ),
    )


def veils(fields: tuple[Field, ...], form: Form) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The answers that the GM's form hides, and those shown although hidden by default."""
    offered = [field for field in fields if field.hideable and in_form(field, form)]
    ticked = set(form.all("hide"))
    if EVERYTHING in ticked:
        ticked |= {field.name for field in offered}
    hidden = tuple(field.name for field in offered if field.name in ticked)
    shown = tuple(field.name for field in offered if field.hidden and field.name not in ticked)
    return hidden, shown


async def _panel_again(request: AtTable, form: Form, problems: tuple[Problem, ...]) -> Answer:
    if not is_script(request):
        return await table_page(request, form=form, problems=problems, status=422)
    return await moves_panel(request, form, problems, status=422)


async def look_at_moves(request: AtTable) -> Answer:
    """The panel of moves with the answers so far, and its odds."""
    return await moves_panel(request, await read_either(request))


table_moves = get(path("table_moves"))(look_at_moves)
table_moves_look = post(path("table_moves_look"))(look_at_moves)


async def moves_panel(
    request: AtTable,
    form: Form,
    problems: tuple[Problem, ...] = (),
    status: int = 200,
) -> Answer:
    """The panel of moves, as the page's script asks for it."""

    def shown(projection: Projection) -> tuple[View, Panel]:
        view = view_in(projection)
        return view, panel_of(projection, view, form, problems)

    view, panel = await request.with_odds(shown)
    return await request.site.beside(
        piece, request, "parts/moves_panel.html", status=status, view=view, p=panel
    )


@get(path("quick"))
async def quick(request: AtTable) -> Answer:
    """The page that names a quick roll."""
    projection = request.projection
    view, query = view_in(projection), read_query(request)
    entity = query.one("entity")
    seen = next(
        (one for one in moves_of(projection, entity) if one.name == query.one("move")), None
    )
    if seen is None or not seen.entity or not view.is_mine(entity):
        raise CannotBe("You can save only rolls of your own characters.", code="quick/not-yours")
    answers = only(seen, query.answers())
    fields = fields_with(projection, seen, answers)
    labels = [
        choice.label
        for field in fields
        for choice in field.choices
        if choice.value and choice.value == answers.get(field.name)
    ]
    name = ", ".join(labels)[:LONGEST_NAME] or seen.title
    return page(request, "pages/quick.html", view=view, seen=seen, answers=answers, name=name)
