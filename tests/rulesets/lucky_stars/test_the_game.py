"""These Lucky Stars as a whole: library, example and texts."""

import re
from fractions import Fraction
from importlib.resources import files

import pytest

from kitchentable.rules import BadAnswers, RuleRefuses
from kitchentable.rules.conformance import example_table
from kitchentable.rules.library import game as playable
from kitchentable.rulesets.lucky_stars import game
from kitchentable.rulesets.lucky_stars.advantage import Level, chance
from kitchentable.rulesets.lucky_stars.mechanics import Check, Party

FOLDER = files("kitchentable.rulesets.lucky_stars")


@pytest.fixture
def stars():
    return playable("lucky_stars")


def test_a_program_rolls_and_solves(stars):
    assert stars.roll("decision", stat=2, modifier=-1, faces=[4, 3]).outcome == 8
    assert stars.roll("decision", modifier="1/2", extra="luck", faces=[6, 2, 3]).outcome == 11
    assert stars.roll("task", target=12, faces=[6, 5, 1]).outcome == Check("success", 12)
    assert stars.odds("task", target=12)["success"] == Fraction(23, 108)
    assert stars.roll("contest", stat=1, faces=[5, 4, 6, 2, 1]).outcome.winner == "first"
    assert stars.roll("supply", die=4, faces=[3]).outcome == 0
    assert stars.odds("supply_uses", die=8).mean() == 6
    assert stars.roll("d100", faces=[100]).outcome == 100
    assert stars.roll("dice", count=2, plus=1, faces=[6, 6]).outcome == 13


@pytest.mark.parametrize("advantage", [1, "minor-advantage", "Minor Advantage", "minor_advantage"])
def test_a_level_has_a_number_and_a_name(stars, advantage):
    assert stars.roll("decision", advantage=advantage, faces=[2, 3]).outcome == 8


def test_the_shared_scale_of_a_contest_has_two_ends(stars):
    assert stars.roll("contest", advantage=-2, faces=[5, 4, 4, 4, 2]).outcome.winner == "second"
    assert stars.roll("contest", advantage=2, faces=[5, 4, 1, 4, 2]).outcome.winner == "first"


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("task", {}),
        ("task", {"target": "hard"}),
        ("task", {"target": 12, "stat": "strong"}),
        ("task", {"target": 12, "modifier": "1/0"}),
        ("decision", {"advantage": 3}),
        ("decision", {"advantage": "huge"}),
        ("decision", {"extra": "Fate"}),
        ("decision", {"stat": True}),
        ("supply", {"die": 20}),
        ("supply_uses", {"die": 0}),
        ("dice", {"count": 0}),
    ],
)
def test_bad_numbers_get_a_sentence(stars, name, named):
    with pytest.raises(RuleRefuses) as refused:
        stars.roll(name, **named)
    assert refused.value.code == "roll/argument"


def test_the_tables_dice_are_the_programs_too():
    blessed = playable("lucky_stars", extra_dice=[{"name": "Bless", "count": 1, "sides": 4}])
    assert blessed.roll("decision", extra="Bless", faces=[4, 1, 1]).outcome == 6
    with pytest.raises(BadAnswers):
        playable("lucky_stars", impossible_from=0)


def test_the_example_is_legal_and_ready():
    table = example_table(game)
    heroes = [one for one in table.in_play() if one.is_players]
    assert {one.owner for one in heroes} == set(game.example().players)
    for one in table.in_play():
        assert game.sheet.check(table, one, "creation") == ()
    assert [one.kind for one in table.in_play()] == ["pc", "pc", "pc", "npc", "stock"]


def test_every_rule_that_is_cited_is_in_the_book():
    code = "".join(
        one.read_text("utf-8") for one in FOLDER.iterdir() if one.name.endswith((".py", ".toml"))
    )
    cited = set(re.findall(r"\bstars\.\d[a-z0-9.-]*[a-z0-9]", code))
    whole = {one for one in cited if not one.endswith("2.3")}
    assert whole <= set(game.rulebook.rules)


def test_the_book_has_every_row_of_its_ledger_and_names_every_option():
    rows = dict(line.split() for line in (FOLDER / "ledger.txt").read_text("utf-8").splitlines())
    assert rows == {rule.id: rule.kind for rule in game.rulebook.rules.values()}
    assert len(rows) == 89
    named = {rule.option for rule in game.rulebook.rules.values() if rule.option}
    assert named == {option.key for option in game.options}


def test_whose_game_it_is_stands_in_the_credits():
    assert game.credits.author == "Sword in Board Workshop"
    assert "NonCommercial-ShareAlike 4.0" in game.credits.licence
    assert "trademark" in game.credits.notice


def test_the_table_of_odds_in_the_readme_is_exact():
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| (.+) \|$", text, flags=re.MULTILINE)
    assert len(rows) == 5
    for needed, shares in rows:
        exact = [str(chance(Party(), Level(steps), int(needed))) for steps in (-1, 0, 1, 2)]
        assert shares.split(" | ") == exact
