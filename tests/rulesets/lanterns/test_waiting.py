"""Campaigns of games in files that an earlier version stored open, and play on."""

import pytest

from kitchentable.campaign.views import view_for
from tests.rulesets.lanterns.make_waiting import FIXTURES, SCENES
from tests.rulesets.waiting import opened, play_on

each = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)


def path_of(scene):
    return FIXTURES / f"{scene.__name__}.jsonl"


@each
def test_what_waits_is_played_on_to_the_same_events(scene):
    play_on(SCENES[scene], path_of(scene))


@each
def test_somebody_is_asked_about_each_card_that_waits(scene):
    one = opened(SCENES[scene], path_of(scene))
    asked = {
        seen.ask.id
        for seat in one.table.seats
        for seen in view_for(one.campaign, SCENES[scene], seat).asks
        if seen.fields
    }
    assert asked == one.table.asks.keys()


def test_every_card_of_a_game_in_a_file_waits_in_some_campaign():
    waiting = {
        ask.move
        for scene in SCENES
        for ask in opened(SCENES[scene], path_of(scene)).table.asks.values()
    }
    assert waiting == {"story", "refit", "points_fit"}
