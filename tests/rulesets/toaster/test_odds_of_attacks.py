"""The odds of an attack by each of its properties, beside all its dice one by one.

Known fractions are in `test_attack_numbers.py`.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import kitchentable as kt
from kitchentable.dice import SeededSource, odds, replay, roll, told
from kitchentable.dice.errors import NoSuchPart
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics.attack import Attack, attack
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Tables, Ways
from kitchentable.rulesets.toaster.mechanics.stars import NO_LIMIT, Extended
from kitchentable.rulesets.toaster.mechanics.tables import read_criticals, read_locations
from kitchentable.rulesets.toaster.mechanics.to_hit import BOOK, Attacker, Defender, Rules
from tests.dice.enumerating import enumerate_faces

rule = pytest.mark.rule

CRITICALS = read_criticals(TABLES["criticals"])
LOCATIONS = read_locations(TABLES["locations"])
#: A table of three rows, so that every throw on it can be tried.
FEW = read_criticals(
    [
        {"d10": "0-4", "d6": "1-6", "letter": "C", "name": "Past it", "protection": "physique"},
        {"d10": "5-8", "d6": "1-6", "letter": "D", "name": "Harder", "extra": 5},
        {"d10": "9", "d6": "1-6", "letter": "C", "name": "Past all", "protection": "zero"},
    ]
)
NUMBERS = ("attack", "defense", "margin", "damage", "protection", "net", "taken", "stun")
WORDS = ("hit", "verdict", "band", "word", "wounds", "location", "critical")
EXT = Extended(zeros=True)
ONE_NINE = Extended(nines=1)
BANDS = Rules(EXT, bands=True)
CALLED = Classes(7, 4, bare=2, threshold=4, damage_called=True, protection_called=True)
PARTIAL = replace(CALLED, places=(("Torso", 5), ("Head/Neck", 1)), damage_called=False)

CASES = {
    "the plain book": (Attacker(6, 6), Defender(6), Classes(8, 5)),
    "nobody defends": (Attacker(4, 10, reaches=True), Defender(rolls=False), Classes(9, 2)),
    "zeros and variable outcomes": (Attacker(7, 6), Defender(5), Classes(9, 3), BANDS),
    "a bonus for criticals, and a fist": (
        *(Attacker(9, 5), Defender(4), Classes(4, 3, bonus=3, unarmed=True, piercing=-2)),
        Rules(bands=True, wide=True),
    ),
    "the same dice and the margin": (
        *(Attacker(7, 6), Defender(5), Classes(8, 4), BANDS),
        Ways(same_die=True, add_margin=True),
    ),
    "the same die against no defense": (
        *(Attacker(7, 6), Defender(rolls=False), Classes(8, 4), BOOK, Ways(same_die=True)),
    ),
    "damage rolled twice, halved": (
        *(Attacker(7, 6), Defender(6, called=True), replace(PARTIAL, places=()), BANDS),
        Ways(double_roll=True, halve_marginal=True),
    ),
    "one nine more": (
        *(Attacker(5, 6), Defender(6, called=True), Classes(8, 5), Rules(ONE_NINE)),
        Ways(ONE_NINE, ONE_NINE),
    ),
    "criticals and fumbled defenses": (
        *(Attacker(9, 6), Defender(4), CALLED, BANDS),
        Ways(critical=True, fumbled=True, tables=Tables(FEW)),
    ),
    "places": (
        *(Attacker(6, 6, called=True), Defender(6), PARTIAL, BOOK),
        Ways(tables=Tables((), LOCATIONS)),
    ),
}


@pytest.mark.slow
@rule("toaster.4.attack-five-steps", "toaster.4.opt-wcac-integrate", "toaster.4.apply-damage")
@pytest.mark.parametrize("name", CASES)
def test_each_property_has_the_odds_that_all_the_dice_say(name):
    found, left = enumerate_faces(attack, *CASES[name])
    assert left == 0
    for part in (*NUMBERS, *WORDS):
        counted: Counter = Counter()
        for outcome, chance in found.items():
            counted[getattr(outcome, part)] += chance
        assert dict(odds(told(attack, part), *CASES[name]).items()) == counted, part


@rule("toaster.4.opt-wcac-integrate", "toaster.4.wounds-per-attack", "toaster.4.stun-accumulate")
def test_the_properties_of_one_throw_agree_under_every_mixture_of_options():
    source, choose = SeededSource(7), Random(7)

    def pick(*values):
        return choose.choice(values)

    def coin() -> bool:
        return choose.random() < 0.5

    places = tuple((one, 2 + n) for n, one in enumerate(("Head/Neck", "Torso", "Left Arm")))
    for _ in range(400):
        ext, damage = Extended(pick(0, 1, NO_LIMIT), coin()), Extended(pick(0, 1, NO_LIMIT))
        arguments = (
            Attacker(pick(3, 7, 12), pick(2, 5, 8), coin(), pick(False, False, True)),
            Defender(pick(0, 4, 9), pick(True, True, False), pick(False, False, True)),
            Classes(pick(2, 8, 15), 5, 2, pick((), places), "", pick(0, -3), 2, pick(4, 5), coin()),
            Rules(ext, coin(), coin()),
            Ways(
                damage,
                damage,
                *(coin() for _ in range(6)),
                tables=Tables(CRITICALS, pick((), LOCATIONS)),
                coin=coin(),
            ),
        )
        thrown = roll(attack, *arguments, source=source)
        for part in (*NUMBERS, *WORDS):
            again = replay(told(attack, part), *arguments, trace=thrown.trace)
            assert again.outcome == getattr(thrown.outcome, part)
        one, classes = thrown.outcome, arguments[2]
        if not one.hit:
            assert (one.word, one.taken, one.wounds, one.damage) == (one.verdict, 0, 0, None)
            continue
        assert one.net == max(0, one.damage - one.protection)
        per_wound = one.net // (2 if one.taken < one.net else 1) // classes.threshold
        assert one.wounds == max(0, per_wound - classes.unarmed)
        assert one.word == (str(min(5, one.wounds) or "stun") if one.taken else "nothing")


# ---------------------------------------------------------------- at the library's door


def test_an_attack_by_name_tells_all_of_it():
    toaster = kt.game("toaster", variable_outcomes=True, wcac_critical_table=True)
    named = {"attack": 9, "defence": 5, "wc": 6, "ac": 4}
    one = toaster.roll("attack", **named, faces=[5, 3, 7, 4, 5, 1]).outcome
    assert isinstance(one, Attack)
    assert (one.attack, one.defense, one.margin, one.band) == (14, 8, 6, "critical")
    assert (one.damage, one.protection, one.stun, one.wounds, one.word) == (16, 5, 11, 2, "2")
    assert one.critical.letters == "D"
    assert str(one) == (
        "hit, 14 to 8; damage 16, protection 5: 11 stun, 2 wounds; "
        "A much harder blow: 5 more damage"
    )
    assert str(toaster.roll("attack", **named, faces=[2, 9]).outcome) == "miss, 11 to 14"


def test_the_odds_of_an_attack_by_name_can_be_asked_by_each_property():
    toaster = kt.game("toaster")
    named = {"attack": 6, "defence": 6, "wc": 8, "ac": 8}
    assert toaster.odds("attack", **named)["1"] == Fraction(9, 20) * Fraction(3, 20)
    assert toaster.odds("attack", "hit", **named)[True] == Fraction(9, 20)
    assert toaster.odds("attack", "wounds", **named)[1] == Fraction(9, 20) * Fraction(3, 20)
    assert toaster.odds("attack", "stun", **named).mean() == Fraction(9, 20) * Fraction(33, 20)
    assert toaster.odds("attack", "margin", **named)[1] == Fraction(9, 100)
    assert toaster.odds("clash", "verdict", attack=6, defence=6)["hit"] == Fraction(9, 20)
    assert set(toaster.sample("attack", "hit", n=300, **named)) == {False, True}
    with pytest.raises(NoSuchPart, match=r"has no part 'wound'\. Did you mean wounds"):
        toaster.odds("attack", "wound", **named)
