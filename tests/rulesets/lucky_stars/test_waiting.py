"""Campaigns that an earlier version stored, with every kind of card waiting, open and play on."""

import msgspec
import pytest

from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.state import fold
from kitchentable.campaign.views import view_for
from kitchentable.rulesets.lucky_stars import game
from tests.rulesets.driver import Evening
from tests.rulesets.lucky_stars.make_waiting import FIXTURES, SCENES

NAMES = [scene.__name__ for scene in SCENES]


def stored(name, what):
    lines = (FIXTURES / f"{name}.jsonl").read_bytes().splitlines()
    return [line[what] for line in map(msgspec.json.decode, lines) if what in line]


def opened(name):
    return Evening(game, fold(map(codec.from_data, stored(name, "event"))))


@pytest.mark.parametrize("name", NAMES)
def test_what_waits_is_played_on_to_the_same_events(name):
    one, after = opened(name), [*map(codec.from_data, stored(name, "after"))]
    began = one.campaign.number
    for seat, command, faces, named in stored(name, "step"):
        one.do(seat, getattr(c, command), tuple(faces), **named)
        number = one.campaign.number - began
        made = [codec.decode(codec.encode(event)) for event in one.campaign.events[began:]]
        assert made == after[:number], f"{command} by {seat}"
    assert one.campaign.number - began == len(after)


@pytest.mark.parametrize("name", NAMES)
def test_somebody_is_asked_about_each_card_that_waits(name):
    one = opened(name)
    asked = {
        seen.ask.id
        for seat in one.table.seats
        for seen in view_for(one.campaign, game, seat).asks
        if seen.mine
    }
    assert asked == one.table.asks.keys()


def test_every_card_of_the_game_waits_in_some_campaign():
    waiting = {ask.move for name in NAMES for ask in opened(name).table.asks.values()}
    answers = {move.name for move in game.moves if not move.by}
    assert waiting == answers | {"refit"}
