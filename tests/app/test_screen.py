"""Dice behind the GM's screen stay secret, also after the session's seed is published."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitchentable.app.audit import audit, to_take_home
from kitchentable.app.dice_sources import DiceSources
from kitchentable.app.server import Server
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.journal import proofs_for
from kitchentable.campaign.record import verification_records
from kitchentable.dice import SeededSource
from kitchentable.dice.stream import Contribution, SessionStream, check_screen, secrets_of
from kitchentable.dice.verify import verify_session
from kitchentable.store import CampaignEntry, ExportData, MemoryStore, Row
from kitchentable.store.rows import Seed, Throw
from tests.app.party import Party, coin_only, gather, ticking, verify

FIRST_FORM = Path(__file__).parents[1] / "campaign" / "fixtures" / "form-1.jsonl"


async def against_closed(party: Party):
    """Kes flips against a foe with closed numbers: one die lies open, the other does not."""
    sheet = {"coins": 5, "skill": 4}
    foe = await party.do(c.MakeEntity, party.ida, kind="npc", name="Grim", sheet=sheet)
    answers = {"target": foe.data["entity"]}
    asked = await party.do(c.Propose, party.mara, move="flip", entity=party.kes, answers=answers)
    proposal = asked.data["proposal"]
    await party.do(c.Settle, party.ida, proposal=proposal, answers={"number": 4, "brace": False})
    return await party.do(c.Throw, party.mara, proposal=proposal)


def taken_home(party, seat):
    return b"".join(to_take_home(party.state, seat))


async def evening() -> Party:
    """Throw 1 is open, 2 the GM's, 3 has a closed die, 4 a player keeps between the GM and her."""
    party = await gather()
    await party.do(c.Contribute, party.mara, text="tea and rain")
    await party.roll(notation="3d6")
    await party.roll(party.ida, notation="40d20", audience="gm")
    await against_closed(party)
    await party.roll(notation="3d6", audience="gm")
    await party.do(c.EndSession, party.ida)
    return party


def throw(party: Party, number: int):
    return next(e.throw for e in party.log if e.throw is not None and e.throw.number == number)


def stream(record):
    """The dice as anybody computes them who has read a journal's seed and words."""
    words = [Contribution(o["who"], o["words"], o["from_throw"]) for o in record["contributions"]]
    screen = record.get("screen")
    return SessionStream(
        bytes.fromhex(record["seed"]), tuple(words), bytes.fromhex(screen) if screen else None
    )


def faces(source, dice):
    return [source.below(one["sides"]) + 1 for one in dice]


def physical(dice):
    return [one["physical"] for one in dice]


async def test_the_shown_seed_tells_the_open_dice_and_none_behind_the_screen():
    party = await evening()
    (mine,) = proofs_for(party.state, party.log, party.mara)
    known = stream(mine)
    for number in (1, 4):
        dice = throw(party, number).trace
        assert faces(known.throw(number), dice) == physical(dice)
    # That forty d20 fall alike by chance happens once in 20 ** 40 evenings.
    hidden = throw(party, 2).trace
    assert faces(known.throw(2), hidden) != physical(hidden)
    (whole,) = proofs_for(party.state, party.log, party.ida)
    assert faces(stream(whole).behind(2), hidden) == physical(hidden)


async def test_of_a_throw_against_closed_numbers_the_open_die_can_be_checked_by_its_player():
    party = await evening()
    roll, foe = throw(party, 3).trace
    (mine,) = proofs_for(party.state, party.log, party.mara)
    told = mine["rolls"][2]
    assert (told["throw"], told["trace"], told["more_behind"]) == (3, [roll], True)
    assert stream(mine).throw(3).below(6) + 1 == roll["physical"]
    (whole,) = proofs_for(party.state, party.log, party.ida)
    assert stream(whole).behind(3).below(6) + 1 == foe["physical"]


async def test_everybody_finds_the_evening_fair_as_far_as_they_may_see():
    party = await evening()
    expected = {
        party.ida: (3 + 40 + 2 + 3, []),
        party.mara: (3 + 1 + 3, [("hidden", 2), ("screened", 3)]),
        party.jon: (3 + 1, [("hidden", 2), ("screened", 3), ("hidden", 4)]),
    }
    for seat, (checked, notices) in expected.items():
        (proof,) = proofs_for(party.state, party.log, seat)
        report = verify_session(proof)
        assert (report.verdict, report.dice_checked) == ("fair", checked)
        assert [(one.code, one.throw) for one in report.findings] == notices
    ((_, whole),) = verify(party.server, party.campaign).sessions
    assert (whole.verdict, whole.dice_checked, whole.findings) == ("fair", 48, ())


async def test_the_screen_is_promised_and_its_key_goes_to_the_gm_alone():
    party = await evening()
    root = party.server.store.seed(party.campaign, 1)
    seed, screen = secrets_of(root)
    ended = party.state.tree["sessions"]["1"]
    assert ended["seed"] == seed.hex()
    assert check_screen(ended["screen_commitment"], screen, party.campaign, 1)
    for secret in (root.hex(), screen.hex()):
        assert secret not in repr(party.state.tree)
        for seat in (party.mara, party.jon):
            assert secret.encode() not in taken_home(party, seat)
            assert secret not in repr(party.server.projections.of(party.campaign, seat).view)
            assert secret not in repr(party.server.projections.of(party.campaign, seat).entries())
    gms = taken_home(party, party.ida)
    assert screen.hex().encode() in gms
    assert root.hex().encode() not in gms


async def test_a_card_that_the_gm_shows_afterwards_shows_its_dice_and_not_the_key():
    party = await evening()
    secret = next(e for e in party.log if e.throw is not None and e.throw.number == 2)
    await party.do(c.Reveal, party.ida, number=secret.number)
    (proof,) = proofs_for(party.state, party.log, party.mara)
    assert physical(proof["rolls"][1]["trace"]) == physical(secret.throw.trace)
    report = verify_session(proof)
    assert (report.verdict, report.dice_checked) == ("fair", 3 + 1 + 3)
    assert [(one.code, one.throw) for one in report.findings] == [("screened", 2), ("screened", 3)]


async def test_a_die_turned_behind_the_screen_is_found_by_the_gm():
    party = await evening()
    (record,) = verification_records(party.log)
    die = record["rolls"][1]["trace"][7]
    record["rolls"][1]["trace"][7] = {**die, "physical": die["physical"] % 20 + 1}
    report = verify_session(record)
    assert [(one.code, one.throw) for one in report.faults] == [("wrong-face", 2)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"screen": "ab" * 32}, "wrong-screen"),
        ({"screen_commitment": "ab" * 32}, "wrong-screen"),
        ({"screen_commitment": None}, "no-screen"),
    ],
)
async def test_another_screen_than_the_promised_one_is_a_fault(change, code):
    party = await evening()
    (record,) = verification_records(party.log)
    assert code in {one.code for one in verify_session(record | change).faults}


async def test_dice_that_fell_behind_the_screen_for_a_refused_command_are_nobodys():
    hands = DiceSources(MemoryStore(), SeededSource(1))
    kept = hands.kept()
    kept.numbers[1] = 1
    hand = kept.hand(1, SessionStream(bytes(32), (), bytes(range(32))))
    hidden = hand.behind_screen()
    assert not kept.has_fallen
    hidden.dice.die(6)
    assert kept.has_fallen


def first_form():
    return [codec.decode(line) for line in FIRST_FORM.read_bytes().splitlines()]


def test_an_evening_of_the_form_without_a_screen_is_as_fair_as_it_was():
    ((_, report),) = audit("salt", first_form()).sessions
    assert (report.verdict, report.dice_checked, report.findings) == ("fair", 3 + 2 + 2, ())


async def test_an_evening_begun_without_a_screen_goes_on_and_ends_without_one():
    events = first_form()[:-1]
    campaign = str(events[0].changes[0].now)
    store = MemoryStore()
    rows = [
        Row(campaign, one.number, one.command, one.time, one.kind, codec.encode(one))
        for one in events
    ]
    given = [Throw(1, e.throw.number, e.command) for e in events if e.throw is not None]
    export_data = ExportData(seeds=(Seed(1, bytes(range(32))),), throws=tuple(given))
    store.adopt(CampaignEntry(campaign, "Salt", "coin", events[0].time), lambda: rows, export_data)
    server = Server(
        store,
        clock=ticking(),
        dice_sources=DiceSources(store, SeededSource(1)),
        load_game=coin_only,
    )
    party = Party(server, campaign, events[0].seat, "s-mara", "s-jon", "")
    secret = await party.roll(party.ida, notation="2d20", audience="gm")
    assert (secret.throw.number, secret.throw.screened) == (4, False)
    await party.do(c.EndSession, party.ida)
    assert party.state.tree["sessions"]["1"]["seed"] == bytes(range(32)).hex()
    ((_, report),) = verify(server, campaign).sessions
    assert (report.verdict, report.dice_checked, report.findings) == ("fair", 3 + 2 + 2 + 2, ())
    # Of a throw that was not all open nobody could check a part then, and nobody can now.
    (mine,) = proofs_for(party.state, party.log, party.mara)
    assert [one["trace"] is None for one in mine["rolls"]] == [False, True, True, True]
    assert verify_session(mine).verdict == "fair"
    await party.do(c.BeginSession, party.ida)
    assert party.state.tree["session"]["screen_commitment"]
