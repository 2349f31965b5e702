"""`make test` and `make test-all` fail if any part fails, and name the part at their end."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: A tool that says what it was called with and ends as it is told to.
TOOL = """#!/bin/sh
echo "$(basename "$0") $*"
exit "$%s"
"""
LOOKS = "tests/browser/test_every_page.py"
GAMES = "tests/dice tests/fights tests/rules tests/rulesets"
PARTS = {
    f"python -m pytest {LOOKS} {GAMES}",
    f"python -m pytest --ignore={LOOKS} tests/browser",
    f"python -m pytest --ignore={GAMES.replace(' ', ' --ignore=')} --ignore=tests/browser",
    "mypy --strict",
}
ALL_PARTS = {one.replace("pytest", "pytest -m not soak") for one in PARTS}
TOOLS = {"ruff": "LINT", "python": "TESTS", "mypy": "TYPES"}


@pytest.fixture
def make(tmp_path):
    """Calls a target of the Makefile with tools that end with these codes."""
    for name, code in TOOLS.items():
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(TOOL % code)
        tool.chmod(0o755)
    for name in (".ready-for-the-table", ".ready-for-the-tests"):
        (tmp_path / name).touch()

    def make(target="test", **codes):
        # What the make that runs these tests was told is not for this one.
        own = {name: value for name, value in os.environ.items() if "MAKE" not in name}
        ends = dict.fromkeys(TOOLS.values(), "0") | {name: str(end) for name, end in codes.items()}
        return subprocess.run(
            ["make", "--no-print-directory", target, f"VENV={tmp_path}"],
            cwd=ROOT,
            env={**own, **ends, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )

    return make


def parts(done):
    """The calls that follow those of the linter, in no order."""
    lines = done.stdout.splitlines()
    assert [line.partition(" -")[0] for line in lines[:2]] == ["ruff format", "ruff check"]
    return {line for line in lines[2:] if line.startswith(("python", "mypy"))}


def ended_badly(done):
    """The targets that make names at the end."""
    named = re.findall(r"\*\*\* \[Makefile:\d+: ([a-z-]+)\]", done.stdout)
    return set(named) - {"test", "test-all"}


def test_where_all_is_well_every_part_was_called(make):
    done = make()
    assert done.returncode == 0
    assert parts(done) == PARTS
    assert ended_badly(done) == set()


@pytest.mark.parametrize("code", [1, 5, 137])
def test_tests_that_fail_are_named_at_the_end(make, code):
    done = make(TESTS=code)
    assert done.returncode != 0
    assert parts(done) == PARTS
    assert ended_badly(done) == {"test-games", "test-browser", "test-server"}


@pytest.mark.parametrize("code", [1, 2, 137])
def test_types_that_do_not_fit_are_named_at_the_end_and_hide_no_test(make, code):
    done = make(TYPES=code)
    assert done.returncode != 0
    assert parts(done) == PARTS
    assert ended_badly(done) == {"types"}


def test_what_the_linter_refuses_is_not_tested(make):
    done = make(LINT=1)
    assert done.returncode != 0
    assert "pytest" not in done.stdout
    assert "mypy" not in done.stdout


def test_all_tests_are_in_the_same_parts(make):
    done = make("test-all")
    assert done.returncode == 0
    assert parts(done) == ALL_PARTS
    failed = make("test-all", TESTS=1)
    assert failed.returncode != 0
    assert ended_badly(failed) == {"test-games", "test-browser", "test-server"}
