"""Two versions on one database: an older worker refuses what it does not know, and no more."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from kitchentable.app import others
from kitchentable.app.attend import attend
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.events import FORMAT
from kitchentable.campaign.kinds import KINDS, Kind
from kitchentable.store import Append, NewRow
from tests.newer import PACKAGE, make_newer
from tests.web.visitors import Visited, cookies_of, feed

TIME = "2026-11-21T19:30:00Z"


def record(visited: Visited, kind: str, *, form: int = FORMAT, path: object = ("notes", "sky")):
    """Record an event as a worker of another version does, with a note of its own."""
    store, campaign = visited.server.store, visited.campaign
    last = store.latest(campaign)
    event = json.loads(store.read(campaign, last - 1, 1)[0].body)
    change = {"path": path, "now": "rain", **({"new": True} if form else {})}
    event |= {
        "number": last + 1,
        "kind": kind,
        "data": {"which": "table"},
        "changes": [change],
        "v": form,
    }
    event.pop("throw", None)
    body = json.dumps(event, separators=(",", ":")).encode()
    store.append(Append(campaign, last, new_id(), [NewRow(TIME, kind, body)]))


@pytest.mark.parametrize(("kind", "form"), [("weather-set", FORMAT), ("said", FORMAT + 1)])
def test_an_older_worker_refuses_in_a_sentence_and_records_nothing(
    visited, kind, form, monkeypatch
):
    monkeypatch.setattr(others, "LOOK_EVERY", 0.01)
    server, campaign, mara = visited.server, visited.campaign, visited.sits("Mara")
    other = asyncio.run(server.open_campaign("Another", "toast"))

    async def evening() -> None:
        looking = asyncio.create_task(attend(server.tables))
        async with feed(visited.app, f"{visited.t}/feed", cookies_of(mara)) as line:
            await line.until("alive")
            record(visited, kind, form=form)
            with pytest.raises(EOFError):
                await line.message()
        looking.cancel()
        await asyncio.wait([looking])

    asyncio.run(evening())
    before = server.store.latest(campaign)
    page = mara.get(visited.t)
    assert page.status_code == 503
    assert "A newer version of Kitchen Table has recorded" in page.text
    assert int(page.headers["retry-after"]) > 0
    line = mara.fill(f"{visited.t}/say", text="Hello?")
    assert line.status_code == 503
    assert "changes nothing" in line.text
    assert server.store.latest(campaign) == before
    say = c.Say(id="a", seat=other.gm_seat, text="Other campaigns are played on.")
    assert asyncio.run(server.tables.handle(other.campaign, say)).events
    asyncio.run(server.tables.let_go(idle=0))


def gm_of(server: Server, campaign: str) -> str:
    return next(iter(server.tables.campaign(campaign).table.seats))


def test_a_worker_that_is_updated_has_all_of_both_versions(visited, monkeypatch):
    server, campaign = visited.server, visited.campaign
    gm = gm_of(server, campaign)
    record(visited, "noted", form=1)
    asyncio.run(server.tables.handle(campaign, c.Say(id="s1", seat=gm, text="It pours.")))
    record(visited, "noted", form=0, path="notes/river")
    record(visited, "weather-set", path=("notes", "wind"))
    rows = server.store.read(campaign)
    known = {**KINDS, "weather-set": Kind(lambda event: "The weather changes.", "evenings")}
    for module in (codec, "kitchentable.campaign.kinds", "kitchentable.campaign.undo"):
        name = module if isinstance(module, str) else module.__name__
        monkeypatch.setattr(f"{name}.KINDS", known)
    updated = Server(server.store)
    state = updated.tables.campaign(campaign)
    assert {name: state.tree["notes"][name] for name in ("sky", "river", "wind")} == dict.fromkeys(
        ("sky", "river", "wind"), "rain"
    )
    asyncio.run(updated.tables.handle(campaign, c.Say(id="s2", seat=gm, text="It clears up.")))
    entries = updated.projections.of(campaign, gm).entries(limit=9)
    texts = [entry.text for entry in entries]
    assert texts[-2:] == ["The weather changes.", "It clears up."]
    assert "It pours." in texts
    assert server.store.read(campaign)[: len(rows)] == rows, "nothing recorded is rewritten"


@contextmanager
def worker(database: str, package: Path) -> Iterator[str]:
    """The address of a worker that runs the package in a folder."""
    env = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "kitchentable", "serve", "--database", database]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", "--json"],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.soak
def test_workers_of_two_versions_play_on_one_database(emptied, tmp_path):
    make_newer(tmp_path)
    server = Server.at(emptied)
    here, there = (asyncio.run(server.open_campaign(name, "toast")) for name in ("Here", "There"))
    keys = {
        one.campaign: server.keys.issue("seat-link", one.campaign, one.gm_seat)
        for one in (here, there)
    }
    server.close()
    recorded: dict[str, list[str]] = {here.campaign: [], there.campaign: []}

    def do(url: str, at: object, status: int, **command: str) -> httpx.Response:
        """Send a command to a worker, and compare the log with all that was acknowledged."""
        told = recorded[at.campaign]
        command["id"] = f"c{sum(map(len, recorded.values()))}"
        api = f"{url}/t/{at.campaign}/api/v1"
        bearer = {"Authorization": f"Bearer {keys[at.campaign]}"}
        done = httpx.post(f"{api}/commands", json=command, headers=bearer, timeout=30)
        assert done.status_code == status, done.text
        if status == 200:
            told.append(done.json()["entries"][0]["text"])
            entries = httpx.get(f"{api}/entries", headers=bearer, timeout=30).json()["entries"]
            assert [one["text"] for one in entries][-len(told) :] == told
        return done

    with worker(emptied, tmp_path) as new:
        with worker(emptied, PACKAGE.parent) as old:
            for url in (old, new, old):
                do(url, here, 200, do="say", text="Both know what is said.")
            do(old, here, 400, do="set-weather", weather="rain")
            do(new, here, 200, do="set-weather", weather="rain")
            refused = do(old, here, 503, do="say", text="Does it rain?")
            assert int(refused.headers["retry-after"]) > 0
            assert "A newer version of Kitchen Table" in refused.text
            for url in (old, new, old):
                do(url, there, 200, do="say", text="The other campaign is played on.")
            do(new, here, 200, do="say", text="It rains.")
        with worker(emptied, tmp_path) as updated:
            for url in (updated, new):
                do(url, here, 200, do="set-weather", weather="snow")
    assert recorded[here.campaign][3:] == [
        "GM lets it rain.",
        "It rains.",
        *["GM lets it snow."] * 2,
    ]
