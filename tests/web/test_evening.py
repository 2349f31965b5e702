"""A session by plain forms alone, without script or feed: every page and button."""

import io
import re
import zipfile

from kitchentable.app.server import Server
from kitchentable.store import open_store
from tests.web.visitors import Visited, visit

TRAITS = (
    ("aesthetics", 4),
    ("aim", 9),
    ("athletics", 3),
    ("attack", 5),
    ("defense", 4),
    ("dexterity", 3),
    ("health", 4),
    ("initiative", 4),
    ("knowing", 2),
    ("perception", 5),
    ("social", 4),
    ("strength", 2),
    ("willpower", 3),
)


def proposals(visited: Visited) -> list[str]:
    return list(visited.server.tables.campaign(visited.campaign).tree["proposals"])


def asks(visited: Visited) -> dict[str, str]:
    state = visited.server.tables.campaign(visited.campaign)
    return {ask.move: ask.id for ask in state.table.asks.values()}


def laid(visited: Visited) -> tuple[Visited, object]:
    """A new campaign of the host's own, and the GM at its desk."""
    host = visited.host()
    answer = host.fill(
        "/new",
        game="toast",
        title="The Quiet Mill",
        gm_name="Ethel",
        o__medium="12",
        t__gm_confirms="each",
        t__tone="Cosy, with flour.",
    )
    assert answer.status_code == 303
    campaign = re.findall(r"/t/([^/]+)$", answer.headers["location"])[0]
    return Visited(visited.server, campaign, visited.app, visited.client), host


def test_a_whole_evening_without_a_script(visited):
    server, gm = laid(visited)
    t = server.t
    desk = gm.get(f"{t}/desk").text
    assert "Begin session 1" in desk
    invite = next(part for part in desk.split('"') if "/join/" in part)

    ida = server.stranger()
    door = ida.get(invite)
    assert "Cosy, with flour." in door.text
    assert "Ethel" in door.text
    assert ida.fill("/join", key=invite.split("/")[-1], name="Ida", role="player").is_redirect
    assert "1" in gm.get("/").text
    gm.fill(f"{t}/seats/{server.seats['Ida'].id}/decide", verdict="approve")

    entity = build(server, ida, gm)
    began = gm.fill(f"{t}/session/begin")
    assert began.headers["location"].endswith(t)
    page = ida.get(t).text
    assert "Session 1" in page

    # A roll: proposed, given a difficulty that stays hidden, thrown with real dice.
    odds = ida.get(f"{t}?move=task&entity={entity}&a.trait=aim").text
    assert "67" in odds
    ida.fill(f"{t}/moves", move="task", entity=entity, a__trait="aim", a__what="Hit the bell")
    (proposal,) = proposals(server)
    assert "Hit the bell" in gm.get(t).text
    gm.fill(f"{t}/proposals/{proposal}/settle", a__difficulty="hard", hide="difficulty")
    assert "Hard" not in ida.get(t).text
    wrong = ida.fill(f"{t}/proposals/{proposal}/throw", faces="13")
    assert wrong.status_code == 422
    assert proposals(server) == [proposal]
    ida.fill(f"{t}/proposals/{proposal}/throw", faces="flub")
    assert proposals(server) == []
    assert "Flub" in ida.get(t).text
    assert "real dice" in ida.get(t).text

    # A flub asks the GM for its sentence; the answer stands in the log.
    ask = asks(server)["twist"]
    card = gm.get(t).text
    assert f"/asks/{ask}/answer" in card
    field = re.findall(rf'/asks/{ask}/answer".*?name="(a\.[^"]+)"', card, re.DOTALL)[0]
    gm.fill(f"{t}/asks/{ask}/answer", **{field.replace(".", "__"): "The bell falls on the miller."})
    assert "The bell falls on the miller." in ida.get(t).text

    # Declined and withdrawn, by the GM and by who began.
    ida.fill(f"{t}/moves", move="task", entity=entity, a__trait="social")
    gm.fill(
        f"{t}/proposals/{proposals(server)[0]}/decline", verdict="success", note="They like you"
    )
    assert "They like you" in ida.get(t).text
    ida.fill(f"{t}/moves", move="task", entity=entity, a__trait="social")
    ida.fill(f"{t}/proposals/{proposals(server)[0]}/withdraw")
    assert proposals(server) == []

    # The GM asks for a roll by name of a player's character.
    gm.fill(f"{t}/moves", move="task", entity=entity, any_yes="on", a__difficulty="easy")
    ida.fill(f"{t}/proposals/{proposals(server)[0]}/settle", a__trait="perception")
    ida.fill(f"{t}/proposals/{proposals(server)[0]}/throw")
    assert proposals(server) == []

    ida.fill(f"{t}/say", text="/me bows")
    ida.fill(f"{t}/say", text="/w gm is it over?")
    ida.fill(f"{t}/contribute", text="with flour on my hands")
    ida.fill(f"{t}/say", text="/roll 4d6kh3 for luck")
    assert gm.fill(f"{t}/session/close").headers["location"].endswith("/closing")
    closing = ida.get(f"{t}/closing")
    assert "Wrap up session 1" in closing.text
    assert gm.fill(f"{t}/session/end").is_redirect
    journal = ida.fill(f"{t}/journal/verify")
    assert journal.status_code == 200
    assert "Nothing contradicts the commitments." in journal.text
    assert "Session 1: seed revealed" in journal.text
    found = ida.get(f"{t}/journal?kind=rolls&words=luck").text
    assert "4d6kh3" in found
    assert "The bell falls" not in found
    sheet = ida.get(f"{t}/sheets/{entity}")
    assert "Bell-ringer" in sheet.text

    archive = gm.get(f"{t}/export")
    assert archive.headers["content-disposition"] == 'attachment; filename="The-Quiet-Mill.zip"'
    assert zipfile.is_zipfile(io.BytesIO(archive.content))
    assert archive.headers["content-length"] == str(len(archive.content))
    away_and_back(server, archive.content)


def build(visited: Visited, ida, gm) -> str:
    """A character: refused, mended, sent back with a word, handed in again, accepted."""
    t = visited.t
    where = ida.fill(f"{t}/characters", kind="pc").headers["location"]
    fields = {f"a__traits__{name}": str(level) for name, level in TRAITS}
    much = {**fields, "a__traits__aim": "10"}
    refused = ida.fill(f"{where}/submit", name="Ida Brook", line="Bell-ringer", **much)
    assert refused.status_code == 422
    assert "9 at most" in refused.text
    assert 'value="Ida Brook"' in refused.text
    perk = {"a__perks__0__text": "Knows every bell"}
    handed = ida.fill(f"{where}/submit", name="Ida Brook", line="Bell-ringer", **fields, **perk)
    assert handed.status_code == 303, re.findall(r'class="refuses".*?</p>', handed.text)
    assert "Waiting for the GM" in ida.get(where).text
    mute = gm.fill(f"{where}/decide", accept="no", reason="")
    assert mute.status_code == 422
    assert "Write which changes" in mute.text
    gm.fill(f"{where}/decide", accept="no", reason="Which bells?")
    assert "Which bells?" in ida.get(where).text
    assert ida.fill(f"{where}/submit", name="Ida Brook", **fields, **perk).is_redirect
    for ask in list(asks(visited).values()):
        card = gm.get(t).text
        names = re.findall(
            rf'/asks/{ask}/answer".*?name="(a\.[^"]+)" value="([^"]+)"', card, re.DOTALL
        )
        name, value = names[0]
        gm.fill(f"{t}/asks/{ask}/answer", **{name.replace(".", "__"): value})
    review = gm.get(where).text
    assert "Waiting for your approval" in review
    assert ">yours<" not in review
    accepted = gm.fill(f"{where}/decide", accept="yes")
    assert accepted.status_code == 303
    entity = where.split("/")[-1]
    assert visited.server.tables.campaign(visited.campaign).table.entities[entity].stage == "play"
    return entity


def away_and_back(visited: Visited, archive: bytes) -> None:
    """The same campaign in another server, event by event; and a file that is none is refused."""
    with visit() as other:
        host = other.host()
        data = {"_csrf_token": host.token()}
        files = {"file": ("mill.zip", archive, "application/zip")}
        came = host.post("/import", data=data, files=files)
        assert came.status_code == 303
        assert came.headers["location"] == visited.t
        assert host.get(visited.t).is_redirect
        assert "The bell falls on the miller." in host.get(visited.t).text
        there = other.server.tables.campaign(visited.campaign)
        here = visited.server.tables.campaign(visited.campaign)
        assert list(there.events) == list(here.events)
        again = host.post("/import", data={"_csrf_token": host.token()}, files=files)
        assert again.status_code == 303
        assert again.headers["location"] != visited.t
        assert host.get(again.headers["location"]).is_redirect
        copy = host.get(again.headers["location"])
        assert "The bell falls on the miller." in copy.text
        assert visited.t not in copy.text
        broken = {"file": ("mill.zip", archive[:900], "application/zip")}
        refused = host.post("/import", data={"_csrf_token": host.token()}, files=broken)
        assert 400 <= refused.status_code < 500
        assert "Import a campaign" in refused.text
        nothing = host.fill("/import")
        assert "Choose the file" in nothing.text


def test_copies_are_made_and_brought_back(tmp_path):
    server = Server(open_store(tmp_path / "table.db"))
    with visit(server=server) as visited:
        host = visited.host()
        assert "None yet" in host.get("/").text
        assert host.fill("/backups").is_redirect
        visited.sits("Mara").fill(f"{visited.t}/say", text="After the copy")
        page = host.get("/").text
        name = re.findall(r'name="backup" value="([^"]+)"', page)[0]
        assert host.fill("/backups/restore", backup=name).is_redirect
        assert "copy of" in host.get("/").text
        (copy,) = [one for one in server.campaigns() if one.id != visited.campaign]
        old = server.tables.campaign(copy.id)
        assert old.number + 1 == server.tables.campaign(visited.campaign).number
        assert host.fill("/backups/restore", backup="../../etc/passwd").status_code == 409


def test_a_server_in_memory_says_that_it_has_no_copies(visited):
    answer = visited.host().fill("/backups")
    assert answer.status_code == 409
    assert "makes copies only of a database file" in answer.text
