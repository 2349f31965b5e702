"""Levels of traits: the points of a new sheet, its fields, and its problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from kitchentable.rules.facts import whole
from kitchentable.rules.sheets import Budget, Section
from kitchentable.rules.values import Field, Problem


class Listed(Protocol):
    """A trait of the list: its key on the sheet, its name, and a sentence about its purpose."""

    @property
    def key(self) -> str:
        """The key on the sheet."""

    @property
    def name(self) -> str:
        """The name on the page."""

    @property
    def purpose(self) -> str:
        """The purpose, in a sentence."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The rules for building levels: points per trait, and the highest level at creation.

    `rules` are rule ids by topic: "field" (a level), "same" (one list for everybody), "spend"
    (points and whole levels), "top" (the highest level at creation). `key` is the part of the
    sheet.
    """

    each: int
    top: int
    rules: Mapping[str, str]
    title: str = "Trait points"
    key: str = "traits"

    def points(self, traits: Sequence[Listed]) -> int:
        """The points of a new sheet."""
        return self.each * len(traits)

    def spent(self, levels: Mapping[str, Any], traits: Sequence[Listed]) -> int:
        """The points spent: the sum of all levels."""
        return sum(whole(levels.get(trait.key)) for trait in traits)

    def section(
        self, part: Section, levels: Mapping[str, Any], traits: Sequence[Listed], *, new: bool
    ) -> Section:
        """The builder's section: a number for each trait; for a `new` sheet with points left."""
        rule = self.rules["top" if new else "field"]
        budget = Budget(self.title, self.spent(levels, traits), self.points(traits))
        return replace(
            part,
            fields=tuple(
                Field(
                    f"{self.key}.{trait.key}",
                    trait.name,
                    "number",
                    default=0,
                    low=0,
                    high=99,
                    help=trait.purpose,
                    rule=rule,
                )
                for trait in traits
            ),
            help=part.help if new else "",
            budget=budget if new else None,
        )

    def problems(
        self, levels: Mapping[str, Any], traits: Sequence[Listed], *, new: bool
    ) -> Iterator[Problem]:
        """Levels not on the list or not whole numbers; for a `new` sheet also its points."""
        known = {trait.key: trait.name for trait in traits}
        for key, value in levels.items():
            where = f"{self.key}.{key}"
            if key not in known:
                words = f"{key!r} is not on this table's list of traits."
                yield Problem(where, self.rules["same"], words)
            elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
                words = f"{known[key]} has a whole level of 0 or more, not {value}."
                yield Problem(where, self.rules["spend"], words)
            elif new and value > self.top:
                words = f"{known[key]} starts at {self.top} at most, not {value}."
                yield Problem(where, self.rules["top"], words)
        left = self.points(traits) - self.spent(levels, traits)
        if new and left:
            points = f"{abs(left)} point{'s' if abs(left) != 1 else ''}"
            words = f"{points} left to spend." if left > 0 else f"{points} more than there are."
            yield Problem(self.key, self.rules["spend"], words, counted=True)
