"""The host's overviews: read without opening campaigns, and anew when something has happened."""

from kitchentable.app.overviews import overview_of
from kitchentable.campaign import commands as c
from tests.app.party import gather
from tests.app.test_snapshots import Watched, again


async def test_an_overview_tells_of_the_latest_event_and_keeps_nothing_in_memory():
    party = await gather(store=Watched())
    tables = again(party)
    first = overview_of(tables, party.campaign)
    assert (first.title, first.players, first.session, first.waiting) == (
        "Salt",
        ("Mara", "Jon"),
        1,
        0,
    )
    assert first.people == ("Kes",)
    assert first.last == party.log[-1].time
    assert tables.known(party.campaign) is None
    await party.do(c.AskForSeat, "", new_seat="s-tove", name="Tove")
    then = overview_of(tables, party.campaign)
    assert (then.waiting, then.number) == (1, first.number + 1)


async def test_an_overview_is_read_from_the_snapshot_that_another_left():
    party = await gather(store=Watched())
    overview_of(again(party), party.campaign)
    party.server.store.read_rows = 0
    assert overview_of(again(party), party.campaign).players == ("Mara", "Jon")
    assert party.server.store.read_rows == 1
