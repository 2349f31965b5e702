"""The host's overviews: read without opening campaigns, and anew when something has happened."""

from kitchentable.app.overviews import Overviews
from kitchentable.campaign import commands as c
from tests.app.party import gather
from tests.app.test_snapshots import Watched, again


async def test_an_overview_tells_of_the_latest_event_and_keeps_nothing_in_memory():
    party = await gather(store=Watched())
    tables = again(party)
    overviews = Overviews(tables)
    first = overviews.of(party.campaign)
    assert (first.title, first.players, first.session, first.waiting) == (
        "Salt",
        ("Mara", "Jon"),
        1,
        0,
    )
    assert first.people == ("Kes",)
    assert first.last == party.log[-1].time
    assert tables.known(party.campaign) is None
    assert overviews.of(party.campaign) is first
    await party.do(c.AskForSeat, "", new_seat="s-tove", name="Tove")
    assert overviews.of(party.campaign).waiting == 1
    assert overviews.of(party.campaign).number == first.number + 1


async def test_an_overview_is_read_from_the_snapshot_that_another_left():
    party = await gather(store=Watched())
    Overviews(again(party)).of(party.campaign)
    party.server.store.read_rows = 0
    assert Overviews(again(party)).of(party.campaign).players == ("Mara", "Jon")
    assert party.server.store.read_rows == 1
