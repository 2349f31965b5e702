"""A campaign's log as text: one JSON object per line, with the stored bodies byte for byte."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from zipfile import is_zipfile

import msgspec

from kitchentable.store.archive import (
    JOURNAL,
    Archive,
    damaged,
    lines_in,
    open_archive,
    refuse_database,
)
from kitchentable.store.checks import check_id, check_row, check_word
from kitchentable.store.durable import require_file
from kitchentable.store.errors import BadRecord, Place
from kitchentable.store.rows import Row


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the journal: command, kind, time and campaign, and the body as stored."""

    campaign: str
    number: int
    command: str
    time: str
    kind: str
    body: msgspec.Raw


_LINE = msgspec.json.Decoder(Line)


def write_line(row: Row) -> bytes:
    """A row as a line of the journal, with its line feed.

    >>> row = Row("harbour", 1, "c1", "2026-11-21T19:30:00Z", "said", b'{"new":  1.50}')
    >>> write_line(row).decode().strip()
    '{"campaign":"harbour","number":1,"command":"c1",...,"body":{"new":  1.50}}'
    """
    body = msgspec.Raw(row.body)
    line = Line(row.campaign, row.number, row.command, row.time, row.kind, body)
    return msgspec.json.encode(line) + b"\n"


def read_journal(path: Place) -> Iterator[Row]:
    """The rows of a journal, in order: a bare ``journal.jsonl`` or an exported campaign.

    Every line is checked: JSON, fields, times, numbers from 1 without gaps, one campaign, the rows
    of a command together. An exported campaign is checked against its manifest as well.

    Errors: `BadFile` ``store/damaged-file`` naming the line and what is wrong with it;
    ``store/no-such-file``; ``store/whole-database`` for a database; for an exported campaign those
    of `open_archive`.
    """
    file = Path(path)
    require_file(file)
    if is_zipfile(file):
        with open_archive(file) as archive:
            yield from archive_rows(archive)
    else:
        with file.open("rb") as stream:
            refuse_database(stream)
            yield from read_lines(lines_in(stream, file.name), file.name)


def archive_rows(archive: Archive) -> Iterator[Row]:
    """The rows of an exported campaign; the last step compares them with the manifest."""
    with closing(archive.journal()) as lines:
        for row in read_lines(lines, JOURNAL):
            if row.campaign != archive.manifest.campaign.id:
                what = f"it belongs to another campaign, {row.campaign!r}"
                raise damaged(JOURNAL, row.number, what)
            yield row


def read_lines(lines: Iterable[bytes], name: str) -> Iterator[Row]:
    """The rows of a journal's lines, each checked against the ones before it."""
    campaign: str | None = None
    command = ""
    finished: set[str] = set()
    for number, text in enumerate(lines, start=1):
        row = _row(text, name, number)
        if row.number != number:
            raise damaged(name, number, f"it has the number {row.number} instead of {number}")
        if campaign is not None and row.campaign != campaign:
            raise damaged(name, number, f"it belongs to another campaign, {row.campaign!r}")
        if row.command != command:
            if row.command in finished:
                raise damaged(
                    name, number, f"the command {row.command!r} already ended on an earlier line"
                )
            finished.add(command)
            command = row.command
        campaign = row.campaign
        yield row


def _row(text: bytes, name: str, number: int) -> Row:
    try:
        line = _LINE.decode(text)
        body = bytes(line.body)
        check_id(line.campaign)
        check_word(line.command, "command id")
        check_row(line.time, line.kind, body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(name, number, f"it is not a valid entry ({error})") from error
    except BadRecord as error:
        raise damaged(name, number, str(error).rstrip(".")) from error
    return Row(line.campaign, line.number, line.command, line.time, line.kind, body)
