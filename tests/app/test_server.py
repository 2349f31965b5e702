"""The server: its example, links, and unchanged campaigns after export and import."""

import pytest

from kitchentable.app import server as servers
from kitchentable.app.audit import audit_file
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.dice.stream import check_commitment, secrets_of
from kitchentable.store import BadFile, BadRecord, MemoryStore, StoreError, open_store
from tests.app.party import coin_only, gather, ticking, verify


async def played(store=None):
    """A party after a session with throws and annotations."""
    party = await gather(store)
    await party.roll()
    await party.do(c.Contribute, party.mara, text="tea and rain")
    await party.roll(party.jon)
    await party.do(c.Say, party.mara, text="psst", to=party.jon)
    await party.roll(faces=("1", "2", "3", "4", "5", "6", "1", "2"))
    await party.do(c.EndSession, party.ida)
    return party


def other_server(store=None):
    return Server(store or MemoryStore(), clock=ticking(), load_game=coin_only)


async def test_an_exported_campaign_comes_in_identical(tmp_path):
    party = await played(open_store(tmp_path / "ours.db"))
    manifest = party.server.export(party.campaign, tmp_path / "salt.zip")
    assert (manifest.events, manifest.secrets) == (party.state.number, False)
    there = other_server(open_store(tmp_path / "theirs.db"))
    entry = there.take_in(tmp_path / "salt.zip")
    assert entry == party.server.campaigns()[0]
    assert there.tables.campaign(entry.id).tree == party.state.tree
    assert list(there.tables.campaign(entry.id).events) == party.log
    assert there.store.read(entry.id) == party.server.store.read(party.campaign)
    for seat in (party.ida, party.mara, party.jon):
        ours = [
            (entry.text, entry.card, entry.dice, entry.stub)
            for entry in party.server.projections.of(party.campaign, seat).entries(limit=999)
        ]
        theirs = [
            (entry.text, entry.card, entry.dice, entry.stub)
            for entry in there.projections.of(entry.id, seat).entries(limit=999)
        ]
        assert ours == theirs
    ((_, report),) = verify(there, entry.id).sessions
    assert (report.verdict, report.rolls, report.dice_checked, report.dice_typed) == (
        "fair",
        3,
        16,
        8,
    )
    assert audit_file(tmp_path / "salt.zip").sessions == verify(there, entry.id).sessions
    assert there.store.tokens(entry.id) == [], "nobody's keys travel"
    there.close()
    party.server.close()


async def test_a_second_import_is_refused_and_harms_nothing(tmp_path):
    party = await played()
    party.server.export(party.campaign, tmp_path / "salt.zip")
    with pytest.raises(BadRecord) as caught:
        party.server.take_in(tmp_path / "salt.zip")
    assert caught.value.code == "store/campaign-exists"
    with pytest.raises(BadFile):
        party.server.take_in(tmp_path / "nothing.zip")
    assert len(party.server.campaigns()) == 1


async def test_a_copy_beside_the_original_is_a_table_of_its_own(tmp_path):
    """It goes by its own id; its dice are promised anew, and every evening of it verifies."""
    party = await played()
    server, first = party.server, party.campaign
    server.export(first, tmp_path / "salt.zip", secrets=True)
    copy = server.take_in(tmp_path / "salt.zip", new_name="salt-2").id
    assert server.tables.campaign(copy).tree == party.state.tree
    assert server.projections.of(copy, party.mara).view.campaign == copy
    for campaign in (copy, first):
        await server.tables.handle(campaign, c.BeginSession(id="begin", seat=party.ida))
        for seat in (party.mara, party.jon):
            roll = c.RollNotation(id=f"roll-{seat}", seat=seat, notation="20d20")
            await server.tables.handle(campaign, roll)
        await server.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    assert server.store.seed(copy, 2) != server.store.seed(first, 2)
    assert server.store.seed(copy, 1) is None, "two tables on one stream would tell its dice"
    traces = [
        [event.throw.trace for event in server.tables.campaign(one).events if event.throw]
        for one in (copy, first)
    ]
    assert traces[0][:3] == traces[1][:3]
    assert traces[0][3:] != traces[1][3:]
    for campaign in (copy, first):
        found = verify(server, campaign)
        assert [report.verdict for _, report in found.sessions] == ["fair", "fair"]
    last = server.projections.of(copy, party.mara).entries(limit=1)[0]
    assert server.projections.of(copy, party.mara).entries(after=last.cursor) == []
    server.export(copy, tmp_path / "copy.zip")
    assert not audit_file(tmp_path / "copy.zip").broken


async def test_moving_to_another_server_in_mid_session_keeps_the_promise(tmp_path):
    party = await gather()
    await party.roll()
    party.server.export(party.campaign, tmp_path / "salt.zip", secrets=True)
    there = other_server()
    campaign = there.take_in(tmp_path / "salt.zip").id
    roll = c.RollNotation(id="there", seat=party.jon, notation="8d6")
    done = await there.tables.handle(campaign, roll)
    assert done.events[0].throw.number == 2
    await there.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    ((_, report),) = verify(there, campaign).sessions
    assert (report.verdict, report.dice_checked) == ("fair", 16)


async def test_moved_without_secrets_the_dice_are_loose_and_the_journal_says_so(tmp_path):
    party = await gather()
    await party.roll()
    party.server.export(party.campaign, tmp_path / "salt.zip")
    there = other_server()
    campaign = there.take_in(tmp_path / "salt.zip").id
    roll = c.RollNotation(id="there", seat=party.jon, notation="8d6")
    (event,) = (await there.tables.handle(campaign, roll)).events
    assert (event.throw.number, event.throw.session) == (0, 0)
    await there.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    ((_, report),) = verify(there, campaign).sessions
    assert report.verdict == "sealed"


async def test_the_promise_names_the_campaign_and_the_session():
    party = await played()
    tree = party.state.tree["sessions"]["1"]
    seed = bytes.fromhex(tree["seed"])
    assert check_commitment(tree["commitment"], seed, party.campaign, 1)
    assert not check_commitment(tree["commitment"], seed, party.campaign, 2)


async def test_the_seed_is_in_nothing_that_leaves_before_the_session_ends():
    party = await gather()
    await party.roll()
    root = party.server.store.seed(party.campaign, 1)
    for secret in (root.hex(), *(one.hex() for one in secrets_of(root))):
        for seat in (party.ida, party.mara):
            assert secret not in repr(party.server.projections.of(party.campaign, seat).view)
            assert secret not in repr(party.server.projections.of(party.campaign, seat).entries())
        assert secret not in repr(party.state)


async def test_the_example_is_laid_out_once(tmp_path):
    server = Server.at(tmp_path / "table.db")
    first = await server.open_example("toast")
    state = server.tables.campaign(first)
    gm = next(seat.id for seat in state.table.seats.values() if seat.role == "gm")
    await server.tables.handle(
        first, c.SetSettings(id="title", seat=gm, settings={"title": "Our road"})
    )
    assert await server.open_example("toast") == first
    assert len(server.campaigns()) == 1
    owners = {one.owner for one in state.table.in_play()}
    assert owners == {"gm", *(seat.id for seat in state.table.players())}
    assert {one.stage for one in state.table.entities.values()} == {"play"}
    server.close()
    again = Server.at(tmp_path / "table.db")
    assert await again.open_example("toast") == first
    again.close()


async def test_an_example_that_was_put_away_makes_room_for_a_new_one():
    server = Server(MemoryStore())
    first = await server.open_example("toast")
    (entry,) = server.campaigns()
    server.store.put_campaign(
        type(entry)(entry.id, entry.title, entry.game, entry.created, entry.created)
    )
    second = await server.open_example("toast")
    assert second != first
    assert len(server.campaigns()) == 2


async def test_an_example_that_breaks_off_leaves_nothing_behind(monkeypatch):
    async def break_off(aside, game):
        await real(aside, game)
        raise KeyboardInterrupt

    real = servers.lay_out
    monkeypatch.setattr(servers, "lay_out", break_off)
    server = Server(MemoryStore())
    with pytest.raises(KeyboardInterrupt):
        await server.open_example("toast")
    assert server.campaigns() == []


async def test_links_of_seats_and_of_the_host():
    server = Server(MemoryStore())
    campaign = await server.open_example("toast")
    links = server.seat_links(campaign)
    assert [(name, role) for name, role, _ in links] == [
        ("GM", "gm"),
        ("Mara", "player"),
        ("Jonas", "player"),
        ("Lene", "player"),
    ]
    seats = server.tables.campaign(campaign).table.seats
    for name, _, key in links:
        assert seats[server.keys.open(key, "seat-link").seat].name == name
    one = server.host_link()
    other = server.host_link()
    assert server.keys.spend(one, "host-link") is None
    assert server.keys.spend(other, "host-link") is not None


def test_a_server_makes_copies_when_they_are_due(tmp_path):
    now = ["2026-11-21T19:00:00.000000Z"]
    server = Server(open_store(tmp_path / "table.db"), clock=lambda: now[0])
    assert server.backup_if_due() is not None
    assert server.backup_if_due() is None
    server.keys.issue("host")
    now[0] = "2026-11-21T20:30:00.000000Z"
    assert server.backup_if_due() is not None
    assert [copy.made.hour for copy in server.store.generations()] == [19, 20]
    assert server.store.backup(tmp_path / "copy.db").is_file()
    server.close()


class Full(MemoryStore):
    """A store that refuses imports and records that it was closed."""

    closed = False

    def return_throw(self, campaign, session, number):
        raise StoreError("The disk is full.", code="store/full")

    def close(self):
        self.closed = True
        super().close()


async def test_a_server_lets_go_of_its_record_even_if_nothing_can_be_given_back():
    party = await gather(store := Full())
    await party.roll()
    with pytest.raises(StoreError, match="disk is full"):
        party.server.close()
    assert store.closed
