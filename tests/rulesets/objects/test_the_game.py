"""Objects as a whole: library, example, texts, and the contract of a game."""

import doctest
import importlib
import pkgutil
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rules.conformance import example_table
from kitchentable.rules.library import game as playable
from kitchentable.rulesets import objects as package
from kitchentable.rulesets.objects import game
from kitchentable.rulesets.objects.mechanics import Attempt

FOLDER = files("kitchentable.rulesets.objects")
MODULES = [one.name for one in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")]


def test_a_program_rolls_and_solves():
    objects = playable("objects")
    assert objects.roll("test", talent=4, faces=[3, 5]).outcome == Attempt(
        "marginal", 4, 3, 5, 6, 0
    )
    assert objects.odds("test", talent=4).chance(lambda one: one.succeeds) == Fraction(511, 648)
    again = objects.roll("reroll", talent=4, own=4, conflict=3, karma=1, faces=[5])
    assert again.outcome.grade == "total"
    assert sum(times for _, times in objects.sample("test", talent=3, n=100).items()) == 100


@pytest.mark.parametrize(
    "named",
    [{"talent": 7}, {"talent": -1}, {"talent": "Agile"}, {"talent": True}, {"luck": 1}, {}],
)
def test_bad_numbers_get_a_sentence(named):
    with pytest.raises(RuleRefuses) as refused:
        playable("objects").roll("test", **named)
    assert refused.value.code == "roll/argument"


def test_options_are_checked():
    with pytest.raises(BadAnswers):
        playable("objects", many_sixes=0)
    assert playable("objects", karma_cap=None).options["karma_cap"] is None


def test_the_words_about_odds_in_the_options_are_right():
    objects = playable("objects")
    told = " ".join(option.effect for option in game.options)
    for named, chance in (
        ({"talent": 3}, Fraction(391, 648)),
        ({"talent": 3, "modifier": 2}, Fraction(253, 648)),
    ):
        assert objects.odds("test", **named).chance(lambda one: one.succeeds) == chance
        assert str(chance) in told
    first = {"talent": 3, "own": 3, "conflict": 1}
    for karma, chance in ((0, Fraction(1, 6)), (1, Fraction(1, 3))):
        total = objects.odds("reroll", karma=karma, **first).chance(lambda o: o.grade == "total")
        assert total == chance
        assert str(chance) in told


def test_the_example_is_legal_and_nested():
    table = example_table(game)
    assert {one.kind for one in table.in_play()} == {"person", "vehicle", "idea", "group", "place"}
    for one in table.in_play():
        assert [p for p in game.sheet.check(table, one, "creation") if p.refuses] == []
    down = game.sheet.summary(table, table.entities["heron"]).numbers
    assert {number.leads_to for number in down} == {"", "mara", "crew"}
    up = game.sheet.summary(table, table.entities["mara"]).tags
    assert [tag.leads_to for tag in up if tag.leads_to] == ["heron"]
    assert game.sheet.summary(table, table.entities["heron"]).status == "Bruised (5)"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_code_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_credits_name_the_author_and_the_terms():
    assert game.credits.author == "JurviZ"
    assert "2004" in game.credits.source
    assert "do not alter or sell" in game.credits.licence
    assert "own words" in game.credits.notice
