"""People who do anything at all at a game's table: for its test that nothing breaks.

At every step somebody answers a card or makes a move, filled in at random, with dice that fall by
chance. Only refusals in sentences may come back, the game's rules hold after each step, and every
seat can look at the table, where nobody but the GM reads the name of Umbra, who is hidden.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealing import is_put_to
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.game import Actor, Field, Move
from tests.games.driver import GM, Evening, decided


def as_it_is(rng: random.Random, one: Evening, share: float) -> None:
    """Nothing comes in from outside."""


@dataclass(frozen=True)
class Anything:
    """A game's strangers.

    `set_up` lays a table for a seed, `holds` looks after each step whether the rules hold, with the
    campaign as it was before it. `words` is what people write, `largest` the greatest number they
    think of where a field has no limit. Moves in `seldom` would leave nobody to play with.
    `meanwhile` is what comes in from outside, told how much of the evening is over.
    """

    set_up: Callable[[int], Evening]
    holds: Callable[[Evening, Campaign], None]
    seats: tuple[str, ...]
    words: tuple[str, ...] = ("", "a word", "some more words")
    largest: int = 9
    seldom: frozenset[str] = frozenset()
    meanwhile: Callable[[random.Random, Evening, float], None] = as_it_is

    def play(self, seed: int, steps: int, look_every: int) -> None:
        """An evening of so many steps; at every so many of them everybody looks."""
        rng, source = random.Random(seed), SeededSource(seed)
        one = self.set_up(seed)
        done, refusals = 0, []
        for turn in range(steps):
            self.meanwhile(rng, one, turn / steps)
            command, before = self.step(rng, one), one.campaign
            try:
                decided(one, command, source)
                done += 1
            except BadInput as refused:
                refusals.append(str(refused))
            self.holds(one, before)
            if turn % look_every == 0:
                self.look(one)
        assert done > steps // 5
        assert all(refusals)

    def step(self, rng: random.Random, one: Evening) -> c.MakeMove:
        """One thing that somebody does."""
        seat = rng.choice(self.seats)
        mine = [a for a in one.asks() if is_put_to(one.table, a, one.table.seats[seat])]
        if mine and rng.random() < 0.6:
            ask = rng.choice(mine)
            answers = self.filled(rng, one.game.move(ask.move), one, seat, ask.entity, ask.id)
            return c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers)
        own = [e.id for e in one.table.in_play() if seat in {GM, e.owner}]
        who = rng.choice([*own, ""])
        doable = [
            move
            for move in one.game.moves
            if ("gm" if seat == GM else "player") in move.by
            and move.for_entity == bool(who)
            and one.why_not(seat, move.name, who) is None
            and (move.name not in self.seldom or rng.random() < 0.2)
        ]
        if not doable:
            return self.step(rng, one)
        move = rng.choice(doable)
        answers = self.filled(rng, move, one, seat, who)
        return c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers)

    def filled(
        self, rng: random.Random, move: Move, one: Evening, seat: str, entity: str, ask: str = ""
    ) -> dict[str, Any]:
        """Random answers to a move's form, for whoever's questions they are."""
        preset = dict(one.table.asks[ask].preset) if ask else {}
        answers: dict[str, Any] = {}
        for _ in range(3):
            actor = one.actor(seat, entity)
            actor = Actor(actor.seat, actor.role, actor.entity, ask)
            for field in move.fields(one.table, actor, {**preset, **answers}):
                if field.name not in answers and field.name not in preset:
                    answers[field.name] = self.value(rng, field)
        return {name: one for name, one in answers.items() if one is not None}

    def value(self, rng: random.Random, field: Field) -> Any:
        """Something that could stand in a field."""
        match field.kind:
            case "choice" | "entity":
                return rng.choice(field.choices).value if field.choices else None
            case "many":
                return [one.value for one in field.choices if rng.random() < 0.6]
            case "number":
                low = field.low or 0
                high = self.largest if field.high is None else min(field.high, self.largest)
                return rng.randint(max(low, -4), max(low, high))
            case "tick":
                return rng.random() < 0.5
            case "rows":
                many = rng.choice((0, 0, 1, 2))
                return [
                    {column.name: self.value(rng, column) for column in field.columns}
                    for _ in range(many)
                ]
            case _:
                return rng.choice(self.words)

    def look(self, one: Evening) -> None:
        """Every seat's table can be told, and a player's has no Umbra in it."""
        for seat in self.seats:
            view = view_for(one.campaign, one.game, seat)
            for entity in view.table.in_play():
                one.game.sheet.sections(view.table, entity)
                if seat in {GM, entity.owner}:
                    moves_for(view, one.game, entity.id)
            if seat != GM:
                entry = entry_for(one.campaign, one.game, one.last, seat)
                assert "Umbra" not in json.dumps([repr(view), repr(entry)])
