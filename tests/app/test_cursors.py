"""Cursors: one entry gives one string, a place another each time, and neither reveals anything."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.app.cursors import BadCursor, Cursors
from kitchentable.campaign import commands as c
from tests.app.party import gather

OURS = Cursors(b"a secret of sixteen bytes or more")
NUMBERS = st.integers(0, 2**48 - 1)


@given(st.text(max_size=20), NUMBERS)
def test_a_cursor_opens_where_it_was_made(campaign, number):
    cursor = OURS.seal(campaign, number)
    assert OURS.seal(campaign, number) == cursor
    assert OURS.open(campaign, cursor) == number


@given(NUMBERS)
def test_a_cursor_opens_nowhere_else(number):
    cursor = OURS.seal("salt", number)
    with pytest.raises(BadCursor):
        OURS.open("pepper", cursor)
    with pytest.raises(BadCursor):
        Cursors(b"another secret, just as long").open("salt", cursor)


@given(st.text(max_size=20), NUMBERS)
def test_a_place_is_another_string_each_time_and_no_entry(campaign, number):
    places = {OURS.place(campaign, number) for _ in range(4)}
    assert len(places) == 4
    for place in places:
        assert OURS.open(campaign, place) == number
        with pytest.raises(BadCursor, match="Load the log again"):
            OURS.open_entry(campaign, place)
        with pytest.raises(BadCursor):
            OURS.open(campaign + "x", place)
    assert OURS.open_entry(campaign, OURS.seal(campaign, number)) == number


@given(st.text() | st.binary().map(lambda raw: raw.hex()))
def test_what_we_never_gave_out_is_refused_in_a_sentence(cursor):
    with pytest.raises(BadCursor, match="Load the log again"):
        OURS.open("salt", cursor)


@given(NUMBERS, st.data())
def test_a_changed_cursor_is_refused(number, data):
    cursor = OURS.seal("salt", number)
    place = data.draw(st.integers(0, len(cursor) - 1))
    letter = data.draw(st.sampled_from("abcXYZ019-_").filter(lambda one: one != cursor[place]))
    with pytest.raises(BadCursor):
        OURS.open("salt", cursor[:place] + letter + cursor[place + 1 :])


def test_neighbours_have_nothing_in_common():
    """Two places after each other agree in about as many letters as two random strings do."""
    cursors = [OURS.seal("salt", number) for number in range(400)]
    same = sum(
        a == b for one, two in itertools.pairwise(cursors) for a, b in zip(one, two, strict=True)
    )
    # 399 pairs of 24 letters, each equal by chance in 1 of 64: 150 expected, deviation 12.
    assert 60 < same < 240
    assert len(set(cursors)) == 400
    assert {len(cursor) for cursor in cursors} == {24}


async def test_nothing_is_made_of_an_event_that_a_seat_may_not_know(monkeypatch):
    party = await gather()
    for number in range(3):
        await party.do(c.SetNote, party.ida, which="gm", text=f"secret {number}")
    await party.do(c.Say, party.mara, text="aloud")
    sealed = []
    seal = party.server.tables.cursors.seal
    monkeypatch.setattr(
        party.server.tables.cursors,
        "seal",
        lambda of, number: sealed.append(number) or seal(of, number),
    )
    projection = party.server.projections.of(party.campaign, party.mara)
    told = list(projection.entries_of(party.log))
    assert told[-1].text == "aloud"
    assert len(sealed) == len(told) == len(party.log) - 3


async def test_where_the_log_ends_does_not_tell_whether_anything_hidden_has_happened():
    """A cursor that changed, or was that of the last entry, would tell it."""
    party = await gather()
    projections = party.server.projections
    told, cursors = [], []
    for hidden in (False, False, True):
        if hidden:
            await party.do(c.SetNote, party.ida, which="gm", text="A secret")
        mara = projections.of(party.campaign, party.mara)
        told.append(mara.entries(limit=1)[0].cursor)
        cursors.append(mara.view.cursor)
    assert len(set(told)) == 1
    assert len({*cursors, *told}) == 4
