"""Definition of a game as an immutable value."""

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
    """The credits of a game: author, source, and the licence with its link."""

    author: str
    source: str
    licence: str
    licence_link: str
    notice: str = ""


@record
class Example:
    """A ready-made campaign: title, players' seats by name, and entities.

    The `owner` of an entity is a name in `players`, or "gm". A sheet may pick entities listed
    before its own, by their ids in the example.
    """

    title: str
    players: tuple[str, ...]
    entities: tuple[Entity, ...]
    notes: str = ""

    def __repr__(self) -> str:
        return f"<Example {self.title!r}: {len(self.entities)} entities>"


@record
class Art:
    """The pictures of a game: a recipe for covers, and the die that represents the game.

    `kitchentable.web.covers` has the recipes; without one, the game's name decides.
    """

    cover: str = ""
    die: str = "d6"


@record
class Forced:
    """A test of a roll with given dice: named numbers, faces, and the expected word."""

    named: Values
    faces: tuple[int | str, ...]
    gives: str


@record
class Rolled:
    """A roll of the library and the command line, such as `g.roll("task", trait=3)`.

    `arguments(options, **named)` turns named numbers into the mechanic's arguments, with the
    table's defaults. `samples` are sets of named numbers that the conformance suite checks.
    `told_by` projects an outcome to the part that the odds list, by default the whole outcome.
    `sums_up` gives the word ("success") for this part, under which odds are added up. `forced` are
    tests with given faces. `fields` are questions of the roll that named numbers may answer.
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
        """The odds with these arguments, of outcomes projected by `told_by`."""
        by = self.told_by
        return dice.odds(self.mechanic if by is None else dice.told(self.mechanic, by), *arguments)

    def told(self, outcome: Any) -> Any:
        """An outcome projected by `told_by`."""
        return outcome if self.told_by is None else self.told_by(outcome)

    def in_a_word(self, outcome: Any) -> str:
        """The word for an outcome."""
        return self.sums_up(self.told(outcome))


#: Functions called after an event, with the table after it and further arguments:
#: "session-began", "session-closing" and "session-ended" with none; "entity-submitted" and
#: "entity-accepted" with the entity's id; "options-changed" with the former options (also called
#: for a new version of a game without "game-updated"); "game-updated" with the former version and
#: its names of terms by key, if available. The result belongs to the step of the event.
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

    A game's folder exports exactly one `Game`, named `game`.

    `conceal(table, seat)` removes the game's own secrets from the table for a seat; hidden
    entities, closed numbers, other people's cards and hidden answers are already removed. `terms`
    are names and numbers to compare when a campaign moves to another version. `moment(table,
    actor)` reads shared facts once for all moves of a page. `opening` is a script in the format of
    a playthrough: the example's session, up to a point where somebody has to act. `archetypes` are
    ready characters, by default the players' characters of the example. `wounds` are moves that
    the GM makes with one tap next to an entity.
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
        """Whether the game has a move with this name; another version may have had it."""
        return any(move.name == name for move in self.moves)

    def defaults(self) -> Row:
        """All options at their defaults."""
        return {option.key: option.field.default for option in self.options}
