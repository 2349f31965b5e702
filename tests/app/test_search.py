"""A search finds what a seat reads, and nothing else, however long the log is."""

from kitchentable.app.search import Search, find
from kitchentable.campaign import commands as c
from tests.app.party import gather


async def a_long_tale():
    party = await gather()
    for number in range(130):
        who = (party.mara, party.jon, party.ida)[number % 3]
        await party.do(
            c.Say, who, text=f"Saltwater {number} rises", to="gm" if number % 7 == 0 else ""
        )
        if number % 10 == 0:
            await party.roll(who, notation="2d6")
    await party.do(c.Undo, party.ida, number=party.state.number, reason="Never happened")
    return party


def every(party, seat, search, **place):
    projection = party.server.projections.of(party.campaign, seat)
    return find(party.server.store, projection, search, limit=1000, **place)


async def test_what_is_found_is_what_a_reading_of_the_whole_log_finds():
    party = await a_long_tale()
    for seat in (party.ida, party.mara, party.jon):
        projection = party.server.projections.of(party.campaign, seat)
        log = list(projection.entries_of(party.state.events))
        for search in (
            Search(),
            Search(words="saltw"),
            Search(words="RISES 12"),
            Search(words="happened never"),
            Search(words="takes back saltwater"),
            Search(words="2d6"),
            Search(kind="rolls"),
            Search(kind="talk", person=party.jon, words="1"),
            Search(kind="hand"),
            Search(words="nowhere"),
            Search(person="s-nobody"),
        ):
            expected = [entry for entry in log if search.fits(entry)]
            assert every(party, seat, search) == expected[::-1]
            assert every(party, seat, search, after=0) == expected
    assert len(every(party, party.ida, Search(words="saltwater"))) > 120
    assert len(every(party, party.mara, Search(words="2d6"))) == 13


async def test_signs_alone_find_nothing():
    party = await gather()
    await party.do(c.Say, party.mara, text="100 % pepper")
    assert every(party, party.mara, Search(words=" %* ")) == []
    assert len(every(party, party.mara, Search(words="% pepper"))) == 1


async def test_a_secret_is_not_found_by_those_who_may_not_read_it():
    party = await gather()
    await party.do(c.Say, party.mara, text="The key is a whalebone", to="gm")
    found = {
        seat: [entry.text for entry in every(party, seat, Search(words="whaleb"))]
        for seat in (party.ida, party.mara, party.jon)
    }
    told = ["The key is a whalebone"]
    assert found == {party.ida: told, party.mara: told, party.jon: []}


async def test_new_events_are_found_at_once_and_old_ones_are_indexed_once(monkeypatch):
    party = await a_long_tale()
    assert every(party, party.ida, Search(words="lantern")) == []
    indexed = []
    index = party.server.store.index
    monkeypatch.setattr(
        party.server.store, "index", lambda name, new: indexed.extend(new) or index(name, new)
    )
    await party.do(c.Say, party.jon, text="A lantern!")
    assert [entry.text for entry in every(party, party.ida, Search(words="lantern"))] == [
        "A lantern!"
    ]
    assert [one.number for one in indexed] == [party.state.number]
