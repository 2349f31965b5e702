"""The contract of every store for snapshots: the newest of recorded events is kept."""

from kitchentable.store import Append, Snapshot, Store
from tests.store.samples import founded, new


def test_the_newest_snapshot_is_kept(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c2", [new("a"), new("b")]))
    assert store.snapshot("harbour") is None
    first, second = Snapshot("harbour", 1, 1, b"one"), Snapshot("harbour", 3, 1, b"three")
    for put, kept in ((first, first), (second, second), (first, second)):
        store.put_snapshot(put)
        assert store.snapshot("harbour") == kept
    again = Snapshot("harbour", 3, 2, b"anew")
    store.put_snapshot(again)
    assert store.snapshot("harbour") == again


def test_a_snapshot_of_what_is_not_recorded_is_passed_over(store: Store):
    founded(store)
    store.put_snapshot(Snapshot("harbour", 2, 1, b"{}"))
    store.put_snapshot(Snapshot("nowhere", 1, 1, b"{}"))
    assert store.snapshot("harbour") is None
    assert store.snapshot("nowhere") is None


def test_an_imported_campaign_comes_without_a_snapshot(store: Store):
    founded(store)
    store.put_snapshot(Snapshot("harbour", 1, 1, b"{}"))
    rows, entry = store.read("harbour"), store.campaign("harbour")
    data = store.export_data("harbour")
    store.remove("harbour")
    store.adopt(entry, lambda: rows, data)
    assert store.snapshot("harbour") is None
