"""How much one command may carry, so that no table can be filled up or broken by what is sent."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from kitchentable.campaign.commands import Command
from kitchentable.campaign.errors import CannotBe, NotAllowed

LONGEST_TALK = 4_000
LONGEST_NOTE = 50_000
LONGEST_NAME = 60
LONGEST_REASON = 500
_LONGEST_COMMAND = 200_000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_RESERVED = frozenset({"all", "gm", "players", "self", "table"})


def check_size(command: Command) -> None:
    """Refuse a command that carries more than the table keeps."""
    if len(command.reason) > LONGEST_REASON:
        raise CannotBe(f"A reason has at most {LONGEST_REASON} characters.", code="table/too-long")
    try:
        size = len(msgspec.json.encode(command))
    except (UnicodeEncodeError, ValueError, TypeError) as error:
        raise CannotBe("That holds characters that are no text.") from error
    if size > _LONGEST_COMMAND:
        raise CannotBe("That is more than the table can keep at once.", code="table/too-long")


def a_text(text: str, what: str, longest: int, *, required: bool = True) -> str:
    """A text of a person, without the blank space around it. Errors: CannotBe.

    >>> a_text("  Hello. ", "A message", 100)
    'Hello.'
    """
    text = text.replace("\r\n", "\n").strip()
    if required and not text:
        raise CannotBe(f"{what} needs at least a word.")
    if len(text) > longest:
        raise CannotBe(
            f"{what} has at most {longest:,} characters, not {len(text):,}.", code="table/too-long"
        )
    return text


def a_name(name: str, what: str = "A name") -> str:
    """A name on one line, in characters that can be seen. Errors: NotAllowed.

    >>> a_name(" Mara   of the Vale ")
    'Mara of the Vale'
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or len(name) > LONGEST_NAME:
        raise NotAllowed(f"{what} has 1 to {LONGEST_NAME} characters.", code="seat/name")
    if any(unicodedata.category(one) in {"Cc", "Cf", "Cs", "Co", "Cn"} for one in name):
        raise NotAllowed(f"{what} is made of characters that can be seen.", code="seat/name")
    return name


def an_id(text: str) -> str:
    """An id that the server gave. Errors: CannotBe.

    >>> an_id("seat-7c1f")
    'seat-7c1f'
    """
    if not _ID.fullmatch(text) or text in _RESERVED:
        raise CannotBe("An id is made of letters, digits and dashes.")
    return text
