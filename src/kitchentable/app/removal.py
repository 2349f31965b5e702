"""Campaigns archived and restored, or removed with an export that is kept for some days."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from kitchentable.app.house import House
from kitchentable.app.table import NoSuchCampaign
from kitchentable.store import (
    CampaignEntry,
    SqliteStore,
    backups_folder,
    export_campaign,
)

#: How long the export of a removed campaign is kept beside the backups.
KEPT = timedelta(days=90)
_REMOVED = ".removed.zip"


def put_away(house: House, campaign: str) -> None:
    """Archive a campaign: it leaves the host's page, and everything in it is kept."""
    house.store.put_campaign(replace(_entry(house, campaign), archived=house.tables.clock()))


def fetch(house: House, campaign: str) -> None:
    """Restore an archived campaign to the host's page. Errors: NoSuchCampaign."""
    house.store.put_campaign(replace(_entry(house, campaign), archived=None))


def remove(house: House, campaign: str) -> Path | None:
    """Remove a campaign; gives the path of its export, which is kept for KEPT days.

    A store in memory keeps no file. Call this in a thread, and `Tables.forget` afterwards in the
    event loop's thread. Errors: NoSuchCampaign, StoreError.
    """
    _entry(house, campaign)
    kept = _keep(house, campaign)
    house.store.remove(campaign)
    return kept


def _entry(house: House, campaign: str) -> CampaignEntry:
    entry = house.store.campaign(campaign)
    if entry is None:
        raise NoSuchCampaign("There is no such campaign here.")
    return entry


def _keep(house: House, campaign: str) -> Path | None:
    if not isinstance(house.store, SqliteStore):
        return None
    folder = backups_folder(house.store.path)
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.fromisoformat(house.tables.clock())
    for old in folder.glob(f"*{_REMOVED}"):
        if now - datetime.fromtimestamp(old.stat().st_mtime, now.tzinfo) > KEPT:
            old.unlink()
    file = folder / f"{campaign}.{now:%Y%m%dT%H%M%S.%f}{_REMOVED}"
    house.tables.dice_sources.put_back(campaign)
    export_campaign(house.store, campaign, file, secrets=True)
    return file
