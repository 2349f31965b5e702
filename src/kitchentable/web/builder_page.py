"""The page of the builder: a sheet with its budgets and its problems."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.campaign.events import Event
from kitchentable.campaign.parts import changed_parts
from kitchentable.campaign.read_models import View
from kitchentable.campaign.state import Campaign, has_played
from kitchentable.campaign.undo import changes_of, entity_at
from kitchentable.campaign.views import summary_for
from kitchentable.campaign.words import value_in_words
from kitchentable.rules.archetypes import PATTERNS, slots_of
from kitchentable.rules.forms import gather_rows, look, read_sheet
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity
from kitchentable.rules.values import Problem
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

    With `kept` everything was saved, and the problems are those of the next step.
    """
    step = step or read_query(request).one("step")
    shown = await built(request, entity, form, problems, step, kept=kept)
    status = 422 if problems else 200
    return page(request, "pages/builder.html", status=status, reason=reason, **shown)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the builder: "who", the key of a section, or "ready"."""

    key: str
    title: str
    done: bool = False


async def built(
    request: AtTable,
    entity: str,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    step: str = "",
    *,
    kept: bool = False,
) -> dict[str, Any]:
    """The context of the builder's page, made in a thread because it may search the log."""
    view, game = request.view, request.game
    campaign = request.whole_campaign
    one = entity_in(view, entity)
    if not view.is_mine(entity) and not view.for_gm:
        raise NoSuchPage("You have no such character.")

    sent = form or Form({})
    saved = "Saved." if kept or not problems else "Not everything could be saved."

    def made() -> dict[str, Any]:
        sections = game.sheet.sections(view.table, one)
        played = has_played(campaign, one)
        found = game.sheet.check(view.table, one, "play" if played else "creation")
        shown = {(problem.where, problem.sentence) for problem in problems}
        known = (*problems, *(p for p in found if (p.where, p.sentence) not in shown))
        # A new character is in steps for its own player, unless all was sent on one page.
        stepwise = one.stage == "draft" and not played and view.is_mine(one.id)
        wanted = step if form is None else form.one("step") or step or "all"
        steps = _steps(sections, known) if stepwise and wanted != "all" else ()
        judge = one.stage if view.for_gm and one.is_players else ""
        return {
            "view": view,
            "entity": one,
            "sections": sections,
            "steps": steps,
            **_around(sections, steps, wanted),
            "homes": {p.where: _home(sections, p) for p in known},
            "patterns": {s.key: PATTERNS for s in sections if len(slots_of(s, one.sheet)) > 1},
            "summary": summary_for(game, view.table, one),
            "filled": _filled(one, sections, form, problems),
            "problems": known,
            "saved": saved if form is not None else "",
            "page": sent.one("page"),
            "seen": sent.one("seen") if problems else "",
            "untouched": form is None and one.sheet == game.sheet.blank(view.table, one.kind),
            "may_submit": one.stage == "draft",
            "word": _word(campaign, one),
            "judge": judge,
            "changed": _changed(campaign, sections, one) if judge == "submitted" and played else (),
        }

    return await asyncio.to_thread(made)


def _around(sections: tuple[Section, ...], steps: tuple[Step, ...], wanted: str) -> dict[str, Any]:
    """The step that is shown, the first unless another is wanted, its sections and neighbours."""
    at = next((at for at, one in enumerate(steps) if one.key == wanted), 0)
    before, now, after = (None, *steps, None, None)[at : at + 3]
    return {
        "step": now.key if now else "",
        "before": before,
        "after": after,
        "shown": [one for one in sections if now is None or one.key == now.key],
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
    """The step on which a problem can be fixed."""
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
    """The sheet with all typed values, saved or not."""
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
    """The answers that a page rendered after event `number` has changed.

    A field that another page has changed since keeps its current value; if this page has changed it
    too, there is a problem. The first result is the entity as the page was rendered.
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
        left = {name: value for name, value in left.items() if not f"{name}.".startswith(own)}
        then, now, mine = (look(sheet, field.name) for sheet in (was.sheet, one.sheet, sent))
        if mine not in (then, now):
            clashes.append(
                Problem(
                    field.name,
                    "",
                    f"{field.label}: another page has changed this to {value_in_words(now)}, "
                    "so your change is not saved. Reload this page and change it again.",
                )
            )
    return was, left, tuple(clashes)


def _word(campaign: Campaign, entity: Entity) -> str:
    """The GM's comment when the sheet was sent back, as long as it is a draft."""
    back = _sent_back(campaign, entity) if entity.stage == "draft" else None
    return back.reason if back else ""


def _changed(campaign: Campaign, sections: tuple[Section, ...], entity: Entity) -> list[str]:
    """The changes of a sheet since it was last in play."""
    back = _sent_back(campaign, entity, "out_of_play")
    was = entity_at(campaign, entity.id, back.number) if back else entity
    return changed_parts(sections, was, entity)


def _sent_back(campaign: Campaign, entity: Entity, how: str = "entity") -> Event | None:
    """The last event that sent a sheet back, or one of a kind; None for none since it was begun."""
    changes = (event for event, _ in changes_of(campaign, entity.id))
    return next((e for e in changes if e.kind == "sheet-sent-back" and e.data.get(how)), None)


def own_in(view: View, entity: str) -> Entity:
    """A character of this seat. Errors: NoSuchPage."""
    one = entity_in(view, entity)
    if not view.is_mine(entity):
        raise NoSuchPage("This character is not yours.")
    return one


def entity_in(view: View, entity: str) -> Entity:
    """A character that this seat can see. Errors: NoSuchPage."""
    found = view.table.entities.get(entity)
    if found is None:
        raise NoSuchPage("There is no such character at this table.")
    return found
