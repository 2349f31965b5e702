"""Campaigns that an earlier version stored, with every kind of card waiting, open and play on."""

import pytest

from kitchentable.campaign.views import view_for
from kitchentable.rulesets.objects import game
from tests.rulesets.objects.make_waiting import FIXTURES, SCENES
from tests.rulesets.waiting import opened, play_on, stored

PATHS = [FIXTURES / f"{scene.__name__}.jsonl" for scene in SCENES]
each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@each
def test_what_waits_is_played_on_to_the_same_events(path):
    play_on(game, path)


@each
def test_somebody_is_asked_about_each_card_that_waits(path):
    one = opened(game, path)
    seen = {
        ask.ask.id for seat in one.table.seats for ask in view_for(one.campaign, game, seat).asks
    }
    assert seen == one.table.asks.keys()


def test_every_card_of_the_game_waits_in_some_campaign():
    waiting = {ask.move for path in PATHS for ask in opened(game, path).table.asks.values()}
    assert waiting == {move.name for move in game.moves if not move.by} | {"fate", "refit"}


def test_every_move_of_the_game_is_played_on_in_some_campaign():
    steps = [named for path in PATHS for _, _, _, named in stored(path, "step")]
    played = {named["move"] for named in steps if "move" in named}
    assert played == {move.name for move in game.moves}
