"""Long evenings in which people do anything at all: nothing breaks, and the rules hold.

At every step somebody answers a card or makes a move, filled in at random, with random faces. Only
refusals in sentences may come back; after each step every seat can look at the table.
"""

import json
import random

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealing import is_put_to
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.games.toast.character import capacity, condition, wounds
from tests.games.driver import GM, decided
from tests.games.toast.people import evening, foe, hero, spread

STEPS = 100


def set_up(seed):
    one = evening(("ana", "ben", "cai"), initiative_perk=bool(seed % 2))
    for player in ("ana", "ben", "cai"):
        hero(one, player, "Sly", "Good with rifles", **{**spread(one), "aim": seed % 10})
    foe(one, name="Serk", kind="lieutenant", **spread(one))
    foe(one, name="Guard")
    foe(one, name="Umbra", hidden=True, open=False)
    return one


def filled(rng, move, one, seat, entity, ask=""):
    """Random answers to a move's form, for whoever's questions they are."""
    preset = dict(one.table.asks[ask].preset) if ask else {}
    answers = {}
    for _ in range(3):
        actor = one.actor(seat, entity)
        actor = type(actor)(actor.seat, actor.role, actor.entity, ask)
        for field in move.fields(one.table, actor, {**preset, **answers}):
            if field.name not in answers and field.name not in preset:
                answers[field.name] = value(rng, field)
    return {name: one for name, one in answers.items() if one is not None}


def value(rng, field):
    match field.kind:
        case "choice" | "entity":
            return rng.choice(field.choices).value if field.choices else None
        case "many":
            return [one.value for one in field.choices if rng.random() < 0.7]
        case "number":
            return rng.randint(field.low or 0, min(field.high or 9, 9))
        case "tick":
            return rng.random() < 0.5
        case _:
            return rng.choice(["", "a word", "some more words"])


def step(rng, one):
    """One thing that somebody does; a refusal in a sentence is an answer too."""
    seat = rng.choice([GM, "ana", "ben", "cai"])
    mine = [a for a in one.table.asks.values() if is_put_to(one.table, a, one.table.seats[seat])]
    if mine and rng.random() < 0.7:
        ask = rng.choice(mine)
        answers = filled(rng, one.game.move(ask.move), one, seat, ask.entity, ask.id)
        return seat, c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers)
    own = [e.id for e in one.table.in_play() if seat in {GM, e.owner}]
    entity = rng.choice(own)
    doable = [
        move
        for move in one.game.moves
        if ("gm" if seat == GM else "player") in move.by
        and one.why_not(seat, move.name, entity if move.for_entity else "") is None
    ]
    if not doable:
        return step(rng, one)
    move = rng.choice(doable)
    who = entity if move.for_entity else ""
    answers = filled(rng, move, one, seat, who)
    return seat, c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers)


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    play(seed, STEPS, look_every=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 112))
def test_long_evenings_of_anything(seed):
    play(seed, 5 * STEPS, look_every=1)


def play(seed, steps, look_every):
    rng, source = random.Random(seed), SeededSource(seed)
    one = set_up(seed)
    done, refusals = 0, []
    for turn in range(steps):
        if turn == steps * 3 // 4:
            one.do(GM, c.CloseSession)
        _, command = step(rng, one)
        try:
            decided(one, command, source)
            done += 1
        except BadInput as refused:
            refusals.append(str(refused))
        keeps_the_rules(one)
        if turn % look_every == 0:
            everybody_can_look(one)
    assert done > steps // 5
    assert all(refusals)


def keeps_the_rules(one):
    consents = {
        event.data["entity"]
        for event in one.campaign.events
        if event.data.get("move") == "consent" and event.data["answers"]["answer"] == "yes"
    }
    for entity in one.table.in_play():
        most = capacity(one.table, entity)
        assert wounds(entity) >= 0
        assert condition(entity) != "dead" or not entity.is_players or entity.id in consents
        assert all(level >= 0 for level in entity.sheet["traits"].values())
        if condition(entity) == "down":
            assert any(a.move == "fate" and a.entity == entity.id for a in one.asks())
        assert wounds(entity) <= max(most, 4)
    fight = one.table.fight
    if fight and fight["turn"]:
        assert fight["phase"] == "turns"
        assert condition(one.entity(fight["turn"])) == "awake"


def everybody_can_look(one):
    for seat in (GM, "ana"):
        view = view_for(one.campaign, one.game, seat)
        for entity in view.table.in_play():
            one.game.sheet.sections(view.table, entity)
            if seat in {GM, entity.owner}:
                moves_for(view, one.game, entity.id)
        if seat != GM:
            entry = entry_for(one.campaign, one.game, one.last, seat)
            assert "Umbra" not in json.dumps([repr(view), repr(entry)])
