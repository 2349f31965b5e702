"""Reads the events of other servers of the same database, and tracks who is present."""

from __future__ import annotations

import asyncio
import itertools
import logging

from kitchentable.app.table import Tables
from kitchentable.campaign.errors import BadEvent
from kitchentable.store.events import NEWS

log = logging.getLogger("kitchentable.app")


async def attend(tables: Tables) -> None:
    """Follow the records and messages of the other servers until cancelled."""
    hub, others = tables.hub, tables.others
    hub.tell = others.tell
    others.hear("here", hub.set_elsewhere)
    others.hear("drop", lambda _, *words: hub.drop(*words))
    others.hear("gone", lambda _, campaign: tables.forget(campaign))

    async def catch_up(due: set[str], whole: bool) -> None:
        await read_news(tables, due.union(hub.followed()) if whole else due)

    await others.attend(catch_up, hub.greet, hub.lost)


async def read_news(tables: Tables, wanted: set[str]) -> None:
    """Read the new events of other servers for those of these campaigns that are in memory."""
    after = {one: held.number for one in wanted if (held := tables.held(one)) is not None}
    if not after:
        return
    rows = await asyncio.to_thread(tables.store.news, after)
    tables.counts["news"] += len(rows)
    for campaign, some in itertools.groupby(rows, key=lambda row: row.campaign):
        held = tables.held(campaign)
        if held is None:
            continue
        try:
            held.apply_rows(list(some))
        except BadEvent as error:
            # A newer version wrote it: let each page ask again and get that error.
            log.warning("Campaign %s cannot be read any more: %s", campaign, error)
            tables.forget(campaign, "closing")
            continue
        tables.hub.publish(campaign)
        if held.number - after[campaign] >= NEWS:
            tables.others.mark(campaign)
