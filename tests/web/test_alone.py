"""The example played alone: one seat plays the characters and runs everybody else."""

import re

import pytest

from kitchentable.rules import registry
from tests.web.visitors import Visited


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_the_example_is_played_alone_beside_the_own_sheet(visited: Visited, game: str):
    host = visited.host()
    opened = host.fill("/example", game=game, alone="on")
    table = opened.headers["location"]
    page = host.get(table).text
    assert 'id="sheet"' in page
    assert "Ask the GM" not in page
    campaign = table.rpartition("/")[2]
    assert visited.server.tables.campaign(campaign).table.session.phase == "open"
    again = host.fill("/example", game=game, alone="on")
    assert again.headers["location"] == table
    table = visited.server.tables.campaign(campaign).table
    (me,) = table.players()
    assert {one.owner for one in table.in_play()} == {me.id, "gm"}
    shared = host.fill("/example", game=game).headers["location"].rpartition("/")[2]
    assert shared != campaign
    settings = visited.server.tables.campaign(shared).settings
    assert settings["gm_confirms"] == "each"


def test_whoever_rolls_alone_sets_the_difficulty(visited: Visited):
    host = visited.host()
    table = host.fill("/example", game="toast", alone="on").headers["location"]
    assert 'name="a.difficulty"' in host.get(table).text
    host.fill(f"{table}/say", text="/perception difficulty=hard faces=9")
    last = visited.server.tables.campaign(table.rpartition("/")[2]).events[-1]
    assert last.kind == "move"
    assert last.data["answers"]["difficulty"] == "hard"


def test_a_fight_is_begun_and_led_alone_on_both_sides(visited: Visited):
    host = visited.host()
    table = host.fill("/example", game="toast", alone="on").headers["location"]
    campaign = table.rpartition("/")[2]
    host.fill(f"{table}/moves", move="fight")
    host.fill(f"{table}/moves", move="initiative_all", faces="9 3 6 7 8 11")
    acted = []
    for _ in range(3):
        page = host.get(table).text
        (who,) = re.findall(
            r'value="end_turn"><input type="hidden" name="entity" value="(.*?)"', page
        )
        acted.append(visited.server.tables.campaign(campaign).table.entities[who].name)
        host.fill(f"{table}/moves", move="end_turn", entity=who)
    assert acted == ["Mara Vell", "Captain Serk", "Guard by the door"]


def test_whoever_plays_alone_answers_the_gms_cards(visited: Visited):
    host = visited.host()
    table = host.fill("/example", game="toast", alone="on").headers["location"]
    campaign = table.rpartition("/")[2]
    before = set(visited.server.tables.campaign(campaign).table.asks)
    for faces in ("flub", "kick"):
        host.fill(f"{table}/say", text=f"/perception faces={faces}")
    asks = visited.server.tables.campaign(campaign).table.asks
    told, skipped = (one for one in asks if one not in before)
    assert asks[told].to == ("gm", "players")
    page = host.get(table).text
    assert page.count(">Skip<") == len(asks)
    assert "Waiting for the GM" not in page
    fields = {"a.text": "The boot squeaks.", "a.mood": "bad"}
    host.fill(f"{table}/asks/{told}/answer", **fields)
    host.fill(f"{table}/asks/{skipped}/skip")
    assert visited.server.tables.campaign(campaign).table.asks.keys() == before
