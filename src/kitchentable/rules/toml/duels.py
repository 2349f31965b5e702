"""Duels of a game in a file: one against one, with one roll, to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kitchentable.dice import Dice, Mechanic, mechanic
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.game import Rolled
from kitchentable.rules.toml.dicework import order_of, thrown_of
from kitchentable.rules.toml.form import Scale
from kitchentable.rules.toml.formula import Formula, fill
from kitchentable.rules.toml.people import option_numbers
from kitchentable.rules.toml.rollform import BONUS, MARGIN, MODIFIER, TRAIT
from kitchentable.rules.toml.throws import Throwing
from kitchentable.rules.values import Json

Numbers = tuple[tuple[str, int], ...]
_SIDES = ("ours", "theirs")


@dataclass(frozen=True, slots=True, order=True)
class Duel:
    """The state of a duel: the numbers and marks of both sides, and the turn order."""

    levels: tuple[Numbers, Numbers]
    marks: tuple[tuple[int, ...], tuple[int, ...]]
    order: tuple[int, ...] = ()
    first: tuple[int, ...] = ()


@dataclass(frozen=True)
class Duelling:
    """The duels with one roll, which both sides make in turn while they can pay its costs."""

    dice: Throwing

    @property
    def ends(self) -> list[Scale]:
        """The tracks that this roll marks and that put a fighter out when full."""
        bands = self.dice.roll.bands
        marked = {key for band in bands for key in (*band.marks, *band.others_marks)}
        return [one for one in self.dice.game.scales if one.out and one.key in marked]

    def rolled(self) -> Rolled:
        """The duel for the library and the command line; its outcome is the winner."""

        def arguments(options: Mapping[str, Json], /, **named: int) -> tuple[Duel]:
            return (self.start(options, **named),)

        words = "numbers of ours by their names, of theirs with other_ before them."
        title = f"{self.dice.roll.title}, one against one to the end"
        return Rolled(self._duel(), arguments, f"{title}: {words}", ({},))

    def start(self, options: Mapping[str, Json], **named: int) -> Duel:
        """The start of a duel. Errors: RuleRefuses."""
        game, roll = self.dice.game, self.dice.roll
        base = option_numbers(game, options)
        base |= {key: group.low for key, (_, group) in game.traits.items()}
        base |= {one.key: one.number(one.field.default) for one in roll.fields}
        base |= {TRAIT: 0, BONUS: 0, MODIFIER: 0}
        theirs = {name.removeprefix("other_") for name in named if name.startswith("other_")}
        for name in {*named} - {f"other_{one}" for one in theirs} | theirs:
            if name not in base:
                words = f"The fight does not take {name!r}. It takes: {', '.join(sorted(base))}."
                raise RuleRefuses(words, code="fight/argument")
        both = [
            base | {name: value for name, value in named.items() if name in base},
            base | {name: named[f"other_{name}"] for name in theirs},
        ]
        opposed = roll.opposed
        for mine, trait in zip(both, (roll.trait, opposed.trait if opposed else ""), strict=True):
            mine[TRAIT] = mine[TRAIT] or mine.get(trait, 0)
        begin = [
            tuple(self._boxes(one, mine) if one.starts_full else 0 for one in game.scales)
            for mine in both
        ]
        ours, others = (tuple(sorted(mine.items())) for mine in both)
        return Duel((ours, others), (begin[0], begin[1]))

    def winner(self, duel: Duel) -> str:
        """The side that is left, "nobody" for none, "" while both are up."""
        scales = self.dice.game.scales
        down = [
            any(
                self._boxes(one, dict(duel.levels[place])) > 0
                and now == (0 if one.starts_full else self._boxes(one, dict(duel.levels[place])))
                for one, now in zip(scales, duel.marks[place], strict=True)
                if one.out
            )
            for place in (0, 1)
        ]
        return "" if not any(down) else "nobody" if all(down) else _SIDES[down.index(False)]

    def _boxes(self, one: Scale, numbers: Mapping[str, int]) -> int:
        return max(0, one.boxes.value(numbers))

    def _numbers(self, duel: Duel, place: int) -> dict[str, int]:
        scales = (one.key for one in self.dice.game.scales)
        return {**dict(duel.levels[place]), **dict(zip(scales, duel.marks[place], strict=True))}

    # ------------------------------------------------------------ a step

    def _duel(self) -> Mechanic[..., str]:
        @mechanic
        def duel(dice: Dice, now: Duel) -> str:
            """Fight step by step until a side is out: roll for the turn order, or act."""
            said = self.winner(now)
            if said:
                return said
            return duel(dice, self._act(dice, now) if now.order else self._order(dice, now))

        return duel

    def _order(self, dice: Dice, duel: Duel) -> Duel:
        fight = self.dice.game.fighting
        kinds, targets = set(self.dice.roll.kinds), set(self.dice.roll.targets)
        if kinds and targets and not kinds & targets:
            return replace(duel, order=(0,))  # the targets cannot make this roll themselves
        if fight is None or (duel.first and not fight.each_round):
            return replace(duel, order=duel.first or (0, 1))
        thrown = []
        for place in (0, 1):
            numbers = self._numbers(duel, place)
            add = sum(one.value(numbers) for one in fight.add)
            thrown.append((str(place), thrown_of(fill(fight.order, numbers), add, str(place))))
        first = int(order_of(dice, tuple(thrown))[0][0])
        order = (first,) * fight.actions + (1 - first,) * fight.actions
        return replace(duel, order=order, first=() if fight.each_round else order)

    def _act(self, dice: Dice, duel: Duel) -> Duel:
        who, *rest = duel.order
        numbers, theirs = self._numbers(duel, who), self._numbers(duel, 1 - who)
        roll, thrown = self.dice.roll, self.dice.thrown.mechanic
        after = replace(duel, order=tuple(rest))
        if self.dice.nothing(numbers) or any(
            formula.value(numbers) > self._has(key, numbers) for key, formula in roll.costs.items()
        ):
            return after
        if roll.opposed is not None:
            sides = self.dice.side(numbers, "roll"), self.dice.side(theirs, "other")
            outcome = thrown(dice, *sides, roll.opposed.ties, self.dice.rungs)
        else:
            against = self.dice.against(numbers)
            outcome = thrown(dice, self.dice.side(numbers, "roll"), against, self.dice.rungs)
        band = next(one for one in roll.bands if one.key == outcome.result)
        numbers[MARGIN] = outcome.margin
        numbers |= dict(getattr(outcome, "counts", ()))
        paid = {
            key: (-1 if self.dice.game.scale(key).is_spent else 1) * formula.value(numbers)
            for key, formula in roll.costs.items()
        }
        after = self._marked(after, who, numbers, band.marks, paid)
        return self._marked(after, 1 - who, numbers, band.others_marks, {})

    def _has(self, key: str, numbers: Mapping[str, int]) -> int:
        one = self.dice.game.scale(key)
        return numbers[key] if one.is_spent else self._boxes(one, numbers) - numbers[key]

    def _marked(
        self,
        duel: Duel,
        place: int,
        numbers: Mapping[str, int],
        marks: Mapping[str, Formula],
        paid: Mapping[str, int],
    ) -> Duel:
        """The duel with one side's tracks marked."""
        own, now = dict(duel.levels[place]), list(duel.marks[place])
        for index, one in enumerate(self.dice.game.scales):
            more = paid.get(one.key, 0)
            more += marks[one.key].value(numbers) if one.key in marks else 0
            now[index] = min(max(0, now[index] + more), self._boxes(one, own))
        both = list(duel.marks)
        both[place] = tuple(now)
        return replace(duel, marks=(both[0], both[1]))
