"""Any steps on a store give what the model gives."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice.errors import KitchenTableError
from kitchentable.store import Append, Draft, IndexedEvent, Snapshot, Store, Token, open_place
from tests.postgres import empty
from tests.store.model import Model
from tests.store.samples import HARBOUR, LATER, TIME, new

CAMPAIGNS = st.sampled_from(["harbour", "tower", "nowhere"])
COMMANDS = st.sampled_from([f"c{number}" for number in range(6)])
SEATS = st.sampled_from(["anna", "ben"])
HASHES = st.sampled_from([letter * 64 for letter in "abc"])
SESSIONS, NUMBERS = st.integers(1, 2), st.integers(1, 4)
WORDS = st.lists(st.sampled_from(["salt", "saltmine", "road", "é"]), max_size=3, unique=True)

STEPS = st.one_of(
    st.tuples(
        st.just("append"),
        CAMPAIGNS,
        st.integers(-1, 0),
        COMMANDS,
        st.integers(1, 3),
        st.none() | SESSIONS,
        st.none() | HASHES,
        st.lists(SEATS, max_size=1),
    ),
    st.tuples(st.just("reserve"), CAMPAIGNS, SESSIONS, st.none() | COMMANDS),
    st.tuples(st.just("assign_throw"), CAMPAIGNS, SESSIONS, NUMBERS, st.just("c9")),
    st.tuples(st.just("return_throw"), CAMPAIGNS, SESSIONS, NUMBERS),
    st.tuples(st.just("key"), HASHES, CAMPAIGNS, SEATS, st.none() | HASHES),
    st.tuples(st.sampled_from(["token", "spend_token", "revoke_token"]), HASHES, st.just(LATER)),
    st.tuples(st.just("put_seed"), CAMPAIGNS, SESSIONS, st.binary(max_size=2)),
    st.tuples(st.just("keep_setting"), SEATS, st.binary(max_size=2)),
    st.tuples(st.just("put_setting"), SEATS, st.binary(max_size=2)),
    st.tuples(st.just("draft"), CAMPAIGNS, SEATS, st.binary(max_size=2)),
    st.tuples(st.just("snapshot"), CAMPAIGNS, NUMBERS),
    st.tuples(st.just("words"), CAMPAIGNS, WORDS),
    st.tuples(st.just("find"), CAMPAIGNS, WORDS, st.none() | NUMBERS, st.none() | NUMBERS),
    st.tuples(st.just("remove"), CAMPAIGNS),
)


def do(store: Store | Model, step: tuple) -> object:
    """What a step gives, or the code of its refusal."""
    match step:
        case ("append", campaign, back, command, rows, session, key, seats):
            known = store.campaign(campaign) is not None or campaign == "nowhere"
            return store.append(
                Append(
                    campaign,
                    max(0, store.latest(campaign) + back),
                    command,
                    [new(f"{command} {number}") for number in range(rows)],
                    entry=None if known else replace(HARBOUR, id=campaign),
                    next_throw_of=session,
                    key=key,
                    end_keys_of=seats,
                )
            )
        case ("key", hash, campaign, seat, holder):
            return store.put_token(Token(hash, "seat", TIME, campaign, seat), holder=holder)
        case ("draft", campaign, seat, body):
            return store.put_draft(Draft(campaign, seat, "sheet", body, TIME))
        case ("snapshot", campaign, number):
            return store.put_snapshot(Snapshot(campaign, number, 2, b"{}"))
        case ("words", campaign, words):
            number = store.indexed(campaign) + 1
            if number > store.latest(campaign):
                return None
            return store.index(campaign, [IndexedEvent(number, ("gsaid",), {"all": tuple(words)})])
        case ("find", campaign, words, after, before):
            return store.find(campaign, ["gsaid"], words, after=after, before=before, limit=2)
        case (name, *rest):
            return getattr(store, name)(*rest)


def told(store: Store | Model, step: tuple) -> object:
    try:
        return do(store, step)
    except KitchenTableError as refused:
        return refused.code


def held(store: Store | Model) -> object:
    """All that a store holds."""
    ids = ["harbour", "tower", "nowhere"]
    return (
        store.campaigns(),
        store.settings(),
        [store.tokens(one) for one in (None, *ids)],
        [(store.read(one), store.export_data(one), store.snapshot(one)) for one in ids],
        [store.indexed(one) for one in ids],
        sorted(store.news(dict.fromkeys(ids, 1)), key=lambda row: (row.campaign, row.number)),
    )


def alike(place: str, steps: list[tuple]) -> None:
    model = Model()
    with closing(open_place(place, software="1")) as store:
        for step in steps:
            assert told(store, step) == told(model, step), step
        assert held(store) == held(model)


MANY = st.lists(STEPS, min_size=10, max_size=40)


@given(MANY)
@settings(max_examples=15)
def test_sqlite_does_what_the_model_does(steps: list[tuple]):
    with TemporaryDirectory() as folder:
        alike(str(Path(folder) / "campaigns.db"), steps)


@pytest.mark.slow
@given(steps=MANY)
@settings(max_examples=15)
def test_postgresql_does_what_the_model_does(postgres_schema: str, steps: list[tuple]):
    empty(postgres_schema)
    alike(postgres_schema, steps)


@pytest.mark.soak
@given(steps=st.lists(STEPS, min_size=40, max_size=150))
@settings(max_examples=100)
def test_both_do_what_the_model_does(postgres_schema: str, steps: list[tuple]):
    empty(postgres_schema)
    alike(postgres_schema, steps)
    with TemporaryDirectory() as folder:
        alike(str(Path(folder) / "campaigns.db"), steps)
