"""The fights of a game in a file for forecasts, with the file's rolls, costs and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from kitchentable.dice import Dice, NotationError, mechanic
from kitchentable.rules.combat import Battle, Combatant, Fought
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.kit.combatants import CODE, AtTable, battle_of
from kitchentable.rules.kit.formula import Bindings, sums_of
from kitchentable.rules.kit.moves import Ruleset
from kitchentable.rules.kit.schema import Many
from kitchentable.rules.table import Table
from kitchentable.rules.toml.dicework import side
from kitchentable.rules.toml.form import Fighting, Scale, Written
from kitchentable.rules.toml.people import Body, is_of, of_kind, option_numbers, own_tracks
from kitchentable.rules.toml.rollform import BONUS, MODIFIER, TRAIT, Opposed, Roll
from kitchentable.rules.toml.throws import Throwing, numbers_of_outcome, read_answer
from kitchentable.rules.values import GM, Values

_MANY = re.compile(r"(\d{1,2})x", re.IGNORECASE)
_NUMBER = re.compile(r"([a-z]\w*)=(-?\d{1,3})")


def fights_of(game: Written) -> dict[str, Fought]:
    """The fights of a game by name."""
    if game.fighting is None:
        return {}
    small, none = copy(game), Many[Any]()
    small.rules = small.chapters = small.people = small.archetypes = small.examples = none
    small.playthrough = ""
    return Battles(small, game.fighting).fought()


class Fighter(NamedTuple):
    """The facts of a combatant that no action changes: kind, roll, numbers.

    `order` is the number for the turn order if it was thrown for the whole fight.
    """

    kind: str
    roll: str
    levels: tuple[tuple[str, int], ...]
    order: int | None = None


@dataclass(frozen=True)
class Battles:
    """The fights of a game with [fight]: each combatant makes one roll, without extras.

    A health is one number that encodes the boxes left on each track that actions can change, with
    deadly tracks first; 0 means out.
    """

    game: Written
    way: Fighting

    @cached_property
    def rolls(self) -> dict[str, Throwing]:
        """The rolls of a fight, by key."""
        return {one.key: Throwing(self.game, one) for one in self.game.rolls if one.fight}

    @cached_property
    def _changed_tracks(self) -> list[Scale]:
        """The tracks that actions change."""
        rolls = [one.roll for one in self.rolls.values()]
        changed = {key for one in rolls for key in (*one.costs, *dict(one.marks))}
        return [one for one in self.game.scales if one.key in changed]

    @cached_property
    def tracks(self) -> tuple[Scale, ...]:
        """The changed tracks that count in a fight, deadly ones first."""
        rolls = [one.roll for one in self.rolls.values()]
        named = {name for one in rolls for name in (*one.used, *one.costs)}
        count = [one for one in self._changed_tracks if one.out or one.key in named]
        return tuple(sorted(count, key=lambda one: not one.out))

    def fought(self) -> dict[str, Fought]:
        """The fight by its name; none if no roll puts fighters out or if marks change the order."""
        order = {name for one in (*sums_of(self.way.order), *self.way.add) for name in one.names()}
        if not any(one.out for one in self.tracks) or order & {
            one.key for one in self._changed_tracks
        }:
            return {}

        @mechanic
        def turn(dice: Dice, mine: Fighter) -> int:
            """The number for the turn order."""
            if mine.order is not None:
                return mine.order
            total, _ = side(dice, self.way.throw(dict(mine.levels), "0"), "0")
            return total or 0

        @mechanic
        def action(
            dice: Dice, mine: Fighter, health: int, theirs: Fighter, their_health: int
        ) -> tuple[int, int]:
            """Both healths after the actions of a turn."""
            ours, others = self.numbers(mine, health), self.numbers(theirs, their_health)
            for _ in range(self.way.actions):
                now = self.health(mine, ours), self.health(theirs, others)
                if all(now):
                    self._act(dice, mine, ours, theirs, others)
            return self.health(mine, ours), self.health(theirs, others)

        words = (
            "A fight to the end: ours= and theirs= as numbers by their names, such as "
            f"{self._example()}. Write 3x before three such fighters, and commas between others."
        )
        made = Fought(
            turn, None, action, lambda theirs, health, outcome: health, self.start, words,
            ({"ours": f"{self._kinds[0]} {self._example()}", "theirs": self._kinds[1]},),
            f"{self.tracks[0].title} that {{}} could still take",
            self.people.standing, self.people.gather, self.weapons,
            assumes="Everybody makes their first roll on their best trait, without extras.",
            clash=action, reaches=self.reaches, left=self.left, set_left=self.set_left,
        )  # fmt: skip
        return {"fight": made}

    # ------------------------------------------------------------ healths

    def _tracks_of(self, one: Fighter) -> list[tuple[Scale, int, bool]]:
        """The tracks of a health, each with its boxes and whether it can put the combatant out."""
        levels, kind = dict(one.levels), one.kind
        both = ((scale, scale.most(levels)) for scale in self.tracks)
        return [(o, most, o.out and most > 0 and is_of(o, kind)) for o, most in both]

    def health(self, one: Fighter, numbers: Bindings) -> int:
        """The health with these marks; 0 if a track puts the combatant out."""
        found, tracks = 0, self._tracks_of(one)
        for scale, most, deadly in tracks:
            left = scale.ahead(numbers)
            if deadly and not left:
                return 0
            found = found * (most + 1) + left
        return found + _offset(tracks)

    def numbers(self, one: Fighter, health: int) -> Bindings:
        """All numbers for formulas at a health."""
        numbers, tracks = dict(one.levels), self._tracks_of(one)
        (first, boxes, _), *others = tracks
        rest = health - _offset(tracks)
        for scale, most, _ in reversed(others):
            rest, left = divmod(rest, most + 1)
            numbers[scale.key] = scale.with_ahead(most, left)
        numbers[first.key] = first.with_ahead(boxes, rest)
        return numbers

    def left(self, one: Fighter, health: int) -> int:
        """The number of boxes left on the first track."""
        return self.tracks[0].ahead(self.numbers(one, health)) if health else 0

    def set_left(self, one: Fighter, health: int, left: int) -> int:
        """The health with this many boxes left on the first track, even more than it has."""
        (first, most, _), *_ = self._tracks_of(one)
        marks = first.with_ahead(most, left)
        return self.health(one, {**self.numbers(one, health), first.key: marks})

    # ------------------------------------------------------------ actions

    def reaches(self, mine: Fighter, theirs: Fighter) -> bool:
        """Whether a combatant's roll can have this foe as its target."""
        throwing = self.rolls.get(mine.roll)
        return throwing is not None and throwing.roll.goes_at(theirs.kind)

    def _act(
        self, dice: Dice, mine: Fighter, ours: Bindings, theirs: Fighter,
        others: Bindings,
    ) -> None:  # fmt: skip
        """Make one roll: pay its costs and mark both; without effect if that is impossible."""
        throwing, seen = (
            self.rolls[mine.roll],
            (self._within_boxes(ours), self._within_boxes(others)),
        )
        roll, opposed, game = throwing.roll, throwing.roll.opposed, self.game
        numbers = {**throwing.untouched, TRAIT: _level_of(game, ours, roll), **seen[0]}
        level = _level_of(game, others, opposed) if opposed is not None else 0
        answer = throwing.answering(seen[1], level, others.get(MODIFIER, 0))
        my_tracks, their_tracks = (of_kind(game.scales, one.kind) for one in (mine, theirs))
        costs = own_tracks(my_tracks, roll.costs, numbers)
        lacks = any(cost > scale.to_spend(ours) for scale, cost in costs)
        if lacks or throwing.nothing(numbers) or (opposed and throwing.nothing(answer)):
            return
        outcome = throwing.thrown.mechanic(dice, *throwing.arguments(numbers, answer))
        band, told = roll.bands.of(outcome.result), numbers_of_outcome(numbers, outcome)
        marks = [(ours, scale, scale.paid(cost)) for scale, cost in costs]
        marks += [(ours, *each) for each in own_tracks(my_tracks, band.marks, told)]
        marks += [(others, *each) for each in own_tracks(their_tracks, band.others_marks, told)]
        for side_of, scale, more in marks:
            now, most = side_of[scale.key], scale.most(side_of)
            side_of[scale.key] = min(max(min(0, now), now + more), max(most, now))

    def _within_boxes(self, numbers: Bindings) -> Bindings:
        """The numbers for formulas: marks of the first track stay within its boxes."""
        first = self.tracks[0]
        return {**numbers, first.key: min(max(0, numbers[first.key]), first.most(numbers))}

    # ------------------------------------------------------------ battles

    @property
    def _kinds(self) -> tuple[str, str]:
        """The kinds that fight by default: the players' kind, and a kind that its roll targets."""
        fatal = [o for o in self.game.kinds if any(t.out and is_of(t, o.key) for t in self.tracks)]
        players = [one.key for one in fatal if one.made_by != GM]
        gms = [one.key for one in fatal if one.made_by == GM]
        first = (*players, *gms)[0]
        roll = self.rolls.get(self._roll_of(first))
        foes = (one for one in (*gms, *players) if roll is None or roll.roll.goes_at(one))
        return first, next(foes, first)

    def _roll_of(self, kind: str) -> str:
        """The first roll of a fight that all entities of a kind may make, or ""."""
        open_ones = (o.roll for o in self.rolls.values() if not (o.roll.playbook or o.roll.picked))
        return next((one.key for one in open_ones if is_of(one, kind)), "")

    def _example(self) -> str:
        """An example of a named number: the trait of the first roll."""
        roll = self.rolls[self._roll_of(self._kinds[0]) or next(iter(self.rolls))].roll
        keys = [roll.trait] if roll.trait else [one.key for one in self.game.picks(roll.uses)]
        return f"{next(iter(keys), next(iter(self.game.traits), MODIFIER))}=1"

    def start(self, options: Values, *, ours: str, theirs: str) -> Battle:
        """A battle from words: "2x arms=3 wheels=1, rival arms=2". Errors: RuleRefuses."""
        fighters: list[Combatant] = []
        for name, said, kind in (
            ("ours", ours, self._kinds[0]),
            ("theirs", theirs, self._kinds[1]),
        ):
            for words in str(said).split(","):
                fighters += self._read(name, words.split(), kind, options)
        battle = battle_of(fighters, anew=self.way.each_round)
        if not self._may_order(one.numbers for one in fighters):
            raise RuleRefuses(
                f"A fighter has no dice to throw for the turn order: {self.way.order}.", code=CODE
            )
        return battle

    def _read(self, name: str, words: list[str], kind: str, options: Values) -> list[Combatant]:
        many, roll = 1, ""
        numbers = option_numbers(self.game, options) | self.game.lowest
        kinds = {one.key for one in self.game.kinds}
        fields = {one.key: one for o in self.rolls.values() for one in o.roll.fields}
        tracks = (one.key for one in self.game.scales)
        takes = {*numbers, *tracks, TRAIT, BONUS, MODIFIER, *fields}
        for word in words:
            if found := _MANY.fullmatch(word):
                many = int(found[1])
            elif word in kinds:
                kind = word
            elif word in self.rolls:
                roll = word
            elif (found := _NUMBER.fullmatch(word)) and found[1] in takes:
                key, value = found[1], int(found[2])
                asked = fields.get(key)
                numbers[key] = read_answer(asked, value, CODE) if asked is not None else value
            else:
                known = ", ".join(sorted({*takes, *kinds, *self.rolls}))
                told = f"{name} does not take {word!r}. Write 3x for three, a number such as"
                raise RuleRefuses(
                    f"{told} {self._example()}, a kind or a roll. Choose from: {known}.", code=CODE
                )
        for scale in self.game.scales:
            begins = numbers.get(scale.key, scale.begins(numbers))
            numbers[scale.key] = min(max(0, begins), scale.most(numbers))
        one = Fighter(kind, roll or self._roll_of(kind), tuple(numbers.items()))
        health, called = self.health(one, numbers), " ".join(words) or kind
        return [Combatant(name, one, health, called)] * many

    def _may_order(self, fighters: Iterable[Any]) -> bool:
        """Whether everybody has dice to throw for the order."""
        try:
            for one in fighters:
                self.way.throw(dict(one.levels), "0")
        except NotationError:
            return False
        return True

    def _at_table(self, one: Body) -> tuple[Fighter, int] | None:
        """An entity's fighter and health; None if numbers are hidden or dice are missing."""
        if not one.is_known:
            return None
        theirs = (key for key, o in self.rolls.items() if not one.lacks_move(o.roll))
        order = (one.table.fight or {}).get("order") or []
        place = -order.index(one.id) if one.id in order and not self.way.each_round else None
        numbers = one.numbers()
        levels = tuple(numbers.items())
        fighter = Fighter(one.entity.kind, next(theirs, ""), levels, place)
        # A track that no roll of a fight changes is not part of the health.
        health = 0 if one.is_out else self.health(fighter, numbers)
        return (fighter, health) if not health or self._may_order((fighter,)) else None

    @property
    def people(self) -> AtTable[Body]:
        """The entities at a table as combatants."""
        rules = Ruleset(partial(Body, self.game), dict)
        return AtTable(rules, self._at_table, lambda options: {"anew": self.way.each_round})

    def weapons(self, table: Table, who: str) -> dict[str, Fighter]:
        """An entity's numbers with each roll of a fight that it can make."""
        one = self.people.rules.at(table).find(who)
        if one is None or (found := self._at_table(one)) is None:
            return {}
        rolls = (each.roll for each in self.rolls.values() if not one.lacks_move(each.roll))
        return {roll.title: found[0]._replace(roll=roll.key) for roll in rolls}


def _offset(tracks: Sequence[tuple[Scale, int, bool]]) -> int:
    """The number added to a health, so that a health of 0 always means out."""
    return 0 if any(deadly for *_, deadly in tracks) else 1


def _level_of(game: Written, numbers: Bindings, side_of: Roll | Opposed) -> int:
    """The level of a side's trait: named, fixed, or the best of its groups."""
    if TRAIT in numbers or side_of.trait:
        return numbers[TRAIT if TRAIT in numbers else side_of.trait]
    return max((numbers[one.key] for one in game.picks(side_of.uses)), default=0)
