"""The number of the next throw is reserved, and none is lost."""

import asyncio

import pytest

from kitchentable.app.server import Server
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.campaign.dice_source import DiceSource
from kitchentable.dice import BadInput, RollingDice
from kitchentable.dice.stream import SessionStream, secrets_of
from kitchentable.store import Append, MemoryStore, NewRow
from tests.app.party import gather, verify
from tests.campaign.coin import COIN


class Watched(MemoryStore):
    """A store that records for which commands a number was awaited.

    As another process with the same command, that comes first with what `before` gives.
    """

    def __init__(self):
        super().__init__()
        self.asked = []
        self.before = None

    def append_async(self, new):
        before, self.before = self.before, None
        if before is not None:
            self.append(Append(new.campaign, new.expected, new.command, before()))
        return super().append_async(new)

    def reserve_async(self, campaign, session, command=None):
        self.asked.append(command)
        return super().reserve_async(campaign, session, command)


async def unused_of(party):
    """What the session's end says of numbers that nobody was shown."""
    return (await party.do(c.EndSession, party.ida)).data["unused"]


async def test_only_the_first_throw_asks_for_itself():
    party = await gather(store := Watched())
    rolls = [await party.roll(seat) for seat in (party.mara, party.jon, party.mara)]
    assert [one.throw.number for one in rolls] == [1, 2, 3]
    assert store.asked == [rolls[0].command]
    assert await unused_of(party) == []
    ((_, report),) = verify(party.server, party.campaign).sessions
    assert (report.verdict, [one.code for one in report.findings]) == ("fair", ["host-alone"])


async def test_what_throws_nothing_leaves_the_number_where_it_lay():
    party = await gather(store := Watched())
    first = await party.roll()
    await party.do(c.Say, party.jon, text="Two more, then")
    with pytest.raises(BadInput):
        await party.roll(notation="4d6k3")
    assert [(await party.roll()).throw.number for _ in range(2)] == [2, 3]
    assert store.asked == [first.command]
    assert await unused_of(party) == []


async def test_dice_lie_ready_for_one_evening_only():
    party = await gather()
    await party.roll()
    await party.do(c.EndSession, party.ida)
    between = await party.roll()
    assert (between.throw.session, between.throw.number) == (0, 0)


async def test_each_session_counts_anew_with_a_number_lying_ready():
    party = await gather()
    await party.roll()
    await party.do(c.EndSession, party.ida)
    await party.do(c.BeginSession, party.ida)
    assert [(await party.roll()).throw.number for _ in range(2)] == [1, 2]
    assert await unused_of(party) == []


async def test_a_table_that_closes_gives_the_number_back():
    party = await gather(store := MemoryStore())
    await party.roll()
    party.server.tables.dice_sources.put_back("another")
    assert [one.number for one in store.export_data(party.campaign).throws] == [1, 2]
    party.server.tables.dice_sources.put_back()
    assert [one.number for one in store.export_data(party.campaign).throws] == [1]
    assert (await party.roll()).throw.number == 2
    assert await unused_of(party) == []


async def test_one_that_stops_short_leaves_a_number_that_the_journal_names():
    party = await gather(store := MemoryStore())
    await party.roll()
    after = Server(store, clock=party.server.tables.clock, load_game=party.server.tables.load_game)
    roll = c.RollNotation(id="after", seat=party.jon, notation="8d6")
    done = await after.tables.handle(party.campaign, roll)
    assert done.events[0].throw.number == 3
    end = c.EndSession(id="end", seat=party.ida)
    assert (await after.tables.handle(party.campaign, end)).events[0].data["unused"] == [2]
    ((_, report),) = verify(after, party.campaign).sessions
    assert report.verdict == "fair"


def said_first(party, command):
    """Another process records that somebody spoke, under the id of a command."""
    words = c.Say(id=command, seat=party.mara, text="Me first")
    events = decide(party.state, COIN, words, now=party.server.tables.clock())
    return [NewRow(event.time, event.kind, codec.encode(event)) for event in events]


async def test_dice_in_hand_for_a_command_that_was_done_elsewhere_are_the_next_ones():
    party = await gather(store := Watched())
    await party.roll()
    store.before = lambda: said_first(party, "same")
    roll = c.RollNotation(id="same", seat=party.mara, notation="8d6")
    assert (await party.server.tables.handle(party.campaign, roll)).repeated
    assert [(await party.roll()).throw.number for _ in range(2)] == [2, 3]
    assert await unused_of(party) == []


async def test_dice_that_another_process_threw_for_the_same_command_are_nobodys_again():
    """Both were given the same number, since the command was the same."""
    party = await gather(store := Watched())
    there = Server(store, load_game=party.server.tables.load_game)
    roll = c.RollNotation(id="same", seat=party.mara, notation="8d6")

    def thrown_there():
        state = there.tables.campaign(party.campaign)
        number = store.reserve(party.campaign, 1, "same")
        seed, screen = secrets_of(store.seed(party.campaign, 1))
        dice = RollingDice(SessionStream(seed, (), screen).throw(number))
        events = decide(state, COIN, roll, DiceSource(dice, number=number, session=1), "2026-11-21")
        return [NewRow("2026-11-21T20:00:00Z", one.kind, codec.encode(one)) for one in events]

    store.before = thrown_there
    done = await party.server.tables.handle(party.campaign, roll)
    assert (done.repeated, done.events[0].throw.number) == (True, 1)
    assert (await party.roll()).throw.number == 2
    ((_, report),) = verify(party.server, party.campaign).sessions
    assert not [one for one in report.findings if one.code != "host-alone"]


def test_a_number_outlives_the_event_loop_that_asked_for_it():
    """A program that opens a loop for each step still counts without gaps."""
    party = asyncio.run(gather(Watched()))
    rolls = [asyncio.run(party.roll()) for _ in range(3)]
    assert [one.throw.number for one in rolls] == [1, 2, 3]
    assert party.server.store.asked == [rolls[0].command]
