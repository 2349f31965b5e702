"""Campaigns that an earlier version stored, with every kind of card waiting, open and play on."""

import pytest

from kitchentable.campaign.views import view_for
from tests.rulesets.lanterns import make_waiting as lanterns
from tests.rulesets.lucky_stars import make_waiting as lucky_stars
from tests.rulesets.objects import make_waiting as objects
from tests.rulesets.toast import make_waiting as toast
from tests.rulesets.toaster import make_waiting_actions as toaster_actions
from tests.rulesets.toaster import make_waiting_fights as toaster_fights
from tests.rulesets.toaster import make_waiting_people as toaster_people
from tests.rulesets.waiting import fixtures_of, moves_waiting, opened, play_on, stored

MAKERS = (
    lanterns, lucky_stars, objects, toast, toaster_actions, toaster_fights, toaster_people,
)  # fmt: skip
#: Moves whose cards ask for a throw and nothing else.
WITHOUT_QUESTIONS = {"supply_due"}
each = pytest.mark.parametrize(
    ("game", "path"),
    [
        pytest.param(game, path, id=f"{game.name}-{path.stem}")
        for maker in MAKERS
        for game, path in fixtures_of(maker)
    ],
)


@each
def test_what_waits_is_played_on_to_the_same_events(game, path):
    play_on(game, path)


@each
def test_somebody_is_asked_about_each_card_that_waits(game, path):
    one = opened(game, path)
    asked = {
        seen.ask.id
        for seat in one.table.seats
        for seen in view_for(one.campaign, game, seat).asks
        if seen.mine and (seen.fields or seen.ask.move in WITHOUT_QUESTIONS)
    }
    assert asked == one.table.asks.keys()


@pytest.mark.parametrize(
    ("maker", "others"),
    [
        (lucky_stars, {"refit"}),
        (objects, {"fate", "refit"}),
        (toast, {"spend_points", "roles"}),
    ],
    ids=lambda of: getattr(of, "__name__", ""),
)
def test_every_card_of_a_game_waits_in_some_campaign(maker, others):
    answers = {move.name for move in maker.game.moves if not move.by}
    assert moves_waiting(maker) == answers | others


def test_every_card_of_a_game_in_a_file_waits_in_some_campaign():
    assert moves_waiting(lanterns) == {"story", "refit", "points_fit"}


@pytest.mark.parametrize(
    ("maker", "cards"),
    [
        (toaster_actions, {
            "task_luck", "contest_luck", "called_roll", "meaning", "tie", "luck_roll",
        }),
        (toaster_fights, {
            "attack_luck", "defence_luck", "fumble", "initiative_tie", "still_fighting",
            "long_kept",
        }),
        (toaster_people, {
            "mortality", "mortality_luck", "unnamed", "healing", "healing_luck", "where", "wakes",
            "medical_luck", "judge_improvement", "judge_speciality", "judge_traits", "allow",
            "refit",
        }),
    ],
    ids=("actions", "fights", "people"),
)  # fmt: skip
def test_every_card_of_toaster_waits_in_some_campaign(maker, cards):
    assert moves_waiting(maker) >= cards


def test_every_move_of_objects_is_played_on_in_some_campaign():
    steps = [named for _, path in fixtures_of(objects) for _, _, _, named in stored(path, "step")]
    played = {named["move"] for named in steps if "move" in named}
    assert played == {move.name for move in objects.game.moves}
