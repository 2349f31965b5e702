"""Several servers of one PostgreSQL database: any of them serves any seat."""

import asyncio
import itertools
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from kitchentable.app import others
from kitchentable.app.attend import attend
from kitchentable.app.buckets import shared
from kitchentable.app.server import Server
from kitchentable.campaign import commands as c
from kitchentable.campaign.errors import BadEvent
from kitchentable.store import Append, NewRow
from kitchentable.store.postgres_signals import PostgresSignals
from kitchentable.web.limits import TooManyTries, Tries
from tests.app.following import updates
from tests.app.party import verify
from tests.app.test_webhooks import Receiver
from tests.postgres import own_server

TITLE = "The Salt Road"


@asynccontextmanager
async def attended(address: str, count: int) -> AsyncIterator[list[Server]]:
    """Servers of a database that hear each other."""
    servers = [Server.at(address) for _ in range(count)]
    tasks = [asyncio.create_task(attend(server.tables)) for server in servers]
    try:
        await until(lambda: all(server.tables.others.heard for server in servers))
        yield servers
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for server in servers:
            server.close()


async def until(done: Callable[[], bool], within: float = 10.0) -> None:
    async with asyncio.timeout(within):
        while not done():  # noqa: ASYNC110 - what is waited for is elsewhere
            await asyncio.sleep(0.005)


async def opened(server: Server) -> tuple[str, str]:
    """A campaign with a session begun, and its GM's seat."""
    made = await server.open_campaign(TITLE, "toast")
    seat = made.gm_seat
    ask = c.AskForSeat(id="jonas", seat=seat, new_seat="jonas", name="Jonas", approved=True)
    await server.tables.handle(made.campaign, ask)
    await server.tables.handle(made.campaign, c.BeginSession(id="begin", seat=made.gm_seat))
    return made.campaign, made.gm_seat


def roll(number: int, seat: str) -> c.Command:
    if number % 2:
        return c.Say(id=f"say-{number}", seat=seat, text=f"words {number}")
    return c.RollNotation(id=f"roll-{number}", seat=seat, notation="2d20")


def test_steps_on_any_server_are_one_log_with_each_die_thrown_once(emptied: str):
    async def play() -> None:
        async with attended(emptied, 3) as servers:
            campaign, seat = await opened(servers[0])
            told = {}

            async def at(server: Server, numbers: range) -> None:
                for number in numbers:
                    command = roll(number, seat)
                    told[command.id] = (await server.tables.handle(campaign, command)).events
                    again = await server.tables.handle(campaign, command)
                    assert again.repeated
                    assert again.events == told[command.id]

            await asyncio.gather(
                *(at(server, range(one, 36, 3)) for one, server in enumerate(servers))
            )
            log, *same = [list((await up_to_date(one, campaign)).events) for one in servers]
            assert all(one == log for one in same)
            assert [event.number for event in log] == list(range(1, len(log) + 1))
            assert [event for event in log if event.command in told] == sorted(
                itertools.chain.from_iterable(told.values()), key=lambda event: event.number
            )
            thrown = [(e.throw.session, e.throw.number) for e in log if e.throw is not None]
            assert len(set(thrown)) == len(thrown) == 18
            assert {session for session, _ in thrown} == {1}
            ended = c.EndSession(id="end", seat=seat)
            await servers[2].tables.handle(campaign, ended)
            audit = await asyncio.to_thread(verify, servers[1], campaign)
            assert [report.verdict for _, report in audit.sessions] == ["fair"], audit

    asyncio.run(play())


async def up_to_date(server: Server, campaign: str):
    await server.tables.ready(campaign)
    return server.tables.campaign(campaign)


def test_a_signal_wakes_the_streams_of_other_servers(emptied: str, monkeypatch):
    monkeypatch.setattr(others, "LOOK_EVERY", 60.0)

    async def play() -> None:
        async with attended(emptied, 2) as (here, there):
            campaign, seat = await opened(here)
            await there.tables.ready(campaign)
            following = updates(there.projections, campaign, seat)
            await anext(following)
            for number in range(5):
                await here.tables.handle(campaign, c.Say(id=f"s{number}", seat=seat, text="Hi"))
                async with asyncio.timeout(5):
                    update = await anext(following)
                    while not update.entries:
                        update = await anext(following)
                assert [entry.kind for entry in update.entries] == ["said"]
            await following.aclose()

    asyncio.run(play())


def test_a_lost_signal_costs_a_moment_and_no_event(emptied: str, monkeypatch):
    monkeypatch.setattr(others, "LOOK_EVERY", 0.1)

    async def play() -> None:
        async with attended(emptied, 2) as (here, there):
            monkeypatch.setattr(PostgresSignals, "send", lambda signals, message: None)
            campaign, seat = await opened(here)
            await there.tables.ready(campaign)
            following = updates(there.projections, campaign, seat)
            await anext(following)
            await here.tables.handle(campaign, c.Say(id="s", seat=seat, text="Hi"))
            async with asyncio.timeout(5):
                assert (await anext(following)).entries[0].kind == "said"
            await following.aclose()

    asyncio.run(play())


def test_who_is_there_and_who_is_shut_out_is_known_everywhere(emptied: str, monkeypatch):
    monkeypatch.setattr(others, "_ALIVE", 0.1)
    monkeypatch.setattr(others, "LOOK_EVERY", 0.1)

    async def play() -> None:
        async with attended(emptied, 2) as (here, there):
            campaign, gm = await opened(here)
            with there.tables.hub.follow(campaign, gm):
                ask = c.AskForSeat(id="ask", seat=gm, new_seat="mara", name="Mara", approved=True)
                await here.tables.handle(campaign, ask)
                with here.tables.hub.follow(campaign, "mara") as mara:
                    await until(lambda: there.tables.hub.here(campaign) == {gm, "mara"})
                    await until(lambda: here.tables.hub.here(campaign) == {gm, "mara"})
                    # A server that only was slow is asked again who is there.
                    there.tables.others._forget_silent(time.monotonic() + 1, there.tables.hub.lost)
                    assert there.tables.hub.here(campaign) == {gm}
                    await until(lambda: there.tables.hub.here(campaign) == {gm, "mara"})
                    with here.tables.hub.follow(campaign, "mara"):
                        await until(lambda: there.tables.hub.screens(campaign, "mara") == 2)
                    await until(lambda: there.tables.hub.screens(campaign, "mara") == 1)
                    there.tables.hub.drop_everywhere(campaign, "mara", "closing")
                    await until(lambda: mara.ended == "closing")
                await until(lambda: there.tables.hub.here(campaign) == {gm})
                key = await asyncio.to_thread(here.keys.issue, "seat-link", campaign, "mara")
                await there.keys.look_up([key])
                assert there.keys.open(key, "seat-link").seat == "mara"
                await asyncio.to_thread(here.keys.end, key)
                await there.keys.look_up([key])
                assert there.keys.open(key, "seat-link") is None
                # A server that says nothing any more has nobody.
                there.tables.hub.set_elsewhere("a-third", campaign, {"mara": 2})
                assert "mara" in there.tables.hub.here(campaign)
                there.tables.others.heard["a-third"] = 0.0
                await until(lambda: there.tables.hub.here(campaign) == {gm})

    asyncio.run(play())


def test_tries_count_on_every_server(emptied: str):
    async def play() -> None:
        async with attended(emptied, 2) as servers:
            tries = []
            for server in servers:
                buckets = shared(server.tables.others, "tries", 3, 0.001, lambda: 0.0)
                tries.append(Tries(buckets))
            for number in range(3):
                tries[number % 2].check("192.0.2.1")
                tries[number % 2].count("192.0.2.1")
            for one in tries:
                await until(lambda one=one: refuses(one, "192.0.2.1"))
                one.check("192.0.2.2")

    asyncio.run(play())


def refuses(tries: Tries, address: str) -> bool:
    with suppress(TooManyTries):
        tries.check(address)
        return False
    return True


def test_a_removed_campaign_leaves_every_server(emptied: str):
    async def play() -> None:
        async with attended(emptied, 2) as (here, there):
            campaign, seat = await opened(here)
            await there.tables.ready(campaign)
            with there.tables.hub.follow(campaign, seat) as follower:
                await asyncio.to_thread(here.store.remove, campaign)
                here.tables.removed(campaign)
                await until(lambda: there.tables.known(campaign) is None)
                assert follower.ended == "revoked"

    asyncio.run(play())


def test_a_server_of_an_older_version_lets_go_of_what_it_cannot_read(emptied: str):
    """In an update of one server after another, newer ones write what older ones do not know."""

    async def play() -> None:
        async with attended(emptied, 2) as (here, there):
            campaign, seat = await opened(here)
            state = await up_to_date(there, campaign)
            with there.tables.hub.follow(campaign, seat) as follower:
                row = NewRow("2026-11-21T19:30:00Z", "said", b'{"v":999}')
                await here.store.append_async(Append(campaign, state.number, "newer", [row]))
                here.tables.others.tell("news", campaign)
                await until(lambda: follower.ended == "closing")
            assert there.tables.known(campaign) is None
            with pytest.raises(BadEvent, match="newer version"):
                await there.tables.ready(campaign)

    asyncio.run(play())


def test_one_of_several_servers_tells_the_webhooks_of_all(emptied: str):
    async def play(receiver: Receiver) -> None:
        async with attended(emptied, 2) as (one, two):
            campaign, gm = await opened(one)
            number = one.tables.campaign(campaign).number
            one.webhooks.hooks.add(campaign, receiver.url, sent=number)
            with one.webhooks.sending(private=True), two.webhooks.sending(private=True):
                one.webhooks.changed()
                two.webhooks.changed()
                for at, server in enumerate((one, two, one, two)):
                    say = c.Say(id=f"told-{at}", seat=gm, text=f"words {at}")
                    await server.tables.handle(campaign, say)
                await until(lambda: len(receiver.heard) == 4)
                await asyncio.sleep(0.05)

    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, args=[0.01], daemon=True).start()
        asyncio.run(play(receiver))
        receiver.shutdown()
    assert receiver.texts == [f"GM: words {at}" for at in range(4)]


@pytest.mark.soak
@pytest.mark.parametrize("turn", range(3))
def test_a_database_that_restarts_in_mid_play_costs_a_moment(turn: int):
    async def play(address: str, restart: Callable[[], None]) -> None:
        async with attended(address, 2) as servers:
            campaign, seat = await opened(servers[0])
            await servers[1].tables.ready(campaign)
            following = updates(servers[1].projections, campaign, seat)
            await anext(following)
            again = asyncio.create_task(asyncio.to_thread(restart))
            told, heard = [], 0
            for number in range(400):
                server = servers[number % 2]
                done = await server.tables.handle(campaign, roll(number, seat))
                told.extend(done.events)
                if again.done() and number > 100:
                    break
            await again
            async with asyncio.timeout(20):
                while heard < len(told):
                    heard += len((await anext(following)).entries)
            await following.aclose()
            log = list((await up_to_date(servers[0], campaign)).events)
            assert [event.number for event in log] == list(range(1, len(log) + 1))
            assert log[-len(told) :] == told
            thrown = [event.throw.number for event in log if event.throw is not None]
            assert len(set(thrown)) == len(thrown)

    with own_server(secrets.token_hex(8)) as database:

        def restart() -> None:
            time.sleep(0.3)
            database.stop()
            time.sleep(0.5 * turn)
            database.ensure_postgres_running()

        asyncio.run(play(database.get_uri(), restart))
