"""Long evenings in which people do anything at all: nothing breaks, and the rules hold.

At every step somebody answers a card or makes a move, filled in at random, with random faces. Only
refusals in sentences may come back; after each step karma has not grown but by criticals, and
every seat can look at the table.
"""

import json
import random

import pytest

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealing import is_put_to
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from tests.games.driver import GM, decided
from tests.games.objects.people import evening, thing

STEPS = 100


def set_up(seed):
    one = evening(
        ("ana", "ben"),
        karma_reroll=bool(seed % 2),
        karma_gm=seed % 3 == 1,
        modifier_detail=("number", "aspects")[seed % 2],
        karma_start=seed % 4,
    )
    mara = thing(one, "ana", name="Mara", talents={"agile": 3, "sails": 4, "swims": 0})
    ship = thing(one, "ben", "vehicle", "The Heron", {"fast": 5, "captain": (4, mara), "old": 2})
    umbra = thing(one, name="Umbra", kind="creature", talents={"waits": 6}, hidden=True)
    thing(one, name="The house", kind="place", talents={"hums": 4, "holds": (1, ship)})
    one.do(GM, c.Override, path=("entities", mara, "state", "karma"), now=5, reason="A gift.")
    rows = [*one.entity(ship).sheet["talents"], {"name": "odd", "level": 1, "object": umbra}]
    path = ("entities", ship, "sheet", "talents")
    one.do(GM, c.Override, path=path, now=rows, reason="It came aboard at night.")
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
            return [one.value for one in field.choices if rng.random() < 0.4]
        case "number":
            low, high = field.low or 0, 6 if field.high is None else field.high
            return rng.randint(max(low, -4), min(high, 9))
        case "tick":
            return rng.random() < 0.5
        case "rows":
            many = rng.choice((0, 0, 1, 2))
            return [{col.name: value(rng, col) for col in field.columns} for _ in range(many)]
        case _:
            return rng.choice(["", "a word", "some more words"])


def step(rng, one):
    """One thing that somebody does; a refusal in a sentence is an answer too."""
    seat = rng.choice([GM, "ana", "ben"])
    mine = [a for a in one.table.asks.values() if is_put_to(one.table, a, one.table.seats[seat])]
    if mine and rng.random() < 0.6:
        ask = rng.choice(mine)
        answers = filled(rng, one.game.move(ask.move), one, seat, ask.entity, ask.id)
        return c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers)
    own = [e.id for e in one.table.in_play() if seat in {GM, e.owner}]
    who = rng.choice([*own, ""])
    role = "gm" if seat == GM else "player"
    doable = [
        move
        for move in one.game.moves
        if role in move.by
        and move.for_entity == bool(who)
        and one.why_not(seat, move.name, who) is None
        and (move.name not in {"death", "split", "merge"} or rng.random() < 0.2)
    ]
    if not doable:
        return step(rng, one)
    move = rng.choice(doable)
    answers = filled(rng, move, one, seat, who)
    return c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers)


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    play(seed, STEPS, look_every=8)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 112))
def test_long_evenings_of_anything(seed):
    play(seed, 4 * STEPS, look_every=1)


def play(seed, steps, look_every):
    rng, source = random.Random(seed), SeededSource(seed)
    one = set_up(seed)
    done, refusals = 0, []
    for turn in range(steps):
        if len(list(one.table.in_play())) < 3:
            thing(one, rng.choice(("ana", "ben")), "idea", "Another", {"comes": 3}, karma=2)
        command, before = step(rng, one), karma_of_all(one)
        try:
            decided(one, command, source)
            done += 1
        except BadInput as refused:
            refusals.append(str(refused))
        keeps_the_rules(one, before)
        if turn % look_every == 0:
            everybody_can_look(one)
    assert done > steps // 5
    assert all(refusals)


def karma_of_all(one):
    return sum(entity.state.get("karma", 0) for entity in one.table.entities.values())


def keeps_the_rules(one, before):
    card = one.last.data.get("card") or {}
    earned = str(card.get("outcome")).startswith("critical") and one.last.throw is not None
    assert karma_of_all(one) <= before + earned
    for entity in one.table.entities.values():
        assert entity.state["karma"] >= 0
        assert entity.stage != "gone" or entity.state["karma"] == 0
        assert 0 <= entity.state["status"] <= 6
        assert all(0 <= row["level"] <= 6 for row in entity.sheet["talents"])
        assert all(row["object"] != entity.id for row in entity.sheet["talents"])
    fight = one.table.fight
    assert fight is None or all(one.entity(who).stage == "play" for who in fight["order"])


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
