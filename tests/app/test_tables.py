"""Commands at a table: done once, decided on the recorded state, with the dice thrown."""

import asyncio

import pytest

from kitchentable.app.keys import KeyRing
from kitchentable.app.server import Server
from kitchentable.app.table import NoSuchCampaign
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.dice import BadInput
from kitchentable.dice.stream import SessionStream, secrets_of
from kitchentable.store import Append, MemoryStore, NewRow, StoreError, open_store
from tests.app.party import at_once, coin_only, gather, verify


class Busy(MemoryStore):
    """A store in which another process writes in between."""

    def __init__(self):
        super().__init__()
        self.steps = []
        self.while_dice_are_handed = []

    def reserve_async(self, campaign, session, command=None):
        number = super().reserve_async(campaign, session, command)
        if self.while_dice_are_handed:
            self.while_dice_are_handed.pop(0)()
        return number

    def append_async(self, new):
        if self.steps:
            self.steps.pop(0)()
        return super().append_async(new)


def sneak(party, server, seat, words):
    """Record an event of another process just before a write."""

    def step():
        state = server.tables.campaign(party.campaign)
        command = c.Say(id=f"sneak-{words}", seat=seat, text=words)
        events = decide_now(server, state, command)
        MemoryStore.append(
            server.store, Append(party.campaign, state.number, command.id, rows_of(events))
        )

    return step


def decide_now(server, state, command):
    return decide(state, server.tables.game_of(state), command, now=server.tables.clock())


def rows_of(events):
    return [NewRow(event.time, event.kind, codec.encode(event)) for event in events]


def faces(event):
    return [die["physical"] for die in event.throw.trace]


async def test_a_command_sent_twice_happens_once():
    party = await gather()
    command = c.RollNotation(id="one", seat=party.mara, notation="8d6")
    first = await party.server.tables.handle(party.campaign, command)
    again = await party.server.tables.handle(party.campaign, command)
    assert (first.repeated, again.repeated) == (False, True)
    assert again.events == first.events
    assert party.log.count(first.events[0]) == 1


async def test_a_command_sent_twice_at_once_happens_once():
    party = await gather()
    before = party.state.number
    command = c.RollNotation(id="one", seat=party.mara, notation="8d6")
    answers = await at_once(
        *(party.server.tables.handle(party.campaign, command) for _ in range(5))
    )
    assert party.state.number == before + 1
    assert [one.repeated for one in answers] == [False, True, True, True, True]
    assert all(one.events == answers[0].events for one in answers)


async def test_nobody_gets_what_came_of_anothers_command():
    party = await gather()
    whisper = c.Say(id="secret", seat=party.mara, text="I have the key", to="gm")
    await party.server.tables.handle(party.campaign, whisper)
    for seat in (party.jon, ""):
        with pytest.raises(CannotBe) as caught:
            await party.server.tables.handle(
                party.campaign, c.Say(id="secret", seat=seat, text="Hello")
            )
        assert caught.value.code == "command/id-taken"


async def test_a_newcomer_who_asks_twice_has_one_seat():
    party = await gather()
    ask = c.AskForSeat(id="ask", new_seat="s-tove", name="Tove")
    first = await party.server.tables.handle(party.campaign, ask)
    again = await party.server.tables.handle(party.campaign, ask)
    assert again.repeated
    assert again.events == first.events
    assert sorted(party.state.table.seats) == sorted([party.ida, "s-jon", "s-mara", "s-tove"])


async def test_commands_of_many_at_once_stand_in_one_row():
    party = await gather()
    before = party.state.number
    await at_once(*(party.roll(seat) for seat in (party.mara, party.jon, party.ida) * 10))
    assert [event.number for event in party.log[before:]] == list(range(before + 1, before + 31))
    throws = [event.throw.number for event in party.log[before:]]
    assert throws == list(range(1, 31))


async def test_a_stale_step_is_decided_again_with_the_same_dice():
    store = Busy()
    party = await gather(store)
    seed, screen = secrets_of(store.seed(party.campaign, 1))
    expected = SessionStream(seed, (), screen).throw(1)
    store.steps = [sneak(party, party.server, party.jon, words) for words in ("one", "two")]
    event = await party.roll()
    assert [one.data.get("text") for one in party.log[-3:]] == ["one", "two", None]
    assert event.number == party.state.number
    assert event.throw.number == 1
    assert faces(event) == [expected.below(6) + 1 for _ in range(8)]
    assert (await party.roll()).throw.number == 2


async def test_between_sessions_too_a_stale_step_keeps_its_dice():
    store = Busy()
    party = await gather(store, begun=False)
    undisturbed = await gather(begun=False)
    store.steps = [sneak(party, party.server, party.jon, "wait")]
    event, other = await party.roll(), await undisturbed.roll()
    assert faces(event) == faces(other)
    assert (event.throw.number, event.throw.session) == (0, 0)
    assert faces(await party.roll()) == faces(await undisturbed.roll()) != faces(event)


async def test_what_a_page_reads_meanwhile_does_not_move_a_step_behind_it():
    """Reading newer events while a command waits must not let it be recorded after them."""
    store = Busy()
    party = await gather(store)

    def read_behind():
        sneak(party, party.server, party.jon, "quick")()
        party.server.tables.campaign(party.campaign)

    store.while_dice_are_handed = [read_behind]
    event = await party.roll()
    rows = store.read(party.campaign)
    assert [row.number for row in rows] == [codec.decode(row.body).number for row in rows]
    assert event.number == len(rows)


async def test_a_step_that_is_no_longer_allowed_leaves_no_gap_in_the_dice():
    """Its throw was given out, nobody saw it, and the journal says so at the session's end."""
    store = Busy()
    party = await gather(store)
    proposal = await party.do(c.Propose, party.mara, move="flip", entity=party.kes)
    await party.do(c.Settle, party.ida, proposal=proposal.data["proposal"])
    await party.roll()

    def taken_back():
        state = party.state
        command = c.Withdraw(id="back", seat=party.mara, proposal=proposal.data["proposal"])
        events = decide_now(party.server, state, command)
        MemoryStore.append(store, Append(party.campaign, state.number, "back", rows_of(events)))

    store.steps = [taken_back]
    with pytest.raises(BadInput):
        await party.do(c.Throw, party.mara, proposal=proposal.data["proposal"])
    assert (await party.roll()).throw.number == 3
    ended = await party.do(c.EndSession, party.ida)
    assert ended.data["unused"] == [2]
    ((_, report),) = verify(party.server, party.campaign).sessions
    assert report.verdict == "fair"
    assert "Throw 2 was set aside" in str(report)


async def test_another_process_may_have_recorded_the_same_command():
    store = Busy()
    party = await gather(store)
    command = c.Say(id="same", seat=party.mara, text="Once")

    def twin():
        events = decide_now(party.server, party.state, command)
        MemoryStore.append(
            store, Append(party.campaign, party.state.number, "same", rows_of(events))
        )

    store.steps = [twin]
    done = await party.server.tables.handle(party.campaign, command)
    assert done.repeated
    assert [one.command for one in party.log].count("same") == 1


async def test_nobody_is_refused_before_the_record_was_looked_at():
    """Another process has seated Tove, and nobody here has read of it yet."""
    party = await gather()
    there = Server(party.server.store, load_game=party.server.tables.load_game)
    ask = c.AskForSeat(id="tove", seat=party.ida, new_seat="s-tove", name="Tove", approved=True)
    await there.tables.handle(party.campaign, ask)
    said = await party.do(c.Say, "s-tove", text="Good evening")
    assert said.number == party.state.number
    again = await party.server.tables.handle(party.campaign, ask)
    assert again.repeated, "a second seat of that name would be refused"
    with pytest.raises(NotAllowed):
        await party.do(c.Say, "s-nobody", text="Good evening")


async def test_a_table_that_never_stands_still_is_given_up_with_a_sentence():
    store = Busy()
    party = await gather(store)
    store.steps = [sneak(party, party.server, party.jon, f"{n}") for n in range(200)]
    with pytest.raises(StoreError, match="other steps were recorded first 50 times") as refused:
        await party.roll()
    assert refused.value.code == "store/conflict"
    assert store.steps
    store.steps = []
    assert (await party.roll()).throw.number == 2, "the dice of the first roll were seen by nobody"


async def test_what_is_refused_leaves_nothing_behind():
    party = await gather()
    before = party.state
    for command, seat in (
        (c.BeginSession, party.mara),
        (c.Say, "nobody"),
        (c.RollNotation, party.mara),
    ):
        parts = {"text": "x"} if command is c.Say else {}
        parts |= {"notation": "4d6k3"} if command is c.RollNotation else {}
        with pytest.raises(BadInput):
            await party.do(command, seat, **parts)
    assert party.state == before
    assert (await party.roll()).throw.number == 1


async def test_no_campaign_no_table():
    party = await gather()
    with pytest.raises(NoSuchCampaign):
        party.server.tables.campaign("elsewhere")
    with pytest.raises(NoSuchCampaign):
        await party.server.tables.handle("elsewhere", c.Say(id="x", seat=party.ida, text="Hello"))
    assert party.server.campaigns()[0].id == party.campaign


async def test_a_new_title_is_in_the_list_of_the_server():
    party = await gather()
    created = party.server.campaigns()[0].created
    await party.do(c.SetSettings, party.ida, settings={"title": "Salt and Smoke"})
    (entry,) = party.server.campaigns()
    assert (entry.title, entry.created) == ("Salt and Smoke", created)


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (c.DecideSeat, {"verdict": "revoke"}),
        (c.HandOver, {}),
    ],
)
async def test_the_keys_of_a_seat_end_with_it(command, parts):
    party = await gather()
    keys = party.server.keys
    cut = [keys.issue(purpose, party.campaign, party.mara) for purpose in ("seat", "seat-link")]
    jons = keys.issue("seat", party.campaign, party.jon)
    with party.server.tables.hub.follow(party.campaign, party.mara) as follower:
        await party.do(command, party.ida, of=party.mara, **parts)
        assert follower.ended
    assert [keys.open(key, "seat", "seat-link") for key in cut] == [None, None]
    assert keys.open(jons, "seat") is not None


async def test_the_keys_end_in_the_step_that_gives_a_seat_away(tmp_path):
    """The server dies at the very moment when the step is on disk."""
    party = await gather(open_store(tmp_path / "table.db"))
    keys, store = party.server.keys, party.server.store
    link = keys.issue("seat-link", party.campaign, party.mara)
    append = store.append_async

    async def dies(*words, **more):
        await append(*words, **more)
        store.close()
        raise StoreError("Killed.", code="store/closed")

    store.append_async = dies
    with pytest.raises(StoreError):
        await party.do(c.HandOver, party.ida, of=party.mara)
    again = Server(open_store(tmp_path / "table.db"), load_game=coin_only)
    assert again.tables.campaign(party.campaign).events[-1].kind == "seat-handed-over"
    assert again.keys.open(link, "seat-link") is None
    again.close()


async def test_a_clock_that_goes_back_keeps_no_key_of_a_seat_that_is_given_away():
    party = await gather()
    now = party.server.tables.clock()
    later = KeyRing(party.server.store, lambda: now.replace("2026", "2027"))
    ahead = later.issue("seat", party.campaign, party.mara)
    await party.do(c.HandOver, party.ida, of=party.mara)
    assert party.server.keys.open(ahead, "seat") is None


async def test_who_waited_and_was_refused_has_no_key_left():
    party = await gather()
    await party.do(c.AskForSeat, "", new_seat="s-tove", name="Tove")
    key = party.server.keys.issue("seat", party.campaign, "s-tove")
    await party.do(c.DecideSeat, party.ida, of="s-tove", verdict="refuse")
    assert party.server.keys.open(key, "seat") is None


async def test_giving_a_seat_away_twice_by_one_click_keeps_the_new_key():
    party = await gather()
    command = c.HandOver(id="give", seat=party.ida, of=party.mara)
    await party.server.tables.handle(party.campaign, command)
    key = party.server.keys.issue("seat-link", party.campaign, party.mara)
    assert (await party.server.tables.handle(party.campaign, command)).repeated
    assert party.server.keys.open(key, "seat-link") is not None


async def test_who_is_out_can_do_nothing_more():
    party = await gather()
    await party.do(c.DecideSeat, party.ida, of=party.mara, verdict="revoke")
    with pytest.raises(NotAllowed):
        await party.roll()


async def test_a_campaign_that_many_ask_for_at_once_is_read_once(tmp_path, monkeypatch):
    server = Server.at(tmp_path / "table.db")
    campaign = await server.open_example("toast")
    reads = []
    read = server.store.read
    monkeypatch.setattr(server.store, "read", lambda *words: reads.append(words) or read(*words))
    await asyncio.gather(*(server.tables.ready(campaign) for _ in range(20)))
    await server.tables.ready(campaign)
    assert len(reads) == 1
    assert server.tables.known(campaign).number > 0
    await server.tables.ready("nobody")
    assert server.tables.known("nobody") is None
    server.close()
