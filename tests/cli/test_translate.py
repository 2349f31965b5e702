"""Dialects at the terminal: rolls, odds and translation."""

import json

import pytest

from kitchentable.cli.main import main


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr()
    return ended.value.code, told.out, told.err


def test_a_text_is_translated(capsys):
    words = ("translate", "10d6>5", "--from", "roll20")
    assert run(capsys, *words) == (0, "10d6 hits>=5\n", "")
    assert run(capsys, *words, "--to", "foundry") == (0, "10d6cs>=5\n", "")
    _, out, _ = run(capsys, *words, "--json")
    assert json.loads(out)["translation"] == "10d6 hits>=5"


def test_what_has_no_spelling_is_refused_with_its_place(capsys):
    code, out, err = run(capsys, "translate", "4d6min2", "--from", "foundry")
    assert (code, out) == (2, "")
    assert err.splitlines()[1:] == ["4d6min2", "   ^"]
    assert "no spelling" in err


def test_rolls_and_odds_take_a_dialect(capsys):
    code, out, _ = run(capsys, "roll", "--dialect", "foundry", "4d6r<3", "--faces", "1,4,5,6,3")
    assert (code, out.splitlines()[-1]) == (0, "4d6r<3: 18")
    code, out, _ = run(capsys, "odds", "--dialect", "rpg-dice-roller", "1d4/4")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[:4]] == ["0.25", "0.5", "0.75", "1"]
    code, _, err = run(capsys, "odds", "--dialect", "fantasy", "1d4")
    assert code == 2
    assert "avrae" in err
