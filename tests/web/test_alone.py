"""The example played alone: the server's own rules stand in for the GM, from a player's seat."""

import pytest

from kitchentable.rules import registry
from tests.web.visitors import Visited


@pytest.mark.parametrize("game", registry.names())
def test_the_example_is_played_alone_from_a_players_seat(visited: Visited, game: str):
    host = visited.host()
    opened = host.fill("/example", game=game, alone="on")
    table = opened.headers["location"]
    page = host.get(table).text
    assert 'id="sheet"' in page
    assert "Ask the GM" not in page
    assert "/desk" not in page
    campaign = table.rpartition("/")[2]
    assert visited.server.tables.campaign(campaign).table.session.phase == "open"
    again = host.fill("/example", game=game, alone="on")
    assert again.headers["location"] == table
    seats = visited.server.tables.campaign(campaign).table.seats.values()
    assert sum(one.role == "gm" for one in seats) == 1


def test_whoever_rolls_alone_sets_the_difficulty_and_sees_no_closed_sheet(visited: Visited):
    host = visited.host()
    table = host.fill("/example", game="toast", alone="on").headers["location"]
    assert 'name="a.difficulty"' in host.get(table).text
    host.fill(f"{table}/say", text="/perception difficulty=hard faces=9")
    last = visited.server.tables.campaign(table.rpartition("/")[2]).events[-1]
    assert last.kind == "move"
    assert last.data["answers"]["difficulty"] == "hard"
    serk = visited.entity("Captain Serk")
    assert "Attack</span>" not in host.get(f"{table}/sheets/{serk}").text
