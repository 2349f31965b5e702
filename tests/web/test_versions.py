"""Two versions on one database: an older worker refuses what it does not know, and no more."""

import asyncio
import json

import pytest

from kitchentable.app import projections
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.events import FORMAT
from kitchentable.campaign.kinds import KINDS, Kind
from kitchentable.store import Append, NewRow
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
    monkeypatch.setattr(projections, "LOOK_EVERY", 0.01)
    server, campaign, mara = visited.server, visited.campaign, visited.sits("Mara")
    other = asyncio.run(server.open_campaign("Another", "toast"))

    async def evening() -> None:
        async with feed(visited.app, f"{visited.t}/feed", cookies_of(mara)) as line:
            await line.until("alive")
            record(visited, kind, form=form)
            with pytest.raises(EOFError):
                await line.message()

    asyncio.run(evening())
    before = server.store.latest(campaign)
    page = mara.get(visited.t)
    assert page.status_code == 503
    assert "A newer version of Kitchen Table has recorded" in page.text
    assert int(page.headers["retry-after"]) > 0
    line = mara.fill(f"{visited.t}/say", text="Hello?")
    assert line.status_code == 503
    assert "it changes nothing" in line.text
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
