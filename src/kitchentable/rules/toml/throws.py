"""The throw of a roll in a game's file: dice, bands, arguments by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.rules import kit
from kitchentable.rules.errors import RuleRefuses
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
from kitchentable.rules.toml.form import Written
from kitchentable.rules.toml.formula import fill
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import BONUS, MODIFIER, TRAIT, Roll
from kitchentable.rules.values import Json


@dataclass(frozen=True)
class Throwing:
    """The dice of a roll, with its game."""

    game: Written
    roll: Roll

    @cached_property
    def rule(self) -> str:
        """The id of the rule."""
        return self.roll.rule

    @cached_property
    def thrown(self) -> kit.Roll[..., Any]:
        """The mechanic with its named results."""
        bands = tuple(ShownBand(o.key, o.title, o.tone, o.good) for o in self.roll.bands)
        mechanic: Any = attempt if self.roll.opposed is None else against_another
        return kit.Roll(gather if self.roll.pools else mechanic, bands, result_of)

    @cached_property
    def rungs(self) -> tuple[Rung, ...]:
        """The results, for the mechanic."""
        return tuple(
            Bounds(o.key, o.at_least, o.face, o.at_most, o.exact, tuple(o.needs.items()))
            if o.needs or o.at_most is not None or o.exact is not None
            else Rung(o.key, o.at_least, o.face)
            for o in self.roll.bands
        )

    def against(self, numbers: Mapping[str, int], step: str = "") -> int:
        """The number of a step of the ladder (by default the first), or of the roll's formula."""
        for one in self.roll.ladder:
            if step in {"", one.key}:
                return one.number.value(numbers)
        return self.roll.against.value(numbers) if self.roll.against is not None else 0

    def parts(self, numbers: Mapping[str, int], trait: str = "") -> tuple[Part, ...]:
        """The summands added to the dice, by name."""
        return tuple(
            Part(self.game.part_name(one, trait, self.roll.fields), value)
            for one in self.roll.add
            if (value := one.value(numbers))
        )

    def colours(self, numbers: Mapping[str, int]) -> dict[str, int]:
        """The number of dice of each colour."""
        return {
            one.key: max(0, one.dice.value(numbers)) or (2 if one.none else 0)
            for one in self.roll.pools
        }

    def side(self, numbers: Mapping[str, int], label: str) -> Throw | Handful:
        """The throw of one side with these numbers. Errors: NotationError."""
        roll, add = self.roll, sum(one.value(numbers) for one in self.roll.add)
        if roll.die:
            die = self.game.die(roll.die)
            return Throw(die.die, tuple(sorted(die.worth.items())), add)
        if not roll.pools:
            return thrown_of(fill(roll.dice, numbers), add, label)
        first = roll.pools[0].key
        return Handful(
            tuple(
                Colour(o.key, max(0, o.dice.value(numbers)), o.sides, o.none == "lowest")
                for o in roll.pools
            ),
            tuple(
                Counted(o.key, o.faces, o.of or (first if o.equals else ""), o.equals)
                for o in roll.counts
            ),
            roll.keep,
            add,
            roll.again is not None,
            roll.again.keeps if roll.again is not None else (),
        )

    def nothing(self, numbers: Mapping[str, int]) -> str:
        """A sentence if there are no dice to throw with these numbers; otherwise ""."""
        try:
            hand = self.side(numbers, "")
        except NotationError:
            dice = fill(self.roll.dice, numbers)
            return f"There is nothing to throw: {self.roll.dice} comes to {dice} here."
        counted = {one.key for one in self.roll.counts}
        if isinstance(hand, Throw) or self.roll.keep in counted:
            return ""
        if not any(one.dice or one.lowest for one in hand.colours):
            return "There is nothing to throw: the pool has no dice."
        return ""

    def named(self, options: Mapping[str, Json], named: Mapping[str, int]) -> tuple[object, ...]:
        """The roll's arguments from plain named numbers, for the library and the command line.

        The names are `trait`, `bonus`, `modifier` and `against` (a number, for a roll with a ladder
        or a formula), every trait and every question by its key, and for an opposed roll
        `other_trait` and `other_modifier`. Errors: RuleRefuses for a name that the roll does not
        take.
        """
        roll, game = self.roll, self.game
        base = option_numbers(game, options)
        base |= {key: group.low for key, (_, group) in game.traits.items()}
        base |= {one.key: 0 for one in game.scales}
        base |= {one.key: one.number(one.field.default) for one in roll.fields}
        known = {*base, TRAIT, BONUS, MODIFIER, "against", "other_trait", "other_modifier"}
        for name, value in named.items():
            if name not in known:
                words = f"The roll {roll.key!r} does not take {name!r}. It takes: "
                words += f"{', '.join(sorted(known))}."
                raise RuleRefuses(words, code="roll/argument")
            if type(value) is not int or abs(value) > 999:
                words = f"{name} is a whole number from -999 to 999, not {value!r}."
                raise RuleRefuses(words, code="roll/argument")
        ours = {**base, TRAIT: 0, BONUS: 0, MODIFIER: 0, **named}
        if roll.trait and TRAIT not in named:
            ours[TRAIT] = ours[roll.trait]
        mine = self.side(ours, "roll")
        if roll.opposed is not None:
            theirs = {**base, BONUS: 0}
            theirs[TRAIT] = named.get("other_trait", 0)
            theirs[MODIFIER] = named.get("other_modifier", 0)
            return (mine, self.side(theirs, "other"), roll.opposed.ties, self.rungs)
        against = named.get("against")
        return (mine, self.against(ours) if against is None else against, self.rungs)
