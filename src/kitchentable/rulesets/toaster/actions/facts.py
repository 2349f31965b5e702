"""A throw as plain facts, which can wait for luck and be settled later; and its side of a card.

A part of a throw that the GM keeps goes with everything that would tell it: total and outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    GM,
    Card,
    Change,
    Entity,
    Json,
    Line,
    Part,
    Side,
    card_audience,
    number_audience,
)
from kitchentable.rulesets.toaster.actions.hints import signed
from kitchentable.rulesets.toaster.actions.reckoning import SKILL, Reckoning, split
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, outcome_of


@dataclass(frozen=True, slots=True)
class Thrown:
    """One side's throw: whose, on what, what was added, and what it came to.

    `total` and `second` include what is kept. `luck` are the points spent beforehand, `added` what
    luck put on top afterwards.
    """

    entity: str
    name: str
    on: str
    label: str
    total: int
    open: tuple[Part, ...] = ()
    kept: tuple[Part, ...] = ()
    zero: bool = False
    fumble: bool = False
    second: int | None = None
    called: bool = False
    luck: int = 0
    added: int = 0
    rank: int = 0

    @property
    def final(self) -> int:
        """The total with what luck added afterwards."""
        return self.total + self.added

    @property
    def shown(self) -> int:
        """The total as far as all may know it."""
        return self.final - sum(part.value for part in self.kept)

    @property
    def modifier(self) -> int:
        """All that was added to the die before it fell."""
        return sum(part.value for part in (*self.open, *self.kept))

    def plain(self) -> dict[str, Json]:
        """The throw as plain JSON."""
        return {
            "entity": self.entity,
            "name": self.name,
            "on": self.on,
            "label": self.label,
            "total": self.total,
            "open": [[part.name, part.value] for part in self.open],
            "kept": [[part.name, part.value] for part in self.kept],
            "zero": self.zero,
            "fumble": self.fumble,
            "second": self.second,
            "called": self.called,
            "luck": self.luck,
            "added": self.added,
            "rank": self.rank,
        }


def read_thrown(plain: Mapping[str, Any]) -> Thrown:
    """A throw out of plain JSON.

    >>> one = Thrown("ada", "Climb", "skill:climb", "roll", 9, (Part("Climb", 4),))
    >>> read_thrown(one.plain()) == one
    True
    """
    return Thrown(
        **{
            **plain,
            "open": tuple(Part(name, value) for name, value in plain["open"]),
            "kept": tuple(Part(name, value) for name, value in plain["kept"]),
        }
    )


def thrown(
    entity: Entity, name: str, on: str, label: str, reckoning: Reckoning, outcome: Outcome
) -> Thrown:
    """A throw that has just fallen."""
    return Thrown(
        entity.id,
        name,
        on,
        label,
        outcome.total,
        reckoning.open,
        reckoning.kept,
        outcome.zero,
        outcome.zero and outcome.fumble,
        outcome.second,
        rank=reckoning.open[0].value if reckoning.open else 0,
    )


def outcome_for(throw: Thrown, *, bands: bool) -> Outcome:
    """What the throw comes to with the luck that was added; luck does not undo a zero.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
    """
    if throw.zero:
        word = "fumble" if throw.fumble else "failure"
        return Outcome(throw.final, succeeds=False, band=word, zero=True, second=throw.second)
    return outcome_of(throw.final, bands=bands)


def with_luck(throw: Thrown, added: int) -> Thrown:
    """The throw with points that were added after it fell."""
    return replace(throw, added=added)


def side(entity: Entity, throw: Thrown, word: str = "") -> Side:
    """The throw on a card; its total only where nothing in it is kept from the players.

    toaster.3.difficulty-open-secret: die and rank can be seen, the total cannot.
    """
    luck = (Part("luck afterwards", throw.added),) if throw.added else ()
    called = (Part("a called 4", 4),) if throw.called else ()
    return Side(
        entity.name,
        throw.label,
        (*called, *throw.open, *luck),
        throw.final if not throw.kept else None,
        word,
        number_audience(entity),
    )


def noted(entity: Entity, on: str) -> tuple[Change, ...]:
    """The note that a skill was used in this adventure (toaster.2.adv-used-skills).

    >>> noted(Entity("e", "E", "pc", "s", {}, {"used": ["climb"]}), "skill:ride")[0].now
    ['climb', 'ride']
    """
    kind, key, _ = split(on)
    before: Any = entity.state.get("used") or []
    if kind != SKILL or not key or key in before:
        return ()
    return (Change(("entities", entity.id, "state", "used"), [*before, key]),)


def card(
    entity: Entity,
    throw: Thrown,
    *,
    title: str,
    words: str,
    word: str,
    tone: str,
    lines: tuple[Line, ...],
    rules: tuple[str, ...],
    involved: Sequence[Entity] = (),
) -> Card:
    """A card of one throw, with what is kept of it told to the GM alone.

    `involved` are others who had a hand in it; while one of them is hidden, it is the GM's.
    """
    return Card(
        title,
        words,
        word,
        tone,
        (side(entity, throw),),
        (*lines, *kept_line(entity, throw)),
        rules,
        entity.id,
        card_audience(entity, *involved),
    )


def kept_line(entity: Entity, throw: Thrown, audience: str = GM) -> tuple[Line, ...]:
    """For the GM: what was added in secret, and the total it makes.

    A table that tells it to all afterwards still keeps the numbers of somebody closed.
    """
    if not throw.kept:
        return ()
    if number_audience(entity) == GM:
        audience = GM
    added = ", ".join(f"{part.name} {signed(part.value)}" for part in throw.kept)
    return (Line(f"Kept for {entity.name}: {added}; the total is {throw.final}.", audience),)
