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


def do(visited: Visited, name: str, kind: type, /, **parts):
    command = kind(id=new_id(), seat=visited.seats[name].id, **parts)
    return asyncio.run(visited.server.tables.handle(visited.campaign, command)).events[0]


def row_of(page: str, entity: str) -> str:
    return page.partition(f'data-row="{entity}"')[2].partition("</li>")[0]


def state_of(visited: Visited, entity: str):
    return visited.server.tables.campaign(visited.campaign).table.entities[entity].state


@pytest.mark.parametrize("game", registry.names())
def test_a_wound_is_one_tap_of_the_gm_in_every_game_that_has_wounds(game: str):
    with visit(game=game) as visited:
        gm = next(seat.name for seat in visited.seats.values() if seat.role == "gm")
        player = next(seat.name for seat in visited.seats.values() if seat.role == "player")
        do(visited, gm, c.MakeMove, move="fight")
        table = visited.server.tables.campaign(visited.campaign).table
        fought = visited.server.tables.game(visited.campaign).fight(table)
        who = fought.rows[0].entity
        wounds = visited.server.tables.game(visited.campaign).wounds
        page = visited.sits(gm).get(visited.t).text
        assert ("+1 " in row_of(page, who)) == bool(wounds)
        assert "+1 " not in row_of(visited.sits(player).get(visited.t).text, who)
        if not wounds:
            assert game in {"lucky_stars", "objects"}
            return
        (wound,) = wounds
        assert f"+1 {wound.title}<span" in row_of(page, who)
        before = state_of(visited, who)
        start = wound.start
        said = {f"a.{name}": who if one == "{who}" else one for name, one in start.answers}
        answer = visited.sits(gm).fill(f"{visited.t}/moves", move=start.move, entity="", **said)
        assert answer.status_code == 303
        assert state_of(visited, who) != before
        assert f"−1 {wound.title}<span" in row_of(visited.sits(gm).get(visited.t).text, who)
        fewer = {name: "-1" if one == "1" else one for name, one in said.items()}
        visited.sits(gm).fill(f"{visited.t}/moves", move=start.move, entity="", **fewer)
        assert "−1 " not in row_of(visited.sits(gm).get(visited.t).text, who)


def fighting(visited: Visited) -> None:
    """A fight in which everybody has an order of their own, and three thugs stand together."""
    thugs = {"name": "Thug", "preset": "hired-hand", "importance": "minion", "count": 3}
    do(visited, "GM", c.MakeMove, move="npc", answers=thugs)
    do(visited, "GM", c.MakeMove, move="fight")
    faces = tuple(map(str, (9, 3, 7, 8, 4, 2, 1, 6, 5)))
    do(visited, "GM", c.MakeMove, move="initiative_all", faces=faces)
    while asks := visited.server.tables.campaign(visited.campaign).table.asks:
        ask = next(iter(asks.values()))
        try:
            do(visited, "GM", c.MakeMove, move=ask.move, ask=ask.id)
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
    state = mara.get(f"{t}/api/v1/view").json()["table"]["entities"][serk]["state"]
    assert state["wounds"] == 1, "wounded, and no more than that"


def test_whoever_is_down_opens_no_move_of_everybody(visited):
    fighting(visited)
    gm, t, serk = visited.sits("GM"), visited.t, visited.entity("Captain Serk")
    assert "data-fills" in row_of(gm.get(t).text, serk)
    for _ in range(4):
        gm.fill(f"{t}/moves", move="hurt", entity="", a__who=serk, a__cause="a fall")
    row = row_of(gm.get(t).text, serk)
    assert ('class="out' in row, "data-fills" in row) == (True, False)
    aimed = gm.get(f"{t}?aim={serk}").text
    assert 'value="initiative_all" checked' not in aimed
