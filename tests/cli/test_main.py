"""The whole command: a quick start, help, errors as sentences, exit codes."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kitchentable.cli import main, roll
from kitchentable.cli.main import COMMANDS

PROGRAM = Path(sys.executable).with_name("kitchentable")


def imported_by(code):
    """The modules that a fresh interpreter has loaded after running some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split("\n")[-2].split())


def test_importing_the_package_loads_none_of_its_rooms():
    loaded = {name for name in imported_by("import kitchentable") if "kitchentable" in name}
    assert loaded == {"kitchentable"}


def test_throwing_dice_loads_neither_the_server_nor_the_web():
    code = (
        "from kitchentable.cli import main\n"
        "try: main(['roll', '2d6'])\n"
        "except SystemExit as ended: assert ended.code == 0"
    )
    loaded = imported_by(code)
    heavy = {"litestar", "uvicorn", "jinja2", "msgspec", "rich", "sqlite3", "asyncio", "numpy"}
    every = ("app", "store", "web", "campaign", "rulesets", "rules", "fights")
    packages = {f"kitchentable.{one}" for one in every}
    solver = {"kitchentable.dice.solved", "kitchentable.dice.distribution"}
    assert not loaded & (heavy | packages | solver)


def test_what_the_dice_give_is_the_same_in_whatever_order_it_is_loaded():
    code = (
        "import kitchentable.dice.samples, kitchentable.dice.solving.solver\n"
        "import kitchentable.dice as dice, kitchentable.dice.notation.translation\n"
        "from kitchentable.dice import notation\n"
        "from types import ModuleType\n"
        "for door in (dice, notation):\n"
        "    for name in door.__all__:\n"
        "        assert not isinstance(getattr(door, name), ModuleType), name\n"
        "assert set(dice.__all__) <= set(dir(dice))"
    )
    assert "kitchentable.dice.tails" in imported_by(code)


def test_public_names_are_imported_on_first_use():
    """Importing the packages behind them changes none of them."""
    code = (
        "import kitchentable as kt\n"
        "first = kt.games()\n"
        "kt.game('toast')\n"
        "from kitchentable.rulesets import toast\n"
        "import kitchentable.rules.forms\n"
        "assert kt.games() == first and kt.game('toast').game is toast.game\n"
        "assert {'game', 'games', 'roll', 'odds'} <= set(dir(kt))"
    )
    assert "kitchentable.rulesets.toast" in imported_by(code)


def test_without_words_the_help_is_shown(run):
    said = run()
    assert said.code == 2
    assert all(f"  {name} " in said.err for name in COMMANDS)


def test_the_help_teaches_by_examples_and_tells_the_exit_codes(run):
    said = run("--help")
    assert said.code == 0
    assert "kitchentable serve --example" in said.out
    assert "130 interrupted" in said.out
    assert run("--version").out.startswith("kitchentable, version ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_teaches_by_examples_and_speaks_json(run, name):
    said = run(name, "--help")
    assert said.code == 0
    assert f"  kitchentable {name}" in said.out.partition("Example")[2]
    assert "--json" in said.out


@pytest.mark.parametrize(
    "words", [["rol"], ["roll"], ["roll", "2d6", "--frozen"], ["log", "x", "--last", "0"]]
)
def test_words_that_do_not_fit_are_told_with_the_way_to_help(run, words):
    said = run(*words)
    assert said.code == 2
    assert "Usage: kitchentable" in said.err
    assert "help" in said.err


def test_words_that_do_not_fit_are_told_to_programs_too(run):
    said = run("roll", "--json")
    assert (said.code, said.error["code"]) == (2, "cli/usage")


@pytest.mark.parametrize(
    ("raised", "code", "sentence"),
    [
        (KeyboardInterrupt(), 130, ""),
        (OSError(errno.ENOSPC, "No space left on device", "x.db"), 3, "x.db: No space left"),
        (PermissionError(errno.EACCES, "Permission denied", "/root"), 3, "/root: Permission"),
    ],
)
def test_what_goes_wrong_outside_is_a_sentence_too(run, monkeypatch, raised, code, sentence):
    def fail(*_):
        raise raised

    monkeypatch.setattr(roll, "read_words", fail)
    said = run("roll", "2d6")
    assert said.code == code
    assert sentence in said.err


def test_a_fault_of_ours_is_not_hidden(run, monkeypatch):
    """Only what people can act on is a sentence; a mistake in the code shows where it is."""
    monkeypatch.setattr(roll, "read_words", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["roll", "2d6"])


def test_a_reader_who_has_enough_is_not_told_off():
    odds = subprocess.Popen(
        [PROGRAM, "odds", "100d6"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert odds.stdout is not None
    odds.stdout.close()
    assert odds.stderr is not None
    assert odds.stderr.read() == b""
    assert odds.wait(30) == 1
    odds.stderr.close()


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_an_empty_one(closed):
    """Nothing else gets its number, which would be printed to."""
    code = (
        f"import os, sys; os.close({closed})\n"
        f"os.execv(sys.executable, [sys.executable, '-m', 'kitchentable', 'roll', '2d6'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("2d6: " in done.stdout) is (closed != 1)


def test_characters_that_a_terminal_lacks_are_escaped():
    done = subprocess.run(
        [PROGRAM, "odds", "1d2"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1  50.00 %  \\u2588" in done.stdout


def test_it_runs_as_a_program_of_its_own(tmp_path):
    done = subprocess.run(
        [PROGRAM, "roll", "4d6k3"],
        env={**os.environ, "NO_COLOR": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("k3 is read in two ways")
