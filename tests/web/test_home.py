"""The host's page: an unplayable campaign is reported and affects no other."""

import re
import sqlite3
import zipfile
from contextlib import closing

import msgspec
import pytest

from kitchentable.app import removal
from kitchentable.app.playable import CannotBePlayed
from kitchentable.app.server import Server
from kitchentable.store import CampaignEntry, ExportData, MemoryStore, Row, open_store
from tests.web.visitors import visit

TIME = "2026-11-22T19:00:00.000000Z"
BROKEN = Row("broken", 1, "c1", TIME, "campaign-opened", b'{"v":9999}')
GARBLED = Row("garbled", 1, "c1", TIME, "campaign-opened", b'{"kind":"campaign-opened","data":{}}')


def put(server, row, title):
    server.store.adopt(
        CampaignEntry(row.campaign, title, "toast", TIME), lambda: [row], ExportData()
    )


@pytest.fixture
def on_disk(tmp_path):
    with visit(server=Server(open_store(tmp_path / "table.db"))) as one:
        yield one


def test_a_campaign_that_cannot_be_read_is_one_line_of_the_home(visited):
    put(visited.server, BROKEN, "From tomorrow")
    put(visited.server, GARBLED, "Garbled")
    gone = CampaignEntry("gone", "Of a game that left", "nowhere", TIME)
    rows = [
        msgspec.structs.replace(
            row, campaign="gone", body=row.body.replace(b'"toast"', b'"nowhere"')
        )
        for row in visited.server.store.read(visited.campaign)
    ]
    visited.server.store.adopt(gone, lambda: rows, ExportData())
    page = visited.host().get("/")
    assert page.status_code == 200
    assert page.text.count("This campaign cannot be opened.") == 3
    assert "A newer version of Kitchen Table has recorded" in page.text
    assert "that game is not on this server" in page.text
    assert visited.t in page.text


def test_a_broken_campaign_is_exported_and_removed(on_disk, tmp_path):
    put(on_disk.server, BROKEN, "From tomorrow")
    host = on_disk.host()
    assert host.get("/t/broken/export").content[:2] == b"PK"
    refused = host.fill("/campaigns/broken/remove")
    assert refused.status_code == 422
    assert "tick that you are sure" in refused.text
    assert host.fill("/campaigns/broken/remove", sure="on").status_code == 303
    assert on_disk.server.store.campaign("broken") is None
    assert on_disk.server.store.read("broken") == []
    (kept,) = (tmp_path / "backups").glob("broken.*.removed.zip")
    assert zipfile.ZipFile(kept).namelist()


def test_a_campaign_with_a_damaged_entry_is_removed_and_kept_as_it_is(on_disk, tmp_path):
    put(on_disk.server, GARBLED, "Garbled")
    with closing(sqlite3.connect(tmp_path / "table.db")) as database, database:
        database.execute("update events set body = ? where campaign = 'garbled'", (b"{",))
    host = on_disk.host()
    assert "is damaged in the database" in host.get("/t/garbled/export").text
    assert host.fill("/campaigns/garbled/remove", sure="on").status_code == 303
    (kept,) = (tmp_path / "backups").glob("garbled.*.removed.zip")
    assert zipfile.ZipFile(kept).read("journal.jsonl")


def test_a_campaign_whose_copy_cannot_be_written_is_not_removed(on_disk, tmp_path, caplog):
    (tmp_path / "backups").write_text("a file where the folder should be")
    answer = on_disk.host().fill(f"/campaigns/{on_disk.campaign}/remove", sure="on")
    assert (answer.status_code, "nothing was done" in answer.text) == (503, True)
    assert "cannot be written" in caplog.text
    assert on_disk.server.store.campaign(on_disk.campaign) is not None
    assert on_disk.sits("Mara").get(on_disk.t).status_code == 200


def test_a_removed_campaign_comes_back_from_its_file(on_disk, tmp_path):
    before = [row.body for row in on_disk.server.store.read(on_disk.campaign)]
    mara = on_disk.sits("Mara")
    file = removal.remove(on_disk.server, on_disk.campaign)
    on_disk.server.tables.forget(on_disk.campaign)
    assert mara.get(on_disk.t).status_code == 401
    assert on_disk.host().get("/").status_code == 200
    on_disk.server.take_in(file)
    assert [row.body for row in on_disk.server.store.read(on_disk.campaign)] == before
    assert removal.remove(on_disk.server, on_disk.campaign) != file


def test_a_campaign_is_put_away_and_fetched(visited):
    host = visited.host()
    assert host.fill(f"/campaigns/{visited.campaign}/put-away").status_code == 303
    gone = CampaignEntry("gone", "Of a game that left", "nowhere", TIME, archived=TIME)
    visited.server.store.put_campaign(gone)
    page = host.get("/").text
    titles = re.findall(r'<p class="help">(\w+) · archived on', page)
    assert sorted(titles) == ["Toast", "nowhere"]
    assert f'href="{visited.t}"' not in page
    assert visited.sits("Mara").get(visited.t).status_code == 200
    assert host.fill(f"/campaigns/{visited.campaign}/fetch").status_code == 303
    assert f'href="{visited.t}"' in host.get("/").text


@pytest.mark.parametrize("what", ["put-away", "fetch", "remove"])
def test_only_the_host_puts_away_and_removes(visited, what):
    answer = visited.sits("GM").fill(f"/campaigns/{visited.campaign}/{what}", sure="on")
    assert answer.status_code == 401
    assert visited.server.store.campaign(visited.campaign).archived is None
    assert visited.host().fill(f"/campaigns/nobody/{what}", sure="on").status_code == 404


def archive(tmp_path, server, campaign, change):
    """An export with changed rows and matching hashes."""
    other = MemoryStore()
    entry, rows = change(server.store.campaign(campaign), server.store.read(campaign))
    other.adopt(entry, lambda: rows, ExportData())
    file = tmp_path / "changed.zip"
    Server(other).export(campaign, file)
    return file


def test_a_copy_of_a_campaign_that_is_here_has_a_title_of_its_own(visited, tmp_path):
    file = tmp_path / "here.zip"
    visited.server.export(visited.campaign, file)
    title = visited.server.store.campaign(visited.campaign).title
    host = visited.host()
    for _ in range(2):
        sent = {"file": file.read_bytes()}
        host.post("/import", data={"_csrf_token": host.token()}, files=sent)
    page = host.get("/").text
    for name in (title, f"{title} (copy)", f"{title} (copy 2)"):
        assert f"<b>{name}</b>" in page


def of_no_game(entry, rows):
    event = msgspec.json.decode(rows[0].body)
    text = msgspec.json.encode(event).replace(b'"toast"', b'"nowhere"')
    return entry, [msgspec.structs.replace(rows[0], body=text), *rows[1:]]


def from_tomorrow(entry, rows):
    return entry, [*rows[:-1], msgspec.structs.replace(rows[-1], body=b'{"v":9999}')]


def garbled(entry, rows):
    return entry, [msgspec.structs.replace(rows[0], body=b'{"data":[]}'), *rows[1:]]


@pytest.mark.parametrize("change", [of_no_game, from_tomorrow, garbled])
def test_what_cannot_be_played_here_is_not_taken_in(visited, tmp_path, change):
    file = archive(tmp_path, visited.server, visited.campaign, change)
    server = Server(MemoryStore())
    with pytest.raises(CannotBePlayed, match="cannot be played here"):
        server.take_in(file)
    assert server.campaigns() == []
    host = visited.host()
    answer = host.post(
        "/import", data={"_csrf_token": host.token()}, files={"file": file.read_bytes()}
    )
    assert answer.status_code == 400
    assert "cannot be played here" in answer.text
    assert len(visited.server.campaigns()) == 1


def test_a_new_campaign_takes_a_list_of_its_own_and_loses_no_row(visited):
    host = visited.host()
    page = host.get("/new", params={"game": "toast"}).text
    roles = page.partition('id="f-o-role_attack-l"')[2].partition("</datalist>")[0]
    assert "<option>Attack</option>" in roles
    rows = {"o.traits.0.name": "Blades", "o.traits.1.name": "Wits", "o.role_attack": "Blades"}
    fields = {"game": "toast", "title": "Own", "gm_name": "GM", **rows}
    more = host.fill("/new", **fields, add="traits")
    for place, name in ((0, "Blades"), (1, "Wits"), (2, "")):
        assert (
            f'name="o.traits.{place}.name" id="f-o-traits-{place}-name" value="{name}"' in more.text
        )
    roles = more.text.partition('id="f-o-role_attack-l"')[2].partition("</datalist>")[0]
    assert roles.count("<option>") == 2
    refused = host.fill("/new", **{**fields, "title": ""})
    assert (refused.status_code, refused.text.count('value="Wits"')) == (422, 1)
    made = host.fill("/new", **fields)
    campaign = made.headers["location"].rpartition("/")[2]
    options = visited.server.tables.campaign(campaign).table.options
    assert [one["name"] for one in options["traits"]] == ["Blades", "Wits"]
