"""New characters from an archetype, at random, as a copy or from a file; and character files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from kitchentable.app.characters import (
    PASSES,
    CharacterFile,
    answered,
    file_of,
    write_character,
)
from kitchentable.campaign.commands import MakeEntity, SaveSheet
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.read_models import View
from kitchentable.rules.archetypes import (
    PATTERNS,
    archetypes_at,
    random_name,
    raw_of,
    sheet_of,
    spend,
    surprise,
)
from kitchentable.rules.game import Game
from kitchentable.rules.table import Entity
from kitchentable.rules.values import GM, Json, Problem
from kitchentable.web.answers import JSON, Answer, as_file, go_to, packed, page
from kitchentable.web.at_table import DESCRIBING, AtTable, problems_of, shown_errors
from kitchentable.web.builder import keep_filled
from kitchentable.web.builder_page import builder_page, entity_in, own_in
from kitchentable.web.forms import Form, read_form
from kitchentable.web.site import Asked
from kitchentable.web.urls import path


@get(path("builder_new"))
async def builder_new(request: AtTable) -> Answer:
    """The page for a new character: the kinds of the seat, each with its starting points."""
    return await begin_page(request)


async def begin_page(request: AtTable, problem: str = "") -> Answer:
    view = request.view
    game = request.game
    gm = view.for_gm
    kinds = [one for one in game.sheet.kinds(view.table) if gm or one.made_by == "player"]

    def ready() -> dict[str, Any]:
        drafts = {one.key: _draft(game, view, one.key) for one in kinds}
        return {key: archetypes_at(game, view.table, one) for key, one in drafts.items()}

    return page(
        request,
        "pages/begin.html",
        status=422 if problem else 200,
        view=view,
        kinds=kinds,
        ready=await asyncio.to_thread(ready),
        own=[one for one in view.mine if one.stage != "gone"],
        problem=problem,
    )


@post(path("character_make"))
async def character_make(request: AtTable) -> Answer:
    """Make a character from an archetype, at random, or as a copy of an own one."""
    form = await read_form(request)
    view = request.view
    game = request.game
    how, which = form.one("how"), form.one("which")
    try:
        source = own_in(view, which) if how == "copy" else None
        kind = source.kind if source else known_kind(game, view, form.one("kind"))
        draft = _draft(game, view, kind)
        answers = await asyncio.to_thread(_answers, game, view, draft, how, which)
        name = form.one("name").strip() or _some_name(game, view, kind)
        line = source.line if source else ""
        return await make_draft(request, form, kind, name, line, answers)
    except shown_errors(request) as refused:
        return await begin_page(request, str(refused))


def known_kind(game: Game, view: View, kind: str) -> str:
    """A kind of character of the game. Errors: CannotBe."""
    if kind not in {one.key for one in game.sheet.kinds(view.table)}:
        raise CannotBe(f"{game.title} has no such kind of character.", code="entity/kind")
    return kind


def _some_name(game: Game, view: View, kind: str) -> str:
    """A name at random for a kind."""
    kinds = {one.key: one.person for one in game.sheet.kinds(view.table)}
    return random_name(SystemRandom(), person=kinds.get(kind, True))


def _draft(game: Game, view: View, kind: str) -> Entity:
    owner = GM if view.for_gm else view.me.id
    return Entity("new", "", kind, owner, game.sheet.blank(view.table, kind), {}, stage="draft")


def _answers(game: Game, view: View, draft: Entity, how: str, which: str) -> dict[str, Json]:
    """The initial answers of a new character's form. Errors: CannotBe, RuleRefuses."""
    sheet: Mapping[str, Json]
    if how == "copy":
        sheet = view.table.entities[which].sheet
    elif how == "surprise":
        sheet = surprise(game, view.table, draft, SystemRandom())
    else:
        found = [one for one in archetypes_at(game, view.table, draft) if one.key == which]
        if not found:
            raise CannotBe("This archetype is not available at this table. Pick another one.")
        sheet = sheet_of(game, view.table, found[0])
    return raw_of(game.sheet.sections(view.table, replace(draft, sheet=sheet)), sheet)


async def make_draft(
    request: AtTable,
    form: Form,
    kind: str,
    name: str,
    line: str,
    answers: Mapping[str, Json],
) -> Answer:
    """Make a draft and fill it in; the builder shows the answers that were refused."""
    command = form.command()
    handled = await request.do(MakeEntity(id=command, kind=kind, name=name, line=line))
    made = str(handled.events[0].data["entity"])
    problems: tuple[Problem, ...] = ()
    left = set(answers)
    for number in range(PASSES):
        view = request.view
        one = entity_in(view, made)
        sections = request.game.sheet.sections(view.table, one)
        known, now = answered(sections, answers), raw_of(sections, one.sheet)
        left = set(answers) - set(known)
        if all(now.get(key) == value for key, value in known.items()):
            break
        try:
            save = SaveSheet(id=f"{command}.{number}", entity=made, raw=known)
            await request.do(save)
        except shown_errors(request) as refused:
            problems = problems_of(refused)
            break
    if left:
        names = ", ".join(sorted(left))
        problems += (
            Problem("", "", f"This sheet has no place for: {names}. Everything else was copied."),
        )
    if problems:
        return await builder_page(request, made, problems=problems, step="all")
    return go_to(request, "builder", entity=made, step="ready")


@post(path("sheet_fill"))
async def sheet_fill(request: AtTable, entity: FromPath[str]) -> Answer:
    """Fill in part of a sheet: points by a pattern, a package, everything at random, or a name.

    Changes in the form are saved first.
    """
    form = await read_form(request)
    how, _, rest = form.one("fill").partition(":")
    try:
        await keep_filled(request, entity, form)
        view = request.view
        one, game = own_in(view, entity), request.game
        raw: dict[str, Json] = {}
        name = _some_name(game, view, one.kind) if how == "name" else None
        if name is None:
            sheet = await asyncio.to_thread(_filled_sheet, game, view, one, how, rest)
            raw = raw_of(game.sheet.sections(view.table, one), sheet)
        command = SaveSheet(id=f"{form.command()}.fill", entity=entity, raw=raw, name=name)
        await request.do(command)
    except shown_errors(request) as refused:
        problems = problems_of(refused, DESCRIBING)
        return await builder_page(request, entity, form=form, problems=problems)
    return go_to(request, "builder", entity=entity, step=form.one("step"))


def _filled_sheet(game: Game, view: View, one: Entity, how: str, rest: str) -> Mapping[str, Json]:
    part, _, which = rest.partition(":")
    if how == "pattern" and which in PATTERNS:
        return spend(game, view.table, one, part, which)
    if how == "surprise":
        return surprise(game, view.table, one, SystemRandom())
    if how == "offer":
        sections = game.sheet.sections(view.table, one)
        for offer in (o for s in sections if s.key == part for o in s.offers):
            if offer.key == which:
                return offer.into(one.sheet)
    raise CannotBe("This is no longer available. Reload the page.")


# ---------------------------------------------------------------- files


@get(path("character_file"))
async def character_file(request: AtTable, entity: FromPath[str]) -> Answer:
    """A character of one's own as a file."""
    view = request.view
    return send_file(request, file_of(request.game, view.table, own_in(view, entity)))


def send_file(request: Asked, character: CharacterFile) -> Answer:
    """The file of a character as a download."""
    headers = as_file(character.name or "character", ".kitchentable.json")
    return packed(request, write_character(character), JSON, headers=headers)
