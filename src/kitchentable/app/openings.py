"""The evening of an example, begun with real dice and stopped where somebody has to act."""

from __future__ import annotations

import shlex

import msgspec

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server
from kitchentable.campaign.commands import Throw


async def begin_evening(server: Server, campaign: str) -> None:
    """Play the opening of a campaign's game, if it has one. Errors: BadScript, BadInput."""
    state = server.tables.campaign(campaign)
    game = server.tables.game_of(state)
    stage = Stage(server, game.name, campaign)
    stage.seats |= {seat.name: seat.id for seat in state.table.seats.values()}
    for line in game.opening.splitlines():
        who, arrow, words = line.partition(">")
        if arrow:
            sent = command(stage, who.strip(), shlex.split(words))
            if isinstance(sent, Throw):
                # In a playthrough a throw without faces has none; here the table's dice fall.
                sent = msgspec.structs.replace(sent, faces=None)
            await server.tables.handle(campaign, sent)
