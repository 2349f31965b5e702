"""Campaigns that an earlier version stored, with every kind of card waiting, open and play on."""

import pytest

from kitchentable.campaign.views import view_for
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.lucky_stars.make_waiting import FIXTURES, SCENES
from tests.rulesets.waiting import opened, play_on

PATHS = [FIXTURES / f"{scene.__name__}.jsonl" for scene in SCENES]
each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each
def test_what_waits_is_played_on_to_the_same_events(path):
    play_on(game, path)


@each
def test_somebody_is_asked_about_each_card_that_waits(path):
    one = opened(game, path)
    asked = {
        seen.ask.id
        for seat in one.table.seats
        for seen in view_for(one.campaign, game, seat).asks
        if seen.mine
    }
    assert asked == one.table.asks.keys()


def test_every_card_of_the_game_waits_in_some_campaign():
    waiting = {ask.move for path in PATHS for ask in opened(game, path).table.asks.values()}
    answers = {move.name for move in game.moves if not move.by}
    assert waiting == answers | {"refit"}
