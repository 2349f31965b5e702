"""The contract of every store for a removed campaign: nothing of it stays."""

from kitchentable.store import (
    Append,
    Draft,
    IndexedEvent,
    Picture,
    Snapshot,
    Store,
    Token,
    picture_id,
)
from tests.store.samples import HARBOUR, TIME, founded, new


def test_nothing_of_a_removed_campaign_stays(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c2", [new("a")]))
    store.reserve("harbour", 1, "c3")
    store.put_seed("harbour", 1, b"s" * 32)
    store.put_draft(Draft("harbour", "mara", "sheet", b"{}", TIME))
    token = Token("ab" * 32, "seat", TIME, campaign="harbour", seat="mara")
    store.put_token(token)
    body = b"RIFF\x04\x00\x00\x00WEBP"
    store.put_picture("harbour", Picture(picture_id(body), body))
    store.put_snapshot(Snapshot("harbour", 2, 1, b"{}"))
    store.index("harbour", [IndexedEvent(2, ("a",), {"all": ("fog",)})])
    store.remove("harbour")
    assert store.campaigns() == []
    assert store.read("harbour") == []
    assert store.recorded("harbour", "c2") == ()
    assert store.seed("harbour", 1) is None
    assert store.snapshot("harbour") is None
    assert store.indexed("harbour") == 0
    assert store.find("harbour", ["a"], ["fog"]) == []
    assert store.picture("harbour", picture_id(body)) is None
    assert store.export_data("harbour").drafts == ()
    assert store.token(token.hash, TIME) is None
    store.remove("harbour")
    store.put_campaign(HARBOUR)
    assert store.latest("harbour") == 0
    assert store.reserve("harbour", 1, "c3") == 1
