"""Campaigns leave memory and are opened from snapshots, and nobody can tell."""

import asyncio
import gc
import sqlite3
from contextlib import closing
from pathlib import Path
from weakref import ref

import pytest

from kitchentable.app.audit import to_take_home
from kitchentable.app.overviews import overview_of
from kitchentable.app.server import Server
from kitchentable.app.table import Tables
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import BadEvent, CannotBe
from kitchentable.campaign.events import FORMAT, Event
from kitchentable.campaign.log import RECENT
from kitchentable.campaign.state import fold
from kitchentable.store import MemoryStore, Row, Snapshot, StoreError, open_store
from tests.app.party import coin_only, gather


class Watched(MemoryStore):
    """A store that notes which events are read."""

    def __init__(self):
        super().__init__()
        self.read_rows = 0

    def read(self, campaign, after=0, limit=None) -> list[Row]:
        rows = super().read(campaign, after, limit)
        self.read_rows += len(rows)
        return rows


def again(party):
    """The same store, opened by another server."""
    return Tables(party.server.store, load_game=coin_only)


async def chat(party, number):
    for at in range(number):
        await party.server.tables.handle(
            party.campaign, c.Say(id=f"say-{number}-{at}", seat=party.mara, text=f"word {at}")
        )


async def test_a_dropped_campaign_is_opened_from_its_snapshot_without_reading_the_log():
    party = await gather(store=Watched())
    await party.roll(party.mara)
    await chat(party, 3)
    before = party.state
    await party.server.tables.let_go(idle=0)
    assert party.server.tables.known(party.campaign) is None
    party.server.store.read_rows = 0
    after = party.server.tables.campaign(party.campaign)
    assert party.server.store.read_rows == 0
    assert after is not before
    assert after.tree == before.tree
    assert after.table == before.table
    assert list(after.events) == list(before.events)
    assert after.tree == fold(before.events).tree


async def test_a_journal_is_taken_home_without_reading_all_of_it_first():
    party = await gather(store=Watched())
    await chat(party, 5 * RECENT)
    party.server.store.read_rows = 0
    home = to_take_home(party.state, party.mara)
    first = next(home)
    assert 0 < party.server.store.read_rows <= RECENT
    read = [first, *home]
    assert b"".join(read).count(b"word") == 5 * RECENT
    assert party.server.store.read_rows < 3 * len(party.state.events)


async def test_events_after_the_snapshot_are_folded_onto_it():
    party = await gather(store=Watched())
    await party.server.tables.let_go(idle=0)
    await chat(party, 4)
    party.server.store.read_rows = 0
    opened = again(party).campaign(party.campaign)
    assert party.server.store.read_rows == 4
    assert opened.tree == party.state.tree
    assert opened.number == party.state.number


async def test_a_snapshot_of_another_form_is_not_used():
    party = await gather()
    number = party.state.number
    party.server.store.put_snapshot(Snapshot(party.campaign, number, 1, b'{"title":"Wrong"}'))
    assert again(party).campaign(party.campaign).tree == party.state.tree


@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b'{"title":"The Sa'])
async def test_a_damaged_snapshot_is_told_in_the_log_and_not_used(body, caplog):
    party = await gather()
    number = party.state.number
    party.server.store.put_snapshot(Snapshot(party.campaign, number, FORMAT, body))
    assert again(party).campaign(party.campaign).tree == party.state.tree
    assert overview_of(party.server.tables, party.campaign).number == number
    assert "is damaged and not used" in caplog.text


async def test_a_damaged_or_missing_entry_is_named_with_what_the_host_can_do():
    party = await gather()
    party.server.store._do(
        lambda db: db.execute("update events set body = ? where number = 3", (b"{",))
    )
    with pytest.raises(BadEvent) as caught:
        again(party).campaign(party.campaign)
    assert str(caught.value).startswith(f"Entry 3 of campaign {party.campaign} is damaged. ")
    assert "kitchentable backup --list" in str(caught.value)
    party.server.store._do(lambda db: db.execute("delete from events where number = 3"))
    with pytest.raises(BadEvent, match=r"Event 4 cannot follow event 2\. Restore an older backup"):
        again(party).campaign(party.campaign)


async def test_a_campaign_with_followers_or_in_use_stays_in_memory():
    party = await gather()
    tables = party.server.tables
    with tables.hub.follow(party.campaign, party.mara):
        await tables.let_go(idle=0)
        assert tables.known(party.campaign) is party.state
    await tables.let_go(idle=60)
    assert tables.known(party.campaign) is party.state
    await tables.let_go(idle=0)
    assert tables.known(party.campaign) is None


@pytest.fixture
def few_objects():
    """Have the garbage collector look at what is made from now on alone, which takes no time."""
    gc.freeze()


@pytest.mark.usefixtures("few_objects")
async def test_nothing_of_a_dropped_campaign_stays_in_memory():
    party = await gather()
    projection = ref(party.server.projections.of(party.campaign, party.mara))
    await party.server.tables.let_go(idle=0)
    gc.collect()
    assert projection() is None


async def test_a_long_evening_gets_snapshots_while_it_goes_on(monkeypatch):
    monkeypatch.setattr("kitchentable.app.table.SAVE_AFTER", 3)
    party = await gather()
    await party.server.tables.let_go(idle=60)
    saved = party.server.store.snapshot(party.campaign)
    assert saved.number == party.state.number
    await chat(party, 2)
    await party.server.tables.let_go(idle=60)
    assert party.server.store.snapshot(party.campaign) == saved


async def test_a_command_from_before_the_campaign_was_dropped_is_still_done_once():
    party = await gather()
    command = c.RollNotation(id="one", seat=party.mara, notation="8d6")
    first = await party.server.tables.handle(party.campaign, command)
    await party.server.tables.let_go(idle=0)
    repeated = await party.server.tables.handle(party.campaign, command)
    assert repeated.repeated
    assert repeated.events == first.events
    with pytest.raises(CannotBe, match="already has this id"):
        await party.server.tables.handle(party.campaign, c.Say(id="one", seat=party.jon, text="a"))


async def test_a_step_that_could_not_be_done_twice_is_done_once_after_a_drop():
    party = await gather()
    await chat(party, 1)
    undo = c.Undo(id="undo", seat=party.ida, number=party.state.number, reason="no")
    first = await party.server.tables.handle(party.campaign, undo)
    await party.server.tables.let_go(idle=0)
    repeated = await party.server.tables.handle(party.campaign, undo)
    assert repeated.repeated
    assert repeated.events == first.events


async def test_commands_and_drops_at_once_lose_nothing():
    party = await gather()
    before = party.state.number

    async def drop():
        for _ in range(20):
            await party.server.tables.let_go(idle=0)
            await asyncio.sleep(0)

    await asyncio.gather(*(party.roll(party.mara) for _ in range(10)), drop(), chat(party, 10))
    assert party.server.tables.campaign(party.campaign).number == before + 20


class Full(Watched):
    """A store whose disk has no room for snapshots, and on which something happens meanwhile."""

    def __init__(self, meanwhile=lambda: None):
        super().__init__()
        self.meanwhile = meanwhile

    def put_snapshot(self, snapshot):
        self.meanwhile()
        raise StoreError("The disk is full.", code="store/failed")


async def test_a_snapshot_that_cannot_be_saved_is_logged_and_costs_nothing_else(caplog):
    party = await gather(store=Full())
    before = party.state
    other = await party.server.open_campaign("The Mill", "coin")
    await party.server.tables.let_go(idle=0)
    assert caplog.text.count("The disk is full.") == 2
    assert party.server.tables.known(other.campaign) is None
    assert party.server.tables.campaign(party.campaign).tree == before.tree


async def test_a_campaign_may_be_removed_while_another_is_saved():
    party = await gather(store=Full())
    other = await party.server.open_campaign("The Mill", "coin")
    party.server.store.meanwhile = lambda: party.server.tables.forget(other.campaign)
    await party.server.tables.let_go(idle=0)
    assert party.server.tables.known(party.campaign) is None


async def test_a_file_keeps_the_snapshot(tmp_path: Path):
    server = Server.at(tmp_path / "campaigns.db")
    opened = await server.open_campaign("The Salt Road", "toast")
    await server.tables.let_go(idle=0)
    server.close()
    there = Server.at(tmp_path / "campaigns.db")
    saved = there.store.snapshot(opened.campaign)
    assert saved.number == there.store.latest(opened.campaign)
    assert there.tables.campaign(opened.campaign).title == "The Salt Road"
    there.close()


async def test_campaigns_are_saved_together(tmp_path):
    party = await gather(open_store(tmp_path / "table.db"))
    store, tables = party.server.store, party.server.tables
    for number in range(30):
        await party.server.open_campaign(f"Another {number}", "coin")
    before = store.writer.commits
    with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        leaving = asyncio.create_task(tables.let_go(idle=0))
        async with asyncio.timeout(60):
            while store.writer._queue.qsize() < 2:  # noqa: ASYNC110 - threads put them there
                await asyncio.sleep(0.005)
        other.execute("rollback")
        await leaving
    assert tables.in_memory() == 0
    assert store.writer.commits - before < 62, "each has a snapshot and an index"
    store.close()


async def test_events_share_the_names_that_they_have_in_common():
    party = await gather()
    for _ in range(2):
        await party.do(c.Say, party.mara, text="Hello")
    one, other = party.log[-2:]
    for name in ("kind", "seat", "name", "game", "version", "audience"):
        assert getattr(one, name) is getattr(other, name)


def texts_in_memory(start):
    gc.collect()
    said = [one.data.get("text", "") for one in gc.get_objects() if type(one) is Event]
    return {text for text in said if text.startswith(start)}


@pytest.mark.usefixtures("few_objects")
async def test_campaigns_share_the_events_that_may_be_in_memory(monkeypatch):
    monkeypatch.setattr("kitchentable.app.held._EVENTS", 0)
    party = await gather()
    server, campaign = party.server, party.campaign
    await server.tables.let_go(idle=0)
    await server.tables.load(campaign)
    with server.projections.follow(campaign, party.jon, None, lambda: None) as screen:
        for at in range(30):
            await party.do(c.Say, party.mara, text=f"kept {at}")
        await server.tables.let_go()
        last = {f"kept {at}" for at in range(14, 30)}
        # A thread that has just written may hold what it wrote for a moment longer.
        for _ in range(500):
            if texts_in_memory("kept ") == last:
                break
            await asyncio.sleep(0.02)
        assert texts_in_memory("kept ") == last
        assert screen.update().entries[-1].text == "kept 29"
    assert [event.number for event in party.log] == list(range(1, party.state.number + 1))
