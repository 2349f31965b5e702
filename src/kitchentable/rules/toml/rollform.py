"""The dice of a game's file: named dice, rolls with all their parts, and tables."""

# ruff: noqa: RUF009 - `schema` makes a new declaration for each attribute

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from kitchentable.dice import BadDie, Die
from kitchentable.rules.kit.settings import read_field
from kitchentable.rules.toml import schema as a
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.reader import Section
from kitchentable.rules.values import Field

#: The names that a roll adds to traits, tracks and options in formulas: the trait's level, the
#: bonus of a list's entry, the GM's modifier, and the margin above the target number.
TRAIT, BONUS, MODIFIER, MARGIN = "trait", "bonus", "modifier", "margin"
#: The name for whether dice were thrown again, as 1 or 0.
PUSHED = "pushed"

#: The sets of names that a formula may use: options; with traits; with tracks; with growth; with
#: those of a roll; with those of its outcome.
OPTIONS, LEVELS, SHEET, GROWN, ROLL, FELL = "options", "levels", "sheet", "grown", "roll", "fell"

TONES = ("good", "bad", "splendid", "plain")
_MOST_FACES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDie:
    """A die of the game's own, with numbers and words as faces; a word may be worth a number."""

    key: str = a.key()
    faces: tuple[int | str, ...] = a.values()
    worth: Mapping[str, int] = a.numbers()
    die: Die = Die("d2", (1, 2))

    def checked(self, one: Section) -> Self:
        """Make the die from its faces, and check them."""
        if not 2 <= len(self.faces) <= _MOST_FACES:
            words = f"A die has 2 to {_MOST_FACES} faces, not {len(self.faces)}."
            one.wrong("faces", words)
            return self
        for word in sorted(self.worth.keys() - set(self.faces)):
            one.wrong("worth", f"The die {self.key!r} has no face {word!r}.")
        try:
            return replace(self, die=Die(self.key, self.faces))
        except BadDie as error:
            one.wrong("faces", str(error))
            return self

    @property
    def words(self) -> frozenset[str]:
        """The faces that are words."""
        return frozenset(face for face in self.faces if isinstance(face, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A named group of outcomes: the first one that fits the margin, face and counts.

    `marks` are marks on the roller's tracks, `others_marks` on the other entity's.
    """

    key: str = a.key()
    title: str = a.text()
    tone: str = a.choice(TONES, "plain")
    good: bool = a.tick(default=False)
    at_least: int | None = a.maybe_number()
    at_most: int | None = a.maybe_number()
    exact: int | None = a.maybe_number()
    face: str = a.text("")
    needs: Mapping[str, int] = a.numbers()
    says: str = a.text("")
    asks: str = a.text("")
    marks: Mapping[str, Formula] = a.marks(FELL)
    others_marks: Mapping[str, Formula] = a.marks(FELL)

    @property
    def catches_all(self) -> bool:
        """Whether every outcome is in the band."""
        bounds = (self.at_least, self.at_most, self.exact)
        return not self.face and not self.needs and all(one is None for one in bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a ladder of difficulties."""

    key: str = a.key()
    title: str = a.text()
    number: Formula = a.formula(ROLL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposed:
    """The other side of an opposed roll: its trait or groups, and the result of a tie."""

    uses: tuple[str, ...] = a.links("group")
    trait: str = a.link("trait")
    ties: str = a.choice(("again", "ours", "theirs"), "again")

    def checked(self, one: Section) -> Self:
        """Check that the other side has a trait."""
        if not self.uses and not self.trait:
            one.wrong("", "The other side needs a trait.", 'Write trait = "..." or uses = "...".')
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Handful:
    """Dice of one colour in a pool.

    With `none` = "lowest", a colour without dice throws two and counts the lower one.
    """

    key: str = a.key()
    title: str = a.text("dice")
    dice: Formula = a.formula(ROLL)
    sides: int = a.number(6, 2, _MOST_FACES)
    none: str = a.choice(("", "lowest"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A count in a pool: the dice with these faces, or the largest set of equal faces.

    `of` is the colour that is counted; by default all dice, or for equals the first colour.
    """

    key: str = a.key()
    title: str = a.text()
    faces: tuple[int, ...] = a.values()
    of: str = a.text("")
    equals: bool = a.tick(default=False)

    def checked(self, one: Section) -> Self:
        """Check that the count has either faces or equals."""
        if any(not isinstance(face, int) for face in self.faces):
            one.wrong("faces", "The faces of a pool are whole numbers.")
        if bool(self.faces) == self.equals:
            one.wrong("", "A count needs faces, or equals.", "Write faces = [6], or equals = true.")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Dice that may be thrown again: all except those with the faces in `keeps`."""

    title: str = a.text("Push")
    help: str = a.text("")
    keeps: tuple[int, ...] = a.values()
    costs: Mapping[str, Formula] = a.marks(ROLL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A further question of a roll, a tick, number or choice, for formulas by its key.

    A tick counts as 1, a choice as its position from 0. `by` sets the answer; `costs` are paid for
    an answer other than the default.
    """

    key: str = a.key()
    by: str = a.choice(("player", "gm"), "player")
    costs: Mapping[str, Formula] = a.marks(ROLL)
    field: Field = a.part(lambda one, named: read_field(one), "kind")

    def checked(self, one: Section) -> Self:
        """Check that formulas can use the answer."""
        if self.field.kind not in {"tick", "number", "choice"}:
            one.wrong(
                "kind", f"A roll asks for a tick, a number or a choice, not {self.field.kind!r}."
            )
        return self

    def number(self, answer: object) -> int:
        """The number of an answer in formulas."""
        if self.field.kind == "choice":
            keys = [one.value for one in self.field.choices]
            return keys.index(str(answer)) if answer in keys else 0
        return int(answer) if isinstance(answer, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A move with dice: the throw, the summands, the target number and the bands."""

    key: str = a.key()
    title: str = a.text()
    help: str = a.text("")
    dice: str = a.dice(ROLL, "")
    die: str = a.link("die")
    pools: tuple[Handful, ...] = a.many(Handful, "pool")
    keep: str = a.text("highest")
    counts: tuple[Count, ...] = a.many(Count, "count")
    again: Again | None = a.maybe(Again)
    add: tuple[Formula, ...] = a.formulas(ROLL)
    uses: tuple[str, ...] = a.links("group")
    trait: str = a.link("trait")
    listing: str = a.link("list", "list")
    fields: tuple[Asked, ...] = a.many(Asked, "field")
    modifier: bool = a.tick(default=True)
    against: Formula | None = a.maybe_formula(ROLL)
    ladder: tuple[Step, ...] = a.many(Step, "difficulty")
    opposed: Opposed | None = a.maybe(Opposed)
    targets: tuple[str, ...] = a.links("kind")
    fight: bool = a.tick(default=False)
    bands: tuple[Band, ...] = a.many(Band, "band")
    costs: Mapping[str, Formula] = a.marks(ROLL)
    kinds: tuple[str, ...] = a.links("kind")
    playbook: str = a.link("playbook")
    picked: str = a.link("list")
    rule: str = a.link("rule")

    @property
    def harms_another(self) -> bool:
        """Whether a band marks the tracks of another entity."""
        return any(band.others_marks for band in self.bands)

    @property
    def names(self) -> frozenset[str]:
        """The names of the roll's own questions in formulas."""
        return frozenset(one.key for one in self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table to roll on, up to a number; the last row has none."""

    to: int | None = a.maybe_number()
    text: str = a.text()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A table to roll on."""

    key: str = a.key()
    title: str = a.text()
    help: str = a.text("")
    dice: str = a.dice(ROLL)
    rows: tuple[Row, ...] = a.many(Row, "row")
    fields: tuple[Asked, ...] = a.many(Asked, "field")
    add: tuple[Formula, ...] = a.formulas(ROLL)
    rule: str = a.link("rule")
