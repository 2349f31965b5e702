"""A new version of a game under an old campaign: asked about, logged, and taken back."""

import shutil
from pathlib import Path

import pytest

from kitchentable.app.local_games import CannotAdd, LocalGames, version_order
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.rules import registry
from kitchentable.rules.errors import BadGame, UnknownGame
from kitchentable.store import MemoryStore
from tests.rules.toml.sample import COIN

FIXTURES = Path(__file__).parent / "fixtures"
NEW = (
    COIN.replace('version = "1"', 'version = "2"')
    .replace('key = "wits"\ntitle = "Wits"', 'key = "ease"\ntitle = "Ease"')
    .replace("wits", "ease")
    .replace("high = 5\n", "high = 1\n")
    .replace("default = 2", "default = 1")
    .replace('"2 + luck_of_all"', '"5 + luck_of_all"')
)


def written(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_text(text, "utf-8")
    return folder


def test_each_installed_game_is_looked_up_once(monkeypatch):
    asked, load = [], registry.load
    monkeypatch.setattr(registry, "load", lambda name: asked.append(name) or load(name))
    games = LocalGames(None)
    assert games.every() == games.every()
    assert tuple(asked) == games.names()


class Shelved:
    """A server with local games and a campaign of the first version with a player's character."""

    def __init__(self, tmp_path):
        self.own = tmp_path / "mine"
        self.server = Server(MemoryStore(), local_games=LocalGames(tmp_path / "games"))
        self.server.local_games.put(written(self.own, COIN))
        self.ids = iter(range(10_000))

    async def open(self):
        self.opened = await self.server.open_campaign("Edge", "coin")
        self.campaign, self.gm = self.opened.campaign, self.opened.gm_seat
        await self.do(self.gm, c.AskForSeat, new_seat="ada", name="Ada", approved=True)
        sheet = {"traits": {"nerve": 2, "wits": 2}, "lists": {"charms": []}}
        kit = await self.do(
            self.gm, c.MakeEntity, kind="character", name="Kit", owner="ada", sheet=sheet
        )
        self.kit = kit.data["entity"]
        shade = {"kind": "other", "name": "Shade", "hidden": True, "sheet": {**sheet}}
        await self.do(self.gm, c.MakeEntity, **shade)

    async def do(self, seat, what, **named):
        command = what(id=f"c{next(self.ids)}", seat=seat, **named)
        return (await self.server.tables.handle(self.campaign, command)).events[-1]

    @property
    def state(self):
        return self.server.tables.campaign(self.campaign)

    @property
    def version(self):
        return self.server.tables.game(self.campaign).version

    def sheet(self):
        return self.state.table.entities[self.kit].sheet

    def read(self, seat):
        return self.server.projections.of(self.campaign, seat).entries()[-1]


async def shelved(tmp_path):
    one = Shelved(tmp_path)
    await one.open()
    return one


async def test_a_campaign_stays_with_its_version_until_its_gm_says_so(tmp_path):
    one = await shelved(tmp_path)
    assert one.server.tables.update_for(one.campaign) is None
    one.server.local_games.put(written(one.own, NEW))
    assert one.version == "1"
    update = one.server.tables.update_for(one.campaign)
    assert (update.was, update.now) == ("1", "2")
    assert update.changes == (
        "The default of Luck of all changes from 2 to 1.",
        "The range of Luck of all changes from 0\N{EN DASH}5 to 0\N{EN DASH}1.",
        "Luck of all was 2, which is no longer allowed; it is 1 now.",
        "The number of points for Self changes from 2 + luck_of_all to 5 + luck_of_all.",
        (
            "What is thrown for Flip changes from {=1 + wits}d2kh1 + trait + bonus + modifier to "
            "{=1 + ease}d2kh1 + trait + bonus + modifier."
        ),
        (
            "The target of Duel changes from the other's Wits, a tie lost to the other's Ease, "
            "a tie lost."
        ),
        "What is thrown for the order changes from 1d6 + wits to 1d6 + ease.",
        "The trait Wits was removed.",
        "The trait Ease is new.",
        (
            "The GM will be asked: What becomes of Wits? It is no longer on any list. "
            "Kit has 2 and Shade has 2."
        ),
        (
            "The GM will be asked: What becomes of Luck? Its range is now 0 to 1. "
            "Kit has 2 and Shade has 2."
        ),
    )
    assert one.sheet()["traits"] == {"nerve": 2, "wits": 2}
    opened = await one.server.open_campaign("New", "coin")
    assert one.server.tables.game(opened.campaign).version == "2"


#: The same game with other numbers everywhere; who has made a sheet has points left then.
NUMBERS = (
    COIN.replace('version = "1"', 'version = "2"')
    .replace("default = 2", "default = 1")
    .replace('"2 + luck_of_all"\nhigh = 3', '"3 + luck_of_all"\nhigh = 2\ntop = 4')
    .replace("most = 1", "most = 0")
    .replace('boxes = "2 + nerve"\nfull = "beaten"', 'boxes = "3 + nerve"\nfull = "down"')
    .replace('title = "Flip"', 'title = "Toss"')
    .replace("against = 3", "against = 4")
    .replace('title = "Wits"', 'title = "Ease"')
    .replace("marks = { harm = -1 }", "marks = { harm = -2 }")
    .replace('cost = "1 + trait"', 'cost = "2 + trait"')
    .replace(
        '[[rest]]\nkey = "night"',
        '[[rest]]\nkey = "nap"\ntitle = "A nap"\n\n[[rest]]\nkey = "night"',
    )
)


async def test_every_number_that_is_another_is_named_and_what_of_it_this_campaign_feels(tmp_path):
    one = await shelved(tmp_path)
    one.server.local_games.put(written(one.own, NUMBERS))
    assert one.server.tables.update_for(one.campaign).changes == (
        "The default of Luck of all changes from 2 to 1; this campaign stays at 2.",
        "The number of points for Self changes from 2 + luck_of_all to 3 + luck_of_all.",
        "The highest starting level of Self changes from 3 to 2.",
        "The highest level in play of Self changes from 99 to 4.",
        "The trait Wits is now called Ease.",
        "The limit of Charms changes from 1 to 0.",
        "The number of boxes of Harm changes from 2 + nerve to 3 + nerve.",
        "The condition at the end of Harm changes from beaten to down.",
        "The roll Flip is now called Toss.",
        "The target of Toss changes from 3 to 4.",
        (
            "The target of Duel changes from the other's Wits, a tie lost to the other's Ease, "
            "a tie lost."
        ),
        "What is marked by A night changes from -1 Harm to -2 Harm.",
        "The cost of one more level changes from 1 + trait to 2 + trait.",
        "The rest A nap is new.",
        "The GM will be asked: What becomes of the points for Self? Kit has 1 of 5 left to spend.",
    )
    await one.do(one.gm, c.UpdateGame, version="2")
    # It stands in the log too, for everybody.
    assert all(
        "The limit of Charms changes from 1 to 0." in repr(one.read(who)) for who in (one.gm, "ada")
    )


async def test_a_lost_line_has_the_name_that_it_had(tmp_path):
    one = await shelved(tmp_path)
    titled = COIN.replace('title = "Wits"', 'title = "Quick Wits"')
    one.server.local_games.put(written(one.own, titled.replace('version = "1"', 'version = "1.5"')))
    await one.do(one.gm, c.UpdateGame, version="1.5")
    one.server.local_games.put(written(one.own, NEW))
    asked = "The GM will be asked: What becomes of Quick Wits? It is no longer on any list."
    changes = one.server.tables.update_for(one.campaign).changes
    assert any(words.startswith(asked) for words in changes)
    await one.do(one.gm, c.UpdateGame, version="2")
    answers = {"traits.lost.wits": "note"}
    await one.do(one.gm, c.MakeMove, move="refit", ask="refit", answers=answers)
    assert one.sheet()["former"]["traits"]["wits"] == {"name": "Quick Wits", "value": 2}


async def test_where_the_old_version_is_gone_nobody_pretends_to_know_it(tmp_path):
    one = await shelved(tmp_path)
    one.server.local_games.put(written(one.own, NUMBERS))
    shutil.rmtree(tmp_path / "games" / "coin" / "1")
    server = Server(one.server.store, local_games=LocalGames(tmp_path / "games"))
    assert server.tables.update_for(one.campaign).changes[0] == (
        "Version 1 is no longer available. Compare the rulebooks for other differences."
    )


async def test_taking_it_over_is_logged_and_told_without_what_is_hidden(tmp_path):
    one = await shelved(tmp_path)
    one.server.local_games.put(written(one.own, NEW))
    event = await one.do(one.gm, c.UpdateGame, version="2", reason="We agreed on it")
    assert (event.kind, event.version, one.version) == ("game-updated", "2", "2")
    assert one.sheet()["traits"] == {"nerve": 2, "wits": 2}
    assert set(one.state.table.asks) == {"refit"}
    assert one.state.table.options["luck_of_all"] == 1
    told = {seat: repr(one.read(seat)) for seat in (one.gm, "ada")}
    assert all("takes over Coin 2; it was 1 until now" in one for one in told.values())
    assert one.server.tables.update_for(one.campaign) is None
    answers = {"traits.lost.wits": "to.ease", "tracks.beyond.luck": "leave"}
    await one.do(one.gm, c.MakeMove, move="refit", ask="refit", answers=answers)
    assert one.sheet()["traits"] == {"nerve": 2, "ease": 2}
    # What Kit has spent is known now: 4 of the 6 points that there are.
    assert set(one.state.table.asks) == {"points_fit"}
    told = {seat: repr(one.read(seat)) for seat in (one.gm, "ada")}
    assert all("Kit: Wits 2 becomes Ease." in one for one in told.values())
    assert "Shade: Wits 2 becomes Ease." in told[one.gm]
    assert "Shade" not in told["ada"]


async def test_taking_it_back_brings_back_the_old_rules(tmp_path):
    one = await shelved(tmp_path)
    one.server.local_games.put(written(one.own, NEW))
    before = {key: one.state.tree[key] for key in ("entities", "options", "game_version")}
    event = await one.do(one.gm, c.UpdateGame, version="2")
    await one.do(one.gm, c.Undo, number=event.number, reason="Too soon")
    assert {key: one.state.tree[key] for key in before} == before
    assert one.version == "1"
    assert one.server.tables.update_for(one.campaign).now == "2"


async def test_only_the_gm_says_so_and_only_of_what_is_there(tmp_path):
    one = await shelved(tmp_path)
    with pytest.raises(CannotBe, match="already uses version 1"):
        await one.do(one.gm, c.UpdateGame, version="1")
    one.server.local_games.put(written(one.own, NEW))
    with pytest.raises(NotAllowed):
        await one.do("ada", c.UpdateGame, version="2")
    with pytest.raises(CannotBe, match="is now 2, not '3'"):
        await one.do(one.gm, c.UpdateGame, version="3")
    assert one.version == "1"


def test_adding_a_game_replaces_nothing_and_shadows_nothing(tmp_path):
    local_games, own = LocalGames(tmp_path / "games"), tmp_path / "mine"
    assert local_games.put(written(own, COIN)).version == "1"
    assert local_games.put(own / "game.toml").version == "1"
    with pytest.raises(CannotAdd, match="was already added"):
        local_games.put(written(own, COIN.replace("Heads or tails", "Tails or heads")))
    with pytest.raises(CannotAdd, match="An installed game is called toast"):
        local_games.put(written(own, COIN.replace('name = "coin"', 'name = "toast"')))
    with pytest.raises(CannotAdd, match="letters, digits, points and dashes"):
        local_games.put(written(own, COIN.replace('version = "1"', 'version = "../1"')))
    with pytest.raises(BadGame, match="This is not TOML"):
        local_games.put(written(own, "nonsense"))
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "__init__.py").write_text("game = None")
    with pytest.raises(CannotAdd, match="pip install"):
        local_games.put(tmp_path / "python")
    with pytest.raises(CannotAdd, match="no folder for added games"):
        LocalGames(None).put(own)
    assert sorted(one.name for one in (tmp_path / "games" / "coin").iterdir()) == ["1"]


def test_a_game_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    games, own = LocalGames(tmp_path / "games"), written(tmp_path / "own", COIN)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copy2", full)
        with pytest.raises(OSError, match="No space left"):
            games.put(own)
    assert not list((tmp_path / "games").glob("*/*"))
    games.put(own)
    assert [one.name for one in (tmp_path / "games" / "coin").iterdir()] == ["1"]


def test_local_games_find_their_versions(tmp_path):
    local_games, own = LocalGames(tmp_path / "games"), tmp_path / "mine"
    assert "coin" not in local_games.names()
    with pytest.raises(UnknownGame, match="no game called 'coin'"):
        local_games.load("coin")
    for version in ("9", "10", "1.5"):
        local_games.put(written(own, COIN.replace('version = "1"', f'version = "{version}"')))
    assert {"coin", "toast"} <= set(local_games.names())
    assert local_games.load("coin").version == "10"
    assert local_games.load("coin", "9").version == "9"
    assert local_games.load("coin", "7").version == "10"
    assert sorted(["10", "9", "1.5"], key=version_order) == ["1.5", "9", "10"]


def test_a_game_that_somebody_broke_in_its_folder_breaks_no_other(tmp_path):
    local_games, own = LocalGames(tmp_path / "games"), tmp_path / "mine"
    local_games.put(written(own, COIN))
    (tmp_path / "games" / "coin" / "1" / "game.toml").write_text("[game]\nname = 7")
    games, wrong = LocalGames(tmp_path / "games").every()
    assert "coin" not in {game.name for game in games}
    assert "toast" in {game.name for game in games}
    assert len(wrong) == 1
    assert "line 2, column 8: name must be text in quotes" in wrong[0]


async def test_an_added_game_plays_on_though_its_growth_was_free(tmp_path):
    own = FIXTURES / "free_growth"
    place = tmp_path / "games" / "gift" / "1"
    shutil.copytree(own, place)
    server = Server(MemoryStore(), local_games=LocalGames(tmp_path / "games"))
    assert [game.name for game in server.local_games.every()[0] if game.name == "gift"] == ["gift"]
    gift = server.local_games.load("gift", "1")
    assert "one more level costs max(1, 0)." in gift.rulebook.rules["gift.growth-points"].text
    opened = await server.open_campaign("Old", "gift")

    async def do(what, **named):
        command = what(id=f"c{next(ids)}", seat=opened.gm_seat, **named)
        await server.tables.handle(opened.campaign, command)

    ids = iter(range(100))
    sheet = {"traits": {"nerve": 2}}
    await do(c.AskForSeat, new_seat="ada", name="Ada", approved=True)
    await do(c.MakeEntity, kind="character", name="Kit", owner="ada", sheet=sheet)
    (kit,) = server.tables.campaign(opened.campaign).table.entities
    await do(c.BeginSession)
    await do(c.CloseSession)
    await do(c.EndSession)
    await do(c.MakeMove, move="grow", entity=kit, answers={"trait": "nerve"})
    after = server.tables.campaign(opened.campaign).table.entities[kit]
    assert (after.sheet["traits"], after.state["points"]) == ({"nerve": 3}, 1)
    with pytest.raises(BadGame, match=r'costs 0 at level 0.*Write cost = "max\(1, 0\)"'):
        LocalGames(tmp_path / "another").put(own)
    assert (place / "game.toml").read_bytes() == (own / "game.toml").read_bytes()
