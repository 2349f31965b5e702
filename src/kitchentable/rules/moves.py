"""A move: declared once, and every form, verb, chance and consequence of it follows from that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kitchentable.dice import Distribution, Mechanic, odds, told
from kitchentable.rules.table import Actor, Ask, Table
from kitchentable.rules.values import EVERYONE, Answers, Field, Json, Problem


@dataclass(frozen=True, slots=True)
class Change:
    """One fact of the campaign that becomes another: a path into the table and its new value.

    Paths a game may write: ("entities", ID, "state"|"sheet", ...), ("entities", ID) for a whole
    new entity (as plain data), ("fight", ...) or ("fight",), ("own", ...), ("session", "notes",
    ...), ("day",). `gone=True` removes what is there. What was there before is recorded beside it
    in the event, so that every step can be taken back.
    """

    path: tuple[str, ...]
    now: Json = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One summand of a total, by name: ("Aim", 7), ("perk: Good with rifles", 3)."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Side:
    """One party's throw on a roll card: whose, which throws (by label), what was added, the total.

    `total` is None where the rules give no number (a flub). `audience` hides die, parts and total
    of a foe whose numbers are the GM's; `word` (such as "kick") stays visible. A side that is
    `unseen` is not there at all for those who do not see its audience: nobody may read the name of
    somebody hidden.
    """

    name: str
    label: str
    parts: tuple[Part, ...] = ()
    total: int | None = None
    word: str = ""
    audience: str = EVERYONE
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A further sentence on a card, and for whom it is."""

    text: str
    audience: str = EVERYONE


@dataclass(frozen=True, slots=True)
class Card:
    """What the log shows of a move: who did what, the sides, the outcome as a word and a sentence.

    `tone`: "good" (success), "bad" (failure, wounds), "splendid" (kick, critical), "plain".
    `entity` is the one who acts, and `name` what they are called where the first side is not called
    after them. `audience` is for the whole card. `about` is the number of an
    earlier event that this card tells more of (what a kick brought), 0 for none. Odds, dice, time
    and actor are added by the campaign.
    """

    title: str
    sentence: str = ""
    outcome: str = ""
    tone: str = "plain"
    sides: tuple[Side, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: tuple[str, ...] = ()
    entity: str = ""
    audience: str = EVERYONE
    about: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a move does: a card for the log, changed facts, new asks, asks that are answered.

    An ask with the id of one that waits takes its place (a vote was added to it). The way to a
    changed fact is made where it is missing: ("session", "notes", "uses", ...) needs no "uses".
    """

    card: Card | None = None
    changes: tuple[Change, ...] = ()
    asks: tuple[Ask, ...] = ()
    closes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """A named share of the outcomes: "success", "kick", "flub". `good` ones add up to the chance
    that is shown large. `words` is what the odds say: "a kick: succeeds, with a flourish".
    """

    key: str
    label: str
    tone: str = "plain"
    good: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What a move asks of the dice: a mechanic, its arguments, and how its outcomes are read.

    The very same question is thrown, solved and shown as odds; without `bands` it is thrown and not
    solved (everybody's initiative at once has too many outcomes to be told). `band` gives the key
    of an outcome's band, and the odds are those of the mechanic told by it: solved once for each
    such function, so it is one that the module has, or a value that is equal when made again.
    `closed` names the labels of throws that only the GM may see (a hidden foe's die). `sentence`
    may turn the solved shares (band key -> chance) into plain words; left out, the table words them
    itself.
    """

    mechanic: Mechanic[..., Any]
    arguments: tuple[Hashable, ...]
    bands: tuple[Band, ...]
    band: Callable[[Any], str]
    closed: tuple[str, ...] = ()
    sentence: Callable[[Mapping[str, Any]], str] | None = None

    def solve(self, within: float | None = None) -> Distribution:
        """The exact odds of the bands by their keys, within so many seconds. Errors: NotSolved."""
        return odds(told(self.mechanic, self.band), *self.arguments, within=within)


def no_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """A move that asks nothing."""
    return ()


def always(table: Table, actor: Actor) -> str | None:
    """A move that can be made at any time."""
    return None


def no_problems(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    """A move whose answers need no check beyond their fields'."""
    return ()


def no_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    """A move without dice."""
    return None


@dataclass(frozen=True, slots=True)
class Move:
    """Something a person can do at the table: a task, an attack, first aid, a petition.

    `by` says who may start it: "player", "gm"; a move with neither is only ever the answer to an
    ask. `place` is where it stands on the page: "move", "fight", "rest", "closing", "gm".
    `when` gives None or the sentence why it cannot be made now. `fields` may depend on what was
    already answered. `converses` sends a player's throw through the conversation of a roll: the
    actor proposes, other parties set what is theirs, the GM settles what is the GM's (or lets the
    table's default stand), then the dice fall. `consequences` gets the dice's outcome, or None for
    a move without dice.

    All functions are pure. `fields`, `when`, `question` are also called with a table concealed for
    a seat: where a number is missing there, `question` returns None and the odds stay the GM's.
    """

    name: str
    title: str
    help: str
    rules: tuple[str, ...]
    consequences: Callable[[Table, Actor, Answers, Any], Result]
    by: tuple[str, ...] = ("player", "gm")
    place: str = "move"
    when: Callable[[Table, Actor], str | None] = always
    fields: Callable[[Table, Actor, Answers], tuple[Field, ...]] = no_fields
    check: Callable[[Table, Actor, Answers], tuple[Problem, ...]] = no_problems
    question: Callable[[Table, Actor, Answers], Question | None] = no_question
    converses: bool = False
    for_entity: bool = True
    examples: tuple[Mapping[str, Json], ...] = field(default=())

    def __repr__(self) -> str:
        return f"<Move {self.name}: {self.title}>"

    @property
    def throws(self) -> bool:
        """Whether dice may fall, so that pages offer its odds and take real dice."""
        return self.question is not no_question


class Moment(Protocol):
    """A table as an actor finds it: asked about every move of a page, it reads the table once."""

    def may(self, move: Move) -> str | None:
        """None where the actor may make the move now; else a sentence that says why not."""

    def fields(self, move: Move, answers: Answers) -> tuple[Field, ...]:
        """The questions of a move as they stand with these answers."""


@dataclass(frozen=True, slots=True)
class EachMove:
    """The moment of a game whose moves share nothing: each is asked by itself."""

    table: Table
    actor: Actor

    def may(self, move: Move) -> str | None:
        """None, or why the actor may not make the move now."""
        return move.when(self.table, self.actor)

    def fields(self, move: Move, answers: Answers) -> tuple[Field, ...]:
        """The questions of a move."""
        return move.fields(self.table, self.actor, answers)
