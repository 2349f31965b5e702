"""The sheet of a written game: builder, check, start of play, and how it is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kitchentable.rules.forms import misread
from kitchentable.rules.refit import Numbers, former_notes, is_agreed
from kitchentable.rules.sheets import Budget, Kind, Number, Section, SheetRules, Summary, Tag
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.toml.book import rule_of
from kitchentable.rules.toml.form import Group, Listing, Written
from kitchentable.rules.toml.numbers import (
    boxes,
    condition,
    entries,
    is_out,
    level,
    numbers_known,
    option_numbers,
    points_of,
    spent_on,
)
from kitchentable.rules.toml.tracks import track_of
from kitchentable.rules.toml.updating import lists_of
from kitchentable.rules.values import Field, Json, Problem


def sheet_rules(game: Written) -> SheetRules:
    """Everything about sheets, as the contract of a game wants it."""
    lists = lists_of(game)
    return SheetRules(
        partial(_kinds, game),
        partial(_blank, game),
        partial(_sections, game),
        partial(_check, game, lists[0]),
        partial(_start, game),
        partial(_summary, game, lists),
        partial(_public, game),
        partial(_amend, game),
    )


def _kinds(game: Written, table: Table) -> tuple[Kind, ...]:
    return game.kinds


def _blank(game: Written, table: Table, kind: str) -> dict[str, Json]:
    return {
        "traits": {one.key: group.low for group in game.groups for one in group.traits},
        "lists": {one.key: [] for one in game.listings},
        "texts": {one.key: "" for one in game.words},
    }


def _is_new(entity: Entity) -> bool:
    return entity.stage in {"draft", "submitted"} and "tracks" not in entity.state


def _sections(game: Written, table: Table, entity: Entity) -> tuple[Section, ...]:
    building = _is_new(entity)
    parts = [_group_section(game, table, entity, group, building) for group in game.groups]
    parts += [_list_section(game, table, entity, one, building) for one in game.listings]
    if game.words:
        fields = tuple(
            Field(
                f"texts.{one.key}",
                one.title,
                "story" if one.story else "text",
                required=False,
                default="",
                help=one.help,
                longest=8_000 if one.story else 200,
            )
            for one in game.words
        )
        parts.append(Section("texts", "In your own words", fields))
    return tuple(parts)


def _group_section(
    game: Written, table: Table, entity: Entity, group: Group, building: bool
) -> Section:
    rule = rule_of(game, "group", group.key, group.rule)
    fields = tuple(
        Field(
            f"traits.{one.key}",
            one.title,
            "number",
            default=group.low,
            low=-999,
            high=999,
            help=one.help,
            rule=rule,
        )
        for one in group.traits
    )
    points = points_of(game, table, group)
    budget = None
    if building and points is not None and entity.is_players:
        budget = Budget(group.title, spent_on(entity, group), points)
    return Section(f"group-{group.key}", group.title, fields, group.help, rule, budget)


def _list_section(
    game: Written, table: Table, entity: Entity, one: Listing, building: bool
) -> Section:
    rule = rule_of(game, "list", one.key, one.rule)
    most = one.most.value(option_numbers(game, table.options))
    columns = (
        Field("text", "What", longest=400),
        Field("note", "Note", required=False, default="", longest=400),
    )
    rows = Field(
        f"lists.{one.key}",
        one.title,
        "rows",
        default=[],
        required=False,
        columns=columns,
        rule=rule,
    )
    budget = Budget(one.title, len(entries(entity, one)), most) if building else None
    return Section(f"list-{one.key}", one.title, (rows,), one.help, rule, budget)


def _check(
    game: Written, traits: Numbers, table: Table, entity: Entity, stage: str
) -> tuple[Problem, ...]:
    """What is wrong with a sheet: bounds always, budgets and caps while it is built."""
    found: list[Problem] = []
    for group in game.groups:
        found += [
            one
            for one in _group_problems(game, table, entity, group, stage)
            if stage == "creation" or not _is_agreed(entity, traits, one.where)
        ]
    for one in game.listings:
        most = one.most.value(option_numbers(game, table.options))
        many = len(entries(entity, one))
        if many > most and entity.is_players and stage == "creation":
            found.append(
                Problem(
                    f"lists.{one.key}",
                    rule_of(game, "list", one.key, one.rule),
                    f"{one.title}: {most} at most, not {many}.",
                )
            )
    return tuple(found)


def _is_agreed(entity: Entity, traits: Numbers, where: str) -> bool:
    """Whether the GM lets a level stand outside the bounds that it has now."""
    key = where.removeprefix("traits.")
    return is_agreed(entity, traits, key, level(entity, key))


def _group_problems(
    game: Written, table: Table, entity: Entity, group: Group, stage: str
) -> list[Problem]:
    rule = rule_of(game, "group", group.key, group.rule)
    found = []
    building = stage == "creation" and entity.is_players
    high = group.high if building else group.top
    for one in group.traits:
        now = level(entity, one.key, group.low)
        if not group.low <= now <= high:
            words = f"{one.title} goes from {group.low} to {high}, not {now}."
            found.append(Problem(f"traits.{one.key}", rule, words))
    points = points_of(game, table, group)
    if building and points is not None:
        left = points - spent_on(entity, group)
        if left:
            many = f"{abs(left)} point{'s' if abs(left) != 1 else ''}"
            words = f"{many} left to spend." if left > 0 else f"{many} more than there are."
            found.append(Problem("traits", rule, f"{group.title}: {words}", counted=True))
    return found


def _start(game: Written, table: Table, entity: Entity) -> dict[str, Json]:
    """Every track at its beginning; what the state knows already stays."""
    known = entity.state.get("tracks")
    tracks = {
        one.key: boxes(game, table, entity, one) if one.starts_full else 0 for one in game.scales
    }
    kept = known if isinstance(known, dict) else {}
    return {"points": 0, **entity.state, "tracks": {**tracks, **kept}}


def _summary(game: Written, lists: tuple[Numbers, ...], table: Table, entity: Entity) -> Summary:
    known = numbers_known(entity)
    numbers = tuple(
        Number(one.key, one.title, level(entity, one.key, group.low), help=one.help)
        for group in game.groups
        for one in group.traits
    )
    tags = tuple(Tag(text) for one in game.listings for text in entries(entity, one))
    words = condition(game, table, entity) or str(entity.sheet.get("condition") or "")
    return Summary(
        entity.name,
        entity.line,
        words.capitalize(),
        "bad" if words and is_out(game, table, entity) else "plain",
        tuple(track_of(game, table, entity, one) for one in game.scales) if known else (),
        tags,
        numbers if known else (),
        former_notes(entity, *lists) if known else (),
    )


def _public(game: Written, table: Table, entity: Entity) -> Entity:
    """Name, line and how somebody is; no levels, no tracks, nothing written."""
    sheet = {"closed": True, "condition": condition(game, table, entity)}
    return replace(entity, sheet=sheet, state={})


def _state(game: Written, table: Table, entity: Entity) -> tuple[Field, ...]:
    """What somebody's points and tracks can be."""
    return (
        Field("points", "Points", "number", low=0),
        *(
            Field(
                f"tracks.{one.key}",
                one.title,
                "number",
                low=0,
                high=boxes(game, table, entity, one),
                rule=rule_of(game, "track", one.key, one.rule),
            )
            for one in game.scales
        ),
    )


def _amend(
    game: Written, table: Table, actor: Actor, before: Entity, after: Entity
) -> tuple[Problem, ...]:
    """In play a player writes texts and lists; levels rise by growth, or by the GM's hand."""
    unread = misread(_state(game, table, after), before.state, after.state)
    if actor.is_gm or not before.is_players or before.stage != "play":
        return unread
    return unread + tuple(
        Problem(
            f"traits.{one.key}",
            rule_of(game, "group", group.key, group.rule),
            f"{one.title} changes by growth, or by the GM's hand.",
        )
        for group in game.groups
        for one in group.traits
        if level(before, one.key, group.low) != level(after, one.key, group.low)
    )
