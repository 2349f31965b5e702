"""The live feed: missed events first, then new ones, and only those for the seat."""

import asyncio
import html
import itertools
import re
import time
from contextlib import AsyncExitStack, ExitStack

import pytest

from kitchentable.app import kept
from kitchentable.app.keys import digest, new_id
from kitchentable.app.projections import MOST_NEWS
from kitchentable.campaign.commands import (
    ChangeEntity,
    DecideSeat,
    MakeEntity,
    RollNotation,
    Say,
    SetNote,
    SetRole,
    SubmitSheet,
    Undo,
)
from kitchentable.web import feed as feeds
from kitchentable.web.site import Settings
from kitchentable.web.streams import MOST_SCREENS
from tests.web.visitors import Visited, cookies_of, feed, visit


async def do(visited: Visited, name: str, kind: type, /, **fields):
    seat = visited.seats[name].id
    return await visited.server.tables.handle(
        visited.campaign, kind(id=new_id(), seat=seat, **fields)
    )


TOKENS = r'name="(_csrf_token|command)" value="[^"]*"'


def follow(visited: Visited, name: str, query: str = "", last: str = ""):
    return feed(visited.app, f"{visited.t}/feed{query}", cookies_of(visited.sits(name)), last)


def test_what_happens_arrives_with_its_place_in_the_log(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            assert mara.status == 200
            assert mara.headers["content-type"].startswith("text/event-stream")
            assert mara.headers["cache-control"] == "no-store, private"
            await mara.until("alive")
            await do(visited, "Jonas", Say, text="Who goes there?")
            heard = await mara.message()
            assert "Who goes there?" in heard["data"]
            assert 'hx-target="#log-list"' in heard["data"]
            return heard["id"]

    cursor = asyncio.run(evening())
    entry = visited.server.projections.of(visited.campaign, visited.seats["Mara"].id).entries(
        limit=1
    )[0]
    open_place = visited.server.tables.cursors.open
    assert open_place(visited.campaign, cursor) == open_place(visited.campaign, entry.cursor)


@pytest.mark.parametrize("page", ["", "/recap"])
@pytest.mark.parametrize("by_header", [True, False])
def test_a_player_cannot_tell_how_much_is_hidden(visited, page, by_header):
    """A stream begins alike whatever has happened out of its seat's sight since the page."""

    mara = visited.sits("Mara")

    async def begun(path: str, hidden: int) -> list[tuple[str, str]]:
        last = ""
        if by_header:
            async with feed(visited.app, path, cookies_of(mara)) as stream:
                last = (await stream.until("alive"))[0]["id"]
        for number in range(hidden):
            await do(visited, "GM", SetNote, which="gm", text=f"secret {hidden}.{number}")
        async with feed(visited.app, path, cookies_of(mara), last) as stream:
            messages = await stream.until("alive")
        # Forms have random tokens, and commands of their own.
        return [(one["event"], re.sub(TOKENS, "", one["data"])) for one in messages]

    def told(hidden: int) -> list[tuple[str, str]]:
        found = re.search(r'hx-sse:connect="([^"]+)"', mara.get(f"{visited.t}{page}").text)
        return asyncio.run(begun(html.unescape(found[1]), hidden))

    first = told(0)
    assert [told(hidden) for hidden in (1, MOST_NEWS + 20)] == [first, first]
    assert ('hx-target="#party-in"' in first[0][1]) is (by_header and not page)
    assert ('hx-target="#needs"' in first[0][1]) is bool(page)


@pytest.mark.parametrize("by_header", [True, False])
def test_a_screen_that_was_away_is_told_the_rest_once(visited, by_header):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            await do(visited, "Jonas", Say, text="Heard at once")
            last = (await mara.message())["id"]
        for number in range(3):
            await do(visited, "Jonas", Say, text=f"Missed {number}")
        query, header = ("", last) if by_header else (f"?after={last}", "")
        async with follow(visited, "Mara", query, header) as mara:
            told = "".join(one["data"] for one in await mara.until("alive"))
            await do(visited, "Jonas", Say, text="Live again")
            live = await mara.message()
        assert "Heard at once" not in told
        assert [told.count(f"Missed {number}") for number in range(3)] == [1, 1, 1]
        assert "Live again" in live["data"]

    asyncio.run(evening())


def test_a_client_that_is_behind_gets_the_same_in_the_same_order(visited):
    async def evening():
        cookies, path = cookies_of(visited.sits("Mara")), f"{visited.t}/feed"
        turns = itertools.cycle([True, False, False])
        async with (
            feed(visited.app, path, cookies) as quick,
            feed(visited.app, path, cookies, takes=lambda: next(turns)) as slow,
        ):
            for screen in (quick, slow):
                await screen.until("alive")
            for number in range(6):
                await do(visited, "Jonas", Say, text=f"Word {number}")
                one, other = await quick.message(), await slow.message()
                assert one == other
                assert f"Word {number}" in one["data"]

    asyncio.run(evening())


def test_the_header_beats_the_address(visited):
    async def evening():
        first = visited.server.tables.cursors.seal(visited.campaign, 0)
        view = visited.server.projections.of(visited.campaign, visited.seats["Mara"].id).view
        async with follow(visited, "Mara", f"?after={first}", view.cursor) as mara:
            told = await mara.until("alive")
        assert not any("log-list" in one["data"] for one in told)

    asyncio.run(evening())


def test_too_much_to_tell_asks_for_a_new_page(visited):
    async def evening():
        for number in range(205):
            await do(visited, "Jonas", Say, text=f"Line {number}")
        first = visited.server.tables.cursors.seal(visited.campaign, 1)
        async with follow(visited, "Mara", last=first) as mara:
            assert (await mara.message())["event"] == "reload"
            with pytest.raises(EOFError):
                await mara.message()

    asyncio.run(evening())


@pytest.mark.parametrize("cursor", ["nonsense", "AAAAAAAAAAAAAAAAAAAAAAAA", "é", "x" * 5000])
def test_a_place_that_nobody_gave_out_asks_for_a_new_page(shared, cursor):
    async def evening():
        header = cursor if cursor.isascii() else ""
        query = "" if header else "?after=%C3%A9"
        async with follow(shared, "Mara", query, header) as mara:
            assert (await mara.message())["event"] == "reload"

    asyncio.run(evening())


def test_a_quiet_line_gives_signs_of_life():
    with visit(Settings(keep_alive=0.1), clock=time.monotonic) as visited:

        async def evening():
            async with follow(visited, "Mara") as mara:
                await mara.until("alive")
                assert (await mara.message())["event"] == "alive"
                assert (await mara.message())["event"] == "alive"

        asyncio.run(evening())


def test_a_seat_that_is_ended_is_told_and_let_go(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            await do(visited, "GM", DecideSeat, of=visited.seats["Mara"].id, verdict="revoke")
            said = await mara.until("bye")
            assert said[-1]["data"] == "revoked"
            with pytest.raises(EOFError):
                await mara.message()

    asyncio.run(evening())


def test_when_the_server_closes_every_line_ends_without_a_goodbye(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            visited.server.tables.hub.close()
            with pytest.raises(EOFError):
                await mara.message()

    asyncio.run(evening())


def test_who_leaves_is_forgotten_at_once(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            assert visited.server.tables.hub.here(visited.campaign)
        assert not visited.server.tables.hub.here(visited.campaign)

    asyncio.run(evening())


def test_regions_come_when_they_changed_and_only_then(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            await do(visited, "Jonas", Say, text="Just words")
            heard = await mara.message()
            assert 'hx-target="#party-in"' not in heard["data"]
            await do(visited, "GM", SetNote, which="table", text="The bridge is out.")
            noted = await mara.message()
            assert "The bridge is out." in noted["data"]
            assert 'hx-target="#note-table"' in noted["data"]
            assert 'hx-target="#party-in"' not in noted["data"]
            tam = visited.entity("Old Tam")
            await do(visited, "GM", ChangeEntity, entity=tam, line="Cook, late for supper")
            changed = await mara.message()
            assert 'hx-target="#party-in"' in changed["data"]
            assert "late for supper" in changed["data"]
            assert (await mara.message())["event"] == "moves"

    asyncio.run(evening())


def test_a_gm_reads_at_once_who_has_come_and_what_is_half_built():
    async def evening(new: Visited, wim: str):
        async with follow(new, "Ethel") as gm:
            await gm.until("alive")
            await do(new, "Ethel", DecideSeat, of=wim, verdict="approve")
            told = (await gm.message())["data"]
            assert "No player has a character yet." in told
            await do(new, "Ethel", MakeEntity, kind="nemesis", name="Serk")
            while "Continue building Serk" not in told:
                told = (await gm.message())["data"]

    with visit() as visited:
        made = visited.host().fill("/new", game="toast", title="Ash", gm_name="Ethel")
        campaign = made.headers["location"].rpartition("/")[2]
        new = Visited(visited.server, campaign, visited.app, visited.client)
        key = kept.join_key(new.server, campaign)
        guest = new.stranger()
        guest.get(f"/join/{key}")
        guest.fill("/join", key=key, name="Wim", role="player")
        asyncio.run(evening(new, new.seats["Wim"].id))


def test_one_tap_shows_the_players_somebody_who_was_hidden(visited):
    made = asyncio.run(do(visited, "GM", MakeEntity, kind="nemesis", name="Ghoul", hidden=True))
    ghoul = made.events[0].data["entity"]
    before = visited.server.tables.campaign(visited.campaign).table.entities[ghoul]
    asyncio.run(do(visited, "GM", SubmitSheet, entity=ghoul))
    gm = visited.sits("GM")
    assert f'action="{visited.t}/characters/{ghoul}/change"' in gm.get(visited.t).text
    assert "Ghoul" not in visited.sits("Mara").get(visited.t).text
    gm.fill(f"{visited.t}/characters/{ghoul}/change", hidden="off")
    assert "Ghoul" in visited.sits("Mara").get(visited.t).text
    after = visited.server.tables.campaign(visited.campaign).table.entities[ghoul]
    assert (after.name, after.line, after.owner, after.open) == (
        before.name,
        before.line,
        before.owner,
        before.open,
    )


def test_what_is_hidden_does_not_stir_a_players_line(visited):
    async def evening():
        async with follow(visited, "Mara") as mara, follow(visited, "GM") as gm:
            await gm.until("alive")
            await mara.until("alive")
            while not await mara.silent(0.2):
                pass
            await do(visited, "GM", SetNote, which="gm", text="The baron is a ghoul.")
            await do(visited, "GM", MakeEntity, kind="nemesis", name="Ghoul Baron", hidden=True)
            assert await mara.silent(0.3)
            told = ""
            while "Ghoul Baron" not in told:
                told += (await gm.message())["data"]

    asyncio.run(evening())


def test_dice_behind_the_screen_leave_a_stub_for_the_others(visited):
    async def evening():
        async with follow(visited, "Mara") as mara, follow(visited, "GM") as gm:
            await gm.until("alive")
            await mara.until("alive")
            await do(
                visited, "GM", RollNotation, notation="3d6+414141", audience="gm", label="ambush"
            )
            told = ""
            while "dice" not in told:
                told = (await mara.message())["data"]
            assert "414141" not in told
            assert "ambush" not in told

    asyncio.run(evening())


def test_a_step_that_was_taken_back_is_struck_on_every_screen(visited):
    async def evening():
        said = await do(visited, "Jonas", Say, text="That was wrong")
        cursor = visited.server.tables.cursors.seal(visited.campaign, said.events[0].number)
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            await do(visited, "GM", Undo, number=said.events[0].number, reason="a slip")
            told = await mara.message()
            assert f'hx-target="#e-{cursor}"' in told["data"]
            assert "Taken back by GM" in told["data"]

    asyncio.run(evening())


def test_two_screens_of_players_get_the_same_bytes_from_one_rendering(visited, monkeypatch):
    rendered = []
    renderer = visited.app.site.renderer("")
    real = renderer.news

    def news(entries, *more):
        rendered.extend(entry.text for entry in entries)
        return real(entries, *more)

    monkeypatch.setattr(renderer, "news", news)

    async def evening():
        async with follow(visited, "Mara") as mara, follow(visited, "Jonas") as jonas:
            await mara.until("alive")
            await jonas.until("alive")
            await do(visited, "Lene", Say, text="The same for both")
            first = await mara.message()
            while "The same" not in first["data"]:
                first = await mara.message()
            second = await jonas.message()
            while "The same" not in second["data"]:
                second = await jonas.message()
            assert first == second

    asyncio.run(evening())
    assert rendered.count("The same for both") == 1


def test_a_line_break_in_somebodys_words_cannot_become_a_message():
    sent = feeds.message("one\r\revent: bye\rdata: x\r\n\r\ntwo", "place").decode()
    assert sent.startswith("id: place\n")
    assert all(line.startswith(("id: ", "data: ")) or not line for line in sent.split("\n"))
    assert "\r" not in sent
    assert sent.count("\n\n") == 1


def test_who_becomes_something_else_at_the_table_gets_another_page(visited):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            await do(visited, "GM", SetRole, of=visited.seats["Mara"].id, role="spectator")
            assert (await mara.until("reload"))[-1]["event"] == "reload"
            with pytest.raises(EOFError):
                await mara.message()

    asyncio.run(evening())


def test_so_many_pages_of_one_seat_are_live_and_no_more(visited):
    mara, hub = visited.sits("Mara"), visited.server.tables.hub

    async def opened() -> int:
        async with feed(visited.app, f"{visited.t}/feed", cookies_of(mara)) as one:
            return one.status

    with ExitStack() as stack:
        for _ in range(MOST_SCREENS):
            stack.enter_context(hub.follow(visited.campaign, visited.seats["Mara"].id))
        assert asyncio.run(opened()) == 429
    assert asyncio.run(opened()) == 200
    hub.set_elsewhere("another", visited.campaign, {visited.seats["Mara"].id: MOST_SCREENS})
    assert asyncio.run(opened()) == 429
    hub.lost("another")
    assert asyncio.run(opened()) == 200


def test_a_device_that_another_process_signed_out_hears_no_more():
    with visit(Settings(keep_alive=0.05), clock=time.monotonic) as visited:
        mara = visited.sits("Mara")
        key = digest(mara.cookies["kt_seat"])

        async def evening():
            async with feed(visited.app, f"{visited.t}/feed", cookies_of(mara)) as line:
                await line.until("alive")
                visited.server.store.revoke_token(key, "2026-11-21T20:00:00Z")
                return await line.until("reload")

        assert asyncio.run(evening())


def test_a_silent_stream_is_one_task_and_keeps_nothing_of_its_request(visited):
    scopes = []

    async def opened(scope, receive, send):
        scopes.append(scope)
        await visited.app(scope, receive, send)

    async def evening():
        async with AsyncExitStack() as stack:
            before = asyncio.all_tasks()
            for _ in range(5):
                line = await stack.enter_async_context(
                    feed(opened, f"{visited.t}/feed", cookies_of(visited.sits("Mara")))
                )
                await line.until("alive")
            # One more gives the signs of life.
            async with asyncio.timeout(60):
                while len(asyncio.all_tasks() - before) != 5 + 1:  # noqa: ASYNC110 - tasks end
                    await asyncio.sleep(0.005)

    asyncio.run(evening())
    assert {name for scope in scopes for name in scope} == {
        *("type", "http_version", "method", "client", "path", "query_string", "headers")
    }
    assert all(scope["headers"] == [] for scope in scopes)


def test_an_error_in_a_stream_ends_it_and_is_seen(visited, monkeypatch):
    async def evening():
        async with follow(visited, "Mara") as mara:
            await mara.until("alive")
            monkeypatch.setattr(feeds.Screen, "heard", lambda *_: 1 / 0)
            await do(visited, "Jonas", Say, text="Hello")
            with pytest.raises(TimeoutError):
                await mara.message(0.1)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(evening())
