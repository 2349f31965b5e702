"""Sums of modifiers: wordings, halves, and rounding at the end."""

from fractions import Fraction

import pytest

from kitchentable.dice import load
from kitchentable.rulesets.lucky_stars.mechanics import decision
from kitchentable.rulesets.lucky_stars.sums import (
    BadFormula,
    Effect,
    added,
    parts,
    read_effect,
    read_formula,
    worth,
)

rule = pytest.mark.rule
HALF = Fraction(1, 2)


def effect(value, wording="modifier", name="it"):
    return Effect(name, Fraction(value), wording)


def with_will(will):
    return {"Will": will, "Level": 3}.get


@rule("stars.1-bonus-clamp")
@pytest.mark.parametrize(("will", "counts"), [(-2, 0), (2, 2)])
def test_a_bonus_is_never_below_nought(will, counts):
    assert read_effect({"value": "Will", "wording": "bonus"}, with_will(will)).counts == counts


@rule("stars.1-penalty-clamp")
@pytest.mark.parametrize(("value", "counts"), [("2", 0), ("-2", -2)])
def test_a_penalty_is_never_above_nought(value, counts):
    assert read_effect({"value": value, "wording": "penalty"}, with_will(0)).counts == counts


@rule("stars.1-modifier-both")
@pytest.mark.parametrize("will", [-2, 2])
def test_a_modifier_goes_both_ways(will):
    assert read_effect({"value": "Will"}, with_will(will)).counts == will


@rule("stars.1-clamp-each")
def test_the_wording_holds_each_effect_and_not_the_sum():
    assert added((effect(-2, "bonus"), effect(3, "bonus"))) == 3
    assert added((effect(2, "penalty"), effect(-3, "penalty"))) == -3


@rule("stars.1-clamp-each")
def test_the_wording_holds_what_is_not_yet_rounded():
    assert effect(-HALF, "bonus").counts == 0
    assert added((effect(HALF, "penalty"), effect(HALF))) == 0


@rule("stars.1-modifier")
def test_parts_are_told_by_name_and_sign():
    told = parts((effect(2, name="rope"), effect(-2, name="rain"), effect(-1, "bonus", "song")))
    assert [(part.name, part.value) for part in told] == [
        ("rope (bonus)", 2),
        ("rain (penalty)", -2),
        ("song (a bonus is never below 0)", 0),
    ]


@rule("stars.4.3-round-down")
@pytest.mark.parametrize(("value", "down"), [("5/2", 2), ("9/2", 4), ("-1/2", -1), ("3", 3)])
def test_down_is_down_below_nought_too(value, down):
    assert added((Effect("", Fraction(value)),)) == down


@rule("stars.4.3-round-end")
def test_nothing_is_rounded_in_between():
    assert added((Effect("", worth("1/2 Level + 1/2 Will", with_will(1))),)) == 2
    plus = added((effect(HALF), effect(HALF)))
    assert load(decision, 2, plus, faces=[3, 4]).outcome == 8
    assert added((effect(HALF), effect(-HALF / 2), effect(-HALF / 2))) == 0


@rule("stars.4.3-round-end")
def test_parts_add_up_to_what_is_added():
    effects = (effect(2), effect(HALF), effect(-Fraction(7, 4)), effect(-HALF, "bonus"))
    assert sum(part.value for part in parts(effects)) == added(effects) == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2", -2),
        ("+3", 3),
        ("\N{MINUS SIGN}1", -1),
        ("0.5", HALF),
        ("\N{VULGAR FRACTION ONE HALF} Level", Fraction(3, 2)),
        ("half Level + half Will", Fraction(5, 2)),
        ("Level - 2", 1),
        ("2 * Will", 4),
        ("-Will", -2),
    ],
)
def test_values_as_people_write_them(text, value):
    assert worth(text, with_will(2)) == value


@pytest.mark.parametrize("text", ["", "a lot!", "2 3", "1/0", "Luck", "+", "12345", "2 + + 2"])
def test_what_cannot_be_added_up_gets_a_sentence(text):
    with pytest.raises(BadFormula) as refused:
        worth(text, with_will(2))
    assert refused.value.code == "stars/bad-formula"
    assert str(refused.value).endswith(".")


def test_a_formula_says_what_it_is_made_of():
    assert [(term.factor, term.name) for term in read_formula("1/2 Fine motor + 1")] == [
        (HALF, "Fine motor"),
        (1, ""),
    ]
