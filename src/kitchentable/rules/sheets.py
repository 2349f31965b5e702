"""What somebody's sheet is made of, and how a page, a printer and a party list show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import Field, Json, Problem


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entity the game knows: "pc", "minion", "ship". `made_by`: "player" or "gm"."""

    key: str
    title: str
    made_by: str = "gm"
    hint: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """Points to spend: how many are spent of how many. Where a game sells halves, these too."""

    label: str
    spent: float
    of: float

    @property
    def left(self) -> float:
        """Points that are left; below zero when overspent.

        >>> Budget("Trait points", 53, 52).left, Budget("Skill points", 4.5, 5).left
        (-1, 0.5)
        """
        return self.of - self.spent


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the builder: its fields, whose names are paths into the sheet ("traits.aim").

    `in_summary` says that the summary shows all of it, so that a sheet need not say it twice.
    """

    key: str
    title: str
    fields: tuple[Field, ...]
    help: str = ""
    rule: str = ""
    budget: Budget | None = None
    row_notes: Mapping[str, str] = field(default_factory=dict)
    in_summary: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """A move with some of its answers, opened by a tap on a row of the sheet.

    `answers` are pairs of a field's name and its value. A row without a start cannot be tapped.
    """

    move: str
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A row of boxes: wounds, stun, a supply die. `words` is what a screen reader hears.

    `starts` is the move that a tap opens: the roll of a supply die.
    """

    label: str
    value: int
    of: int
    words: str
    tone: str = "bad"
    starts: Start | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A short thing shown as a chip: a perk, a condition. `marked` ones carry a dot and a word.

    `leads_to` is the id of an entity that the chip names: a page makes it a link to that sheet,
    for those who know of the entity, and plain words for all others. `starts` is the move that a
    tap opens.
    """

    text: str
    marked: str = ""
    leads_to: str = ""
    starts: Start | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A named number of the sheet: a trait and its level; `leads_to` and `starts` as for a tag.

    Those with the same words for `group` stand together under them.
    """

    key: str
    label: str
    value: int
    marked: str = ""
    help: str = ""
    leads_to: str = ""
    group: str = ""
    starts: Start | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Somebody at a glance, for the party list, the fight and the head of the sheet.

    `notes` are sentences that belong to how somebody is: a broken leg, a cracked mast.
    """

    name: str
    line: str = ""
    status: str = ""
    tone: str = "plain"
    tracks: tuple[Track, ...] = ()
    tags: tuple[Tag, ...] = ()
    numbers: tuple[Number, ...] = ()
    notes: tuple[str, ...] = ()


def free_hand(table: Table, actor: Actor, before: Entity, after: Entity) -> tuple[Problem, ...]:
    """A game in which whoever may change a sheet may change all of it."""
    return ()


@dataclass(frozen=True, slots=True)
class SheetRules:
    """How a game builds, checks and shows its entities. All functions are pure.

    `blank(table, kind)` is a new sheet; `start(table, entity)` the state it begins play with.
    `check(table, entity, stage)` gives problems; stage is "creation" or "play". `public` is the
    entity as those see it who may not see its numbers. `tidy` reads what a form sent into a sheet
    without dropping what it does not know. `amend(table, actor, before, after)` says what is wrong
    with changing by hand what was agreed on: somebody in play, or a sheet that was in play and is
    its player's draft again (`before.stage` is "draft" then, and the GM looks at it once more).
    What a sheet's own fields refuse is refused for it; of the state, which has none,
    `forms.misread` says it where a game gives the fields.
    """

    kinds: Callable[[Table], tuple[Kind, ...]]
    blank: Callable[[Table, str], dict[str, Json]]
    sections: Callable[[Table, Entity], tuple[Section, ...]]
    check: Callable[[Table, Entity, str], tuple[Problem, ...]]
    start: Callable[[Table, Entity], dict[str, Json]]
    summary: Callable[[Table, Entity], Summary]
    public: Callable[[Table, Entity], Entity]
    amend: Callable[[Table, Actor, Entity, Entity], tuple[Problem, ...]] = free_hand


@dataclass(frozen=True, slots=True)
class FightRow:
    """One line of the fight tracker. `order` is what it rolled ("13", "flub", "not yet").

    `note` is what else lies on somebody: actions left, conditions, what runs out.
    """

    entity: str
    name: str
    order: str
    status: str = ""
    tone: str = "plain"
    acting: bool = False
    done: bool = False
    out: bool = False
    track: Track | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class FightView:
    """The fight as the tracker shows it: round, order of acting, who is down, whose turn it is.

    A `round` of 0 is for games that count none. `foreseen` is set by the table, where the seat
    knows enough for its end to be foretold.
    """

    round: int
    rows: tuple[FightRow, ...]
    sentence: str = ""
    notes: tuple[str, ...] = ()
    foreseen: bool = False
