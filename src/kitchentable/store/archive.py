"""The archive of one campaign: a zip file with a manifest, checked before it is unpacked."""

import hashlib
import re
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from kitchentable.store.checks import DATABASE, MAX_BODY, MAX_PICTURE, MOST_PICTURES
from kitchentable.store.durable import require_file
from kitchentable.store.errors import BadFile
from kitchentable.store.rows import CampaignEntry

FORMAT = "kitchentable campaign"
FORMAT_VERSION = 2
#: The version of an export without pictures, which older programs can also read.
WITHOUT_PICTURES = 1

MANIFEST = "manifest.json"
JOURNAL = "journal.jsonl"
SECRETS = "secrets.json"

MAX_BYTES = {MANIFEST: 64 << 10, JOURNAL: 1 << 30, SECRETS: 64 << 20}
PICTURES = "pictures/"
_PICTURE = re.compile(r"pictures/[0-9a-f]{40}\.webp")
MAX_RATIO = 200
SMALL = 16 << 20
"""Entries below this unpacked size may have any compression ratio."""

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_END64_MARK = b"PK\x06\x07"
_END64_SIZE = 20
_MAX_CONTENTS = 4096 + 256 * MOST_PICTURES
_ENCRYPTED = 0x1
#: The errors of a damaged zip, some of them raised while an entry is read.
DAMAGE = (BadZipFile, zlib.error, EOFError, OSError)
MAX_LINE = MAX_BODY + 4096


@dataclass(frozen=True, slots=True)
class FileNote:
    """Size and hash of one unpacked entry of the archive."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of an exported campaign.

    `secrets` says whether the seeds of the dice are included, so that play can go on elsewhere.
    """

    format: str
    version: int
    software: str
    exported: str
    game: str
    campaign: CampaignEntry
    events: int
    secrets: bool
    files: dict[str, FileNote]


@dataclass(frozen=True, slots=True)
class Archive:
    """An opened archive: its manifest is read, and its entries are within bounds."""

    manifest: Manifest
    packed: ZipFile

    def journal(self) -> Generator[bytes, None, None]:
        """The lines of the journal; its end compares them with the manifest. Errors: BadFile."""
        digest, size, count, promised = hashlib.sha256(), 0, 0, self.manifest.events
        with _open_entry(self.packed, JOURNAL) as stream:
            for text in lines_in(stream, JOURNAL):
                digest.update(text)
                size += len(text)
                count += 1
                yield text
        if count != promised:
            what = f"the journal ends after {count} entries, but the manifest states {promised}"
            raise damaged(JOURNAL, count + 1, what)
        self._check(JOURNAL, FileNote(size, digest.hexdigest()))

    def pictures(self) -> list[str]:
        """The names of the entries that are pictures."""
        return [name for name in self.manifest.files if name.startswith(PICTURES)]

    def whole(self, name: str) -> bytes:
        """A small entry, read completely and checked against the manifest."""
        found = _unpacked(self.packed, name)
        self._check(name, FileNote(len(found), hashlib.sha256(found).hexdigest()))
        return found

    def _check(self, name: str, found: FileNote) -> None:
        """Errors: `BadFile` when an entry is not what was exported."""
        if found != self.manifest.files[name]:
            raise BadFile(
                f"{name} was changed after the export: its hash differs from the manifest's.",
                code="store/damaged-file",
            )


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an exported campaign and check its contents, before anything large is unpacked.

    Errors: `BadFile` with ``store/no-such-file``, ``store/damaged-file`` (no zip, an entry that is
    missing, unknown, there twice, encrypted, too large or packed too tightly, an unsound manifest),
    ``store/newer-export`` (made by a newer version), ``store/whole-database`` (a database).
    """
    require_file(path)
    _check_end(path)
    try:
        packed = ZipFile(path)
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise unusable(f"it cannot be unpacked ({error})") from error
    with packed:
        names = [info.filename for info in packed.infolist()]
        if len(set(names)) != len(names):
            raise unusable("it contains a file twice")
        for info in packed.infolist():
            _check_entry(info)
        for name in (MANIFEST, JOURNAL):
            if name not in names:
                raise unusable(f"{name} is missing")
        manifest = _manifest(packed)
        if {*manifest.files} != {*names} - {MANIFEST} or manifest.secrets != (SECRETS in names):
            raise unusable("its contents differ from its manifest")
        yield Archive(manifest, packed)


def refuse_database(stream: IO[bytes]) -> None:
    """Rewind a file. Errors: `BadFile` for a whole database."""
    stream.seek(0)
    if stream.read(len(DATABASE)) == DATABASE:
        raise BadFile(
            "This file is a server's whole database, not the journal of one campaign. Use "
            "`kitchentable export` to write a campaign to a file, and check or import that.",
            code="store/whole-database",
        )
    stream.seek(0)


def unusable(what: str) -> BadFile:
    """The error for a file that is not an exported campaign."""
    return BadFile(
        f"This file is not a valid export of a campaign: {what}.",
        code="store/damaged-file",
    )


def damaged(name: str, number: int, what: str) -> BadFile:
    """The error for a line that was changed or damaged."""
    return BadFile(
        f"{name} is damaged at line {number}: {what}.",
        code="store/damaged-file",
    )


def lines_in(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of a file, none too long. Errors: BadFile."""
    number = 0
    while True:
        number += 1
        try:
            text = stream.readline(MAX_LINE + 1)
        except DAMAGE as error:
            raise BadFile(
                f"{name} is damaged: data after line {number - 1} cannot be unpacked ({error}).",
                code="store/damaged-file",
            ) from error
        if not text:
            return
        if len(text) > MAX_LINE:
            raise damaged(name, number, f"it is longer than {MAX_LINE} bytes")
        yield text


def _check_end(path: Path) -> None:
    """Check the size of the zip's table of contents before it is read into memory."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        refuse_database(stream)
        stream.seek(max(0, size - _END.size - _END64_SIZE))
        tail = stream.read()
    if len(tail) < _END.size or not tail[-_END.size :].startswith(_END_MARK):
        raise unusable("it is not a plain zip file, or its end is missing")
    _, _, _, _, entries, contents, _, _ = _END.unpack(tail[-_END.size :])
    large = tail[: -_END.size].startswith(_END64_MARK)
    if large or entries > len(MAX_BYTES) + MOST_PICTURES or contents > _MAX_CONTENTS:
        raise unusable("it contains more than a campaign's files")


def _check_entry(info: ZipInfo) -> None:
    name = info.filename
    most = MAX_PICTURE if _PICTURE.fullmatch(name) else MAX_BYTES.get(name)
    if most is None:
        raise unusable(f"it contains an unknown file, {name[:80]!r}")
    if info.flag_bits & _ENCRYPTED:
        raise unusable(f"{name} is encrypted")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise unusable(f"{name} has an unknown compression method")
    if info.file_size > most:
        raise unusable(f"{name} is larger than {most} bytes")
    if info.file_size > max(SMALL, MAX_RATIO * info.compress_size):
        raise unusable(f"{name} has a compression ratio too high for a real campaign")


def _open_entry(packed: ZipFile, name: str) -> IO[bytes]:
    try:
        return packed.open(name)
    except (BadZipFile, OSError, ValueError, RuntimeError) as error:
        # Only this step reads an entry's own header, which may claim encryption or compression.
        raise unusable(f"{name} cannot be unpacked ({error})") from error


def _unpacked(packed: ZipFile, name: str) -> bytes:
    """An entry, read completely. Errors: BadFile."""
    try:
        with _open_entry(packed, name) as stream:
            return stream.read()
    except DAMAGE as error:
        raise unusable(f"{name} cannot be unpacked ({error})") from error


def _manifest(packed: ZipFile) -> Manifest:
    text = _unpacked(packed, MANIFEST)
    try:
        what = msgspec.json.decode(text, type=dict[str, object])
        if what.get("format") != FORMAT:
            raise unusable("its manifest was written by another program")
        version = what.get("version")
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise BadFile(
                f"This campaign was exported by a newer Kitchen Table, {what.get('software')} "
                f"(format {version}; this version reads {FORMAT_VERSION}). Install that version "
                "to import it.",
                code="store/newer-export",
            )
        return msgspec.json.decode(text, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise unusable(f"{MANIFEST} is not valid ({error})") from error
