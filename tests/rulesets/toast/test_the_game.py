"""Toast as a whole: library, example and texts."""

import doctest
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rules.conformance import example_table
from kitchentable.rules.library import game as playable
from kitchentable.rulesets.toast import game
from kitchentable.rulesets.toast.mechanics import FLUB, Advance, Initiative, Task

FOLDER = files("kitchentable.rulesets.toast")


@pytest.fixture
def toast():
    return playable("toast")


def test_a_program_rolls_and_solves(toast):
    task = {"trait": 3, "perk": True, "difficulty": 11}
    assert toast.roll("task", faces=[5], **task).outcome == Task("success", 11)
    assert toast.odds("task", **task).chance(lambda one: one.succeeds) == Fraction(7, 12)
    assert toast.odds("task", trait=3).chance(lambda one: one.succeeds) == Fraction(1, 3)
    assert sum(times for _, times in toast.sample("task", trait=3, n=100).items()) == 100


def test_the_tables_numbers_are_the_programs_too():
    hard = playable("toast", medium=12, hard=20)
    assert hard.roll("task", trait=3, faces=[8]).outcome == Task("failure", 11)
    assert hard.roll("task", trait=10, difficulty="Hard", faces=[10]).outcome.succeeds


def test_the_other_rolls(toast):
    assert toast.roll("contest", trait=5, other_trait=4, faces=[4, 4]).outcome.winner == "first"
    assert toast.roll("attack", trait=4, defense=4, faces=[7, 7]).outcome.hit is False
    assert toast.roll("initiative", trait=4, faces=[12]).outcome == Initiative(16, "kick")
    assert toast.roll("advance", level=4, faces=["flub"]).outcome == Advance(False, FLUB)
    levels = toast.odds("advance_each_use", level=4, uses=3)
    assert levels.chance(lambda level: level > 4) == Fraction(1603, 1728)


@pytest.mark.parametrize(
    "named",
    [
        {"trait": -1},
        {"trait": "Aim"},
        {"trait": 3, "difficulty": "heroic"},
        {"trait": 3, "perk": 2},
        {"trait": 3, "luck": 1},
        {},
    ],
)
def test_bad_numbers_get_a_sentence(toast, named):
    with pytest.raises(RuleRefuses) as refused:
        toast.roll("task", **named)
    assert refused.value.code == "roll/argument"


def test_a_perk_on_initiative_is_refused_unless_the_table_allows_it(toast):
    with pytest.raises(RuleRefuses):
        toast.roll("initiative", trait=3, perk=True)
    allowed = playable("toast", initiative_perk=True)
    assert allowed.roll("initiative", trait=3, perk=True, faces=[7]).outcome.number == 13
    with pytest.raises(BadAnswers):
        playable("toast", wounds_pc=0)


def test_the_example_is_legal_and_ready():
    table = example_table(game)
    heroes = [one for one in table.in_play() if one.is_players]
    assert [one.name for one in heroes] == ["Mara Vell", "Old Tam", "Brother Ivo"]
    assert {one.owner for one in heroes} == set(game.example().players)
    for one in heroes:
        assert game.sheet.check(table, one, "creation") == ()
        assert sum(one.sheet["traits"].values()) == 52
        assert {said["verdict"] for said in one.state["perks"].values()} == {"accepted"}
    assert [one.kind for one in table.in_play() if not one.is_players] == [
        *("lieutenant", "minion", "minion")
    ]


def test_every_rule_that_is_cited_is_in_the_book():
    cited = {rule for move in game.moves for rule in move.rules}
    assert cited <= set(game.rulebook.rules)
    assert {option.field.rule for option in game.options} <= set(game.rulebook.rules)


def test_every_option_of_the_book_is_there():
    named = {rule.option for rule in game.rulebook.rules.values() if rule.option}
    assert named == {option.key for option in game.options}


def test_the_examples_of_the_readme_run():
    text = (FOLDER / "README.md").read_text("utf-8")
    found = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(found)
    assert results.attempted > 0
    assert results.failed == 0
