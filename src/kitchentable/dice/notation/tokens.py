"""From text to tokens, each of which knows where it stood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kitchentable.dice.notation.errors import NotationError

Kind: TypeAlias = Literal["number", "word", "sign", "label", "comment", "end"]

MOST_CHARACTERS = 1_000
MOST_DIGITS = 9
LONGEST_LABEL = 60

# Phones and word processors put these where a keyboard has the plain sign.
_SAME_SIGN = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≥": ">=", "≤": "<=", "！": "!"}

_MODIFIER = "hits|kh|kl|dh|dl|ro|rr"
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<number>[0-9]+)
    | (?P<word>(?i:{_MODIFIER})(?![a-zA-Z])
        |[dD][fF](?=(?i:{_MODIFIER})?(?![a-zA-Z]))
        |[a-zA-Z]+)
    | (?P<label>\[[^\[\]]*\])
    | (?P<comment>\#.*)
    | (?P<sign>>=|<=|==|//|\*\*|!!|[-+*/(){{}},!%<>=@−–×·÷≥≤！])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One readable piece of the text; ``start`` and ``end`` are character positions from 0."""

    kind: Kind
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """Cut a text into tokens, the last of which is always ``end``.

    Words come in lower case, signs in their plain form, labels and comments without their
    marks. Raises :class:`NotationError` at the first character that belongs to no token.

    >>> [token.text for token in tokens("2d6Kh1 × 3")]
    ['2', 'd', '6', 'kh', '1', '*', '3', '']
    """
    if len(text) > MOST_CHARACTERS:
        raise NotationError(
            "notation/too-long",
            f"A roll may be at most {MOST_CHARACTERS:,} characters long; this has {len(text):,}.",
            text,
            MOST_CHARACTERS,
        )
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unreadable(text, position)
        start, position = position, match.end()
        kind = match.lastgroup
        if kind == "number":
            yield Token("number", _number(text, match.group(), start), start, position)
        elif kind == "word":
            yield Token("word", match.group().lower(), start, position)
        elif kind == "sign":
            yield Token("sign", _SAME_SIGN.get(match.group(), match.group()), start, position)
        elif kind == "label":
            yield Token("label", _label(text, match.group(), start), start, position)
        elif kind == "comment":
            yield Token("comment", " ".join(match.group()[1:].split()), start, position)
    yield Token("end", "", len(text), len(text))


def _number(text: str, digits: str, start: int) -> str:
    if len(digits) > MOST_DIGITS:
        raise NotationError(
            "notation/too-large",
            f"A number may have at most {MOST_DIGITS} digits; this one has {len(digits)}.",
            text,
            start,
        )
    return digits


def _label(text: str, written: str, start: int) -> str:
    label = " ".join(written[1:-1].split())
    if not label:
        raise NotationError(
            "notation/label", "A label needs a name between its brackets: [fire].", text, start
        )
    if len(label) > LONGEST_LABEL:
        raise NotationError(
            "notation/label",
            f"A label may be at most {LONGEST_LABEL} characters long; put a longer note after #.",
            text,
            start,
        )
    return label


def _unreadable(text: str, position: int) -> NotationError:
    found = text[position]
    if text.startswith("[[", position):
        message = (
            "Double brackets put a roll inside a sentence of the chat; "
            "here, write what is between them, such as 1d20+5."
        )
    elif found == "[":
        message = "This label is not closed; write it as [fire]."
    elif found == "]":
        message = "This bracket closes a label that was not opened; write it as [fire]."
    elif found in ".;:'\"?&|\\~^$_`":
        message = (
            f"A roll has no place for {found!r}: numbers are whole, and a note goes after #, "
            "as in 2d6+3 # with the good knife."
        )
    else:
        message = f"A roll has no place for {found!r}; a note goes after #, as in 2d6 # luck."
    return NotationError("notation/unreadable", message, text, position)
