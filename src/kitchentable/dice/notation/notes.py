"""Notes after a roll without a # before them."""

from __future__ import annotations

import re

from kitchentable.dice.notation.cursor import Cursor
from kitchentable.dice.notation.refusals import ADVANTAGE, KEEPS, LIMITS, WORDS

#: Words that may be instructions for dice, so notes must not contain them.
_ORDERS = re.compile(
    "above|adding|advantage|below|best|both|count|counting|crit|critical|disadvantage|"
    "discard|divided|double|doubled|drop|dropping|each|explode|explodes|exploding|half|"
    "halved|highest|hits|keep|keeping|keeps|less|lowest|max|maximum|min|minimum|minus|more|"
    "named|over|per|plus|remove|repeat|reroll|rerolling|rolls|round|rounded|success|"
    "successes|take|thrice|times|twice|under|versus|vs|worst"
)
_SHORT = re.compile("a|an|as|at|by|he|i|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we")
_NOTE = re.compile(r"(?:[^\W\d_]|[\s'’“”\".,;:!?&]|(?<=\w)-(?=\w))+\Z")


def trailing_note(cursor: Cursor) -> str:
    """The rest of the text as a note; "" if it may belong to the dice.

    >>> cursor = Cursor("2d6 sneak attack!")
    >>> for _ in range(3):
    ...     _ = cursor.next()
    >>> trailing_note(cursor)
    'sneak attack!'
    """
    start = cursor.token.start
    return as_note(cursor.text[start:]) if cursor.text[start - 1].isspace() else ""


def as_note(rest: str) -> str:
    """A text as a note; "" if it may be an instruction for dice.

    >>> as_note("to climb  the wall"), as_note("drop lowest"), as_note("2d6")
    ('to climb the wall', '', '')
    """
    if _NOTE.match(rest) is None:
        return ""
    words = [word.strip("'’“”\".,;:!?&").lower() for word in rest.split()]
    known = (*KEEPS, *ADVANTAGE, *LIMITS, *WORDS, "ro", "rr")
    if any(word in known or _ORDERS.fullmatch(word) for word in words):
        return ""
    if len(words[0]) < 3 and not _SHORT.fullmatch(words[0]):
        return ""
    return " ".join(rest.split())
