"""`new-game`, `check-game PATH` and `add-game`: a game of one's own, from an empty folder."""

import errno
import re
import tomllib

import pytest

from kitchentable.cli import new_game
from kitchentable.cli.new_game import folder_of, write_playthrough


def test_a_new_game_works_at_once(few_throws, run, tmp_path):
    said = run("new-game", "night_out", "--in", str(tmp_path), "--author", "Ada")
    assert said.code == 0
    folder = tmp_path / "night_out"
    assert sorted(one.name for one in folder.iterdir()) == [
        "README.md",
        "game.toml",
        "playthrough.txt",
    ]
    read = tomllib.loads((folder / "game.toml").read_text("utf-8"))
    assert (read["game"]["title"], read["game"]["author"]) == ("Night Out", "Ada")
    assert "@" not in (folder / "README.md").read_text("utf-8")
    checked = run("check-game", str(folder), "--seed", "7")
    assert checked.out == "Night Out 1 keeps the contract. (dice of --seed 7)\n"


@pytest.mark.slow
def test_an_evening_with_dice_left_to_chance_is_told_to_type_them(few_throws, run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    evening = tmp_path / "night_out" / "playthrough.txt"
    text = evening.read_text("utf-8")
    evening.write_text(f"{text}GM> roll 50d100\n", "utf-8")
    assert "Type its dice: faces=..." in run("check-game", str(evening.parent)).out
    evening.write_text(f"{text}GM> say Good night.\n", "utf-8")
    said = run("check-game", str(evening.parent)).out
    assert "not played as it is written" in said
    assert "Type its dice" not in said


@pytest.mark.slow
def test_the_odds_of_every_move_are_told_where_they_are_asked_for(few_throws, run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    said = run("check-game", str(tmp_path / "night_out"), "--odds", "--seed", "7")
    told = [line for line in said.out.splitlines() if line.startswith(" odds  ")]
    assert " odds  Try it, The Dog: better than hoped 28 %; done 44 %; failed 28 %." in told
    assert len(told) == 6
    file = tmp_path / "night_out" / "game.toml"
    text = file.read_text("utf-8")
    file.write_text(re.sub(r"\[\[person\]\]\n(.+\n)+", "", text), "utf-8")
    said = run("check-game", str(file), "--odds", "--seed", "7").out
    assert " odds  Clash, trait=0, other_trait=0: hurt 50 %; hurts 50 %.\n" in said


@pytest.mark.slow
def test_a_change_is_checked_and_written_down(few_throws, run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    file = tmp_path / "night_out" / "game.toml"
    file.write_text(file.read_text("utf-8").replace("number = 11", "number = 12"), "utf-8")
    said = run("check-game", str(file))
    assert said.code == 1
    assert "It is not played as it is written" in said.out
    assert run("check-game", str(file.parent), "--write-playthrough").code == 0
    assert "Against 12." in (file.parent / "playthrough.txt").read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace('dice = "2d6"', 'dice = "2d6k1"', 1), "utf-8")
    said = run("check-game", str(file))
    line = file.read_text("utf-8")[: file.read_text("utf-8").index("2d6k1")].count("\n") + 1
    assert f"line {line}, column 8: dice = '2d6k1' cannot be read" in said.err


def test_a_new_game_in_python_works_at_once(few_throws, run, tmp_path):
    run("new-game", "moon_tide", "--in", str(tmp_path), "--python")
    folder = tmp_path / "moon_tide"
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["kitchentable.games"] == {
        "moon_tide": "moon_tide:game"
    }
    checked = run("check-game", str(folder), "--seed", "7")
    assert checked.out == "Moon Tide 1 keeps the contract. (dice of --seed 7)\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("Night Out",), "small letters, digits and _"),
        (("toast",), "is already installed. Choose another name"),
        (("json", "--python"), "json is already a Python module"),
        (("class", "--python"), "class is already a Python module"),
        (("kitchentable", "--python"), "kitchentable is already a Python module"),
        (("night_out", "--title", 'The "Moon"'), "has a quotation mark"),
    ],
)
def test_what_cannot_be_begun_gets_a_sentence(run, tmp_path, words, sentence):
    said = run("new-game", *words, "--in", str(tmp_path))
    assert said.code != 0
    assert sentence in said.err
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_left_as_it_is(run, tmp_path):
    (tmp_path / "night_out").mkdir()
    said = run("new-game", "night_out", "--in", str(tmp_path))
    assert "already exists. Choose another" in said.err
    assert not list((tmp_path / "night_out").iterdir())


def test_a_game_is_added_to_a_server(run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    server = tmp_path / "server" / "evening.db"
    said = run("add-game", str(tmp_path / "night_out"), "--data", str(server))
    assert said.out.startswith("Night Out 1 is added to")
    assert (server.parent / "games" / "night_out" / "1" / "game.toml").is_file()


def test_a_game_in_python_cannot_be_added(run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path), "--python")
    server = tmp_path / "server" / "evening.db"
    inside = tmp_path / "night_out" / "src" / "night_out"
    said = run("add-game", str(inside), "--data", str(server))
    assert said.code == 2
    assert "has Python code next to its game.toml, which cannot be added to a server" in said.err
    assert not (server.parent / "games").exists()


def test_where_there_is_no_game_is_told(run, tmp_path):
    assert "so no game was read" in run("check-game", str(tmp_path)).err
    (tmp_path / "game.toml").write_bytes(b"[game]\nname = '\xff'\n")
    assert "is not UTF-8 text: byte 15 cannot be read" in run("check-game", str(tmp_path)).err
    (tmp_path / "game.toml").unlink()
    (tmp_path / "__init__.py").write_text("game = 1 / 0\n")
    assert "ZeroDivisionError: division by zero" in run("check-game", str(tmp_path)).err
    (tmp_path / "__init__.py").write_text("import sys\nsys.exit(0)\n")
    assert "cannot be read: SystemExit: 0" in run("check-game", str(tmp_path)).err
    (tmp_path / "__init__.py").write_text("game = 1\n")
    assert "no value named game of type Game" in run("check-game", str(tmp_path)).err


def test_whatever_a_games_own_code_raises_is_a_finding(few_throws, run, tmp_path):
    folder = tmp_path / "stumbles"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from dataclasses import replace\n"
        "from kitchentable.rulesets.lanterns import game as whole\n"
        "def stumble(*_):\n    raise LookupError('no floor')\n"
        "first, *rest = whole.moves\n"
        "game = replace(whole, moves=(replace(first, act=stumble), *rest))\n"
    )
    said = run("check-game", str(folder), "--seed", "7")
    assert said.code == 1
    assert (
        "fails  odds: stumble, line 4 of __init__.py: The game raises LookupError: no floor"
        in said.out
    )
    assert "breaks the contract" in said.out


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["karma", "number", "playbooks", "position", "pushing"])
def test_a_new_game_can_be_begun_like_another(few_throws, run, tmp_path, kind):
    said = run("new-game", "night_out", "--in", str(tmp_path), "--like", kind, "--author", "Ada")
    assert said.code == 0
    folder = tmp_path / "night_out"
    read = tomllib.loads((folder / "game.toml").read_text("utf-8"))
    assert (read["game"]["name"], read["game"]["title"]) == ("night_out", "Night Out")
    assert read["game"]["author"] == "Ada"
    checked = run("check-game", str(folder), "--seed", "7")
    assert checked.out.endswith("Night Out 1 keeps the contract. (dice of --seed 7)\n")


def test_without_an_evening_there_is_nothing_to_be_written_down(run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    folder = tmp_path / "night_out"
    (folder / "playthrough.txt").unlink()
    said = run("check-game", str(folder), "--write-playthrough")
    assert said.code == 2
    assert f"There is no file {folder / 'playthrough.txt'}. Create it" in said.err
    assert 'GM> open "Night Out, a first evening"' in said.err


@pytest.mark.slow
def test_a_step_that_is_refused_is_not_written_down_unless_it_says_so(few_throws, run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path))
    folder = tmp_path / "night_out"
    evening = folder / "playthrough.txt"
    text = evening.read_text("utf-8")
    evening.write_text(f"{text}Ada> move night\n", "utf-8")
    said = run("check-game", str(folder), "--write-playthrough")
    assert said.code == 2
    assert "of the playthrough is refused: seat/not-allowed" in said.err
    assert evening.read_text("utf-8") == f"{text}Ada> move night\n"
    evening.write_text(f"{text}Ada> move night\n    !\n", "utf-8")
    assert run("check-game", str(folder), "--write-playthrough").code == 0
    assert "    ! seat/not-allowed" in evening.read_text("utf-8")


@pytest.mark.slow
def test_a_package_is_checked_with_its_own_moves(few_throws, run, tmp_path):
    run("new-game", "sun_tide", "--in", str(tmp_path), "--python")
    inside = tmp_path / "sun_tide" / "src" / "sun_tide"
    omens = inside / "omens.py"
    omens.write_text(omens.read_text("utf-8").replace('return "good" if', 'return "grand" if'))
    said = run("check-game", str(inside), "--seed", "7")
    assert said.code == 1
    assert "fails  moves: omen by Kit: An outcome falls in 'grand'" in said.out
    # The file beside it is still a game by itself.
    assert run("check-game", str(inside / "game.toml"), "--seed", "7").code == 0


def test_the_evening_of_an_installed_package_can_be_written(few_throws, run, tmp_path, monkeypatch):
    run("new-game", "star_tide", "--in", str(tmp_path), "--python")
    source = tmp_path / "star_tide" / "src"
    monkeypatch.syspath_prepend(str(source))
    monkeypatch.setattr("kitchentable.rules.registry.module_of", lambda name: name)
    evening = source / "star_tide" / "playthrough.txt"
    kept = evening.read_text("utf-8")
    lines = [line for line in kept.splitlines() if not line.startswith("    GM")]
    evening.write_text("\n".join(lines) + "\n", "utf-8")
    assert write_playthrough(folder_of("star_tide"))
    assert evening.read_text("utf-8") == kept


def test_an_added_game_is_listed(run, tmp_path):
    run("new-game", "night_out", "--in", str(tmp_path), "--author", "Ada")
    server = str(tmp_path / "server" / "evening.db")
    assert "night_out" not in run("games", "--data", server).out
    run("add-game", str(tmp_path / "night_out"), "--data", server)
    assert "night_out  Night Out, by Ada" in run("games", "--data", server).out


def test_a_disk_that_is_full_leaves_no_half_of_a_game(run, home, monkeypatch):
    def fail(folder):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(new_game, "write_playthrough", fail)
    said = run("new-game", "night_out")
    assert (said.code, "No space left" in said.err) == (3, True)
    assert not (home / "night_out").exists()
