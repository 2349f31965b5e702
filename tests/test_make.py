"""`make test` fails if any part fails, and names the part at its end."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: A tool that says what it was called with and ends as it is told to.
TOOL = """#!/bin/sh
echo "$(basename "$0") $*"
eval "exit $%s"
"""
OTHERS, SCREENS = "python -m pytest --ignore=tests/browser", "python -m pytest tests/browser"
TOOLS = {"ruff": "LINT", "python": "TESTS", "mypy": "TYPES"}


@pytest.fixture
def make(tmp_path):
    """Calls `make test` with tools that end with these codes."""
    for name, code in TOOLS.items():
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(TOOL % code)
        tool.chmod(0o755)
    for name in (".ready-for-the-table", ".ready-for-the-tests"):
        (tmp_path / name).touch()

    def make(**codes):
        # What the make that runs these tests was told is not for this one.
        own = {name: value for name, value in os.environ.items() if "MAKE" not in name}
        ends = dict.fromkeys(TOOLS.values(), "0") | {name: str(end) for name, end in codes.items()}
        return subprocess.run(
            ["make", "--no-print-directory", "test", f"VENV={tmp_path}"],
            cwd=ROOT,
            env={**own, **ends, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )

    return make


def after_the_linter(done):
    """The lines that were said once the linter had said its two."""
    lines = done.stdout.splitlines()
    assert [line.partition(" -")[0] for line in lines[:2]] == ["ruff format", "ruff check"]
    return lines[2:]


def test_where_all_is_well_everything_was_called_and_nothing_is_left(make, tmp_path):
    done = make()
    assert done.returncode == 0
    assert after_the_linter(done) == [OTHERS, SCREENS, "mypy --strict"]
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith("tmp")] == []


@pytest.mark.parametrize("code", [1, 5, 137])
def test_tests_that_fail_are_named_at_the_end(make, code):
    done = make(TESTS=code)
    assert done.returncode != 0
    assert after_the_linter(done)[:5] == [
        OTHERS,
        SCREENS,
        "mypy --strict",
        "The tests without a browser did not pass; see above.",
        "The tests in a browser did not pass; see above.",
    ]


@pytest.mark.parametrize(
    ("half", "told"), [("tests", "in a browser"), ("--ignore=tests", "without a browser")]
)
def test_each_half_of_the_tests_counts(make, half, told):
    done = make(TESTS=f'$([ "${{3%/*}}" = {half} ]; echo $((1 - $?)))')
    assert done.returncode != 0
    _, _, _, *end = after_the_linter(done)
    assert end[0] == f"The tests {told} did not pass; see above."
    assert "The tests" not in end[1]


@pytest.mark.parametrize("code", [1, 2, 137])
def test_types_that_do_not_fit_are_named_at_the_end_and_hide_no_test(make, code):
    done = make(TYPES=code)
    assert done.returncode != 0
    tests, screens, *end = after_the_linter(done)
    assert (tests, screens) == (OTHERS, SCREENS)
    assert end[:2] == ["mypy --strict", "The type check did not pass; see above."]


def test_where_both_fail_both_are_named(make):
    done = make(TESTS=1, TYPES=1)
    assert done.returncode != 0
    assert "in a browser did not pass; see above.\nThe type check did not pass" in done.stdout


def test_what_the_linter_refuses_is_not_tested(make):
    done = make(LINT=1)
    assert done.returncode != 0
    assert "python -m pytest" not in done.stdout
    assert "mypy" not in done.stdout
