"""Numbers of a closed sheet stay secret, also in open proposals."""

import asyncio

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server, lay_out
from kitchentable.store import MemoryStore


async def _talk():
    """Serk, whose sheet is closed, attacks Brother Ivo; what each seat reads of it, as details."""
    server = Server(MemoryStore())
    stage = Stage(server, "toast", await lay_out(server, "toast"))
    for seat in server.tables.campaign(stage.campaign).table.seats.values():
        stage.seats[seat.name] = seat.id
    words = ["propose", "attack", "for", "Captain Serk", "target=@Brother Ivo", "trait=attack"]
    for step in (["move", "fight"], ["move", "end_fight"], words):
        await server.tables.handle(stage.campaign, command(stage, "GM", step))
    seen = {
        who: dict(server.projections.of(stage.campaign, seat).entries()[-1].details)
        for who, seat in stage.seats.items()
    }
    server.close()
    return seen


def test_the_log_tells_no_level_of_a_closed_sheet():
    seen = asyncio.run(_talk())
    assert seen["GM"]["With"] == "Attack 6"
    assert {seen[who]["With"] for who in ("Mara", "Jonas", "Lene")} == {"Attack"}
    assert {one["Whom?"] for one in seen.values()} == {"Brother Ivo"}
    assert {one["Brother Ivo answers with"] for one in seen.values()} == {"Defense 4"}
