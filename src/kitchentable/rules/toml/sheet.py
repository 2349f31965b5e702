"""The sheet of a game in a file: builder, checks, start of play, and views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from kitchentable.rules.facts import part_of
from kitchentable.rules.forms import misread
from kitchentable.rules.kit.forms import Problems
from kitchentable.rules.kit.sheets import sheet_of
from kitchentable.rules.sheet_migration import Numbers, former_notes
from kitchentable.rules.sheets import Kind, Number, Section, SheetRules, Start, Summary, Tag
from kitchentable.rules.table import Actor, Entity
from kitchentable.rules.toml.form import Group, Listing, Written
from kitchentable.rules.toml.people import Body, of_kind
from kitchentable.rules.toml.updates import lists_of
from kitchentable.rules.values import Choice, Field, Problem, Row


def sheet_rules(game: Written) -> SheetRules:
    """The sheet rules of a game in a file."""
    lists = lists_of(game)
    kinds = tuple(Kind(o.key, o.title, o.made_by, o.hint, o.rule, o.person) for o in game.kinds)
    return sheet_of(
        partial(Body, game),
        kinds=lambda table: kinds,
        blank=lambda table, kind: blank(game, kind),
        sections=_sections,
        check=partial(_check, lists[0]),
        start=_start,
        summary=partial(_summary, lists),
        public=_public,
        amend=_amend,
    )


def blank(game: Written, kind: str) -> Row:
    """A new sheet of a kind."""
    groups = of_kind(game.groups, kind)
    return {
        "traits": {one.key: group.low for group in groups for one in group.traits},
        "lists": {one.key: [] for one in of_kind(game.listings, kind)},
        "texts": {one.key: "" for one in of_kind(game.words, kind)},
    }


def _is_new(entity: Entity) -> bool:
    return entity.stage in {"draft", "submitted"} and "tracks" not in entity.state


# ---------------------------------------------------------------- the builder


def _sections(one: Body) -> Iterator[Section]:
    """The sections of the builder."""
    new = _is_new(one.entity)
    if _has_playbook(one):
        yield _playbooks(one.game)
    yield from (_group(one, group, new) for group in one.groups)
    yield from (_list(one, each, new) for each in one.listings)
    fields = tuple(
        Field(
            f"texts.{each.key}", each.title, "story" if each.story else "text",
            required=False, default="", help=each.help, longest=8_000 if each.story else 200,
        )
        for each in one.texts
    )  # fmt: skip
    if fields:
        yield Section("texts", "In your own words", fields)


def _has_playbook(one: Body) -> bool:
    made = {each.key: each.made_by for each in one.game.kinds}
    return bool(one.game.playbooks) and made.get(one.entity.kind) == "player"


def _playbooks(game: Written) -> Section:
    picks = tuple(Choice(one.key, one.title, one.help) for one in game.playbooks)
    rule = game.playbooks[0].rule
    none = Choice("", "None yet")
    field = Field(
        "playbook", "Playbook", "choice", (none, *picks), default="", required=False, rule=rule
    )
    return Section("playbook", "Playbook", (field,), "It opens lists and moves.", rule)


def _group(one: Body, group: Group, new: bool) -> Section:
    part = Section(f"group-{group.key}", group.title, (), group.help, group.rule)
    counts = new and one.is_players
    section = one.bounds(group).section(part, one.own_levels(group), new=counts)
    return replace(section, help=group.help)


def _list(one: Body, listing: Listing, new: bool) -> Section:
    rule, name = listing.rule, f"lists.{listing.key}"
    known: Row = {"default": [], "required": False, "rule": rule}
    if listing.choices:
        picks = tuple(Choice(each, each) for each in listing.choices)
        field = Field(name, listing.title, "many", picks, **known)
    else:
        columns = (
            Field("text", "What", longest=400),
            Field("note", "Note", required=False, default="", longest=400),
        )
        field = Field(name, listing.title, "rows", columns=columns, **known)
    budget = one.budget_of(listing).budget if new else None
    return Section(f"list-{listing.key}", listing.title, (field,), listing.help, rule, budget)


def _check(traits: Numbers, one: Body, stage: str) -> Problems:
    """The problems of a sheet: bounds at any time, budgets and limits while it is built."""
    building = stage == "creation" and one.is_players
    for group in one.groups:
        for problem in one.bounds(group).problems(one.own_levels(group), new=building):
            key = problem.where.removeprefix("traits.")
            # in play the GM may have allowed a level outside its current bounds
            if stage == "creation" or traits.agreed(one.entity).get(key) != one.level(key):
                yield problem
    if building and _has_playbook(one) and not one.playbook:
        yield Problem("playbook", one.game.playbooks[0].rule, "Pick a playbook.")
    for listing in one.listings if building else ():
        budget = one.budget_of(listing)
        if budget.off:
            words = f"{budget.title}: {budget.of} at most, not {budget.spent}."
            yield Problem(f"lists.{listing.key}", budget.rule, words)


# ---------------------------------------------------------------- in play


def _start(one: Body) -> Row:
    """The state at the start of play: every track at its start, other state unchanged."""
    begins = {each.key: each.begins(one.levels) for each in one.scales}
    kept = part_of(one.entity.state, "tracks")
    return {"points": 0, **one.entity.state, "tracks": {**begins, **kept}}


def _summary(lists: tuple[Numbers, ...], one: Body) -> Summary:
    """An entity at a glance."""
    numbers = tuple(
        Number(
            trait.key,
            trait.title,
            one.level(trait.key),
            help=trait.help,
            group=group.title,
            starts=_start_of(one, group, trait.key),
        )
        for group in one.groups
        for trait in group.traits
    )
    books = [Tag(each.title) for each in one.game.playbooks if each.key == one.playbook]
    tags = (*books, *(Tag(text) for each in one.listings for text in one.entries(each)))
    words = one.condition
    return Summary(
        one.name,
        one.entity.line,
        words.capitalize(),
        "bad" if words and one.is_out else "plain",
        tuple(map(one.track, one.scales)) if one.is_known else (),
        tags,
        numbers if one.is_known else (),
        former_notes(one.entity, *lists) if one.is_known else (),
    )


def _start_of(one: Body, group: Group, trait: str) -> Start | None:
    """The first roll outside a fight that the entity can make on a trait."""
    for roll in one.game.rolls:
        if roll.fight or one.lacks_move(roll):
            continue
        if roll.trait == trait:
            return Start(roll.key)
        if group.key in roll.uses:
            return Start(roll.key, (("trait", trait),))
    return None


def _public(one: Body) -> Entity:
    """The public facts: name, line and condition, without levels, tracks or texts."""
    return replace(one.entity, sheet={"closed": True, "condition": one.condition}, state={})


def _amend(actor: Actor, was: Body, one: Body) -> Problems:
    """The problems of an edit in play: players may not change levels directly."""
    state = [Field("points", "Points", "number", low=0)]
    for each in one.scales:
        where, most = f"tracks.{each.key}", one.boxes(each)
        state.append(Field(where, each.title, "number", low=0, high=most, rule=each.rule))
    yield from misread(state, was.entity.state, one.entity.state)
    if actor.is_gm or not was.is_players or was.stage != "play":
        return
    for group in one.groups:
        before, now = was.own_levels(group), one.own_levels(group)
        for trait in group.traits:
            if before[trait.key] != now[trait.key]:
                words = f"{trait.title} can only be changed by growth, or by the GM."
                yield Problem(f"traits.{trait.key}", group.rule, words)
