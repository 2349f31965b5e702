"""The number of the next throw lies ready, and none goes missing for it."""

import asyncio

from kitchentable.app.house import House
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.store import MemoryStore, NewRow, StoreError
from tests.app.party import gather
from tests.campaign.coin import COIN


class Watched(MemoryStore):
    """A store that remembers for whom numbers were asked, and may fail to give one."""

    def __init__(self):
        super().__init__()
        self.asked = []
        self.fails = 0
        self.before = []

    def append_async(self, campaign, expected, command, rows, *, entry=None):
        """As another process with the same command, that comes first with the rows in `before`."""
        if self.before:
            self.append(campaign, expected, command, self.before)
            self.before = []
        return super().append_async(campaign, expected, command, rows, entry=entry)

    def reserve_async(self, campaign, session, command=None):
        self.asked.append(command)
        if command is None and self.fails:
            self.fails -= 1
            failed = asyncio.get_running_loop().create_future()
            failed.set_exception(StoreError("The disk is full.", code="store/full"))
            return failed
        return super().reserve_async(campaign, session, command)


async def unused_of(party):
    """What the session's end says of numbers that nobody was shown."""
    return (await party.do(c.EndSession, party.ida)).data["unused"]


async def test_only_the_first_throw_asks_for_itself():
    party = await gather(store := Watched())
    rolls = [await party.roll(seat) for seat in (party.mara, party.jon, party.mara)]
    assert [one.throw.number for one in rolls] == [1, 2, 3]
    assert store.asked == [rolls[0].command, None, None, None]
    assert await unused_of(party) == []
    ((_, report),) = party.house.verify(party.campaign).sessions
    assert (report.verdict, [one.code for one in report.findings]) == ("fair", ["host-alone"])


async def test_a_number_that_could_not_be_kept_is_asked_for_again():
    party = await gather(store := Watched())
    store.fails = 1
    rolls = [await party.roll() for _ in range(3)]
    assert [one.throw.number for one in rolls] == [1, 2, 3]
    assert store.asked == [rolls[0].command, None, rolls[1].command, None, None]
    assert await unused_of(party) == []


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
    party.house.tables.hands.put_back("another")
    assert [one.number for one in store.luggage(party.campaign).throws] == [1, 2]
    party.house.tables.hands.put_back()
    assert [one.number for one in store.luggage(party.campaign).throws] == [1]
    assert (await party.roll()).throw.number == 2
    assert await unused_of(party) == []


async def test_one_that_stops_short_leaves_a_number_that_the_journal_names():
    party = await gather(store := MemoryStore())
    await party.roll()
    after = House(store, clock=party.house.tables.clock, load_game=party.house.tables.load_game)
    roll = c.RollNotation(id="after", seat=party.jon, notation="8d6")
    done = await after.tables.handle(party.campaign, roll)
    assert done.events[0].throw.number == 3
    end = c.EndSession(id="end", seat=party.ida)
    assert (await after.tables.handle(party.campaign, end)).events[0].data["unused"] == [2]
    ((_, report),) = after.verify(party.campaign).sessions
    assert report.verdict == "fair"


async def test_dice_in_hand_for_a_command_that_was_done_elsewhere_are_the_next_ones():
    party = await gather(store := Watched())
    await party.roll()
    state = party.state
    said = decide(
        state,
        COIN,
        c.Say(id="same", seat=party.mara, text="Me first"),
        now=party.house.tables.clock(),
    )
    store.before = [NewRow(event.time, event.kind, codec.encode(event)) for event in said]
    roll = c.RollNotation(id="same", seat=party.mara, notation="8d6")
    assert (await party.house.tables.handle(party.campaign, roll)).repeated
    assert [(await party.roll()).throw.number for _ in range(2)] == [2, 3]
    assert await unused_of(party) == []


def test_a_number_outlives_the_event_loop_that_asked_for_it():
    """A program that opens a loop for each step still counts without gaps."""
    party = asyncio.run(gather(Watched()))
    rolls = [asyncio.run(party.roll()) for _ in range(3)]
    assert [one.throw.number for one in rolls] == [1, 2, 3]
    assert party.house.store.asked == [rolls[0].command, None, None, None]
