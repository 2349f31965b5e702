"""Mistakes in a game's file: each with its place and its correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kitchentable.rules.errors import BadGame
from kitchentable.rules.toml.places import Place


@dataclass(frozen=True, slots=True)
class Flaw:
    """One mistake in a file: its place, a sentence, and the correction.

    >>> print(Flaw(Place(3, 1), "points is a whole number, not 'many'.", "Write points = 8."))
    line 3, column 1: points is a whole number, not 'many'. Write points = 8.
    """

    place: Place
    sentence: str
    mend: str = ""

    def __str__(self) -> str:
        mend = f" {self.mend}" if self.mend else ""
        return f"line {self.place.line}, column {self.place.column}: {self.sentence}{mend}"


class BadFile(BadGame):
    """The error for a file that is not a correct game; `flaws` lists every mistake."""

    def __init__(self, name: str, flaws: Sequence[Flaw]) -> None:
        told = sorted(flaws, key=lambda one: (one.place.line, one.place.column))
        words = "\n".join(f"{name}, {flaw}" for flaw in told)
        super().__init__(words, code="game/bad-file")
        self.flaws = tuple(told)
