"""Fights that an earlier version stored, with every kind of card waiting, open and play on."""

import pytest

from kitchentable.campaign.views import view_for
from kitchentable.rulesets.toaster import game
from tests.rulesets.toaster.make_waiting_fights import FIXTURES, SCENES
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
        if seen.fields
    }
    assert asked == one.table.asks.keys()


def test_every_card_of_a_fight_waits_in_some_campaign():
    waiting = {ask.move for path in PATHS for ask in opened(game, path).table.asks.values()}
    assert waiting >= {
        "attack_luck", "defence_luck", "fumble", "initiative_tie", "still_fighting", "long_kept",
    }  # fmt: skip
