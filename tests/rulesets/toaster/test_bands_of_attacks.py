"""The outcomes in the odds of an attack are exactly the possible ones."""

import itertools

import pytest

from kitchentable.dice import odds, told
from kitchentable.rulesets.toaster.combat.attacks import bands_for, in_a_word
from kitchentable.rulesets.toaster.mechanics.attack import attack
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.stars import Extended
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, Rules

HARMS = (
    Classes(6, 2, 2),
    Classes(12, 1, 0, piercing=-2),
    Classes(20, 5, 2, places=(("torso", 9), ("left-arm", 1)), area="left-arm"),
    Classes(3, 4, 4, unarmed=True),
    Classes(9, 2, 2, threshold=4),
)
RULES = (Rules(), Rules(bands=True), Rules(ext=Extended(zeros=True)), Rules(ext=Extended(nines=1)))
WAYS = (
    Ways(),
    Ways(double_roll=True),
    Ways(same_die=True),
    Ways(add_margin=True),
    Ways(halve_marginal=True),
    Ways(damage=Extended(nines=1)),
)


@pytest.mark.parametrize("harm", HARMS)
def test_every_outcome_has_its_band(harm):
    for rules, ways in itertools.product(RULES, WAYS):
        numbers = (Attacker(8, 3), Defender(3), harm, rules, ways)
        known = {band.key for band in bands_for(*numbers[2:])}
        assert set(odds(told(attack, in_a_word), *numbers)) <= known, (rules, ways)


def test_in_plain_play_the_most_that_is_told_is_the_most_that_happens():
    for harm in HARMS:
        numbers = (Attacker(8, 3), Defender(3), harm, Rules(), Ways())
        known = {band.key for band in bands_for(*numbers[2:])}
        assert "fumble" not in known
        assert most(known) == most(set(odds(told(attack, in_a_word), *numbers))), harm


def most(keys: set[str]) -> int:
    """The most wounds among these bands; 0 for none."""
    return max((int(key) for key in keys if key.isdigit()), default=0)
