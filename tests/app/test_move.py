"""A server's data carried between SQLite and PostgreSQL, and played on there."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from kitchentable.app.openings import begin_evening
from kitchentable.app.places import Data, NoDatabase, move_all
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.store import (
    Append,
    BadFile,
    BadRecord,
    Draft,
    MemoryStore,
    Picture,
    StoreError,
    export_campaign,
    move,
    open_place,
    picture_id,
    postgres_copies,
)
from tests.app.party import verify
from tests.store.samples import HARBOUR, TIME, founded, new

EXPORTED = "2026-11-21T19:30:00Z"


async def played(database: Path) -> tuple[str, str]:
    """A campaign in the middle of an evening, with all that can be kept: its id, the GM's key."""
    server = Server.at(database)
    campaign = await server.open_example("toast", begin_evening)
    (_, _, key), *_ = server.seat_links(campaign)
    server.keys.end(server.keys.issue("join", campaign))
    server.host_link()
    body = b"RIFF\0\0\0\0WEBP"
    server.store.put_picture(campaign, Picture(picture_id(body), body))
    server.store.put_draft(Draft(campaign, "anna", "sheet", b"name=Anna\xff", TIME))
    await server.tables.let_go(idle=0)
    server.close()
    return campaign, key


def everything(place: str, folder: Path) -> tuple[object, ...]:
    """All that a database holds, its exports as bytes."""
    with closing(open_place(place)) as store:
        exports = []
        for number, entry in enumerate(store.campaigns()):
            file = folder / f"{number}.zip"
            file.unlink(missing_ok=True)
            export_campaign(store, entry.id, file, exported=EXPORTED, secrets=True)
            exports.append(file.read_bytes())
        ids = [entry.id for entry in store.campaigns()]
        tokens = [store.tokens(campaign) for campaign in (None, *ids)]
        return exports, tokens, store.settings(), [store.snapshot(one) for one in ids]


@pytest.mark.slow
def test_a_copy_is_of_one_moment_while_people_play(emptied: str, tmp_path: Path, monkeypatch):
    file, copy = tmp_path / "table.db", tmp_path / "copy.db"
    campaign, _ = asyncio.run(played(file))
    move_all(Data.named(str(file)), Data.named(emptied))
    before, real = everything(emptied, tmp_path), postgres_copies.move

    def while_people_play(source, target):
        assert source.campaigns(), "the moment of the copy"
        with closing(open_place(emptied)) as store:
            last = store.latest(campaign)
            for number in range(3):
                rows = [new("Hello")] * 40
                store.append(Append(campaign, last + 40 * number, f"later-{number}", rows))
            store.put_setting("later", b"later")
            founded(store)
        return real(source, target)

    monkeypatch.setattr(postgres_copies, "move", while_people_play)
    with closing(Server.at(emptied)) as server:
        assert server.store.backup(copy) == copy
        with pytest.raises(BadFile, match="already"):
            server.store.backup(copy)
    assert sorted(one.name for one in tmp_path.iterdir() if "copy" in one.name) == ["copy.db"]
    assert everything(str(copy), tmp_path) == before
    assert everything(emptied, tmp_path) != before


def test_a_move_there_and_back_changes_nothing(emptied: str, tmp_path: Path):
    file, back = tmp_path / "table.db", tmp_path / "back" / "table.db"
    campaign, key = asyncio.run(played(file))
    before = everything(str(file), tmp_path)
    campaigns, events = move_all(Data.named(str(file)), Data.named(emptied))
    assert campaigns == 1
    assert events > 20
    assert everything(emptied, tmp_path) == before
    assert move_all(Data.named(emptied), Data.named(str(back)))[0] == 1
    assert everything(str(back), tmp_path) == before
    assert everything(str(file), tmp_path) == before, "the source is left as it is"

    async def play_on() -> None:
        with closing(Server.at(emptied)) as server:
            token = server.keys.open(key, "seat-link")
            gm = token.seat
            assert token.campaign == campaign
            await server.tables.handle(campaign, c.RollNotation(id="r", seat=gm, notation="2d20"))
            await server.tables.handle(campaign, c.EndSession(id="end", seat=gm))
            audit = await asyncio.to_thread(verify, server, campaign)
            assert {report.verdict for _, report in audit.sessions} == {"fair"}

    asyncio.run(play_on())
    with pytest.raises(BadRecord) as caught:
        move_all(Data.named(str(file)), Data.named(emptied))
    assert caught.value.code == "store/not-empty"


def test_what_is_written_during_a_move_is_found_out():
    source = founded(MemoryStore())
    assert move(source, MemoryStore()) == 1
    with pytest.raises(StoreError) as caught:
        move(source, Meddled())
    assert caught.value.code == "store/changed"


def test_a_move_that_was_interrupted_goes_on_and_overwrites_nothing_else():
    source, target = founded(MemoryStore()), Interrupted()
    source.put_campaign(second := replace(HARBOUR, id="second"))
    source.append(Append("second", 0, "c1", [new()], entry=second))
    source.put_setting("cursor-secret", b"of the source")
    # Whoever has looked whether the target is empty has begun a server there.
    target.put_setting("cursor-secret", b"of the target")
    with pytest.raises(InterruptedError):
        move(source, target)
    assert len(target.campaigns()) == 1
    target.breaks_at = ""
    assert move(source, target) == 2
    assert target.settings() == source.settings()
    assert move(source, target) == 2
    target.append(Append("second", 1, "c2", [new()]))
    with pytest.raises(BadRecord, match="other campaigns or settings"):
        move(source, target)


class Interrupted(MemoryStore):
    """A store in which a move is broken off."""

    breaks_at = "second"

    def adopt(self, entry, rows, export_data, pictures=tuple):
        if entry.id == self.breaks_at:
            raise InterruptedError
        super().adopt(entry, rows, export_data, pictures)


class Meddled(MemoryStore):
    """A store to which somebody else writes, too."""

    def adopt(self, entry, rows, export_data, pictures=tuple):
        super().adopt(entry, rows, export_data, pictures)
        self.append(Append(HARBOUR.id, 1, "more", [new()]))


def test_there_has_to_be_something_to_move(tmp_path: Path):
    with pytest.raises(NoDatabase):
        move_all(Data.named(str(tmp_path / "none.db")), Data.named(str(tmp_path / "new.db")))
    assert not list(tmp_path.iterdir())
