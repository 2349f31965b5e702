"""`carry`: a character's file for another game."""

import json

from kitchentable.app.carry_sides import Side
from kitchentable.app.characters import file_of, write_character
from kitchentable.rules import registry


def test_a_file_is_carried_to_another_game(run, home):
    toast = registry.load("toast")
    side = Side(toast, toast.defaults(), "pc")
    sheet = side.draft().sheet
    one = side.draft({**sheet, "traits": {**sheet["traits"], "strength": 6}})
    (home / "ida.json").write_bytes(write_character(file_of(toast, side.table, one)))
    said = run("carry", "ida.json", "--to", "lucky_stars", "--out", "new.json")
    assert said.code == 0, said.err
    assert said.out.splitlines()[1].split() == [
        "Strength", "5", "58.3", "%", "Strength", "6", "58.3", "%", "+0.0"
    ]  # fmt: skip
    assert "Toast: Task, Difficulty: Medium 11." in said.out
    assert json.loads((home / "new.json").read_text())["answers"]["stats.strength"] == 5
    refused = run("carry", "ida.json", "--to", "lucky_stars", "--out", "new.json")
    assert (refused.code, "already exists" in refused.err) == (2, True)
    assert json.loads((home / "new.json").read_text())["answers"]["stats.strength"] == 5
    assert run("carry", "ida.json", "--to", "objects", "--kind", "persn").code == 2
    (home / "odd.json").write_text("{}")
    assert "not a character file" in run("carry", "odd.json", "--to", "toast").err
