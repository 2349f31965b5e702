"""The contract of every store for its index: by marks and by beginnings of words, in pages."""

import sqlite3
from contextlib import closing
from itertools import count

import pytest

from kitchentable.store import Append, BadRecord, CampaignEntry, IndexedEvent, Store, open_store
from kitchentable.store.index import find
from kitchentable.store.readers import Place, read
from tests.store.samples import TIME, founded, new

OTHER = CampaignEntry("mill", "The Mill", "toast", TIME)


@pytest.fixture
def filled(store: Store) -> Store:
    founded(store)
    founded(store, OTHER)
    for number in range(1, 6):
        store.append(Append("harbour", number, f"c{number}", [new("a")]))
        store.append(Append("mill", number, f"c{number}", [new("a")]))
    for campaign in ("harbour", "mill"):
        store.index(
            campaign,
            [
                IndexedEvent(1, ("house",), {"all": ("founded",)}),
                IndexedEvent(2, ("talk", "s1"), {"all": ("salt", "road")}),
                IndexedEvent(3, ("talk", "s2"), {"all": ("salty", "straße".casefold())}),
                IndexedEvent(4, ("rolls", "s1"), {"all": ("salt", "2d6")}),
            ],
        )
    return store


def test_events_are_found_by_marks_and_beginnings_of_words(filled: Store):
    def find(marks=(), prefixes=(), **more):
        return filled.find("harbour", marks, prefixes, **more)

    assert filled.indexed("harbour") == 4
    assert find() == [4, 3, 2, 1]
    assert find(["talk"]) == [3, 2]
    assert find(["talk", "s1"]) == [2]
    assert find(["tal"]) == []
    assert find([], ["salt"]) == [4, 3, 2]
    assert find([], ["SALT".casefold(), "r"]) == [2]
    assert find([], ["strasse"]) == [3]
    assert find(["rolls"], ["2d"]) == [4]
    assert find([], ["alt"]) == []
    assert find([], ["and"]) == find([], ["near"]) == []


def test_a_reader_is_given_the_rows_that_it_may_know(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c1", [new("a")] * 4))
    known = (("all",), ("gm", "s1"), ("s1",), ("all",), ("gm",))
    store.index(
        "harbour",
        [
            IndexedEvent(at, ("talk",), dict.fromkeys(readers, ("salt",)), readers)
            for at, readers in enumerate(known, 1)
        ],
    )

    def numbers(*readers, **more):
        rows = store.read_as("harbour", readers, **more)
        assert rows == [store.read("harbour", row.number - 1, 1)[0] for row in rows]
        return [row.number for row in rows]

    assert numbers("all", "s2") == [4, 1]
    assert numbers("all", "s1") == [4, 3, 2, 1]
    assert numbers("all", "s1", "gm") == [5, 4, 3, 2, 1]
    assert numbers("all", "s1", "gm", before=4, limit=2) == [3, 2]
    assert numbers("all", "s1", "gm", after=1, limit=3) == [2, 3, 4]
    assert numbers("nobody") == []
    assert store.find("harbour", ["talk"], ["salt"], readers=["all", "s1"]) == [4, 3, 2, 1]
    assert store.find("harbour", [], [], readers=["gm"], after=2) == [5]
    assert store.find("harbour", [], ["salt"], readers=["s2"]) == []
    store.remove("harbour")
    assert numbers("all", "s1") == []


@pytest.mark.slow
@pytest.mark.parametrize("where", [{"before": 20_000}, {"after": 1}])
@pytest.mark.parametrize(
    ("visit", "most"),
    [
        (read, 1),
        # The index of words has more or fewer pieces, whoever the words are for.
        (lambda *place: find(*place, ["talk"], ["sal"]), 1.5),
        (lambda *place: find(*place, ["talk"], []), 1.5),
    ],
)
def test_events_for_others_are_not_visited(tmp_path, where, visit, most):
    """Counted in steps of SQLite's machine, not by a clock."""
    steps = []
    for hidden in (10, 2_000):
        path = tmp_path / f"{hidden}.db"
        with closing(open_store(path)) as store:
            founded(store)
            events = [IndexedEvent(1, (), {})]
            for readers in (("gm",),) * hidden + (("all",),) * 3:
                words = dict.fromkeys(readers, ("salt",))
                events.append(IndexedEvent(len(events) + 1, ("talk",), words, readers))
            store.append(Append("harbour", 1, "c", [new("a")] * (len(events) - 1)))
            store.index("harbour", events)
            with closing(sqlite3.connect(path)) as database:
                counted = count()
                database.set_progress_handler(lambda counted=counted: next(counted) * 0, 1)
                place = Place(
                    "harbour", ("all", "s1"), **{"after": None, "before": None, "limit": 9} | where
                )
                assert len(visit(database, place)) >= 3
                steps.append(next(counted))
    assert steps[1] <= most * steps[0]


def test_a_word_is_found_by_those_who_read_it(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c1", [new("a")] * 2))
    words = {"all": ("road",), "gm": ("salt",), "s1": ("salt", "gold")}
    store.index("harbour", [IndexedEvent(1, ("talk",), words)])

    def found(*readers, words, marks=("talk",)):
        return store.find("harbour", marks, words, readers=readers) == [1]

    assert found("all", "s2", words=["ro"])
    assert not found("all", "s2", words=["salt"])
    assert found("all", "s1", words=["ro", "go", "sa"])
    assert not found("all", "s2", "gm", words=["road", "gold"])
    assert found("all", "s2", "gm", words=["road", "salt"])
    assert not found("s1", words=["salt"]), "what it is stands under its readers' names alone"


def test_pages_go_both_ways(filled: Store):
    assert filled.find("harbour", [], ["salt"], limit=2) == [4, 3]
    assert filled.find("harbour", [], ["salt"], before=3, limit=2) == [2]
    assert filled.find("harbour", [], ["salt"], after=2, limit=1) == [3]
    assert filled.find("harbour", [], ["salt"], after=0) == [2, 3, 4]
    assert filled.find("harbour", [], ["salt"], before=1) == []
    assert filled.find("harbour", [], ["salt"], before=99) == [4, 3, 2]
    assert filled.find("harbour", [], ["salt"], after=99) == []


def test_an_event_indexed_twice_is_found_once(filled: Store):
    filled.index(
        "harbour",
        [IndexedEvent(4, ("rolls",), {"all": ("salt",)}), IndexedEvent(5, (), {"all": ("salt",)})],
    )
    assert filled.find("harbour", [], ["salt"]) == [5, 4, 3, 2]
    assert filled.indexed("harbour") == 5
    assert filled.indexed("mill") == 4
    assert filled.find("mill", [], ["salt"]) == [4, 3, 2]


def test_what_is_not_recorded_is_not_indexed(filled: Store):
    filled.index("harbour", [IndexedEvent(7, (), {"all": ("salt",)})])
    assert filled.find("harbour", [], ["salt"]) == [4, 3, 2]
    filled.index("nowhere", [IndexedEvent(1, (), {"all": ("salt",)})])
    assert filled.indexed("nowhere") == 0


@pytest.mark.parametrize("word", ["", "a b", "a*", '"', "a_b", "x" * 501])
def test_a_word_that_would_be_split_is_refused(filled: Store, word: str):
    with pytest.raises(BadRecord):
        filled.index("harbour", [IndexedEvent(5, (), {"all": (word,)})])
    with pytest.raises(BadRecord):
        filled.find("harbour", [], [word])
