"""Two campaigns that differ only in secrets give a player the same bytes.

The two have one history, but for the GM's secrets: somebody hidden, numbers of somebody closed,
notes, whispers, rolls behind the screen, and answers that the GM keeps hidden. Every way out is
read, in every game.
"""

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace

import httpx
import pytest
from mcp import Client

from kitchentable.app import dice_sources
from kitchentable.app.server import Server
from kitchentable.app.shapes import plain, read_as
from kitchentable.app.webhook_sender import messages
from kitchentable.app.webhooks import Hook
from kitchentable.campaign import commands as c
from kitchentable.campaign.proposals import read_proposal
from kitchentable.campaign.read_models import Entry, View
from kitchentable.cli.tools import make_tools
from kitchentable.client import Table
from kitchentable.dice.errors import BadInput
from kitchentable.rules import registry
from kitchentable.store import MemoryStore, Picture, Store, moving, open_place, picture_id
from tests.app.party import ticking
from tests.postgres import empty
from tests.web.test_secrecy import ways_out
from tests.web.visitors import BASE, Visited, cookies_of, feed, ready_record, visit

#: What differs: words of one length, dice, and which of the choices is the hidden one.
WORLDS = (("Zwibelfisch", "2d6", 0), ("Quastenflos", "3d8", 1))
#: Where numbers of somebody closed differ, and what stands there in each world.
CLOSED = {
    "lanterns": ("state", "tracks", "bruises", 1, 2),
    "lucky_stars": ("sheet", "stats", "fort", 3, 4),
    "objects": ("state", "karma", 1, 2),
    "toast": ("state", "wounds", 1, 2),
    "toaster": ("state", "wounds", [{"n": 1, "area": "head"}], [{"n": 1}, {"n": 2}]),
}
#: A picture of the GM's in each world.
_BODIES = [b"RIFF\x06\x00\x00\x00WEBP" + word.encode() for word, *_ in WORLDS]
PICTURES = [Picture(picture_id(body), body) for body in _BODIES]
#: Made anew for each page, and told to nobody else.
ANEW = re.compile(
    r'(name="(?:_csrf_token|command|page)" value="|csrf" content="|csrftoken": ")[^"]*|[0-9a-f]{64}'
    r"|(?<![\w-])[\w-]{32}(?![\w-])"  # where the log ends
)


class World:
    """One of the two, played to its end."""

    def __init__(self, visited: Visited, word: str, dice: str, pick: int) -> None:
        self.visited, self.word, self.dice, self.pick = visited, word, dice, pick
        self.sent = 0
        seats = sorted(visited.seats.values(), key=lambda seat: seat.role != "gm")
        self.gm, self.player = seats[0].id, seats[1]

    async def do(self, seat: str, kind: type, /, **fields):
        self.sent += 1
        command = kind(id=f"w{self.sent}", seat=seat, **fields)
        return (await self.visited.server.tables.handle(self.visited.campaign, command)).events[0]

    async def play(self) -> None:
        gm, word = self.gm, self.word
        await self.do(gm, c.BeginSession)
        kind = list(self.state.table.in_play())[-1].kind
        await self.do(gm, c.MakeEntity, kind=kind, name=word, hidden=True)
        await self.do(gm, c.SetNote, which="gm", text=word)
        await self.do(gm, c.SetClock, title=word, filled=self.pick, open=False)
        await self.do(gm, c.SetOracle, title=word, rows=f"{word}\n{self.dice}", open=False)
        picture = PICTURES[self.pick]
        self.visited.server.store.put_picture(self.visited.campaign, picture)
        await self.do(gm, c.SaveHandout, title=word, text=word, picture=picture.id)
        hidden = list(self.state.table.entities)[-1]
        await self.do(gm, c.SetPortrait, entity=hidden, picture=picture.id)
        await self.do(gm, c.RollNotation, notation=self.dice, audience="gm", label=word)
        await self.do(gm, c.AskForSeat, new_seat="other", name="Other", approved=True)
        await self.do("other", c.Say, text=word, to="gm")
        game = self.visited.server.tables.game(self.visited.campaign)
        if any(move.name == "fight" for move in game.moves):
            await self.do(gm, c.MakeMove, move="fight")
        *path, first, second = CLOSED[game.name]
        closed = next(one for one in self.state.table.in_play() if not one.open and not one.hidden)
        number = (first, second)[self.pick]
        await self.do(
            gm, c.Override, path=("entities", closed.id, *path), now=number, reason="It is so."
        )
        for move in game.moves:
            if move.converses:
                await self.talk(move.name)
        await self.do(self.player.id, c.Say, text="An open word.")

    async def talk(self, move: str) -> None:
        """A roll of the player's in which the GM keeps hidden whatever can be."""
        mine = [one for one in self.state.table.in_play() if one.owner == self.player.id]
        with suppress(BadInput):
            began = await self.do(
                self.player.id, c.Propose, move=move, entity=mine[0].id, answers={}
            )
            proposal = began.data["proposal"]
            game = self.visited.server.tables.game_of(self.state)
            talk = read_proposal(game, proposal, self.state.tree["proposals"][proposal])
            fields = talk.fields(self.state.table)
            kept = [f for f in fields if f.hideable and f.kind == "choice" and f.choices]
            answers = {f.name: f.choices[self.pick % len(f.choices)].value for f in kept}
            hidden = tuple(answers)
            await self.do(self.gm, c.Settle, proposal=proposal, answers=answers, hidden=hidden)

    @property
    def state(self):
        return self.visited.server.tables.campaign(self.visited.campaign)

    def ways(self):
        """Every address that can be read."""
        pictures = tuple(one.id for one in PICTURES)
        return ways_out(self.visited, talks=bool(self.state.tree["proposals"]), pictures=pictures)

    def read_all(self) -> dict[str, str]:
        """All responses that the player can get."""
        visitor = self.visited.sits(self.player.name)
        found = {path: visitor.get(path).text for path in dict.fromkeys(self.ways())}

        async def whole_feed(path: str) -> str:
            first = self.visited.server.tables.cursors.seal(self.visited.campaign, 0)
            async with feed(self.visited.app, path, cookies_of(visitor), first) as line:
                return str(await line.until("alive"))

        for way in ("feed", "feed?queue=on", "api/v1/events"):
            path = f"{self.visited.t}/{way}"
            found[path] = asyncio.run(whole_feed(path))
        hook = Hook(id="h", url="https://bot.example", secret="whsec_AAAA")
        cursors = self.visited.server.tables.cursors
        told, sent = [], 0
        while sent < self.state.number:
            turn = [*messages(self.state, hook, sent, cursors)]
            told += [message.body for message, _ in turn if message]
            sent = turn[-1][1]
        found["webhook"] = str(told)
        return found | asyncio.run(self.read_by_tools())

    async def read_by_tools(self) -> dict[str, str]:
        """All that the player's tools and resources of MCP tell."""
        seat = (self.visited.campaign, self.player.id)
        link = f"{BASE}/s/{self.visited.server.keys.issue('seat-link', *seat)}"
        through = httpx.MockTransport(self.visited.stranger()._transport.handle_request)
        names = [one.name for one in self.state.table.entities.values() if not one.hidden]
        moves = [move.name for move in self.visited.server.tables.game_of(self.state).moves]
        # Who is hidden is asked for by name, too.
        asked = [("read_sheet", "name", one) for one in (*names, *(w for w, *_ in WORLDS))]
        asked += [("ask_odds", "line", one) for one in moves[:6]]
        asked += [("read_table", "", ""), ("read_log", "entries", 500), ("list_moves", "name", "")]
        found = {}
        with Table.at(link, transport=through) as table:
            async with Client(make_tools(table)) as one:
                for tool, name, value in asked:
                    answer = await one.call_tool(tool, {name: value} if name else {})
                    found[f"{tool} {value}"] = str(answer.content)
                for uri in ("kitchentable://table", "kitchentable://log"):
                    found[uri] = str((await one.read_resource(uri)).contents)
        return found

    def check_read_back(self) -> None:
        """What programs are sent can be read as what it was made of."""
        for seat in (self.gm, self.player.id):
            projection = self.visited.server.projections.of(self.visited.campaign, seat)
            assert read_as(View, json.loads(json.dumps(plain(projection.view)))) == projection.view
            entries = projection.entries(limit=500)
            assert read_as(list[Entry], json.loads(json.dumps(plain(entries)))) == entries


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_a_player_gets_the_same_bytes_of_two_worlds(game: str, monkeypatch):
    two_worlds(monkeypatch, game, MemoryStore)


@pytest.mark.soak
def test_a_player_gets_the_same_bytes_of_two_worlds_in_postgresql(emptied: str, monkeypatch):
    def kept(record: MemoryStore) -> Store:
        empty(emptied)
        store = open_place(emptied)
        moving.move(record, store)
        return store

    two_worlds(monkeypatch, "toast", kept)


def two_worlds(
    monkeypatch: pytest.MonkeyPatch, game: str, record_of: Callable[[MemoryStore], Store]
) -> None:
    """Play one evening in two worlds that differ in what a player may not know."""
    monkeypatch.setattr(
        dice_sources, "secrets", SimpleNamespace(token_bytes=lambda size: b"s" * size)
    )
    read, told = [], []
    for word, dice, pick in WORLDS:
        record = record_of(ready_record(game))
        with visit(server=Server(record, clock=ticking()), game=game) as visited:
            world = World(visited, word, dice, pick)
            asyncio.run(world.play())
            read.append(world.read_all())
            world.check_read_back()
            told.append(str(visited.sits("GM").get(f"{visited.t}/api/v1/view").text))
    assert told[0] != told[1], "the GM sees the difference"
    assert read[0].keys() == read[1].keys()
    differing = [way for way in read[0] if not is_same(way, read[0][way], read[1][way])]
    assert not differing


def is_same(way: str, one: str, other: str) -> bool:
    """Whether two answers are equal, but for the parts of a page that are made anew for each."""
    if not way.startswith("/"):
        return one == other
    lines, others = one.split("\n"), other.split("\n")
    return len(lines) == len(others) and all(
        line == instead or ANEW.sub("", line) == ANEW.sub("", instead)
        for line, instead in zip(lines, others, strict=True)
    )
