"""Long evenings of Toast in which people do anything at all: nothing breaks, and the rules hold."""

import pytest

from kitchentable.campaign import commands as c
from kitchentable.rulesets.toast.people import Person
from tests.rulesets.anything import Anything
from tests.rulesets.driver import GM
from tests.rulesets.toast.people import evening, foe, hero, spread

STEPS = 100
PLAYERS = ("ana", "ben", "cai")


def set_up(seed):
    one = evening(PLAYERS, initiative_perk=bool(seed % 2))
    for player in PLAYERS:
        hero(one, player, "Sly", "Good with rifles", **{**spread(one), "aim": seed % 10})
    foe(one, name="Serk", kind="lieutenant", **spread(one))
    foe(one, name="Guard")
    foe(one, name="Umbra", hidden=True, open=False)
    return one


def end_of_the_evening(rng, one, share):
    """The GM turns to advancement when three quarters are over."""
    if share >= 0.75 and one.table.session.phase == "open":
        one.do(GM, c.CloseSession)


def keeps_the_rules(one, before):
    consents = {
        event.data["entity"]
        for event in one.campaign.events
        if event.data.get("move") == "consent" and event.data["answers"]["answer"] == "yes"
    }
    for entity in one.table.in_play():
        somebody = Person(one.table, entity)
        assert somebody.wounds >= 0
        assert somebody.condition != "dead" or not entity.is_players or entity.id in consents
        assert all(level >= 0 for level in entity.sheet["traits"].values())
        if somebody.condition == "down":
            assert any(a.move == "fate" and a.entity == entity.id for a in one.asks())
        assert somebody.wounds <= max(somebody.capacity, 4)
    fight = one.table.fight
    if fight and fight["turn"]:
        assert fight["phase"] == "turns"
        assert Person(one.table, one.entity(fight["turn"])).is_awake


STRANGERS = Anything(set_up, keeps_the_rules, (GM, *PLAYERS), meanwhile=end_of_the_evening)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    STRANGERS.play(seed, STEPS, look_every=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 112))
def test_long_evenings_of_anything(seed):
    STRANGERS.play(seed, 5 * STEPS, look_every=1)
