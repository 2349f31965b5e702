"""The contents of a game's file: each table is a class, each line an attribute."""

# ruff: noqa: RUF009 - `schema` makes a new declaration for each attribute

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from kitchentable.rules.game import Credits
from kitchentable.rules.kit.settings import read_options
from kitchentable.rules.rulebook import KINDS
from kitchentable.rules.toml import schema as a
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.reader import Section
from kitchentable.rules.toml.rollform import (
    BONUS,
    GROWN,
    LEVELS,
    MODIFIER,
    OPTIONS,
    SHEET,
    TRAIT,
    Asked,
    NamedDie,
    Roll,
    Rows,
)
from kitchentable.rules.values import Option

_HIGHEST = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinded:
    """A kind of entity: a player's character, the GM's others, a clock."""

    key: str = a.key()
    title: str = a.text()
    made_by: str = a.choice(("player", "gm"), "gm")
    hint: str = a.text("")
    rule: str = a.link("rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One number of the sheet."""

    key: str = a.key()
    title: str = a.text()
    help: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Traits that share points and bounds; with `points` None levels are chosen freely.

    `high` is the limit at creation, `top` in play. `kinds` are the kinds that have the group, by
    default all.
    """

    key: str = a.key()
    title: str = a.text()
    points: Formula | None = a.maybe_formula(OPTIONS, told="The number of points for")
    low: int = a.number(0, told="The lowest level of")
    high: int = a.number(9, told="The highest level on a new sheet of")
    top: int = a.number(_HIGHEST, told="The highest level in play of")
    help: str = a.text("")
    rule: str = a.link("rule")
    kinds: tuple[str, ...] = a.links("kind", told="Who has")
    traits: tuple[Trait, ...] = a.many(Trait, "trait")

    def checked(self, one: Section) -> Self:
        """Check that the bounds rise and that the group has traits."""
        top = self.top if one.has("top") else max(self.high, _HIGHEST)
        if not self.low <= self.high <= top:
            words = f"low {self.low}, high {self.high} and top {top} have to rise."
            one.wrong("high", words)
        if not self.traits:
            words = f"The group {self.key!r} has no traits."
            one.wrong("", words, "Add a [[group.trait]] below it.")
        return replace(self, top=top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """A playbook, picked once by a player, with lists and moves of its own."""

    key: str = a.key()
    title: str = a.text()
    help: str = a.text("")
    rule: str = a.link("rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list of entries, written freely or picked from `choices`; an entry may add to rolls."""

    key: str = a.key()
    title: str = a.text()
    most: Formula = a.formula(OPTIONS, 5, told="The limit of")
    bonus: int = a.number(0, told="What is added by one of")
    choices: tuple[str, ...] = a.words()
    playbook: str = a.link("playbook", told="The playbook of")
    kinds: tuple[str, ...] = a.links("kind", told="Who has")
    help: str = a.text("")
    rule: str = a.link("rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A free text of the sheet, of one line or several."""

    key: str = a.key()
    title: str = a.text()
    story: bool = a.tick(default=False)
    kinds: tuple[str, ...] = a.links("kind", told="Who has")
    help: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A track: a row of boxes that starts empty and fills up, or starts full and is spent.

    `full` is the word for an entity whose boxes are all marked (or spent); with `out` the entity
    can no longer act. With `good` marked boxes can be spent to pay costs.
    """

    key: str = a.key()
    title: str = a.text()
    boxes: Formula = a.formula(LEVELS, told="The number of boxes of")
    starts: str = a.choice(("empty", "full"), "empty", told="The beginning of")
    full: str = a.text("", told="What somebody is called at the end of")
    out: bool = a.tick(default=False, told="Whether one is out at the end of")
    good: bool = a.tick(default=False, told="Whether there is something to spend in")
    kinds: tuple[str, ...] = a.links("kind", told="Who has")
    help: str = a.text("")
    rule: str = a.link("rule")

    @property
    def starts_full(self) -> bool:
        """Whether all boxes are marked at the start."""
        return self.starts == "full"

    @property
    def is_spent(self) -> bool:
        """Whether costs remove marks instead of adding them."""
        return self.starts_full or self.good


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A rest, or a move without dice: its costs, its marks, and the tracks that it resets."""

    key: str = a.key()
    title: str = a.text()
    help: str = a.text("")
    days: int = a.number(0, 0, 3650, told="The number of days of")
    marks: Mapping[str, Formula] = a.marks(SHEET, told="What is marked by")
    costs: Mapping[str, Formula] = a.marks(SHEET, told="The cost of")
    clears: tuple[str, ...] = a.links("track", told="What begins anew with")
    by: str = a.choice(("gm", "player"), "gm", told="Who can call for")
    playbook: str = a.link("playbook")
    picked: str = a.link("list")
    kinds: tuple[str, ...] = a.links("kind")
    rule: str = a.link("rule")

    @property
    def by_gm(self) -> bool:
        """Whether the GM calls for the rest, for everybody."""
        return self.by == "gm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Growth: points at a session's end or from a track, and the cost of a level."""

    points: Formula = a.formula(SHEET, 1, told="The number of points at a session's end")
    cost: Formula = a.formula(GROWN, 1, told="The cost of one more level")
    track: str = a.link("track", told="The track that is spent")
    rule: str = a.link("rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighting:
    """Fights: the dice for the turn order, and whether they are thrown each round."""

    order: str = a.dice(SHEET, told="What is thrown for the order")
    add: tuple[Formula, ...] = a.formulas(SHEET)
    each_round: bool = a.tick(default=True)
    actions: int = a.number(1, 1, 9, told="The number of actions in a turn")
    rule: str = a.link("rule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A chapter of the rulebook."""

    id: str = a.text()
    title: str = a.text()
    lead: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """One entry of the rulebook, as the author wrote it."""

    id: str = a.text()
    chapter: str = a.link("chapter")
    kind: str = a.choice(KINDS, "core")
    title: str = a.text()
    text: str = a.text()
    example: str = a.text("")
    option: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The game's name, title, version and credits."""

    name: str = a.key("name")
    title: str = a.text()
    version: str = a.text()
    about: str = a.text()
    author: str = a.text()
    source: str = a.text("")
    licence: str = a.text()
    licence_link: str = a.text("")
    notice: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The ready campaign."""

    title: str = a.text()
    players: tuple[str, ...] = a.words()
    notes: str = a.text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An entity of the ready campaign."""

    name: str = a.text()
    id: str = a.text("")
    kind: str = a.link("kind")
    owner: str = a.text("gm")
    line: str = a.text("")
    playbook: str = a.link("playbook")
    levels: Mapping[str, int] = a.numbers("traits")
    entries: Mapping[str, tuple[str, ...]] = a.part(lambda one, named: one.lists(named), "lists")
    words: Mapping[str, str] = a.part(lambda one, named: one.texts(named), "texts")
    hidden: bool = a.tick(default=False)
    open: bool = a.tick(default=True)

    def checked(self, one: Section) -> Self:
        """Give the entity an id, and note the names that it refers to."""
        for key, what, named in (
            ("traits", "trait", self.levels),
            ("lists", "list", self.entries),
            ("texts", "text", self.words),
        ):
            for each in named:
                one.link(key, each, what)
        made = re.sub(r"[^a-z0-9]+", "_", self.name.casefold()).strip("_") or "somebody"
        return replace(self, id=one.key("id", made))


@dataclass(frozen=True, slots=True, kw_only=True)
class Forced:
    """An example to run: a roll with its numbers and faces, and the expected band."""

    roll: str = a.text()
    named: Mapping[str, int] = a.numbers("with")
    faces: tuple[int | str, ...] = a.values()
    gives: str = a.text()


_KINDS = (
    Kinded(key="character", title="Character", made_by="player", hint="A player's own.", rule=""),
    Kinded(key="other", title="Somebody else", made_by="gm", hint="The GM's.", rule=""),
)


@dataclass(frozen=True, kw_only=True)
class Written:
    """A whole game, as its file describes it."""

    head: Head = a.maybe(Head, "game")
    kinds: tuple[Kinded, ...] = a.many(Kinded, "kind")
    options: tuple[Option, ...] = a.part(lambda one, named: read_options(one), "option")
    groups: tuple[Group, ...] = a.many(Group, "group")
    playbooks: tuple[Playbook, ...] = a.many(Playbook, "playbook")
    listings: tuple[Listing, ...] = a.many(Listing, "list")
    words: tuple[Words, ...] = a.many(Words, "text")
    scales: tuple[Scale, ...] = a.many(Scale, "track")
    dice: tuple[NamedDie, ...] = a.many(NamedDie, "die")
    rolls: tuple[Roll, ...] = a.many(Roll, "roll")
    tables: tuple[Rows, ...] = a.many(Rows, "table")
    rests: tuple[Rest, ...] = a.many(Rest, "rest")
    growth: Growth | None = a.maybe(Growth)
    fighting: Fighting | None = a.maybe(Fighting, "fight")
    chapters: tuple[Part, ...] = a.many(Part, "chapter")
    rules: tuple[RuleText, ...] = a.many(RuleText, "rule")
    ready: Ready | None = a.maybe(Ready, "campaign")
    people: tuple[Person, ...] = a.many(Person, "person")
    examples: tuple[Forced, ...] = a.many(Forced, "example")
    playthrough: str = ""

    def checked(self, one: Section) -> Self:
        """Check that players can make a kind; the default is two kinds, one for the GM."""
        if self.kinds and not any(kind.made_by == "player" for kind in self.kinds):
            one.wrong("kind", "No kind is made by players.", 'Give one of them made_by = "player".')
        return replace(self, kinds=self.kinds or _KINDS)

    @property
    def name(self) -> str:
        """The name of the game in campaigns and other files."""
        return self.head.name

    @cached_property
    def credits(self) -> Credits:
        """The credits of the game."""
        head = self.head
        return Credits(head.author, head.source, head.licence, head.licence_link, head.notice)

    @cached_property
    def traits(self) -> dict[str, tuple[Trait, Group]]:
        """Every trait with its group, by key."""
        return {one.key: (one, group) for group in self.groups for one in group.traits}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The titles of traits, tracks and options, by their names in formulas."""
        found = {key: trait.title for key, (trait, _) in self.traits.items()}
        found |= {one.key: one.title for one in self.scales}
        return found | {one.key: one.field.label for one in self.options}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of groups, lists, playbooks, traits, tracks and options, by key."""
        found = {one.key: one.title for one in self.groups}
        found |= {one.key: one.title for one in self.listings}
        found |= {one.key: one.title for one in self.playbooks}
        return found | self.numbers

    def group(self, key: str) -> Group:
        """The group of that key; KeyError for none."""
        return {one.key: one for one in self.groups}[key]

    def listing(self, key: str) -> Listing:
        """The list of that key; KeyError for none."""
        return {one.key: one for one in self.listings}[key]

    def scale(self, key: str) -> Scale:
        """The track of that key; KeyError for none."""
        return {one.key: one for one in self.scales}[key]

    def die(self, key: str) -> NamedDie:
        """The die of that key; KeyError for none."""
        return {one.key: one for one in self.dice}[key]


def picks(game: Written, uses: tuple[str, ...]) -> tuple[Trait, ...]:
    """The traits of these groups."""
    return tuple(trait for key in uses for trait in game.group(key).traits)


def rule_of(game: Written, what: str, key: str, own: str = "") -> str:
    """The id of a declaration's rule: the author's own, or the entry made for it."""
    return f"{game.name}.{own}" if own else f"{game.name}.{what}-{key}"


def part_name(
    game: Written, formula: Formula, trait: str = "", fields: tuple[Asked, ...] = ()
) -> str:
    """The name of a summand on a card; `trait` is the trait that is rolled."""
    names = {TRAIT: game.titles.get(trait, "trait"), BONUS: "bonus", MODIFIER: "the GM's modifier"}
    names |= {one.key: one.field.label for one in fields}
    return {**names, **game.numbers}.get(formula.text, formula.text)
