"""Clocks, tables, limits and the X-card on the pages: at once, unnamed, without scripts."""

from __future__ import annotations

import asyncio

from kitchentable.campaign import codec
from tests.web.visitors import Feed, cookies_of, feed


def test_the_x_card_is_on_every_screen_at_once_and_nothing_says_who(visited):
    mara, gm, jonas = (visited.sits(name) for name in ("Mara", "GM", "Jonas"))

    async def both() -> list[str]:
        path = f"{visited.t}/feed"
        async with (
            feed(visited.app, path, cookies_of(gm)) as one,
            feed(visited.app, path, cookies_of(jonas)) as other,
        ):
            for screen in (one, other):
                await screen.until("alive")
            sent = asyncio.to_thread(mara.fill, f"{visited.t}/x-card", paused="on", command="mine")
            assert (await sent).status_code == 303
            return [await paused(screen) for screen in (one, other)]

    async def paused(screen: Feed) -> str:
        while "paused" not in (told := (await screen.message())["data"]):
            pass
        return told

    for told in asyncio.run(both()):
        assert 'class="paused" role="alert"' in told
        assert "Mara" not in told
    seat = visited.seats["Mara"].id
    event = visited.server.tables.campaign(visited.campaign).events[-1]
    assert event.kind == "x-card"
    stored = str(codec.encode(event))
    assert not [word for word in ("Mara", seat) if word in stored]
    for page in ("", "/journal", "/desk"):
        assert "X-card" in gm.get(f"{visited.t}{page}").text
    again = mara.fill(f"{visited.t}/x-card", paused="on", command="mine")
    assert again.status_code == 303
    assert jonas.fill(f"{visited.t}/x-card", paused="off").status_code == 303
    assert 'class="paused"' not in gm.get(visited.t).text


def test_clocks_and_tables_are_the_gms_to_make_and_everybodys_to_see(visited):
    mara, gm, t = visited.sits("Mara"), visited.sits("GM"), visited.t
    assert mara.fill(f"{t}/clocks", title="Mine").status_code == 403
    gm.fill(f"{t}/clocks", title="The tide turns", of="4", shape="clock", open="on")
    gm.fill(f"{t}/clocks", title="The spy", of="6", shape="track", open="off")
    page = mara.get(t).text
    assert "The tide turns" in page
    assert "The spy" not in page
    view = mara.get(f"{t}/api/v1/view").json()["scene"]
    clock = view["clocks"][0]["id"]
    assert [one["title"] for one in view["clocks"]] == ["The tide turns"]
    gm.fill(f"{t}/clocks", clock=clock, filled="3", title="", shape="")
    assert "3 of 4" in mara.get(t).text
    assert gm.fill(f"{t}/clocks", clock=clock, filled="many").status_code == 422
    gm.fill(f"{t}/tables", title="Weather", rows="Rain", open="on")
    oracle = mara.get(f"{t}/api/v1/view").json()["scene"]["oracles"][0]["id"]
    mara.fill(f"{t}/tables/roll", oracle=oracle, text="Tonight?")
    assert "Weather Tonight?" in gm.get(t).text
    mara.fill(f"{t}/limits", kind="veil", text="Surgery")
    page = gm.get(t).text
    assert "<b>Veil</b> Surgery" in page
    assert "Mara" not in page.partition("Surgery")[2].partition("</li>")[0]


def test_conditions_are_told_by_whoever_plays_somebody(visited):
    mara, gm, t = visited.sits("Mara"), visited.sits("GM"), visited.t
    own, other = visited.entity("Mara Vell"), visited.entity("Old Tam")
    assert mara.fill(f"{t}/characters/{own}/marks", marks="prone, wet, prone").status_code == 303
    assert mara.fill(f"{t}/characters/{other}/marks", marks="wet").status_code == 403
    marks = gm.get(f"{t}/api/v1/view").json()["scene"]["marks"]
    assert marks == {own: ["prone", "wet"]}


def test_a_page_beside_the_table_hears_of_the_x_card_and_of_what_needs_it(visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    assert 'hx-sse:connect="' in gm.get(f"{visited.t}/desk").text

    async def told() -> tuple[str, str]:
        path = f"{visited.t}/feed?queue=on"
        async with feed(visited.app, path, cookies_of(gm)) as desk:
            await desk.until("alive")
            await asyncio.to_thread(mara.fill, f"{visited.t}/say", text="Only said.")
            await asyncio.to_thread(mara.fill, f"{visited.t}/say", text="/x")
            pause = (await desk.message())["data"]
            await asyncio.to_thread(mara.fill, f"{visited.t}/say", text="/perception")
            return pause, (await desk.message())["data"]

    pause, waits = asyncio.run(told())
    assert 'class="paused" role="alert"' in pause
    assert "Only said." not in pause
    assert "1 <span>needs you</span>" in waits
    assert 'action="/t/' in waits
    stored = str(codec.encode(visited.server.tables.campaign(visited.campaign).events[-2]))
    assert not [word for word in ("Mara", visited.seats["Mara"].id) if word in stored]


def test_the_scene_can_be_set_from_the_line(visited):
    gm, t = visited.sits("GM"), visited.t

    def scene():
        return gm.get(f"{t}/api/v1/view").json()["scene"]

    for line in (
        "/clock The tide 2/4",
        "/clock the tide +1",
        "/line Harm to animals",
        "/veil Gore",
    ):
        assert gm.fill(f"{t}/say", text=line).status_code == 303, line
    (clock,) = scene()["clocks"]
    assert (clock["title"], clock["filled"], clock["of"]) == ("The tide", 3, 4)
    assert [(one["kind"], one["text"]) for one in scene()["limits"]] == [
        ("line", "Harm to animals"),
        ("veil", "Gore"),
    ]
    gm.fill(f"{t}/say", text="/line off harm to animals")
    gm.fill(f"{t}/say", text="/clock the tide off")
    assert (scene()["clocks"], len(scene()["limits"])) == ([], 1)
    assert gm.fill(f"{t}/say", text="/oracle what goes wrong? At the gate").status_code == 303
    event = visited.server.tables.campaign(visited.campaign).events[-1]
    assert (event.kind, event.data["oracle"]) == ("consulted", "trouble")
    for line in ("/clock Nobody", "/line", "/veil off", "/oracle", "/clock Nobody +1"):
        assert gm.fill(f"{t}/say", text=line).status_code == 400, line
