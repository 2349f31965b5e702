"""Every response, byte by byte: planted secrets of the GM never reach another seat."""

import asyncio

import pytest

from kitchentable.app.keys import new_id
from kitchentable.campaign.commands import (
    AskForSeat,
    BeginSession,
    ChangeEntity,
    EndSession,
    MakeEntity,
    Override,
    Propose,
    RollNotation,
    RollOracle,
    SaveHandout,
    SaveSheet,
    Say,
    SetClock,
    SetMarks,
    SetNote,
    SetOracle,
    ShowHandout,
)
from kitchentable.dice.stream import secrets_of
from kitchentable.store import Picture, picture_id
from tests.web.visitors import Visited, cookies_of, feed, visit

#: A picture of the GM's: its id and its bytes are a secret, too.
PICTURE = b"RIFF\x18\x00\x00\x00WEBPKladderadatsch"
#: Words that only the GM may read, planted in every corner that has a hidden side.
GMS = {
    "a hidden person": "Zwibelfisch",
    "the line of a hidden person": "Knorpelwerk",
    "the GM's note": "Quastenflosser",
    "a roll behind the screen": "Xylothek",
    "a whisper to the GM": "Mumpitzerei",
    "why a hidden fact was set": "Pfifferlingsreason",
    "what a hidden roll is about": "Schabrackentapir",
    "a draft of the GM's": "Wolpertinger",
    "who waits at the door": "Fremdling Igor",
    "a closed clock": "Sanduhrenmuseum",
    "a closed table": "Orakelknochen",
    "a row of a closed table": "Mordbube",
    "a condition of somebody hidden": "Schluckauf",
    "the title of a handout": "Wackelpudding",
    "the text of a handout": "Schnickschnack",
    "the picture of a handout": picture_id(PICTURE),
    "a valid webhook address": "Rhabarberbarbara",
}
#: Words between two players.
OTHERS = {
    "a whisper between others": "Larifaridings",
    "another player's draft": "Tohuwabohu",
    "the line of another's draft": "Firlefanzerei",
    "a handout for another": "Remmidemmi",
}


@pytest.fixture
def planted():
    with visit() as visited:
        asyncio.run(_plant(visited))
        yield visited


async def _plant(visited: Visited) -> None:
    address = f"https://bot.example/{GMS['a valid webhook address']}"
    visited.server.webhooks.hooks.add(visited.campaign, address, sent=0)

    async def do(name: str, kind: type, /, **fields):
        seat = visited.seats[name].id if name else ""
        return await visited.server.tables.handle(
            visited.campaign, kind(id=new_id(), seat=seat, **fields)
        )

    # An evening that is over: its seed is shown, and what hid its secret dice is the GM's.
    await do("GM", BeginSession)
    await do("GM", RollNotation, notation="2d6", audience="gm")
    await do("GM", EndSession)
    await do("GM", BeginSession)
    made = await do("GM", MakeEntity, kind="nemesis", name=GMS["a hidden person"], hidden=True)
    hidden = made.events[0].data["entity"]
    await do("GM", ChangeEntity, entity=hidden, line=GMS["the line of a hidden person"])
    await do("GM", MakeEntity, kind="minion", name=GMS["a draft of the GM's"])
    await do("GM", SetNote, which="gm", text=GMS["the GM's note"])
    await do("GM", SetClock, title=GMS["a closed clock"], open=False)
    rows = GMS["a row of a closed table"]
    made = await do("GM", SetOracle, title=GMS["a closed table"], rows=rows, open=False)
    oracle = made.events[0].changes[0].path[-1]
    await do("GM", RollOracle, oracle=oracle, text=GMS["a closed table"])
    label = GMS["a roll behind the screen"]
    await do("GM", RollNotation, notation="2d6", audience="gm", label=label)
    await do("Jonas", Say, text=GMS["a whisper to the GM"], to="gm")
    serk = visited.entity("Captain Serk")
    await do("GM", ChangeEntity, entity=serk, hidden=True)
    await do("GM", SetMarks, entity=serk, marks=(GMS["a condition of somebody hidden"],))
    reason = GMS["why a hidden fact was set"]
    path = ("entities", serk, "state", "wounds")
    await do("GM", Override, path=path, now=1, reason=reason)
    about = {"trait": "aim", "what": GMS["what a hidden roll is about"]}
    await do("GM", Propose, move="task", entity=serk, answers=about, audience="gm")
    await do("Jonas", Say, text=OTHERS["a whisper between others"], to=visited.seats["Lene"].id)
    # That somebody begins a character is for all to read; what it becomes is not.
    made = await do("Jonas", MakeEntity, kind="pc", name="Somebody new")
    await do(
        "Jonas",
        SaveSheet,
        entity=made.events[0].data["entity"],
        raw={},
        name=OTHERS["another player's draft"],
        line=OTHERS["the line of another's draft"],
    )
    await do("", AskForSeat, new_seat=new_id(), name=GMS["who waits at the door"])
    visited.server.store.put_picture(visited.campaign, Picture(picture_id(PICTURE), PICTURE))
    about = {"title": GMS["the title of a handout"], "text": GMS["the text of a handout"]}
    await do("GM", SaveHandout, **about, picture=picture_id(PICTURE))
    letter = (await do("GM", SaveHandout, title=OTHERS["a handout for another"])).events[0]
    to = (visited.seats["Jonas"].id, visited.seats["Lene"].id)
    await do("GM", ShowHandout, handout=letter.data["handout"], to=to, backdrop=True)
    watcher = AskForSeat(
        id=new_id(),
        seat=visited.seats["GM"].id,
        new_seat=new_id(),
        name="Watcher",
        role="spectator",
        approved=True,
    )
    await visited.server.tables.handle(visited.campaign, watcher)


def gms(visited: Visited) -> dict[str, str]:
    """Everything that only the GM may read."""
    root = visited.server.store.seed(visited.campaign, 1)
    assert root is not None
    return {**GMS, "the key of the screen": secrets_of(root)[1].hex()}


def ways_out(visited: Visited, *, talks: bool = True, pictures: tuple[str, ...] = ()):
    """Every address that can be read, with everything that its parameters could name; with `talks`
    a roll is being talked about.
    """
    state = visited.server.tables.campaign(visited.campaign)
    seal = visited.server.tables.cursors.seal
    cursors = [seal(visited.campaign, number) for number in range(state.number + 1)]
    proposals = list(state.tree["proposals"])
    assert bool(proposals) == talks
    many = {
        "entity": list(state.table.entities),
        "cursor": cursors,
        "proposal": proposals,
        "ask": ["ask-1"],
        "seat": list(state.table.seats),
        "game": ["toast"],
        "key": ["x" * 32],
        "name": ["app.js"],
        "picture": [*visited.server.store.picture_ids(visited.campaign), *pictures, "0" * 40],
        "recipe": ["road"],
        "hook": ["none"],
        "seed": ["0" * 12],
        "campaign": [visited.campaign],
    }
    for route in visited.app.router.routes:
        if not any("GET" in one.http_methods for one in getattr(route, "route_handlers", ())):
            continue
        paths = [route.path_format]
        for name, values in many.items():
            paths = [
                path.replace(f"{{{name}}}", value)
                for path in paths
                for value in (values if f"{{{name}}}" in path else [""])
            ]
        yield from (path for path in paths if not path.endswith(("/feed", "/events")))
    t = visited.t
    yield from (f"{t}/log?before={one}" for one in cursors)
    yield from (f"{t}/journal?before={one}" for one in cursors[::5])
    yield from (f"{t}/journal?words={one}" for one in ("screen", "Igor", "a"))
    yield from (f"{t}/find?q={one}" for one in ("Igor", "a"))
    yield from (f"{t}/api/v1/entries?after={one}&limit=500" for one in cursors[:2])
    yield from (f"{t}/api/v1/moves?entity={one}" for one in many["entity"])
    for one in many["entity"]:
        yield f"{t}/moves?entity={one}&move=task"
        yield f"{t}/characters/{one}/carry?to=lucky_stars"
        yield f"{t}/moves?move=attack&a.target={one}"
        yield f"{t}/api/v1/odds?move=task&entity={one}&a.trait=aim"
        yield f"{t}/api/v1/line?text=/task&entity={one}"
    yield from (f"{t}/api/v1/line?text={one}" for one in ("/task%20for=Zwi", "/attack%20Captain"))


def read_all(visited: Visited, name: str) -> dict[str, str]:
    """All responses that a seat can get."""
    visitor = visited.sits(name)
    found = {path: visitor.get(path).text for path in ways_out(visited)}
    for path in list(found):
        if "/undo/" in path:
            found[f"POST {path}"] = visitor.fill(path, reason="why not").text
    seat = visited.seats[name].id
    for entity in visited.server.tables.campaign(visited.campaign).table.entities:
        for below in ("save", "submit", "decide", "change"):
            path = f"{visited.t}/characters/{entity}/{below}"
            found[f"POST {path}"] = visitor.fill(path, a__nothing="x").text
        answer = visitor.fill(f"{visited.t}/moves", move="task", entity=entity, a__trait="aim")
        found[f"POST move {entity}"] = answer.text
    for line in ("/w Zwi hello", "/task for=Zwi", "/task for=Captain", "/help"):
        found[f"SAY {line}"] = visitor.fill(f"{visited.t}/say", text=line).text

    async def whole_feed(path: str) -> str:
        first = visited.server.tables.cursors.seal(visited.campaign, 1)
        async with feed(visited.app, path, cookies_of(visitor), first) as line:
            return str(await line.until("alive"))

    for path in (f"{visited.t}/feed", f"{visited.t}/api/v1/events"):
        found[path] = asyncio.run(whole_feed(path))
    assert seat
    return found


def test_the_words_are_planted_where_the_gm_reads_them(planted):
    told = "".join(read_all(planted, "GM").values())
    missing = {where for where, word in gms(planted).items() if word not in told}
    assert not missing
    assert OTHERS["another player's draft"] in told
    assert OTHERS["a whisper between others"] not in told


@pytest.mark.parametrize("name", ["Mara", "Watcher"])
def test_no_byte_of_a_secret_reaches_another_seat(planted, name):
    secrets = {**gms(planted), **OTHERS}
    for path, answer in read_all(planted, name).items():
        assert "Kladderadatsch" not in answer, path
        # A refusal names the address that was asked for.
        text = answer.replace(path, "")
        for where, word in secrets.items():
            assert word not in text, f"{where} reaches {name} by {path}"


@pytest.mark.slow
def test_who_takes_part_in_a_secret_knows_it_and_nobody_else(planted):
    told = "".join(text.replace(path, "") for path, text in read_all(planted, "Lene").items())
    assert OTHERS["a whisper between others"] in told
    assert OTHERS["a handout for another"] in told
    assert not [where for where, word in gms(planted).items() if word in told]
    assert OTHERS["another player's draft"] not in told


def test_no_place_in_the_log_tells_how_much_lies_between(planted):
    mara = planted.sits("Mara")
    entries = mara.get(f"{planted.t}/api/v1/entries?limit=500").json()["entries"]
    assert entries
    assert {one["number"] for one in entries} == {0}
    cursors = [one["cursor"] for one in entries]
    assert len(set(map(len, cursors))) == 1
    view = mara.get(f"{planted.t}/api/v1/view").json()
    assert view["table"]["number"] == 0
