"""Facts and paths: writing, and inverting the change."""

import copy
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.campaign.errors import CannotBe, Overreach
from kitchentable.campaign.paths import apply, look, plain, record, take_back, touch
from kitchentable.rules.moves import Change

TREE = {
    "fight": None,
    "day": 3,
    "own": {},
    "entities": {"pc": {"state": {"coins": 3, "tags": ["a", "b"]}, "sheet": {"skill": 2}}},
}


def after(*changes):
    return record(TREE, changes)[1]


def test_what_did_not_change_is_shared():
    now = after(Change(("entities", "pc", "state", "coins"), 2))
    assert now["entities"]["pc"]["state"]["coins"] == 2
    assert now["entities"]["pc"]["sheet"] is TREE["entities"]["pc"]["sheet"]
    assert now["own"] is TREE["own"]
    assert TREE["entities"]["pc"]["state"]["coins"] == 3


def test_what_changes_nothing_is_not_recorded():
    recorded, now = record(TREE, [Change(("day",), 3), Change(("own", "none"), gone=True)])
    assert recorded == ()
    assert now is TREE


def test_one_is_not_true():
    recorded, _ = record({"a": 1}, [Change(("a",), True), Change(("a",), 1)])
    assert [one.now for one in recorded] == [True, 1]


def test_each_change_sees_the_one_before():
    recorded, _ = record(TREE, [Change(("day",), 4), Change(("day",), 5)])
    assert [(one.was, one.now) for one in recorded] == [(3, 4), (4, 5)]


def test_a_part_of_a_row_is_taken_away_and_comes_back():
    tree = {"rows": [{"text": "Sly", "covers": "cards"}, {"text": "Deft"}]}
    recorded, now = record(tree, [Change(("rows", "0", "covers"), gone=True)])
    assert now == {"rows": [{"text": "Sly"}, {"text": "Deft"}]}
    assert apply(tree, recorded) == now
    assert take_back(now, recorded)[1] == tree
    with pytest.raises(CannotBe):
        record(tree, [Change(("rows", "1"), gone=True)])


def test_a_way_that_was_made_goes_with_what_it_was_made_for():
    recorded, now = record(TREE, [Change(("own", "a", "b", "c"), 1)])
    assert (recorded[0].made, recorded[0].new) == (2, True)
    assert take_back(now, recorded)[1] == TREE


def test_a_way_on_which_something_else_stands_by_now_stays():
    recorded, now = record(TREE, [Change(("own", "a", "b"), 1)])
    _, now = record(now, [Change(("own", "a", "other"), 2)])
    assert take_back(now, recorded)[1]["own"] == {"a": {"other": 2}}


def test_nothing_becomes_something_and_nothing_again():
    recorded, now = record(TREE, [Change(("fight", "round"), 1)])
    assert now["fight"] == {"round": 1}
    assert take_back(now, recorded)[1] == TREE


def test_a_list_changes_as_a_whole_or_in_a_place():
    path = ("entities", "pc", "state", "tags")
    assert look(after(Change((*path, "1"), "c")), path) == ["a", "c"]
    with pytest.raises(CannotBe):
        after(Change((*path, "2"), "c"))
    with pytest.raises(CannotBe):
        after(Change((*path, "0"), gone=True))
    with pytest.raises(CannotBe):
        after(Change(("day", "hour"), 1))
    with pytest.raises(Overreach):
        after(Change((), 1))


class Tone(StrEnum):
    GOOD = "good"


def test_only_plain_data_is_kept():
    assert type(plain({Tone.GOOD: Tone.GOOD})["good"]) is str
    assert plain([True, 1]) == [True, 1]
    assert plain({"a": (1, 2.5, None)}) == {"a": [1, 2.5, None]}
    for odd in ({1: 2}, {"a": {3}}, float("nan"), float("inf"), object(), b"bytes"):
        with pytest.raises(Overreach):
            plain(odd)
    deep: list = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(Overreach):
        plain(deep)


def test_paths_touch_where_one_is_part_of_the_other():
    assert touch(("a", "b"), ("a", "b"))
    assert touch(("a",), ("a", "b"))
    assert touch(("a", "b"), ("a",))
    assert not touch(("a", "b"), ("a", "c"))


KEYS = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=2) | st.lists(inner, max_size=2),
    max_leaves=4,
)
CHANGES = st.builds(
    lambda path, now, gone: Change(tuple(path), now, gone),
    st.lists(KEYS, min_size=1, max_size=4),
    VALUES,
    st.booleans(),
)


@given(st.dictionaries(KEYS, VALUES), st.lists(CHANGES, max_size=6))
def test_whatever_is_recorded_can_be_applied_and_taken_back(tree, changes):
    before = copy.deepcopy(tree)
    recorded, now = (), tree
    for change in changes:
        try:
            more, now = record(now, [change])
        except CannotBe:
            continue
        recorded += more
    assert tree == before
    assert apply(tree, recorded) == now
    back, home = take_back(now, recorded)
    assert home == before
    undoing, _ = record(now, back)
    assert apply(now, undoing) == before
