"""Everything that a server has recorded, carried from one database to another."""

from collections.abc import Callable
from functools import partial
from itertools import zip_longest

from kitchentable.store.errors import BadRecord, StoreError
from kitchentable.store.exchange import pictures_of, read_on
from kitchentable.store.rows import CampaignEntry
from kitchentable.store.sql import Store


def move(
    source: Store, target: Store, each: Callable[[CampaignEntry], None] = lambda entry: None
) -> int:
    """Copy all campaigns, keys, seeds, drafts, pictures and settings; gives how many campaigns.

    The index of words is made again where it is used. `each` is told of each campaign before it is
    copied. In the end both are compared, and the source is left as it is.

    Errors: `BadRecord` ``store/not-empty`` for a target that holds something; `StoreError`
    ``store/changed`` when somebody wrote to one of the two meanwhile.
    """
    if target.campaigns() or target.settings():
        raise BadRecord(
            "The target holds campaigns or settings already, and is left as it is. Name an empty "
            "one.",
            code="store/not-empty",
        )
    entries = source.campaigns()
    for entry in entries:
        each(entry)
        rows = partial(read_on, source, entry.id, source.latest(entry.id))
        pictures = partial(pictures_of, source, entry.id)
        target.adopt(entry, rows, source.export_data(entry.id), pictures)
        snapshot = source.snapshot(entry.id)
        if snapshot is not None:
            target.put_snapshot(snapshot)
    for campaign in (None, *(entry.id for entry in entries)):
        for token in source.tokens(campaign):
            target.put_token(token)
    for name, value in source.settings().items():
        target.put_setting(name, value)
    for entry in entries:
        _compare(source, target, entry.id)
    if source.campaigns() != target.campaigns() or source.settings() != target.settings():
        raise _changed()
    return len(entries)


def _compare(source: Store, target: Store, campaign: str) -> None:
    """Check that a campaign is the same in both. Errors: `StoreError`."""
    ends = [(source, source.latest(campaign)), (target, target.latest(campaign))]
    rows = [read_on(store, campaign, last) for store, last in ends]
    same = all(one == other for one, other in zip_longest(*rows))
    if not (
        same
        and source.export_data(campaign) == target.export_data(campaign)
        and source.picture_ids(campaign) == target.picture_ids(campaign)
        and source.tokens(campaign) == target.tokens(campaign)
    ):
        raise _changed()


def _changed() -> StoreError:
    return StoreError(
        "The two databases differ, because somebody wrote to one of them meanwhile. Stop every "
        "server of both, empty the target, and move again.",
        code="store/changed",
    )
