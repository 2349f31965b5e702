"""Reading of a file with tables, with a report of every mistake."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import TypeVar

from kitchentable.rules.kit.places import BadFile, Flaw, Place, places
from kitchentable.rules.kit.schema import Flaws, Section
from kitchentable.rules.values import Values

T = TypeVar("T")

#: Longer files are refused; no game written by hand is this long.
LONGEST = 1_000_000
_WHERE = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def read_part(text: str, name: str, read: Callable[[Section], T]) -> T:
    """One part of a file, read by `read`. Errors: BadFile, with every mistake."""
    data = _toml(text, name)
    flaws = Flaws(places(text), text.splitlines())
    found = read(Section(data, (), flaws))
    if flaws.flaws:
        raise BadFile(name, flaws.flaws)
    return found


def _toml(text: str, name: str) -> Values:
    if len(text) > LONGEST:
        raise BadFile(name, [Flaw(Place(1, 1), f"The file is longer than {LONGEST:,} characters.")])
    lines = text.splitlines() or [""]
    try:
        return tomllib.loads(text)
    except RecursionError:
        number = max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{"))
        words = "Brackets are nested too deeply."
        deep = Flaw(Place(number + 1, 1), words, "No game needs that.")
        raise BadFile(name, [deep]) from None
    except tomllib.TOMLDecodeError as error:
        found = _WHERE.match(str(error))
        place = Place(len(lines), len(lines[-1]) + 1)
        if found and found[2]:
            place = Place(int(found[2]), int(found[3]))
        mend = (
            "Put text in quotes, but not numbers. Write true or false for yes or no. Begin a table "
            "with [name], an entry of a list with [[name]]."
        )
        words = f"This is not TOML: {found[1] if found else error}."
        raise BadFile(name, [Flaw(place, words, mend)]) from error
