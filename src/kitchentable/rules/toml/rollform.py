"""What a game's file can say of its dice: dice of its own, rolls with all their parts, tables."""

# ruff: noqa: RUF009 - what `schema` gives is a declaration, made for each attribute

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from kitchentable.dice import BadDie, Die
from kitchentable.rules.kit.settings import read_field
from kitchentable.rules.toml import schema as a
from kitchentable.rules.toml.formula import Formula
from kitchentable.rules.toml.reading import Section
from kitchentable.rules.values import Field

#: The names a roll gives its formulas besides traits, tracks and options: the level of the trait it
#: is made on, what an entry of a list adds, what the GM adds, and how far the result lies above
#: what was asked for.
TRAIT, BONUS, MODIFIER, MARGIN = "trait", "bonus", "modifier", "margin"
#: Whether the dice were thrown again.
PUSHED = "pushed"

#: The names that a formula may ask for: options; with the traits; with the tracks; with those of a
#: roll; with what fell.
OPTIONS, LEVELS, SHEET, GROWN, ROLL, FELL = "options", "levels", "sheet", "grown", "roll", "fell"

TONES = ("good", "bad", "splendid", "plain")
_MOST_FACES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedDie:
    """A die of the game's own: numbers are numbers, words are words, and may be worth a number."""

    key: str = a.key()
    faces: tuple[int | str, ...] = a.values()
    worth: Mapping[str, int] = a.numbers()
    die: Die = Die("d2", (1, 2))

    def checked(self, one: Section) -> Self:
        """A die can be made of its faces."""
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
    """A named share of a roll's results: the first whose numbers, face and counts fit.

    `marks` and `others_marks` say what it does to the tracks of who rolls and of the other one.
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
        """Whether every outcome fits."""
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
    """Who stands against a roll: a trait, or one of these groups, and what a tie means."""

    uses: tuple[str, ...] = a.links("group")
    trait: str = a.link("trait")
    ties: str = a.choice(("again", "ours", "theirs"), "again")

    def checked(self, one: Section) -> Self:
        """The other side has a trait."""
        if not self.uses and not self.trait:
            one.wrong("", "The other side needs a trait.", 'Write trait = "..." or uses = "...".')
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Handful:
    """Dice of one colour in a pool. With `none` = "lowest" no dice are two, of which the lower
    counts.
    """

    key: str = a.key()
    title: str = a.text("dice")
    dice: Formula = a.formula(ROLL)
    sides: int = a.number(6, 2, _MOST_FACES)
    none: str = a.choice(("", "lowest"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A number that is read from a pool: dice with these faces, or the largest set of equals.

    `of` is the colour that is looked at; left out, all dice are, for equals the first colour.
    """

    key: str = a.key()
    title: str = a.text()
    faces: tuple[int, ...] = a.values()
    of: str = a.text("")
    equals: bool = a.tick(default=False)

    def checked(self, one: Section) -> Self:
        """It says what is counted."""
        if any(not isinstance(face, int) for face in self.faces):
            one.wrong("faces", "The faces of a pool are whole numbers.")
        if bool(self.faces) == self.equals:
            one.wrong("", "A count needs faces, or equals.", "Write faces = [6], or equals = true.")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Dice that may be thrown again after they fell: all but those that show these faces."""

    title: str = a.text("Push")
    help: str = a.text("")
    keeps: tuple[int, ...] = a.values()
    costs: Mapping[str, Formula] = a.marks(ROLL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A further question of a roll: a tick, a number or a choice, which formulas know by its key.

    A tick counts 1, a choice counts its place from 0. `by` sets it; `costs` are paid where it is
    not left as it was.
    """

    key: str = a.key()
    by: str = a.choice(("player", "gm"), "player")
    costs: Mapping[str, Formula] = a.marks(ROLL)
    field: Field = a.part(lambda one, named: read_field(one), "kind")

    def checked(self, one: Section) -> Self:
        """Its answers are numbers for formulas."""
        if self.field.kind not in {"tick", "number", "choice"}:
            one.wrong(
                "kind", f"A roll asks for a tick, a number or a choice, not {self.field.kind!r}."
            )
        return self

    def number(self, answer: object) -> int:
        """An answer as formulas count it."""
        if self.field.kind == "choice":
            keys = [one.value for one in self.field.choices]
            return keys.index(str(answer)) if answer in keys else 0
        return int(answer) if isinstance(answer, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A move with dice: what is thrown, what is added, what it is measured against, its bands."""

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
        """Whether a result marks the tracks of somebody else."""
        return any(band.others_marks for band in self.bands)

    @property
    def names(self) -> frozenset[str]:
        """The names that its questions give to its formulas."""
        return frozenset(one.key for one in self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a table to roll on, up to a number; the last one has none."""

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
