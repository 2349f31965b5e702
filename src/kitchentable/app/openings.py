"""The opening of an example campaign, played with real dice until somebody has to act."""

from __future__ import annotations

import shlex
from functools import partial

import msgspec

from kitchentable.app.scriptverbs import Stage, command
from kitchentable.app.server import Server, send
from kitchentable.campaign.commands import (
    BeginSession,
    ChangeEntity,
    DecideSeat,
    SetRole,
    SetSettings,
    Throw,
)
from kitchentable.campaign.settings import SOLO


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
                # A playthrough throws only typed-in faces; here the table's dice are thrown.
                sent = msgspec.structs.replace(sent, faces=None)
            await server.tables.handle(campaign, sent)


async def begin_alone(server: Server, campaign: str) -> None:
    """Play the opening, then give every character to one player at a table without a GM.

    That player is the one whose roll is open, or else the first. Errors: BadScript, BadInput.
    """
    await begin_evening(server, campaign)
    state = server.tables.campaign(campaign)
    table = state.table
    gm = table.gm.id
    waiting = [one["for"] for one in state.tree["proposals"].values()]
    players = [seat.id for seat in table.players()]
    me = next((seat for seat in waiting if seat in players), players[0])
    do = partial(send, server, campaign)
    for one in table.in_play():
        if one.owner in players and one.owner != me:
            await do(ChangeEntity, gm, entity=one.id, owner=me)
    for seat in players:
        if seat != me:
            await do(DecideSeat, gm, of=seat, verdict="revoke")
    await do(SetRole, gm, of=me, role="cogm")
    await do(SetSettings, gm, settings={"gm_confirms": SOLO})
    if table.session.phase == "none":
        await do(BeginSession, gm)
