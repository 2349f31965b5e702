"""The stream for programs: the whole view once, then what changed, and no secrets of others."""

import asyncio
import json
from dataclasses import replace

from kitchentable.app.keys import new_id
from kitchentable.app.shapes import News, read_as
from kitchentable.campaign.commands import Say, SetNote
from kitchentable.campaign.read_models import View
from tests.web.visitors import cookies_of, feed


async def do(visited, who, kind, **fields):
    command = kind(id=new_id(), seat=visited.seats[who].id, **fields)
    await visited.server.tables.handle(visited.campaign, command)


def news_of(messages):
    return [read_as(News, json.loads(one["data"])) for one in messages if one["event"] == "news"]


def test_a_program_hears_what_its_seat_may_know_and_no_stir_of_the_rest(visited):
    path = f"{visited.t}/api/v1/events"
    mara = visited.sits("Mara")

    async def play():
        async with feed(visited.app, path, cookies_of(mara)) as line:
            assert line.headers["content-type"].startswith("text/event-stream")
            first = await line.until("alive")
            await do(visited, "GM", SetNote, which="gm", text="A secret")
            await do(visited, "Jonas", Say, text="Psst", to="gm")
            assert await line.silent(0.2)
            await do(visited, "GM", Say, text="Good evening.")
            said = await line.message()
            await do(visited, "GM", SetNote, which="table", text="Bring bread")
            noted = await line.message()
        async with feed(visited.app, path, cookies_of(mara), said["id"]) as line:
            again = await line.until("alive")
        return first, said, noted, again

    first, said, noted, again = asyncio.run(play())
    (begin,) = news_of(first)
    view = read_as(View, begin.view)
    assert view.me.name == "Mara"
    now = read_as(View, mara.get(f"{visited.t}/api/v1/view").json())
    assert view == replace(now, notes=view.notes, cursor=view.cursor)
    (told,) = news_of([said])
    assert [one.text for one in told.entries] == ["Good evening."]
    assert told.view == {}
    (told,) = news_of([noted])
    assert told.view == {"notes": {"table": "Bring bread"}}
    assert [one.kind for one in news_of(again)[0].entries] == ["noted"]
