"""The contract of every store for keys, secrets, drafts and whole campaigns."""

import hashlib
import threading
from dataclasses import replace

import msgspec
import pytest

from kitchentable.store import (
    AlreadyDone,
    Append,
    BadRecord,
    CampaignEntry,
    Draft,
    ExportData,
    Row,
    Seed,
    Store,
    Throw,
    Token,
)
from kitchentable.store.errors import Conflict, KeyEnded
from tests.store.samples import HARBOUR, LATER, TIME, founded, new

BEFORE = "2026-11-21T19:00:00Z"


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


ANNA = Token(hashed("anna's phone"), "device", TIME, "harbour", "anna", "a phone")
HOST = Token(hashed("host"), "host", TIME)


def test_a_key_is_found_by_its_hash(store: Store):
    founded(store)
    store.put_token(ANNA)
    store.put_token(HOST)
    assert store.token(ANNA.hash, LATER) == ANNA
    assert store.token(HOST.hash, LATER) == HOST
    assert store.token(hashed("nobody"), LATER) is None
    assert store.tokens("harbour") == [ANNA]
    assert store.tokens(None) == [HOST]
    assert store.tokens("tower") == []
    asked = [ANNA.hash, hashed("nobody"), HOST.hash, *(hashed(f"{n}") for n in range(700))]
    assert store.in_force(asked, LATER) == {ANNA.hash, HOST.hash}
    store.revoke_token(HOST.hash, LATER)
    assert store.in_force(asked, LATER) == {ANNA.hash}
    assert store.in_force((), LATER) == set()


def test_a_key_as_it_is_cannot_be_stored(store: Store):
    founded(store)
    for wrong in ("anna's phone", ANNA.hash.upper(), ANNA.hash[:-1], ANNA.hash + "0"):
        with pytest.raises(BadRecord) as caught:
            store.put_token(replace(ANNA, hash=wrong))
        assert caught.value.code == "store/token-not-hashed"
        assert wrong not in str(caught.value)


def test_a_key_is_never_changed(store: Store):
    founded(store)
    store.put_token(ANNA)
    store.put_token(ANNA)
    with pytest.raises(BadRecord) as caught:
        store.put_token(replace(ANNA, seat="gm"))
    assert caught.value.code == "store/token-known"
    assert store.token(ANNA.hash, LATER) == ANNA


def test_a_key_expires(store: Store):
    founded(store)
    store.put_token(replace(ANNA, expires="2026-11-21T20:30:00Z"))
    assert store.token(ANNA.hash, "2026-11-21T20:29:59.999Z") is not None
    assert store.token(ANNA.hash, "2026-11-21T20:30:00Z") is None
    assert store.token(ANNA.hash, LATER) is None
    assert store.spend_token(ANNA.hash, LATER) is None


def test_a_key_is_revoked_alone_or_with_its_seat_by_the_step_that_ends_it(store: Store):
    founded(store)
    tablet = replace(ANNA, hash=hashed("anna's tablet"), label="a tablet")
    bert = replace(ANNA, hash=hashed("bert"), seat="bert")
    for token in (ANNA, tablet, bert):
        store.put_token(token)
    assert store.revoke_token(ANNA.hash, LATER)
    assert not store.revoke_token(ANNA.hash, LATER)
    assert not store.revoke_token(hashed("nobody"), LATER)
    assert store.token(ANNA.hash, LATER) is None
    assert store.token(tablet.hash, LATER) == tablet
    with pytest.raises(Conflict):
        store.append(Append("harbour", 0, "over", [new()], end_keys_of=["anna"]))
    assert store.token(tablet.hash, LATER) == tablet
    store.append(Append("harbour", 1, "over", [new()], end_keys_of=["anna", "nobody"]))
    assert store.token(tablet.hash, LATER) is None
    assert store.token(bert.hash, LATER) == bert
    phone = replace(ANNA, hash=hashed("anna's new phone"), created=BEFORE)
    store.put_token(phone)
    assert isinstance(
        store.append(Append("harbour", 1, "over", [new()], end_keys_of=["anna"])), AlreadyDone
    )
    assert store.token(phone.hash, LATER) == phone, "it was issued since, whatever its clock says"
    store.append(Append("harbour", 2, "two", [new(), new()], end_keys_of=["anna"]))
    assert store.token(phone.hash, LATER) is None


def test_a_key_is_issued_only_while_its_holders_is_in_force(store: Store):
    founded(store)
    store.put_token(ANNA)
    tablet = replace(ANNA, hash=hashed("anna's tablet"), label="a tablet")
    store.revoke_token(ANNA.hash, LATER)
    for holder in (ANNA.hash, hashed("nobody")):
        with pytest.raises(KeyEnded):
            store.put_token(tablet, holder=holder)
    assert store.token(tablet.hash, LATER) is None
    store.put_token(HOST)
    store.put_token(tablet, holder=HOST.hash)
    assert store.token(tablet.hash, LATER) == tablet


def test_a_one_time_key_is_spent_by_one_asker(store: Store):
    store.put_token(HOST)
    got: list[Token | None] = []
    threads = [
        threading.Thread(target=lambda: got.append(store.spend_token(HOST.hash, LATER)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 8
    assert [token for token in got if token is not None] == [HOST]
    assert store.spend_token(HOST.hash, LATER) is None


@pytest.mark.parametrize(
    "wrong",
    [
        replace(ANNA, campaign=None),
        replace(ANNA, campaign="tower"),
        replace(ANNA, seat="two words"),
        replace(ANNA, purpose=""),
        replace(ANNA, created="now"),
        replace(ANNA, expires="never"),
        replace(ANNA, label="x" * 501),
    ],
)
def test_bad_keys_are_refused(store: Store, wrong: Token):
    founded(store)
    with pytest.raises(BadRecord):
        store.put_token(wrong)
    assert store.tokens("harbour") == []


def test_a_seed_is_kept_and_never_changed(store: Store):
    founded(store)
    assert store.seed("harbour", 1) is None
    store.put_seed("harbour", 1, b"\0secret\xff")
    store.put_seed("harbour", 1, b"\0secret\xff")
    with pytest.raises(BadRecord) as caught:
        store.put_seed("harbour", 1, b"better for me")
    assert caught.value.code == "store/seed-known"
    assert store.seed("harbour", 1) == b"\0secret\xff"
    assert store.seed("harbour", 2) is None
    with pytest.raises(BadRecord):
        store.put_seed("tower", 1, b"x")
    with pytest.raises(BadRecord):
        store.put_seed("harbour", 0, b"x")


def test_settings_are_kept_and_the_first_may_win(store: Store):
    assert store.setting("csrf") is None
    assert store.keep_setting("csrf", b"one") == b"one"
    assert store.keep_setting("csrf", b"two") == b"one"
    store.put_setting("csrf", b"three")
    assert store.setting("csrf") == b"three"
    store.put_setting("a", b"\0")
    assert list(store.settings().items()) == [("a", b"\0"), ("csrf", b"three")]
    with pytest.raises(BadRecord):
        store.put_setting("two words", b"")


def test_drafts_are_kept_per_seat_and_key(store: Store):
    founded(store)
    first = Draft("harbour", "anna", "sheet", b"traits=9&name=", TIME)
    store.put_draft(first)
    store.put_draft(replace(first, seat="bert", body=b"other"))
    assert store.draft("harbour", "anna", "sheet") == first
    newer = replace(first, body=b"\xff anything", saved=LATER)
    store.put_draft(newer)
    store.put_draft(replace(first, key="note"))
    bert = replace(first, seat="bert", body=b"other")
    assert store.export_data("harbour").drafts == (replace(first, key="note"), newer, bert)
    for wrong in (
        replace(first, campaign="tower"),
        replace(first, seat=""),
        replace(first, key="two words"),
        replace(first, saved="now"),
        replace(first, body=b"x" * ((1 << 20) + 1)),
    ):
        with pytest.raises(BadRecord):
            store.put_draft(wrong)


def test_a_whole_campaign_is_taken_in_or_not_at_all(store: Store):
    founded(store)
    rows = [
        Row("harbour", number, command, TIME, "said", b"{}")
        for number, command in ((1, "c1"), (2, "c2"), (3, "c2"))
    ]
    export_data = ExportData(
        seeds=(Seed(1, b"s"),),
        throws=(Throw(1, 1, "c1"), Throw(1, 2, None)),
        drafts=(Draft("harbour", "anna", "sheet", b"x", TIME),),
    )
    with pytest.raises(BadRecord) as caught:
        store.adopt(HARBOUR, lambda: rows, export_data)
    assert caught.value.code == "store/campaign-exists"
    assert store.latest("harbour") == 1

    copy = CampaignEntry("copy", "A copy", "toast", TIME)

    def breaking():
        yield from rows
        raise BadRecord("The file ends here.", code="store/bad-rows")

    with pytest.raises(BadRecord, match="ends here"):
        store.adopt(copy, breaking, export_data)
    assert store.campaign("copy") is None
    assert store.read("copy") == []

    store.adopt(copy, lambda: iter(rows), export_data)
    assert store.read("copy") == [msgspec.structs.replace(row, campaign="copy") for row in rows]
    assert [row.number for row in store.recorded("copy", "c2")] == [2, 3]
    assert store.export_data("copy") == replace(
        export_data, drafts=(replace(export_data.drafts[0], campaign="copy"),)
    )
    assert store.reserve("copy", 1) == 3
    assert store.reserve("copy", 1, "c1") == 1
    assert store.append(Append("copy", 3, "c4", [new()])).rows[0].number == 4
