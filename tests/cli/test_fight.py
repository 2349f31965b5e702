"""`fight`: who wins, for people and for programs."""

import shlex
import time
from fractions import Fraction

import pytest


def test_a_fight_is_told(run):
    said = run("fight", "toast", "melee", "ours=5/6/4/4", "theirs=2x2/3/3/1")
    assert said.code == 0
    assert said.out.splitlines()[0].startswith("ours win    93.86 %")
    assert "rounds: 3.255 on average, half within 3, 90 % within 5" in said.out
    assert "ours 5/6/4/4: still up 93.86 %, wounds they could still take: 2.739 of 4" in said.out
    assert "Everybody fights to the end and goes for the foe nearest to falling" in said.out
    assert said.out.splitlines()[-1] == "Exact: fractions over 48 states."


@pytest.mark.soak
def test_every_example_of_the_help_ends_soon(run):
    examples = run("fight", "--help").out.partition("Examples:")[2]
    typed = [shlex.split(line)[1:] for line in examples.splitlines() if "kitchentable" in line]
    assert len(typed) == 7
    for words in typed:
        begun = time.process_time()
        assert run(*words).code == 0
        assert time.process_time() - begun < 10


def test_a_fight_for_programs(run):
    data = run("fight", "toast", "melee", "ours=4/4/4/1", "theirs=4/4/4/1", "--json").json
    assert data["wins"] == {"ours": "1/2", "theirs": "1/2"}
    assert data["fights"] == 0


def test_a_fight_is_counted_where_that_is_asked_for(run):
    words = ("toast", "melee", "ours=2x4/5/4/4", "theirs=2x2/3/3/1")
    data = run("fight", *words, "--count", "100", "--json").json
    assert sum(Fraction(share) for share in data["wins"].values()) == 1
    assert (data["fights"], data["found"]) == (100, "drawn")


def test_without_numpy_a_sentence_says_what_is_quicker(run, monkeypatch):
    words = ("fight", "toast", "melee", "ours=15x9/9/9/1", "theirs=25x1/1/1/1", "--count", "3")
    assert "pip install" not in run(*words).out
    for module in ("cli.fight", "fights.throws"):
        monkeypatch.setattr(f"kitchentable.{module}.find_numpy", lambda: None)
    said = run(*words).out.splitlines()
    assert said[-2].startswith("Counted: 3 fights thrown, ±")
    assert said[-1].endswith("pip install 'kitchentable[fights]'")


def test_policies_are_chosen_by_side_and_stated(run):
    words = ("fight", "toast", "melee", "ours=4/4/4/1", "theirs=4/4/4/1 4/4/4/2")
    said = run(*words, "--policy", "ours=strongest", "--policy", "theirs=random").out
    assert "ours go for the foe farthest from falling; theirs go for any foe" in said
    assert "goes for the foe listed first." in run(*words, "--policy", "first").out
    assert "Did you mean weakest?" in run(*words, "--policy", "weak").err
    assert "No side is called 'foes'" in run(*words, "--policy", "foes=first").err
    assert "Write one --policy" in run(*words, "--policy", "first", "--policy", "ours=first").err


def test_a_fight_ends_by_retreat_or_after_some_rounds(run):
    words = ("fight", "toast", "melee", "ours=5/6/4/4", "theirs=2x2/3/3/1", "--rounds", "2")
    said = run(*words, "--policy", "theirs=retreat at half").out
    assert "theirs retreat" in said
    assert "stopped after 2 rounds" in said
    assert (
        "Theirs retreat once half of their health is left or less, at the end of a round." in said
    )
    assert set(run(*words, "--json").json["broken_off"]) == {"stopped after 2 rounds"}


def test_fights_in_a_row_and_allies(run):
    words = ("fight", "toast", "melee", "ours=5/6/4/4", "theirs=2/3/3/1", "allies=2/3/3/1")
    said = run(*words, "--then", "2x2/3/3/1", "--then", "2/3/3/1").out
    assert "Fight 3\n" in said
    assert "ours allies 2/3/3/1: still up" in said
    assert "ours get through 3 fights: 9" in said
    told = run(*words, "--then", "2x2/3/3/1", "--json").json
    assert (len(told["fights"]), len(told["won"])) == (2, 2)
    assert (
        "--then and --over cannot be combined"
        in run(*words, "--then", "2/3/3/1", "--over", "n=1,2").err
    )


def test_a_fight_is_fought_over_a_grid(run):
    words = ("fight", "toast", "melee", "ours=5/6/4/4", "theirs={n}x2/3/3/{left}")
    said = run(*words, "--over", "n=1..2", "--over", "left=0,1")
    assert [line.split() for line in said.out.splitlines()[:4]] == [
        ["ours", "win:"],
        ["left=0", "left=1"],
        ["n=1", "refused", "99.8", "%"],
        ["n=2", "refused", "93.9", "%"],
    ]
    assert said.out.splitlines()[-1] == "2 fights: fractions."
    assert "n=2, left=0: theirs needs at least one fighter" in said.err
    data = run(*words, "--over", "left=1,2", "--over", "n=2,3", "--json").json
    assert [(row["n"], row["left"]) for row in data["rows"]] == [(2, 1), (3, 1), (2, 2), (3, 2)]
    csv = run(*words, "--over", "left=1", "--over", "n=2,3", "--csv").out.splitlines()
    assert [line.split(",")[:2] for line in csv] == [["left", "n"], ["1", "2"], ["1", "3"]]
    assert "--csv is for a grid" in run(*words, "--csv").err
    assert "'n=1.2..3' cannot be read" in run(*words, "--over", "n=1.2..3").err
    assert "{left} has no values" in run(*words, "--over", "n=1,2").err


def test_a_fight_is_fought_at_a_table_with_options(run):
    words = ("fight", "toast", "melee", "ours=4/4/4/1", "theirs=4/4/4/1")
    assert "no option 'kicks'" in run(*words, "--set", "kicks=no").err
    told = run(*words, "--set", "initiative_flub_moves=no", "--json")
    assert told.json["wins"] == {"ours": "1/2", "theirs": "1/2"}


def test_what_is_no_fight_gets_a_sentence(run):
    assert "toast has no fight 'duel'. It has:\n  melee:" in run("fight", "toast", "duel").err
    assert "Which fight of toast? It has:\n  melee:" in run("fight", "toast").err
    assert "no game called 'chess'" in run("fight", "chess").err
    assert "Write --count 9 instead of" in run("fight", "toast", "melee", "fights=9").err
    for word in ("self", "source", "options"):
        assert f"does not take {word}" in run("fight", "toast", "melee", f"{word}=4").err
    assert "still needs theirs" in run("fight", "toast", "melee", "ours=4/4/4/1").err
