"""Steps for the GM alone change nothing on a player's table, in every game.

An evening at the ready table of each game: the GM makes anything at all and keeps it back. Where
no dice fall, every seat that is not told of a step has the same table after it as before it, or
the step is refused. Dice that fall are a fact, and so is what they do; but no word that the GM
wrote gets out with them.
"""

import asyncio
import random

import pytest

from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.views import entry_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.rules import registry
from kitchentable.store import MemoryStore
from tests.rulesets.driver import Evening, decided
from tests.rulesets.filling import Whims, filled

WORD = "Zwibelfisch"
WHIMS = Whims(words=(WORD,))
STEPS = 25


@pytest.fixture(scope="module", params=registry.names())
def ready(request: pytest.FixtureRequest) -> Evening:
    """The ready table of a game, at which nothing has happened yet."""
    server = Server(MemoryStore())
    campaign = asyncio.run(server.open_example(request.param))
    return Evening(server.tables.game(campaign), server.tables.campaign(campaign))


def anything(rng: random.Random, one: Evening, gm: str) -> c.MakeMove | None:
    """A random step hidden by the GM: a move, or the answer to a card."""
    asks = list(one.table.asks.values())
    if asks and rng.random() < 0.4:
        ask = rng.choice(asks)
        move, entity, of = one.game.move(ask.move), ask.entity, ask.id
    else:
        entity, of = rng.choice([*(e.id for e in one.table.in_play()), ""]), ""
        moves = [m for m in one.game.moves if "gm" in m.by and m.for_entity == bool(entity)]
        if not moves:
            return None
        move = rng.choice(moves)
    answers = filled(one, move, gm, entity, of, lambda field: WHIMS.value(rng, field))
    whom = "" if of else entity
    return c.MakeMove(
        id="", seat=gm, move=move.name, entity=whom, ask=of, answers=answers, audience="gm"
    )


def seen(one: Evening, seat: str):
    """All data of a seat's pages, and its entry of the last step."""
    return view_for(one.campaign, one.game, seat)


def play(ready: Evening, seed: int) -> tuple[int, int]:
    """Play a session; returns the numbers of hidden steps and of refused ones."""
    rng, source = random.Random(seed), SeededSource(seed)
    one = Evening(ready.game, ready.campaign)
    gm = next(seat.id for seat in one.table.seats.values() if seat.role == "gm")
    players = [seat for seat in one.table.seats.values() if not is_gm(seat)]
    kept = refused = 0
    for _ in range(STEPS):
        command = anything(rng, one, gm)
        if command is None:
            continue
        before = {seat.id: seen(one, seat.id) for seat in players}
        try:
            decided(one, command, source)
        except BadInput as refusal:
            refused += refusal.code == "move/would-show"
            continue
        kept += 1
        step = one.campaign.events[-1]
        for seat in players:
            if sees(step.audience, seat):
                continue
            now, told = seen(one, seat.id), entry_for(one.campaign, step, seat.id)
            assert WORD not in repr((now, told)), f"{seed}: {command}"
            if step.throw is None:
                assert (now, told) == (before[seat.id], None), f"{seed}: {command}"
    return kept, refused


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_back_shows_nowhere(ready: Evening, seed: int):
    kept, refused = play(ready, seed)
    assert kept + refused > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 200))
def test_what_is_kept_back_shows_nowhere_in_a_hundred_evenings(ready: Evening, seed: int):
    play(ready, seed)


def test_the_evenings_try_what_would_show(ready: Evening):
    tried = [play(ready, seed) for seed in range(6, 9)]
    assert all(map(any, zip(*tried, strict=True)))
