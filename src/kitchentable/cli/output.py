"""Rolls and chances as text and as plain data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kitchentable.dice import Chance, Throw
from kitchentable.dice.notation import in_decimals
from kitchentable.dice.notation.card_line import Piece, with_dice
from kitchentable.dice.trace import COUNTED, KEPT

if TYPE_CHECKING:
    from kitchentable.dice import Roll

_SIMPLE = 10**6
_LABEL = re.compile(r"\[.+\]")
#: Words for the fates of dice; a kept die needs none.
_FATES = {KEPT: "", COUNTED: "hit"}


def roll_lines(text: str, thrown: Roll[Any], line: Sequence[Piece] = ()) -> list[str]:
    """A roll with a line for each die, and one for the calculation if it is not a plain sum."""
    labels = sum(isinstance(piece, str) and _LABEL.match(piece) is not None for piece in line)
    added = [f"  {_summed(thrown, line)}"] if len(line) - labels > 1 else []
    return [*map(_line, thrown.trace.throws), *added, f"{text}: {outcome_words(thrown.outcome)}"]


def roll_line(text: str, thrown: Roll[Any], line: Sequence[Piece] = ()) -> str:
    """A roll in one line, with its calculation."""
    return f"{text}: {outcome_words(thrown.outcome)}  ({_summed(thrown, line)})"


def _summed(thrown: Roll[Any], line: Sequence[Piece]) -> str:
    """The faces in the order of throwing, with operators between them."""
    faces = [f"{one.face} {_fate(one)}".strip() for one in thrown.trace.throws]
    pieces = with_dice(line or (len(faces),), faces)
    return " ".join(one if isinstance(one, str) else ", ".join(one) for one in pieces)


def outcome_words(outcome: Any) -> str:
    """An outcome in words."""
    if isinstance(outcome, bool):
        return "reached" if outcome else "not reached"
    return in_decimals(outcome) if isinstance(outcome, Fraction) else str(outcome)


def outcome_data(outcome: Any) -> Any:
    """An outcome as JSON data: numbers and words unchanged, other values as text."""
    return outcome if isinstance(outcome, int | str | bool | None) else outcome_words(outcome)


def chance_words(chance: Chance) -> str:
    """A chance in percent, with its fraction if the denominator is small.

    >>> chance_words(Fraction(23, 108))
    '21.2963 % = 23/108'
    """
    if isinstance(chance, Fraction):
        simple = f" = {chance}" if chance.denominator < _SIMPLE else ""
        return f"{float(chance) * 100:.6g} %{simple}"
    return str(chance)


def _line(throw: Throw) -> str:
    label = f"  ({throw.label})" if throw.label else ""
    fate = _fate(throw)
    why = f": {throw.why}" if fate and throw.why not in {"", "it hits"} else ""
    return f"  {throw.die:>5}  {throw.face!s:>4}{label}{'  ' if fate else ''}{fate}{why}".rstrip()


def _fate(throw: Throw) -> str:
    return _FATES.get(throw.fate, throw.fate)
