"""The feed: missed events first, no event twice, and an end when it must."""

import asyncio
from contextlib import AsyncExitStack, aclosing

import pytest

from kitchentable.app import others, projections
from kitchentable.app.attend import attend
from kitchentable.app.cursors import BadCursor
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.store import open_store
from tests.app.following import updates
from tests.app.party import coin_only, gather


async def next_of(feed):
    return await asyncio.wait_for(anext(feed), 5)


async def said(party, *words, seat=""):
    for text in words:
        await party.do(c.Say, seat or party.jon, text=text)


def texts(entries):
    return [entry.text for entry in entries]


async def test_who_was_away_is_told_the_rest_once():
    party = await gather()
    reader = party.server.projections
    cursor = reader.of(party.campaign, party.mara).view.cursor
    await said(party, "one", "two")
    async with aclosing(updates(reader, party.campaign, party.mara, cursor)) as feed:
        update = await next_of(feed)
        assert texts(update.entries) == ["one", "two"]
        await said(party, "three")
        assert texts((await next_of(feed)).entries) == ["three"]
        await said(party, "four", "five")
        assert texts((await next_of(feed)).entries) == ["four", "five"]
    async with aclosing(updates(reader, party.campaign, party.mara, update.cursor)) as feed:
        assert texts((await next_of(feed)).entries) == ["three", "four", "five"]


async def test_a_feed_without_a_place_begins_now():
    party = await gather()
    await said(party, "before")
    async with aclosing(updates(party.server.projections, party.campaign, party.mara)) as feed:
        assert (await next_of(feed)).entries == ()
        await said(party, "after")
        assert texts((await next_of(feed)).entries) == ["after"]


async def test_who_is_here_is_told_when_it_changes():
    party = await gather()
    reader = party.server.projections
    async with aclosing(updates(reader, party.campaign, party.mara)) as mara:
        assert (await next_of(mara)).here == {party.mara}
        async with aclosing(updates(reader, party.campaign, party.jon)) as jon:
            await next_of(jon)
            assert (await next_of(mara)).here == {party.mara, party.jon}
        assert (await next_of(mara)).here == {party.mara}
    assert party.server.tables.hub.here(party.campaign) == set()


async def test_who_looks_the_moment_somebody_comes_sees_them():
    party = await gather()
    hub, seen = party.server.tables.hub, []

    def look() -> None:
        seen.append(hub.here(party.campaign))

    with hub.follow(party.campaign, party.mara, look), hub.follow(party.campaign, party.jon):
        assert hub.here(party.campaign) == {party.mara, party.jon}
    assert seen == [{party.mara, party.jon}, {party.mara}]


async def test_screens_that_read_the_same_share_an_update():
    party = await gather()
    reader = party.server.projections
    seats = [party.ida, party.mara, party.jon, party.jon, party.ida]
    async with AsyncExitStack() as stack:
        feeds = [
            await stack.enter_async_context(aclosing(updates(reader, party.campaign, seat)))
            for seat in seats
        ]
        for feed in feeds:
            await next_of(feed)
        await said(party, "to all")
        shared = [await next_of(feed) for feed in feeds]
        await party.do(c.Say, party.mara, text="to the GM", to="gm")
        apart = [await next_of(feed) for feed in feeds]
    ida, mara, jon = shared[:3]
    assert list(map(id, shared)) == list(map(id, (ida, mara, jon, jon, ida)))
    assert [entry.may_undo for one in (ida, mara, jon) for entry in one.entries] == [1, 0, 1]
    assert [texts(one.entries) for one in apart] == [
        ["to the GM"],
        ["to the GM"],
        [],
        [],
        ["to the GM"],
    ]


async def test_nothing_of_a_whisper_reaches_a_third():
    party = await gather()
    reader = party.server.projections
    feeds = {
        seat: updates(reader, party.campaign, seat, reader.of(party.campaign, seat).view.cursor)
        for seat in (party.ida, party.jon)
    }
    await party.do(c.Say, party.mara, text="I have the key", to="gm")
    heard = {seat: await next_of(feed) for seat, feed in feeds.items()}
    assert texts(heard[party.ida].entries) == ["I have the key"]
    assert heard[party.jon].entries == ()
    cursors = party.server.tables.cursors
    places = {cursors.open(party.campaign, heard[seat].cursor) for seat in feeds}
    assert places == {party.state.number}
    for feed in feeds.values():
        await feed.aclose()


async def test_what_reads_otherwise_now_is_told_again():
    party = await gather()
    await said(party, "oops")
    reader = party.server.projections
    async with aclosing(updates(reader, party.campaign, party.mara)) as feed:
        await next_of(feed)
        await party.do(c.Undo, party.ida, number=party.state.number, reason="a slip")
        update = await next_of(feed)
    (altered,) = update.altered
    assert altered.text == "oops"
    assert "Ida" in altered.undone
    assert "undone" in update.touched


async def test_too_much_news_asks_for_a_fresh_page_and_is_read_beside_the_event_loop(monkeypatch):
    party = await gather()
    cursor = party.server.projections.of(party.campaign, party.mara).view.cursor
    for number in range(projections.MOST_NEWS + 1):
        await said(party, f"{number}")
    assert party.state.events.start > 1
    read, last = party.server.store.read, party.state.number

    def recent(campaign, after=0, limit=None):
        if after < last:
            with pytest.raises(RuntimeError):
                asyncio.get_running_loop()
        return read(campaign, after, limit)

    monkeypatch.setattr(party.server.store, "read", recent)
    feed = updates(party.server.projections, party.campaign, party.mara, cursor)
    update = await next_of(feed)
    assert (update.reload, update.entries) == (True, ())
    with pytest.raises(StopAsyncIteration):
        await next_of(feed)


@pytest.mark.parametrize(
    ("command", "parts", "why"),
    [
        (c.DecideSeat, {"verdict": "revoke"}, "revoked"),
        (c.HandOver, {}, "handed-over"),
    ],
)
async def test_a_feed_ends_with_its_seat(command, parts, why):
    party = await gather()
    feed = updates(party.server.projections, party.campaign, party.mara)
    await next_of(feed)
    await party.do(command, party.ida, of=party.mara, **parts)
    assert (await next_of(feed)).ended == why
    with pytest.raises(StopAsyncIteration):
        await next_of(feed)


async def test_when_the_server_closes_every_feed_ends_and_new_ones_too():
    party = await gather()
    feed = updates(party.server.projections, party.campaign, party.mara)
    await next_of(feed)
    waiting = asyncio.ensure_future(anext(feed))
    await asyncio.sleep(0)
    party.server.tables.hub.close()
    assert (await asyncio.wait_for(waiting, 5)).ended == "closing"
    assert (
        await next_of(updates(party.server.projections, party.campaign, party.jon))
    ).ended == "closing"


async def test_what_another_process_records_is_heard(tmp_path, monkeypatch):
    """The other process has a hub of its own and wakes nobody here; the log is the news."""
    monkeypatch.setattr(others, "LOOK_EVERY", 0.01)
    party = await gather(open_store(tmp_path / "table.db"))
    looking = asyncio.create_task(attend(party.server.tables))
    other = Server(open_store(tmp_path / "table.db"), load_game=coin_only)
    async with aclosing(updates(party.server.projections, party.campaign, party.mara)) as feed:
        await next_of(feed)
        await other.tables.handle(
            party.campaign, c.Say(id="far", seat=party.jon, text="From the other side")
        )
        assert texts((await next_of(feed)).entries) == ["From the other side"]
        await other.tables.handle(
            party.campaign, c.HandOver(id="give", seat=party.ida, of=party.mara)
        )
        assert (await next_of(feed)).ended == "handed-over"
    looking.cancel()
    await asyncio.wait([looking])
    other.close()
    party.server.close()


async def test_what_is_new_here_is_looked_up_by_nobody_however_many_follow(monkeypatch):
    party = await gather()

    async def hear(seat):
        async with aclosing(updates(party.server.projections, party.campaign, seat)) as feed:
            async for update in feed:
                if update.entries:
                    return texts(update.entries)
        return []

    screens = [asyncio.ensure_future(hear(seat)) for seat in (party.ida, party.mara, party.jon) * 3]
    await asyncio.sleep(0.05)
    looked = []
    real = party.server.store.read
    monkeypatch.setattr(
        party.server.store, "read", lambda *a, **k: looked.append(a) or real(*a, **k)
    )
    await said(party, "for all of you")
    assert await asyncio.wait_for(asyncio.gather(*screens), 5) == [["for all of you"]] * 9
    assert looked == [], "what was recorded here is known here"


async def test_who_is_here_is_known_by_name():
    party = await gather()
    reader = party.server.projections
    async with aclosing(updates(reader, party.campaign, party.mara)) as mara:
        assert (await next_of(mara)).people == ("Mara",)
        async with aclosing(updates(reader, party.campaign, party.jon)) as jon:
            assert (await next_of(jon)).people == ("Jon", "Mara")


async def test_a_silent_follower_has_nothing_to_do():
    party = await gather()
    woken = []
    follow = party.server.projections.follow
    with follow(party.campaign, party.mara, None, lambda: woken.append(1)) as place:
        assert place.update().here == {party.mara}
        assert place.update() is None
        assert not woken
        await said(party, "news")
        assert woken
        assert texts(place.update().entries) == ["news"]
        assert place.update() is None
    woken.clear()
    await said(party, "more")
    assert not woken


async def test_a_made_up_place_is_refused():
    party = await gather()
    for made_up in ("", "x", "AAAAAAAAAAAAAAAAAAAAAAAA", "é"):
        with pytest.raises(BadCursor):
            party.server.projections.of(party.campaign, party.mara).entries(after=made_up)
    feed = updates(party.server.projections, party.campaign, party.mara, "nonsense")
    with pytest.raises(BadCursor):
        await next_of(feed)
    assert party.server.tables.hub.here(party.campaign) == set()


async def test_pages_of_the_log_follow_each_other_without_gap():
    party = await gather()
    await said(party, *(f"{n}" for n in range(10)))
    projection = party.server.projections.of(party.campaign, party.mara)
    last = projection.entries(limit=4)
    assert texts(last) == ["6", "7", "8", "9"]
    before = projection.entries(before=last[0].cursor, limit=4)
    assert texts(before) == ["2", "3", "4", "5"]
    after = projection.entries(after=before[-1].cursor, limit=3)
    assert after == last[:3]
