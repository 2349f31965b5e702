"""Moves all data of a server from one database to another."""

from functools import partial
from itertools import zip_longest

from kitchentable.store.errors import BadRecord, StoreError
from kitchentable.store.exchange import pictures_of, read_on
from kitchentable.store.sql import Store


def move(source: Store, target: Store) -> int:
    """Copy all campaigns, keys, seeds, drafts, pictures and settings; gives how many campaigns.

    The index of words is not copied but rebuilt when needed. At the end both databases are
    compared; the source is not changed. An interrupted move continues with the missing campaigns.

    Errors: `BadRecord` ``store/not-empty`` for a target that holds something else; `StoreError`
    ``store/changed`` when somebody wrote to one of the two meanwhile.
    """
    entries = source.campaigns()
    there = {entry.id for entry in target.campaigns()}
    if (
        there - {entry.id for entry in entries}
        or target.settings().keys() - source.settings().keys()
        or not all(_is_same(source, target, campaign) for campaign in there)
    ):
        raise BadRecord(
            "The target already has other campaigns or settings and was not changed. Choose an "
            "empty database.",
            code="store/not-empty",
        )
    for entry in entries:
        if entry.id in there:
            continue
        rows = partial(read_on, source, entry.id, source.latest(entry.id))
        pictures = partial(pictures_of, source, entry.id)
        target.adopt(entry, rows, source.export_data(entry.id), pictures)
    for entry in entries:
        snapshot = source.snapshot(entry.id)
        if snapshot is not None:
            target.put_snapshot(snapshot)
    for campaign in (None, *(entry.id for entry in entries)):
        for token in source.tokens(campaign):
            target.put_token(token)
    for name, value in source.settings().items():
        target.put_setting(name, value)
    if (
        source.campaigns() != target.campaigns()
        or source.settings() != target.settings()
        or any(source.tokens(entry.id) != target.tokens(entry.id) for entry in entries)
        or not all(_is_same(source, target, entry.id) for entry in entries)
    ):
        raise StoreError(
            "The two databases differ because one of them was changed during the move. Stop "
            "every server of both, empty the target, and move again.",
            code="store/changed",
        )
    return len(entries)


def _is_same(source: Store, target: Store, campaign: str) -> bool:
    """Whether both have the same events, secrets, drafts and pictures of a campaign."""
    ends = [(source, source.latest(campaign)), (target, target.latest(campaign))]
    rows = [read_on(store, campaign, last) for store, last in ends]
    return (
        all(one == other for one, other in zip_longest(*rows))
        and source.export_data(campaign) == target.export_data(campaign)
        and source.picture_ids(campaign) == target.picture_ids(campaign)
    )
