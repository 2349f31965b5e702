"""One game of a conversion: its traits, their ordinary rolls, and their places on a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from statistics import fmean

from kitchentable.app.characters import CharacterFile, NoCharacter
from kitchentable.campaign.questions import Filled, fill_in
from kitchentable.campaign.throws import solve
from kitchentable.dice.errors import BadInput, DiceFault, NotSolved
from kitchentable.fights import foresee
from kitchentable.rules.archetypes import archetypes_at, sheet_of
from kitchentable.rules.combat import Battle, Fought
from kitchentable.rules.forms import look, put, read_value
from kitchentable.rules.game import Game
from kitchentable.rules.library import read_options
from kitchentable.rules.moves import Question
from kitchentable.rules.sheets import Number, Section, Start
from kitchentable.rules.table import Actor, Entity, Table
from kitchentable.rules.values import GM, Field, Json

#: The ids of the character, and of the opponent in a duel.
WHO, FOE = "carried", "opponent"
#: Levels further than this from the usual one are not tried.
_FAR = 12
#: Number of ready-made opponents; the mean of the duels counts.
_FOES = 2
#: Seconds for the odds of one roll.
_WITHIN = 0.5

#: Trait names with similar meanings in different games.
MEANINGS = (
    frozenset({"strength", "physique", "might", "brawn", "muscle", "body", "arms", "power"}),
    frozenset({"health", "fort", "fortitude", "constitution", "stamina", "endurance", "tough"}),
    frozenset({"dexterity", "coordination", "agility", "agile", "reflexes"}),
    frozenset({"athletics", "acrobatics", "climb", "boots", "wheels"}),
    frozenset({"handy", "hands", "sleight of hand", "pick"}),
    frozenset({"knowing", "intellect", "intelligence", "wits", "witty", "mind"}),
    frozenset({"perception", "awareness", "senses", "eyes", "notice"}),
    frozenset({"social", "aura", "charisma", "presence", "charm", "influential", "voice"}),
    frozenset({"willpower", "will", "discipline", "disciplined", "resolve", "heart"}),
    frozenset({"attack", "fight", "fighting", "melee", "brawl", "weapon", "dangerous"}),
    frozenset({"aim", "shoot", "shooting", "throw", "crossbow", "bow", "rifle"}),
    frozenset({"defense", "defence", "dodge"}),
    frozenset({"stealth", "sneak"}),
)


class CannotCarry(BadInput):
    """A character cannot be carried over to this game."""

    code = "character/cannot-carry"


@dataclass(frozen=True, slots=True)
class Ordinary:
    """The ordinary roll of a trait: a move with the answers of its form.

    The answers come from the sheet's row, then the defaults, then the move's first example. `words`
    name the roll and its difficulty, `question` asks for its odds.
    """

    move: str
    answers: Mapping[str, Json]
    words: str
    question: Question


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait of a character with its ordinary roll and its names."""

    key: str
    label: str
    level: int
    names: frozenset[str]
    roll: Ordinary


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a trait on a sheet: a number of its form, or a new row of a list.

    `levels` are the levels that the game allows, `usual` is the level on a blank sheet. `of` is the
    key of the trait in a new row.
    """

    section: str
    path: str
    label: str
    names: frozenset[str]
    levels: tuple[int, ...]
    usual: int
    roll: Ordinary
    row: Mapping[str, Json] | None = None
    column: str = ""
    of: str = ""

    @property
    def key(self) -> str:
        """The name of the place in a form."""
        return self.path if self.row is None else f"{self.path}:{self.of}"

    def write(self, sheet: dict[str, Json], level: int) -> None:
        """Write a level to this place."""
        if self.row is None:
            put(sheet, self.path, level)
        else:
            rows = look(sheet, self.path) or ()
            put(sheet, self.path, [*rows, {**self.row, self.column: level}])


def side_of(told: CharacterFile, load: Callable[[str], Game]) -> Side:
    """The game, the options and the kind of a character's file.

    Errors: NoCharacter, and those of `load`.
    """
    game = load(told.game)
    options, problems = read_options(game.options, told.options)
    side = Side(game, options, told.kind)
    if problems:
        raise NoCharacter(
            f"The options in this file are not valid for {game.title}: {problems[0].sentence}"
        )
    if told.kind not in {one.key for one in game.sheet.kinds(side.table)}:
        raise NoCharacter(f"{game.title} does not have this file's kind of character.")
    return side


def has_same_name(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two traits share a name."""
    return bool(one & other)


def means_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two traits have similar meanings.

    >>> means_the_same(frozenset({"strength"}), frozenset({"physique"}))
    True
    """
    return any(one & words and other & words for words in MEANINGS)


def names_of(*words: str) -> frozenset[str]:
    """The names of a trait, from its key and its label.

    >>> sorted(names_of("skills.sleight-of-hand", "Weapon: Knife"))
    ['knife', 'sleight of hand', 'weapon']
    """
    lasts = (one for word in words for one in word.rpartition(".")[2].split(":"))
    return frozenset(one.replace("-", " ").replace("_", " ").casefold().strip() for one in lasts)


@dataclass(frozen=True)
class Side:
    """A game with the options of a table, and a kind of character."""

    game: Game
    options: Mapping[str, Json]
    kind: str

    @cached_property
    def table(self) -> Table:
        """A table of this game without people."""
        return Table(options=self.options)

    def draft(self, sheet: Mapping[str, Json] | None = None) -> Entity:
        """A player's draft with this sheet, or a blank one."""
        filled = self.game.sheet.blank(self.table, self.kind) if sheet is None else sheet
        return Entity("new", "", self.kind, "player", filled, {}, stage="draft")

    def sections(self, sheet: Mapping[str, Json]) -> tuple[Section, ...]:
        """The sections of the builder for a draft with this sheet."""
        return self.game.sheet.sections(self.table, self.draft(sheet))

    @property
    def no_roll(self) -> str:
        """The sentence for a game without a roll to compare."""
        return (
            f"No trait on the sheets of {self.game.title} starts a roll, so there are no odds to "
            "compare. Choose another game, or make the character yourself."
        )

    # ------------------------------------------------------------ traits and their rolls

    def playing(self, sheet: Mapping[str, Json], ident: str = WHO) -> Entity:
        """An entity in play with this sheet: unhurt, and the GM's, so that no roll needs approval.

        State that only a player's character has does not change an ordinary roll.
        """
        one = Entity(ident, ident, self.kind, GM, sheet, {})
        return replace(one, state=self.game.sheet.start(self.table, one))

    def traits(self, sheet: Mapping[str, Json]) -> list[Trait]:
        """The traits with an ordinary roll, in the order of the sheet."""
        one = self.playing(sheet)
        found = []
        for number, start in self._starting(one):
            roll = self._ordinary(one, start)
            if roll is not None:
                names = names_of(number.key, number.label)
                found.append(Trait(number.key, number.label, number.value, names, roll))
        return found

    def _starting(self, one: Entity) -> Iterator[tuple[Number, Start]]:
        """The numbers of a sheet that start a move."""
        for number in self.game.sheet.summary(self.table, one).numbers:
            if number.starts is not None and self.game.has_move(number.starts.move):
                yield number, number.starts

    def _ordinary(self, one: Entity, start: Start) -> Ordinary | None:
        """The ordinary roll that a row of a sheet starts; None without odds."""
        at, actor = self._at(one)
        move, given = self.game.move(start.move), dict(start.answers)

        def fill() -> Filled:
            return fill_in(move.title, lambda answers: move.fields(at, actor, answers), given)

        filled, example = fill(), move.examples[0] if move.examples else {}
        missing = {p.where: example[p.where] for p in filled.problems if p.where in example}
        if missing:
            given |= missing
            filled = fill()
        question = self.ask(one, start.move, filled.answers)
        if question is None:
            return None
        said = (
            f"{field.label.rstrip('?')}: {choice.label}"
            for field in filled.fields
            for choice in field.choices
            if field.kind == "choice" and field.name not in dict(start.answers)
            and choice.value and choice.value == filled.answers.get(field.name)
            and any(map(str.isdecimal, choice.label))
        )  # fmt: skip
        return Ordinary(start.move, filled.answers, ", ".join((move.title, *said)), question)

    def ask(self, one: Entity, move: str, answers: Mapping[str, Json]) -> Question | None:
        """The question of a move with these answers; None without odds."""
        question = self.game.move(move).question(*self._at(one), answers)
        if question is None or not any(band.good for band in question.bands):
            return None
        # Equal rolls are solved once, and their sentences are not shown.
        return replace(question, sentence=None)

    def _at(self, one: Entity) -> tuple[Table, Actor]:
        return replace(self.table, entities={one.id: one}), Actor(GM, GM, one.id)

    # ------------------------------------------------------------ places for traits

    def spots(self, sheet: Mapping[str, Json]) -> list[Spot]:
        """The numbers of a sheet's form that are levels of traits with an ordinary roll."""
        one, found = self.playing(sheet), list[Spot]()
        numbers = list(self._starting(one))
        for part in self.sections(sheet):
            for field in part.fields:
                keys = {field.name, field.name.rpartition(".")[2], field.label}
                fits = (o for o in numbers if o[0].key in keys or o[0].label == field.label)
                number, start = next(fits, (None, None)) if field.kind == "number" else (None, None)
                roll = self._ordinary(one, start) if start is not None else None
                if number is None or roll is None:
                    continue
                names = names_of(number.key, number.label, field.label)
                usual = int(look(sheet, field.name, 0))
                spot = Spot(part.key, field.name, field.label, names, (), usual, roll)
                found.append(self._with_levels(spot, field, sheet))
        return found

    def _with_levels(self, spot: Spot, field: Field, sheet: Mapping[str, Json]) -> Spot:
        """A place with the levels of its field that the game allows a draft.

        A refusal that also applies to the usual level does not count.
        """

        def refused(level: int) -> set[str]:
            changed = copied(sheet)
            spot.write(changed, level)
            problems = self.game.sheet.check(self.table, self.draft(changed), "creation")
            places = (one.where for one in problems if one.refuses)
            row = f"{spot.path}." if spot.row is not None else spot.path
            return {where for where in places if where == spot.path or where.startswith(row)}

        usual = refused(spot.usual)
        levels = (level for level in _range(field) if refused(level) <= usual)
        return replace(spot, levels=tuple(levels))

    def lists(self, sheet: Mapping[str, Json]) -> Iterator[tuple[str, Field, Field, Field]]:
        """The lists of named levels: section, field, and the columns of the name and the level."""
        for part in self.sections(sheet):
            for field in part.fields:
                asked = [one for one in field.columns if one.required]
                names = [one for one in asked if one.kind in {"text", "choice"}]
                levels = [one for one in asked if one.kind == "number"]
                if names and levels:
                    yield part.key, field, names[0], levels[0]

    def row_for(self, trait: Trait, sheet: Mapping[str, Json]) -> Spot | None:
        """A new row of a list for a trait: with its own words, or a choice of its name."""
        for section, field, name, level in self.lists(sheet):
            value = trait.label if name.kind == "text" else _choice(name, trait)
            rows, _ = read_value(field, [{name.name: value, level.name: _range(level)[0]}])
            if value is None or not isinstance(rows, list) or not rows:
                continue
            changed, row = copied(sheet), rows[0]
            put(changed, field.name, [*(look(changed, field.name) or ()), row])
            known = {number.key for number, _ in self._starting(self.playing(sheet))}
            one = self.playing(changed)
            new = [start for number, start in self._starting(one) if number.key not in known]
            roll = self._ordinary(one, new[0]) if new else None
            if roll is not None:
                label = next((o.label for o in name.choices if o.value == value), trait.label)
                spot = Spot(
                    section, field.name, label, names_of(label), (), _range(level)[0], roll, row,
                    level.name, trait.key,
                )  # fmt: skip
                return self._with_levels(spot, level, sheet)
        return None

    # ------------------------------------------------------------ duels

    def duels(self, sheet: Mapping[str, Json]) -> tuple[Fought, tuple[Battle, ...]] | None:
        """A duel with each of a few ready-made characters; None if duels cannot be forecast."""
        one = self.playing(sheet)
        ready = archetypes_at(self.game, self.table, self.draft())[:_FOES]
        for fought in self.game.fights.values():
            battles = []
            for each in ready:
                foe = self.playing(sheet_of(self.game, self.table, each), FOE)
                at = replace(self.table, entities={WHO: one, FOE: foe})
                battles.append(fought.gather(at, {"ours": [WHO], "theirs": [FOE]}))
            known = tuple(battle for battle in battles if battle is not None)
            if known and len(known) == len(battles):
                return fought, known
        return None


def _choice(column: Field, trait: Trait) -> str | None:
    """The choice with a trait's name or a similar meaning, or None."""
    for fits in (has_same_name, means_the_same):
        for one in column.choices:
            if fits(names_of(one.label), trait.names):
                return one.value
    return None


def _range(field: Field) -> range:
    """The levels of a number that are tried."""
    usual = field.default if isinstance(field.default, int) else 0
    low = usual - _FAR if field.low is None else max(field.low, usual - _FAR)
    high = usual + _FAR if field.high is None else min(field.high, usual + _FAR)
    return range(low, high + 1)


def copied(sheet: Mapping[str, Json]) -> dict[str, Json]:
    """A copy of a sheet in which levels can be written."""
    return {k: dict(v) if isinstance(v, Mapping) else v for k, v in sheet.items()}


# ---------------------------------------------------------------- worked out in another process


def chances_of(questions: tuple[Question, ...]) -> tuple[Fraction | None, ...]:
    """The chance of success of each roll; None if it takes too long."""
    return tuple(_chance(one) for one in questions)


def _chance(question: Question) -> Fraction | None:
    try:
        shares = solve(question, _WITHIN).shares
    except NotSolved:
        return None
    return sum((shares[band.key] for band in question.bands if band.good), Fraction(0))


def strength_in(fought: Fought, duels: tuple[Battle, ...]) -> float | None:
    """The mean chance of "ours" to win these duels; None if one cannot end."""
    try:
        return fmean(float(foresee(fought, one).wins["ours"]) for one in duels)
    except (BadInput, DiceFault):
        return None
