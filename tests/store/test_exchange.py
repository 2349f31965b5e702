"""An export is imported as the identical campaign, or not at all."""

import json
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import msgspec
import pytest

from kitchentable.dice.errors import BadInput
from kitchentable.store import (
    Append,
    BadFile,
    BadRecord,
    Draft,
    MemoryStore,
    NewRow,
    Picture,
    Store,
    StoreError,
    Token,
    export_campaign,
    import_campaign,
    picture_id,
    read_journal,
)
from kitchentable.store.archive import open_archive
from tests.store.samples import HARBOUR, LATER, TIME, founded, new

KEY = "ab" * 32


@pytest.fixture
def played(store: Store) -> Store:
    """A store with a campaign that has been played, with all there is to keep."""
    founded(store)
    odd = NewRow(LATER, "rolled", b'{"face":5, "not yet known":{"a":[1.50, 1e3],"a":null}}')
    store.append(Append("harbour", 1, "c2", [odd, new("b")]))
    store.append(Append("harbour", 3, "c3", [new("c")], entry=replace(HARBOUR, archived=LATER)))
    store.reserve("harbour", 1, "c2")
    store.reserve("harbour", 1)
    store.put_token(Token(KEY, "device", TIME, "harbour", "anna"))
    store.put_seed("harbour", 1, b"very secret seed")
    store.put_setting("csrf", b"csrf secret")
    store.put_draft(Draft("harbour", "anna", "sheet", b"\xffdraft", TIME))
    return store


@pytest.fixture
def file(played: Store, tmp_path: Path) -> Path:
    path = tmp_path / "harbour.zip"
    export_campaign(played, "harbour", path, exported=LATER, secrets=True)
    return path


def unpacked(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def repacked(path: Path, entries: dict[str, bytes], **changes: object) -> Path:
    """A file with these entries and, where `changes` says so, another manifest."""
    manifest = json.loads(entries["manifest.json"]) | changes
    with ZipFile(path, "w") as packed:
        for name, content in (entries | {"manifest.json": json.dumps(manifest).encode()}).items():
            packed.writestr(name, content)
    return path


def refused(path: Path, code: str = "store/damaged-file") -> str:
    other = MemoryStore()
    with pytest.raises(BadFile) as caught:
        import_campaign(other, path)
    assert caught.value.code == code
    assert isinstance(caught.value, BadInput)
    assert other.campaigns() == []
    sentence = str(caught.value)
    assert sentence.endswith(". Nothing was imported.")
    return sentence


def test_an_import_gives_the_identical_campaign(played: Store, file: Path, opened):
    for other in (MemoryStore(), opened()):
        if other.campaign("harbour") is not None:
            continue
        entry = import_campaign(other, file)
        assert entry == played.campaign("harbour") == other.campaign("harbour")
        assert other.read("harbour") == played.read("harbour")
        assert other.export_data("harbour") == played.export_data("harbour")
        for command in ("founding", "c2", "c3"):
            assert other.recorded("harbour", command) == played.recorded("harbour", command)
        assert other.reserve("harbour", 1) == 3
        assert other.append(Append("harbour", 4, "c9", [new()])).rows[0].number == 5


def test_an_export_of_an_import_is_the_same_file(file: Path, tmp_path: Path):
    other = MemoryStore()
    import_campaign(other, file)
    again = tmp_path / "again.zip"
    export_campaign(other, "harbour", again, exported=LATER, secrets=True)
    assert again.read_bytes() == file.read_bytes()


def test_what_is_in_the_file_and_what_is_not(played: Store, tmp_path: Path):
    path = tmp_path / "harbour.zip"
    told = export_campaign(played, "harbour", path, exported=LATER)
    entries = unpacked(path)
    assert sorted(entries) == ["journal.jsonl", "manifest.json"]
    assert path.stat().st_mode & 0o777 == 0o600
    lines = entries["journal.jsonl"].splitlines()
    assert lines[1] == (
        b'{"campaign":"harbour","number":2,"command":"c2","time":"2026-11-21T20:30:00.5Z",'
        b'"kind":"rolled","body":{"face":5, "not yet known":{"a":[1.50, 1e3],"a":null}}}'
    )
    manifest = json.loads(entries["manifest.json"])
    assert manifest["format"] == "kitchentable campaign"
    assert manifest["game"] == "toast"
    assert (manifest["software"], manifest["exported"]) == (version("kitchentable"), LATER)
    assert (manifest["events"], manifest["secrets"]) == (4, False)
    assert manifest["campaign"]["title"] == "The Harbour at Night"
    with open_archive(path) as archive:
        assert told == archive.manifest
    everything = b"".join(entries.values())
    for secret in (KEY, "very secret seed", "dmVyeSBzZWNyZXQgc2VlZA", "csrf", "device", "draft"):
        assert secret.encode() not in everything
    assert list(read_journal(path)) == played.read("harbour")


def test_keys_never_travel_even_with_the_secrets(file: Path):
    everything = b"".join(unpacked(file).values())
    assert json.loads(unpacked(file)["manifest.json"])["secrets"] is True
    for secret in (KEY, "csrf", "device"):
        assert secret.encode() not in everything
    other = MemoryStore()
    import_campaign(other, file)
    assert other.seed("harbour", 1) == b"very secret seed"
    assert other.tokens("harbour") == []


def test_an_existing_campaign_is_left_as_it_is(played: Store, file: Path):
    played.append(Append("harbour", 4, "c4", [new("after the export")]))
    with pytest.raises(BadRecord) as caught:
        import_campaign(played, file)
    assert caught.value.code == "store/campaign-exists"
    assert played.latest("harbour") == 5
    entry = import_campaign(played, file, new_id="harbour-2")
    assert entry.id == "harbour-2"
    assert played.latest("harbour-2") == 4
    assert [
        msgspec.structs.replace(row, campaign="harbour") for row in played.read("harbour-2")
    ] == (played.read("harbour", limit=4))
    assert played.seed("harbour-2", 1) is None
    assert played.export_data("harbour-2").throws == ()
    assert played.draft("harbour-2", "anna", "sheet").body == b"\xffdraft"
    with pytest.raises(BadRecord):
        import_campaign(played, file, new_id="two words")


def test_exports_that_cannot_be_made_leave_nothing(played: Store, tmp_path: Path, monkeypatch):
    with pytest.raises(BadRecord) as caught:
        export_campaign(played, "tower", tmp_path / "tower.zip", exported=LATER)
    assert caught.value.code == "store/no-such-campaign"
    taken = tmp_path / "taken.zip"
    taken.write_bytes(b"mine")
    with pytest.raises(BadFile) as caught:
        export_campaign(played, "harbour", taken, exported=LATER)
    assert caught.value.code == "store/file-exists"
    assert taken.read_bytes() == b"mine"

    def fails(*_: object) -> object:
        raise StoreError("The disk that holds it reported a fault.", code="store/disk-error")

    monkeypatch.setattr(played, "read", fails)
    with pytest.raises(StoreError):
        export_campaign(played, "harbour", tmp_path / "new.zip", exported=LATER)
    assert not [name for name in tmp_path.iterdir() if "new" in name.name]


@pytest.mark.parametrize(
    "damage",
    [
        "update events set body = ? where number = 3",
        "delete from events where number = 3 and body <> ?",
    ],
)
def test_a_damaged_journal_is_not_exported(played: Store, tmp_path: Path, damage: str):
    rows = [row for row in played.read("harbour") if row.number != 3]
    played._do(lambda db: db.execute(damage, (b"{",)))
    with pytest.raises(StoreError) as caught:
        export_campaign(played, "harbour", tmp_path / "new.zip", secrets=True)
    assert caught.value.code == "store/damaged-entry"
    assert str(caught.value).startswith("Entry 3 of this campaign is damaged in the database, ")
    assert not [one for one in tmp_path.iterdir() if "new" in one.name]
    assert [row for row in played.read("harbour") if row.number != 3] == rows


@pytest.mark.slow
def test_each_damaged_byte_is_noticed(file: Path, tmp_path: Path):
    """Flip every seventh byte: the file is refused, or (in parts that nobody reads) harmless."""
    whole = file.read_bytes()
    original = MemoryStore()
    import_campaign(original, file)
    broken = tmp_path / "broken.zip"
    refusals = 0
    for place in range(0, len(whole), 7):
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        other = MemoryStore()
        try:
            import_campaign(other, broken)
        except BadFile:
            assert other.campaigns() == []
            refusals += 1
        else:
            assert other.read("harbour") == original.read("harbour")
            assert other.campaigns() == original.campaigns()
            assert other.export_data("harbour") == original.export_data("harbour")
    assert refusals > len(whole) / 7 / 2


def test_each_cut_file_is_refused(file: Path, tmp_path: Path):
    whole = file.read_bytes()
    assert len(whole) > 500
    broken = tmp_path / "broken.zip"
    for length in range(0, len(whole), 11):
        broken.write_bytes(whole[:length])
        refused(broken)


def test_a_changed_line_is_named_or_betrayed_by_its_fingerprint(file: Path, tmp_path: Path):
    entries = unpacked(file)
    journal = entries["journal.jsonl"]
    path = tmp_path / "changed.zip"
    for change, what in (
        (journal.replace(b'"face":5', b'"face":6'), "hash differs"),
        (journal.replace(b'"number":3', b'"number":7'), "line 3: it has the number 7"),
        (journal[: journal.rindex(b'{"camp')], "line 4: the journal ends after 3 entries"),
        (journal + journal.splitlines(keepends=True)[-1], "line 5"),
        (journal.replace(b'"harbour"', b'"tower"'), "line 1: it belongs to another campaign"),
        (journal.replace(b'"face":5', b'"face":'), "line 2: it is not a valid entry"),
    ):
        assert what in refused(repacked(path, entries | {"journal.jsonl": change}))


@pytest.mark.parametrize(
    ("changes", "code", "what"),
    [
        ({"format": "other"}, "store/damaged-file", "another program"),
        ({"version": 3}, "store/newer-export", "newer Kitchen Table, " + version("kitchentable")),
        ({"version": "1"}, "store/damaged-file", "not valid"),
        ({"events": -1}, "store/damaged-file", "states -1"),
        ({"secrets": False}, "store/damaged-file", "contents differ from its manifest"),
        ({"files": {}}, "store/damaged-file", "contents differ from its manifest"),
        ({"campaign": {"id": "harbour"}}, "store/damaged-file", "not valid"),
        (
            {"campaign": {"id": "a b", "title": "t", "game": "toast", "created": TIME}},
            "store/damaged-file",
            "not valid",
        ),
    ],
)
def test_an_unsound_manifest_is_refused(file: Path, tmp_path: Path, changes, code, what):
    path = repacked(tmp_path / "changed.zip", unpacked(file), **changes)
    assert what in refused(path, code)


@pytest.mark.parametrize(
    "secrets",
    [
        {"seeds": [{"session": 0, "seed": ""}]},
        {"seeds": [{"session": 1, "seed": ""}] * 2},
        {"throws": [{"session": 1, "number": 0, "command": None}]},
        {"throws": [{"session": 1, "number": 1, "command": None}] * 2},
        {"throws": [{"session": 1, "number": n, "command": "c"} for n in (1, 2)]},
        {"throws": [{"session": 1, "number": 1, "command": "a b"}]},
        {"drafts": [{"campaign": "x", "seat": "", "key": "k", "body": "", "saved": TIME}]},
        {"seeds": "none"},
    ],
)
def test_unsound_secrets_are_refused(file: Path, tmp_path: Path, secrets):
    text = json.dumps(secrets).encode()
    entries = unpacked(file)
    with ZipFile(tmp_path / "changed.zip", "w") as packed:
        for name in ("journal.jsonl", "manifest.json"):
            packed.writestr(name, entries[name])
        packed.writestr("secrets.json", text)
    assert "hash differs" in refused(tmp_path / "changed.zip")
    files = json.loads(entries["manifest.json"])["files"]
    files["secrets.json"] = note(text)
    path = repacked(tmp_path / "sound.zip", entries | {"secrets.json": text}, files=files)
    assert "secrets.json" in refused(path)


def note(text: bytes) -> dict[str, object]:
    return {"bytes": len(text), "sha256": sha256(text).hexdigest()}


def test_files_that_want_to_be_too_much_are_refused(file: Path, tmp_path: Path):
    entries = unpacked(file)
    path = tmp_path / "wrong.zip"

    path.write_bytes(b"")
    refused(path)
    path.write_bytes(b"{}")
    refused(path)
    assert "no such" not in refused(tmp_path / "nothing.zip", "store/no-such-file")

    repacked(path, entries | {"../../etc/passwd": b"x"})
    assert "unknown file, '../../etc/passwd'" in refused(path)
    repacked(path, {n: entries[n] for n in ("journal.jsonl", "manifest.json")} | {"/x": b"x"})
    assert "unknown file, '/x'" in refused(path)
    with ZipFile(path, "w") as packed:
        packed.writestr("journal.jsonl", entries["journal.jsonl"])
    assert "manifest.json is missing" in refused(path)
    with ZipFile(path, "w") as packed:
        packed.writestr("manifest.json", entries["manifest.json"])
        packed.writestr("journal.jsonl", entries["journal.jsonl"])
        with pytest.warns(UserWarning, match="Duplicate"):
            packed.writestr("journal.jsonl", entries["journal.jsonl"])
    assert "twice" in refused(path)
    with ZipFile(path, "w") as packed:
        for number in range(2000):
            packed.writestr(f"file {number}", b"")
    assert "more than a campaign's files" in refused(path)

    bomb = b" " * (20 << 20)
    with ZipFile(path, "w", compression=8) as packed:
        packed.writestr("manifest.json", entries["manifest.json"])
        packed.writestr("journal.jsonl", bomb)
    assert path.stat().st_size < 50_000
    assert "compression ratio" in refused(path)
    with ZipFile(path, "w", compression=8) as packed:
        packed.writestr("manifest.json", b"{" + b" " * (100 << 10) + b"}")
        packed.writestr("journal.jsonl", b"")
    assert "larger than" in refused(path)

    stored = (tmp_path / "stored.zip", "w", ZIP_STORED)
    with ZipFile(*stored) as packed:
        for name, content in entries.items():
            packed.writestr(name, content)
    text = bytearray((tmp_path / "stored.zip").read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        text[text.index(mark) + at] |= 1
    path.write_bytes(text)
    assert "encrypted" in refused(path)


def test_pictures_travel_with_a_campaign_and_are_checked(store: Store, tmp_path: Path):
    founded(store)
    body = b"RIFF\x04\x00\x00\x00WEBP"
    store.put_picture("harbour", Picture(picture_id(body), body))
    store.put_picture("harbour", Picture(picture_id(body), body))
    path = tmp_path / "with.zip"
    assert export_campaign(store, "harbour", path, exported=TIME).version == 2
    other = MemoryStore()
    import_campaign(other, path)
    assert other.picture_ids("harbour") == [picture_id(body)]
    assert other.picture("harbour", picture_id(body)) == Picture(picture_id(body), body)
    name = f"pictures/{picture_id(body)}.webp"
    manifest = json.loads(unpacked(path)["manifest.json"])
    for wrong in (b"<script>", body + b"x"):
        files = manifest["files"] | {name: note(wrong)}
        changed = repacked(tmp_path / "wrong.zip", unpacked(path) | {name: wrong}, files=files)
        assert "is not valid" in refused(changed)
    for bad in (Picture(picture_id(b"x"), b"x"), Picture("0" * 40, body)):
        with pytest.raises(BadRecord):
            store.put_picture("harbour", bad)


def test_a_campaign_that_is_removed_during_its_export_is_told(tmp_path: Path):
    class Removed(MemoryStore):
        def latest(self, campaign: str) -> int:
            last = super().latest(campaign)
            self.remove(campaign)
            return last

    with pytest.raises(BadRecord) as caught:
        export_campaign(founded(Removed()), "harbour", tmp_path / "harbour.zip")
    assert caught.value.code == "store/no-such-campaign"
    assert not list(tmp_path.iterdir())
