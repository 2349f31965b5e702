"""Campaigns of an earlier version, with cards about people waiting, open and play on."""

import pytest

from kitchentable.campaign.views import view_for
from kitchentable.rulesets.toaster import game
from tests.rulesets.toaster.make_waiting_people import FIXTURES, SCENES
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
        seen.ask.id for seat in one.table.seats for seen in view_for(one.campaign, game, seat).asks
    }
    assert asked == one.table.asks.keys()


def test_every_card_about_people_waits_in_some_campaign():
    waiting = {ask.move for path in PATHS for ask in opened(game, path).table.asks.values()}
    assert waiting >= {
        "mortality", "mortality_luck", "unnamed", "healing", "healing_luck", "where", "wakes",
        "medical_luck", "judge_improvement", "judge_speciality", "judge_traits", "allow", "refit",
    }  # fmt: skip
