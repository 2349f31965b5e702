"""The effects stated on the options page, compared with the odds."""

from fractions import Fraction

import pytest

from kitchentable.rulesets.toaster.book import BOOK

EFFECTS = {option.key: option.effect for option in BOOK.options}


def ahead(by: int, modifier: int = 0) -> Fraction:
    """How often one d10* with a modifier is ahead of another by so much or more."""
    faces = range(10)
    return Fraction(sum(a + modifier - b >= by for a in faces for b in faces), 100)


@pytest.mark.parametrize(
    ("key", "said", "true"),
    [
        ("combat_marginal_band", "45 %", ahead(1)),
        ("stance", "64 %", ahead(1, 2)),
        ("weapon_length", "28 %", ahead(1, -2)),
        ("shield_attack_penalty", "28 %", ahead(1, -2)),
        ("strength_requirements", "36 %", ahead(1, -1)),
        ("wcac_critical_table", "10 attacks in 100", ahead(6)),
        ("wcac_halve_marginal", "9 attacks in 100", ahead(1) - ahead(2)),
        ("actions_per_round", "70 %", 1 - (1 - ahead(1)) ** 2),
        ("actions_per_round", "83 %", 1 - (1 - ahead(1)) ** 3),
        ("tiebreaker", "28 in 100", ahead(-1) - ahead(2)),
        ("initiative_cost", "21 times", ahead(1, -3)),
        ("initiative_cost", "7 times", ahead(0, -3) - ahead(1, -3)),
        ("collab_max_helpers", "64 times", 1 - Fraction(6, 10) ** 2),
        ("collab_max_helpers", "78 times", 1 - Fraction(6, 10) ** 3),
    ],
)
def test_an_effect_names_the_true_number(key: str, said: str, true: Fraction) -> None:
    assert said in EFFECTS[key]
    assert int(said.split(maxsplit=1)[0]) == round(true * 100)


def test_every_switch_says_what_it_does() -> None:
    assert not [key for key, effect in EFFECTS.items() if not effect]
