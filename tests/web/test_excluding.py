"""Options that exclude each other, at every entrance of the web application."""

import asyncio

import pytest

from kitchentable.app.local_games import LocalGames
from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from tests.rules.toml.sample import COIN
from tests.web.visitors import visit

SENTENCE = "exclude each other: only one of them can be on."
BOTH = {"o__wcac_same_die": "on", "o__wcac_double_roll": "on"}
SWITCHES = """[[option]]
key = "wet"
title = "Wet coins"
kind = "tick"
help = "They stick."

[[option]]
key = "dry"
title = "Dry coins"
kind = "tick"
help = "They roll."
{}
[[option]]"""
OLD = COIN.replace("[[option]]", SWITCHES.format(""), 1)
NEW = COIN.replace("[[option]]", SWITCHES.format('excludes = ["wet"]\n'), 1).replace(
    'version = "1"', 'version = "2"'
)


@pytest.fixture
def visited(tmp_path):
    """A campaign of an old Coin, in which both switches could be on, and are."""
    own = tmp_path / "mine"
    own.mkdir()
    (own / "game.toml").write_text(OLD, "utf-8")
    server = Server(MemoryStore(), local_games=LocalGames(tmp_path / "games"))
    server.local_games.put(own)
    with visit(server=server) as visited:
        opened = asyncio.run(
            server.open_campaign("Rain", "coin", options={"wet": True, "dry": True})
        )
        visited.campaign, visited.t = opened.campaign, f"/t/{opened.campaign}"
        (own / "game.toml").write_text(NEW, "utf-8")
        visited.own = own
        yield visited


def test_a_new_campaign_is_not_laid_with_both_and_keeps_what_was_filled_in(visited):
    host = visited.host()
    asked = host.get("/new?game=toaster").text
    assert "Not together with One die for both." in asked
    refused = host.fill("/new", game="toaster", title="Salt", gm_name="Ethel", **BOTH)
    assert refused.status_code == 422
    assert refused.text.count(SENTENCE) == 2  # above the form, and beside the switch
    assert 'id="f-o-wcac_double_roll-p"' in refused.text
    assert 'value="Ethel"' in refused.text
    assert [one.title for one in visited.server.campaigns()].count("Salt") == 0


def test_the_desk_says_that_both_are_on_and_lets_one_be_switched_off(visited):
    gm = visited.sits("GM")
    assert "exclude each other are on" not in gm.get(f"{visited.t}/desk").text
    visited.server.local_games.put(visited.own)
    before = gm.get(f"{visited.t}/desk").text
    assert f"&#34;Dry coins&#34; and &#34;Wet coins&#34; {SENTENCE}" in before  # read beforehand
    taken = gm.fill(f"{visited.t}/game", version="2")
    assert taken.status_code in {200, 303}
    table = visited.server.tables.campaign(visited.campaign).table
    assert table.options["wet"] is table.options["dry"] is True
    desk = gm.get(f"{visited.t}/desk").text
    assert "Two rules that exclude each other are on" in desk
    assert desk.count(SENTENCE) == 1
    assert gm.fill(f"{visited.t}/options", o__luck_of_all="1").status_code in {200, 303}
    assert gm.fill(f"{visited.t}/options", o__wet="off").status_code in {200, 303}
    assert "exclude each other are on" not in gm.get(f"{visited.t}/desk").text
    again = gm.fill(f"{visited.t}/options", o__wet="on", o__dry="on")
    assert again.status_code == 422
    assert again.text.count(SENTENCE) == 2
    assert 'id="f-o-wet-p"' in again.text


def test_what_was_exported_comes_home_as_it_was(visited, tmp_path):
    visited.server.local_games.put(visited.own)
    gm = visited.sits("GM")
    gm.fill(f"{visited.t}/game", version="2")
    box = tmp_path / "box.zip"
    visited.server.export(visited.campaign, box)
    other = Server(MemoryStore(), local_games=visited.server.local_games)
    entry = other.take_in(box)
    assert other.tables.campaign(entry.id).table.options["wet"] is True
