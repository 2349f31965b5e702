"""Campaigns of a group's own game that come from another server."""

import asyncio
import json
from pathlib import Path

import pytest

from kitchentable.app.keys import new_id
from kitchentable.app.local_games import LocalGames
from kitchentable.app.luck import luck_for
from kitchentable.app.playable import CannotBePlayed
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.store import Append, MemoryStore, NewRow

EXAMPLES = Path(__file__).parents[2] / "examples"


def house(tmp_path, name: str, *games: tuple[str, str, str]) -> Server:
    """A server with games like these examples, each under a name and a version."""
    server = Server(MemoryStore(), local_games=LocalGames(tmp_path / name))
    for like, called, version in games:
        own = tmp_path / f"{name}-{like}-{version}"
        own.mkdir()
        text = (EXAMPLES / like / "game.toml").read_text("utf-8")
        old = next(line for line in text.splitlines() if line.startswith("name = "))
        text = text.replace(old, f'name = "{called}"', 1)
        text = text.replace('version = "1"', f'version = "{version}"', 1)
        (own / "game.toml").write_text(text, "utf-8")
        server.local_games.put(own)
    return server


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (("karma", "night_out", "1"), "in version 2, and this server has only 1. The host adds"),
        (("pushing", "night_out", "2"), "is another one of that name. It has no rival and saint"),
        (("karma", "day_off", "2"), "that game is not on this server"),
    ],
    ids=["another version", "another game", "no game"],
)
def test_a_campaign_comes_with_its_own_game_or_not_at_all(tmp_path, game, why):
    there = house(tmp_path, "there", ("karma", "night_out", "2"))
    campaign = asyncio.run(there.open_example("night_out"))
    there.export(campaign, file := tmp_path / "night.zip")
    here = house(tmp_path, "here", game)
    with pytest.raises(CannotBePlayed, match=why):
        here.take_in(file)
    assert here.campaigns() == []
    assert house(tmp_path, "third", ("karma", "night_out", "2")).take_in(file).id == campaign


def test_a_log_that_cannot_be_shown_is_not_taken_in(tmp_path):
    there, here = house(tmp_path, "there"), house(tmp_path, "here")
    campaign = asyncio.run(there.open_example("toast"))
    last = there.store.read(campaign)[-1]
    number = last.number + 1
    shown = {"kind": "revealed", "number": number, "data": {"of": 10**6}}
    body = json.dumps({**json.loads(last.body), **shown}).encode()
    there.store.append(Append(campaign, last.number, "c", [NewRow(last.time, "revealed", body)]))
    there.export(campaign, file := tmp_path / "strange.zip")
    with pytest.raises(CannotBePlayed, match=f"entry {number} of its journal"):
        here.take_in(file)
    assert here.campaigns() == []


def test_the_rows_of_tables_are_no_luck(tmp_path):
    server = house(tmp_path, "here", ("number", "night_train", "1"))
    campaign = asyncio.run(server.open_example("night_train"))
    table = server.tables.campaign(campaign).table
    gm, ada = (one.id for name in ("GM", "Ada") for one in table.seats.values() if one.name == name)
    cole = next(one.id for one in table.entities.values() if one.name == "Mr Cole")

    def do(command: type, seat: str, **parts: object) -> None:
        sent = command(id=new_id(), seat=seat, **parts)
        asyncio.run(server.tables.handle(campaign, sent))

    do(c.BeginSession, gm)
    do(c.MakeMove, ada, move="oracle", answers={"likely": True})
    do(c.MakeMove, gm, move="stop")
    do(c.Propose, ada, move="talk", entity=cole)
    roll = next(iter(server.tables.campaign(campaign).tree["proposals"]))
    do(c.Settle, gm, proposal=roll)
    do(c.Throw, ada, proposal=roll)
    report = luck_for(server.projections.of(campaign, gm))
    assert [(one.who, len(one.rolls)) for one in report.players] == [("Ada", 1)]
    assert report.unknown == 0
