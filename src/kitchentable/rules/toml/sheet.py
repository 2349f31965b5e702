"""The sheet of a game in a file: builder, checks, start of play, and views."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules.forms import misread
from kitchentable.rules.sheet_migration import Numbers, former_notes, is_agreed
from kitchentable.rules.sheets import Kind, Number, Section, SheetRules, Start, Summary, Tag
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.toml.form import Group, Listing, Written
from kitchentable.rules.toml.people import Body, of_kind
from kitchentable.rules.toml.rolls import not_theirs
from kitchentable.rules.toml.updates import lists_of
from kitchentable.rules.values import Choice, Field, Problem


def sheet_rules(game: Written) -> SheetRules:
    """The sheet rules of a game in a file."""
    sheets = Sheets(game, lists_of(game))
    return SheetRules(
        sheets.kinds,
        lambda table, kind: blank(game, kind),
        sheets.sections,
        sheets.check,
        sheets.start,
        sheets.summary,
        sheets.public,
        sheets.amend,
    )


def blank(game: Written, kind: str) -> dict[str, Any]:
    """A new sheet of a kind."""
    groups = of_kind(game.groups, kind)
    sheet: dict[str, Any] = {
        "traits": {one.key: group.low for group in groups for one in group.traits},
        "lists": {one.key: [] for one in of_kind(game.listings, kind)},
        "texts": {one.key: "" for one in of_kind(game.words, kind)},
    }
    return sheet


def _is_new(entity: Entity) -> bool:
    return entity.stage in {"draft", "submitted"} and "tracks" not in entity.state


@dataclass(frozen=True)
class Sheets:
    """The sheets of a game; `lists` are the lists that a new version may change."""

    game: Written
    lists: tuple[Numbers, ...]

    def _body(self, table: Table, entity: Entity) -> Body:
        return Body(self.game, table, entity)

    def kinds(self, table: Table) -> tuple[Kind, ...]:
        """The kinds of entities."""
        return tuple(
            Kind(o.key, o.title, o.made_by, o.hint, o.rule, o.person) for o in self.game.kinds
        )

    # ------------------------------------------------------------ the builder

    def sections(self, table: Table, entity: Entity) -> tuple[Section, ...]:
        """The sections of the builder."""
        one, new = self._body(table, entity), _is_new(entity)
        parts = [self._playbooks()] if self._has_playbook(entity) else []
        parts += [self._group(one, group, new) for group in one.groups]
        parts += [self._list(one, each, new) for each in one.listings]
        fields = tuple(
            Field(
                f"texts.{each.key}",
                each.title,
                "story" if each.story else "text",
                required=False,
                default="",
                help=each.help,
                longest=8_000 if each.story else 200,
            )
            for each in one.texts
        )
        words = Section("texts", "In your own words", fields)
        return (*parts, words) if fields else tuple(parts)

    def _has_playbook(self, entity: Entity) -> bool:
        made = {one.key: one.made_by for one in self.game.kinds}
        return bool(self.game.playbooks) and made.get(entity.kind) == "player"

    def _playbooks(self) -> Section:
        picks = tuple(Choice(one.key, one.title, one.help) for one in self.game.playbooks)
        rule = self.game.playbooks[0].rule
        none = Choice("", "None yet")
        field = Field(
            "playbook", "Playbook", "choice", (none, *picks), default="", required=False, rule=rule
        )
        return Section("playbook", "Playbook", (field,), "It opens lists and moves.", rule)

    def _group(self, one: Body, group: Group, new: bool) -> Section:
        part = Section(f"group-{group.key}", group.title, (), group.help, group.rule)
        counts = new and one.is_players
        section = one.bounds(group).section(part, one.own_levels(group), new=counts)
        return replace(section, help=group.help)

    def _list(self, one: Body, listing: Listing, new: bool) -> Section:
        rule, name = listing.rule, f"lists.{listing.key}"
        known: dict[str, Any] = {"default": [], "required": False, "rule": rule}
        if listing.choices:
            picks = tuple(Choice(each, each) for each in listing.choices)
            field = Field(name, listing.title, "many", picks, **known)
        else:
            columns = (
                Field("text", "What", longest=400),
                Field("note", "Note", required=False, default="", longest=400),
            )
            field = Field(name, listing.title, "rows", columns=columns, **known)
        budget = one.purse_of(listing).budget if new else None
        return Section(f"list-{listing.key}", listing.title, (field,), listing.help, rule, budget)

    def check(self, table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
        """The problems of a sheet: bounds at any time, budgets and caps while it is built."""
        one, building = self._body(table, entity), stage == "creation" and entity.is_players
        found = [
            problem
            for group in one.groups
            for problem in one.bounds(group).problems(one.own_levels(group), new=building)
            if stage == "creation" or not self._is_agreed(one, problem.where)
        ]
        if building and self._has_playbook(entity) and not one.playbook:
            rule = self.game.playbooks[0].rule
            found.append(Problem("playbook", rule, "Pick a playbook."))
        for listing in one.listings if building else ():
            purse = one.purse_of(listing)
            if purse.off:
                words = f"{purse.title}: {purse.of} at most, not {purse.spent}."
                found.append(Problem(f"lists.{listing.key}", purse.rule, words))
        return tuple(found)

    def _is_agreed(self, one: Body, where: str) -> bool:
        """Whether the GM has allowed a level outside its present bounds."""
        key = where.removeprefix("traits.")
        return is_agreed(one.entity, self.lists[0], key, one.level(key))

    # ------------------------------------------------------------ in play

    def start(self, table: Table, entity: Entity) -> dict[str, Any]:
        """The state at the start of play: every track at its start, other state unchanged."""
        one, known = self._body(table, entity), entity.state.get("tracks")
        begins = {each.key: each.begins(one.levels) for each in one.scales}
        kept = known if isinstance(known, dict) else {}
        return {"points": 0, **entity.state, "tracks": {**begins, **kept}}

    def summary(self, table: Table, entity: Entity) -> Summary:
        """An entity at a glance."""
        one = self._body(table, entity)
        numbers = tuple(
            Number(
                trait.key,
                trait.title,
                one.level(trait.key, group.low),
                help=trait.help,
                group=group.title,
                starts=self._start_of(one, group, trait.key),
            )
            for group in one.groups
            for trait in group.traits
        )
        books = [Tag(each.title) for each in self.game.playbooks if each.key == one.playbook]
        tags = (*books, *(Tag(text) for each in one.listings for text in one.entries(each)))
        words = one.condition
        return Summary(
            entity.name,
            entity.line,
            words.capitalize(),
            "bad" if words and one.is_out else "plain",
            tuple(map(one.track, one.scales)) if one.known else (),
            tags,
            numbers if one.known else (),
            former_notes(entity, *self.lists) if one.known else (),
        )

    def _start_of(self, one: Body, group: Group, trait: str) -> Start | None:
        """The first roll outside a fight that somebody can make on a trait."""
        for roll in self.game.rolls:
            if roll.fight or not_theirs(one, roll) is not None:
                continue
            if roll.trait == trait:
                return Start(roll.key)
            if group.key in roll.uses:
                return Start(roll.key, (("trait", trait),))
        return None

    def public(self, table: Table, entity: Entity) -> Entity:
        """The public facts: name, line and condition, without levels, tracks or texts."""
        sheet = {"closed": True, "condition": self._body(table, entity).condition}
        return replace(entity, sheet=sheet, state={})

    def amend(
        self, table: Table, actor: Actor, before: Entity, after: Entity
    ) -> tuple[Problem, ...]:
        """The problems of an edit in play: a player's levels change only by growth or by the GM."""
        was, one = self._body(table, before), self._body(table, after)
        state = (
            Field("points", "Points", "number", low=0),
            *(
                Field(
                    f"tracks.{each.key}",
                    each.title,
                    "number",
                    low=0,
                    high=one.boxes(each),
                    rule=each.rule,
                )
                for each in one.scales
            ),
        )
        unread = misread(state, before.state, after.state)
        if actor.is_gm or not before.is_players or before.stage != "play":
            return unread
        return unread + tuple(
            Problem(
                f"traits.{trait.key}",
                group.rule,
                f"{trait.title} changes by growth, or by the GM's hand.",
            )
            for group in one.groups
            for trait in group.traits
            if was.level(trait.key, group.low) != one.level(trait.key, group.low)
        )
