"""A tap on a row of a sheet, then Roll: in every game each row names a roll that takes it."""

import asyncio

import pytest

from kitchentable.app.server import Server, lay_out
from kitchentable.campaign import commands as c
from kitchentable.rules import registry
from kitchentable.rules.values import GM
from kitchentable.store import MemoryStore

#: What a roll asks besides, and no row can know: whom, and what is at stake.
ASKED = {"attack": {"target": "somebody"}, "test": {"stakes": "The tide"}}
#: What the rows of the first character open in each example: move, question, answers.
ROWS = {
    "lanterns": {"try trait": "lamp, boots, hands, voice"},
    "lucky_stars": {
        "decision stat": "strength, fort, will",
        "supply supply": "me/gear/climbing-kit",
    },
    "objects": {
        "test talent": "Agile, Dangerous, Disciplined, Handy, Influential, Witty, Tough, captain "
        "of small fast ships, reader of other people's letters, swimmer",
    },
    "toast": {
        "task trait": "aesthetics, athletics, aim, attack, defense, dexterity, health, initiative, "
        "knowing, perception, social, strength, willpower",
        "task perk": "Good with rifles, Knows the Krim valley, Child of a sailor",
    },
    "toaster": {
        "task on": "attribute:physique, attribute:coordination, attribute:intellect, "
        "attribute:aura, skill:acrobatics, skill:brawl, skill:climb, skill:craft:Picking Locks, "
        "skill:dodge, skill:empathy, skill:language:Tharis, skill:perception, skill:ride, "
        "skill:stealth, skill:survival, skill:throw, skill:track, skill:weapon-skill:Crossbow, "
        "skill:weapon-skill:Knife, skill:weapon-skill:Sword",
        "attack arm": "w1, w2, w3, bare-fist, kick",
    },
}


async def _taps(name: str) -> dict[str, str]:
    """What the rows of the first character open; each is sent as its player's Roll would be."""
    server, found = Server(MemoryStore()), {}
    campaign = await lay_out(server, name)
    people = tuple(server.tables.campaign(campaign).table.in_play())
    game = server.tables.game(campaign)
    mine = next(one for one in people if one.owner != GM)
    summary = server.projections.of(campaign, mine.owner).view.summaries[mine.id]
    rows = (*summary.numbers, *summary.tags, *summary.tracks)
    for number, start in enumerate(row.starts for row in rows if row.starts is not None):
        kind = c.Propose if game.move(start.move).converses else c.MakeMove
        answers = {**ASKED.get(start.move, {}), **dict(start.answers)}
        if "target" in answers:
            answers["target"] = people[-1].id
        sent = {"seat": mine.owner, "move": start.move, "entity": mine.id, "answers": answers}
        done = await server.tables.handle(campaign, kind(id=f"tap-{number}", **sent))
        assert done.events[0].data["move"] == start.move
        for field, value in start.answers:
            told = found.setdefault(f"{start.move} {field}", [])
            told.append(value.replace(mine.id, "me"))
    server.close()
    return {asked: ", ".join(told) for asked, told in found.items()}


async def _alone(name: str) -> set[str]:
    """The kinds of events of each row's roll where nobody is the GM, sent by a player."""
    server, found = Server(MemoryStore()), set()
    campaign = await lay_out(server, name)
    table = server.tables.campaign(campaign).table
    gm = next(one.id for one in table.seats.values() if one.role == GM)
    solo = c.SetSettings(id="solo", seat=gm, settings={"gm_confirms": "solo"})
    await server.tables.handle(campaign, solo)
    people = tuple(table.in_play())
    mine = next(one for one in people if one.owner != GM)
    projection = server.projections.of(campaign, mine.owner)
    summary = projection.view.summaries[mine.id]
    asked = {one.name: one.fields for one in projection.moves(mine.id)}
    rows = (*summary.numbers, *summary.tags, *summary.tracks)
    for number, start in enumerate(row.starts for row in rows if row.starts is not None):
        kind = c.Propose if server.tables.game(campaign).move(start.move).converses else c.MakeMove
        answers = {**ASKED.get(start.move, {}), **dict(start.answers)}
        if "target" in answers:
            answers["target"] = people[-1].id
        for field in asked[start.move]:  # what has no default is asked of the player
            if field.required and field.default is None and field.choices:
                answers.setdefault(field.name, field.choices[len(field.choices) // 2].value)
        sent = {"seat": mine.owner, "move": start.move, "entity": mine.id, "answers": answers}
        more = {"throw": True} if kind is c.Propose else {}
        done = await server.tables.handle(campaign, kind(id=f"alone-{number}", **sent, **more))
        found.add(done.events[0].kind)
    server.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_where_nobody_is_the_gm_each_row_is_rolled_at_once(name: str):
    assert asyncio.run(_alone(name)) == {"move"}


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_each_row_opens_a_roll_that_takes_it(name: str):
    assert asyncio.run(_taps(name)) == ROWS[name]
