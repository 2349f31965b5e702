"""Commands for a database: campaigns, log, export, import, backups, audit."""

import asyncio
import io
import json
import os
import shutil
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from kitchentable.app.server import Server
from kitchentable.app.webhooks import Progress
from kitchentable.campaign import commands as c
from kitchentable.store import ExportData, Row


@pytest.fixture
def played(home, evening):
    """A server with Toast's example, an evening of it played; gives the campaign's id."""
    database, campaign = evening
    shutil.copy(database, home / "table.db")
    return campaign


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The evening, played once; each test gets a copy of the server."""
    database = tmp_path_factory.mktemp("evening") / "table.db"

    async def play():
        server = Server.at(database)
        campaign = await server.open_example("toast")
        seats = server.tables.campaign(campaign).table.seats.values()
        gm, mara = (next(seat.id for seat in seats if seat.name == name) for name in ("GM", "Mara"))
        for number, command in enumerate(
            (
                c.BeginSession(id="", seat=gm),
                c.Contribute(id="", seat=mara, text="tea and rain"),
                c.RollNotation(id="", seat=mara, notation="8d6", label="salt"),
                c.RollNotation(id="", seat=gm, notation="1d20", audience="gm"),
                c.Say(id="", seat=mara, text="Quiet now."),
                c.EndSession(id="", seat=gm),
            )
        ):
            sent = {
                **{f: getattr(command, f) for f in command.__struct_fields__},
                "id": f"n{number}",
            }
            await server.tables.handle(campaign, type(command)(**sent))
        server.keys.issue("host")
        server.close()
        return campaign

    campaign = asyncio.run(play())
    assert [one.name for one in database.parent.iterdir()] == ["table.db"]
    return database, campaign


def test_the_campaigns_are_listed(run, played):
    said = run("campaigns")
    assert said.out.startswith(f"{played}  The Salt Road (toast, 1 session, since 20")
    (one,) = run("campaigns", "--json").json
    assert (one["id"], one["title"], one["game"], one["sessions"]) == (
        played,
        "The Salt Road",
        "toast",
        1,
    )


def test_a_damaged_campaign_is_listed_with_its_reason_beside_the_others(run, played, home):
    with closing(Server.at(home / "table.db")) as server:
        [entry] = server.campaigns()
        garbled = replace(entry, id="garbled", title="Gar\x1bbled")
        row = Row("garbled", 1, "c1", entry.created, "campaign-opened", b"{}")
        server.store.adopt(garbled, lambda: [row], ExportData())
    said = run("campaigns")
    assert said.code == 0
    told = dict(line.split("  ", 1) for line in said.out.splitlines())
    assert told[played].startswith("The Salt Road (toast, 1 session, since 20")
    start, _, wrong = told["garbled"].partition("): ")
    assert start.startswith("Gar\ufffdbled (toast, since 20")
    assert wrong.startswith("Entry 1 of campaign garbled is damaged.")
    wrongs = {one["id"]: (one["sessions"], one["wrong"]) for one in run("campaigns", "--json").json}
    assert wrongs == {played: (1, None), "garbled": (None, wrong)}


@pytest.mark.parametrize("words", [["campaigns"], ["log", "x"], ["export", "x", "x.zip"]])
def test_where_there_is_no_database_none_is_made(run, home, words):
    said = run(*words)
    assert said.code == 2
    assert "`kitchentable serve` creates one" in said.err
    assert not list(home.iterdir())


def test_the_log_is_the_gms_or_anothers(run, played):
    gm = run("log", "salt", "--last", "3").out
    mara = run("log", "The Salt Road", "--as", "mara", "--last", "3").out
    assert "Mara: Quiet now." in gm
    assert "GM rolls 1d20" in gm
    assert "GM threw dice behind the screen." in mara
    assert "1d20" not in mara
    entries = run("log", played, "--json", "--last", "5").json
    assert [entry["kind"] for entry in entries][-1] == "session-ended"
    assert all(entry["number"] for entry in entries)
    hidden = run("log", played, "--json", "--as", "Mara").json
    assert {entry["number"] for entry in hidden} == {None}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["log", "nobody's"], "cli/which-campaign"),
        (["log", "salt", "--as", "Nobody"], "cli/which-seat"),
        (["export", "salt", "missing/folder/x.zip"], "store/cannot-write"),
        (["import", "missing.zip"], "store/no-such-file"),
        (["verify", "missing.zip"], "store/no-such-file"),
    ],
)
def test_what_cannot_be_found_gets_a_sentence(run, played, words, code):
    said = run(*words, "--json")
    assert said.code in {2, 3}
    assert said.error["code"] == code
    assert said.error["sentence"].rstrip().endswith((".", "?"))


def test_a_campaign_moves_to_another_server(run, played, home, monkeypatch):
    said = run("export", "salt", "salt.zip")
    assert (said.code, said.out) == (0, "The Salt Road: 23 events are in salt.zip.\n")
    assert run("verify", "salt.zip").code == 0
    assert run("import", "salt.zip").code == 2
    monkeypatch.setenv("KITCHENTABLE_DATA", str(home / "other" / "table.db"))
    data = run("import", "salt.zip", "--json").json
    assert data == {"campaign": played, "title": "The Salt Road", "events": 23}
    beside = run("import", "salt.zip", "--as", "salt-2")
    assert "as salt-2." in beside.out
    assert len(run("campaigns", "--json").json) == 2
    assert run("log", played, "--json").json == run("log", "salt-2", "--json").json


def test_secrets_travel_only_when_asked_for(run, played):
    told = run("export", "salt", "with.zip", "--secrets")
    assert "can predict" in told.out
    run("export", "salt", "without.zip")
    names = [zipfile.ZipFile(f"{name}.zip").namelist() for name in ("with", "without")]
    assert ["secrets.json" in one for one in names] == [True, False]
    assert run("export", "salt", "with.zip").code == 2, "nothing is written over"


def test_verify_says_what_it_found(run, played):
    run("export", "salt", "salt.zip")
    said = run("verify", "salt.zip")
    assert "Session 1. Fair: all 9 dice of the stream match the seed." in said.out
    data = run("verify", "salt.zip", "--json").json
    assert (data["broken"], data["sessions"][0]["report"]["verdict"]) == (False, "fair")


@pytest.mark.parametrize("command", ["verify", "import"])
def test_a_whole_database_is_no_journal_and_it_is_said_how_to_get_one(run, played, command):
    said = run(command, "table.db", "--json")
    assert (said.code, said.error["code"]) == (2, "store/whole-database")
    assert "`kitchentable export` to write a campaign to a file" in said.error["sentence"]
    run("export", "salt", "house.zip")
    assert run("verify", "house.zip").code == 0


def test_where_two_campaigns_are_meant_those_two_are_told(run, played):
    run("export", "salt", "salt.zip")
    run("import", "salt.zip", "--as", "salt-2")
    server = Server.at(Path("table.db"))
    asyncio.run(server.open_example("objects"))
    server.close()
    for words in (["links", "salt", "--url", "https://t.example"], ["log", "The Salt Road"]):
        told = run(*words, "--json").error["sentence"]
        both = "; ".join(f"{one} The Salt Road" for one in sorted([played, "salt-2"]))
        assert told.endswith(f"2 campaigns match: {both}.")
    assert "The campaigns are: " in run("log", "nobody's").err
    assert "The Lantern Coast" in run("log", "nobody's").err


def test_verify_ends_with_one_when_a_die_was_turned(run, played):
    run("export", "salt", "salt.zip")
    journal = zipfile.ZipFile("salt.zip").read("journal.jsonl").decode().splitlines()
    lines = [json.loads(line) for line in journal]
    rolled = next(line for line in lines if line["kind"] == "rolled")
    die = rolled["body"]["throw"]["trace"][0]
    die["physical"] = die["physical"] % 6 + 1
    Path("journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = run("verify", "journal.jsonl")
    assert said.code == 1
    assert "Session 1. Broken:" in said.out
    assert "the stream threw face" in said.out


def test_a_file_with_a_damaged_entry_is_to_be_exported_again(run, played, home):
    run("export", "salt", "salt.zip")
    with zipfile.ZipFile("salt.zip") as packed:
        lines = packed.read("journal.jsonl").decode().splitlines()
    for number in ("99", '"three"'):
        line = lines[2].replace('"body":{"number":3', f'"body":{{"number":{number}')
        (home / "odd.jsonl").write_text("\n".join([*lines[:2], line, *lines[3:]]))
        for command in ("verify", "luck"):
            said = run(command, "odd.jsonl")
            assert said.code == 2
            assert said.err.startswith(
                f"odd.jsonl cannot be read. Entry 3 of campaign {played} is damaged. "
            )
            assert said.err.endswith(" Export the campaign again from its server.\n")
            assert "backup" not in said.err


def test_a_database_without_write_access_is_read(run, played, home, monkeypatch):
    with closing(Server.at(home / "table.db")) as server:
        server.store._run("delete from snapshots")
    monkeypatch.setattr(os, "access", lambda one, _: one != home / "table.db")
    assert run("campaigns").out.startswith(f"{played}  The Salt Road (toast, 1 session, since 20")
    for words in ("log salt", "luck salt", "export salt salt.zip", "backup copy.db"):
        said = run(*words.split())
        assert (said.code, said.err) == (0, "")
    said = run("links", "salt", "--url", "http://127.0.0.1:8000")
    assert said.code == 3
    assert "cannot be written to" in said.err
    assert sorted(one.name for one in home.iterdir()) == ["copy.db", "salt.zip", "table.db"]


def test_a_copy_of_the_database_and_back(run, played, home):
    said = run("backup", "tonight.db")
    assert said.out == "The database is copied to tonight.db, and the copy is sound.\n"
    assert run("backup", "tonight.db").code == 2, "nothing is written over"
    run("export", "salt", "salt.zip")
    run("import", "salt.zip", "--as", "salt-2")
    assert len(run("campaigns", "--json").json) == 2
    data = run("backup", "--restore", "tonight.db", "--yes", "--json").json
    assert len(run("campaigns", "--json").json) == 1
    assert data["restored"] == "tonight.db"
    aside = run("campaigns", "--data", data["aside"], "--json").json
    assert len(aside) == 2, "what was there is set aside, whole"


def test_restoring_asks_first(run, played, monkeypatch):
    run("backup", "tonight.db")
    run("import", "salt.zip")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    said = run("backup", "--restore", "tonight.db")
    assert said.code == 130
    assert "Restore the copy?" in said.err


def test_no_copy_is_put_back_while_the_server_is_open(run, played, home):
    run("backup", "tonight.db")
    server = Server.at(home / "table.db")
    said = run("backup", "--restore", "tonight.db", "--yes", "--json")
    server.close()
    assert (said.code, said.error["code"]) == (3, "store/in-use")


def test_nobody_is_asked_about_a_copy_that_is_not_there(run, played):
    said = run("backup", "--restore", "yesterday.db")
    assert said.code != 0
    assert "[y/N]" not in said.err
    assert "yesterday.db" in said.err


def test_automatic_copies_are_listed_and_restored_by_name(run, played, home):
    assert "No automatic copies yet" in run("backup", "--list").out
    server = Server.at(home / "table.db")
    server.backup_if_due()
    server.close()
    (copy,) = run("backup", "--list", "--json").json
    assert copy["why"] == "auto"
    name = run("backup", "--list").out.split()[-1]
    assert copy["file"].endswith(name)
    assert run("backup", "--restore", name, "--yes").code == 0


@pytest.mark.parametrize("words", [[], ["a.db", "--list"], ["--list", "--restore", "a.db"]])
def test_backup_does_one_thing_at_a_time(run, played, words):
    assert run("backup", *words).code == 2


def test_fresh_links_into_a_server(run, played, home):
    assert run("links", "salt").code == 2, "nobody knows its address yet"
    said = run("links", "salt", "--url", "https://table.example.org/toast/", "--qr", "Mara")
    assert "https://table.example.org/toast/host/" in said.out
    assert "For a phone on the same network, as Mara:" in said.out
    assert said.out.count("█") > 100, "a QR code is drawn"
    data = run("links", "salt", "--url", "https://t.example", "--json").json
    (campaign,) = data["campaigns"]
    assert [seat["name"] for seat in campaign["seats"]] == ["GM", "Mara", "Jonas", "Lene"]
    server = Server.at(home / "table.db")
    key = campaign["seats"][1]["link"].removeprefix("https://t.example/s/")
    assert server.keys.open(key, "seat-link").campaign == played
    assert server.keys.open(campaign["join"].rpartition("/")[2], "join") is not None
    assert server.keys.spend(data["host"].rpartition("/")[2], "host-link") is not None
    server.close()
    assert run("links", "salt", "--url", "https://t.example", "--qr", "Nobody").code == 2


@pytest.mark.parametrize("name", ["http://[", "none.db"])
def test_a_database_that_is_not_there_is_told_by_its_name(run, name):
    said = run("campaigns", "--data", name)
    assert (said.code, f"There is no database at {name}" in said.err) == (2, True)


def test_luck_is_the_same_from_the_server_and_from_a_file(run, played, home):
    assert "No roll with odds yet." in run("luck", "salt").out
    asyncio.run(_roll(home / "table.db", played))
    told = run("luck", "salt").out
    assert told.startswith("Mara: 1 of 1 roll succeeded, 0.6 expected. Ordinary luck.")
    assert "Rarest: Perception, success, 50 %." in told
    run("export", "salt", str(home / "salt.zip"))
    assert run("luck", str(home / "salt.zip")).out == told
    [mara] = run("luck", "salt", "--as", "Mara", "--session", "2", "--json").json["players"]
    assert (mara["successes"], mara["expected"], mara["ordinary"]) == (1, "7/12", [0, 1])
    assert run("luck", "salt", "--session", "1", "--json").json["players"] == []
    assert "not a file" in run("luck", str(home / "salt.zip"), "--as", "Mara").err


async def _roll(database, campaign):
    with closing(Server.at(database)) as server:
        seats = server.tables.campaign(campaign).table.seats.values()
        gm, mara = (next(seat.id for seat in seats if seat.name == name) for name in ("GM", "Mara"))
        table = server.tables.campaign(campaign).table
        [who] = [one.id for one in table.entities.values() if one.owner == mara]
        asked = await _do(server, campaign, c.BeginSession, gm)
        asked = await _do(
            server,
            campaign,
            c.Propose,
            mara,
            move="task",
            entity=who,
            answers={"trait": "perception"},
        )
        roll = asked.events[-1].data["proposal"]
        await _do(server, campaign, c.Settle, gm, proposal=roll, answers={"difficulty": "medium"})
        await _do(server, campaign, c.Throw, mara, proposal=roll, faces=("9",))


async def _do(server, campaign, kind, seat, /, **named):
    return await server.tables.handle(campaign, kind(id=kind.__name__, seat=seat, **named))


def test_webhooks_are_set_from_the_terminal(run, played, home):
    assert run("webhook", "salt").out == "No webhooks.\n"
    made = json.loads(
        run("webhook", "salt", "--add", "https://bot.example.org/a-key", "--json").out
    )
    assert made["secret"].startswith("whsec_")
    run("webhook", "salt", "--add", "https://gm.example.org/hook", "--secrets-too")
    with closing(Server.at(home / "table.db")) as server:
        hooks, seats = server.webhooks.hooks, server.tables.campaign(played).table.seats
        one, other = hooks.of(played)
        assert (one.id, one.url, one.seat) == (made["id"], "https://bot.example.org/a-key", "")
        assert seats[other.seat].role == "gm"
        assert hooks.progress(one.id).sent == server.tables.campaign(played).number
        hooks.note(one.id, Progress(sent=0, off="410"))
    listed = run("webhook", "salt").out
    assert "bot.example.org: what every player may know. Switched off: 410" in listed
    assert "a-key" not in listed
    assert "whsec" not in listed
    assert "Switched off" not in run("webhook", "salt", "--resume", one.id).out
    assert one.id not in run("webhook", "salt", "--remove", one.id).out
    assert "no webhook" in run("webhook", "salt", "--remove", one.id).err
    assert run("webhook", "salt", "--remove", "").code == 2
