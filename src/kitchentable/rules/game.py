"""A game is a value: everything the table has to know about it, and nothing it does by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kitchentable import dice
from kitchentable.dice import Die, Distribution, Mechanic
from kitchentable.rules.combat import Fought
from kitchentable.rules.moves import EachMove, Moment, Move, Result
from kitchentable.rules.rulebook import Rulebook
from kitchentable.rules.sheets import FightView, SheetRules
from kitchentable.rules.table import Actor, Entity, Seat, Table
from kitchentable.rules.terms import Term
from kitchentable.rules.values import Json, Option


@dataclass(frozen=True, slots=True)
class Credits:
    """Whose game it is: author, where it comes from, the licence by name and link."""

    author: str
    source: str
    licence: str
    licence_link: str
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A ready campaign: its title, the players' seats by name, and the entities that sit there.

    `owner` of an entity is the name of a seat in `players`, or "gm". A sheet may pick entities that
    stand before it, by their ids here.
    """

    title: str
    players: tuple[str, ...]
    entities: tuple[Entity, ...]
    notes: str = ""

    def __repr__(self) -> str:
        return f"<Example {self.title!r}: {len(self.entities)} entities>"


@dataclass(frozen=True, slots=True)
class Forced:
    """An example that is run: named numbers, the faces that fall, and what the roll comes to."""

    named: Mapping[str, Any]
    faces: tuple[int | str, ...]
    gives: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """A mechanic by the name the library and the command line use: `g.roll("task", trait=3)`.

    `arguments(options, **named)` turns the named numbers into the mechanic's arguments and fills
    in the table's defaults. `samples` are sets of named numbers that the conformance suite solves,
    throws, replays and compares. `sums_up` says in a word what an outcome comes to ("success"), for
    odds in which outcomes that come to the same are told together. `forced` are examples with the
    faces that fall and the word that comes of it; the conformance suite runs them.

    `told_by` gives what the odds list of an outcome that has more details than anybody reads; left
    out, they list all of it. `sums_up` takes what `told_by` gives.
    """

    mechanic: Mechanic[..., Any]
    arguments: Callable[..., tuple[Any, ...]]
    help: str
    samples: tuple[Mapping[str, Any], ...]
    sums_up: Callable[[Any], str] = str
    forced: tuple[Forced, ...] = ()
    told_by: Callable[[Any], Any] | None = None

    def __repr__(self) -> str:
        return f"<Rolled {self.mechanic.name}: {self.help}>"

    def solve(self, arguments: tuple[Any, ...]) -> Distribution:
        """The odds with these arguments of what is told of an outcome."""
        by = self.told_by
        return dice.odds(self.mechanic if by is None else dice.told(self.mechanic, by), *arguments)

    def in_a_word(self, outcome: Any) -> str:
        """What an outcome of a throw comes to."""
        return self.sums_up(outcome if self.told_by is None else self.told_by(outcome))


#: Moments at which a game may act on its own: it gets the table and gives a result.
#: "session-began", "session-closing", "session-ended"; with the entity's id as a second argument
#: "entity-submitted" and "entity-accepted"; with the options as they were, "options-changed", which
#: is also asked when a campaign takes over another version of a game that has nothing else to say
#: of that; and with the version that a campaign was played by until then and the names that its
#: terms had by their keys, where that version is at hand, "game-updated". The table is as it is
#: after what happened; facts, asks and card belong to the same step.
Hook = Callable[..., Result]


def conceal_nothing(table: Table, seat: Seat) -> Table:
    """A game without secrets of its own beyond hidden entities and hidden answers."""
    return table


def no_fight(table: Table) -> FightView | None:
    """A game without fights."""
    return None


@dataclass(frozen=True, slots=True)
class Game:
    """One game: identity and credits, options, sheet, moves, fight, rulebook.

    A game's folder exports exactly one of these, named `game`. `conceal(table, seat)` takes out
    what the game itself keeps from that seat; the table has already taken out hidden entities, the
    numbers of closed ones, other people's cards and hidden answers. `terms` are what a GM reads as
    changed where another version is taken over and this one is at hand. `moment(table, actor)` is
    asked about the moves of a page, so that what they share is read once.
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
    terms: tuple[Term, ...] = ()
    moment: Callable[[Table, Actor], Moment] = EachMove

    def __repr__(self) -> str:
        return f"<Game {self.name}, version {self.version}; rolls: {', '.join(sorted(self.rolls))}>"

    def move(self, name: str) -> Move:
        """The move of that name; KeyError for none."""
        for move in self.moves:
            if move.name == name:
                return move
        raise KeyError(name)

    def has_move(self, name: str) -> bool:
        """Whether there is a move of that name; another version of the game may have had it."""
        return any(move.name == name for move in self.moves)

    def defaults(self) -> dict[str, Json]:
        """Every option at its default."""
        return {option.key: option.field.default for option in self.options}
