"""No step of the event loop runs for long or waits for the disk.

What a step takes is measured as the processor's time of its own thread, so that a busy machine and
the threads beside it do not count.
"""

import asyncio
import gc
import threading
import time
import traceback
from asyncio.events import Handle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import msgspec
import pytest

from kitchentable.app.held import Held
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign import codec, log
from kitchentable.campaign.commands import Say
from kitchentable.store import ExportData, Row
from kitchentable.store.connection import Pool
from kitchentable.store.writer import Writer
from kitchentable.web.render import Renderer
from tests.slowness import slowness
from tests.web import test_evening
from tests.web.visitors import Visited, cookies_of, feed, visit

#: The longest that one step of the loop may work, in seconds on a fast machine.
LONGEST = 0.05
#: Lines of a journal that takes several times as long to read.
LINES = 20_000


def beside() -> bool:
    """Whether this is a thread that an event loop has handed work to."""
    return threading.current_thread().name.startswith("asyncio_")


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """All that keeps an event loop busy for too long, or waiting for the disk, while this lasts."""
    found: list[str] = []
    run, call, longest = Handle._run, Writer.call, LONGEST * slowness()

    def timed(handle: Handle) -> None:
        before = time.thread_time()
        run(handle)
        took = time.thread_time() - before
        if took > longest and not beside():
            found.append(f"{took:.3f} s: {handle!r}")

    def written(writer: Writer, *words, **more):
        if asyncio._get_running_loop() is not None and not beside():
            found.append(f"waits for the disk: {words!r}")
        return call(writer, *words, **more)

    # In a served server the collector leaves alone what was loaded before, as our tests are here.
    gc.disable()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(Handle, "_run", timed)
            patched.setattr(Writer, "call", written)
            yield found
    finally:
        gc.enable()


async def long_campaign(visited: Server, example: str) -> str:
    """A campaign with a long journal that nobody has read in this server yet."""
    gm = next(iter(visited.tables.campaign(example).table.seats))
    (said,) = (
        await visited.tables.handle(example, Say(id=new_id(), seat=gm, text="Again."))
    ).events
    rows, name = visited.store.read(example), f"long-{new_id()}"
    for number in range(len(rows) + 1, LINES):
        event = msgspec.structs.replace(said, number=number, command=f"again-{number}")
        rows.append(Row(name, number, event.command, event.time, event.kind, codec.encode(event)))
    entry = replace(visited.store.campaign(example), id=name)
    await asyncio.to_thread(visited.store.adopt, entry, lambda: rows, ExportData())
    return entry.id


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    with visit(server=Server.at(tmp_path_factory.mktemp("server") / "table.db")) as visited:
        # As a server does while the first person is on the way.
        visited.app.site.renderer("").warm()
        yield visited


@pytest.mark.slow
def test_an_evening_holds_nobody_up(visited, monkeypatch):
    with watched(monkeypatch) as found:
        test_evening.test_a_whole_evening_without_a_script(visited)
    assert not found


@pytest.mark.slow
def test_an_evening_never_waits_for_a_database_elsewhere(emptied, monkeypatch):
    """A read of SQLite takes less than handing it to a thread, one of PostgreSQL goes far.

    Only the last event is in memory, so whatever looks back reads the store.
    """
    found: list[str] = []
    run = Pool.run

    def asked(pool: Pool, work):
        if asyncio._get_running_loop() is not None:
            found.append(f"waits for the database: {''.join(traceback.format_stack(limit=12))}")
        return run(pool, work)

    monkeypatch.setattr(log, "RECENT", 1)
    monkeypatch.setattr(log, "SPARE", 0)
    with visit(server=Server.at(emptied)) as visited:
        monkeypatch.setattr(Pool, "run", asked)
        test_evening.test_a_whole_evening_without_a_script(visited)
        look_back(visited)
    assert not found, f"{len(found)} times; at first {found[0]}"


def look_back(visited: Visited) -> None:
    """A step is made and undone, a page that has heard nothing meanwhile hears of both, and keys
    that nobody knows open nothing.
    """
    gm, t = visited.sits("GM"), visited.t
    gm.fill(f"{t}/note", which="table", text="The bridge is out.")
    number = visited.server.tables.campaign(visited.campaign).number
    cursor, last = (
        visited.server.tables.cursors.seal(visited.campaign, one) for one in (number, number - 1)
    )
    for text in ("Halt!", "Who goes there?"):
        gm.script("POST", f"{t}/say", text=text)
    assert "Take back" in gm.get(f"{t}/undo/{cursor}").text
    assert gm.fill(f"{t}/undo/{cursor}", reason="A slip.").status_code == 303
    assert gm.get(f"{t}/api/v1/entries?after={last}").json()["entries"][0]["undone"]
    assert gm.get(f"{t}/log?before={cursor}").status_code == 200

    async def hears() -> None:
        async with feed(visited.app, f"{t}/feed", cookies_of(gm), last) as news:
            heard = (await news.message())["data"]
            assert "Halt!" in heard
            assert "A slip." in heard

    asyncio.run(hears())
    unknown = {"authorization": f"Bearer {'x' * 32}"}
    stranger = visited.stranger(**unknown)
    assert stranger.script("POST", f"{t}/say", text="Hello").status_code == 401
    assert stranger.fill("/join", key="y" * 32, name="Nobody").status_code == 404


@pytest.mark.slow
def test_a_long_journal_is_read_searched_and_taken_home_beside_all_others(visited, monkeypatch):
    campaign = asyncio.run(long_campaign(visited.server, visited.campaign))
    t, gm = f"/t/{campaign}", next(iter(visited.seats.values())).id
    host = visited.host()
    key = visited.server.keys.issue("seat-link", campaign, gm)
    visitor = visited.stranger()
    visitor.get(f"/s/{key}")
    ways = [t, f"{t}/journal?words=nowhere", f"{t}/journal/export", f"{t}/export", f"{t}/desk"]
    ways.append(f"{t}/api/v1/view")
    with watched(monkeypatch) as found:
        assert visited.server.tables.known(campaign) is None
        for way in ways:
            assert visitor.get(way).status_code == 200, way
        assert host.get("/").status_code == 200
        assert host.fill("/example", game="lanterns").is_redirect
        assert visitor.script("POST", f"{t}/say", text="Hello").status_code == 200
    assert not found


@pytest.mark.parametrize("way", ["{t}", "{t}/moves?move=task", "/dice?notation=3d6"])
def test_pages_with_odds_are_drawn_beside_the_loop(visited, monkeypatch, way):
    drawn = []
    render = Renderer.render

    def noted(*words, **context):
        drawn.append(threading.current_thread().name)
        return render(*words, **context)

    campaign, gm = visited.campaign, next(iter(visited.seats.values())).id
    host = visited.host()
    host.get(f"/s/{visited.server.keys.issue('seat-link', campaign, gm)}")
    monkeypatch.setattr(Renderer, "render", noted)
    assert host.get(way.format(t=f"/t/{campaign}")).status_code == 200
    assert drawn == ["drawing_0"]


@pytest.mark.parametrize(
    "way", ["/", "{t}", "{t}/say", "{t}/feed", "/join/{key}", "{t}/api/v1/view"]
)
def test_a_campaign_is_read_in_a_thread_whoever_asks_first(visited, monkeypatch, way):
    campaign = visited.campaign
    read, catch_up = [], Held.catch_up

    def noted(held):
        if held.campaign is None:
            read.append(beside())
        return catch_up(held)

    t, gm = f"/t/{campaign}", next(iter(visited.seats.values())).id
    host = visited.host()
    host.get(f"/s/{visited.server.keys.issue('seat-link', campaign, gm)}")
    host.token()
    key = visited.server.keys.issue("join", campaign)
    path = way.format(t=t, key=key)

    async def listen() -> None:
        async with feed(visited.app, path, cookies_of(host)):
            pass

    visited.server.tables.forget(campaign)
    monkeypatch.setattr(Held, "catch_up", noted)
    with watched(monkeypatch) as found:
        assert visited.server.tables.known(campaign) is None
        if way.endswith("say"):
            assert host.script("POST", path, text="Hello").status_code == 200
        elif way.endswith("feed"):
            asyncio.run(listen())
        else:
            assert host.get(path).status_code == 200
    assert read == [True]
    assert not found
