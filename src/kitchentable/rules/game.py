"""A game as a value: everything that the table needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from kitchentable import dice
from kitchentable.dice import Die, Distribution, Mechanic
from kitchentable.rules.combat import Fought
from kitchentable.rules.moves import Moment, Move, Result
from kitchentable.rules.rulebook import Rulebook
from kitchentable.rules.sheets import Archetype, FightView, SheetRules, Wound
from kitchentable.rules.table import Actor, Entity, Seat, Table
from kitchentable.rules.terms import Term
from kitchentable.rules.values import Field, Option, Row, Values, record


@record
class Credits:
    """The credits of a game: author, origin, and the licence by name and link."""

    author: str
    source: str
    licence: str
    licence_link: str
    notice: str = ""


@record
class Example:
    """A ready-made campaign: title, players' seats by name, and entities.

    `owner` of an entity is the name of a seat in `players`, or "gm". A sheet may pick entities that
    are listed before it, by their ids in the example.
    """

    title: str
    players: tuple[str, ...]
    entities: tuple[Entity, ...]
    notes: str = ""

    def __repr__(self) -> str:
        return f"<Example {self.title!r}: {len(self.entities)} entities>"


@record
class Art:
    """The pictures of a game: the recipe of its covers and the die that stands for it.

    The recipes are those of `kitchentable.web.covers`; without one, the game's name picks one.
    """

    cover: str = ""
    die: str = "d6"


@record
class Forced:
    """A test of a roll with given dice: named numbers, faces, and the resulting word."""

    named: Values
    faces: tuple[int | str, ...]
    gives: str


@record
class Rolled:
    """A roll, by its name in the library and on the command line: `g.roll("task", trait=3)`.

    `arguments(options, **named)` turns the named numbers into the mechanic's arguments and fills in
    the table's defaults. `samples` are sets of named numbers that the conformance suite solves,
    throws, replays and compares. `sums_up` gives a word for an outcome ("success"), under which
    odds are added up. `forced` are tests with given faces and the expected word. `told_by` projects
    an outcome with too many details to the part that the odds list; without it, they list whole
    outcomes. `sums_up` takes the result of `told_by`. `fields` are questions of the roll that its
    named numbers may answer.
    """

    mechanic: Mechanic[..., Any]
    arguments: Callable[..., tuple[Any, ...]]
    help: str
    samples: tuple[Values, ...]
    sums_up: Callable[[Any], str] = str
    forced: tuple[Forced, ...] = ()
    told_by: Callable[[Any], Any] | None = None
    fields: tuple[Field, ...] = ()

    def __repr__(self) -> str:
        return f"<Rolled {self.mechanic.name}: {self.help}>"

    def solve(self, arguments: tuple[Any, ...]) -> Distribution:
        """The odds with these arguments, of the outcome as projected by `told_by`."""
        by = self.told_by
        return dice.odds(self.mechanic if by is None else dice.told(self.mechanic, by), *arguments)

    def told(self, outcome: Any) -> Any:
        """An outcome as projected by `told_by`."""
        return outcome if self.told_by is None else self.told_by(outcome)

    def in_a_word(self, outcome: Any) -> str:
        """The word for an outcome."""
        return self.sums_up(self.told(outcome))


#: Events on which a game may act: the hook gets the table and gives a result. "session-began",
#: "session-closing" and "session-ended"; "entity-submitted" and "entity-accepted", with the
#: entity's id as second argument; "options-changed", with the former options, which is also called
#: when a campaign moves to another version of a game without a hook for that; "game-updated", with
#: the former version and, if that version is at hand, its names of terms by key. The table is as it
#: is after the event; facts, asks and card belong to the same step.
Hook = Callable[..., Result]


def conceal_nothing(table: Table, seat: Seat) -> Table:
    """The `conceal` of a game without secrets beyond hidden entities and hidden answers."""
    return table


def no_fight(table: Table) -> FightView | None:
    """The fight view of a game without fights."""
    return None


@record
class Game:
    """One game: identity and credits, options, sheet, moves, fight, rulebook.

    A game's folder exports exactly one of these, named `game`. `conceal(table, seat)` removes the
    game's own secrets from the table for a seat; hidden entities, closed numbers, other people's
    cards and hidden answers have been removed already. `terms` are the names and numbers that a GM
    reads as changed when the campaign moves to another version. `moment(table, actor)` answers for
    all moves of a page, so that shared facts are read once. `opening` is a script in the form of a
    playthrough: the evening of the example, up to a moment at which somebody has to act.
    `archetypes` are ready characters; without any, the players' people of the ready campaign stand
    in. `wounds` are the moves that the GM makes by a tap beside somebody, in a fight and outside.
    """

    name: str
    title: str
    version: str
    about: str
    credits: Credits
    options: tuple[Option, ...]
    sheet: SheetRules
    moves: tuple[Move, ...]
    rolls: Mapping[str, Rolled]
    rulebook: Rulebook
    example: Callable[[], Example]
    dice: Mapping[str, Die] = field(default_factory=dict)
    fight: Callable[[Table], FightView | None] = no_fight
    fights: Mapping[str, Fought] = field(default_factory=dict)
    conceal: Callable[[Table, Seat], Table] = conceal_nothing
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    playthrough: str = ""
    opening: str = ""
    terms: tuple[Term, ...] = ()
    moment: Callable[[Table, Actor], Moment] = Moment
    art: Art = Art()
    archetypes: tuple[Archetype, ...] = ()
    wounds: tuple[Wound, ...] = ()

    def __repr__(self) -> str:
        return f"<Game {self.name}, version {self.version}; rolls: {', '.join(sorted(self.rolls))}>"

    def move(self, name: str) -> Move:
        """The move with this name. Errors: KeyError."""
        for move in self.moves:
            if move.name == name:
                return move
        raise KeyError(name)

    def has_move(self, name: str) -> bool:
        """Whether a move has this name; another version of the game may have had it."""
        return any(move.name == name for move in self.moves)

    def defaults(self) -> Row:
        """All options at their defaults."""
        return {option.key: option.field.default for option in self.options}
