"""A throw as plain facts, which can wait for luck and be settled later; and its side of a card.

A part of a throw that the GM keeps goes with everything that would tell it: total and outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from kitchentable.rules import GM, Part
from kitchentable.rules import Side as CardSide
from kitchentable.rules.kit import Roll
from kitchentable.rulesets.toaster.actions import outcomes
from kitchentable.rulesets.toaster.actions.hints import signed
from kitchentable.rulesets.toaster.book import Facts, Parts, Record
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, outcome_of, task
from kitchentable.rulesets.toaster.people import Here, person


@dataclass(frozen=True, slots=True)
class Thrown:
    """One side's throw: whose, on what, what is added and why, and what it came to.

    `open` are the parts that all may see, `kept` those that the GM keeps. `total` and `second`
    include what is kept. `luck` are the points spent beforehand, `added` what luck put on top
    afterwards, `rank` is what it is made on.
    """

    entity: str
    name: str
    on: str
    label: str
    total: int = 0
    open: Parts = ()
    kept: Parts = ()
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
        """All that is added to the die.

        >>> Thrown("a", "", "", "", 0, (Part("Climb", 4),), (Part("slick", -2),)).modifier
        2
        """
        return sum(part.value for part in (*self.open, *self.kept))

    def fell(self, outcome: Outcome) -> Thrown:
        """The throw with what its dice have come to."""
        return replace(
            self,
            total=outcome.total,
            zero=outcome.zero,
            fumble=outcome.zero and outcome.fumble,
            second=outcome.second,
            added=0,
        )

    def outcome(self, at: Here) -> Outcome:
        """What the throw comes to with the luck that was added; luck does not undo a zero.

        toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
        """
        if self.zero:
            word = "fumble" if self.fumble else "failure"
            return Outcome(self.final, succeeds=False, band=word, zero=True, second=self.second)
        return outcome_of(self.final, bands=at.options.variable_outcomes)

    def plain(self) -> Facts:
        """The throw as plain data."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        pairs = {key: [[one.name, one.value] for one in found[key]] for key in ("open", "kept")}
        return {**found, **pairs}


def read_thrown(plain: Record, added: int = 0) -> Thrown:
    """A throw out of plain data, with the luck that was added since.

    >>> one = Thrown("ada", "Climb", "skill:climb", "roll", 9, (Part("Climb", 4),))
    >>> read_thrown(one.plain()) == one
    True
    """
    parts = {key: tuple(Part(*one) for one in plain[key]) for key in ("open", "kept")}
    return Thrown(**{**plain, **parts, "added": added})


#: The outcome word, which is all that the odds are about.
band_of: Callable[[Outcome], str] = attrgetter("band")


def against_10(at: Here, throw: Thrown, scope: str = "action") -> Thrown:
    """A roll against 10 with all that is added to it.

    toaster.3.unopposed-order, toaster.3.unopposed-target, toaster.3.percentages.
    """
    ext, varies = at.options.extended(scope), at.options.variable_outcomes
    called, modifier = throw.called, throw.modifier
    roll = Roll(task, outcomes.bands(at.table, ext), band_of)
    says = outcomes.in_words(modifier, ext, called=called, bands=varies)
    one = person(at, throw.entity)
    return throw.fell(at.roll(roll(modifier, ext, called, varies), {throw.label: one}, says))


# ---------------------------------------------------------------- on a card


def show(at: Here, throw: Thrown, word: str = "") -> None:
    """The throw on the card; its total only where nothing in it is kept from the players.

    toaster.3.difficulty-open-secret: die and rank can be seen, the total cannot.
    """
    one = person(at, throw.entity)
    luck = (Part("luck afterwards", throw.added),) if throw.added else ()
    called = (Part("a called 4", 4),) if throw.called else ()
    parts, total = (*called, *throw.open, *luck), throw.final if not throw.kept else None
    at.sides.append(CardSide(one.name, throw.label, parts, total, word, one.number_audience))


def tell_kept(at: Here, throw: Thrown, audience: str = GM) -> None:
    """For the GM: what was added in secret, and the total it makes.

    A table that tells it to all afterwards still keeps the numbers of somebody closed.
    """
    one = person(at, throw.entity)
    if throw.kept:
        added = ", ".join(f"{part.name} {signed(part.value)}" for part in throw.kept)
        second = f", then {throw.second}" if throw.second is not None else ""
        told = f"Kept for {one.name}: {added}; the total is {throw.final}{second}."
        at.say(told, GM if one.is_closed else audience)
