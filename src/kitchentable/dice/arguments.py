"""Named arguments typed on the command line: name=value, and --set option=value."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable.dice.errors import BadInput

#: The beginning of notation; no name of a game begins like this.
DICE = re.compile(
    r"[+-]?\s*(?:[\d({]|d[\d%F]|[a-z]+\()|[/!]r(?:oll)?\s",
    re.IGNORECASE,
)
#: The word before an option of a table.
SET = "--set"


class BadWords(BadInput):
    """The words of a request are wrong."""

    code = "cli/words"


def split_words(line: str) -> list[str]:
    """Split a line at blanks outside quotation marks. Errors: BadWords.

    >>> split_words("toaster task 'difficulty=very difficult'")
    ['toaster', 'task', 'difficulty=very difficult']
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise BadWords(f"A quotation mark in {line!r} is not closed.") from error


def split_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words without the options of a table, and these options (after --set). Errors: BadWords.

    >>> split_options(["toast", "task", "trait=3", "--set", "medium=12"])
    (['toast', 'task', 'trait=3'], ['medium=12'])
    """
    if words and words[-1] == SET:
        raise BadWords(f"{SET} must be followed by OPTION=VALUE.")
    both = list(zip(words, ["", *words], strict=False))
    plain = [word for word, before in both if SET not in (word, before)]
    return plain, [word for word, before in both if before == SET]


def read_named(words: Sequence[str], instead: Mapping[str, str]) -> tuple[tuple[str, Any], ...]:
    """Words such as trait=3 as names and values. Errors: BadWords.

    `instead` gives the correct option for each name that is an option of the command.
    """
    arguments: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise BadWords(f"{word!r} is not written as name=value, such as trait=3.")
        if name in instead:
            raise BadWords(f"Write {instead[name]} {value} instead of {word}.")
        if name in arguments:
            raise BadWords(f"{name} is given twice. Give it once.")
        arguments[name] = _value(value)
    return tuple(arguments.items())


def read_options(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Words such as rolling_zeros=yes as pairs of option and typed value. Errors: BadWords."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadWords(f"{word!r} is not written as option=value, such as rolling_zeros=yes.")
        found[name.replace("-", "_")] = value
    return tuple(found.items())


def _value(text: str) -> int | bool | str:
    lowered = text.casefold()
    if lowered in {"yes", "true", "on"}:
        return True
    if lowered in {"no", "false", "off"}:
        return False
    try:
        return int(text)
    except ValueError:
        return text
