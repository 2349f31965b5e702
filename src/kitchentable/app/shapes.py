"""The answers of the HTTP API as types: the server encodes them, the client decodes them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from kitchentable.campaign.read_models import Entry, SeenMove, SeenOdds
from kitchentable.rules.rulebook import Rule
from kitchentable.rules.sheets import Section, Summary
from kitchentable.rules.table import Entity, Seat
from kitchentable.rules.values import Field, Problem

T = TypeVar("T")

#: The most characters of a command's id, of a name and of a search.
LONGEST_ID = 80
LONGEST_WORDS = 200
#: A fraction as text: "11/12", "1".
FRACTION = "^-?[0-9]+(/[0-9]+)?$"


class Place(Struct, frozen=True, kw_only=True):
    """The seat of a key: its campaign, the campaign's title and game, and the seat itself."""

    campaign: str
    title: str
    game: str
    seat: Seat


class Entries(Struct, frozen=True):
    """Entries of the log, oldest first."""

    entries: tuple[Entry, ...]


class Moves(Struct, frozen=True):
    """The moves that a seat may start now."""

    moves: tuple[SeenMove, ...]


class Odds(Struct, frozen=True, kw_only=True):
    """A move as filled in so far: its questions, and its odds or the reason why none are shown."""

    odds: SeenOdds | None
    why: str = ""
    fields: tuple[Field, ...] = ()


class ReadLine(Struct, frozen=True, kw_only=True):
    """The meaning of a line that was not sent: speech, dice, help, dialect, scene, or a move.
    `notation` has the dice of a roll.
    """

    does: str
    notation: str = ""
    move: str = ""
    entity: str = ""
    answers: dict[str, Any] = {}
    odds: Odds | None = None


class Done(Struct, frozen=True, kw_only=True):
    """The result of a command or a line: the new entries as this seat reads them.

    `repeated` if the same id was done before. `dialect` is to be sent with later lines if the line
    changed it. `link` opens a seat that was handed over; it is shown once.
    """

    repeated: bool = False
    entries: tuple[Entry, ...] = ()
    dialect: str | None = None
    link: str = ""


class Sheet(Struct, frozen=True, kw_only=True):
    """An entity's sheet: its summary, its answers, and its questions if they are shown. `problems`
    come from the rules; `word` is the GM's note on a sheet sent back.
    """

    entity: Entity
    summary: Summary
    sections: tuple[Section, ...] = ()
    problems: tuple[Problem, ...] = ()
    word: str = ""


class Rules(Struct, frozen=True):
    """Rules of the table's game."""

    rules: tuple[Rule, ...]


class Lines(Struct, frozen=True):
    """Completions for a line that is being typed."""

    lines: tuple[str, ...]


class News(Struct, frozen=True, kw_only=True):
    """A message of the stream: new entries, altered ones, and the changed parts of the view.

    The first message has the whole view. `people` are the names of people present.
    """

    entries: tuple[Entry, ...] = ()
    altered: tuple[Entry, ...] = ()
    view: dict[str, Any] = {}
    people: tuple[str, ...] = ()


class Refused(Struct, frozen=True, kw_only=True):
    """A refusal: a stable code, a sentence for people, and the problems with their places.

    `also` has the numbers of later steps that must be taken back too, for the GM only.
    """

    code: str
    sentence: str
    problems: tuple[Problem, ...] = ()
    also: tuple[int, ...] = ()


class Knocked(Struct, frozen=True, kw_only=True):
    """The new seat of a person who knocked, and this program's key for it."""

    campaign: str
    seat: str
    key: str


CommandId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_ID,
        pattern="^[!-~]+$",
        description="chosen by the sender; the same id is done once",
    ),
]


class LineSent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line as typed at the table. `entity` speaks or acts if the line names nobody."""

    id: CommandId
    text: Annotated[str, Meta(min_length=1, max_length=4000)]
    entity: Annotated[str, Meta(max_length=LONGEST_ID)] = ""
    dialect: Annotated[str, Meta(max_length=LONGEST_ID)] = ""


class Knock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a seat under a name."""

    id: CommandId
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
    role: Annotated[str, Meta(pattern="^(player|spectator)$")] = "player"


class TakenBack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step to take back, by the cursor of its entry, and why."""

    id: CommandId
    cursor: Annotated[str, Meta(max_length=LONGEST_WORDS)]
    reason: Annotated[str, Meta(max_length=4000)] = ""


def plain(value: Any) -> Any:
    """A value of the table as plain data; a probability is its exact fraction, as text.

    >>> plain((Fraction(11, 12), frozenset({"a"})))
    ('11/12', ['a'])
    """
    return msgspec.to_builtins(value, enc_hook=_plain, order="deterministic")


def read_as(kind: type[T], value: Any) -> T:
    """Plain data as a value of the table again. Errors: msgspec.ValidationError.

    >>> read_as(Fraction, "11/12")
    Fraction(11, 12)
    """
    return msgspec.convert(value, kind, dec_hook=_read)


def schemas(kinds: list[Any], template: str) -> tuple[list[Any], dict[str, Any]]:
    """JSON schemas of these types, and of all their parts by name."""
    found, parts = msgspec.json.schema_components(kinds, schema_hook=_schema, ref_template=template)
    for part in parts.values():
        if "description" in part:
            part["description"] = in_paragraphs(part["description"])
    return list(found), parts


def in_paragraphs(text: str) -> str:
    r"""A docstring without the ends of its lines.

    >>> in_paragraphs("One\n    two.\n\n    Three.")
    'One two.\n\nThree.'
    """
    return "\n\n".join(" ".join(one.split()) for one in text.strip().split("\n\n"))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} does not leave the server.")


def _read(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return Fraction(value)
    raise TypeError(f"{kind.__name__} cannot be read.")


def _schema(kind: type) -> dict[str, Any]:
    if kind is Fraction:
        return {"type": "string", "pattern": FRACTION}
    raise TypeError(f"{kind.__name__} has no schema.")
