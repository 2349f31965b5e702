"""The audit finds tampering with a die, the seed, the commitment, the words, or a throw."""

import json

import msgspec
import pytest

from kitchentable.app import audit as audits
from kitchentable.app.audit import audit, audit_file, to_take_home
from kitchentable.app.luck import luck_in
from kitchentable.campaign import codec
from kitchentable.campaign import commands as c
from kitchentable.campaign.journal import proofs_for
from kitchentable.store import BadFile
from kitchentable.store.journal import write_line
from tests.app.party import gather


async def an_evening():
    party = await gather()
    await party.do(c.Contribute, party.mara, text="tea and rain")
    await party.roll(notation="3d6")
    await party.roll(party.jon, notation="2d20")
    await party.do(c.Contribute, party.jon, text="seven crows")
    await party.roll(notation="1d100")
    await party.do(c.EndSession, party.ida)
    return party


def tampered(events, kind, change):
    """The events with the plain data of the first of that kind changed."""
    plain = [codec.to_data(event) for event in events]
    one = next(data for data in plain if data["kind"] == kind and change(data) is not False)
    assert one
    return [codec.from_data(json.loads(json.dumps(data))) for data in plain]


def turn_a_die(data):
    die = data["throw"]["trace"][1]
    die["physical"] = die["physical"] % die["sides"] + 1


def other_seed(data):
    data["data"]["seed"] = "ab" * 32


def other_promise(data):
    data["data"]["commitment"] = "cd" * 32


def other_words(data):
    data["data"]["words"] = "coffee and sun"


def other_number(data):
    data["throw"]["number"] += 7


async def test_an_evening_as_it_was_is_fair():
    party = await an_evening()
    found = audit(party.campaign, party.log)
    ((number, report),) = found.sessions
    assert (found.broken, number, report.verdict) == (False, 1, "fair")
    assert (report.rolls, report.dice_checked, report.findings) == (3, 6, ())


@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        ("rolled", turn_a_die, "wrong-face"),
        ("session-ended", other_seed, "wrong-seed"),
        ("session-began", other_promise, "wrong-seed"),
        ("contributed", other_words, "wrong-face"),
        ("rolled", other_number, "skipped-throw"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
async def test_what_was_tampered_with_is_found(kind, change, code):
    party = await an_evening()
    found = audit(party.campaign, tampered(party.log, kind, change))
    ((_, report),) = found.sessions
    assert found.broken
    assert report.verdict == "broken"
    assert code in {one.code for one in report.faults}


async def test_a_missing_throw_is_found():
    party = await an_evening()
    events = [event for event in party.log if not (event.throw and event.throw.number == 2)]
    ((_, report),) = audit(party.campaign, events).sessions
    assert [one.code for one in report.faults] == ["skipped-throw"]


async def test_before_the_end_everything_is_sealed():
    party = await gather()
    await party.roll()
    found = audit(party.campaign, party.log)
    ((_, report),) = found.sessions
    assert (found.broken, report.verdict, report.dice_checked) == (False, "sealed", 0)


async def test_without_a_session_nothing_was_promised():
    party = await gather(begun=False)
    await party.roll()
    assert audit(party.campaign, party.log).sessions == ()


async def test_a_journal_in_a_file_is_checked_without_a_server(tmp_path):
    party = await an_evening()
    file = tmp_path / "journal.jsonl"
    rows = party.server.store.read(party.campaign)
    file.write_bytes(b"".join(write_line(row) for row in rows))
    found = audit_file(file)
    assert (found.campaign, found.events, found.broken) == (party.campaign, len(rows), False)
    body = json.loads(rows[-2].body)
    body["throw"]["trace"][0]["physical"] = body["throw"]["trace"][0]["physical"] % 100 + 1
    line = json.loads(write_line(rows[-2])) | {"body": body}
    lines = file.read_text().splitlines()
    lines[-2] = json.dumps(line)
    file.write_text("\n".join(lines) + "\n")
    assert audit_file(file).broken


def at_home(tmp_path, party, seat):
    """The journal that a seat took home, in a file."""
    file = tmp_path / "salt.jsonl"
    file.write_bytes(b"".join(to_take_home(party.state, seat)))
    return file


async def test_everybody_checks_the_dice_at_home(tmp_path):
    party = await gather()
    await party.do(c.Contribute, party.mara, text="tea and rain")
    await party.roll(notation="3d6")
    await party.roll(party.ida, notation="7d12+1", audience="gm")
    await party.do(c.EndSession, party.ida)
    for seat, checked, unseen in ((party.mara, 3, ["hidden"]), (party.ida, 10, [])):
        file = at_home(tmp_path, party, seat)
        assert (b"7d12+1" in file.read_bytes()) is (seat == party.ida)
        found = audit_file(file)
        ((number, report),) = found.sessions
        assert (found.campaign, found.events) == (party.campaign, len(party.log))
        assert (number, report.verdict, report.dice_checked) == (1, "fair", checked)
        assert [one.code for one in report.findings] == unseen


async def test_a_die_that_was_turned_at_home_is_found(tmp_path):
    party = await an_evening()
    file = at_home(tmp_path, party, party.jon)
    lines = file.read_text().splitlines()
    proof = json.loads(lines[-1])
    turn_a_die({"throw": proof["record"]["rolls"][0]})
    file.write_text("\n".join([*lines[:-1], json.dumps(proof)]) + "\n")
    assert audit_file(file).broken


async def test_while_a_session_lasts_nobody_counts_throws_at_home(tmp_path):
    party = await gather()
    await party.roll(party.ida, notation="7d12+1", audience="gm")
    ((_, report),) = audit_file(at_home(tmp_path, party, party.mara)).sessions
    assert (report.verdict, report.rolls) == ("sealed", 0)


async def test_at_home_no_session_is_no_fault(tmp_path):
    party = await gather(begun=False)
    found = audit_file(at_home(tmp_path, party, party.mara))
    assert (found.sessions, found.campaign) == ((), "salt.jsonl")


@pytest.mark.parametrize("text", ["nonsense\n", '{"campaign": "x"}\n', "[" * 100_000])
def test_what_is_no_journal_is_refused_in_a_sentence(tmp_path, text):
    file = tmp_path / "journal.jsonl"
    file.write_text(text)
    with pytest.raises(BadFile, match=r"\."):
        audit_file(file)
    with pytest.raises(BadFile):
        audit_file(tmp_path / "missing.zip")


async def test_an_entry_that_nobody_wrote_is_refused_in_a_sentence(tmp_path):
    """Such as a line changed by hand, of which the rest is sound."""
    party = await an_evening()
    file = tmp_path / "journal.jsonl"
    rows = party.server.store.read(party.campaign)
    began = next(at for at, row in enumerate(rows) if row.kind == "session-began")
    for read, number in ((audit_file, 0), (audit_file, began), (luck_in, 0)):
        body = json.dumps(json.loads(rows[number].body) | {"data": {}, "changes": []}).encode()
        lines = list(map(write_line, rows))
        lines[number] = write_line(msgspec.structs.replace(rows[number], body=body))
        file.write_bytes(b"".join(lines))
        with pytest.raises(BadFile, match="no version of Kitchen Table wrote"):
            read(file)


async def test_a_journal_taken_home_holds_few_rolls_in_memory(monkeypatch):
    """Its rolls go through a file, piece by piece, and every byte is as if they were in memory."""
    party = await gather()
    for session in range(3):
        if session:
            await party.do(c.BeginSession, party.ida)
        for _ in range(40 if session != 1 else 0):
            await party.roll()
            await party.roll(party.ida, audience="gm", notation="2d6")
        if session < 2:
            await party.do(c.EndSession, party.ida)
    monkeypatch.setattr(audits, "_PIECE", 100)
    for seat in (party.ida, party.mara):
        pieces = list(to_take_home(party.state, seat))
        lines = b"".join(pieces).splitlines()[-3:]
        proofs = proofs_for(party.state, party.log, seat)
        assert lines == [msgspec.json.encode({"kind": "proof", "record": one}) for one in proofs]
        # A proof begins and ends in a piece of its own, and its rolls come between.
        rolls = [piece for piece in pieces if piece in lines[0] and len(piece) <= 100]
        assert sum(map(len, rolls)) > 0.9 * len(lines[0]) > 4_000
