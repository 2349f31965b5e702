"""A roll of a game's file from plain numbers: its dice, and its arguments in the library."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.rules import kit
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.forms import read_value
from kitchentable.rules.game import Forced, Rolled
from kitchentable.rules.kit.formula import Bindings, fill
from kitchentable.rules.moves import Band as ShownBand
from kitchentable.rules.moves import Part
from kitchentable.rules.toml.dicework import (
    Bounds,
    Colour,
    Counted,
    Handful,
    Rung,
    Throw,
    against_another,
    attempt,
    gather,
    result_of,
    thrown_of,
)
from kitchentable.rules.toml.form import Group, Written
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import BONUS, MARGIN, MODIFIER, TRAIT, Asked, Roll, Rows
from kitchentable.rules.values import Row, Values

#: The code of a refusal of named numbers that leave no dice to throw.
NO_DICE = "roll/no-dice"
_NUMBER = kit.whole_number("a whole number", "", -999, 999)


@dataclass(frozen=True)
class Throwing:
    """The dice of a roll, with its game."""

    game: Written
    roll: Roll

    @property
    def key(self) -> str:
        """The name of the roll in the library."""
        return self.roll.key

    @cached_property
    def thrown(self) -> kit.Roll[..., Any]:
        """The mechanic with its named results."""
        bands = tuple(ShownBand(o.key, o.title, o.tone, o.good) for o in self.roll.bands)
        throws: Any = attempt if self.roll.opposed is None else against_another
        return kit.Roll(gather if self.roll.pools else throws, bands, result_of)

    @cached_property
    def rungs(self) -> tuple[Rung, ...]:
        """The results, for the mechanic."""
        return tuple(
            Rung(o.key, o.at_least, o.face)
            if not o.needs and {o.at_most, o.exact} == {None}
            else Bounds(o.key, o.at_least, o.face, o.at_most, o.exact, tuple(o.needs.items()))
            for o in self.roll.bands
        )

    def against(self, numbers: Bindings, step: str = "") -> int:
        """The number of a step of the ladder (by default the first), or of the roll's formula."""
        for one in self.roll.ladder:
            if step in {"", one.key}:
                return one.number.value(numbers)
        return self.roll.against.value(numbers) if self.roll.against is not None else 0

    def parts(self, numbers: Bindings, trait: str = "") -> tuple[Part, ...]:
        """The summands added to the dice, by name."""
        return self.game.summands(self.roll.add, numbers, trait, self.roll.fields)

    def side(self, numbers: Bindings, label: str = "roll") -> Throw | Handful:
        """The throw of one side with these numbers. Errors: NotationError."""
        roll, add = self.roll, sum(one.value(numbers) for one in self.roll.add)
        if roll.die:
            die = self.game.dice.of(roll.die)
            return Throw(die.die, tuple(sorted(die.worth.items())), add)
        if not roll.pools:
            return thrown_of(fill(roll.dice, numbers), add, label)
        again = roll.again
        return Handful(
            tuple(
                Colour(o.key, max(0, o.dice.value(numbers)), o.sides, o.none == "lowest")
                for o in roll.pools
            ),
            tuple(Counted(o.key, o.faces, o.of, o.equals) for o in roll.counts),
            roll.keep,
            add,
            again is not None,
            again.keeps if again is not None else (),
        )

    def nothing(self, numbers: Bindings) -> str:
        """A sentence if there are no dice to throw with these numbers; otherwise ""."""
        try:
            hand = self.side(numbers)
        except NotationError:
            dice = fill(self.roll.dice, numbers)
            return f"There are no dice to throw: {self.roll.dice} is {dice} here."
        if isinstance(hand, Throw) or any(one.key == self.roll.keep for one in self.roll.counts):
            return ""
        if any(one.dice or one.lowest for one in hand.colours):
            return ""
        return "There are no dice to throw: the pool is empty."

    def arguments(
        self, ours: Bindings, theirs: Bindings, against: int | None = None
    ) -> tuple[Any, ...]:
        """The mechanic's arguments from both sides' numbers; `against` overrides the target."""
        mine = self.side(ours)
        if self.roll.opposed is not None:
            return mine, self.side(theirs, "other"), self.roll.opposed.ties, self.rungs
        return mine, self.against(ours) if against is None else against, self.rungs

    # ------------------------------------------------------------ numbers

    @property
    def untouched(self) -> Bindings:
        """The roll's own numbers, with every answer at its default."""
        asked = {one.key: one.number(one.field.default) for one in self.roll.fields}
        return {TRAIT: 0, BONUS: 0, MODIFIER: 0, **asked}

    def answering(self, numbers: Bindings, level: int, modifier: int = 0) -> Bindings:
        """All numbers of the other side of an opposed roll, with the level of its trait."""
        none = dict.fromkeys(self.untouched, 0)
        return {**numbers, **none, TRAIT: level, MODIFIER: modifier}

    # ------------------------------------------------------------ by name

    def base(self, options: Values) -> Bindings:
        """The defaults of all numbers that may be named."""
        return option_numbers(self.game, options) | self.game.lowest | self.untouched

    def named(self, options: Values, /, **named: Any) -> tuple[Any, ...]:
        """The roll's arguments from named numbers. Errors: RuleRefuses.

        The names are those in `takes`, and the keys of traits, tracks and options. For questions,
        answers such as True are allowed too.
        """
        base = self.base(options) | {one.key: 0 for one in self.game.scales}
        named = read_named(self.roll, {*(base.keys() - self.untouched), *self.takes}, named)
        for name, groups in self.chosen.items():
            if name not in named:
                titles = ", ".join(one.title for group in groups for one in group.traits)
                words = f"The roll {self.roll.key!r} needs {name}=, the level of one of these"
                raise RuleRefuses(f"{words}: {titles}.", code="roll/argument")
        for name, value in named.items():
            _NUMBER(options, name, value)
        ours = {**base, **named}
        if self.roll.trait and TRAIT not in named:
            ours[TRAIT] = ours[self.roll.trait]
        opposed = self.roll.opposed
        lowest = base.get(opposed.trait, 0) if opposed is not None else 0
        other = named.get("other_trait", lowest), named.get("other_modifier", 0)
        theirs = self.answering(base, *other)
        try:
            return self.arguments(ours, theirs, named.get("against"))
        except NotationError:
            words = self.nothing(ours) or self.nothing(theirs)
            raise RuleRefuses(words, code=NO_DICE) from None

    @cached_property
    def asks_modifier(self) -> bool:
        """Whether the GM is asked for a modifier: only if a formula uses it."""
        return self.roll.modifier and MODIFIER in self.roll.used

    @cached_property
    def takes(self) -> tuple[str, ...]:
        """The names of the roll's own numbers; `against` is the target number."""
        roll, opposed, modified = self.roll, self.roll.opposed, self.asks_modifier
        names = {
            TRAIT: roll.uses or roll.trait,
            BONUS: roll.listing,
            MODIFIER: modified,
            **dict.fromkeys((one.key for one in roll.fields), True),
            "against": roll.ladder or roll.against is not None,
            "other_trait": opposed,
            "other_modifier": opposed and modified,
        }
        return tuple(name for name, takes in names.items() if takes)

    @property
    def chosen(self) -> dict[str, list[Group]]:
        """The groups from which the sides choose traits, by the name of the level."""
        opposed = self.roll.opposed
        every = {"trait": self.roll.uses, "other_trait": opposed.uses if opposed else ()}
        return {
            name: [self.game.groups.of(o) for o in uses] for name, uses in every.items() if uses
        }

    def rolled(self) -> Rolled:
        """The roll for the library, with samples at the lowest and highest levels."""
        roll, chosen = self.roll, self.chosen.items()
        lows = {name: min(group.low for group in groups) for name, groups in chosen}
        highs = {name: max(group.high for group in groups) for name, groups in chosen}
        examples = (one for one in self.game.examples if one.roll == roll.key)
        forced = tuple(Forced(one.named, one.faces, one.gives) for one in examples)
        samples: list[Values] = [lows] if lows == highs else [lows, highs]
        samples += [one.named for one in forced if one.named not in samples]
        takes = ", ".join(f"{name}=" for name in self.takes)
        about = (
            f"{roll.title}: takes {takes or 'nothing'} and any trait, track or option by its key."
        )
        throws = self.thrown.mechanic
        asked = tuple(one.field for one in roll.fields)
        return Rolled(throws, self.named, about, tuple(samples), result_of, forced, fields=asked)


def read_named(what: Roll | Rows, known: Collection[str], named: Row) -> Row:
    """Named numbers, with the answers to questions as numbers. Errors: RuleRefuses."""
    for name in named:
        if name not in known:
            words = f"The roll {what.key!r} does not take {name!r}. It takes"
            takes = f": {', '.join(sorted(known))}" if known else " nothing"
            raise RuleRefuses(f"{words}{takes}.", code="roll/argument")
    asked = (one for one in what.fields if one.key in named)
    return named | {one.key: read_answer(one, named[one.key], "roll/argument") for one in asked}


def read_answer(one: Asked, given: object, code: str) -> int:
    """The number of an answer to a question: "yes" is 1. Errors: RuleRefuses with this code."""
    if isinstance(given, int) and 0 <= given < len(one.field.choices):
        return int(given)
    answer, problem = read_value(one.field, given)
    if problem is not None:
        raise RuleRefuses(f"{one.key}: {problem.sentence}", code=code)
    return one.number(answer)


def numbers_of_outcome(numbers: Bindings, outcome: Any) -> Bindings:
    """The numbers for the marks of a result, with the margin and the counts of an outcome."""
    return {**numbers, MARGIN: outcome.margin, **dict(getattr(outcome, "counts", ()))}
