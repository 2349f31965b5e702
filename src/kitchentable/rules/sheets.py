"""The sheet of an entity: its kinds, its builder, and its summaries for pages and print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import Field, Problem, Row, Values, record


@record
class Kind:
    """A kind of entity in the game: "pc", "minion", "ship". `made_by`: "player" or "gm".

    A kind that is not a `person` is drawn as a symbol instead of a face.
    """

    key: str
    title: str
    made_by: str = "gm"
    hint: str = ""
    rule: str = ""
    person: bool = True


@record
class Budget:
    """A budget of points: the number spent and the number available; halves are allowed."""

    label: str
    spent: float
    of: float

    @property
    def left(self) -> float:
        """The points left; negative when overspent.

        >>> Budget("Trait points", 53, 52).left, Budget("Skill points", 4.5, 5).left
        (-1, 0.5)
        """
        return self.of - self.spent


@record
class Archetype:
    """A ready character: the parts of its sheet that differ from a blank sheet of its kind.

    The values of a table in `sheet` replace those of the blank sheet; a list replaces the list.
    """

    key: str
    title: str
    kind: str
    sheet: Values


@record
class Offer:
    """Rows that one tap adds to the lists of a sheet: a package of skills, a kit.

    `rows` are the new rows by the list's path; a row is skipped if the list already has one with
    equal values in the columns `same`.
    """

    key: str
    title: str
    hint: str
    rows: Mapping[str, tuple[Values, ...]]
    same: tuple[str, ...] = ()

    def into(self, sheet: Values) -> Row:
        """The sheet with these rows added.

        >>> tools = Offer("tools", "Tools", "", {"gear": ({"item": "Saw"},)}, ("item",))
        >>> tools.into({"gear": [{"item": "Saw"}]}), tools.into({"gear": []})
        ({'gear': [{'item': 'Saw'}]}, {'gear': [{'item': 'Saw'}]})
        """
        new = dict(sheet)
        for path, rows in self.rows.items():
            before = [dict(one) for one in new.get(path) or ()]
            there = {tuple(one.get(key) for key in self.same) for one in before}
            more = [o for o in rows if tuple(o.get(key) for key in self.same) not in there]
            new[path] = [*before, *map(dict, more)]
        return new


@record
class Section:
    """A part of the builder; names of its fields are paths into the sheet ("traits.aim").

    With `in_summary` the summary shows all of the section, so that a sheet need not repeat it.
    """

    key: str
    title: str
    fields: tuple[Field, ...]
    help: str = ""
    rule: str = ""
    budget: Budget | None = None
    row_notes: Mapping[str, str] = field(default_factory=dict)
    in_summary: bool = False
    offers: tuple[Offer, ...] = ()


@record
class Start:
    """A move with some of its answers, opened by a tap on a row of the sheet.

    `answers` are pairs of a field's name and its value.
    """

    move: str
    answers: tuple[tuple[str, str], ...] = ()


@record
class Wound:
    """A move that the GM makes with one tap, such as a wound; "{who}" means the entity's id.

    `title` is the noun on the button. To take one away, the answer "1" becomes "-1". With `track`
    the tap marks boxes of the track with this label, for entities of these `kinds` (none: all).
    """

    start: Start
    title: str = "wound"
    track: str = ""
    kinds: tuple[str, ...] = ()


@record
class Track:
    """A row of boxes: wounds, stun, a supply die.

    `words` is the text for screen readers. `starts` is opened by a tap (the roll of a supply die).
    """

    label: str
    value: int
    of: int
    words: str
    tone: str = "bad"
    starts: Start | None = None


@record
class Tag:
    """A short label shown as a chip: a perk, a condition.

    `marked` is a word shown with a dot. `leads_to` is the id of the entity that the chip names:
    readers who know the entity get a link to its sheet. `starts` is the move that a tap opens.
    """

    text: str
    marked: str = ""
    leads_to: str = ""
    starts: Start | None = None


@record
class Number:
    """A named number of the sheet: a trait and its level; `leads_to` and `starts` as for a tag.

    Numbers with the same `group` are shown together under this heading.
    """

    key: str
    label: str
    value: int
    marked: str = ""
    help: str = ""
    leads_to: str = ""
    group: str = ""
    starts: Start | None = None


@record
class Summary:
    """The summary of an entity, for the party list, the fight and the top of the sheet.

    `notes` are sentences about the entity's state: a broken leg, a cracked mast.
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
    """The `amend` of a game that allows every direct edit."""
    return ()


@record
class SheetRules:
    """The functions by which a game builds, checks and shows its entities.

    All functions are pure. `blank(table, kind)` is a new sheet; `start(table, entity)` the state at
    the start of play. `check(table, entity, stage)` gives problems; stage is "creation" or "play".
    `public` is the entity without its numbers, for seats that may not see them. `amend(table,
    actor, before, after)` gives the problems with a direct edit of an entity in play, or of one
    that was in play and is its player's draft again (`before.stage` is "draft", and the GM reviews
    it again). The fields of a sheet already refuse bad values; the state has no fields, so a game
    can check it with `forms.misread`.
    """

    kinds: Callable[[Table], tuple[Kind, ...]]
    blank: Callable[[Table, str], Row]
    sections: Callable[[Table, Entity], tuple[Section, ...]]
    check: Callable[[Table, Entity, str], tuple[Problem, ...]]
    start: Callable[[Table, Entity], Row]
    summary: Callable[[Table, Entity], Summary]
    public: Callable[[Table, Entity], Entity]
    amend: Callable[[Table, Actor, Entity, Entity], tuple[Problem, ...]] = free_hand


@record
class Act:
    """A move that a tap in the fight tracker starts; `at_once` if the move has no questions."""

    title: str
    start: Start
    at_once: bool = False


@record
class FightRow:
    """One line of the fight tracker.

    `order` is the roll for the turn order ("13", "flub", "not yet"). `note` has everything else:
    actions left, conditions, expiring effects.
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
    acts: tuple[Act, ...] = ()


@record
class FightView:
    """The fight in the tracker: round, turn order, fallen fighters, current turn.

    `round` is 0 in games that do not count rounds. The table sets `foreseen` if the seat knows
    enough for a forecast, and `acts` (here and in rows) to the moves that the seat may make.
    """

    round: int
    rows: tuple[FightRow, ...]
    sentence: str = ""
    notes: tuple[str, ...] = ()
    foreseen: bool = False
    acts: tuple[Act, ...] = ()
