"""The page about games of one's own names every line that a file can have."""

import re
from pathlib import Path

import pytest

from kitchentable.rules.toml import form, rollform
from kitchentable.rules.toml.schema import lines_of

PAGE = (Path(__file__).parents[3] / "docs" / "own-game.md").read_text("utf-8")
TABLES = {
    "[game]": form.Head, "[[kind]]": form.Kinded, "[[group]]": form.Group,
    "[[playbook]]": form.Playbook, "[[list]]": form.Listing, "[[text]]": form.Words,
    "[[track]]": form.Scale, "[[die]]": rollform.NamedDie, "[[roll]]": rollform.Roll,
    "[[roll.pool]]": rollform.Handful, "[[roll.count]]": rollform.Count,
    "[roll.again]": rollform.Again, "[[roll.field]]": rollform.Asked,
    "[[roll.difficulty]]": rollform.Step, "[roll.opposed]": rollform.Opposed,
    "[[roll.band]]": rollform.Band, "[[table]]": rollform.Rows, "[fight]": form.Fighting,
    "[[rest]]": form.Rest, "[growth]": form.Growth, "[[example]]": form.Example,
    "[campaign]": form.Ready, "[[archetype]]": form.Pattern,
}  # fmt: skip


def names_of(kind):
    return [key for _, key, _, _ in lines_of(kind)]


@pytest.mark.parametrize("table", TABLES)
def test_every_line_of_a_table_is_told_of(table):
    (row,) = re.findall(rf"(?m)^\| `{re.escape(table)}`.*$", PAGE)
    missing = [name for name in names_of(TABLES[table]) if not re.search(rf"[`.]{name}[`\]]", row)]
    assert missing == []


def test_every_table_is_told_of():
    assert set(names_of(form.Written)) == {
        re.sub(r"\W", "", table) for table in TABLES if "." not in table
    } | {"option", "chapter", "rule", "person"}
