"""Converts a character to another game, with similar chances for its traits.

Each trait of a sheet starts a roll. The chance at the ordinary difficulty of its game is solved
exactly, and the other game's trait gets the level with the nearest chance.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from kitchentable.app.carry_sides import (
    CannotCarry,
    Side,
    Spot,
    Trait,
    chances_of,
    copied,
    has_same_name,
    means_the_same,
    strength_in,
)
from kitchentable.app.carry_words import carry_words
from kitchentable.app.characters import CharacterFile, fill_sheet
from kitchentable.rules.archetypes import Judged, Workbench, raw_of
from kitchentable.rules.moves import Question
from kitchentable.rules.values import Json

T = TypeVar("T")
#: A function and its arguments, to run in another process; the caller sends back the result.
Job: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
Steps: TypeAlias = Generator[Job, Any, T]
Chance: TypeAlias = Fraction | None

#: Limit of traits to carry over; each takes time.
MOST_TRAITS = 100
#: Limit of levels by which the traits of a duel are moved together.
_FARTHEST = 3
_NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Wishes:
    """The person's choices: a trait for each place, levels by place, and a duel to be matched.

    With `traits` None, names and chances decide the pairs; "" for a place means no trait. `duel` is
    "compare", "match", or "" for no duels.
    """

    traits: Mapping[str, str] | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    duel: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A place on the new sheet, the trait that was carried to it, and both chances.

    `wanted` is the level found before the builder's points were checked. `wished` means that the
    person set the level.
    """

    spot: Spot
    trait: Trait | None
    level: int
    wanted: int
    before: Chance
    after: Chance
    wished: bool

    @property
    def difference(self) -> Chance:
        """The new chance minus the old one."""
        if self.trait is None or self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Carried:
    """A character for another game, and how well each trait was matched.

    `answers` are its sheet as answers of its form, `rolls` the ordinary rolls of both games, `left`
    the traits without a place. `duels` are the chances to win a duel; None where one has none.
    """

    sheet: Mapping[str, Json]
    answers: Mapping[str, Json]
    matches: tuple[Match, ...]
    traits: tuple[Trait, ...]
    rolls: tuple[str, str]
    left: tuple[tuple[Trait, Chance], ...]
    duels: tuple[float, float] | None
    notes: tuple[str, ...]


def carry(told: CharacterFile, source: Side, target: Side, wishes: Wishes) -> Steps[Carried]:
    """Carry a character over; yields jobs for another process. Errors: CannotCarry."""
    one = fill_sheet(source.game, source.table, source.draft(), told.answers)
    traits = source.traits(one.sheet)
    if not traits:
        raise CannotCarry(source.no_roll)
    if len(traits) > MOST_TRAITS:
        raise CannotCarry(
            f"{told.name} has {len(traits)} traits, but at most {MOST_TRAITS} can be "
            "carried over. Remove some from the file."
        )
    sheet, wordless = carry_words(source, one.sheet, target, told.line or told.name)
    chances = yield from _solve([trait.roll.question for trait in traits])
    known = dict(zip([trait.key for trait in traits], chances, strict=True))
    bench = _Bench(target, sheet, known, wishes)
    yield from bench.pair(traits)
    if not bench.pairs and not bench.spots:
        raise CannotCarry(target.no_roll)
    mine = source.duels(one.sheet) if wishes.duel else None
    before = None
    if mine is not None and target.duels(bench.sheet()) is not None:
        before = yield strength_in, mine
    if wishes.duel == "match" and before is not None:
        yield from bench.match_duel(before)
    wanted = dict(bench.levels)
    judged = bench.fit()
    final = bench.sheet()
    chances = yield from _solve([bench.question(spot, final) for spot in bench.spots])
    theirs = target.duels(final) if before is not None else None
    after = (yield strength_in, theirs) if theirs is not None else None
    matches = tuple(
        bench.match_at(spot, wanted, chance)
        for spot, chance in zip(bench.spots, chances, strict=True)
    )
    kept = {trait.key for trait in bench.pairs.values()}
    duels = (before, after) if before is not None and after is not None else None
    return Carried(
        final,
        raw_of(judged.sections, final),
        matches,
        tuple(traits),
        (traits[0].roll.words, bench.spots[0].roll.words),
        tuple((trait, known[trait.key]) for trait in traits if trait.key not in kept),
        duels,
        tuple(_notes(judged, matches, wordless, no_duel=bool(wishes.duel) and duels is None)),
    )


def step(steps: Steps[Carried], sent: Any) -> tuple[Job | None, Carried | None]:
    """The next job, or the outcome. `sent` is the result of the job before; None at first."""
    try:
        return steps.send(sent), None
    except StopIteration as end:
        return None, end.value


def carry_at_once(steps: Steps[Carried]) -> Carried:
    """The outcome, with every job done in this thread, without a time limit."""
    job, found = step(steps, None)
    while job is not None:
        function, arguments = job
        job, found = step(steps, function(*arguments))
    assert found is not None  # noqa: S101 - the last step has it
    return found


def _notes(
    judged: Judged, matches: Sequence[Match], wordless: Sequence[str], *, no_duel: bool
) -> Iterator[str]:
    """Sentences about losses and unspent points."""
    lowered = [one.spot.label for one in matches if one.level < one.wanted]
    if lowered:
        yield f"Lowered because there are not enough points: {', '.join(lowered)}."
    parts = {one.spot.section for one in matches}
    for budget in (part.budget for part in judged.sections if part.key in parts):
        if budget is not None and budget.left > 0:
            yield f"{budget.label}: {budget.left:g} of {budget.of:g} left to spend."
        elif budget is not None and budget.left < 0:
            yield f"{budget.label}: {-budget.left:g} more than there are."
    if wordless:
        yield f"Left out because the new sheet has no place for it: {', '.join(wordless)}."
    if no_duel:
        yield "Duels are not compared because one of the two sheets has no attack."


def _solve(questions: Sequence[Question | None]) -> Steps[tuple[Chance, ...]]:
    """The chances of rolls; equal rolls are solved once."""
    asked = tuple(dict.fromkeys(one for one in questions if one is not None))
    found = yield chances_of, (asked,)
    known = dict(zip(asked, found, strict=True))
    return tuple(known[one] if one is not None else None for one in questions)


class _Bench:
    """A new sheet while traits are carried to it."""

    def __init__(
        self, side: Side, sheet: dict[str, Json], known: Mapping[str, Chance], wishes: Wishes
    ) -> None:
        self.side, self.known, self.wishes = side, known, wishes
        self.base = sheet
        self.spots: list[Spot] = side.spots(sheet)
        self.pairs: dict[str, Trait] = {}
        self.levels: dict[str, int] = {}
        self.chances: dict[str, dict[int, Fraction]] = {}

    def sheet(self, instead: Mapping[str, int] = _NONE) -> dict[str, Json]:
        """The sheet with all levels so far, some of them changed."""
        sheet = copied(self.base)
        for spot in self.spots:
            if spot.key in self.levels:
                spot.write(sheet, instead.get(spot.key, self.levels[spot.key]))
        return sheet

    def level(self, spot: Spot) -> int:
        """The level in a place; that of a blank sheet if nothing was carried to it."""
        return self.levels.get(spot.key, spot.usual)

    def question(self, spot: Spot, sheet: Mapping[str, Json]) -> Question | None:
        """The ordinary roll of a place; None for a row that is left out."""
        if spot.row is not None and spot.key not in self.pairs:
            return None
        roll = spot.roll
        return self.side.ask(self.side.playing(sheet), roll.move, roll.answers)

    def match_at(self, spot: Spot, wanted: Mapping[str, int], chance: Chance) -> Match:
        """The outcome for a place."""
        trait, level = self.pairs.get(spot.key), self.level(spot)
        return Match(
            spot,
            trait,
            level,
            wanted.get(spot.key, level),
            self.known[trait.key] if trait is not None else None,
            chance,
            spot.key in self.wishes.levels,
        )

    # ------------------------------------------------------------ pairs

    def pair(self, traits: Sequence[Trait]) -> Steps[None]:
        """Find a place for each trait, and the level there."""
        yield from self._solve(self.spots)
        chosen = self.wishes.traits
        if chosen is not None:
            by_key = {trait.key: trait for trait in traits}
            wished = {spot.key: by_key.get(chosen.get(spot.key, "")) for spot in self.spots}
            self.pairs = {key: trait for key, trait in wished.items() if trait is not None}
        else:
            self.pairs = self._by_names(traits)
        for spot in self.spots:
            self._match(spot)
        rows = list(self._rows([one for one in traits if one not in self.pairs.values()]))
        yield from self._solve(rows)
        for spot in rows:
            self._match(spot)

    def _rows(self, traits: Sequence[Trait]) -> Iterator[Spot]:
        """New rows for traits without a place, if the sheet has a list for them."""
        chosen, sheet = self.wishes.traits, self.sheet()
        for trait in traits:
            spot = self.side.row_for(trait, sheet)
            if spot is None:
                continue
            self.spots.append(spot)
            if chosen is None or chosen.get(spot.key, trait.key):
                spot.write(sheet, spot.usual)
                self.pairs[spot.key] = trait
                yield spot

    def _by_names(self, traits: Sequence[Trait]) -> dict[str, Trait]:
        """Pairs of the same name, then of the same meaning, then of the nearest chance."""
        pairs, left, free = dict[str, Trait](), list(traits), list(self.spots)
        for fits, among in (
            (has_same_name, left),
            (means_the_same, left),
            (means_the_same, traits),
        ):
            for spot in list(free):
                same = [one for one in among if fits(one.names, spot.names)]
                if same:
                    found = pairs[spot.key] = max(same, key=lambda one: self.known[one.key] or 0)
                    free.remove(spot)
                    left[:] = [one for one in left if one is not found]
        opens = any(name.kind == "text" for _, _, name, _ in self.side.lists(self.base))
        # If names match, or a trait can keep its own name in a list, chances alone would mislead.
        strange = not opens and len(pairs) * 2 <= len(self.spots)
        for trait in sorted(left, key=lambda one: -(self.known[one.key] or 0)):
            if free and strange:
                spot = min(free, key=lambda one: self._miss(one, trait))
                pairs[spot.key] = trait
                free.remove(spot)
        return pairs

    def _miss(self, spot: Spot, trait: Trait) -> Fraction:
        """The difference of the nearest chance in a place."""
        goal = self.known[trait.key] or Fraction(0)
        return min(
            (abs(one - goal) for one in self.chances[spot.key].values()), default=Fraction(1)
        )

    def _match(self, spot: Spot) -> None:
        """Set a place to the level with the nearest chance, or to the person's own choice."""
        trait, levels = self.pairs.get(spot.key), self.chances[spot.key]
        goal = self.known[trait.key] if trait is not None else None
        if goal is not None and levels:
            self.levels[spot.key] = min(
                levels, key=lambda level: (abs(levels[level] - goal), level)
            )
        wished = self.wishes.levels.get(spot.key)
        if wished is not None and spot.levels:
            self.levels[spot.key] = min(max(wished, spot.levels[0]), spot.levels[-1])

    def _solve(self, spots: Sequence[Spot]) -> Steps[None]:
        """The chance of every level of these places."""
        keys, questions = [], []
        for spot in spots:
            self.chances[spot.key] = {}
            for level in spot.levels:
                sheet = self.sheet()
                spot.write(sheet, level)
                keys.append((spot.key, level))
                questions.append(self.question(spot, sheet))
        found = yield from _solve(questions)
        for (key, level), chance in zip(keys, found, strict=True):
            if chance is not None:
                self.chances[key][level] = chance

    # ------------------------------------------------------------ duels

    def match_duel(self, goal: float) -> Steps[None]:
        """Move all traits that affect a duel together while its chance gets nearer to the goal."""
        fighting, before = [one for one in self._matched() if self._counts(one)], dict(self.levels)
        nearest = yield from self._distance(before, goal)
        up = nearest < 0
        for shift in range(1, _FARTHEST + 1):
            moved = {o.key: _moved(o, before[o.key], shift if up else -shift) for o in fighting}
            distance = yield from self._distance(moved, goal)
            if abs(distance) >= abs(nearest):
                return
            nearest = distance
            self.levels |= moved

    def _distance(self, levels: Mapping[str, int], goal: float) -> Steps[float]:
        """The chance to win a duel with these levels, minus the goal."""
        duel = self.side.duels(self.sheet(levels))
        wins = (yield strength_in, duel) if duel is not None else None
        return wins - goal if wins is not None else 0.0

    def _matched(self) -> list[Spot]:
        """The places with a carried trait and without a level that the person set."""
        wished = self.wishes.levels
        return [one for one in self.spots if one.key in self.pairs and one.key not in wished]

    def _counts(self, spot: Spot) -> bool:
        """Whether the next level of a place, up or down, changes a duel."""
        now, duel = self.levels[spot.key], self.side.duels(self.sheet())
        others = {_moved(spot, now, 1), _moved(spot, now, -1)} - {now}
        return any(self.side.duels(self.sheet({spot.key: one})) != duel for one in others)

    # ------------------------------------------------------------ points

    def fit(self) -> Judged:
        """Lower levels until the builder's points suffice, keeping the order of the traits.

        Each step takes the trait that loses least against its old chance.
        """
        bench = Workbench(self.side.game, self.side.table, self.side.draft())
        judged = bench.judge(self.sheet())
        while True:
            over = {p.key for p in judged.sections if p.budget is not None and p.budget.left < 0}
            steps = [
                (loss, spot.key, level)
                for spot in self._matched()
                if spot.section in over
                for level, loss in self._lower(spot)
            ]
            if not steps:
                return judged
            _, key, level = min(steps)
            self.levels[key] = level
            judged = bench.judge(self.sheet())

    def _lower(self, spot: Spot) -> Iterator[tuple[int, Fraction]]:
        """The next lower level of a place with its loss, if it keeps the order of the traits."""
        below = [level for level in spot.levels if level < self.levels[spot.key]]
        goal = self.known[self.pairs[spot.key].key]
        if not below or goal is None:
            return
        then = self.chances[spot.key].get(below[-1], Fraction(0))
        for other in self._matched():
            mine = self.known[self.pairs[other.key].key]
            now = self.chances[other.key].get(self.levels[other.key], Fraction(0))
            if mine is not None and mine < goal and now > then:
                return
        yield below[-1], goal - then


def _moved(spot: Spot, level: int, shift: int) -> int:
    """A level some steps higher, or as far as the place goes."""
    place = spot.levels.index(level) + shift if level in spot.levels else 0
    return spot.levels[min(max(0, place), len(spot.levels) - 1)]
