"""The house: its example, links, and unchanged campaigns after export and import."""

import pytest

from kitchentable.app import house as houses
from kitchentable.app.audit import audit_file
from kitchentable.app.house import House
from kitchentable.campaign import commands as c
from kitchentable.dice.stream import check_commitment, secrets_of
from kitchentable.store import BadFile, BadRecord, MemoryStore, StoreError, open_store
from tests.app.party import coin_only, gather, ticking


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


def other_house(store=None):
    return House(store or MemoryStore(), clock=ticking(), load_game=coin_only)


async def test_an_exported_campaign_comes_in_identical(tmp_path):
    party = await played(open_store(tmp_path / "ours.db"))
    manifest = party.house.export(party.campaign, tmp_path / "salt.zip")
    assert (manifest.events, manifest.secrets) == (party.state.number, False)
    there = other_house(open_store(tmp_path / "theirs.db"))
    entry = there.take_in(tmp_path / "salt.zip")
    assert entry == party.house.campaigns()[0]
    assert there.tables.campaign(entry.id).tree == party.state.tree
    assert list(there.tables.campaign(entry.id).events) == party.log
    assert there.store.read(entry.id) == party.house.store.read(party.campaign)
    for seat in (party.ida, party.mara, party.jon):
        ours = [
            (entry.text, entry.card, entry.dice, entry.stub)
            for entry in party.house.projections.of(party.campaign, seat).entries(limit=999)
        ]
        theirs = [
            (entry.text, entry.card, entry.dice, entry.stub)
            for entry in there.projections.of(entry.id, seat).entries(limit=999)
        ]
        assert ours == theirs
    ((_, report),) = there.verify(entry.id).sessions
    assert (report.verdict, report.rolls, report.dice_checked, report.dice_typed) == (
        "fair",
        3,
        16,
        8,
    )
    assert audit_file(tmp_path / "salt.zip").sessions == there.verify(entry.id).sessions
    assert there.store.tokens(entry.id) == [], "nobody's keys travel"
    there.close()
    party.house.close()


async def test_a_second_import_is_refused_and_harms_nothing(tmp_path):
    party = await played()
    party.house.export(party.campaign, tmp_path / "salt.zip")
    with pytest.raises(BadRecord) as caught:
        party.house.take_in(tmp_path / "salt.zip")
    assert caught.value.code == "store/campaign-exists"
    with pytest.raises(BadFile):
        party.house.take_in(tmp_path / "nothing.zip")
    assert len(party.house.campaigns()) == 1


async def test_a_copy_beside_the_original_is_a_table_of_its_own(tmp_path):
    """It goes by its own id; its dice are promised anew, and every evening of it verifies."""
    party = await played()
    house, first = party.house, party.campaign
    house.export(first, tmp_path / "salt.zip", secrets=True)
    copy = house.take_in(tmp_path / "salt.zip", new_name="salt-2").id
    assert house.tables.campaign(copy).tree == party.state.tree
    assert house.projections.of(copy, party.mara).view.campaign == copy
    for campaign in (copy, first):
        await house.tables.handle(campaign, c.BeginSession(id="begin", seat=party.ida))
        for seat in (party.mara, party.jon):
            roll = c.RollNotation(id=f"roll-{seat}", seat=seat, notation="20d20")
            await house.tables.handle(campaign, roll)
        await house.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    assert house.store.seed(copy, 2) != house.store.seed(first, 2)
    assert house.store.seed(copy, 1) is None, "two tables on one stream would tell its dice"
    traces = [
        [event.throw.trace for event in house.tables.campaign(one).events if event.throw]
        for one in (copy, first)
    ]
    assert traces[0][:3] == traces[1][:3]
    assert traces[0][3:] != traces[1][3:]
    for campaign in (copy, first):
        found = house.verify(campaign)
        assert [report.verdict for _, report in found.sessions] == ["fair", "fair"]
    last = house.projections.of(copy, party.mara).entries(limit=1)[0]
    assert house.projections.of(copy, party.mara).entries(after=last.cursor) == []
    house.export(copy, tmp_path / "copy.zip")
    assert not audit_file(tmp_path / "copy.zip").broken


async def test_moving_house_in_mid_session_keeps_the_promise(tmp_path):
    party = await gather()
    await party.roll()
    party.house.export(party.campaign, tmp_path / "salt.zip", secrets=True)
    there = other_house()
    campaign = there.take_in(tmp_path / "salt.zip").id
    roll = c.RollNotation(id="there", seat=party.jon, notation="8d6")
    done = await there.tables.handle(campaign, roll)
    assert done.events[0].throw.number == 2
    await there.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    ((_, report),) = there.verify(campaign).sessions
    assert (report.verdict, report.dice_checked) == ("fair", 16)


async def test_moved_without_secrets_the_dice_are_loose_and_the_journal_says_so(tmp_path):
    party = await gather()
    await party.roll()
    party.house.export(party.campaign, tmp_path / "salt.zip")
    there = other_house()
    campaign = there.take_in(tmp_path / "salt.zip").id
    roll = c.RollNotation(id="there", seat=party.jon, notation="8d6")
    (event,) = (await there.tables.handle(campaign, roll)).events
    assert (event.throw.number, event.throw.session) == (0, 0)
    await there.tables.handle(campaign, c.EndSession(id="end", seat=party.ida))
    ((_, report),) = there.verify(campaign).sessions
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
    root = party.house.store.seed(party.campaign, 1)
    for secret in (root.hex(), *(one.hex() for one in secrets_of(root))):
        for seat in (party.ida, party.mara):
            assert secret not in repr(party.house.projections.of(party.campaign, seat).view)
            assert secret not in repr(party.house.projections.of(party.campaign, seat).entries())
        assert secret not in repr(party.state)


async def test_the_example_is_laid_out_once(tmp_path):
    house = House.at(tmp_path / "house.db")
    first = await house.open_example("toast")
    state = house.tables.campaign(first)
    gm = next(seat.id for seat in state.table.seats.values() if seat.role == "gm")
    await house.tables.handle(
        first, c.SetSettings(id="title", seat=gm, settings={"title": "Our road"})
    )
    assert await house.open_example("toast") == first
    assert len(house.campaigns()) == 1
    owners = {one.owner for one in state.table.in_play()}
    assert owners == {"gm", *(seat.id for seat in state.table.players())}
    assert {one.stage for one in state.table.entities.values()} == {"play"}
    house.close()
    again = House.at(tmp_path / "house.db")
    assert await again.open_example("toast") == first
    again.close()


async def test_an_example_that_was_put_away_makes_room_for_a_new_one():
    house = House(MemoryStore())
    first = await house.open_example("toast")
    (entry,) = house.campaigns()
    house.store.put_campaign(
        type(entry)(entry.id, entry.title, entry.game, entry.created, entry.created)
    )
    second = await house.open_example("toast")
    assert second != first
    assert len(house.campaigns()) == 2


async def test_an_example_that_breaks_off_leaves_nothing_behind(monkeypatch):
    async def break_off(aside, game):
        await real(aside, game)
        raise KeyboardInterrupt

    real = houses.lay_out
    monkeypatch.setattr(houses, "lay_out", break_off)
    house = House(MemoryStore())
    with pytest.raises(KeyboardInterrupt):
        await house.open_example("toast")
    assert house.campaigns() == []


async def test_links_of_seats_and_of_the_host():
    house = House(MemoryStore())
    campaign = await house.open_example("toast")
    links = house.seat_links(campaign)
    assert [(name, role) for name, role, _ in links] == [
        ("GM", "gm"),
        ("Mara", "player"),
        ("Jonas", "player"),
        ("Lene", "player"),
    ]
    seats = house.tables.campaign(campaign).table.seats
    for name, _, key in links:
        assert seats[house.keys.open(key, "seat-link").seat].name == name
    one = house.host_link()
    other = house.host_link()
    assert house.keys.spend(one, "host-link") is None
    assert house.keys.spend(other, "host-link") is not None


def test_a_house_makes_copies_when_they_are_due(tmp_path):
    now = ["2026-11-21T19:00:00.000000Z"]
    house = House(open_store(tmp_path / "house.db"), clock=lambda: now[0])
    assert house.backup_if_due() is not None
    assert house.backup_if_due() is None
    house.keys.cut("host")
    now[0] = "2026-11-21T20:30:00.000000Z"
    assert house.backup_if_due() is not None
    assert [copy.made.hour for copy in house.generations()] == [19, 20]
    assert house.backup(tmp_path / "copy.db").is_file()
    house.close()


class Full(MemoryStore):
    """A store that refuses imports and records that it was closed."""

    closed = False

    def return_throw(self, campaign, session, number):
        raise StoreError("The disk is full.", code="store/full")

    def close(self):
        self.closed = True
        super().close()


async def test_a_house_lets_go_of_its_record_even_if_nothing_can_be_given_back():
    party = await gather(store := Full())
    await party.roll()
    with pytest.raises(StoreError, match="disk is full"):
        party.house.close()
    assert store.closed
