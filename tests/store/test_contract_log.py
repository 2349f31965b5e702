"""The contract of every store for the log, the directory and the counters of dice streams."""

import asyncio
import threading
from dataclasses import replace

import pytest

from kitchentable.dice.errors import BadInput
from kitchentable.store import (
    AlreadyDone,
    Append,
    Appended,
    BadRecord,
    CampaignEntry,
    Conflict,
    KeyEnded,
    NewRow,
    Row,
    Store,
    StoreError,
    Token,
)
from tests.store.samples import HARBOUR, LATER, TIME, founded, new, texts


def test_a_command_gives_consecutive_rows_from_one(store: Store):
    founded(store)
    done = store.append(Append("harbour", 1, "c2", [new("a"), new("b", "rolled")]))
    assert done == Appended(
        (
            Row("harbour", 2, "c2", TIME, "said", b'{"text":"a"}'),
            Row("harbour", 3, "c2", TIME, "rolled", b'{"text":"b"}'),
        )
    )
    assert [row.number for row in store.read("harbour")] == [1, 2, 3]
    assert store.read("harbour")[1:] == list(done.rows)
    assert store.latest("harbour") == 3


def test_a_command_sent_twice_happens_once(store: Store):
    founded(store)
    first = store.append(Append("harbour", 1, "c2", [new("a"), new("b")]))
    again = store.append(Append("harbour", 1, "c2", [new("a"), new("b")]))
    assert again == AlreadyDone(first.rows)
    assert store.append(Append("harbour", 77, "c2", [new("other")])) == AlreadyDone(first.rows)
    assert store.latest("harbour") == 3


def test_a_step_decided_on_an_older_state_is_refused(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c2", [new("a")]))
    for stale in (0, 1, 3):
        with pytest.raises(Conflict) as caught:
            store.append(Append("harbour", stale, "c3", [new("b")]))
        assert caught.value.latest == 2
        assert caught.value.code == "store/conflict"
        assert "entry 2" in str(caught.value)
    assert store.recorded("harbour", "c3") == ()
    assert texts(store.read("harbour")) == ["once", "a"]


def test_campaigns_do_not_disturb_each_other(store: Store):
    founded(store)
    founded(store, replace(HARBOUR, id="tower", created=LATER))
    store.append(Append("tower", 1, "c2", [new("same command, other campaign")]))
    store.append(Append("harbour", 1, "c2", [new("here")]))
    assert texts(store.read("harbour")) == ["once", "here"]
    assert store.latest("tower") == 2


def test_reading_starts_after_a_number_and_stops_at_a_limit(store: Store):
    founded(store)
    store.append(Append("harbour", 1, "c2", [new(str(i)) for i in range(2, 8)]))
    assert texts(store.read("harbour", after=4)) == ["5", "6", "7"]
    assert texts(store.read("harbour", after=2, limit=2)) == ["3", "4"]
    assert store.read("harbour", limit=0) == []
    assert store.read("harbour", after=7) == []
    assert store.read("nowhere") == []
    assert store.latest("nowhere") == 0


def test_what_a_command_gave_can_be_asked_before_dice_are_thrown(store: Store):
    founded(store)
    assert store.recorded("harbour", "c2") == ()
    done = store.append(Append("harbour", 1, "c2", [new("a"), new("b")]))
    assert store.recorded("harbour", "c2") == done.rows
    assert store.recorded("tower", "c2") == ()


def test_bodies_are_kept_byte_for_byte(store: Store):
    founded(store)
    body = '{"b":  1.50, "a":1e5, "a":"twice", "é":"\\u00e9 é", "n":123456789012345678901}'.encode()
    store.append(Append("harbour", 1, "c2", [NewRow(LATER, "odd/kind.1", body)]))
    (row,) = store.read("harbour", after=1)
    assert (row.body, row.time, row.kind) == (body, LATER, "odd/kind.1")


@pytest.mark.parametrize("title", ["", "x" * 501, "a\0b"])
def test_a_title_that_no_database_keeps_is_refused(store: Store, title: str):
    with pytest.raises(BadRecord) as caught:
        store.put_campaign(replace(HARBOUR, title=title))
    assert caught.value.code == "store/bad-title"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (NewRow(TIME, "said", b""), "store/bad-body"),
        (NewRow(TIME, "said", b"[1]"), "store/bad-body"),
        (NewRow(TIME, "said", b' {"a":1}'), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":1}\n'), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":\n1}'), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":"\xff"}'), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":NaN}'), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":' + b"[" * 9000 + b"]" * 9000 + b"}"), "store/bad-body"),
        (NewRow(TIME, "said", b'{"a":"' + b"x" * (1 << 20) + b'"}'), "store/too-big"),
        (NewRow("2026-11-21 19:30:00Z", "said", b"{}"), "store/bad-time"),
        (NewRow("2026-11-21T19:30:00+00:00", "said", b"{}"), "store/bad-time"),
        (NewRow("2026-13-41T19:30:00Z", "said", b"{}"), "store/bad-time"),
        (NewRow(TIME, "", b"{}"), "store/bad-word"),
        (NewRow(TIME, "two words", b"{}"), "store/bad-word"),
    ],
)
def test_what_could_not_be_kept_is_refused_before_anything_is_written(
    store: Store, row: NewRow, code: str
):
    founded(store)
    with pytest.raises(BadRecord) as caught:
        store.append(Append("harbour", 1, "c2", [new("sound"), row]))
    assert caught.value.code == code
    assert str(caught.value).endswith(".")
    assert isinstance(caught.value, BadInput)
    assert store.latest("harbour") == 1


@pytest.mark.parametrize(
    ("campaign", "expected", "command", "rows", "code"),
    [
        ("har bour", 1, "c2", [new()], "store/bad-id"),
        ("", 1, "c2", [new()], "store/bad-id"),
        ("x" * 65, 1, "c2", [new()], "store/bad-id"),
        ("harbour", -1, "c2", [new()], "store/bad-number"),
        ("harbour", 1, "", [new()], "store/bad-word"),
        ("harbour", 1, "c\n2", [new()], "store/bad-word"),
        ("harbour", 1, "c2", [], "store/bad-rows"),
        ("harbour", 1, "c2", [new()] * 10_001, "store/bad-rows"),
        ("tower", 0, "c2", [new()], "store/no-such-campaign"),
    ],
)
def test_bad_commands_are_refused(store: Store, campaign, expected, command, rows, code):
    founded(store)
    with pytest.raises(BadRecord) as caught:
        store.append(Append(campaign, expected, command, rows))
    assert caught.value.code == code
    assert texts(store.read("harbour")) == ["once"]


def test_the_directory_is_written_with_the_step_that_changes_it(store: Store):
    assert store.campaigns() == []
    founded(store)
    renamed = replace(HARBOUR, title="Dawn", archived=LATER)
    with pytest.raises(Conflict):
        store.append(Append("harbour", 0, "c2", [new()], entry=renamed))
    assert store.campaign("harbour") == HARBOUR
    store.append(Append("harbour", 1, "c2", [new()], entry=renamed))
    assert store.campaigns() == [renamed]
    assert store.campaign("tower") is None
    with pytest.raises(BadRecord, match="tower"):
        store.append(Append("harbour", 2, "c3", [new()], entry=replace(HARBOUR, id="tower")))


def test_the_directory_is_in_the_order_of_founding(store: Store):
    for name, created in (("b", LATER), ("c", TIME), ("a", TIME)):
        store.put_campaign(CampaignEntry(name, name, "toast", created))
    assert [entry.id for entry in store.campaigns()] == ["a", "c", "b"]
    store.put_campaign(CampaignEntry("a", "A new title", "toast", TIME))
    assert store.campaign("a") == CampaignEntry("a", "A new title", "toast", TIME)
    for bad in (
        CampaignEntry("a", "", "toast", TIME),
        CampaignEntry("a", "x" * 501, "toast", TIME),
        CampaignEntry("a", "title", "to ast", TIME),
        CampaignEntry("a", "title", "toast", "today"),
        CampaignEntry("a", "title", "toast", TIME, "today"),
    ):
        with pytest.raises(BadRecord):
            store.put_campaign(bad)


def test_throw_numbers_count_from_one_per_session_and_never_twice(store: Store):
    founded(store)
    assert [store.reserve("harbour", 1) for _ in range(3)] == [1, 2, 3]
    assert store.reserve("harbour", 2) == 1
    assert store.reserve("harbour", 1) == 4
    with pytest.raises(BadRecord) as caught:
        store.reserve("tower", 1)
    assert caught.value.code == "store/no-such-campaign"
    with pytest.raises(BadRecord):
        store.reserve("harbour", 0)


def test_a_repeated_command_finds_the_throw_that_was_its_own(store: Store):
    founded(store)
    assert store.reserve("harbour", 1, "c2") == 1
    assert store.reserve("harbour", 1, "c3") == 2
    assert store.reserve("harbour", 1, "c2") == 1
    assert store.reserve("harbour", 2, "c2") == 1
    assert store.reserve("harbour", 1) == 3
    with pytest.raises(BadRecord):
        store.reserve("harbour", 1, "two words")


def test_a_number_for_no_command_is_given_to_one_or_taken_back(store: Store):
    founded(store)
    assert [store.reserve("harbour", 1, one) for one in ("c2", None, None)] == [1, 2, 3]
    store.assign_throw("harbour", 1, 2, "c3")
    store.assign_throw("harbour", 1, 1, "c4")
    assert [throw.command for throw in store.export_data("harbour").throws] == ["c2", "c3", None]
    assert store.reserve("harbour", 1, "c3") == 2
    assert not store.return_throw("harbour", 1, 2), "it belongs to a command"
    assert not store.return_throw("harbour", 2, 3), "it is another session's"
    assert store.return_throw("harbour", 1, 3)
    assert not store.return_throw("harbour", 1, 3)
    assert [store.reserve("harbour", 1) for _ in range(2)] == [3, 4]
    assert not store.return_throw("harbour", 1, 3), "a later one is out already"
    with pytest.raises(BadRecord):
        store.assign_throw("harbour", 1, 3, "two words")


def test_the_next_throw_number_comes_with_a_step_that_is_recorded_and_with_no_other(store: Store):
    founded(store)
    done = store.append(Append("harbour", 1, "c2", [new("a")], next_throw_of=1))
    assert done == Appended(done.rows, next_throw=1)
    more = store.append(Append("harbour", 2, "c3", [new("a"), new("b")], next_throw_of=1))
    assert (len(more.rows), more.next_throw) == (2, 2)
    again = store.append(Append("harbour", 4, "c3", [new("a")], next_throw_of=1))
    assert again == AlreadyDone(more.rows)
    with pytest.raises(Conflict):
        store.append(Append("harbour", 2, "c4", [new("a")], next_throw_of=1))
    with pytest.raises(BadRecord):
        store.append(Append("harbour", 4, "c4", [new("a")], next_throw_of=0))
    assert store.latest("harbour") == 4
    assert [throw.number for throw in store.export_data("harbour").throws] == [1, 2]
    assert store.append(Append("harbour", 4, "c4", [new("a")])).next_throw is None
    later = asyncio.run(_awaited(store, expected=5, command="c5"))
    assert (later.next_throw, store.reserve("harbour", 1)) == (3, 4)


async def _awaited(
    store: Store, *, expected: int, command: str, key: str | None = None
) -> Appended | AlreadyDone:
    rows = [new("a")]
    return await store.append_async(
        Append("harbour", expected, command, rows, next_throw_of=1, key=key)
    )


def test_nothing_is_recorded_in_the_name_of_a_key_that_was_ended(store: Store):
    founded(store)
    mine, another, never = "a" * 64, "b" * 64, "c" * 64
    for one in (mine, another):
        store.put_token(Token(one, "seat", "2026-11-21T19:30:00Z", "harbour", "s1"))
    assert store.append(Append("harbour", 1, "c2", [new("a")], key=mine)).rows[0].number == 2
    assert len(store.append(Append("harbour", 2, "c3", [new("a"), new("b")], key=mine)).rows) == 2
    store.revoke_token(mine, "2026-11-21T20:00:00Z")
    for key in (mine, never):
        for rows in ([new("a")], [new("a"), new("b")]):
            with pytest.raises(KeyEnded) as caught:
                store.append(Append("harbour", 4, "c4", rows, next_throw_of=1, key=key))
            assert caught.value.code == "store/key-ended"
            with pytest.raises(KeyEnded):
                asyncio.run(_awaited(store, expected=4, command="c4", key=key))
    assert store.latest("harbour") == 4
    assert store.export_data("harbour").throws == ()
    assert isinstance(store.append(Append("harbour", 4, "c3", [new("a")], key=mine)), AlreadyDone)
    assert store.append(Append("harbour", 4, "c4", [new("a")], key=another)).rows[0].number == 5


def test_the_event_loop_may_append_and_reserve(store: Store):
    async def play():
        founded(store)
        done = await store.append_async(Append("harbour", 1, "c2", [new("a")]))
        again = await store.append_async(Append("harbour", 1, "c2", [new("a")]))
        numbers = await asyncio.gather(*(store.reserve_async("harbour", 1) for _ in range(5)))
        with pytest.raises(Conflict) as caught:
            await store.append_async(Append("harbour", 1, "c3", [new("b")]))
        with pytest.raises(BadRecord):
            await store.append_async(Append("tower", 0, "c3", [new("b")]))
        return done, again, numbers, caught.value.latest

    done, again, numbers, latest = asyncio.run(play())
    assert again == AlreadyDone(done.rows)
    assert sorted(numbers) == [1, 2, 3, 4, 5]
    assert latest == 2


def test_two_threads_race_and_nothing_is_lost_or_doubled(store: Store):
    founded(store)
    conflicts = [0, 0]

    def write(who: int) -> None:
        for step in range(100):
            command = f"w{who}-{step}"
            while True:
                try:
                    store.append(
                        Append("harbour", store.latest("harbour"), command, [new(command)] * 2)
                    )
                    break
                except Conflict:
                    conflicts[who] += 1
            assert store.reserve("harbour", 1, command) > 0

    threads = [threading.Thread(target=write, args=(who,)) for who in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = store.read("harbour", after=1)
    assert [row.number for row in rows] == list(range(2, 402))
    assert sorted(row.command for row in rows) == sorted(
        f"w{who}-{step}" for who in (0, 1) for step in range(100) for _ in range(2)
    )
    assert all(a.command == b.command for a, b in zip(rows[::2], rows[1::2], strict=True))
    throws = store.export_data("harbour").throws
    assert sorted(throw.number for throw in throws) == list(range(1, 201))


def test_a_closed_store_refuses_and_may_be_closed_again(store: Store):
    founded(store)
    store.close()
    store.close()
    for ask in (
        lambda: store.append(Append("harbour", 1, "c2", [new()])),
        lambda: store.read("harbour"),
        lambda: store.reserve("harbour", 1),
    ):
        with pytest.raises(StoreError) as caught:
            ask()
        assert caught.value.code == "store/closed"
