"""The page about games of one's own names every line that a file can have."""

import re
import tomllib
from pathlib import Path

import pytest

from kitchentable.rules.folders import read_folder
from kitchentable.rules.kit.schema import lines_of
from kitchentable.rules.toml import form, read_game, rollform

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
def test_every_line_of_a_table_is_documented(table):
    (row,) = re.findall(rf"(?m)^\| `{re.escape(table)}`.*$", PAGE)
    missing = [name for name in names_of(TABLES[table]) if not re.search(rf"[`.]{name}[`\]]", row)]
    assert missing == []


def test_every_table_is_documented():
    assert set(names_of(form.Written)) == {
        re.sub(r"\W", "", table) for table in TABLES if "." not in table
    } | {"option", "chapter", "rule", "person"}


def strings(row):
    for one in row.values() if isinstance(row, dict) else row:
        yield from [one] if isinstance(one, str) else strings(one)


@pytest.mark.parametrize("name", ["book.toml", "terms.toml"])
def test_templates_ask_for_lines_that_there_are(name):
    folder = Path(form.__file__).parent
    rows = tomllib.loads((folder / name).read_text("utf-8"))
    rows.pop("chapters", None)
    for table, row in rows.items():
        kind = getattr(form, table, None) or getattr(rollform, table)
        lines = {one for one, _, _, _ in lines_of(kind)} | set(dir(kind))
        asked = {one for text in strings(row) for one in re.findall(r"\{(\w+)\}", text)}
        named = {*row.get("words", {}), *row.get("joints", {})}
        assert (table, asked | named) == (table, (asked | named) & lines)
        assert asked or row.get("lines") == {}


def test_an_entry_says_all_that_the_file_does():
    book = read_folder(Path(__file__).parents[3] / "examples" / "karma").rulebook
    assert book["tin_saints.roll-help_out"].text.endswith(
        "Roll min(3, max(1, trait)) d6 (dice). What counts: the sum of the dice. "
        "Add Karma spent * 2 and the GM's modifier. The trait is one of Parts. "
        "Questions: Karma spent at a cost of Karma (Karma spent). "
        "The roll has to reach a difficulty set by the GM (Easy 4, Hard 8 and For saints 12); "
        "the difference decides the result. "
        "Results: thanked at 4 or more (Somebody says thank you.) (mark 1 Karma); "
        "done at 0 or more; dented (mark 1 Dent)."
    )
    assert book["tin_saints.rest-workshop"].text == "Changes: -1 Dent."
    assert "dents them at 1 or more (mark 1 Dent on the other side);" in (
        book["tin_saints.roll-clash"].text
    )


def test_an_entry_says_how_a_pool_is_read():
    folder = Path(__file__).parents[3] / "examples"
    assert "(dice) or, without any, the lower of two. What counts: the highest die." in (
        read_folder(folder / "position").rulebook["glasshouse.roll-resist"].text
    )
    book = read_folder(folder / "pushing").rulebook
    assert "Count Alike (the most equal dice). What counts: Alike." in (
        book["white_pass.roll-omen"].text
    )
    assert "Ones on red (dice that show 1) among red;" in book["white_pass.roll-cross"].text


def test_questions_prices_and_sums_are_told_by_titles():
    book = read_folder(Path(__file__).parents[3] / "examples" / "playbooks").rulebook
    assert (
        "Roll (2 + Spend a hold for an edge + Against the tide)d6kh(2 + Against the tide)kl2. "
        "Add trait and the GM's modifier. The trait is one of Ways. "
        "Questions: Spend a hold for an edge at a cost of 1 Hold; Against the tide (set by the GM)."
    ) in book["saltwick.roll-dare"].text
    text = (Path(__file__).parents[3] / "examples" / "pushing" / "game.toml").read_text("utf-8")
    priced = text.replace("keeps = [1, 6]", "keeps = [1, 6]\ncosts = { grit = 1 }")
    cross = read_game(priced.replace("at_least = 3", "needs = { sixes = 3 }", 1)).rulebook
    told = cross["white_pass.roll-cross"].text
    assert "Push: roll again. Faces that stay: 1 and 6. Rolling again costs 1 Grit. " in told
    assert "far with 3 Sixes or more (Over the pass before the light goes.) (mark Frost " in told
    assert "mark Frost (Ones on red * pushed), Gear (0 - Ones on black * pushed)" in told
