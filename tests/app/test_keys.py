"""Keys: unguessable, stored as hashes, and valid for one purpose only."""

import re

import pytest

from kitchentable.app import keys
from kitchentable.app.keys import PURPOSES, KeyRing, digest, new_id
from kitchentable.store import CampaignEntry, MemoryStore
from kitchentable.store.errors import KeyEnded


class Clock:
    def __init__(self):
        self.hour = 19

    def __call__(self):
        return f"2026-11-21T{self.hour:02}:00:00.000000Z"


@pytest.fixture
def store():
    store = MemoryStore()
    for name in ("salt", "pepper"):
        store.put_campaign(CampaignEntry(name, name, "coin", "2026-11-21T18:00:00Z"))
    return store


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ring(store, clock):
    return KeyRing(store, clock)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_key_opens_what_it_is_for(ring, purpose):
    key = ring.issue(purpose, "salt", "s-mara")
    assert re.fullmatch(r"[\w-]{32}", key), "24 bytes: 192 bits"
    token = ring.open(key, purpose)
    assert (token.campaign, token.seat, token.purpose) == ("salt", "s-mara", purpose)
    others = [other for other in PURPOSES if other != purpose]
    assert ring.open(key, *others) is None


def test_the_store_never_sees_a_key(ring, store):
    keys = [ring.issue("seat", "salt", "s-mara") for _ in range(20)]
    kept = repr(store.tokens("salt"))
    assert len(set(keys)) == 20
    assert not [key for key in keys if key in kept]
    assert all(digest(key) in kept for key in keys)


@pytest.mark.parametrize(
    "nonsense", ["", "x", "a" * 31, "a" * 33, "a" * 32, "../../etc", "é" * 32, "a" * 31 + "\n"]
)
def test_nonsense_opens_nothing(ring, nonsense):
    assert ring.open(nonsense, *PURPOSES) is None
    assert ring.spend(nonsense, "host-link") is None


def test_a_hash_is_no_key(ring):
    key = ring.issue("host")
    assert ring.open(digest(key)[:32], "host") is None


def test_a_one_time_key_opens_once(ring):
    key = ring.issue("host-link")
    assert ring.spend(key, "host-link") is not None
    assert ring.spend(key, "host-link") is None
    assert ring.open(key, "host-link") is None


def test_spending_for_another_purpose_leaves_the_key_whole(ring):
    key = ring.issue("host-link")
    assert ring.spend(key, "seat-link") is None
    assert ring.spend(key, "host-link") is not None


def test_a_key_with_hours_ends_by_itself(ring, clock):
    key = ring.issue("join", "salt", hours=2)
    clock.hour = 20
    assert ring.open(key, "join") is not None
    clock.hour = 21
    assert ring.open(key, "join") is None


def test_ending_a_key_ends_that_one(ring):
    one, other = ring.issue("join", "salt"), ring.issue("join", "salt")
    ring.end(one)
    assert (ring.open(one, "join"), ring.open(other, "join") is None) == (None, False)


def test_a_key_is_issued_only_to_a_key_in_force(ring):
    link = ring.issue("seat-link", "salt", "s-mara")
    assert ring.open(ring.issue("seat", "salt", "s-mara", holder=digest(link)), "seat")
    ring.end(link)
    with pytest.raises(KeyEnded):
        ring.issue("seat", "salt", "s-mara", holder=digest(link))


def test_links_to_the_host_end_together(ring):
    links, device = [ring.issue("host-link") for _ in range(3)], ring.issue("host")
    ring.end_purpose("host-link")
    assert [ring.open(link, "host-link") for link in links] == [None] * 3
    assert ring.open(device, "host")


def test_names_are_letters_and_digits():
    names = {new_id() for _ in range(1000)}
    assert len(names) == 1000
    assert all(re.fullmatch(r"[A-Za-z0-9]{12}", name) for name in names)


def test_what_is_recalled_is_what_was_looked_up_until_it_is_looked_up_again(ring, store):
    key = ring.issue("seat", "salt", "s-mara")
    assert ring.recall(key, "seat") == ring.open(key, "seat")
    assert ring.recall(key, "host") is None
    KeyRing(store, lambda: "2026-11-21T20:00:00Z").end(key)
    assert ring.recall(key, "seat"), "nobody has looked"
    assert ring.open(key, "seat") is None
    assert ring.recall(key, "seat") is None
    for nonsense in ("", "x" * 31, "x" * 32):
        assert ring.recall(nonsense, "seat") is None


def test_a_key_with_hours_is_never_recalled_beyond_them(ring, clock):
    key = ring.issue("seat", "salt", "s-mara", hours=2)
    assert ring.recall(key, "seat")
    clock.hour = 21
    assert ring.recall(key, "seat") is None


def test_only_so_many_keys_are_remembered(ring, store, monkeypatch):
    looked_up = []
    read = store.token
    monkeypatch.setattr(store, "token", lambda *of: looked_up.append(of) or read(*of))
    for most, times in ((3, 20), (30, 10)):
        monkeypatch.setattr(keys, "MOST_REMEMBERED", most)
        cut = [ring.issue("seat", "salt", "s-mara") for _ in range(10)]
        looked_up.clear()
        assert all(ring.recall(key, "seat") for key in cut * 2)
        assert len(looked_up) == times
