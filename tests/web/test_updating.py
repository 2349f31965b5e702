"""Updates of a game on the GM's page: the offer, the changes, the update."""

import asyncio

import pytest

from kitchentable.app.local_games import LocalGames
from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from tests.rules.toml.sample import COIN
from tests.web.visitors import visit

NEW = COIN.replace('version = "1"', 'version = "2"').replace(
    'key = "wits"\ntitle = "Wits"',
    'key = "ease"\ntitle = "Ease"\n\n[[group.trait]]\nkey = "wits"\ntitle = "Wits"',
)


@pytest.fixture
def visited(tmp_path):
    """Toast's ready campaign, and beside it one of Coin with its GM, a player and somebody."""
    own = tmp_path / "mine"
    own.mkdir()
    file = own / "game.toml"
    file.write_text(COIN, "utf-8")
    server = Server(MemoryStore(), local_games=LocalGames(tmp_path / "games"))
    server.local_games.put(own)
    with visit(server=server) as visited:
        visited.campaign = asyncio.run(server.open_example("coin"))
        visited.t = f"/t/{visited.campaign}"
        file.write_text(NEW, "utf-8")
        visited.own = own
        yield visited


def test_the_desk_says_what_a_new_version_changes_and_takes_it_over(visited):
    gm = visited.sits("GM")
    assert "is available</h3>" not in gm.get(f"{visited.t}/desk").text
    visited.server.local_games.put(visited.own)
    desk = gm.get(f"{visited.t}/desk").text
    assert "<h3>Coin 2 is available</h3>" in desk
    assert "This campaign stays on version 1" in desk
    assert "asked: Where does Ease begin? It is new for Kit and The Banker." in desk
    assert gm.fill(f"{visited.t}/game", version="2", reason="Agreed").status_code == 303
    assert visited.kinds()[-1] == "game-updated"
    assert "is available</h3>" not in gm.get(f"{visited.t}/desk").text
    told = "This campaign was played by version 1 until now."
    assert told in gm.get(f"{visited.t}/journal").text
    ada = visited.sits("Ada")
    assert told in ada.get(visited.t).text
    assert "The numbers on the sheets" in gm.get(visited.t).text
    answers = {"a.traits.new.ease": "as.nerve", "a.traits.start.ease": "0"}
    assert gm.fill(f"{visited.t}/asks/refit/answer", **answers).status_code == 303
    assert "Kit: Ease begins at 2." in ada.get(visited.t).text
    assert "The Banker: Ease" not in ada.get(visited.t).text


def test_a_campaign_whose_game_is_gone_says_so_and_plays_on_when_it_is_back(visited):
    ada, games = visited.sits("Ada"), visited.server.local_games.folder
    (games / "coin").rename(games.parent / "kept")
    visited.server.tables.load_game.cache_clear()
    refused = ada.get(visited.t)
    assert refused.status_code == 503
    assert (
        "This campaign plays &#39;coin&#39;, and that game is not on this server." in refused.text
    )
    assert f'href="{visited.t}">Try again</a>' in refused.text
    (games.parent / "kept").rename(games / "coin")
    assert ada.get(visited.t).status_code == 200


def test_what_cannot_be_taken_over_gets_a_sentence(visited):
    gm, ada = visited.sits("GM"), visited.sits("Ada")
    refused = gm.fill(f"{visited.t}/game", version="7")
    assert refused.status_code == 422
    assert "is now 1, not &#39;7&#39;" in refused.text
    visited.server.local_games.put(visited.own)
    assert ada.fill(f"{visited.t}/game", version="2").status_code == 403
    assert "game-updated" not in visited.kinds()


def test_the_host_can_open_a_local_game_and_hears_of_one_that_is_broken(visited):
    host = visited.host()
    assert "</svg>Coin</h3>" in host.get("/").text
    made = host.fill("/new", game="coin", title="A coin of ours", gm_name="Ida")
    assert made.status_code == 303
    broken = visited.server.local_games.folder / "coin" / "9"
    broken.mkdir()
    (broken / "game.toml").write_text("nonsense", "utf-8")
    home = host.get("/")
    assert home.status_code == 200
    assert "This is not TOML" in home.text
    assert "</svg>Toast</h3>" in home.text


def test_the_host_opens_a_games_ready_evening_once(visited):
    host = visited.host()
    opened = host.fill("/example", game="toast")
    assert opened.status_code == 303
    at = opened.headers["location"]
    assert "The Salt Road" in host.get(at).text
    assert host.fill("/example", game="toast").headers["location"] == at
    refused = host.fill("/example", game="tost")
    assert refused.status_code == 422
    assert "no game called &#39;tost&#39;" in refused.text
    assert visited.stranger().fill("/example", game="toast").status_code in {401, 403}
