"""Characters from files, and characters carried over from one game to another."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlencode

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.carry import Carried, Steps, Wishes, carry, step
from kitchentable.app.carry_sides import CannotCarry, Side, side_of
from kitchentable.app.characters import (
    MOST_BYTES,
    CharacterFile,
    file_of,
    keep_file,
    kept_file,
    read_character,
)
from kitchentable.dice.errors import BadInput, NotSolved
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Kind
from kitchentable.web.answers import Answer, go_to, page, see_other
from kitchentable.web.at_table import AtTable, shown_errors
from kitchentable.web.builder_page import own_in
from kitchentable.web.errors import BadForm
from kitchentable.web.forms import FORMS_OWN, Form, read_form, read_query
from kitchentable.web.making import begin_page, known_kind, make_draft, send_file
from kitchentable.web.urls import path

#: Seconds that the odds of one step may take.
_WITHIN = 10.0
_LEVEL = re.compile(r"-?[0-9]{1,2}|[0-9]{3}")


@post(path("character_import"))
async def character_import(request: AtTable) -> Answer:
    """A character from a file becomes a draft; one of another game is shown carried over first."""
    form = await read_form(request)
    sent = (form.files or {}).get("file")
    try:
        if sent is None:
            raise BadForm("Choose a character file first.")
        body = await sent.read(MOST_BYTES + 1)
        character = await asyncio.to_thread(read_character, body)
        game = request.game
        if character.game != game.name:
            await _arriving(request, form, character)
            seat, store = request.sitting.seat, request.server.store
            await asyncio.to_thread(keep_file, store, request.campaign, seat, body)
            return go_to(request, "carry_in")
        kind = known_kind(game, request.view, character.kind)
        return await make_draft(
            request, form, kind, character.name, character.line, character.answers
        )
    except shown_errors(request) as refused:
        return await begin_page(request, str(refused))


@get(path("carry_in"))
async def carry_in(request: AtTable) -> Answer:
    """A character of another game that was opened last, matched with the choices of the address."""
    query = read_query(request)
    try:
        character = await _opened(request)
        source, target, kinds = await _arriving(request, query, character)
    except shown_errors(request) as refused:
        return await begin_page(request, str(refused))
    found, problem = await _carried(request, character, source, target, query)
    return _page(
        request, character, source, target, query, found, problem, kinds=kinds, arriving=True
    )


@post(path("carry_in"))
async def carry_in_make(request: AtTable) -> Answer:
    """Make the character a draft, or match it again with changed choices."""
    form = await read_form(request)
    try:
        character = await _opened(request)
        source, target, _ = await _arriving(request, form, character)
        if form.one("do") == "make":
            found, _ = await _carried(request, character, source, target, form)
            if found is not None:
                kind, answers = target.kind, found.answers
                return await make_draft(
                    request, form, kind, character.name, character.line, answers
                )
    except shown_errors(request) as refused:
        return await begin_page(request, str(refused))
    chosen = {name: form.one(name) for name in form.fields if name not in {*FORMS_OWN, "do"}}
    return see_other(request, f"{request.path_to('carry_in')}?{urlencode(chosen)}")


async def _opened(request: AtTable) -> CharacterFile:
    """The character that the seat has opened last. Errors: NoCharacter."""
    seat, store = request.sitting.seat, request.server.store
    body = await asyncio.to_thread(kept_file, store, request.campaign, seat)
    return await asyncio.to_thread(read_character, body)


async def _arriving(
    request: AtTable, form: Form, character: CharacterFile
) -> tuple[Side, Side, list[Kind]]:
    """The two games of a character from elsewhere, and the kinds to choose from here."""
    view, game = request.view, request.game
    kinds = [k for k in game.sheet.kinds(view.table) if view.for_gm or k.made_by == "player"]
    target = Side(game, view.table.options, _kind(kinds, form, character))
    source = await asyncio.to_thread(side_of, character, request.tables.load_game)
    return source, target, kinds


@get(path("carry"))
async def carry_out(request: AtTable, entity: FromPath[str]) -> Answer:
    """Carry an own character over to another game, to be saved as a file."""
    view, query = request.view, read_query(request)
    one = own_in(view, entity)
    games, _ = await asyncio.to_thread(request.server.local_games.every)
    source = Side(request.game, view.table.options, one.kind)
    others = {game.name: game for game in games if game.name != source.game.name}
    character = file_of(source.game, view.table, one)
    to = others.get(query.one("to"))
    if to is None:
        return _page(request, character, source, None, query, games=others.values())
    target = await asyncio.to_thread(_by_the_book, to, query, character)
    found, problem = await _carried(request, character, source, target, query)
    if found is not None and query.one("do") == "save":
        draft = replace(target.draft(found.sheet), name=character.name, line=character.line)
        return send_file(request, file_of(to, target.table, draft))
    kinds = [one for one in to.sheet.kinds(target.table) if one.made_by == "player"]
    return _page(
        request,
        character,
        source,
        target,
        query,
        found,
        problem,
        kinds=kinds,
        games=others.values(),
    )


def _by_the_book(game: Game, query: Form, character: CharacterFile) -> Side:
    side = Side(game, game.defaults(), "")
    kinds = [one for one in game.sheet.kinds(side.table) if one.made_by == "player"]
    return replace(side, kind=_kind(kinds, query, character))


def _kind(kinds: list[Kind], form: Form, character: CharacterFile) -> str:
    """The kind that was picked, else one with the same key, else the first."""
    keys = [one.key for one in kinds]
    picked = [key for key in (form.one("kind"), character.kind) if key in keys]
    if not keys:
        raise CannotCarry(
            "You cannot make characters at this table. Ask the GM to import this one."
        )
    return (picked or keys)[0]


async def _carried(
    request: AtTable,
    character: CharacterFile,
    source: Side,
    target: Side,
    form: Form,
) -> tuple[Carried | None, str]:
    """The character carried over, or the reason why it cannot be."""
    steps = carry(character, source, target, _wishes(form, target))
    try:
        return await _follow(request, steps), ""
    except shown_errors(request, BadInput) as refused:
        return None, str(refused)
    except NotSolved as refused:
        return None, f"{refused} Leave out the duels, or try again."


async def _follow(request: AtTable, steps: Steps[Carried]) -> Carried:
    """The outcome of the steps, read in one thread and calculated in the odds process."""
    site = request.site
    job, found = await site.at_length(step, steps, None)
    while job is not None:
        function, arguments = job
        sent = await site.server.aside.ask(request.asker, function, *arguments, within=_WITHIN)
        job, found = await site.at_length(step, steps, sent)
    if found is None:
        raise CannotCarry("The character could not be carried over. Try again.")
    return found


def _wishes(form: Form, target: Side) -> Wishes:
    """The choices of a form; those that were made for another game or kind do not count."""
    duel = form.one("duel") if form.one("duel") in {"compare", "match"} else ""
    if form.one("for") != _shown_for(target):
        return Wishes(duel=duel)
    traits = {name: str(key) for name, key in form.answers("from.").items()}
    levels = {
        name: int(word)
        for name, word in form.answers("level.").items()
        if _LEVEL.fullmatch(str(word)) and word != form.one(f"was.{name}")
    }
    return Wishes(traits, levels, duel)


def _shown_for(target: Side) -> str:
    return f"{target.game.name} {target.kind}"


def _page(
    request: AtTable,
    character: CharacterFile,
    source: Side,
    target: Side | None,
    form: Form,
    found: Carried | None = None,
    problem: str = "",
    *,
    kinds: Iterable[Kind] = (),
    games: Iterable[Game] = (),
    arriving: bool = False,
) -> Answer:
    offered = [(game.name, game.title) for game in games]
    return page(
        request,
        "pages/carry.html",
        status=422 if problem else 200,
        view=request.view,
        character=character,
        source=source,
        target=target,
        shown_for=_shown_for(target) if target is not None else "",
        found=found,
        problem=problem,
        duel=form.one("duel"),
        kinds=[(kind.key, kind.title) for kind in kinds],
        games=[("", "Choose ..."), *offered] if offered and target is None else offered,
        arriving=arriving,
    )
