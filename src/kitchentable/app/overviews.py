"""Summaries of campaigns for the host's home page, read without opening the campaigns."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.app.held import Held, saved_tree
from kitchentable.app.table import NoSuchCampaign, Tables
from kitchentable.rules.values import GM
from kitchentable.store.errors import StoreError

log = logging.getLogger("kitchentable.app")


@dataclass(frozen=True, slots=True)
class Overview:
    """A campaign after event `number`: its players, their characters, and the event's time."""

    number: int
    title: str
    game: str
    version: str
    players: tuple[str, ...]
    people: tuple[str, ...]
    session: int
    waiting: int
    last: str


def overview_of(tables: Tables, campaign: str) -> Overview:
    """A campaign's overview, from memory, its snapshot or its log, in this order.

    Use it in a thread: it may read a long log. Errors: NoSuchCampaign; those of its events.
    """
    store = tables.store
    latest = store.latest(campaign)
    last = store.read(campaign, latest - 1, 1)
    if not last:
        raise NoSuchCampaign("There is no such campaign here.")
    return _overview(_tree(tables, campaign, latest), latest, last[0].time)


def _tree(tables: Tables, campaign: str, latest: int) -> Mapping[str, Any]:
    """The facts of a campaign after its latest event; saved as a snapshot if read from the log."""
    open_now = tables.known(campaign)
    if open_now is not None and open_now.number == latest:
        return open_now.tree
    number, tree = saved_tree(tables.store, campaign)
    if number == latest:
        return tree
    held = Held(tables.store, campaign)
    held.catch_up()
    if held.campaign is None:
        raise NoSuchCampaign("There is no such campaign here.")
    snapshot = held.snapshot()
    if snapshot is not None:
        try:
            tables.store.put_snapshot(snapshot)
        except StoreError as error:
            # A snapshot only saves time: a full disk or one without write access can be read.
            log.info("The state of campaign %s could not be saved: %s", campaign, error)
    return held.campaign.tree


def _overview(tree: Mapping[str, Any], number: int, last: str) -> Overview:
    seats = [
        (seat["name"], seat["role"], seat.get("state", "seated")) for seat in tree["seats"].values()
    ]
    return Overview(
        number=number,
        title=str(tree["title"]),
        game=str(tree["game"]),
        version=str(tree["game_version"]),
        players=tuple(
            name for name, role, state in seats if state == "seated" and role == "player"
        ),
        people=tuple(
            one["name"]
            for one in tree["entities"].values()
            if one["owner"] != GM and one.get("stage", "play") == "play" and not one.get("hidden")
        ),
        session=int(tree["session"]["number"]),
        waiting=sum(1 for _, _, state in seats if state == "waiting"),
        last=last,
    )
