"""A roll of a game's file from plain numbers: its dice, the library's arguments, and duels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kitchentable.dice import Dice, NotationError, mechanic
from kitchentable.rules import kit
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.game import Forced, Rolled
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
    order_of,
    result_of,
    thrown_of,
)
from kitchentable.rules.toml.form import Scale, Written
from kitchentable.rules.toml.formula import Formula, fill
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import BONUS, MARGIN, MODIFIER, TRAIT, Roll
from kitchentable.rules.values import Json

#: Numbers by name, as the state of a duel keeps them.
Numbers = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Throwing:
    """The dice of a roll, with its game."""

    game: Written
    roll: Roll

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

    def against(self, numbers: Mapping[str, int], step: str = "") -> int:
        """The number of a step of the ladder (by default the first), or of the roll's formula."""
        for one in self.roll.ladder:
            if step in {"", one.key}:
                return one.number.value(numbers)
        return self.roll.against.value(numbers) if self.roll.against is not None else 0

    def parts(self, numbers: Mapping[str, int], trait: str = "") -> tuple[Part, ...]:
        """The summands added to the dice, by name."""
        named = (self.game.part_name(one, trait, self.roll.fields) for one in self.roll.add)
        values = (one.value(numbers) for one in self.roll.add)
        return tuple(Part(*one) for one in zip(named, values, strict=True) if one[1])

    def side(self, numbers: Mapping[str, int], label: str = "roll") -> Throw | Handful:
        """The throw of one side with these numbers. Errors: NotationError."""
        roll, add = self.roll, sum(one.value(numbers) for one in self.roll.add)
        if roll.die:
            die = self.game.die(roll.die)
            return Throw(die.die, tuple(sorted(die.worth.items())), add)
        if not roll.pools:
            return thrown_of(fill(roll.dice, numbers), add, label)
        first, again = roll.pools[0].key, roll.again
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
            again is not None,
            again.keeps if again is not None else (),
        )

    def nothing(self, numbers: Mapping[str, int]) -> str:
        """A sentence if there are no dice to throw with these numbers; otherwise ""."""
        try:
            hand = self.side(numbers)
        except NotationError:
            dice = fill(self.roll.dice, numbers)
            return f"There is nothing to throw: {self.roll.dice} comes to {dice} here."
        if isinstance(hand, Throw) or any(one.key == self.roll.keep for one in self.roll.counts):
            return ""
        if any(one.dice or one.lowest for one in hand.colours):
            return ""
        return "There is nothing to throw: the pool has no dice."

    def arguments(
        self, ours: Mapping[str, int], theirs: Mapping[str, int], against: int | None = None
    ) -> tuple[Any, ...]:
        """The mechanic's arguments from both sides' numbers; `against` is another target number."""
        mine = self.side(ours)
        if self.roll.opposed is not None:
            return mine, self.side(theirs, "other"), self.roll.opposed.ties, self.rungs
        return mine, self.against(ours) if against is None else against, self.rungs

    # ------------------------------------------------------------ by name

    def base(self, options: Mapping[str, Json]) -> dict[str, int]:
        """All numbers that may be named, as they are by default."""
        found = option_numbers(self.game, options)
        found |= {key: group.low for key, (_, group) in self.game.traits.items()}
        found |= {one.key: one.number(one.field.default) for one in self.roll.fields}
        return found | {TRAIT: 0, BONUS: 0, MODIFIER: 0}

    def named(self, options: Mapping[str, Json], /, **named: int) -> tuple[Any, ...]:
        """The roll's arguments from plain named numbers. Errors: RuleRefuses.

        The names are `trait`, `bonus`, `modifier` and `against` (a number, for a roll with a ladder
        or a formula), every trait and every question by its key, and for an opposed roll
        `other_trait` and `other_modifier`.
        """
        base = self.base(options) | {one.key: 0 for one in self.game.scales}
        known = {*base, "against", "other_trait", "other_modifier"}
        for name, value in named.items():
            if name not in known:
                words = f"The roll {self.roll.key!r} does not take {name!r}. It takes: "
                refuse(f"{words}{', '.join(sorted(known))}.", "roll/argument")
            if type(value) is not int or abs(value) > 999:
                words = f"{name} is a whole number from -999 to 999, not {value!r}."
                refuse(words, "roll/argument")
        ours = {**base, **named}
        if self.roll.trait and TRAIT not in named:
            ours[TRAIT] = ours[self.roll.trait]
        theirs = {**base, TRAIT: named.get("other_trait", 0)}
        theirs[MODIFIER] = named.get("other_modifier", 0)
        return self.arguments(ours, theirs, named.get("against"))

    def rolled(self) -> Rolled:
        """The roll for the library, with samples at the lowest and highest levels."""
        roll, lows, highs = self.roll, {}, {}
        for name, uses in (
            ("trait", roll.uses),
            ("other_trait", roll.opposed and roll.opposed.uses),
        ):
            groups = [self.game.group(key) for key in uses or ()]
            if groups:
                lows[name] = min(group.low for group in groups)
                highs[name] = max(group.high for group in groups)
        examples = (one for one in self.game.examples if one.roll == roll.key)
        forced = tuple(Forced(one.named, one.faces, one.gives) for one in examples)
        samples: list[Mapping[str, Any]] = [lows] if lows == highs else [lows, highs]
        samples += [one.named for one in forced if one.named not in samples]
        takes = ", ".join(f"{name}=" for name in (*highs, *(one.key for one in roll.fields)))
        about = f"{roll.title}: takes {takes or 'nothing'} and any trait by its key."
        throws = self.thrown.mechanic
        return Rolled(throws, self.named, about, tuple(samples), result_of, forced)


def refuse(words: str, code: str) -> None:
    """Refuse a named number. Errors: RuleRefuses, always."""
    raise RuleRefuses(words, code=code)


# ---------------------------------------------------------------- duels


@dataclass(frozen=True, slots=True, order=True)
class Duel:
    """The state of a duel: the numbers of both sides with their tracks, and the turn order."""

    sides: tuple[Numbers, ...]
    order: tuple[int, ...] = ()
    first: tuple[int, ...] = ()


@dataclass(frozen=True)
class Duelling(Throwing):
    """The duels with one roll, which both sides make in turn while they can pay its costs."""

    @property
    def ends(self) -> list[Scale]:
        """The tracks that this roll marks and that put a fighter out when full."""
        marked = {key for o in self.roll.bands for key in (*o.marks, *o.others_marks)}
        return [one for one in self.game.scales if one.out and one.key in marked]

    def rolled(self) -> Rolled:
        """The duel for the library and the command line; its outcome is the winner."""

        @mechanic
        def duel(dice: Dice, now: Duel) -> str:
            """Fight step by step until a side is out: roll for the turn order, or act."""
            up = [
                not any(o.out and o.is_full(dict(one)) for o in self.game.scales)
                for one in now.sides
            ]
            if not all(up):
                return ("ours", "theirs")[up.index(True)] if any(up) else "nobody"
            return duel(dice, self._act(dice, now) if now.order else self._order(dice, now))

        words = "numbers of ours by their names, of theirs with other_ before them."
        title = f"{self.roll.title}, one against one to the end"
        return Rolled(duel, self.start, f"{title}: {words}", ({},))

    def start(self, options: Mapping[str, Json], /, **named: int) -> tuple[Duel]:
        """The start of a duel. Errors: RuleRefuses."""
        base, sides, opposed = self.base(options), [], self.roll.opposed
        for theirs, trait in ((False, self.roll.trait), (True, opposed.trait if opposed else "")):
            mine = base | {
                name.removeprefix("other_"): value
                for name, value in named.items()
                if name.startswith("other_") is theirs
            }
            for name in mine.keys() - base.keys():
                words = f"The fight does not take {name!r}. It takes: {', '.join(sorted(base))}."
                refuse(words, "fight/argument")
            mine[TRAIT] = mine[TRAIT] or mine.get(trait, 0)
            mine |= {one.key: one.begins(mine) for one in self.game.scales}
            sides.append(tuple(sorted(mine.items())))
        return (Duel(tuple(sides)),)

    def _order(self, dice: Dice, duel: Duel) -> Duel:
        fight = self.game.fighting
        kinds, targets = set(self.roll.kinds), set(self.roll.targets)
        if kinds and targets and not kinds & targets:
            return replace(duel, order=(0,))  # the targets cannot make this roll themselves
        if fight is None or (duel.first and not fight.each_round):
            return replace(duel, order=duel.first or (0, 1))
        thrown = tuple(
            (label, fight.throw(dict(one), label))
            for label, one in zip("01", duel.sides, strict=True)
        )
        first = int(order_of(dice, thrown)[0][0])
        order = (first,) * fight.actions + (1 - first,) * fight.actions
        return replace(duel, order=order, first=() if fight.each_round else order)

    def _act(self, dice: Dice, duel: Duel) -> Duel:
        (who, *rest), sides = duel.order, [dict(one) for one in duel.sides]
        mine, theirs, scales = sides[who], sides[1 - who], self.game.scales
        costs = {key: one.value(mine) for key, one in self.roll.costs.items()}
        lacks = any(costs.get(one.key, 0) > one.to_spend(mine) for one in scales)
        if not lacks and not self.nothing(mine):
            outcome = self.thrown.mechanic(dice, *self.arguments(mine, theirs))
            band, told = self.roll.band(outcome.result), fallen(mine, outcome)
            both: tuple[tuple[dict[str, int], Mapping[str, Formula]], ...] = (
                (mine, band.marks),
                (theirs, band.others_marks),
            )
            for one in scales:
                mine[one.key] = one.marked(mine, one.paid(costs.get(one.key, 0)))
                for side, marks in both:
                    if one.key in marks:
                        side[one.key] = one.marked(side, marks[one.key].value(told))
        return replace(
            duel, sides=tuple(tuple(sorted(one.items())) for one in sides), order=tuple(rest)
        )


def fallen(numbers: Mapping[str, int], outcome: Any) -> dict[str, int]:
    """The numbers for what a result marks: with the margin and the counts of an outcome."""
    return {**numbers, MARGIN: outcome.margin, **dict(getattr(outcome, "counts", ()))}
