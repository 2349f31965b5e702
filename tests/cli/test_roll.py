"""`roll` and `odds`: notation and games' rolls, for people and for programs."""

import errno
import io
import re
from fractions import Fraction
from pathlib import Path

import pytest

from kitchentable.rules import registry


def test_dice_fall_and_are_told_one_by_one(run):
    said = run("roll", "3d6", "--faces", "4,4,1")
    assert (said.code, said.out) == (
        0,
        "     d6     4\n     d6     4\n     d6     1\n3d6: 9\n",
    )


def test_words_need_no_quotation_marks(run):
    assert run("roll", "2d6", "+", "3", "--faces", "1 2").out.endswith("2d6 + 3: 6\n")


def test_dice_may_begin_with_a_minus(run):
    assert run("roll", "-1d6", "--faces", "4").out.endswith("\n-1d6: -4\n")
    assert run("roll", "10", "-2d6kh1", "--faces", "4,5").out.endswith("\n10 -2d6kh1: 5\n")
    assert run("roll", "-(1d6)", "--faces", "4").out.endswith("\n-(1d6): -4\n")
    assert run("roll", "--faces", "-1", "1dF").out.endswith("\n1dF: -1\n")
    assert run("odds", "-d6", "--at-least", "-2").out == "at least -2: 33.3333 % = 1/3\n"
    assert run("roll", "4dF", "--faces=-1,0,+1,1").out.endswith("\n4dF: 1\n")


@pytest.mark.parametrize("option", ["-x", "--dice", "-1d6x", "--1d6", "-"])
@pytest.mark.parametrize("command", ["roll", "odds"])
def test_what_is_neither_dice_nor_an_option_is_refused(run, command, option):
    said = run(command, "2d6", option)
    assert (said.code, said.out) == (2, "")
    assert said.err.strip()


def test_what_a_die_became_is_told(run):
    said = run("roll", "4d6kh3 [strength]", "--faces", "1,6,5,5")
    assert "1  (strength)  dropped: only the highest 3 count" in said.out
    assert said.out.endswith("4d6kh3 [strength]: 16\n")


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        (["floor(7/2)"], 3),
        (["-3d6/2", "--faces", "1,2,2"], -2),
        (["+d6/2", "--faces", "5"], 2),
        (["ceil(3d6/2)", "--faces", "1,2,2"], 3),
        (["/r 2d6", "--faces", "1,2"], 3),
        (["/roll", "2d6", "--faces", "1,2"], 3),
        (["!r", "2d6", "--faces", "1,2"], 3),
    ],
)
def test_a_slash_in_notation_is_no_folder(run, words, outcome):
    assert run("roll", *words, "--json").json["outcome"] == outcome


def test_all_that_is_added_stands_in_a_line(run):
    said = run("roll", "2d6!+3", "--faces", "6,1,2")
    assert said.out.endswith("\n  6 exploded, 1, 2 + 3\n2d6!+3: 12\n")
    said = run("roll", "--dialect", "rpg-dice-roller", "4d6!d1/2", "--faces", "6,1,2,2,3")
    assert said.out.endswith("\n  ( 6 exploded, 1 dropped, 2, 2, 3 ) ÷ 2\n4d6!d1/2: 6.5\n")
    said = run("roll", "1d6+3", "1d8*2", "--json").json
    assert [one["sum"] for one in said] == [[1, "+", "3"], [1, "×", "2"]]
    assert "sum" not in run("roll", "toast", "task", "trait=3", "--json").json


def test_a_hit_that_explodes_is_told_as_both(run):
    said = run("roll", "2d6! hits>=5", "--faces", "6,5,1")
    assert "     d6     6  hit: 6 explodes: another die is thrown\n     d6     5  hit\n" in said.out
    assert said.out.endswith("  6 hit, 5 hit, 1 → 2 hits\n2d6! hits>=5: 2\n")


def test_several_rolls_have_their_sums_in_brackets(run):
    said = run("roll", "-n", "2", "1d6+2").out.splitlines()
    assert len(said) == 2
    for line in said:
        total, face = re.fullmatch(r"1d6\+2: (\d)  \((\d) \+ 2\)", line).groups()
        assert int(total) == int(face) + 2


def test_a_roll_for_programs(run):
    data = run("roll", "2d6!+3", "--faces", "6,1,2", "--json").json
    assert (data["outcome"], data["typed"]) == (12, True)
    assert [die["physical"] for die in data["trace"]] == [6, 1, 2]


def test_dice_of_our_own_fall_within_bounds(run):
    data = run("roll", "2d6", "--json").json
    assert data["outcome"] == sum(die["face"] for die in data["trace"])
    assert not data["typed"]


def test_a_games_own_roll(run):
    said = run("roll", "toast", "task", "trait=3", "perk=yes", "difficulty=11", "--faces", "5")
    assert said.out.endswith("toast task trait=3 perk=yes difficulty=11: success with 11\n")
    assert run("roll", "toast", "task", "trait=3", "--faces", "kick").out.endswith(": kick\n")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["4d6k3"], "notation/dialect", "Write 4d6kh3"),
        (["2d6", "--faces", "7,1"], "dice/impossible-face", "from 1 to 6, not 7"),
        (["2d6", "--faces", "1"], "dice/missing-faces", ""),
        (["2d6", "--faces", "1,2,3"], "dice/leftover-faces", ""),
        (["toast"], "cli/words", "Which roll of toast? It has:\n  advance:"),
        (["toast", "tsk"], "cli/words", "toast has no roll 'tsk'. Did you mean task? It has:"),
        (["toast", "task", "trait"], "cli/words", "'trait' is not written as name=value"),
        (["toast", "task", "treat=3"], "roll/argument", "does not take treat"),
        (["toast", "task"], "roll/argument", "still needs trait"),
        (["toast", "task", "trait=a"], "roll/argument", "whole number"),
        (
            ["toast", "task", "trait=3", "--set", "medium"],
            "cli/words",
            "is not written as option=value",
        ),
        (["toast", "task", "trait=3", "--set", "soft=1"], "form/problems", "no option 'soft'"),
        (["2d6", "--set", "medium=12"], "cli/words", "Dice in notation have no options"),
        (["toast", "task", "trait=3", "faces=7"], "cli/words", "Write --faces 7 instead of"),
        (["toast", "task", "trait=3", "trait=4"], "cli/words", "trait is given twice"),
        (["toast", "task", "trait=3", "self=4"], "", "does not take self"),
        (["toast", "task", "trait=3", "name=4"], "", "does not take name"),
        (["9" * 9 + "d6"], "", ""),
    ],
)
def test_what_cannot_be_thrown_gets_a_sentence(run, words, code, sentence):
    said = run("roll", *words)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    error = run("roll", *words, "--json").error
    assert said.err.startswith(error["sentence"] + "\n")
    assert error["code"].startswith(code)


def test_a_games_roll_is_made_at_a_table_with_options(run):
    zeros = ("task", "rank=6", "--set", "rolling_zeros=yes")
    told = run("odds", "toaster", *zeros, "--set", "variable-outcomes=on", "--json").json
    assert told["of"] == "toaster task rank=6 --set rolling_zeros=yes --set variable-outcomes=on"
    assert {one["outcome"]: Fraction(one["chance"]) for one in told["odds"]} == {
        "fumble": Fraction(1, 25),
        "failure": Fraction(13, 50),
        "marginal": Fraction(3, 10),
        "success": Fraction(2, 5),
    }
    thrown = run("roll", "toaster", *zeros, "--faces", "0,9")
    assert thrown.out.endswith("failure with 6, then 15\n")


def test_options_that_exclude_each_other_are_refused(run):
    both = ("--set", "wcac_same_die=yes", "--set", "wcac_double_roll=yes", "--set")
    for command in ("roll", "odds"):
        said = run(command, "toaster", "task", "rank=6", *both, "variable_outcomes=yes", "--json")
        assert said.error["code"] == "options/exclude"
        assert "only one of them can be on" in said.error["sentence"]
        assert said.code == 2


def test_odds_have_bars(run):
    said = run("odds", "2d6")
    lines = said.out.splitlines()
    assert len(lines) == 12
    assert lines[5] == "7   16.67 %  " + "█" * 30
    assert lines[0] == "2    2.78 %  " + "█" * 5
    assert lines[-1] == "mean 7, deviation 2.415, median 7"
    assert run("odds", "2d6!").out.splitlines()[-1] == "mean 8.4 = 42/5, deviation 4.613, median 7"
    uses = run("odds", "lucky_stars", "supply_uses", "die=12", "--json").json
    assert (uses["mean"], uses["median"]) == ("40/3", "12")


def test_questions_about_odds_are_answered_exactly(run):
    assert run("odds", "2d6!", "--at-least", "12").out == "at least 12: 21.2963 % = 23/108\n"
    assert run("odds", "2d6!", "--at-most", "3").out == "at most 3: 8.33333 % = 1/12\n"
    between = run("odds", "3d6", "--at-least", "10", "--at-most", "12")
    assert between.out == "from 10 to 12: 36.5741 % = 79/216\n"
    assert (
        "No number is at least 12" in run("odds", "3d6", "--at-least", "12", "--at-most", "10").err
    )


def test_odds_for_programs_are_fractions_that_add_up(run):
    data = run("odds", "4d6kh3", "--json").json
    assert sum(Fraction(one["chance"]) for one in data["odds"]) == 1
    assert data["odds"][-1] == {"outcome": 18, "chance": "7/432"}
    asked = run("odds", "2d6!", "--at-least", "12", "--json").json
    assert asked["asked"] == {"at least 12": "23/108"}
    listed = sum(Fraction(one["chance"]) for one in asked["odds"])
    assert listed + Fraction(asked["unresolved"]) == 1
    assert Fraction(asked["unresolved"]) > 0


def test_a_target_is_reached_or_not(run):
    assert [line.split()[:2] for line in run("odds", "(2d6)>=9").out.splitlines()] == [
        ["not", "reached"],
        ["reached", "27.78"],
    ]
    assert run("roll", "(2d6)>=9", "--faces", "4,5").out.endswith(": reached\n")


def test_a_games_odds_are_summed_up_and_told_each(run):
    words = ["odds", "toast", "contest", "trait=4", "other_trait=6"]
    assert [line.split("  ")[0] for line in run(*words).out.splitlines()] == [
        "tie",
        "second wins",
        "first wins",
    ]
    each = run(*words, "--each").out.splitlines()
    assert len(each) == 144
    assert each[1].startswith("second wins, flub to 7")
    data = run(*words, "--json").json
    assert {one["outcome"]: one["chance"] for one in data["odds"]} == {
        "tie": "5/72",
        "second wins": "85/144",
        "first wins": "49/144",
    }


def test_the_odds_of_a_task(run):
    data = run("odds", "toast", "task", "trait=3", "perk=yes", "difficulty=11", "--json").json
    assert {one["outcome"]: Fraction(one["chance"]) for one in data["odds"]} == {
        "flub": Fraction(1, 12),
        "failure": Fraction(4, 12),
        "success": Fraction(6, 12),
        "kick": Fraction(1, 12),
    }


def test_very_many_numbers_are_told_in_ranges(run):
    lines = run("odds", "100d100").out.splitlines()
    assert lines[0].split()[:3] == ["4161", "to", "4178"]
    assert len(lines) == 101
    assert lines[-1].startswith("mean 5050")


def test_what_is_no_number_is_neither_more_nor_less(run):
    said = run("odds", "toast", "task", "trait=3", "--at-least", "3")
    assert said.code == 2
    assert "gives words, not a number" in said.err
    yes_or_no = run("odds", "(1d20+5)>=15", "--at-least", "3").err
    assert yes_or_no.startswith("(1d20+5)>=15 is either reached or not, so it gives no number. ")
    assert "gives no number" in run("odds", "(1d20+5)>=15", "--cumulative").err


def test_the_same_roll_several_times(run):
    lines = run("roll", "-n", "6", "4d6kh3").out.splitlines()
    assert len(lines) == 6
    for line in lines:
        total, dice = line.removeprefix("4d6kh3: ").removesuffix(")").split("  (")
        kept = [int(one) for one in dice.split(", ") if "dropped" not in one]
        assert (len(kept), sum(kept)) == (3, int(total))
    data = run("roll", "-n", "3", "2d6", "--json").json
    assert [one["roll"] for one in data] == ["2d6"] * 3
    assert "Roll one expression at a time" in run("roll", "-n2", "2d6", "--faces", "1,2").err
    assert run("roll", "-n", "0", "2d6").code == 2


def test_several_expressions_side_by_side(run):
    lines = run("roll", "1d20", "+", "5", "2d6", "+3", "[fire]").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["1d20 + 5", "2d6 +3 [fire]"]
    said = run("odds", "1d2", "1d4").out
    assert said.splitlines() == [
        "outcome      1d2      1d4",
        "1        50.00 %  25.00 %",
        "2        50.00 %  25.00 %",
        "3                 25.00 %",
        "4                 25.00 %",
        "1d2: mean 1.5 = 3/2, deviation 0.5, median 1",
        "1d4: mean 2.5 = 5/2, deviation 1.118, median 2",
    ]
    more = run("odds", "1d2", "1d4", "--cumulative").out.splitlines()
    assert more[2] == "2         50.00 %   75.00 %"
    asked = run("odds", "1d2", "1d4", "--at-least", "2").out
    assert asked == "1d2, at least 2: 50 % = 1/2\n1d4, at least 2: 75 % = 3/4\n"
    data = run("odds", "1d2", "1d4", "--json").json
    assert [one["of"] for one in data] == ["1d2", "1d4"]
    assert run("odds", "1d2", "1d4", "--csv").out.splitlines()[-1] == "4,,0.25"


def test_each_number_or_more_and_a_spreadsheet(run):
    said = run("odds", "1d4", "--cumulative").out.splitlines()
    assert said[0].split() == ["outcome", "chance", "at", "least", "at", "most"]
    assert said[2].split() == ["2", "25.00", "%", "75.00", "%", "50.00", "%"]
    assert said[-1] == "mean 2.5 = 5/2, deviation 1.118, median 2"
    assert run("odds", "1d4", "--csv").out.splitlines()[:2] == ["outcome,chance", "1,0.25"]
    assert run("odds", "(2d6)>=9", "--csv").out.splitlines()[0] == "outcome,chance"
    assert run("odds", "1d4", "--csv", "--json").code == 2
    assert run("odds", "2d6", "--json").json["deviation"] == pytest.approx(2.41523)


def test_hits_are_marked(run):
    said = run("roll", "4d6 hits>=5", "--faces", "1,5,6,4").out.splitlines()
    assert [line.split()[1:] for line in said[:4]] == [["1"], ["5", "hit"], ["6", "hit"], ["4"]]


def test_the_near_name_is_told(run):
    assert "No such command 'odd'. Did you mean odds?" in run("odd", "2d6").err
    assert "Did you mean toast or toaster?" in run("odds", "toste", "task").err
    assert "Did you mean task?" in run("odds", "toast", "tsk").err
    assert "Did you mean trait?" in run("odds", "toast", "task", "trat=3").err
    assert "Did you mean medium?" in run("roll", "toast", "task", "trait=3", "--set", "medum=1").err
    assert "Did you mean melee?" in run("fight", "toast", "mele").err


def test_a_game_in_a_folder_goes_by_the_folders_name(run, monkeypatch):
    assert run("new-game", "night_out").code == 0
    with monkeypatch.context() as within:
        within.chdir("night_out")
        assert "Write what to throw" in run("odds", "").err
    told = run("odds", "night_out", "try", "trait=2", "against=8")
    assert told.code == 0
    assert told.out == run("odds", "./night_out", "try", "trait=2", "against=8").out
    assert (
        run("roll", "night_out", "try", "trait=2", "against=8")
        .out.splitlines()[-1]
        .startswith("night_out try trait=2 against=8: ")
    )
    assert run("rules", "night_out").code == 0


def test_a_game_is_looked_up_once_for_many_rolls(run, monkeypatch):
    asked, load = [], registry.load
    monkeypatch.setattr(registry, "load", lambda name: asked.append(name) or load(name))
    assert len(run("roll", "-n", "20", "toast", "task", "trait=3").out.splitlines()) == 20
    assert asked == ["toast"]


def test_rolls_of_games_are_compared_and_drawn(run, tmp_path):
    both = ("toast task trait=3", "toast task trait=3 --set medium=12")
    shown = run("odds", *both, "--chart", str(tmp_path / "odds.svg")).out
    assert re.search(r"success +25\.00 % +16\.67 %", shown)
    assert "medium=12" in (tmp_path / "odds.svg").read_text()
    run("odds", "2d6", "--chart", str(tmp_path / "odds.PNG"))
    assert (tmp_path / "odds.PNG").read_bytes().startswith(b"\x89PNG")
    assert "must end with .svg or .png" in run("odds", "2d6", "--chart", "odds.gif").err
    again = run("odds", "3d6", "--chart", str(tmp_path / "odds.svg"))
    assert (again.code, again.out) == (2, "")
    assert "already exists and was not changed. Choose another name for --chart." in again.err
    assert "medium=12" in (tmp_path / "odds.svg").read_text()
    assert "followed by OPTION=VALUE" in run("odds", "toast task trait=3 --set").err


def test_a_chart_that_does_not_fit_on_the_disk_leaves_no_file(run, tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, body):
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(file, mode):
        file.touch()
        return Full()

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", opened)
        said = run("odds", "2d6", "--chart", "odds.svg")
    assert (said.code, said.out) == (3, "")
    assert "No space left on device" in said.err
    assert not (tmp_path / "odds.svg").exists()


def test_a_roll_is_told_over_a_grid(run):
    words = ("odds", "toast", "task", "difficulty=medium", "--over", "trait=3,5")
    said = run(*words, "--set", "medium=11").out.split("success:\n")[1].splitlines()
    assert said[0].split() == ["trait=3", "trait=5"]
    assert said[1].split() == ["25.0", "%", "41.7", "%"]
    rows = run(*words, "--over", "medium=11,14", "--csv").out.splitlines()
    assert (len(rows), rows[0][:18]) == (5, "trait,medium,flub,")
    assert "a single roll of a game" in run("odds", "2d6", "--over", "n=1,2").err
    assert "can be combined only with" in run(*words, "--each").err
