"""The dice of a game's file: named dice, rolls with all their parts, and tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from kitchentable.dice import BadDie, Die
from kitchentable.rules.kit.formula import Formula, Formulas, sums_of
from kitchentable.rules.kit.schema import (
    Key,
    Line,
    Many,
    Section,
    Table,
    dice,
    within,
)
from kitchentable.rules.kit.settings import read_field
from kitchentable.rules.values import Field, Values

#: The names in formulas that belong to a roll: the trait's level, the bonus of a list's entry, the
#: GM's modifier, the margin above the target number, and 1 if dice were thrown again, else 0.
TRAIT, BONUS, MODIFIER, MARGIN, PUSHED = "trait", "bonus", "modifier", "margin", "pushed"
#: The sets of names that a formula may use, each with the names of the previous set: options,
#: traits, tracks, the trait that grows, names of a roll, names of its outcome.
OPTIONS, LEVELS, SHEET, GROWN, ROLL, FELL = "options", "levels", "sheet", "grown", "roll", "fell"
#: The names for a table to roll on: options and its own questions.
DRAWN = "drawn"

_MOST_FACES = 1_000
#: The default of a table from names to values.
NONE: Values = {}

Sum: TypeAlias = Annotated[Formula, ROLL]
Sums: TypeAlias = Annotated[tuple[Formula, ...], ROLL]
Costs: TypeAlias = Annotated[Formulas, ROLL]
Marks: TypeAlias = Annotated[Formulas, FELL]
Dice: TypeAlias = Annotated[str, dice(ROLL)]
OfKinds: TypeAlias = Annotated[tuple[str, ...], "kind"]
OfGroups: TypeAlias = Annotated[tuple[str, ...], "group"]
OfTrait: TypeAlias = Annotated[str, "trait"]
OfPlaybook: TypeAlias = Annotated[str, "playbook"]
OfList: TypeAlias = Annotated[str, "list"]
OfRule: TypeAlias = Annotated[str, "rule"]
AskedField: TypeAlias = Annotated[Field, lambda one, key, default: read_field(one)]


class Called(Table):
    """A table with a key and a title."""

    key: Key
    title: Line


class Helped(Called):
    """A table with a help text."""

    help: str = ""


class Ruled(Helped):
    """A table with a rulebook entry, written by the author or made from the table."""

    rule: OfRule = ""


class NamedDie(Table):
    """A special die with numbers and words as faces; a word may be worth a number."""

    key: Key
    faces: tuple[int | str, ...] = ()
    worth: Mapping[str, int] = NONE

    def check(self, one: Section) -> None:
        """Check the faces."""
        if not 2 <= len(self.faces) <= _MOST_FACES:
            words = f"A die has 2 to {_MOST_FACES} faces, not {len(self.faces)}."
            one.wrong("faces", words)
            return
        for word in sorted(self.worth.keys() - set(self.faces)):
            faces = ", ".join(map(str, self.faces))
            one.wrong(
                "worth", f"The die {self.key!r} has no face {word!r}.", f"Its faces: {faces}."
            )
        try:
            Die(self.key, self.faces)
        except BadDie as error:
            one.wrong("faces", str(error))

    @cached_property
    def die(self) -> Die:
        """The die itself."""
        return Die(self.key, self.faces)

    @property
    def words(self) -> frozenset[str]:
        """The faces that are words."""
        return frozenset(face for face in self.faces if isinstance(face, str))


class Band(Called):
    """A named group of outcomes; the result is the first band that fits margin, face and counts.

    `marks` are marks on the actor's tracks, `others_marks` on the target's.
    """

    tone: Literal["good", "bad", "splendid", "plain"] = "plain"
    good: bool = False
    at_least: int | None = None
    at_most: int | None = None
    exact: int | None = None
    face: str = ""
    needs: Mapping[str, int] = NONE
    says: str = ""
    asks: str = ""
    marks: Marks = NONE
    others_marks: Marks = NONE

    @property
    def catches_all(self) -> bool:
        """Whether the band fits every outcome."""
        bounds = {self.at_least, self.at_most, self.exact}
        return not self.face and not self.needs and bounds == {None}


class Step(Called):
    """One step of a ladder of difficulties."""

    number: Sum


class Opposed(Table):
    """The other side of an opposed roll: its trait or groups, and the result of a tie."""

    uses: OfGroups = ()
    trait: OfTrait = ""
    ties: Literal["again", "ours", "theirs"] = "again"

    def check(self, one: Section) -> None:
        """Check that the other side has a trait."""
        if not self.uses and not self.trait:
            one.wrong("", "The other side needs a trait.", 'Write trait = "..." or uses = "...".')


class Handful(Table):
    """Dice of one colour in a pool.

    With `none` = "lowest", a colour without dice throws two and uses the lower one.
    """

    key: Key
    title: Line = "dice"
    dice: Sum
    sides: Annotated[int, within(2, _MOST_FACES)] = 6
    none: Literal["", "lowest"] = ""


class Count(Called):
    """A count in a pool: the dice with these faces, or the largest set of equal faces.

    `of` is the counted colour, by default all.
    """

    faces: tuple[int, ...] = ()
    of: str = ""
    equals: bool = False

    def check(self, one: Section) -> None:
        """Check that the count has either faces or equals."""
        if any(not isinstance(face, int) for face in self.faces):
            one.wrong("faces", "The faces of a count must be whole numbers.")
        if bool(self.faces) == self.equals:
            one.wrong("", "A count needs faces or equals.", "Write faces = [6], or equals = true.")


class Again(Table):
    """Dice that may be thrown again: all except those with the faces in `keeps`."""

    title: Line = "Push"
    help: str = ""
    keeps: tuple[int, ...] = ()
    costs: Costs = NONE


class Asked(Table, field="kind"):
    """A further question of a roll: a tick, number or choice, used in formulas by its key.

    A tick counts as 1, a choice as its position from 0. `by` gives the answer; `costs` are paid
    for an answer other than the default.
    """

    key: Key
    by: Literal["player", "gm"] = "player"
    costs: Costs = NONE
    field: AskedField

    def check(self, one: Section) -> None:
        """Check that formulas can use the answer."""
        kind = self.field.kind
        if kind not in {"tick", "number", "choice"}:
            one.wrong("kind", f"A roll can ask for a tick, number or choice, not {kind!r}.")

    @property
    def title(self) -> str:
        """The words of the question."""
        return self.field.label

    def number(self, answer: object) -> int:
        """The number of an answer in formulas."""
        if self.field.kind == "choice":
            keys = [one.value for one in self.field.choices]
            return keys.index(str(answer)) if answer in keys else 0
        return int(answer) if isinstance(answer, int) else 0

    def said(self, answer: object) -> str:
        """An answer in words for the card; "" for an empty number or tick."""
        label, words = self.field.label, {one.value: one.label for one in self.field.choices}
        if self.field.kind == "choice":
            return f"{label}: {words[str(answer)]}."
        number = "" if self.field.kind == "tick" else f": {answer}"
        return f"{label}{number}." if answer else ""


class Roll(Ruled, listing="list", ladder="difficulty"):
    """A move with dice: the throw, the summands, the target number and the bands."""

    dice: Dice = ""
    die: Annotated[str, "die"] = ""
    pools: Many[Handful]
    keep: str = ""
    counts: Many[Count]
    again: Again | None = None
    add: Sums = ()
    uses: OfGroups = ()
    trait: OfTrait = ""
    listing: OfList = ""
    fields: Many[Asked]
    modifier: bool = True
    against: Sum | None = None
    ladder: Many[Step]
    opposed: Opposed | None = None
    targets: OfKinds = ()
    fight: bool = False
    bands: Many[Band]
    costs: Costs = NONE
    kinds: OfKinds = ()
    playbook: OfPlaybook = ""
    picked: OfList = ""

    def check(self, one: Section) -> None:
        """Let the highest die of a pool count by default."""
        if self.pools:
            self.keep = self.keep or "highest"

    @property
    def used(self) -> frozenset[str]:
        """The names in all formulas of the roll."""
        costs = (self.costs, *(one.costs for one in (*self.fields, self.again) if one is not None))
        paid = (formula for one in costs for formula in one.values())
        every = (*self.sums, *paid, *(formula for _, formula in self.marks))
        return frozenset(name for one in every for name in one.names())

    def goes_at(self, kind: str) -> bool:
        """Whether entities of a kind can be targets of the roll."""
        return not self.targets or kind in self.targets

    @property
    def sums(self) -> list[Formula]:
        """The formulas of the throw and of its target number."""
        sums = [*self.add, *sums_of(self.dice), *(one.dice for one in self.pools)]
        sums += (one.number for one in self.ladder)
        return [*sums, self.against] if self.against is not None else sums

    @property
    def marks(self) -> list[tuple[str, Formula]]:
        """The marks of all bands on both sides: pairs of the track's key and the formula."""
        both = (one for band in self.bands for one in (band.marks, band.others_marks))
        return [each for one in both for each in one.items()]

    @property
    def harms_another(self) -> bool:
        """Whether a band marks the tracks of another entity."""
        return any(band.others_marks for band in self.bands)

    @property
    def needs_target(self) -> bool:
        """Whether the roll needs another entity as its target."""
        goes_at_somebody = self.harms_another and (self.fight or bool(self.targets))
        return self.opposed is not None or goes_at_somebody


class Row(Table):
    """A row of a table to roll on, up to the number `to`; the last row has None."""

    to: int | None = None
    text: str


class Rows(Ruled):
    """A table to roll on."""

    dice: Annotated[str, dice("")]
    rows: Many[Row]
    fields: Many[Asked]
    add: Annotated[tuple[Formula, ...], DRAWN] = ()
