"""The chat line: speech, dice, and moves by name.

The page's chat and the terminal use the same language. A line without a slash is speech. A move is
a verb followed by its answers, by name or in words: ``/task trait=aim``, ``/task aim``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from kitchentable.app.scene_lines import SCENE, SceneLine
from kitchentable.campaign.words import listed, split_name
from kitchentable.dice.errors import BadInput
from kitchentable.dice.notation import DIALECTS
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.rules.table import Seat
from kitchentable.rules.values import EVERYONE, GM

#: Verbs of speech, with the mode of each.
SPEECH: Mapping[str, str] = MappingProxyType(
    {"say": "say", "ic": "say", "me": "me", "em": "me", "emote": "me", "ooc": "ooc"}
)
#: Verbs that throw dice in notation, with their audience.
DICE: Mapping[str, str] = MappingProxyType(
    {
        "roll": EVERYONE,
        "r": EVERYONE,
        "gmroll": GM,
        "gmr": GM,
        "selfroll": "self",
        "sr": "self",
    }
)
WHISPER = frozenset({"w", "whisper", "tell"})
HELP = frozenset({"help", "h", "?"})
#: The verb that sets the notation's dialect, and the word for the table's dialect.
DIALECT, TABLES = "dialect", "table"

#: Matched at the end of the previous answer, never searched for, so the time is linear in the
#: length of the line; possessive quantifiers keep it linear for lines that do not match.
_ANSWER = re.compile(
    r'\s*+(?:(?P<name>[\w.\-]++)=(?:"(?P<quoted>[^"]*+)"|(?P<plain>\S*+))'
    r'|"(?P<whole>[^"=]++)=(?P<value>[^"]*+)")'
)
#: Words before the first answer, and names in quotation marks: none has an equals sign.
_FIRST_ANSWER = re.compile(r'(?P<words>(?:(?:[^\s="]++|"[^"=]*+")(?:\s++|\Z))*+)')
#: Limits: characters of a line and of speech.
LONGEST_LINE = 4_000


class BadLine(BadInput):
    """A line begins like a command but is not one."""

    code = "line/not-understood"


class NoVerb(BadLine):
    """A line begins with no known command; it may still name a row of a sheet."""


@dataclass(frozen=True, slots=True)
class Speech:
    """A spoken line. `to` is "" for everybody, "gm", or a seat's id."""

    text: str
    mode: str = "say"
    to: str = ""


@dataclass(frozen=True, slots=True)
class DiceLine:
    """Dice as typed, perhaps followed by words, and their audience.

    `audience` is "all", "gm" or "self". The notation's parser decides where the words begin.
    """

    notation: str
    audience: str = EVERYONE


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move by name with its answers as typed; `faces` are the faces of real dice. `words` follow
    the answers and are matched with the choices of the move.
    """

    move: str
    answers: Mapping[str, str] = field(default_factory=dict)
    faces: tuple[str, ...] | None = None
    entity: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class DialectLine:
    """The dialect of notation from now on; "" for the table's."""

    dialect: str


@dataclass(frozen=True, slots=True)
class HelpLine:
    """A request for help; `about` may name a verb."""

    about: str = ""


Line = Speech | DiceLine | MoveLine | DialectLine | HelpLine | SceneLine


def read_line(text: str, moves: Iterable[str] = (), seats: Iterable[Seat] = ()) -> Line:
    """The meaning of a typed line at a table with these moves and seats.

    Errors: BadLine, with similar words, or for more than LONGEST_LINE characters; NoVerb if the
    first word is not a command.

    >>> read_line("Good evening.")
    Speech(text='Good evening.', mode='say', to='')
    >>> read_line("/gmroll 2d6+3 behind the screen")
    DiceLine(notation='2d6+3 behind the screen', audience='gm')
    >>> read_line('/task trait=aim "perk=Good with rifles" faces=7', ["task"]).answers
    {'trait': 'aim', 'perk': 'Good with rifles'}
    >>> read_line("//shrug").text
    '/shrug'
    """
    line = text.strip()
    check_length(line)
    if line.startswith("//"):
        return _speech(line[1:], "say")
    if not line.startswith("/"):
        return _speech(line, "say")
    word, _, rest = line[1:].partition(" ")
    verb, rest = word.casefold(), rest.strip()
    if verb in SPEECH:
        return _speech(rest, SPEECH[verb])
    if verb in DICE:
        if not rest:
            raise BadLine("Type some dice, for example /roll 2d6+3.", code="line/no-dice")
        return DiceLine(rest, DICE[verb])
    if verb in WHISPER:
        return _whisper(rest, tuple(seats))
    known = {move.casefold(): move for move in moves}
    if verb in known:
        return read_move(known[verb], rest)
    aside = _aside(verb, rest)
    if aside is None:
        raise NoVerb(_unknown(word, known))
    return aside


def check_length(line: str) -> None:
    """Errors: BadLine for a line of more than LONGEST_LINE characters."""
    if len(line) > LONGEST_LINE:
        raise BadLine(
            f"A line has at most {LONGEST_LINE:,} characters, not {len(line):,}. "
            "Send it in several lines, or write it into a note.",
            code="line/too-long",
        )


def _aside(verb: str, rest: str) -> Line | None:
    """A line that is neither speech nor a move: help, the dialect, the scene."""
    if verb in HELP:
        return HelpLine(rest)
    if verb == DIALECT:
        return read_dialect(rest)
    return SceneLine(SCENE[verb], rest) if verb in SCENE else None


def read_dialect(text: str) -> DialectLine:
    """The dialect named by a typed word.

    >>> read_dialect("Roll20"), read_dialect("table")
    (DialectLine(dialect='roll20'), DialectLine(dialect=''))
    """
    word = text.casefold()
    if word == TABLES:
        return DialectLine("")
    if word not in DIALECTS:
        asked = f"There is no dialect {text[:40]!r}.{did_you_mean(word, DIALECTS)}" if text else ""
        said = f"{asked} Choose a dialect: {', '.join(DIALECTS)}, or {TABLES} for the"
        raise BadLine(f"{said} table's. For example /dialect roll20".strip(), code="line/dialect")
    return DialectLine(word)


def read_move(move: str, text: str) -> MoveLine:
    """A move with its answers, each as name=value; `faces=` types dice in, `for=` names the actor.

    Put quotation marks around a value with blanks: ``perk="Good shot"`` or ``"perk=Good shot"``.
    Several values of one name are one answer, with commas between them. Words after the answers, or
    before them, are kept as they are.

    >>> read_move("attack", 'target=Serk faces="9 flub"').faces
    ('9', 'flub')
    >>> read_move("fight", 'who=Serk who="Old Tam"').answers
    {'who': 'Serk, Old Tam'}
    >>> read_move("build", '"Old Tam" line=Cook').words
    '"Old Tam"'
    """
    answers: dict[str, str] = {}
    first = _FIRST_ANSWER.match(text)
    words = first["words"].strip() if first else ""
    end = first.end("words") if first else 0
    while (found := _ANSWER.match(text, end)) is not None:
        end = found.end()
        if found["name"] is not None:
            name = found["name"]
            value = found["quoted"] if found["quoted"] is not None else found["plain"]
        else:
            name, value = found["whole"].strip(), found["value"]
        answers[name] = f"{answers[name]}, {value}" if name in answers else value
    words = f"{words} {text[end:].strip()}".strip()
    faces = answers.pop("faces", "")
    entity = answers.pop("for", "")
    return MoveLine(move, answers, split_faces(faces), entity, words)


def split_faces(text: str) -> tuple[str, ...] | None:
    """The faces of real dice as typed, separated by blanks or commas; None for none.

    >>> split_faces("7, kick"), split_faces(" ")
    (('7', 'kick'), None)
    """
    found = tuple(face for face in re.split(r"[\s,;]+", text) if face)
    return found or None


def _speech(text: str, mode: str) -> Speech:
    if not text.strip():
        raise BadLine("There is nothing to send. Type some words first.", code="line/empty")
    return Speech(text.strip(), mode)


def _whisper(text: str, seats: tuple[Seat, ...]) -> Speech:
    seated = {one.name.casefold(): one for one in seats if one.state == "seated"}
    here = {"gm": "gm"} | {folded: one.name for folded, one in seated.items()}
    if not text:
        raise BadLine("Name a person and type a message, for example /w gm I look behind me.")
    name, said = split_name(text, here)
    folded = name.casefold()
    if folded not in here:
        near = get_close_matches(folded, here, 1, 0.5)
        hint = f"Did you mean {here[near[0]]}?" if near else f"Here are {listed(here.values())}."
        raise BadLine(f"Nobody here is called {name!r}. {hint}", code="line/nobody")
    said = said.lstrip(" :,")
    if not said:
        raise BadLine("Type a whisper after the name, for example /w gm I look behind me.")
    return Speech(said, "say", GM if folded == "gm" else seated[folded].id)


def _unknown(word: str, moves: Mapping[str, str]) -> str:
    every = [*SPEECH, *DICE, *WHISPER, *HELP, DIALECT, *SCENE, *moves]
    near = get_close_matches(word.casefold(), every, 3, 0.5)
    hint = f" Did you mean {' or '.join('/' + one for one in near)}?" if near else ""
    return (
        f"There is no command /{word[:40]}.{hint} /help lists them. To say a line that begins with "
        "a slash, type two slashes."
    )
