"""A journal is read line by line; a damaged line is reported with its number and fault."""

from pathlib import Path

import pytest

from kitchentable.store import BadFile, Row, read_journal
from kitchentable.store.archive import MAX_LINE
from kitchentable.store.journal import write_line
from tests.store.samples import LATER, TIME


def row(number: int, command: str = "", **changes: object) -> Row:
    values: dict[str, object] = {
        "campaign": "harbour",
        "number": number,
        "command": command or f"c{number}",
        "time": TIME,
        "kind": "said",
        "body": b'{"text":"Hello", "new":[1.50,{"deep":null}]}',
    }
    return Row(**(values | changes))


def write(path: Path, *lines: bytes | Row) -> Path:
    path.write_bytes(b"".join(write_line(x) if isinstance(x, Row) else x for x in lines))
    return path


def test_a_bare_journal_gives_back_its_rows(tmp_path: Path):
    rows = [row(1), row(2, "x"), row(3, "x", time=LATER, kind="rolled"), row(4)]
    path = write(tmp_path / "journal.jsonl", *rows)
    assert list(read_journal(path)) == rows
    assert path.read_bytes().count(b"\n") == 4
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert list(read_journal(str(path))) == rows


def test_an_empty_journal_has_no_rows(tmp_path: Path):
    assert list(read_journal(write(tmp_path / "journal.jsonl"))) == []


SOUND = write_line(row(2))


@pytest.mark.parametrize(
    ("third", "what"),
    [
        (b"\n", "not a valid entry"),
        (b"{}\n", "missing required field"),
        (write_line(row(3))[:-20], "not a valid entry"),
        (write_line(row(3)).replace(b'"number":3', b'"number":"3"'), "Expected `int`"),
        (write_line(row(3)).replace(b'"kind"', b'"sort"'), "sort"),
        (write_line(row(3)).replace(b'{"text"', b'{"text'), "not a valid entry"),
        (write_line(row(3)).replace(b"Hello", b"\xff\xfe"), "not valid JSON"),
        (write_line(row(4)), "number 4 instead of 3"),
        (write_line(row(2)), "number 2 instead of 3"),
        (write_line(row(3, "c1")), "'c1' already ended on an earlier line"),
        (write_line(row(3, campaign="tower")), "another campaign, 'tower'"),
        (write_line(row(3, campaign="two words")), "id must have 1 to 64"),
        (write_line(row(3, time="yesterday")), "'yesterday' is not"),
        (write_line(row(3, kind="two words")), "kind of entry"),
        (write_line(row(3, command="a b")), "command id"),
        (write_line(row(3, body=b"[1]")), "one JSON object"),
        (b" " * (MAX_LINE + 1), f"longer than {MAX_LINE} bytes"),
        (b"\xff\xfe\x00binary\n", "not a valid entry"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, third: bytes, what: str):
    path = write(tmp_path / "journal.jsonl", row(1), SOUND, third, row(4))
    reading = read_journal(path)
    assert [next(reading), next(reading)] == [row(1), row(2)]
    with pytest.raises(BadFile) as caught:
        next(reading)
    assert caught.value.code == "store/damaged-file"
    assert "journal.jsonl is damaged at line 3: " in str(caught.value)
    assert what in str(caught.value)
    assert "imported" not in str(caught.value), "a journal is also checked and counted"


def test_a_missing_journal_is_told(tmp_path: Path):
    with pytest.raises(BadFile) as caught:
        next(read_journal(tmp_path / "nothing.jsonl"))
    assert caught.value.code == "store/no-such-file"
