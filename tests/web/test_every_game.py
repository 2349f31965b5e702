"""At the table of every game: nothing that can be asked for before it makes sense is a fault."""

import asyncio

import pytest

from kitchentable.rules import registry
from tests.web.visitors import Visited, Visitor, cookies_of, feed, visit


@pytest.fixture(scope="module", params=registry.names())
def table(request: pytest.FixtureRequest):
    """A table of each game, at which nothing has happened yet."""
    with visit(game=request.param) as server:
        yield server


def people(table: Visited) -> list[tuple[str, Visitor]]:
    """The GM and a player."""
    names = sorted(table.seats.values(), key=lambda seat: seat.role != "gm")[:2]
    assert len(names) == 2
    return [(seat.name, table.sits(seat.name)) for seat in names]


def whom(table: Visited) -> list[str]:
    """Nobody, and somebody of each kind."""
    entities = table.server.tables.campaign(table.campaign).table.entities.values()
    return ["", *{one.kind: one.id for one in entities}.values()]


@pytest.mark.slow
def test_the_odds_of_every_move_can_be_asked_for_at_any_time(table: Visited):
    moves = [move.name for move in table.server.tables.game(table.campaign).moves]
    assert moves
    for name, visitor in people(table):
        for move in moves:
            for entity in whom(table):
                path = f"{table.t}/api/v1/odds?move={move}&entity={entity}"
                answer = visitor.get(path)
                assert answer.status_code < 500, f"{name}: {path}: {answer.text}"


@pytest.mark.slow
def test_every_move_can_be_typed_at_any_time(table: Visited):
    moves = [move.name for move in table.server.tables.game(table.campaign).moves]
    assert moves
    for name, visitor in people(table):
        for move in moves:
            answer = visitor.script("POST", f"{table.t}/say", text=f"/{move}")
            assert answer.status_code < 500, f"{name}: /{move}: {answer.text}"


@pytest.mark.slow
def test_a_log_is_read_from_its_very_beginning(table: Visited):
    first = table.server.tables.cursors.seal(table.campaign, 0)
    t = table.t
    ways = ("log?before", "journal?before", "journal?after", "api/v1/entries?before")
    for name, visitor in people(table):

        async def whole_feed(visitor: Visitor = visitor) -> str:
            async with feed(table.app, f"{t}/feed", cookies_of(visitor), first) as line:
                return str(await line.until("alive"))

        told = asyncio.run(whole_feed())
        assert "<li" in told or "reload" in told, name
        for way in ways:
            assert visitor.get(f"{t}/{way}={first}").status_code == 200, way
        assert visitor.get(f"{t}/api/v1/entries?after={first}").json()["entries"]
