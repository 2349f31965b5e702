"""The fight run in its tracker, in every game: a wound, the next turn, another order, in words."""

from __future__ import annotations

import asyncio
import re

import pytest

from kitchentable.app.keys import new_id
from kitchentable.campaign import commands as c
from kitchentable.dice.errors import BadInput
from kitchentable.rules import registry
from tests.web.visitors import Visited, visit


def do(server: Visited, name: str, kind: type, /, **parts):
    command = kind(id=new_id(), seat=server.seats[name].id, **parts)
    return asyncio.run(server.server.tables.handle(server.campaign, command)).events[0]


def row_of(page: str, entity: str) -> str:
    return page.partition(f'data-row="{entity}"')[2].partition("</li>")[0]


def state_of(server: Visited, entity: str):
    return server.server.tables.campaign(server.campaign).table.entities[entity].state


@pytest.mark.parametrize("game", registry.names())
def test_a_wound_is_one_tap_of_the_gm_in_every_game_that_has_wounds(game: str):
    with visit(game=game) as server:
        gm = next(seat.name for seat in server.seats.values() if seat.role == "gm")
        player = next(seat.name for seat in server.seats.values() if seat.role == "player")
        do(server, gm, c.MakeMove, move="fight")
        table = server.server.tables.campaign(server.campaign).table
        fought = server.server.tables.game(server.campaign).fight(table)
        who = fought.rows[0].entity
        wound = server.server.tables.game(server.campaign).wound
        page = server.sits(gm).get(server.t).text
        assert ("Wound<span" in row_of(page, who)) == (wound is not None)
        assert "Wound<span" not in server.sits(player).get(server.t).text
        if wound is None:
            assert game in {"lucky_stars", "objects"}
            return
        before = state_of(server, who)
        said = {f"a.{name}": who if one == "{who}" else one for name, one in wound.answers}
        answer = server.sits(gm).fill(f"{server.t}/moves", move=wound.move, entity="", **said)
        assert answer.status_code == 303
        assert state_of(server, who) != before


def fighting(server: Visited) -> None:
    """A fight in which everybody has an order of their own, and three thugs stand together."""
    thugs = {"name": "Thug", "preset": "hired-hand", "importance": "minion", "count": 3}
    do(server, "GM", c.MakeMove, move="npc", answers=thugs)
    do(server, "GM", c.MakeMove, move="fight")
    faces = tuple(map(str, (9, 3, 7, 8, 4, 2, 1, 6, 5)))
    do(server, "GM", c.MakeMove, move="initiative_all", faces=faces)
    while asks := server.server.tables.campaign(server.campaign).table.asks:
        ask = next(iter(asks.values()))
        try:
            do(server, "GM", c.MakeMove, move=ask.move, ask=ask.id)
        except BadInput as refused:
            pytest.fail(str(refused))


def test_the_order_is_the_gms_to_change_and_minions_are_one_row(visited):
    fighting(visited)
    gm, mara, t = visited.sits("GM"), visited.sits("Mara"), visited.t
    order = list(visited.server.tables.campaign(visited.campaign).table.fight["order"])
    assert len(order) == 9
    first, second = order[:2]
    assert mara.fill(f"{t}/fight/order", entity=second, before=first).status_code == 403
    assert gm.fill(f"{t}/fight/order", entity=second, before=first).status_code == 303
    now = visited.server.tables.campaign(visited.campaign).table.fight["order"]
    assert now[:2] == [second, first]
    assert gm.fill(f"{t}/fight/order", entity="nobody", before=first).status_code == 400
    page = mara.get(t).text
    assert re.search(r"<b>Thug</b> \d of \d standing", page)
    assert "data-move" not in page


def test_how_badly_a_closed_foe_is_hurt_is_told_in_words_if_the_gm_likes(visited):
    fighting(visited)
    gm, mara, t = visited.sits("GM"), visited.sits("Mara"), visited.t
    serk = visited.entity("Captain Serk")
    gm.fill(f"{t}/moves", move="hurt", entity="", a__who=serk, a__cause="a fall")
    closed = row_of(mara.get(t).text, serk)
    assert "1/3" not in closed
    gm.fill(f"{t}/settings", t__foe_health="words")
    told = row_of(mara.get(t).text, serk)
    assert ("hurt" in told, "1/3" in told, 'class="track' in told) == (True, False, False)
    gm.fill(f"{t}/moves", move="hurt", entity="", a__who=serk, a__cause="a fall")
    assert "bloodied" in row_of(mara.get(t).text, serk)
    assert "2/3" in row_of(gm.get(t).text, serk)
    state = mara.get(f"{t}/api/view").json()["table"]["entities"][serk]["state"]
    assert state["wounds"] == 1, "wounded, and no more than that"
