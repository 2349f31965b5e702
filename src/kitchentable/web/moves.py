"""Moves and rolls: proposing, settling, throwing, answering cards. Bad input loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from litestar import post
from litestar.params import FromPath

from kitchentable.app.table import Handled
from kitchentable.campaign.commands import (
    MakeMove,
    Propose,
    Settle,
    Throw,
)
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import sentence
from kitchentable.campaign.read_models import SeenAsk, SeenMove, SeenProposal, View
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.values import GM, Field, Problem
from kitchentable.web.answers import Answer, is_script, piece, see_other
from kitchentable.web.at_table import QUEUE, AtTable, told_on_page, view_in, what_follows
from kitchentable.web.forms import Form, read_form
from kitchentable.web.panel import (
    actors_of,
    ask_with,
    fields_with,
    hides_in,
    in_form,
    moves_of,
    only,
    talk_with,
)
from kitchentable.web.table_page import Again, moves_panel, table_page
from kitchentable.web.urls import path

#: Said where real dice were typed in before their roll was settled.
_NOT_YET = (
    "Your real dice are not in the log yet: somebody else sets a part of this roll first. Type "
    "them in when the dice can fall."
)
#: The value of `hide` that keeps all of a form hidden.
EVERYTHING = "*"
#: Pages that a form may ask to be led back to.
_BACK = frozenset({"table", "closing", "desk"})


@post(path("table_move"))
async def table_move(request: AtTable) -> Answer:
    """Make a move from the panel, or propose it where others have a part in it."""
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
    except told_on_page(request) as refused:
        return await _panel_again(request, form, problems_of(refused))
    if is_script(request):
        fresh = Form({"entity": form.all("entity") or ("",), "move": form.all("move") or ("",)})
        told = (Problem("", "", _NOT_YET, refuses=False),) if early else ()
        return await moves_panel(request, fresh, told)
    if early:
        return await table_page(request, notices=[("plain", _NOT_YET)])
    back = form.one("back", "table")
    url = request.path_to(back if back in _BACK else "table")
    return see_other(request, url if back in _BACK - {"table"} else f"{url}#moves")


def _find_move(request: AtTable, view: View, form: Form) -> SeenMove:
    """The move a form names, with the questions that its answers open. Errors: CannotBe."""
    projection = request.projection
    wanted = form.one("move")
    actor = form.one("entity") if "entity" in form.fields else actors_of(view)[0][0]
    for seen in moves_of(projection, actor):
        if seen.name == wanted:
            if seen.why_not:
                raise CannotBe(seen.why_not, code="rule/refuses")
            return replace(seen, fields=fields_with(projection, seen, form.answers()))
    raise CannotBe("Pick what you want to do first.", code="move/unknown")


async def _propose(request: AtTable, view: View, seen: SeenMove, form: Form) -> Handled:
    """Propose a roll; where nobody else has a part in it, it is thrown at once."""
    gm = view.me.role == GM
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


@post(path("proposal_settle"))
async def proposal_settle(request: AtTable, proposal: FromPath[str]) -> Answer:
    """Set the fields of one party of a proposal."""
    form = await read_form(request)
    try:
        handled = await _settle(request, proposal, form, form.command())
    except told_on_page(request) as refused:
        return await _talk_again(request, proposal, form, refused)
    return _settled(request, handled.events[-1:])


def _settled(request: AtTable, steps: Sequence[Event]) -> Answer:
    """The response after verdicts; a script offers to undo them for a moment."""
    view = request.view
    stays = is_script(request) and not what_follows(request, request.campaign)
    if view.me.role != GM or not steps or not (stays or QUEUE in request.headers):
        return request.done("#moves")
    first, *also = steps
    return piece(
        request,
        "parts/take_back.html",
        view=view,
        cursor=request.server.tables.cursors.seal(request.campaign, first.number),
        also=[step.number for step in also],
        said=f"{len(steps)} rolls are approved." if also else sentence(first),
        queue=QUEUE in request.headers,
    )


@post(path("proposal_throw"))
async def proposal_throw(request: AtTable, proposal: FromPath[str]) -> Answer:
    """Set the changed fields of a proposal, then throw its dice."""
    form = await read_form(request)
    try:
        if form.answers():
            await _settle(request, proposal, form, f"{form.command()}.settle")
        await request.do(
            Throw(id=form.command(), proposal=proposal, faces=form.faces()),
        )
    except told_on_page(request) as refused:
        return await _talk_again(request, proposal, form, refused)
    return request.done("#log")


async def _settle(request: AtTable, proposal: str, form: Form, command: str) -> Handled:
    view = request.view
    talk = _find_talk(view, proposal)
    gm = view.me.role == GM
    if talk is not None:
        talk = talk_with(view, request.game, talk, form.answers())
    hidden, shown = veils(talk.mine, form) if gm and talk is not None else ((), ())
    return await request.do(
        Settle(
            id=command,
            proposal=proposal,
            answers=form.answers(),
            hidden=hidden,
            shown=shown,
            stands_in=form.all("stands_in") if gm else (),
        ),
    )


@post(path("approve_all"))
async def approve_all(request: AtTable) -> Answer:
    """Approve every roll that waits for the GM, with its current answers."""
    form = await read_form(request)
    steps: list[Event] = []
    for talk in request.view.proposals:
        if talk.my_turn and not talk.may_throw and not unanswered(talk):
            command = f"{form.command()}.{talk.id}"
            handled = await request.do(Settle(id=command, proposal=talk.id))
            steps += handled.events[-1:]
    return _settled(request, steps)


def unanswered(talk: SeenProposal) -> bool:
    """Whether something is still asked that has no answer and no default.

    >>> asked = SeenProposal("r1", "task", "Task", "", "Mara", (), (), mine=(Field("n", "Number"),))
    >>> unanswered(asked), unanswered(replace(asked, answers={"n": 11}))
    (True, False)
    """
    return any(
        field.required
        and field.kind not in {"tick", "rows", "many"}
        and talk.answers.get(field.name, field.default) in (None, "")
        for field in talk.mine
    )


@post(path("ask_answer"))
async def ask_answer(request: AtTable, ask: FromPath[str]) -> Answer:
    """A card that waits is answered."""
    form = await read_form(request)
    waiting = _find_ask(request.view, ask)
    if waiting is None or not waiting.mine:
        raise CannotBe("Somebody has answered that card already.", code="ask/gone")
    try:
        await request.do(
            MakeMove(
                id=form.command(),
                move=waiting.ask.move,
                entity=waiting.ask.entity,
                answers=form.answers(),
                ask=ask,
                faces=form.faces(),
            ),
        )
    except told_on_page(request) as refused:
        view = request.view
        problems = problems_of(refused)
        card = _find_ask(view, ask) or waiting
        card = ask_with(view, request.game, card, form.answers())
        if not is_script(request):
            return await _page_again(request, Again(card, problems, form.one("faces")))
        return piece(
            request,
            "parts/card.html",
            status=422,
            view=view,
            proposal=None,
            ask=card,
            problems=problems,
            faces=form.one("faces"),
        )
    return request.done("#moves")


def veils(fields: tuple[Field, ...], form: Form) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The answers that the GM's form hides, and those shown although hidden by default."""
    offered = [field for field in fields if field.hideable and in_form(field, form)]
    ticked = set(form.all("hide"))
    if EVERYTHING in ticked:
        ticked |= {field.name for field in offered}
    hidden = tuple(field.name for field in offered if field.name in ticked)
    shown = tuple(field.name for field in offered if field.hidden and field.name not in ticked)
    return hidden, shown


def problems_of(refused: KitchenTableError) -> tuple[Problem, ...]:
    """A refusal as problems beside the fields of a form."""
    if isinstance(refused, BadAnswers):
        return refused.problems
    return (Problem("", "", str(refused)),)


def _find_talk(view: View, proposal: str) -> SeenProposal | None:
    return next((one for one in view.proposals if one.id == proposal), None)


def _find_ask(view: View, ask: str) -> SeenAsk | None:
    return next((one for one in view.asks if one.ask.id == ask), None)


async def _panel_again(request: AtTable, form: Form, problems: tuple[Problem, ...]) -> Answer:
    if not is_script(request):
        return await table_page(request, form=form, problems=problems, status=422)
    return await moves_panel(request, form, problems, status=422)


async def _talk_again(
    request: AtTable, proposal: str, form: Form, refused: KitchenTableError
) -> Answer:
    view = await request.with_odds(view_in)
    talk = _find_talk(view, proposal)
    if talk is None:
        raise refused
    problems = problems_of(refused)
    talk = talk_with(view, request.game, talk, form.answers())
    hidden = hides_in(talk.mine, form)
    if not is_script(request):
        again = Again(talk, problems, form.one("faces"), hidden)
        return await _page_again(request, again)
    return piece(
        request,
        "parts/card.html",
        status=422,
        view=view,
        proposal=talk,
        hidden=hidden,
        ask=None,
        problems=problems,
        faces=form.one("faces"),
    )


async def _page_again(request: AtTable, again: Again) -> Answer:
    notices = [("bad", problem.sentence) for problem in again.problems if problem.refuses]
    return await table_page(request, notices=notices, again=again, status=422)
