"""Facts, chances and lists in words."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import Any

from kitchentable.dice.chance import in_percent
from kitchentable.rules.moves import Band

#: Characters that may follow a typed name.
_ENDS_NAME = re.compile(r"[ :,?]|\Z")


def odds_in_words(bands: Iterable[Band], shares: Mapping[str, Fraction]) -> str:
    """Describe the summed probability, for a game without its own sentence.

    The bands are ordered from best to worst or from worst to best.

    >>> bands = Band("a", "critical", good=True), Band("b", "wins", good=True), Band("c", "loses")
    >>> odds_in_words(bands, {"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)})
    'Wins or better.'
    >>> odds_in_words(bands, {"a": Fraction(0), "b": Fraction(2, 3), "c": Fraction(1, 3)})
    'Wins.'
    >>> odds_in_words(bands[2:], {"c": Fraction(1, 3)})
    'loses 33 %'
    """
    every = [(band.label, band.good, shares[band.key]) for band in bands]
    named = [(label, good) for label, good, share in every if share]
    good = [label for label, is_good in named if is_good]
    if not good:
        return ", ".join(f"{label} {in_percent(share)}" for label, _, share in every)
    ranks = [is_good for _, is_good in named]
    if len(good) == 1:
        words = good[0]
    elif ranks in (sorted(ranks), sorted(ranks, reverse=True)):
        words = f"{good[-1] if ranks[0] else good[0]} or better"
    else:
        words = " or ".join(good)
    return f"{words[0].upper()}{words[1:]}."


def value_in_words(value: Any) -> str:
    """Return a fact in words.

    >>> value_in_words(True), value_in_words(["a", "b"]), value_in_words({"aim": 3})
    ('yes', 'a, b', 'aim: 3')
    >>> value_in_words([{"name": "Rope", "big": True}, {"name": "Lamp", "big": False}])
    'Rope (big); Lamp'
    """
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return "; ".join(_row(one) for one in value)
    if isinstance(value, list):
        return ", ".join(value_in_words(one) for one in value) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_in_words(one)}" for key, one in value.items()) or "nothing"
    return str(value)


def _row(row: dict[str, Any]) -> str:
    """Return a row of a list in words: the first value, and the rest in brackets."""
    said = [
        key if one is True else value_in_words(one).rstrip(".")
        for key, one in row.items()
        if key != "id" and one not in (None, "", False)
    ]
    first, *rest = said or ["nothing"]
    return f"{first} ({', '.join(rest)})" if rest else first


def listed(words: Iterable[str]) -> str:
    """Return words as a list: "A, B and C".

    >>> listed(["Mara"]), listed(["Mara", "Jon", "Ida"])
    ('Mara', 'Mara, Jon and Ida')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def outcome_in_words(outcome: Any) -> str:
    """Describe the outcome of rolled notation: a total, or whether it reached its target."""
    if isinstance(outcome, bool):
        return "reached" if outcome else "not reached"
    return str(outcome)


def unquoted(words: str) -> str:
    """Return typed words without the quotation marks around all of them.

    >>> unquoted('"Old Tam"'), unquoted('"Stop!" and "Go!"')
    ('Old Tam', '"Stop!" and "Go!"')
    """
    words = words.strip()
    inner = words[1:-1]
    return inner.strip() if words == f'"{inner}"' and '"' not in inner else words


def split_name(words: str, names: Container[str]) -> tuple[str, str]:
    """Split typed words into the name at their start and the rest.

    The name is in quotation marks, or the longest match of `names` (in lower case), or the first
    word.

    >>> split_name("Old Tam, run", {"old", "old tam"}), split_name('"Old Tam" run', ())
    (('Old Tam', ', run'), ('Old Tam', ' run'))
    """
    if words.startswith('"'):
        name, _, rest = words[1:].partition('"')
        return name, rest
    ends = [one.start() for one in _ENDS_NAME.finditer(words)]
    end = max((at for at in ends if words[:at].casefold() in names), default=ends[0])
    return words[:end], words[end:]
