"""Pages of a log take as long however many events between their entries are for others."""

from hypothesis import given
from hypothesis import strategies as st

from kitchentable.app import index as readable
from kitchentable.app.index import index_log
from kitchentable.app.projections import LOOKED_BACK
from kitchentable.app.search import Search, find
from kitchentable.campaign import commands as c
from kitchentable.campaign.audiences import among, known_as, readers_in, sees
from kitchentable.campaign.entries import text_of
from kitchentable.rules.table import Seat
from tests.app.party import Party, gather

PAGE = 30
SEATS = ("gm", "s1", "s2", "s3")


@given(
    st.sampled_from(["all", *SEATS]) | st.sets(st.sampled_from(SEATS), min_size=1).map(among),
    st.sampled_from(SEATS[1:]),
    st.sampled_from(["gm", "cogm", "player", "spectator"]),
)
def test_the_index_knows_readers_as_audiences_do(audience, seat, role):
    one = Seat(seat, "Somebody", role)
    assert sees(audience, one) == bool(set(readers_in(audience)) & set(known_as(one)))


async def played(hidden: int) -> Party:
    """A campaign whose older events have left memory, with notes of the GM's among them."""
    party = await gather()
    for number in range(150):
        await party.do(c.Say, party.mara, text=f"salt {number}")
        for one in range(hidden if number in {40, 100} else 0):
            text = f"the salt is gold {number} {one}"
            await party.do(c.SetNote, party.ida, which="gm", text=text)
    for number in range(140):
        await party.do(c.Say, party.jon, text=f"{number}")
    return party


def pages_of(party: Party) -> tuple[list[int], list[list[str]]]:
    """The number of events that each of Mara's pages looks at, and the pages."""
    looked, pages = [0], []
    projection, store = party.server.projections.of(party.campaign, party.mara), party.server.store
    told = projection.entries_of

    def watched(events):
        def counted():
            for event in events:
                looked[-1] += 1
                yield event

        return told(counted())

    def add(entries) -> None:
        pages.append([entry.text for entry in entries])
        looked.append(0)

    projection.entries_of = watched
    before = None
    while not pages or len(pages[-1]) == PAGE:
        page = projection.entries(before=before, limit=PAGE)
        before = page[0].cursor
        add(page)
    after = before
    while len(pages[-1]) == PAGE or len(pages) < 15:
        page = projection.entries(after=after, limit=PAGE)
        after = page[-1].cursor if page else after
        add(page)
    for search in (Search(words="salt"), Search(), Search(kind="talk", words="gold")):
        add(find(store, projection, search, limit=400))
    return looked, pages


async def test_hidden_events_between_two_entries_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(readable, "_CHUNK", PAGE)
    none, some = await played(0), await played(70)
    told = pages_of(none)[1]
    for party in (none, some):
        index_log(party.server.store, party.campaign, party.state)
    assert pages_of(none) == pages_of(some)
    assert pages_of(none)[1] == told, "the index changes no page"


async def test_the_latest_roll_is_found_behind_whatever_is_hidden():
    party = await gather()
    asked = await party.do(c.Propose, party.mara, move="flip", entity=party.kes)
    await party.do(c.Settle, party.ida, proposal=asked.data["proposal"])
    fell = await party.do(c.Throw, party.mara, proposal=asked.data["proposal"])
    for number in range(LOOKED_BACK):
        await party.do(c.SetNote, party.ida, which="gm", text=f"secret {number}")
    of = party.server.projections.of
    latest = of(party.campaign, party.mara).latest("flip", party.kes, {})
    assert latest == fell.data["answers"] != {}
    assert of(party.campaign, party.ida).latest("flip", party.kes, {}) == {}


async def test_what_is_shown_to_all_is_on_their_pages_again():
    party = await gather()
    sheet = {"coins": 3, "skill": 2}
    made = await party.do(
        c.MakeEntity, party.ida, kind="npc", name="Grim", sheet=sheet, hidden=True
    )
    lost = await party.do(
        c.MakeMove,
        party.ida,
        move="lose",
        entity=made.data["entity"],
        answers={"coins": 1, "for": "gm"},
        audience="gm",
    )
    assert (lost.audience, lost.throw) == ("gm", None)
    projection, store = party.server.projections, party.server.store

    async def pages() -> list[int]:
        for number in range(140):
            await party.do(c.Say, party.jon, text=f"{number}")
        index_log(store, party.campaign, party.state)
        mara = projection.of(party.campaign, party.mara)
        named = [entry for entry in mara.entries(limit=400) if "Grim" in text_of(entry)]
        return [len(named), len(find(store, mara, Search(words="Grim"), limit=9))]

    assert await pages() == [0, 0]
    first = party.server.tables.cursors.seal(party.campaign, 1)
    await party.do(c.Reveal, party.ida, number=lost.number)
    mara = projection.of(party.campaign, party.mara)
    for page in (mara.entries(limit=400), mara.entries(after=first, limit=400)):
        assert [one.kind for one in page if "Grim" in text_of(one)] == ["move", "revealed"]
    assert await pages() == [2, 2]
