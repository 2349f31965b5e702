"""`games`, `rules` and `check-game`."""

import pytest

from kitchentable.app import conformance
from kitchentable.rules.conformance import Finding


def test_the_games_are_told_with_their_credits(run):
    assert (
        "toast  Toast, by Ethan Greer (Creative Commons Attribution-ShareAlike 3.0"
        in run("games").out
    )
    toast = next(game for game in run("games", "--json").json if game["name"] == "toast")
    assert toast["author"] == "Ethan Greer"
    assert toast["rules"] >= 152
    assert "task" in toast["rolls"]


def test_a_rulebook_by_its_titles(run):
    said = run("rules", "toast")
    assert len(said.out.splitlines()) > 152
    assert len(run("rules", "toast", "--json").json) >= 152


@pytest.mark.parametrize("name", ["toast.2-die", "2-die"])
def test_one_rule_whole(run, name):
    said = run("rules", "toast", name)
    assert "toast.2-die, core" in said.out
    (rule,) = run("rules", "toast", name, "--json").json
    assert rule["id"] == "toast.2-die"


def test_rules_are_searched_by_words(run):
    found = run("rules", "toast", "flub", "initiative", "--json").json
    assert "toast.7.1-init-flub" in [rule["id"] for rule in found]
    for rule in found:
        words = f"{rule['id']} {rule['title']} {rule['text']}".casefold()
        assert "flub" in words
        assert "initiative" in words


def test_nothing_found_is_said(run):
    said = run("rules", "toast", "spaceship-battery")
    assert (said.code, said.out) == (2, "")
    assert "spaceship-battery" in said.err
    unknown = run("rules", "toats")
    assert unknown.code == 2
    assert "Did you mean toast?" in unknown.err


def test_a_sound_game_keeps_the_contract(few_throws, run):
    said = run("check-game", "objects", "--seed", "11")
    assert said.out == "Objects 1 keeps the contract. (dice of --seed 11)\n"
    assert said.code == 0


@pytest.mark.slow
def test_what_a_check_finds_is_told_and_ends_with_one(run, monkeypatch):
    found = (Finding("rolls", "task", "It is loaded."), Finding("options", "", "Odd.", fails=False))
    monkeypatch.setattr(conformance.conformance, "check_game", lambda *_: found)
    said = run("check-game", "lanterns", "--seed", "11")
    assert said.code == 1
    assert "fails  rolls: task: It is loaded.\n note  options: Odd.\n" in said.out
    assert "Lanterns 1 breaks the contract." in said.out
    data = run("check-game", "lanterns", "--json").json
    assert (data["sound"], data["findings"][0]["sentence"]) == (False, "It is loaded.")
