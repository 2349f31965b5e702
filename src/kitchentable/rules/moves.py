"""Moves: one declaration gives the form, the command, the odds and the consequences."""

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
    "notes", ...), ("day",). `gone=True` removes the value. The event also records the former value,
    so that every step can be undone.
    """

    path: tuple[str, ...]
    now: Json = None
    gone: bool = False


@record
class Part:
    """One summand of a total, by name: ("Aim", 7), ("perk: Good with rifles", 3)."""

    name: str
    value: int


def worth(*parts: Part) -> tuple[Part, ...]:
    """The parts of a sum that change it.

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

    `total` is None where the rules give no number (a flub). `audience` hides die, parts and total
    of a foe with secret numbers; `word` (such as "kick") stays visible. An `unseen` side is removed
    entirely for everyone outside its audience, so that the name of a hidden entity stays secret.
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
    `entity` is the one who acts, and `name` their name if the first side has another. `audience` is
    for the whole card. `about` is the number of an earlier event that this card continues (the
    effect of a kick), 0 for none. Odds, dice, time and actor are added by the campaign.
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
    """The result of a move: a card for the log, changed facts, new asks, and answered asks.

    A new ask with the id of a waiting one replaces it (a vote was added to it). Missing containers
    on the way to a changed fact are created: ("session", "notes", "uses", ...) needs no "uses".
    """

    card: Card | None = None
    changes: tuple[Change, ...] = ()
    asks: tuple[Ask, ...] = ()
    closes: tuple[str, ...] = ()


@record
class Band:
    """A named group of outcomes: "success", "kick", "flub".

    `good` bands add up to the chance shown large. `words` explain the band in the odds: "a kick:
    succeeds, with a flourish".
    """

    key: str
    label: str
    tone: str = "plain"
    good: bool = False


@record
class Question:
    """The roll of a move: a mechanic, its arguments, and the bands of its outcomes.

    The same question is thrown, solved and shown as odds. Without `bands` it is thrown and not
    solved (everybody's initiative at once has too many outcomes to list). `band` gives the key of
    an outcome's band, and the odds are those of the mechanic projected by it. They are cached for
    each such function, so `band` is a function of the module, or a value that is equal when made
    again. `closed` names the labels of throws that only the GM may see (a hidden foe's die).
    `sentence` may turn the solved shares (band key -> chance) into plain words; without it, the
    table words them itself.
    """

    mechanic: Mechanic[..., Any]
    arguments: tuple[Hashable, ...]
    bands: tuple[Band, ...]
    band: Callable[[Any], str]
    closed: tuple[str, ...] = ()
    sentence: Callable[[Values], str] | None = None

    def solve(self, within: float | None = None) -> Distribution:
        """The exact odds of the bands by key, within a number of seconds. Errors: NotSolved."""
        return odds(told(self.mechanic, self.band), *self.arguments, within=within)


@record
class Move(ABC):
    """An action at the table: a task, an attack, first aid, a petition.

    `by` lists who may start it: "player", "gm"; a move with neither only answers asks. `place` is
    its place on the page: "move", "fight", "rest", "closing", "gm", or "growth", which is among the
    others and at the closing too. A move that `throws` may throw
    dice, so that pages offer its odds and take real dice. `converses` sends a player's throw
    through the conversation of a roll: the actor proposes, other parties set their own fields, the
    GM settles the GM's (or keeps the table's defaults), then the dice are thrown.

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
        """Problems between answers; each field is checked alone before."""
        return ()

    def question(self, table: Table, actor: Actor, answers: Answers) -> Question | None:
        """The roll of the move; None without one, or if too little is known."""
        return None

    @abstractmethod
    def consequences(self, table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        """The result, with the outcome of the dice, or None for a move without dice."""


@record
class Moment:
    """A reading of the table for one actor, for all moves of a page.

    This one asks each move separately; a game whose moves share more has a moment of its own.
    """

    table: Table
    actor: Actor

    def may(self, move: Move) -> str | None:
        """None if the actor may make the move now; otherwise a sentence with the reason."""
        return move.when(self.table, self.actor)

    def fields(self, move: Move, answers: Answers) -> tuple[Field, ...]:
        """The fields of a move, given these answers."""
        return move.fields(self.table, self.actor, answers)
