"""People doing anything at all, under any settings of this chapter: nothing breaks, nothing leaks.

Only refusals in sentences may come back; luck never goes below nothing, every card that waits is
plain JSON, and every seat can look at the table after each step.
"""

import json
import random
import re

import pytest
from msgspec.structs import replace

from kitchentable.campaign import commands as c
from kitchentable.campaign.conversations import read_talk, waits_on, whose
from kitchentable.campaign.paths import record
from kitchentable.campaign.state import evolve
from kitchentable.campaign.views import entry_for, moves_for, view_for
from kitchentable.dice import SeededSource
from kitchentable.dice.errors import BadInput
from kitchentable.game.moves import Change
from kitchentable.games.toaster.actions.moves import MOVES
from kitchentable.games.toaster.options import actions, dice
from tests.games.driver import GM, decided
from tests.games.toaster.doing import ATTRIBUTES, evening, foe, hero, state

STEPS = 20
NAMES = {move.name for move in MOVES}
#: Somebody hidden by name; and the ranks, trained or not, of somebody closed, with any die.
SECRET = re.compile(r"Umbra|\b(3[5-9]\d|1[89]\d)\b")
CHANCE = re.compile(r"Fraction\([^)]*\)")


def settings(rng):
    chosen = {}
    for option in (*actions.OPTIONS, *dice.OPTIONS):
        field = option.field
        if field.kind == "tick":
            chosen[field.name] = rng.random() < 0.6
        elif field.kind == "choice":
            chosen[field.name] = rng.choice(field.choices).value
        elif field.name == "nines_limit":
            chosen[field.name] = rng.choice([0, 1, 2])
    return chosen


def set_up(rng):
    one = evening(mental_wound_penalty=rng.choice(["full", "half"]), **settings(rng))
    skills = {"climb": 6, "act": 4, "lip_reading": 3, "language__Latin": 4, "teach": 5}
    people = [
        hero(one, "ana", tuple(rng.randint(0, 9) for _ in range(4)), **skills),
        hero(one, "ben", stealth=7, swim=2),
        foe(one, "Guard", open=True, perception=5),
        foe(one, "Umbra", hidden=True, perception=9),
        foe(one, "Warden"),
    ]
    mighty(one, people[-1], 371)
    state(one, people[0], xp=9, wounds=[{"n": 1, "area": "", "cause": "attack"}])
    return one


def mighty(one, who, rank):
    """Ranks that no other number of the evening comes near, and that no form would take."""
    path = ("entities", who, "sheet", "attributes")
    changes, _ = record(one.campaign.tree, [Change(path, dict.fromkeys(ATTRIBUTES, rank))])
    number = one.campaign.number + 1
    event = replace(one.last, number=number, command=f"c{number}", audience=GM, changes=changes)
    one.campaign = evolve(one.campaign, event)
    assert one.entity(who).sheet["attributes"]["aura"] == rank


def value(rng, field):
    match field.kind:
        case "choice" | "entity":
            return rng.choice(field.choices).value if field.choices else None
        case "many":
            return [one.value for one in field.choices if rng.random() < 0.6]
        case "number":
            return rng.randint(
                max(field.low or 0, -9), min(9 if field.high is None else field.high, 9)
            )
        case "tick":
            return rng.random() < 0.5
        case "rows":
            return [{"why": "a whim", "value": rng.randint(-3, 3)}] if rng.random() < 0.3 else []
        case _:
            return rng.choice(["", "a word", "some more words"])


def filled(rng, fields_for, mine):
    """Random answers to those questions that are mine, asked again as they open others."""
    answers = {}
    for _ in range(3):
        for field in fields_for(answers):
            if field.name not in answers and mine(field):
                given = value(rng, field)
                if given is not None:
                    answers[field.name] = given
    return answers


def answer_card(rng, one, source):
    ask = rng.choice([a for a in one.table.asks.values() if a.move in NAMES])
    owner = one.entity(ask.entity).owner if ask.to[0].startswith("owner:") else "gm"
    seat = GM if owner == "gm" else owner
    actor = one.actor(seat, ask.entity)
    actor = type(actor)(actor.seat, actor.role, actor.entity, ask.id)
    move = one.game.move(ask.move)
    answers = filled(
        rng,
        lambda so_far: move.fields(one.table, actor, {**ask.preset, **so_far}),
        lambda field: field.name not in ask.preset,
    )
    decided(one, c.MakeMove(id="", seat=seat, move=ask.move, ask=ask.id, answers=answers), source)


def converse(rng, one, source, move, entity):
    """A roll from its proposal to its throw; each party fills in what is theirs at random."""
    seat = one.entity(entity).owner
    seat = GM if seat == "gm" else seat
    actor = one.actor(seat, entity)
    answers = filled(
        rng,
        lambda so_far: move.fields(one.table, actor, so_far),
        lambda field: field.set_by == "actor",
    )
    decided(
        one, c.Propose(id="", seat=seat, move=move.name, entity=entity, answers=answers), source
    )
    roll = next(reversed(one.campaign.tree["proposals"]))
    try:
        settle(rng, one, source, roll)
        decided(one, c.Throw(id="", seat=seat, proposal=roll), source)
    finally:
        if roll in one.campaign.tree["proposals"]:
            decided(one, c.Withdraw(id="", seat=seat, proposal=roll), source)


def settle(rng, one, source, roll):
    for _ in range(4):
        talk = read_talk(one.game, roll, one.campaign.tree["proposals"][roll])
        waiting = waits_on(talk, one.table, one.campaign.settings)
        if not waiting:
            return
        party = waiting[0]
        who = whose(talk, one.table, party)
        asked = {f.name: f for f in talk.fields(one.table)}
        theirs = [
            f
            for f in asked.values()
            if f.set_by == party and whose(talk, one.table, f.set_by) == who
        ]
        given = {f.name: v for f in theirs if (v := value(rng, f)) is not None}
        hidden = tuple(f.name for f in theirs if f.hideable and who == "gm" and rng.random() < 0.4)
        seat = GM if who == "gm" else who
        command = c.Settle(id="", seat=seat, proposal=roll, answers=given, hidden=hidden)
        decided(one, command, source)


def act(rng, one, source):
    if one.asks() and rng.random() < 0.6:
        return answer_card(rng, one, source)
    entity = rng.choice(list(one.table.entities))
    owner = one.entity(entity).owner
    seat = GM if owner == "gm" else owner
    role = "gm" if seat == GM else "player"
    doable = [
        move
        for move in MOVES
        if role in move.by
        and one.why_not(seat, move.name, entity if move.for_entity else "") is None
    ]
    move = rng.choice(doable)
    if move.converses:
        return converse(rng, one, source, move, entity)
    who = entity if move.for_entity else ""
    actor = one.actor(seat, who)
    answers = filled(rng, lambda so_far: move.fields(one.table, actor, so_far), lambda field: True)
    command = c.MakeMove(id="", seat=seat, move=move.name, entity=who, answers=answers)
    return decided(one, command, source)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.rule("toaster.1.optional-rules-are-switches")
def test_anybody_does_anything(seed):
    rng, source = random.Random(seed), SeededSource(seed)
    one = set_up(rng)
    done, refusals = 0, []
    for _ in range(STEPS):
        before = one.campaign.number
        try:
            act(rng, one, source)
            done += 1
        except BadInput as refused:
            refusals.append(str(refused))
        for entity in one.table.entities.values():
            assert entity.state["luck"] >= 0
        for ask in one.table.asks.values():
            assert json.loads(json.dumps(dict(ask.preset))) == dict(ask.preset)
        for seat in (GM, "ana", "ben"):
            view = view_for(one.campaign, one.game, seat)
            moves_for(view, one.game)
            news = [
                entry_for(one.campaign, one.game, event, seat)
                for event in one.campaign.events
                if event.number > before
            ]
            if seat != GM:
                assert not SECRET.search(CHANCE.sub("", repr((view, news))))
    assert done > STEPS // 3
    assert all(words.endswith((".", "?", "!")) for words in refusals)
