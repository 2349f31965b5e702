"""Archiving, restoring and removing campaigns; the export of a removed one is kept for days."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from kitchentable.app.server import Server
from kitchentable.app.table import NoSuchCampaign
from kitchentable.store import (
    BACKUPS,
    CampaignEntry,
    export_campaign,
)
from kitchentable.store.durable import cannot_write

#: Days for which the export of a removed campaign is kept, next to the backups.
KEPT = timedelta(days=90)
_REMOVED = ".removed.zip"


def archive(server: Server, campaign: str) -> None:
    """Archive a campaign: it is no longer on the host's page, and all of its data is kept."""
    server.store.put_campaign(replace(_entry(server, campaign), archived=server.tables.clock()))


def unarchive(server: Server, campaign: str) -> None:
    """Restore an archived campaign to the host's page. Errors: NoSuchCampaign."""
    server.store.put_campaign(replace(_entry(server, campaign), archived=None))


def remove(server: Server, campaign: str) -> Path | None:
    """Remove a campaign; return the path of its export, which is kept for KEPT days. The path is
    None for a server without a folder. Call this in a thread, then `Tables.removed` in the event
    loop's thread. Errors: NoSuchCampaign, StoreError.
    """
    _entry(server, campaign)
    kept = _keep(server, campaign)
    server.store.remove(campaign)
    hooks = server.webhooks.hooks
    for hook in hooks.of(campaign):
        hooks.remove(campaign, hook.id)
    return kept


def _entry(server: Server, campaign: str) -> CampaignEntry:
    entry = server.store.campaign(campaign)
    if entry is None:
        raise NoSuchCampaign("There is no such campaign on this server.")
    return entry


def _keep(server: Server, campaign: str) -> Path | None:
    if server.folder is None:
        return None
    folder = server.folder / BACKUPS
    now = datetime.fromisoformat(server.tables.clock())
    file = folder / f"{campaign}.{now:%Y%m%dT%H%M%S.%f}{_REMOVED}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"*{_REMOVED}"):
            if now - datetime.fromtimestamp(old.stat().st_mtime, now.tzinfo) > KEPT:
                old.unlink()
    except OSError as error:
        raise cannot_write(file, error) from error
    server.tables.dice_sources.put_back(campaign)
    export_campaign(server.store, campaign, file, secrets=True, damaged=True)
    return file
