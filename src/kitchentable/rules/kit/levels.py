"""Levels of traits: the points of a new sheet, its fields, and its problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kitchentable.rules.facts import whole
from kitchentable.rules.sheets import Budget, Section
from kitchentable.rules.values import Field, Problem, Values, record


@record
class Levels:
    """A group of `traits` with levels: key, name and help of each, bounds, and points to spend.

    `high` is the limit on a new sheet, `top` in play, and `widest` are the limits of input; with
    `points` None levels are chosen freely. `rules` are rule ids by topic: "field" (a level),
    "spend" (points and whole levels), "top" (the highest level), and "same" if the sheet may have
    no other levels. `outside` is the sentence about a level above its limit, and `begins` the
    beginning of the sentence about points.
    """

    traits: Sequence[tuple[str, str, str]]
    rules: Mapping[str, str]
    points: int | None
    high: int
    low: int = 0
    top: int = 99
    widest: tuple[int, int] = (0, 99)
    title: str = "Trait points"
    outside: str = "{name} goes from {low} to {high}, not {value}."
    begins: str = ""

    def spent(self, levels: Values) -> int:
        """The points spent: one for every level above the lowest."""
        return sum(whole(levels.get(key), self.low) - self.low for key, _, _ in self.traits)

    def section(self, part: Section, levels: Values, *, new: bool) -> Section:
        """The builder's section: a number for each trait; for a `new` sheet with its budget."""
        rule = self.rules["top" if new else "field"]
        low, high = self.widest
        bounds = self.low, self.high if new else self.top
        number = partial(
            Field, kind="number", default=self.low, low=low, high=high, bounds=bounds, rule=rule
        )
        budget = Budget(self.title, self.spent(levels), self.points or 0)
        return replace(
            part,
            fields=tuple(
                number(f"traits.{key}", name, help=about) for key, name, about in self.traits
            ),
            help=part.help if new else "",
            budget=budget if new and self.points is not None else None,
        )

    def problems(self, levels: Values, *, new: bool) -> Iterator[Problem]:
        """Levels that are out of bounds or not listed; for a `new` sheet, also unspent points."""
        known = {key: name for key, name, _ in self.traits}
        high = self.high if new else self.top
        for key, value in levels.items():
            where, name = f"traits.{key}", known.get(key)
            if name is None:
                if "same" in self.rules:
                    words = f"{key!r} is not on this table's list of traits."
                    yield Problem(where, self.rules["same"], words)
            elif isinstance(value, bool) or not isinstance(value, int) or value < self.low:
                words = f"{name} must be a whole number of {self.low} or more, not {value}."
                yield Problem(where, self.rules["spend"], words)
            elif value > high:
                words = self.outside.format(name=name, low=self.low, high=high, value=value)
                yield Problem(where, self.rules["top"], words)
        left = self.points - self.spent(levels) if new and self.points is not None else 0
        if left:
            points = f"{abs(left)} point{'s' if abs(left) != 1 else ''}"
            words = f"{points} left to spend." if left > 0 else f"{points} more than there are."
            yield Problem("traits", self.rules["spend"], f"{self.begins}{words}", counted=True)
