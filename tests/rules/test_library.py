"""The library: games by name with options, rolls, odds, samples and loaded dice."""

from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import BadInput, Distribution, LeftoverFaces, MissingFaces
from kitchentable.rules import BadAnswers, OptionsExclude, RuleRefuses, UnknownGame
from kitchentable.rules.library import read_options


@pytest.fixture(scope="module")
def toast():
    return kt.game("toast")


def test_a_task_thrown_with_real_dice(toast):
    thrown = toast.roll("task", trait=3, perk=True, difficulty=11, faces=[5])
    assert thrown.outcome.succeeds
    assert (thrown.outcome.grade, thrown.outcome.total) == ("success", 11)
    assert str(thrown.outcome) == "success with 11"
    assert [throw.physical for throw in thrown.trace.throws] == [5]
    assert not toast.roll("task", trait=3, perk=True, difficulty=11, faces=[4]).outcome.succeeds
    assert toast.roll("task", trait=0, difficulty=99, faces=["kick"]).outcome.succeeds


def test_left_over_and_missing_faces_are_refused(toast):
    with pytest.raises(LeftoverFaces):
        toast.roll("task", trait=3, faces=[5, 5])
    with pytest.raises(MissingFaces):
        toast.roll("contest", trait=3, other_trait=3, faces=[5])


def test_odds_are_exact_and_answer_questions(toast):
    odds = toast.odds("task", trait=3, perk=True, difficulty=11)
    assert isinstance(odds, Distribution)
    assert odds.chance(lambda task: task.succeeds) == Fraction(7, 12)
    assert sum(odds.values()) == 1
    assert odds["success"] == Fraction(1, 2)
    assert odds[odds.keys()[0]] == Fraction(1, 12)
    assert [line.split()[0] for line in str(odds).splitlines()] == [
        "flub",
        "failure",
        "success",
        "kick",
    ]
    with pytest.raises(KeyError, match="Did you mean success"):
        odds["sucess"]
    levels = toast.odds("advance_each_use", level=4, uses=3)
    assert levels.at_least(5) == Fraction(1603, 1728)
    assert levels.quantile(Fraction(1, 10)) == 5
    assert levels.mean() == sum(level * chance for level, chance in levels.items())


def test_thrown_outcomes_are_possible_in_the_odds(toast):
    odds = toast.odds("contest", trait=4, other_trait=6)
    for _ in range(50):
        assert toast.roll("contest", trait=4, other_trait=6).outcome in odds
    tally = toast.sample("contest", trait=4, other_trait=6, n=3000)
    assert tally.n == 3000


def test_the_tables_options_count():
    hard = kt.game("toast", medium=20)
    assert hard.odds("task", trait=3).chance(lambda task: task.succeeds) == Fraction(1, 12)
    with pytest.raises(TypeError):
        hard.options["medium"] = 3


@pytest.mark.parametrize(
    ("ask", "error", "code", "sentence"),
    [
        (lambda: kt.game("toats"), UnknownGame, "game/unknown", "Did you mean toast?"),
        (lambda: kt.game("toast", medum=3), BadAnswers, "form/problems", "no option 'medum'"),
        (lambda: kt.game("toast", medium="x"), BadAnswers, "form/problems", "whole number"),
        (
            lambda: kt.game("toaster", wcac_same_die=True, wcac_double_roll="yes"),
            OptionsExclude,
            "options/exclude",
            "exclude each other: only one of them can be on.",
        ),
        (lambda: kt.game("toste"), UnknownGame, "game/unknown", "Did you mean toast or toaster?"),
        (lambda: kt.game("toast", medum=3), BadAnswers, "form/problems", "Did you mean medium?"),
        (lambda: kt.game("toast", medium="x"), BadAnswers, "form/problems", "medium=: "),
        (
            lambda: kt.game("toaster", wcac_same_die=True, wcac_double_roll="yes"),
            OptionsExclude,
            "options/exclude",
            "wcac_same_die= and wcac_double_roll=: ",
        ),
        (lambda: kt.game("toast").roll("tsk"), RuleRefuses, "roll/unknown", "It has: advance"),
        (lambda: kt.game("toast").roll("tsk"), RuleRefuses, "roll/unknown", "mean task?"),
        (
            lambda: kt.game("toast").odds("task", trat=1),
            RuleRefuses,
            "roll/argument",
            "Did you mean trait?",
        ),
        (
            lambda: kt.game("toast").roll("task", trait=3, faces=5),
            BadInput,
            "dice/wrong-faces",
            "faces=[5]",
        ),
        (
            lambda: kt.game("toaster").odds(
                "attack", attack=8, defence=5, wc=12, ac=3, gate=4, ranged=True
            ),
            RuleRefuses,
            "roll/argument",
            "gate= does not go with ranged=True",
        ),
        (
            lambda: kt.game("toaster").odds("mortality", physique=6, wounds=1),
            RuleRefuses,
            "roll/argument",
            "wounds must be a whole number from 5 to 99, not 1",
        ),
        (lambda: kt.game("toast").odds("task"), RuleRefuses, "roll/argument", "needs trait"),
        (
            lambda: kt.game("toast").odds("task", trait=1, luck=2),
            RuleRefuses,
            "roll/argument",
            "does not take luck",
        ),
        (
            lambda: kt.game("lucky_stars").odds("d100", luck=2),
            RuleRefuses,
            "roll/argument",
            "does not take luck. It takes nothing.",
        ),
        (lambda: kt.roll("4d6k3"), BadInput, "notation/dialect", "4d6kh3"),
    ],
)
def test_a_bad_request_gets_a_sentence(ask, error, code, sentence):
    with pytest.raises(error) as caught:
        ask()
    assert caught.value.code == code
    assert sentence in str(caught.value)


def test_options_are_read_with_their_problems(toast):
    values, problems = read_options(toast.game.options, {"medium": "12", "nonsense": 1})
    assert values["medium"] == 12
    assert values["hard"] == toast.game.defaults()["hard"]
    assert [problem.where for problem in problems] == ["nonsense"]


def test_notation_at_the_door():
    assert kt.roll("2d6!+3", faces=[6, 1, 2]).outcome == 12
    assert kt.odds("2d6!").mean() == Fraction(42, 5)
    assert kt.odds("2d6!").at_least(12) == Fraction(23, 108)
    assert kt.odds("2d6!").more_than(15) == Fraction(11, 144)


def test_a_bad_choice_is_refused_with_the_possible_ones():
    choice = next(one for one in kt.game("toaster").game.options if one.field.choices)
    with pytest.raises(BadAnswers) as caught:
        kt.game("toaster", **{choice.key: "nonsense"})
    assert all(repr(one.value) in str(caught.value) for one in choice.field.choices)


@pytest.mark.parametrize("name", kt.games())
def test_everything_at_the_door_shows_itself_in_a_line(name):
    playable = kt.game(name)
    game = playable.game
    shown = [
        playable,
        game,
        game.rulebook,
        game.example(),
        *game.options,
        *game.moves,
        *game.rolls.values(),
        *game.fights.values(),
    ]
    assert not [one for one in shown if len(repr(one)) > 700 or "\n" in repr(one)]
    assert repr(playable).startswith(f"<{name}; rolls: ")


def test_a_tables_own_options_and_a_rolls_dice_are_shown(toast):
    assert repr(kt.game("toast", medium=12)).startswith("<toast with medium=12; rolls: advance, ")
    thrown = kt.roll("4d6kh3", faces=[1, 6, 5, 5])
    assert repr(thrown) == "<Roll 16: d6 1 dropped, d6 6, d6 5, d6 5>"
    assert repr(kt.roll("40d6")).endswith("and 28 more>")
    assert repr(kt.sample("1d4", n=2000)) == "<Tally of 2000 throws: 4 outcomes: 1 to 4>"
    duel = kt.fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    assert repr(duel).startswith("<Forecast: ours 50.00 %, theirs 50.00 %; ")
