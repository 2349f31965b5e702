"""Sheets: saved, submitted, and approved by the GM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.campaign.commands import DecideSheet, SaveSheet, SubmitSheet
from kitchentable.campaign.concealment import conceal, known_choices, knows_of
from kitchentable.campaign.decide.bounds import a_name, a_text
from kitchentable.campaign.decide.consequences import follow
from kitchentable.campaign.decide.context import Context, audience_for, named
from kitchentable.campaign.decide.entry import own_entity
from kitchentable.campaign.decide.tellable import check_tellable
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.parts import changed_parts
from kitchentable.campaign.paths import plain
from kitchentable.campaign.permissions import actor_for, owns
from kitchentable.campaign.questions import check_problems
from kitchentable.campaign.state import has_played
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import look as find
from kitchentable.rules.forms import misread, put, read_sheet
from kitchentable.rules.moves import Change
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import GM, Field, Json

LONGEST_LINE = 200


def save_sheet(context: Context, command: SaveSheet) -> Event:
    """Save a sheet, finished or not.

    Unreadable values keep their old state and are listed in the event's `unread`. For an entity in
    play, which only the GM may change, a sheet that a rule refuses is not saved. The limits for
    direct changes apply to the GM's changes to a player's sheet, and to a player's changes to a
    sheet that was in play and was sent back.
    """
    before = own_entity(context, command.entity)
    if before.stage == "gone":
        raise CannotBe(f"{before.name} is gone.", code="entity/stage")
    if before.stage == "play" and not context.by_gm:
        raise NotAllowed(
            f"{before.name} is in play; ask the GM to send the sheet back to you.",
            code="entity/stage",
        )
    sections = known_sections(context, before)
    sheet, unread = read_sheet(sections, before.sheet, command.raw)
    keep_unseen_picks(context, sections, before, sheet)
    after = replace(
        before,
        sheet=plain(sheet),
        name=before.name if command.name is None else a_name(command.name),
        line=before.line if command.line is None else a_line(command.line),
    )
    agreed = not owns(context.me, before) or has_played(context.campaign, before)
    if agreed:
        check_amended(context, before, after)
    if before.stage == "play":
        if unread:
            raise BadAnswers(unread)
        check_built(context, after)
    changes = changes_between(before, after)
    if before.stage == "submitted" and owns(context.me, before) and changes:
        changes.append(Change(("entities", before.id, "stage"), "draft"))
    if not changes and unread:
        raise BadAnswers(unread)
    data = about(after) | {
        "unread": [{"where": one.where, "sentence": one.sentence} for one in unread]
    }
    if agreed:
        was, now = _as_owned(context, before), _as_owned(context, after)
        data["changed"] = changed_parts(sections, was, now)
    audience = GM if before.owner == GM else before.owner
    return context.event("sheet-saved", changes, data=data, audience=audience)


def _as_owned(context: Context, entity: Entity) -> Entity:
    """The entity as its owner sees it, for the log of the changes."""
    seat = context.table.seats.get(entity.owner)
    if entity.owner == GM or seat is None:
        return entity
    people = {**context.table.entities, entity.id: entity}
    campaign = replace(context.campaign, table=replace(context.table, entities=people))
    seen = conceal(campaign, context.game, seat).entities.get(entity.id)
    return replace(entity, sheet={}) if seen is None else seen


def known_sections(context: Context, entity: Entity) -> tuple[Section, ...]:
    """The sections of a sheet, without choices that the sender may not know."""
    return tuple(
        replace(section, fields=known_choices(context.table, context.me, section.fields))
        for section in context.game.sheet.sections(context.table, entity)
    )


def keep_unseen_picks(
    context: Context, sections: tuple[Section, ...], before: Entity, sheet: dict[str, Json]
) -> None:
    """Restore picks that a form left blank because its sender could not see them.

    Rows are matched by their id, or by the value in their first column.
    """
    for field in (field for section in sections for field in section.fields):
        was, now = find(before.sheet, field.name), find(sheet, field.name)
        if field.kind == "entity" and not now and _is_unseen(context, was):
            put(sheet, field.name, was)
        if field.kind != "rows" or not isinstance(was, list) or not isinstance(now, list):
            continue
        for column in (one for one in field.columns if one.kind == "entity"):
            unseen = {_row_key(field, r): r for r in was if _is_unseen(context, r.get(column.name))}
            for row in now:
                if not row.get(column.name) and _row_key(field, row) in unseen:
                    row[column.name] = unseen[_row_key(field, row)][column.name]


def _is_unseen(context: Context, picked: Json) -> bool:
    one = context.table.entities.get(str(picked)) if picked else None
    return one is not None and not knows_of(context.me, one)


def _row_key(field: Field, row: Mapping[str, Json]) -> str:
    return str(row.get("id") or row.get(field.columns[0].name))


def submit_sheet(context: Context, command: SubmitSheet) -> Event:
    """Submit a finished sheet to the GM; the GM's own goes into play at once."""
    entity = own_entity(context, command.entity)
    if entity.stage != "draft":
        raise CannotBe(f"{entity.name} has already been submitted.", code="entity/stage")
    check_built(context, entity)
    if entity.owner == GM:
        return _into_play(context, entity)
    changes = [Change(("entities", entity.id, "stage"), "submitted")]
    return follow(
        context,
        "sheet-submitted",
        changes,
        entity.id,
        hook="entity-submitted",
        data=about(entity),
        audience=audience_for(entity),
    )


def decide_sheet(context: Context, command: DecideSheet) -> Event:
    """Accept an entity into play, or send its sheet back, even out of play."""
    entity = context.entity(command.entity)
    if command.accept:
        if entity.stage != "submitted":
            raise CannotBe(f"{entity.name} has not been submitted.", code="entity/stage")
        check_built(context, entity)
        check_tellable(context.campaign, context.game, starting(context, entity), entity.id)
        return _into_play(context, entity)
    if entity.stage not in {"submitted", "play"}:
        raise CannotBe(f"{entity.name} is already with its player.", code="entity/stage")
    return context.event(
        "sheet-sent-back",
        [Change(("entities", entity.id, "stage"), "draft")],
        data=about(entity) | {"out_of_play": entity.stage == "play"},
        audience=audience_for(entity, GM if entity.owner == GM else entity.owner),
    )


def _into_play(context: Context, entity: Entity) -> Event:
    return follow(
        context,
        "sheet-accepted",
        starting(context, entity),
        entity.id,
        hook="entity-accepted",
        data=about(entity),
        audience=audience_for(entity),
    )


def starting(context: Context, entity: Entity) -> list[Change]:
    """Return the changes that bring an entity into play; earlier state in play is kept."""
    state = {**context.game.sheet.start(context.table, entity), **entity.state}
    where = ("entities", entity.id)
    return [
        Change((*where, "stage"), "play"),
        Change((*where, "state"), state),
        Change((*where, "played"), True),  # noqa: FBT003 - the fact itself
    ]


def check_built(context: Context, entity: Entity) -> None:
    """Refuse a sheet that a rule refuses. Errors: BadAnswers."""
    stage = "play" if has_played(context.campaign, entity) else "creation"
    check_problems(context.game.sheet.check(context.table, entity, stage))


def check_readable(context: Context, table: Table, before: Entity, after: Entity) -> None:
    """Refuse values of a sheet that its form would not accept. Errors: BadAnswers."""
    sections = context.game.sheet.sections(table, after)
    fields = (field for section in sections for field in section.fields)
    problems = misread(fields, before.sheet, after.sheet)
    if problems:
        raise BadAnswers(problems)


def check_amended(context: Context, before: Entity, after: Entity) -> None:
    """Refuse direct changes that nobody may make on an accepted sheet. Errors: BadAnswers."""
    actor = actor_for(context.me, before.id)
    check_problems(context.game.sheet.amend(context.table, actor, before, after))


def changes_between(before: Entity, after: Entity) -> list[Change]:
    """Return the changes from one sheet to another, one for each part that differs."""
    where = ("entities", before.id)
    changes = [
        Change((*where, "sheet", key), value)
        for key, value in after.sheet.items()
        if key not in before.sheet or before.sheet[key] != value
    ]
    changes += [
        Change((*where, "sheet", key), gone=True) for key in before.sheet if key not in after.sheet
    ]
    if after.name != before.name:
        changes.append(Change((*where, "name"), after.name))
    if after.line != before.line:
        changes.append(Change((*where, "line"), after.line))
    return changes


def a_line(line: str) -> str:
    """The line under a name. Errors: CannotBe."""
    return a_text(" ".join(line.split()), "The line", LONGEST_LINE, required=False)


def about(entity: Entity) -> dict[str, Any]:
    """The data of an event about an entity: its id, its name and its owner."""
    return {**named(entity), "owner": entity.owner}
