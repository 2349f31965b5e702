"""Moves: one declaration defines the form, the command, the odds and the consequences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from kitchentable.dice import Distribution, Mechanic, odds, told
from kitchentable.rules.table import Actor, Ask, Table
from kitchentable.rules.values import (
    EVERYONE,
    Answers,
    Field,
    Json,
    Problem,
    RuleIds,
    Values,
    record,
)


@record
class Change:
    """A change of one fact of the campaign: a path into the table and the new value.

    Paths that a game may write: ("entities", ID, "state"|"sheet", ...), ("entities", ID) for a
    whole new entity (as plain data), ("fight", ...) or ("fight",), ("own", ...), ("session",
    "notes", ...), ("day",). `gone=True` removes the value. The event also records the former value
    for undo.
    """

    path: tuple[str, ...]
    now: Json = None
    gone: bool = False


@record
class Part:
    """One named summand of a total: ("Aim", 7), ("perk: Good with rifles", 3)."""

    name: str
    value: int


def worth(*parts: Part) -> tuple[Part, ...]:
    """The parts of a sum that are not 0.

    >>> worth(Part("Climb", 4), Part("luck", 0))
    (Part(name='Climb', value=4),)
    """
    return tuple(part for part in parts if part.value)


def total(parts: Iterable[Part]) -> int:
    """The sum of all parts."""
    return sum(part.value for part in parts)


@record
class Side:
    """One party's throw on a roll card: its owner, throws (by label), summands and total.

    `total` is None if the rules give no number (a flub). Only the `audience` sees die, parts and
    total; `word` (such as "kick") stays visible. An `unseen` side is removed entirely for everyone
    else, so that the name of a hidden entity stays secret.
    """

    name: str
    label: str
    parts: tuple[Part, ...] = ()
    total: int | None = None
    word: str = ""
    audience: str = EVERYONE
    unseen: bool = False


@record
class Line:
    """A further sentence on a card, with its audience."""

    text: str
    audience: str = EVERYONE


@record
class Card:
    """The log entry of a move: actor, sides, and the outcome as a word and a sentence.

    `tone`: "good" (success), "bad" (failure, wounds), "splendid" (kick, critical), "plain".
    `entity` is the entity that acts, and `name` its name if the first side has another. `audience`
    applies to the whole card. `about` is the number of an earlier event that this card continues
    (the effect of a kick), 0 for none. The campaign adds odds, dice, time and actor.
    """

    title: str
    sentence: str = ""
    outcome: str = ""
    tone: str = "plain"
    sides: tuple[Side, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: RuleIds = ()
    entity: str = ""
    audience: str = EVERYONE
    about: int = 0
    name: str = ""


@record
class Result:
    """The result of a move: a card for the log, changed facts, new asks, and asks to close.

    A new ask replaces a waiting one with the same id (for example to add a vote). Missing records
    on the path of a change are created: ("session", "notes", "uses", ...) needs no "uses".
    """

    card: Card | None = None
    changes: tuple[Change, ...] = ()
    asks: tuple[Ask, ...] = ()
    closes: tuple[str, ...] = ()


@record
class Band:
    """A named group of outcomes: "success", "kick", "flub".

    The chances of `good` bands add up to the main chance shown.
    """

    key: str
    label: str
    tone: str = "plain"
    good: bool = False


@record
class Question:
    """The roll of a move: a mechanic, its arguments, and the bands of its outcomes.

    Without `bands` it is thrown but not solved, because some rolls have too many outcomes to list
    (everybody's initiative at once). `band` gives the key of an outcome's band. Odds are cached for
    each `band`, so it must be a function of a module, or a value that is equal when made again.
    `closed` has the labels of throws that only the GM may see (a hidden foe's die). `sentence` may
    put the odds (band key -> chance) into words; the default sentence is the table's.
    """

    mechanic: Mechanic[..., Any]
    arguments: tuple[Hashable, ...]
    bands: tuple[Band, ...]
    band: Callable[[Any], str]
    closed: tuple[str, ...] = ()
    sentence: Callable[[Values], str] | None = None

    def solve(self, within: float | None = None) -> Distribution:
        """The exact odds of the bands by key. Errors: NotSolved after `within` seconds."""
        return odds(told(self.mechanic, self.band), *self.arguments, within=within)


@record
class Move(ABC):
    """An action at the table: a task, an attack, first aid, a petition.

    `by` lists the roles that may start it: "player", "gm"; a move with neither only answers asks.
    `place` is its place on the page: "move", "fight", "rest", "closing", "gm", or "growth" (shown
    at any time, also at the closing). A move that `throws` may throw dice, so pages offer its odds
    and accept real dice. With `converses`, a player's throw is a conversation: the actor proposes,
    other parties set their own fields, the GM sets the GM's (or keeps the table's defaults), then
    the dice are thrown.

    All methods are pure. `fields`, `when` and `question` are also called with a table concealed for
    a seat: if a number is missing there, `question` returns None and only the GM sees the odds.
    """

    name: str
    title: str
    help: str
    rules: RuleIds = ()
    by: tuple[str, ...] = ("player", "gm")
    place: str = "move"
    throws: bool = False
    converses: bool = False
    for_entity: bool = True
    examples: tuple[Values, ...] = ()

    def __repr__(self) -> str:
        return f"<Move {self.name}: {self.title}>"

    def when(self, table: Table, actor: Actor) -> str | None:
        """None, or the reason why the move cannot be made now."""
        return None

    def fields(self, table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        """The fields, which may depend on earlier answers."""
        return ()

    def check(self, table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
        """Problems between answers; each field has already been checked alone."""
        return ()

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The roll of the move; None without one, or if numbers or answers are missing."""
        return None

    @abstractmethod
    def consequences(self, table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        """The result for an outcome of the dice, which is None for a move without dice."""


@record
class Moment:
    """A reading of the table for one actor, for all moves of a page.

    The default asks each move separately; a game may subclass it to read shared facts once.
    """

    table: Table
    actor: Actor

    def may(self, move: Move) -> str | None:
        """None if the actor may make the move now; otherwise a sentence with the reason."""
        return move.when(self.table, self.actor)

    def fields(self, move: Move, answers: Answers) -> tuple[Field, ...]:
        """The fields of a move, given these answers."""
        return move.fields(self.table, self.actor, answers)
