"""The page of the builder: a sheet with its budgets and its problems."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.campaign.parts import changed_parts
from kitchentable.campaign.read_models import View
from kitchentable.campaign.state import Campaign, has_played
from kitchentable.campaign.undo import changes_of, entity_at
from kitchentable.campaign.views import summary_for
from kitchentable.campaign.words import value_in_words
from kitchentable.rules.archetypes import PATTERNS, slots_of
from kitchentable.rules.forms import gather_rows, look, read_sheet
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity
from kitchentable.rules.values import GM, Problem
from kitchentable.web.answers import Answer, page
from kitchentable.web.at_table import AtTable
from kitchentable.web.errors import NoSuchPage
from kitchentable.web.forms import Form, read_query
from kitchentable.web.phrases import beside


async def builder_page(
    request: AtTable,
    entity: str,
    *,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    reason: str = "",
    step: str = "",
    kept: bool = False,
) -> Answer:
    """The builder, with unsaved answers where they could not be saved.

    With `kept` all was saved, and the problems are those of the next step.
    """
    view = request.view
    return page(
        request,
        "pages/builder.html",
        status=422 if problems else 200,
        view=view,
        reason=reason,
        **await built(
            request, view, entity, form, problems, step or read_query(request).one("step"), kept
        ),
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the builder: "who", the key of a section, or "ready"."""

    key: str
    title: str
    done: bool = False


async def built(
    request: AtTable,
    view: View,
    entity: str,
    form: Form | None,
    problems: tuple[Problem, ...],
    step: str = "",
    kept: bool = False,
) -> dict[str, Any]:
    """All that the builder shows of somebody, made in a thread: it may look far back in the log."""
    game, campaign = request.game, request.tables.campaign(view.campaign)
    asked = (view, entity, form, problems, step, kept or not problems)
    return await asyncio.to_thread(_built, game, campaign, *asked)


def _built(
    game: Game,
    campaign: Campaign,
    view: View,
    entity: str,
    form: Form | None,
    problems: tuple[Problem, ...],
    step: str,
    kept: bool,
) -> dict[str, Any]:
    """The values of `built`; a new character is in steps for its own player."""
    one = entity_in(view, entity)
    if not view.is_mine(entity) and view.me.role != GM:
        raise NoSuchPage("You have no such character to build.")
    sections = game.sheet.sections(view.table, one)
    played = has_played(campaign, one)
    judged = view.me.role == GM and one.stage == "submitted"
    found = game.sheet.check(view.table, one, "play" if played else "creation")
    told = {(problem.where, problem.sentence) for problem in problems}
    known = (*problems, *(p for p in found if (p.where, p.sentence) not in told))
    steps = _steps(sections, known)
    if form is not None:
        step = form.one("step") or step or "all"
    if one.stage != "draft" or played or step == "all" or not view.is_mine(one.id):
        steps = ()
    keys = [each.key for each in steps]
    place = keys.index(step) if step in keys else 0
    return {
        "steps": steps,
        "step": keys[place] if steps else "",
        "before": steps[place - 1] if steps and place else None,
        "after": steps[place + 1] if steps and place + 1 < len(steps) else None,
        "shown": [s for s in sections if not steps or s.key == keys[place]],
        "homes": {p.where: _home(sections, p) for p in known},
        "patterns": {s.key: PATTERNS for s in sections if len(slots_of(s, one.sheet)) > 1},
        "summary": summary_for(game, view.table, one),
        "entity": one,
        "sections": sections,
        "filled": _filled(one, sections, form, problems),
        "problems": known,
        "saved": "" if form is None else ("Saved." if kept else "Not everything could be saved."),
        "page": form.one("page") if form is not None else "",
        "seen": form.one("seen") if form is not None and problems else "",
        "untouched": form is None and one.sheet == game.sheet.blank(view.table, one.kind),
        "may_submit": one.stage == "draft",
        "word": _word(campaign, one),
        "judge": one.stage if view.me.role == GM and one.is_players else "",
        "changed": _changed(campaign, sections, one) if judged and played else (),
    }


def _steps(sections: tuple[Section, ...], problems: tuple[Problem, ...]) -> tuple[Step, ...]:
    refused = {_home(sections, one) for one in problems if one.refuses}
    parts = [
        Step(
            one.key,
            one.title.rpartition(": ")[2],
            one.key not in refused and (one.budget is None or not one.budget.left),
        )
        for one in sections
    ]
    return (Step("who", "Who", "who" not in refused), *parts, Step("ready", "Ready", not refused))


def _home(sections: tuple[Section, ...], problem: Problem) -> str:
    """The step on which a problem is mended."""
    if problem.where in {"name", "line"}:
        return "who"
    for section in sections:
        if problem.where == section.key or any(beside([problem], f.name) for f in section.fields):
            return section.key
    return "ready"


def _filled(
    entity: Entity,
    sections: tuple[Section, ...],
    form: Form | None,
    problems: tuple[Problem, ...],
) -> Mapping[str, Any]:
    """The sheet with all that was typed, whether it could be kept or not."""
    if form is None:
        return entity.sheet
    raw = form.answers()
    filled, _ = read_sheet(sections, entity.sheet, raw)
    for section in sections:
        for field in section.fields:
            if not beside(problems, field.name):
                continue
            given = gather_rows(field, raw) if field.kind == "rows" else raw.get(field.name)
            if given is not None:
                filled[field.name] = given
    if problems:
        filled["name"], filled["line"] = form.one("name"), form.one("line")
    return filled


def merge(
    campaign: Campaign,
    one: Entity,
    sections: tuple[Section, ...],
    raw: Mapping[str, Any],
    number: int,
    page: str,
) -> tuple[Entity, dict[str, Any], tuple[Problem, ...]]:
    """The answers of a page that was drawn after event `number`, without those of other pages.

    A field that another page has changed since stays as it is now; there is a problem with it where
    this page has changed it, too. The first value is the entity as the page was drawn.
    """
    others: list[str] = []
    for event, changes in changes_of(campaign, one.id, number):
        if f".{page}." not in event.command:
            others += [".".join((*change.path[2:], "")) for change in changes]
    if not others:
        return one, dict(raw), ()
    was, left, clashes = entity_at(campaign, one.id, number), dict(raw), list[Problem]()
    sent, _ = read_sheet(sections, was.sheet, raw)
    for field in (field for section in sections for field in section.fields):
        own = f"{field.name}."
        if not any(path.startswith(f"sheet.{own}") for path in others):
            continue
        left = {name: told for name, told in left.items() if not f"{name}.".startswith(own)}
        then, now, mine = (look(sheet, field.name) for sheet in (was.sheet, one.sheet, sent))
        if mine not in (then, now):
            clashes.append(
                Problem(
                    field.name,
                    "",
                    f"{field.label}: another page has changed this to: {value_in_words(now)}. "
                    "Yours is not saved. Load this page again, and change it there.",
                )
            )
    return was, left, tuple(clashes)


def _word(campaign: Campaign, entity: Entity) -> str:
    """The GM's comment when the sheet was sent back, as long as it is a draft."""
    if entity.stage != "draft":
        return ""
    for event, _ in changes_of(campaign, entity.id):
        if event.kind == "sheet-sent-back" and event.data.get("entity") == entity.id:
            return event.reason
    return ""


def _changed(campaign: Campaign, sections: tuple[Section, ...], entity: Entity) -> list[str]:
    """The changes of a sheet since it was last in play."""
    for event, _ in changes_of(campaign, entity.id):
        back = event.kind == "sheet-sent-back" and event.data.get("out_of_play")
        if back and event.data.get("entity") == entity.id:
            was = entity_at(campaign, entity.id, event.number)
            return changed_parts(sections, was, entity)
    return []


def entity_in(view: View, entity: str) -> Entity:
    """Somebody whom this seat knows of. Errors: NoSuchPage."""
    found = view.table.entities.get(entity)
    if found is None:
        raise NoSuchPage("Nobody of that name is at this table.")
    return found
