"""Limits on the text, size and dice of one command."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from kitchentable.campaign.commands import Command
from kitchentable.campaign.errors import CannotBe
from kitchentable.dice.die import MOST_DICE
from kitchentable.dice.errors import WrongFaces
from kitchentable.rules.values import LONGEST_NAME

LONGEST_TALK = 4_000
LONGEST_NOTE = 50_000
LONGEST_REASON = 500
LONGEST_FACE = 40
_LONGEST_COMMAND = 200_000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
#: Characters that separate or join letters and emoji, and variation selectors.
_JOINERS = "\u200c\u200d"
_SELECTORS = "".join(map(chr, range(0xFE00, 0xFE10)))
#: Unicode categories of controls, formats, surrogates and unassigned characters.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
#: Characters that count as letters or symbols but show nothing.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
_RESERVED = frozenset({"all", "gm", "players", "self", "table"})


def check_size(command: Command) -> None:
    """Refuse a command larger than the limits of a table."""
    if len(command.reason) > LONGEST_REASON:
        raise CannotBe(f"A reason has at most {LONGEST_REASON} characters.", code="table/too-long")
    check_faces(getattr(command, "faces", None) or ())
    try:
        size = len(msgspec.json.encode(command))
    except (UnicodeEncodeError, ValueError, TypeError) as error:
        raise CannotBe("This text has characters that cannot be stored. Remove them.") from error
    if size > _LONGEST_COMMAND:
        raise CannotBe(
            "This is more than the table can store in one step. Send less.", code="table/too-long"
        )


def check_faces(faces: Sequence[str]) -> None:
    """Refuse too many typed-in faces, and faces that are too long. Errors: WrongFaces.

    >>> check_faces(["9" * 5_000])
    Traceback (most recent call last):
    ...
    kitchentable.dice.errors.WrongFaces: No die has a face of 5,000 characters. Type in its ...
    """
    if len(faces) > MOST_DICE:
        raise WrongFaces(
            f"At most {MOST_DICE:,} faces can be typed in at once, not {len(faces):,}."
        )
    longest = max(map(len, faces), default=0)
    if longest > LONGEST_FACE:
        raise WrongFaces(
            f"No die has a face of {longest:,} characters. Type in its number, such as 5."
        )


def a_text(text: str, what: str, longest: int, *, required: bool = True) -> str:
    """A person's text, without surrounding blanks. Errors: CannotBe.

    >>> a_text("  Hello. ", "A message", 100)
    'Hello.'
    """
    text = text.replace("\r\n", "\n").strip()
    if required and not text:
        raise CannotBe(f"{what} cannot be empty.")
    if len(text) > longest:
        raise CannotBe(
            f"{what} has at most {longest:,} characters, not {len(text):,}.",
            code="table/too-long",
        )
    return text


def a_name(name: str, what: str = "A name") -> str:
    """Clean a name: one line of visible characters. Errors: CannotBe.

    Invisible characters that join or separate letters are allowed inside a name: Persian and Hindi
    names and many emoji need them.

    >>> a_name(" Mara   of the Vale ")
    'Mara of the Vale'
    """
    name = " ".join(unicodedata.normalize("NFC", name).split()).strip(_JOINERS + " ")
    if not name:
        raise CannotBe(f"{what} cannot be empty.", code="name/empty")
    if len(name) > LONGEST_NAME:
        raise CannotBe(
            f"{what} has at most {LONGEST_NAME} characters, not {len(name):,}.",
            code="name/too-long",
        )
    unseen = any(
        one not in _JOINERS and (unicodedata.category(one) in _UNSEEN or one in _BLANKS)
        for one in name
    )
    if unseen or all(one in _JOINERS or unicodedata.category(one)[0] == "M" for one in name):
        raise CannotBe(f"{what} can have only visible characters.", code="name/unseen")
    return name


def same_name(one: str, other: str) -> bool:
    """Whether people could confuse two names.

    >>> same_name("Mara", "MARA"), same_name("Mara", "Maren")
    (True, False)
    """
    return _looks(one) == _looks(other)


def _looks(name: str) -> str:
    return "".join(one for one in name if one not in _JOINERS + _SELECTORS).casefold()


def an_id(text: str) -> str:
    """Check an id issued by the server. Errors: CannotBe.

    >>> an_id("seat-7c1f")
    'seat-7c1f'
    """
    if not _ID.fullmatch(text) or text in _RESERVED:
        raise CannotBe("An id can have only letters, digits and dashes.")
    return text
