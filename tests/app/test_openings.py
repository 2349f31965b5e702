"""The example evenings: begun with real dice, and stopped where somebody has to act."""

import asyncio

import pytest

from kitchentable.app.audit import audit
from kitchentable.app.held import decoded
from kitchentable.app.openings import begin_evening
from kitchentable.app.server import Server, lay_out
from kitchentable.campaign.commands import EndSession, RollNotation
from kitchentable.rules import registry
from kitchentable.store import MemoryStore


@pytest.mark.parametrize("game", registry.names())
def test_an_example_stops_at_a_cliff_hanger_with_real_rolls_in_its_log(game):
    server = Server(MemoryStore())
    # Whatever the dice say, the evening goes on.
    for _ in range(3):
        campaign = asyncio.run(server.open_example(game, begin_evening))
        state = server.tables.campaign(campaign)
        thrown = [event.throw for event in state.events if event.throw is not None]
        assert thrown
        assert all(throw.session == 1 and not throw.typed for throw in thrown)
        assert sum(event.kind == "said" for event in state.events) >= 3
        assert state.events[-1].kind == "proposed"
        assert state.events[-1].data["waits"] == ["the GM"]
        assert state.table.session.phase == "open"
        # The dice go on where they were, and can be checked at the end.
        gm = next(seat.id for seat in state.table.seats.values() if seat.role == "gm")
        for kind, more in ((RollNotation, {"notation": "2d6"}), (EndSession, {})):
            asyncio.run(server.tables.handle(campaign, kind(id=kind.__name__, seat=gm, **more)))
        checked = audit(campaign, server.tables.campaign(campaign).events)
        assert [report.verdict for _, report in checked.sessions] == ["fair"], checked
        server.store.put_setting(f"example-{game}", b"another")
    server.close()


@pytest.mark.parametrize("game", registry.names())
def test_events_in_memory_are_those_on_the_disk(game):
    """Memory keeps the events as they were decided; a restart reads them from their rows."""

    async def evening() -> None:
        server = Server(MemoryStore())
        campaign = await lay_out(server, game)
        await begin_evening(server, campaign)
        recent = server.tables.campaign(campaign).events.recent
        rows = server.store.read(campaign, recent[0].number - 1)
        assert list(decoded(rows)) == recent
        again = Server(server.store).tables.campaign(campaign)
        assert again.tree == server.tables.campaign(campaign).tree

    asyncio.run(evening())
