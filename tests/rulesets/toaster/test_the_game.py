"""Toaster as a whole: library and texts."""

import doctest
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rules.library import game as playable
from kitchentable.rulesets.toaster import game
from tests.rulesets.toaster.people import table

FOLDER = files("kitchentable.rulesets.toaster")


def test_a_program_rolls_and_solves():
    plain = playable("toaster")
    assert plain.roll("task", rank=6, faces=[3]).outcome.succeeds is False
    assert plain.odds("task", rank=5).chance(lambda one: one.succeeds) == Fraction(1, 2)
    equals = plain.odds("opposed", rank=4, other_rank=4)
    shares = {word: equals.chance(lambda one, w=word: one.standing == w) for word in ("tie", "won")}
    assert shares == {"tie": Fraction(1, 10), "won": Fraction(9, 10)}
    wounds = plain.odds("attack", attack=6, defence=6, wc=4, ac=4)
    hit = 1 - wounds.chance(lambda word: word == "miss")
    assert hit == Fraction(9, 20)
    wound = wounds.chance(lambda word: word[0].isdigit())
    assert wound / hit == Fraction(3, 20)


def test_a_tables_settings_are_the_programs_too():
    on = playable("toaster", combat_marginal_band="minus-one-to-plus-one", variable_outcomes=True)
    hit = 1 - on.odds("attack", attack=6, defence=6, wc=4, ac=4).chance(
        lambda word: word in {"miss", "fumble"}
    )
    assert hit == Fraction(31, 50)
    with pytest.raises(BadAnswers):
        playable("toaster", size_odd="sideways")
    with pytest.raises(RuleRefuses):
        playable("toaster").roll("task", rank="six")


def test_every_rule_that_is_cited_is_in_the_book():
    cited = {rule for move in game.moves for rule in move.rules}
    cited |= {option.field.rule for option in game.options}
    cited |= {kind.rule for kind in game.sheet.kinds(table()) if kind.rule}
    assert cited <= set(game.rulebook.rules)
    names = [move.name for move in game.moves]
    assert len(set(names)) == len(names)


def test_the_examples_of_the_readme_run():
    text = (FOLDER / "README.md").read_text("utf-8")
    found = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(found)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_readme_names_only_options_that_are_there():
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = [
        line.split("|")[-2 if "(A-" in line else 2] for line in text.splitlines() if "| `" in line
    ]
    named = {word.strip(" `") for row in rows for word in row.split(",")}
    assert len(named) > 30
    assert named <= {option.key for option in game.options}
