"""The event store: each campaign's events in order, on disk before they are announced.

`open_store` opens one SQLite file, `open_place` a file or a PostgreSQL database, and `MemoryStore`
is in memory; each is a `Store`. A store has rows of JSON with a number, a command, a time and a
kind, and does not depend on games.
"""

from kitchentable.store.archive import Manifest
from kitchentable.store.backups import BACKUPS, Generation, Keep, backups_folder, generations
from kitchentable.store.checks import picture_id
from kitchentable.store.copies import restore
from kitchentable.store.errors import BadFile, BadRecord, Conflict, KeyEnded, StoreError
from kitchentable.store.exchange import export_campaign, import_campaign
from kitchentable.store.journal import read_journal
from kitchentable.store.memory import MemoryStore
from kitchentable.store.moving import move
from kitchentable.store.places import is_address, open_place
from kitchentable.store.rows import (
    AlreadyDone,
    Append,
    Appended,
    CampaignEntry,
    Draft,
    ExportData,
    IndexedEvent,
    NewRow,
    Picture,
    Row,
    Seed,
    Snapshot,
    Throw,
    Token,
)
from kitchentable.store.sql import Store
from kitchentable.store.sqlite import SqliteStore, open_store

__all__ = [
    "BACKUPS",
    "AlreadyDone",
    "Append",
    "Appended",
    "BadFile",
    "BadRecord",
    "CampaignEntry",
    "Conflict",
    "Draft",
    "ExportData",
    "Generation",
    "IndexedEvent",
    "Keep",
    "KeyEnded",
    "Manifest",
    "MemoryStore",
    "NewRow",
    "Picture",
    "Row",
    "Seed",
    "Snapshot",
    "SqliteStore",
    "Store",
    "StoreError",
    "Throw",
    "Token",
    "backups_folder",
    "export_campaign",
    "generations",
    "import_campaign",
    "is_address",
    "move",
    "open_place",
    "open_store",
    "picture_id",
    "read_journal",
    "restore",
]
