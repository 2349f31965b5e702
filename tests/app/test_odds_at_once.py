"""Odds of a move are shown at once, also before its text fields are filled in."""

import asyncio
from functools import partial

import pytest

from kitchentable.app.server import Server, lay_out
from kitchentable.campaign.commands import BeginSession, Say
from kitchentable.campaign.permissions import actor_for
from kitchentable.campaign.questions import fill_in
from kitchentable.rules.registry import names
from kitchentable.store import MemoryStore


def laid_out(game):
    """A server with a game's ready evening, its session begun; the campaign and its people."""
    server = Server(MemoryStore())
    campaign = asyncio.run(lay_out(server, game))
    table = server.tables.campaign(campaign).table
    gm = next(one.id for one in table.seats.values() if one.role == "gm")
    asyncio.run(server.tables.handle(campaign, BeginSession(id="begin", seat=gm)))
    return server, campaign, table, gm


@pytest.mark.parametrize("game", names())
def test_no_move_of_anybody_breaks_while_words_are_missing(game):
    server, campaign, table, gm = laid_out(game)
    for who in table.in_play():
        for seat in {gm, who.owner if who.owner in table.seats else gm}:
            for move in server.projections.of(campaign, seat).moves(who.id):
                if not move.why_not:
                    server.projections.of(campaign, seat).odds(move.name, who.id, {})


@pytest.mark.parametrize("game", names())
def test_forms_that_share_a_moment_are_those_of_each_move_alone(game):
    server, campaign, table, gm = laid_out(game)
    for who in table.in_play():
        for seat in {gm, who.owner if who.owner in table.seats else gm}:
            projection = server.projections.of(campaign, seat)
            view, moves = projection.view, projection.moves(who.id)
            actor = actor_for(view.me, who.id)
            for seen in (one for one in moves if not one.why_not):
                move = projection.game.move(seen.name)
                alone = fill_in(move.title, partial(move.fields, view.table, actor), {})
                shared = projection.fill_in(seen.name, who.id, {})
                assert (shared.fields, shared) == (alone.fields, alone)


def test_a_projection_lasts_until_the_next_event():
    server, campaign, _, gm = laid_out("toast")
    first = server.projections.of(campaign, gm)
    assert server.projections.of(campaign, gm) is first
    asyncio.run(server.tables.handle(campaign, Say(id="say", seat=gm, text="Well")))
    second = server.projections.of(campaign, gm)
    assert second.view.cursor != first.view.cursor


@pytest.mark.parametrize(("game", "move"), [("objects", "test"), ("lucky_stars", "d100")])
def test_odds_do_not_wait_for_what_a_roll_is_about(game, move):
    server, campaign, table, _ = laid_out(game)
    who = next(one for one in table.in_play() if one.is_players)
    seen = next(
        m for m in server.projections.of(campaign, who.owner).moves(who.id) if m.name == move
    )
    assert any(field.required and field.default in {None, ""} for field in seen.fields)
    odds = server.projections.of(campaign, who.owner).odds(move, who.id, {})
    assert odds is not None
    assert sum(chance for *_, chance in odds.bands) == 1


def test_a_move_says_whether_it_ever_throws():
    server, campaign, table, _ = laid_out("objects")
    who = next(one for one in table.in_play() if one.is_players)
    throws = {m.name: m.throws for m in server.projections.of(campaign, who.owner).moves(who.id)}
    assert throws["test"]
    assert not throws["status"]
