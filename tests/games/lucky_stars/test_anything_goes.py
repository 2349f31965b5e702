"""Long evenings in which people do anything at all: nothing breaks, and the rules hold.

At every step somebody answers a card or makes a move, filled in at random, with dice that fall by
chance. Only refusals in sentences may come back; after each step every seat can look at the table.
"""

import random

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealing import is_put_to
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.game import Actor
from kitchentable.games.lucky_stars.mechanics import SIZES
from kitchentable.games.lucky_stars.supplied import supplies_of
from tests.games.driver import GM, decided
from tests.games.lucky_stars.people import evening, foe, hero, stock, thing

STEPS = 80
SEATS = (GM, "ana", "ben")


def set_up(seed):
    odd = bool(seed % 2)
    one = evening(narrate=odd, contest_disadvantage=odd, gm_sets_dice=odd, show_margin=True)
    hero(one, "ana", thing("Rope", "8"), thing("Kit", "4"), level=3, strength=2, will=-1)
    hero(one, "ben", thing("Flares", "6"), level=seed % 5, fort=2)
    foe(one, thing("Powder", "6"), name="Serk", strength=3)
    foe(one, name="Umbra", hidden=True)
    stock(one, thing("Oil", "10"))
    return one


def value(rng, field):
    match field.kind:
        case "choice" | "entity":
            return rng.choice(field.choices).value if field.choices else None
        case "many":
            return [one.value for one in field.choices if rng.random() < 0.7]
        case "number":
            return rng.randint(field.low or 0, min(30, field.high or 30))
        case "tick":
            return rng.random() < 0.5
        case "rows":
            return [{c.name: value(rng, c) for c in field.columns} for _ in range(rng.randrange(3))]
        case _:
            return rng.choice(["a word", "-1/2", "Will", "2", ""])


def filled(rng, move, one, seat, entity, ask=""):
    """Random answers to a move's form."""
    preset = dict(one.table.asks[ask].preset) if ask else {}
    answers = {}
    for _ in range(3):
        actor = one.actor(seat, entity)
        actor = Actor(actor.seat, actor.role, actor.entity, ask)
        for field in move.fields(one.table, actor, {**preset, **answers}):
            if field.name not in answers and field.name not in preset:
                answers[field.name] = value(rng, field)
    return {name: one for name, one in answers.items() if one is not None}


def step(rng, one):
    seat = rng.choice(SEATS)
    mine = [a for a in one.table.asks.values() if is_put_to(one.table, a, one.table.seats[seat])]
    if mine and rng.random() < 0.5:
        ask = rng.choice(mine)
        answers = filled(rng, one.game.move(ask.move), one, seat, ask.entity, ask.id)
        return c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers)
    entity = rng.choice([e.id for e in one.table.in_play() if seat in {GM, e.owner}])
    doable = [
        move
        for move in one.game.moves
        if ("gm" if seat == GM else "player") in move.by
        and one.why_not(seat, move.name, entity if move.for_entity else "") is None
    ]
    move = rng.choice(doable)
    who = entity if move.for_entity else ""
    answers = filled(rng, move, one, seat, who)
    return c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers)


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    play(seed, STEPS, look_every=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
def test_long_evenings_of_anything(seed):
    play(seed, 5 * STEPS, look_every=1)


def play(seed, steps, look_every):
    rng, source = random.Random(seed), SeededSource(seed)
    one = set_up(seed)
    done, refusals = 0, []
    for turn in range(steps):
        try:
            decided(one, step(rng, one), source)
            done += 1
        except BadInput as refused:
            refusals.append(str(refused))
        keeps_the_rules(one)
        if turn % look_every == 0:
            everybody_can_look(one)
    assert done > steps // 5
    assert all(refusals)


def keeps_the_rules(one):
    for entity in one.table.in_play():
        assert all(supply.size in SIZES for supply in supplies_of(entity))
        for tracker in entity.state["trackers"].values():
            assert tracker["kind"] != "percent" or 0 <= tracker["value"] <= 100
    throw = one.last.throw
    if throw is not None:
        dice = [die for die in throw.trace if die["label"] in {"decision", "first", "second"}]
        assert all((die["fate"] == "exploded") <= (die["face"] == 6) for die in dice)


def everybody_can_look(one):
    for seat in (GM, "ana"):
        view = view_for(one.campaign, one.game, seat)
        for entity in view.table.in_play():
            one.game.sheet.sections(view.table, entity)
            if seat in {GM, entity.owner}:
                moves_for(view, one.game, entity.id)
        if seat != GM:
            entry = entry_for(one.campaign, one.game, one.last, seat)
            assert "Umbra" not in repr([view, entry])
