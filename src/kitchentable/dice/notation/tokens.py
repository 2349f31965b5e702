"""Tokens of dice notation, with their positions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from kitchentable.dice.notation.errors import NotationError, Suggestion

Kind: TypeAlias = Literal["number", "word", "sign", "label", "comment", "end"]

MOST_CHARACTERS = 1_000
MOST_DIGITS = 9
LONGEST_LABEL = 60

# Phones and word processors replace plain signs by these.
_SAME_SIGN = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≥": ">=", "≤": "<=", "！": "!"}

_KEEP = "kh|kl|dh|dl"
_MODIFIER = f"hits|{_KEEP}|ro|rr|min|max"
_TOKEN = re.compile(
    rf"""
      (?P<number>[0-9]+)
    | (?P<word>(?i:{_KEEP})(?=(?i:{_KEEP})*(?![a-zA-Z]))
        |(?i:{_MODIFIER})(?![a-zA-Z])
        |[dD][fF](?=(?i:(?:{_KEEP})*|{_MODIFIER})(?![a-zA-Z]))
        |[^\W\d_]+)
    | (?P<label>\[[^\[\]]*\])
    | (?P<comment>\#.*)
    | (?P<sign>>=|<=|==|//|\*\*|!!|[-+*/(){{}},!%<>=@−–×·÷≥≤！])
    """,
    re.VERBOSE | re.DOTALL,
)


_DICE = re.compile(r"(?<![^\W\d_])[dwkt]\s*[\d%{(f]", re.IGNORECASE)
_SPACE = re.compile(r"\s*")
_COMMAND = re.compile(r"\s*(?:[/!](?:roll|r)(?![^\W\d_])|(?:roll|output)(?=\s))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the text; ``start`` and ``end`` are character positions from 0."""

    kind: Kind
    text: str
    start: int
    end: int


def check_length(text: str) -> None:
    """Refuse a text with more than 1,000 characters."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError(
            "notation/too-long",
            f"A roll may have at most {MOST_CHARACTERS:,} characters, not {len(text):,}.",
            text,
            MOST_CHARACTERS,
        )


def begin(text: str) -> int:
    """The position of the dice, after a chat command or AnyDice's ``output``.

    >>> begin("/roll 2d6"), begin("!r2d6"), begin("2d6")
    (5, 2, 0)
    """
    match = _COMMAND.match(text)
    return match.end() if match else 0


def token_at(text: str, start: int) -> Token:
    """Read the next token from a position; at the end of the text, ``end``.

    Words are in lower case, signs in their plain form, labels and comments without their marks.
    Raises :class:`NotationError` at a character that begins no token.

    >>> token_at("2d6 Kh1", 3).text, token_at("2 × 3", 1).text
    ('kh', '*')
    """
    start = _SPACE.match(text, start).end()  # type: ignore[union-attr]
    if start == len(text):
        return Token("end", "", start, start)
    match = _TOKEN.match(text, start)
    if match is None:
        raise _unreadable(text, start)
    kind, written = cast(Kind, match.lastgroup), match.group()
    if kind == "number":
        written = _number(text, written, start)
    elif kind == "word":
        written = written.lower()
    elif kind == "sign":
        written = _SAME_SIGN.get(written, written)
    elif kind == "label":
        written = _label(text, written, start)
    else:
        written = " ".join(written[1:].split())
    return Token(kind, written, start, match.end())


def as_note(text: str, start: int) -> tuple[Suggestion, ...]:
    """Suggest to make the rest of a text a note, unless it contains dice.

    >>> as_note("2d6 for 2 hands", 4)[0].text, as_note("2d6 fire, 1d6 cold", 4)
    ('2d6 # for 2 hands', ())
    """
    rest = text[start:]
    if _DICE.search(rest):
        return ()
    return (Suggestion(f"{text[:start].rstrip()} # {rest}", "to leave the rest as a note"),)


def _number(text: str, digits: str, start: int) -> str:
    if len(digits) > MOST_DIGITS:
        says = f"A number may have at most {MOST_DIGITS} digits, not {len(digits)}."
        raise NotationError("notation/too-large", says, text, start)
    return digits


def _label(text: str, written: str, start: int) -> str:
    label = " ".join(written[1:-1].split())
    if 1 <= len(label) <= LONGEST_LABEL:
        return label
    says = "A label needs a name between its brackets."
    if label:
        says = f"A label may have at most {LONGEST_LABEL} characters. Write a longer note after #."
    raise NotationError("notation/label", says, text, start)


def _unreadable(text: str, position: int) -> NotationError:
    found = text[position]
    suggestions: tuple[Suggestion, ...] = ()
    if text.startswith("[[", position):
        message = "Double brackets are for rolls inside a chat message."
        inner = text[:position] + text[position:].replace("[[", "(", 1).replace("]]", ")", 1)
        suggestions = (Suggestion(inner, "here"),)
    elif found == "[":
        message = "This label is not closed: a ] is missing."
    elif found == "]":
        message = "This ] was never opened. Leave it out."
    elif found == "." and text[position + 1 : position + 2].isdecimal():
        message = "A roll has only whole numbers. Multiply and divide instead, as in *3/2."
    else:
        message = f"A roll cannot contain {found!r}. Write a note after #."
        suggestions = as_note(text, position)
    return NotationError("notation/unreadable", message, text, position, suggestions)
