"""Export of a campaign to one file, and its import."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from kitchentable.store.archive import (
    FORMAT,
    FORMAT_VERSION,
    JOURNAL,
    MANIFEST,
    PICTURES,
    SECRETS,
    WITHOUT_PICTURES,
    Archive,
    FileNote,
    Manifest,
    open_archive,
    unusable,
)
from kitchentable.store.checks import (
    check_draft,
    check_entry,
    check_id,
    check_picture,
    check_row,
    check_time,
    check_word,
)
from kitchentable.store.durable import appearing
from kitchentable.store.errors import BadFile, BadRecord, Place, StoreError, no_such_campaign
from kitchentable.store.events import campaign_exists
from kitchentable.store.journal import archive_rows, write_line
from kitchentable.store.rows import CampaignEntry, ExportData, Picture, Row
from kitchentable.store.sql import Store

CHUNK = 1000
_OWNER_ONLY = 0o600 << 16


def export_campaign(
    store: Store,
    campaign: str,
    path: Place,
    *,
    exported: str | None = None,
    secrets: bool = False,
    damaged: bool = False,
) -> Manifest:
    """Write a campaign to one new file: the whole journal and pictures, but no keys.

    The journal has everything, including hidden rolls, so the file is for the host and the GM.
    `secrets` (for a move to another server) adds the seeds and counters of the dice and the drafts,
    so that play continues; a reader of that file can predict the dice. `exported` is the time in
    the manifest (by default now). With `damaged` a damaged journal is written unchanged, although
    it cannot be imported.

    Errors: `BadRecord` ``store/no-such-campaign``; `BadFile` ``store/file-exists``; `StoreError` if
    the disk fails or the journal is damaged. An incomplete file never gets the name `path`.
    """
    exported = exported or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    check_time(exported)
    entry = store.campaign(campaign)
    if entry is None:
        raise no_such_campaign(campaign)
    with appearing(Path(path)) as partial, ZipFile(partial, "w", ZIP_DEFLATED) as packed:
        last = store.latest(campaign)
        rows = read_on(store, campaign, last)
        lines = map(write_line, rows if damaged else _sound(rows))
        files = {JOURNAL: _pack(packed, JOURNAL, lines)}
        if secrets:
            # Read after the journal, so that no number reserved meanwhile is issued again.
            export_data = msgspec.json.encode(store.export_data(campaign))
            files[SECRETS] = _pack(packed, SECRETS, [export_data])
        for picture in pictures_of(store, campaign):
            name = f"{PICTURES}{picture.id}.webp"
            files[name] = _pack(packed, name, [picture.body])
        with_pictures = any(name.startswith(PICTURES) for name in files)
        manifest = Manifest(
            format=FORMAT,
            version=FORMAT_VERSION if with_pictures else WITHOUT_PICTURES,
            software=version("kitchentable"),
            exported=exported,
            game=entry.game,
            campaign=entry,
            events=last,
            secrets=secrets,
            files=files,
        )
        packed.writestr(_entry(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def import_campaign(
    store: Store,
    path: Place,
    *,
    new_id: str | None = None,
    check: Callable[[Iterator[Row]], None] | None = None,
) -> CampaignEntry:
    """Import an exported campaign: the same events, numbers, times and commands, all or nothing.

    `new_id` imports it next to a campaign with the same id. Such a copy never gets the seeds of the
    dice, because two campaigns on one stream would reveal each other's throws. `check` reads all
    rows before the first is imported, and may refuse them.

    Errors: `BadRecord` ``store/campaign-exists``; `BadFile` as `open_archive` and `read_journal`.
    """
    try:
        with open_archive(Path(path)) as archive:
            return _adopt(store, archive, new_id, check)
    except BadFile as error:
        raise BadFile(f"{error} Nothing was imported.", code=error.code) from error


def _adopt(
    store: Store,
    archive: Archive,
    new_id: str | None,
    check: Callable[[Iterator[Row]], None] | None,
) -> CampaignEntry:
    entry = archive.manifest.campaign
    try:
        check_entry(entry)
    except BadRecord as error:
        raise unusable(f"{MANIFEST} is not valid ({error})") from error
    export_data = _export_data(archive)
    if new_id is not None and new_id != entry.id:
        check_id(new_id)
        entry = replace(entry, id=new_id)
        export_data = ExportData(drafts=export_data.drafts)
    if store.campaign(entry.id) is not None:
        raise campaign_exists(entry.id)
    if check is not None:
        check(archive_rows(archive))
    store.adopt(entry, lambda: archive_rows(archive), export_data, lambda: _pictures(archive))
    return entry


def _sound(rows: Iterable[Row]) -> Iterator[Row]:
    """Rows that can be imported again. Errors: StoreError for a damaged or missing one."""
    for number, row in enumerate(rows, start=1):
        try:
            check_row(row.time, row.kind, row.body)
        except BadRecord as error:
            raise _damaged(number, str(error)) from error
        if row.number != number:
            raise _damaged(number, "The entry is missing.")
        yield row


def _damaged(number: int, why: str) -> StoreError:
    return StoreError(
        f"Entry {number} of this campaign is damaged in the database, so no export was written. "
        f"{why} Restore a backup from before the damage.",
        code="store/damaged-entry",
    )


def read_on(store: Store, campaign: str, last: int) -> Iterator[Row]:
    """The rows of a campaign up to row `last`, in pieces. Errors: BadRecord if removed."""
    after = 0
    while after < last:
        chunk = store.read(campaign, after, min(CHUNK, last - after))
        if not chunk:
            raise no_such_campaign(campaign)
        yield from chunk
        after = chunk[-1].number


def pictures_of(store: Store, campaign: str) -> Iterator[Picture]:
    """The pictures of a campaign, by id."""
    for one in store.picture_ids(campaign):
        picture = store.picture(campaign, one)
        if picture is not None:
            yield picture


def _pack(packed: ZipFile, name: str, pieces: Iterable[bytes]) -> FileNote:
    """Write an entry piece by piece, so that none has to fit into memory."""
    digest, size = hashlib.sha256(), 0
    with packed.open(_entry(name), "w") as entry:
        for piece in pieces:
            entry.write(piece)
            digest.update(piece)
            size += len(piece)
    return FileNote(size, digest.hexdigest())


def _entry(name: str) -> ZipInfo:
    """An entry without times, so that the same campaign gives the same bytes."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = _OWNER_ONLY
    return info


def _pictures(archive: Archive) -> Iterator[Picture]:
    """The pictures of an export, each checked. Errors: BadFile."""
    for name in archive.pictures():
        picture = Picture(name.removeprefix(PICTURES).removesuffix(".webp"), archive.whole(name))
        try:
            check_picture(picture)
        except BadRecord as error:
            raise unusable(f"{name} is not valid ({error})") from error
        yield picture


def _export_data(archive: Archive) -> ExportData:
    if not archive.manifest.secrets:
        return ExportData()
    try:
        export_data = msgspec.json.decode(archive.whole(SECRETS), type=ExportData)
        for throw in export_data.throws:
            if throw.command is not None:
                check_word(throw.command, "command id")
        for draft in export_data.drafts:
            check_draft(draft)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, BadRecord) as error:
        raise unusable(f"{SECRETS} is not valid ({error})") from error
    named = (
        [seed.session for seed in export_data.seeds],
        [(throw.session, throw.number) for throw in export_data.throws],
        [
            (throw.session, throw.command)
            for throw in export_data.throws
            if throw.command is not None
        ],
        [(draft.seat, draft.key) for draft in export_data.drafts],
    )
    if any(len(set(names)) != len(names) for names in named):
        raise unusable(f"{SECRETS} has an item twice")
    return export_data
