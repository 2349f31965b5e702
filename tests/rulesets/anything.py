"""Random actions at a game's table, to test that nothing breaks.

At every step somebody answers a card or makes a move, filled in at random, with dice that fall by
chance. Only refusals in sentences may come back, the game's rules hold after each step, every card
that waits is plain JSON, and every seat can look at the table, where nobody but the GM reads what
is secret: the name of Umbra, who is hidden.
"""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import is_put_to
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource, Source
from kitchentable.dice.errors import BadInput
from kitchentable.rules import Move
from tests.rulesets.driver import GM, Evening, decided
from tests.rulesets.filling import Whims, filled, parts_that_wait

#: A chance in full, in whose digits any number may stand.
CHANCE = re.compile(r"Fraction\([^)]*\)")


def as_it_is(rng: random.Random, one: Evening, share: float) -> None:
    """Nothing comes in from outside."""


def whichever(move: Move) -> bool:
    """Any move."""
    return True


@dataclass(frozen=True)
class Anything:
    """A game's strangers.

    `set_up` lays a table for a seed, `holds` looks after each step whether the rules hold, with the
    campaign as it was before it. Moves in `seldom` would leave nobody to play with; moves that are
    not `among` them are not made. With `talks` a roll is proposed, settled by whoever has a part in
    it, and thrown; the GM keeps some of it hidden. `meanwhile` is what comes in from outside, told
    how much of the evening is over. `secret` is what no player may read, and `done` the least share
    of steps that come to something. With `forms` everybody's sheet and moves are looked at too.
    """

    set_up: Callable[[int], Evening]
    holds: Callable[[Evening, Campaign], None]
    seats: tuple[str, ...]
    whims: Whims = Whims()  # noqa: RUF009 - a value that nobody changes
    seldom: frozenset[str] = frozenset()
    among: Callable[[Move], bool] = whichever
    talks: bool = False
    meanwhile: Callable[[random.Random, Evening, float], None] = as_it_is
    secret: re.Pattern[str] = re.compile("Umbra")
    done: float = 0.2
    forms: bool = True

    def play(self, seed: int, steps: int, look_every: int) -> None:
        """A session of this many steps; at intervals all seats are read."""
        rng, source = random.Random(seed), SeededSource(seed)
        one = self.set_up(seed)
        done, refusals, seen = 0, [], one.campaign.number
        for turn in range(steps):
            self.meanwhile(rng, one, turn / steps)
            before = one.campaign
            try:
                self.step(rng, one, source)
                done += 1
            except BadInput as refused:
                refusals.append(str(refused))
            self.holds(one, before)
            if turn % look_every == 0:
                self.look(one, seen)
                seen = one.campaign.number
        assert done > steps * self.done
        assert [one for one in refusals if not one.endswith((".", "?", "!"))] == []

    def step(self, rng: random.Random, one: Evening, source: Source) -> None:
        """One random action. Errors: BadInput for a refusal."""
        seat = rng.choice(self.seats)
        mine = [
            ask
            for ask in one.asks()
            if is_put_to(one.table, ask, one.table.seats[seat])
            and self.among(one.game.move(ask.move))
        ]
        if mine and rng.random() < 0.6:
            ask = rng.choice(mine)
            answers = filled(
                one,
                one.game.move(ask.move),
                seat,
                ask.entity,
                ask.id,
                lambda field: self.whims.value(rng, field),
            )
            answer = c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers)
            return decided(one, answer, source)
        own = [e.id for e in one.table.in_play() if seat in {GM, e.owner}]
        who = rng.choice([*own, ""])
        doable = [
            move
            for move in one.game.moves
            if ("gm" if seat == GM else "player") in move.by
            and move.for_entity == bool(who)
            and self.among(move)
            and one.why_not(seat, move.name, who) is None
            and (move.name not in self.seldom or rng.random() < 0.2)
        ]
        if not doable:
            return self.step(rng, one, source)
        move = rng.choice(doable)
        if self.talks and move.converses:
            return self.converse(rng, one, source, seat, move, who)
        answers = filled(one, move, seat, who, "", lambda field: self.whims.value(rng, field))
        return decided(
            one, c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers), source
        )

    def converse(
        self, rng: random.Random, one: Evening, source: Source, seat: str, move: Move, who: str
    ) -> None:
        """A roll from its proposal to its throw; each party fills in what is theirs."""
        answers = filled(
            one,
            move,
            seat,
            who,
            "",
            lambda field: self.whims.value(rng, field),
            lambda field: field.set_by == "actor",
        )
        wanted = c.Propose(id="", seat=seat, move=move.name, entity=who, answers=answers)
        decided(one, wanted, source)
        roll = next(reversed(one.campaign.tree["proposals"]))
        try:
            for party, theirs in parts_that_wait(one, roll):
                said = {field.name: self.whims.value(rng, field) for field in theirs}
                hidden = tuple(
                    field.name
                    for field in theirs
                    if field.hideable and party == GM and rng.random() < 0.4
                )
                given = {name: value for name, value in said.items() if value is not None}
                part = c.Settle(id="", seat=party, proposal=roll, answers=given, hidden=hidden)
                decided(one, part, source)
            decided(one, c.Throw(id="", seat=seat, proposal=roll), source)
        finally:
            if roll in one.campaign.tree["proposals"]:
                decided(one, c.Withdraw(id="", seat=seat, proposal=roll), source)

    def look(self, one: Evening, since: int) -> None:
        """Every seat's table and news can be told, and a player's have nothing secret in them."""
        for ask in one.table.asks.values():
            assert json.loads(json.dumps(dict(ask.preset))) == dict(ask.preset)
        for seat in self.seats:
            view = view_for(one.campaign, one.game, seat)
            moves_for(view, one.game)
            for entity in view.table.in_play() if self.forms else ():
                one.game.sheet.sections(view.table, entity)
                if seat in {GM, entity.owner}:
                    moves_for(view, one.game, entity.id)
            news = [entry_for(one.campaign, event, seat) for event in one.campaign.events[since:]]
            if seat != GM:
                assert not self.secret.search(CHANCE.sub("", repr((view, news))))
