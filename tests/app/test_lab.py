"""Settings of the odds lab: a line of words for each, its numbers, its chances."""

from fractions import Fraction
from pathlib import Path

import pytest

from kitchentable.app.lab import Setting, first_setting, labels_of, question, read_setting
from kitchentable.app.parcels import pack
from kitchentable.dice.arguments import BadWords
from kitchentable.rules import registry
from kitchentable.rules.errors import BadAnswers, RuleRefuses
from kitchentable.rules.folders import read_folder

#: The only roll whose arguments another process cannot read.
NOT_SENT = {("lanterns", "struggle_to_the_end")}


def solved(words):
    function, arguments = question(read_setting(words, registry.load), "house")
    return function(*arguments)


@pytest.mark.slow
def test_every_roll_and_fight_has_a_first_setting_that_is_solved_and_can_be_written_down():
    for name in registry.names():
        game = registry.load(name)
        for roll in (*game.rolls, *game.fights):
            first = first_setting(game, roll)
            again = read_setting(first.words, registry.load)
            assert again.words == first.words
            function, arguments = question(again, "house")
            assert sum(function(*arguments).rows.values()) <= 1
            if (name, roll) not in NOT_SENT:
                pack((function, arguments))


def test_chances_of_a_roll_its_options_and_a_fight():
    assert solved("toast task trait=3 difficulty=11").rows["success"] == Fraction(1, 4)
    assert solved("toast task trait=3 --set medium=12").rows["success"] == Fraction(1, 6)
    assert solved("toast melee ours=4/4/4/1 theirs=4/4/4/1").rows == {
        "ours win": Fraction(1, 2),
        "theirs win": Fraction(1, 2),
    }
    two = solved("2d6")
    assert (two.rows[7], two.ladder[11]) == (Fraction(1, 6), Fraction(1, 12))
    assert solved("(2d6)>=9").ladder == {}
    infinite = solved("2d6!")
    assert infinite.ladder[12] == Fraction(23, 108)


def test_numbers_and_options_are_changed_by_name_and_strange_names_do_not_count():
    one = read_setting("toast task trait=3 'difficulty=hard' --set medium=12", registry.load)
    assert [(dial.name, dial.kind, dial.value, dial.high) for dial in one.dials] == [
        ("trait", "number", "3", 18),
        ("perk", "tick", "no", 0),
        ("difficulty", "number", "hard", 22),
    ]
    other = one.changed({"trait": "5", "nonsense": "1"}, {"medium": "", "nonsense": "1"})
    assert other.words == "toast task trait=5 difficulty=hard"
    assert [field.name for field in one.rules] == ["medium"]
    assert labels_of([one, other, other]) == [
        "trait 3, medium 12",
        "trait 5",
        "trait 5 (2)",
    ]
    assert labels_of([one]) == ["Toast, task, trait 3, difficulty hard, medium 12"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("", BadWords),
        ("x" * 401, BadWords),
        ("toast nothing", BadWords),
        ("toast task trait='3", BadWords),
        ("toast task trait", BadWords),
        ("toast task nonsense=3", BadWords),
        ("toast task trait=3 --set", BadWords),
        ("toast task trait=3 --set medium", BadWords),
        ("toast task trait=3 --set medium=lots", BadAnswers),
        ("toast task trait=lots", RuleRefuses),
        ("toast task", RuleRefuses),
        ("toast melee ours=4/4/4/2", RuleRefuses),
        ("toast melee ours=5 theirs=4", RuleRefuses),
    ],
)
def test_words_that_make_no_sense_get_a_sentence(words, error):
    with pytest.raises(error):
        solved(words)


def test_dice_with_blanks_are_no_game():
    assert solved("d20 + 3").rows[23] == Fraction(1, 20)
    assert solved("(1d4 + 1d6) * 2").rows[20] == Fraction(1, 24)


def test_no_path_is_read_as_a_game():
    assert read_setting("./toast task", registry.load) == Setting("./toast task")


def test_questions_of_a_game_in_a_file_have_their_own_words_and_need_no_example():
    roofs = read_folder(Path("examples/position"))
    one = first_setting(roofs, "act")
    assert {dial.label: (dial.kind, dial.value) for dial in one.dials} == {
        "Trait": ("number", "0"),
        "Position": ("text", "risky"),
        "Effect": ("text", "standard"),
        "Push yourself": ("tick", "no"),
        "Somebody assists": ("tick", "no"),
    }
    desperate = one.changed({"position": "desperate", "push": "yes"}, {})
    assert desperate.words == "glasshouse act trait=0 position=desperate push=yes"
    assert "Position desperate" in desperate.parts
    function, arguments = question(desperate, "house")
    assert sum(function(*arguments).rows.values()) == 1
