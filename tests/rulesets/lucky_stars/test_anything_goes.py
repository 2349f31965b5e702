"""Long evenings of These Lucky Stars in which people do anything at all: nothing breaks, and the
rules hold.
"""

import pytest

from kitchentable.rulesets.lucky_stars.mechanics import SIZES
from kitchentable.rulesets.lucky_stars.people import Person
from tests.rulesets.anything import Anything
from tests.rulesets.driver import GM
from tests.rulesets.filling import Whims
from tests.rulesets.lucky_stars.people import evening, foe, hero, stock, thing

STEPS = 80


def set_up(seed):
    odd = bool(seed % 2)
    one = evening(narrate=odd, contest_disadvantage=odd, gm_sets_dice=odd, show_margin=True)
    hero(one, "ana", thing("Rope", "8"), thing("Kit", "4"), level=3, strength=2, will=-1)
    hero(one, "ben", thing("Flares", "6"), level=seed % 5, fort=2)
    foe(one, thing("Powder", "6"), name="Serk", strength=3)
    foe(one, name="Umbra", hidden=True)
    stock(one, thing("Oil", "10"))
    return one


def keeps_the_rules(one, before):
    for entity in one.table.in_play():
        assert all(supply.value in SIZES for supply in Person(one.table, entity).supplies)
        for tracker in entity.state["trackers"].values():
            assert tracker["kind"] != "percent" or 0 <= tracker["value"] <= 100
    throw = one.last.throw
    if throw is not None:
        dice = [die for die in throw.trace if die["label"] in {"decision", "first", "second"}]
        assert all((die["fate"] == "exploded") <= (die["face"] == 6) for die in dice)


STRANGERS = Anything(
    set_up,
    keeps_the_rules,
    (GM, "ana", "ben"),
    whims=Whims(words=("a word", "-1/2", "Will", "2", ""), largest=30),
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_anything(seed):
    STRANGERS.play(seed, STEPS, look_every=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
def test_long_evenings_of_anything(seed):
    STRANGERS.play(seed, 5 * STEPS, look_every=1)
