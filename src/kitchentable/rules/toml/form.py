"""The contents of a game's file: each table is a class, and each of its lines an annotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from kitchentable.rules.game import Credits
from kitchentable.rules.kit.formula import Bindings, Formula, Formulas, fill
from kitchentable.rules.kit.levels import Levels
from kitchentable.rules.kit.listings import key_from
from kitchentable.rules.kit.schema import (
    Key,
    Line,
    Many,
    Section,
    Table,
    dice,
    lines_of,
    within,
)
from kitchentable.rules.kit.settings import read_options
from kitchentable.rules.moves import Part, worth
from kitchentable.rules.rulebook import KINDS
from kitchentable.rules.toml.dicework import Throw, thrown_of
from kitchentable.rules.toml.rollform import (
    BONUS,
    GROWN,
    LEVELS,
    MODIFIER,
    NONE,
    OPTIONS,
    SHEET,
    TRAIT,
    Called,
    Helped,
    NamedDie,
    OfKinds,
    OfList,
    OfPlaybook,
    OfRule,
    Roll,
    Rows,
    Ruled,
)
from kitchentable.rules.values import Field, Option

_HIGHEST = 99

RuleKind: TypeAlias = Annotated[str, lambda one, key, default: one.choice(key, KINDS, default)]
SheetMarks: TypeAlias = Annotated[Formulas, SHEET]
Options: TypeAlias = Annotated[tuple[Option, ...], lambda one, key, default: read_options(one)]


class Kinded(Called):
    """A kind of entity: a player's character, a character of the GM, a clock."""

    made_by: Literal["player", "gm"] = "gm"
    hint: str = ""
    rule: OfRule = ""
    person: bool = True


class Trait(Helped):
    """One number of the sheet."""


class Group(Ruled):
    """Traits that share points and bounds; with `points` None levels are chosen freely.

    `high` is the limit at creation, `top` in play. Only these `kinds` have the group, by default
    all.
    """

    points: Annotated[Formula, OPTIONS] | None = None
    low: int = 0
    high: int = 9
    top: int = _HIGHEST
    kinds: OfKinds = ()
    traits: Many[Trait]

    def check(self, one: Section) -> None:
        """Check that the bounds do not decrease and that the group has traits."""
        if not one.has("top"):
            self.top = max(self.high, _HIGHEST)
        if not self.low <= self.high <= self.top:
            words = f"low {self.low}, high {self.high} and top {self.top} must be in this order."
            one.wrong("high", words)
        if not self.traits:
            words = f"The group {self.key!r} has no traits."
            one.wrong("", words, "Add a [[group.trait]] below it.")

    def levels(self, points: int | None) -> Levels:
        """The bounds of the traits, with these points."""
        return Levels(
            [(one.key, one.title, one.help) for one in self.traits],
            dict.fromkeys(("field", "spend", "top"), self.rule),
            points,
            self.high,
            self.low,
            self.top,
            (-999, 999),
            self.title,
            begins=f"{self.title}: ",
        )


class Playbook(Ruled):
    """A playbook, picked once by a player; lists and moves may belong to it."""


class Listing(Ruled):
    """A list of entries, written freely or picked from `choices`; entries may add to rolls."""

    most: Annotated[Formula, OPTIONS] = 5  # type: ignore[assignment]
    bonus: int = 0
    choices: tuple[str, ...] = ()
    playbook: OfPlaybook = ""
    kinds: OfKinds = ()


class Words(Helped):
    """A free text of the sheet, of one line or several."""

    story: bool = False
    kinds: OfKinds = ()


class Scale(Ruled):
    """A track: a row of boxes that starts empty and fills up, or starts full and is spent.

    `one` is the title of a single box, by default that of the track. `full` is the word for an
    entity with all boxes marked (or spent); with `out` such an entity can no longer act. With
    `good`, marked boxes are spent to pay costs.
    """

    boxes: Annotated[Formula, LEVELS]
    one: str = ""
    starts: Literal["empty", "full"] = "empty"
    full: str = ""
    out: bool = False
    good: bool = False
    kinds: OfKinds = ()

    def check(self, one: Section) -> None:
        """Give a single box a title."""
        self.one = self.one or self.title

    @property
    def starts_full(self) -> bool:
        """Whether all boxes are marked at the start."""
        return self.starts == "full"

    @property
    def is_spent(self) -> bool:
        """Whether costs remove marks instead of adding them."""
        return self.starts_full or self.good

    def most(self, numbers: Bindings) -> int:
        """The number of boxes."""
        return max(0, self.boxes.value(numbers))

    def begins(self, numbers: Bindings) -> int:
        """The number of marked boxes at the start."""
        return self.most(numbers) if self.starts_full else 0

    def is_full(self, numbers: Bindings) -> bool:
        """Whether the track is at its end: all boxes marked, or none left."""
        most = self.most(numbers)
        return most > 0 and numbers[self.key] == (0 if self.starts_full else most)

    def paid(self, cost: int) -> int:
        """The boxes that a cost marks; negative if it removes marks."""
        return -cost if self.is_spent else cost

    def ahead(self, numbers: Bindings) -> int:
        """The boxes left until the entity is out, or left to spend."""
        now = numbers[self.key]
        return now if self._runs_down else self.most(numbers) - now

    def with_ahead(self, most: int, ahead: int) -> int:
        """The marks of a track with this many boxes left."""
        return ahead if self._runs_down else most - ahead

    @property
    def _runs_down(self) -> bool:
        return self.starts_full or (self.good and not self.out)

    def to_spend(self, numbers: Bindings) -> int:
        """The most that can be paid from the track."""
        now = numbers[self.key]
        return now if self.is_spent else self.most(numbers) - now


class Rest(Ruled):
    """A rest, or a move without dice: its costs, its marks, and the tracks to reset."""

    days: Annotated[int, within(0, 3650)] = 0
    marks: SheetMarks = NONE
    costs: SheetMarks = NONE
    clears: Annotated[tuple[str, ...], "track"] = ()
    by: Literal["gm", "player"] = "gm"
    playbook: OfPlaybook = ""
    picked: OfList = ""
    kinds: OfKinds = ()

    @property
    def by_gm(self) -> bool:
        """Whether the GM makes the move, for everybody."""
        return self.by == "gm"


class Growth(Table):
    """Growth: points at a session's end or from a track, and the cost of a level."""

    points: Annotated[Formula, SHEET] = 1  # type: ignore[assignment]
    cost: Annotated[Formula, GROWN] = 1  # type: ignore[assignment]
    track: Annotated[str, "track"] = ""
    rule: OfRule = ""

    @property
    def at_session_end(self) -> Formula | None:
        """The points at a session's end; None if a track is spent."""
        return None if self.track else self.points


class Fighting(Table):
    """Fights: the dice for the turn order, and whether they are thrown each round."""

    order: Annotated[str, dice(SHEET)]
    add: Annotated[tuple[Formula, ...], SHEET] = ()
    each_round: bool = True
    actions: Annotated[int, within(1, 9)] = 1
    rule: OfRule = ""

    def throw(self, numbers: Bindings, label: str) -> Throw:
        """A fighter's throw for the turn order. Errors: NotationError."""
        add = sum(one.value(numbers) for one in self.add)
        return thrown_of(fill(self.order, numbers), add, label)


# ---------------------------------------------------------------- the rulebook, a ready campaign


class ChapterText(Table):
    """A chapter of the rulebook."""

    id: str
    title: Line
    lead: str = ""


class RuleText(Table):
    """One rulebook entry written by the author."""

    id: str
    chapter: Annotated[str, "chapter"] = ""
    kind: RuleKind = "core"
    title: Line
    text: str
    example: str = ""
    option: str = ""


class Head(Table):
    """The game's name, title, version and credits."""

    name: Key
    title: Line
    version: str
    about: str
    author: str
    source: str = ""
    licence: str
    licence_link: str = ""
    notice: str = ""

    @property
    def credits(self) -> Credits:
        """The credits of the game."""
        return Credits(self.author, self.source, self.licence, self.licence_link, self.notice)


class Ready(Table):
    """The ready campaign."""

    title: Line
    players: tuple[str, ...] = ()
    notes: str = ""


class Drawn(Table):
    """The filled-in parts of a ready sheet."""

    kind: Annotated[str, "kind"] = ""
    playbook: OfPlaybook = ""
    traits: Mapping[str, int] = NONE
    lists: Mapping[str, tuple[str, ...]] = NONE
    texts: Mapping[str, str] = NONE

    def check(self, one: Section) -> None:
        """Note links to the traits, lists and texts of the sheet."""
        for key in ("traits", "lists", "texts"):
            for each in getattr(self, key):
                one.linked(key, each, key.removesuffix("s"))


class Person(Drawn):
    """An entity of the ready campaign."""

    name: Line
    id: str = ""
    owner: str = "gm"
    line: str = ""
    hidden: bool = False
    open: bool = True

    def check(self, one: Section) -> None:
        """Give the entity an id."""
        super().check(one)
        self.id = one.key("id", key_from(self.name))


class Pattern(Drawn):
    """An archetype: a ready sheet without a name and an owner."""

    title: Line
    key: str = ""

    def check(self, one: Section) -> None:
        """Give the archetype a key."""
        super().check(one)
        self.key = one.key("key", key_from(self.title))


class Example(Table, named="with"):
    """An example to check: a roll with numbers, answers and faces, and the expected band."""

    roll: str
    named: Mapping[str, int | bool | str] = NONE
    faces: tuple[int | str, ...] = ()
    gives: str


_KINDS = Many(
    (
        Kinded(key="character", title="Character", made_by="player", hint="A player's own."),
        Kinded(key="other", title="Somebody else", made_by="gm", hint="The GM's."),
    )
)


class Written(
    Table,
    head="game", options="option", listings="list", words="text", scales="track", dice="die",
    fighting="fight", ready="campaign", people="person",
):  # fmt: skip
    """A whole game in a file."""

    head: Head
    kinds: Many[Kinded]
    options: Options
    groups: Many[Group]
    playbooks: Many[Playbook]
    listings: Many[Listing]
    words: Many[Words]
    scales: Many[Scale]
    dice: Many[NamedDie]
    rolls: Many[Roll]
    tables: Many[Rows]
    rests: Many[Rest]
    growth: Growth | None = None
    fighting: Fighting | None = None
    chapters: Many[ChapterText]
    rules: Many[RuleText]
    ready: Ready | None = None
    people: Many[Person]
    archetypes: Many[Pattern]
    examples: Many[Example]
    playthrough = ""

    def check(self, one: Section) -> None:
        """Check that players can make a kind, and set the full ids of all rules.

        A declaration without a rule of the author's gets the id of the entry made for it.
        """
        if self.kinds and not any(kind.made_by == "player" for kind in self.kinds):
            one.wrong("kind", "Players can make no kind.", 'Give a [[kind]] made_by = "player".')
        self.kinds = self.kinds or _KINDS
        for kind in self.kinds:
            kind.rule = kind.rule and f"{self.name}.{kind.rule}"
        for made, one_of in self.declared():
            rule = one_of.rule or made
            for asked in getattr(one_of, "fields", ()):
                asked.field = self._citing(asked.field, rule)
            one_of.rule = f"{self.name}.{rule}"
        self.options = tuple(
            replace(each, field=self._citing(each.field, f"option-{each.key}"))
            for each in self.options
        )

    def _citing(self, field: Field, usual: str) -> Field:
        """A question with the full ids of its rules, by default the `usual` one."""
        known = {one.id for one in self.rules}
        rule = field.rule if field.rule in known else usual
        columns = tuple(self._citing(one, rule) for one in field.columns)
        return replace(field, rule=f"{self.name}.{rule}", columns=columns)

    @cached_property
    def parts(self) -> dict[str, tuple[Any, ...]]:
        """All lists of tables, by their name in the file."""
        every = {key: getattr(self, name) for name, key, _, _ in lines_of(Written)}
        return {key: one for key, one in every.items() if isinstance(one, tuple)}

    def declared(self) -> Iterator[tuple[str, Any]]:
        """Everything with a rulebook entry except options, with the short id of a made entry."""
        for what in ("group", "playbook", "list", "track", "roll", "table", "rest"):
            yield from ((f"{what}-{one.key}", one) for one in self.parts[what])
        once = {"fight-order": self.fighting, "growth-points": self.growth}
        yield from ((made, one) for made, one in once.items() if one is not None)

    @property
    def name(self) -> str:
        """The game's name in campaigns and other files."""
        return self.head.name

    @cached_property
    def traits(self) -> dict[str, tuple[Trait, Group]]:
        """Every trait with its group, by key."""
        return {one.key: (one, group) for group in self.groups for one in group.traits}

    @cached_property
    def lowest(self) -> dict[str, int]:
        """The lowest level of every trait, by key."""
        return {key: group.low for key, (_, group) in self.traits.items()}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The titles of traits, tracks and options, by their names in formulas."""
        found = {key: trait.title for key, (trait, _) in self.traits.items()}
        found |= {one.key: one.title for one in self.scales}
        return found | {one.key: one.field.label for one in self.options}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of groups, lists, playbooks, traits, tracks and options, by key."""
        parts = (*self.groups, *self.listings, *self.playbooks)
        return {one.key: one.title for one in parts} | self.numbers

    def picks(self, uses: tuple[str, ...]) -> tuple[Trait, ...]:
        """The traits of these groups."""
        return tuple(trait for key in uses for trait in self.groups.of(key).traits)

    def called(self, trait: str, asked: Iterable[Any]) -> dict[str, str]:
        """The titles of names in formulas.

        `trait` is the trait of the roll, and `asked` are the roll's questions and counts.
        """
        own = {TRAIT: self.titles.get(trait, TRAIT), BONUS: BONUS, MODIFIER: "the GM's modifier"}
        return own | {one.key: one.title for one in asked} | self.numbers

    def summands(
        self, add: Iterable[Formula], numbers: Bindings, trait: str = "", asked: Iterable[Any] = ()
    ) -> tuple[Part, ...]:
        """The summands of a throw on a card, without zeros.

        A single name is shown without its sign; `trait` and `asked` as for `called`.
        """
        names = self.called(trait, asked)
        named = ((names.get(one.text.lstrip("0 -").rstrip()), one) for one in add)
        return worth(*(Part(name or one.titled(names), one.value(numbers)) for name, one in named))
