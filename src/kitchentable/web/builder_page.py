"""The builder as it is shown: a sheet with what is left to spend, and what is to mend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.campaign.parts import changed_parts
from kitchentable.campaign.read_models import View
from kitchentable.campaign.state import Campaign, has_played
from kitchentable.campaign.undo import changes_of, entity_at
from kitchentable.rules.forms import gather_rows, read_sheet
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity
from kitchentable.rules.values import GM, Problem
from kitchentable.web.answers import Answer, page
from kitchentable.web.auth import Sitting
from kitchentable.web.errors import NoSuchPage
from kitchentable.web.forms import Form
from kitchentable.web.projections import game_of, view_of
from kitchentable.web.site import Asked, site_of


def builder_page(
    request: Asked,
    sitting: Sitting,
    entity: str,
    *,
    form: Form | None = None,
    problems: tuple[Problem, ...] = (),
    reason: str = "",
    status: int = 200,
) -> Answer:
    """The builder, with what was filled in where something could not be kept."""
    view = view_of(request, sitting)
    return page(
        request,
        "pages/builder.html",
        status=status,
        view=view,
        kinds=(),
        reason=reason,
        **built(request, view, entity, form, problems),
    )


def built(
    request: Asked, view: View, entity: str, form: Form | None, problems: tuple[Problem, ...]
) -> dict[str, Any]:
    """All that the builder shows of somebody."""
    one = entity_in(view, entity)
    if all(own.id != entity for own in view.mine) and view.me.role != GM:
        raise NoSuchPage("There is nobody of yours to build here.")
    game = game_of(request, view)
    sections = game.sheet.sections(view.table, one)
    campaign = site_of(request).house.tables.campaign(view.campaign)
    played = has_played(campaign, one)
    judged = view.me.role == GM and one.stage == "submitted"
    found = game.sheet.check(view.table, one, "play" if played else "creation")
    told = {(problem.where, problem.sentence) for problem in problems}
    return {
        "entity": one,
        "sections": sections,
        "filled": _filled(one, sections, form, problems),
        "problems": (
            *problems,
            *(p for p in found if (p.where, p.sentence) not in told),
        ),
        "saved": "" if form is None else ("Not all could be kept." if problems else "Kept."),
        "untouched": form is None and one.sheet == game.sheet.blank(view.table, one.kind),
        "may_submit": one.stage == "draft",
        "word": _word(campaign, one),
        "judge": one.stage if view.me.role == GM and one.is_players else "",
        "changed": _changed(campaign, sections, one) if judged and played else (),
    }


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
            if not any(
                p.where == field.name or p.where.startswith(f"{field.name}.") for p in problems
            ):
                continue
            given = gather_rows(field, raw) if field.kind == "rows" else raw.get(field.name)
            if given is not None:
                filled[field.name] = given
    if problems:
        filled["name"], filled["line"] = form.one("name"), form.one("line")
    return filled


def _word(campaign: Campaign, entity: Entity) -> str:
    """What the GM said when the sheet was sent back, for as long as it is a draft."""
    if entity.stage != "draft":
        return ""
    for event, _ in changes_of(campaign, entity.id):
        if event.kind == "sheet-sent-back" and event.data.get("entity") == entity.id:
            return event.reason
    return ""


def _changed(campaign: Campaign, sections: tuple[Section, ...], entity: Entity) -> list[str]:
    """What of a sheet is otherwise than when it was last in play."""
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
