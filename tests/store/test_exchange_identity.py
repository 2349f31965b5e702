"""Export and import give the identical campaign, for any events."""

import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.store import (
    Append,
    CampaignEntry,
    Draft,
    MemoryStore,
    NewRow,
    Store,
    export_campaign,
    import_campaign,
    read_journal,
)
from kitchentable.store.places import open_place
from tests.postgres import empty

_MIN = datetime(1000, 1, 1)  # noqa: DTZ001 - the strategy adds the time zone
EXPORTED = "2026-11-21T19:30:00Z"

texts = st.text(st.characters(codec="utf-8"), max_size=20)
words = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A JSON object as any program might have written it: spaces, escapes and order its own."""
    wide = draw(st.booleans())
    body = json.dumps(
        draw(st.dictionaries(texts, values, max_size=4)),
        ensure_ascii=draw(st.booleans()),
        separators=(" , ", ":  ") if wide else (",", ":"),
    )
    return body.encode()


@st.composite
def times(draw: st.DrawFn) -> str:
    moment = draw(st.datetimes(_MIN, timezones=st.just(UTC)))
    digits = draw(st.integers(0, 6))
    fraction = f".{moment.microsecond:06}"[: digits + 1] if digits else ""
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


rows = st.builds(NewRow, times(), words, bodies())
commands = st.lists(st.tuples(words, st.lists(rows, min_size=1, max_size=3)), max_size=6)


@st.composite
def played(draw: st.DrawFn) -> MemoryStore:
    """A campaign with any rows, throws, seeds and drafts."""
    store = MemoryStore()
    archived = draw(st.none() | times())
    title = draw(texts.map(lambda text: text.replace("\0", "")).filter(bool))
    store.put_campaign(CampaignEntry("harbour", title, draw(words), draw(times()), archived))
    for command, new in draw(commands):
        store.append(Append("harbour", store.latest("harbour"), command, new))
    for session in draw(st.lists(st.integers(1, 9), max_size=4)):
        store.reserve("harbour", session, draw(st.none() | words))
    for session in draw(st.sets(st.integers(1, 9), max_size=3)):
        store.put_seed("harbour", session, draw(st.binary(max_size=40)))
    for seat in draw(st.sets(words, max_size=2)):
        draft = Draft("harbour", seat, draw(words), draw(st.binary(max_size=40)), draw(times()))
        store.put_draft(draft)
    return store


def same(one: Store, other: Store) -> None:
    assert other.campaigns() == one.campaigns()
    assert other.read("harbour") == one.read("harbour")
    assert other.export_data("harbour") == one.export_data("harbour")
    for row in one.read("harbour"):
        assert other.recorded("harbour", row.command) == one.recorded("harbour", row.command)


def identical(store: MemoryStore, place: str) -> None:
    """Check that a campaign is the same after an export, and an import into the store there."""
    with TemporaryDirectory() as folder:
        files = (Path(folder) / f"{number}.zip" for number in count())
        first = next(files)
        export_campaign(store, "harbour", first, exported=EXPORTED, secrets=True)
        assert list(read_journal(first)) == store.read("harbour")

        memory = MemoryStore()
        import_campaign(memory, first)
        same(store, memory)

        disk = open_place(place or Path(folder) / "campaigns.db")
        import_campaign(disk, first)
        same(store, disk)
        second = next(files)
        export_campaign(disk, "harbour", second, exported=EXPORTED, secrets=True)
        disk.close()
        assert second.read_bytes() == first.read_bytes()


@pytest.mark.slow
@given(played())
@settings(max_examples=20)
def test_an_export_and_its_import_are_the_identical_campaign(store: MemoryStore):
    identical(store, "")


@given(store=played())
@settings(max_examples=8)
def test_they_are_in_postgresql_too(postgres_schema: str, store: MemoryStore):
    empty(postgres_schema)
    identical(store, postgres_schema)
