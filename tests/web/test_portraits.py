"""Portraits, handouts and the scene: who may send them, and who sees them."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from kitchentable.app.pictures import LARGEST
from kitchentable.app.server import Server
from kitchentable.store import MemoryStore
from tests.web.visitors import Visited, Visitor

SENT = re.compile(r'src="(/t/[^"]+/pictures/[0-9a-f]{40})"')


def png(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (60, 60), colour).save(out, "PNG")
    return out.getvalue()


def send(visitor: Visitor, path: str, colour: str = "", **fields):
    """Fill in a form with a file."""
    files = {"file": ("face.png", png(colour), "image/png")} if colour else None
    form = {"_csrf_token": visitor.token(), **fields}
    return visitor.post(path, data=form, files=files or {"file": ("", b"", "")})


def shown(visitor: Visitor, path: str) -> set[str]:
    return set(SENT.findall(visitor.get(path).text))


def test_a_player_sets_a_portrait_that_all_who_know_the_character_see(visited: Visited):
    mara, jonas, gm = (visited.sits(name) for name in ("Mara", "Jonas", "GM"))
    path = f"{visited.t}/characters/{visited.entity('Mara Vell')}/portrait"
    assert send(jonas, path, "#000").status_code == 403
    assert send(visited.stranger(), path, "#000").status_code in {401, 403}
    assert visited.server.store.picture_ids(visited.campaign) == []
    assert send(mara, path, "#a04030").status_code == 303
    (address,) = shown(jonas, visited.t)
    assert shown(mara, visited.t) == shown(gm, visited.t) == {address}
    answer = jonas.get(address)
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert visited.stranger().get(address).status_code == 401
    # What was said shows the face of that time.
    who = visited.entity("Mara Vell")
    assert mara.fill(f"{visited.t}/say", text="Hello.", entity=who).status_code == 303
    assert send(mara, path, remove="yes").status_code == 303
    assert shown(jonas, visited.t) == {address}
    assert jonas.get(address).status_code == 200
    assert "portrait" in mara.get(f"{visited.t}/journal").text


def test_a_portrait_that_is_refused_is_told_on_the_sheet(visited: Visited):
    mara = visited.sits("Mara")
    path = f"{visited.t}/characters/{visited.entity('Mara Vell')}/portrait"
    none = send(mara, path)
    assert (none.status_code, "Choose a picture first." in none.text) == (422, True)
    form, files = {"_csrf_token": mara.token()}, {"file": ("face.png", b"words", "image/png")}
    told = mara.post(path, data=form, files=files)
    assert told.status_code == 422
    beside = told.text.partition('id="f-file"')[2].partition("</form>")[0]
    assert 'aria-invalid="true"' in beside
    assert 'id="f-file-p"' in beside
    assert visited.server.store.picture_ids(visited.campaign) == []


def test_a_portrait_of_somebody_hidden_is_the_gms(visited: Visited):
    mara, gm = visited.sits("Mara"), visited.sits("GM")
    serk = visited.entity("Captain Serk")
    gm.fill(f"{visited.t}/characters/{serk}/change", hidden="on")
    assert send(gm, f"{visited.t}/characters/{serk}/portrait", "#111").status_code == 303
    (address,) = shown(gm, visited.t)
    assert mara.get(address).status_code == 404
    assert "portrait" not in mara.get(f"{visited.t}/journal").text
    gm.fill(f"{visited.t}/characters/{serk}/change", hidden="off")
    assert mara.get(address).status_code == 200


def test_a_handout_is_secret_until_shown_and_after_it_was_taken_back(visited: Visited):
    gm, mara, lene = (visited.sits(name) for name in ("GM", "Mara", "Lene"))
    page = f"{visited.t}/handouts"
    made = send(gm, page, "#225", title="Bill of lading", text="**21 crates** of salt")
    assert made.status_code == 303
    form = {"_csrf_token": gm.token(), "title": "Nothing"}
    empty = gm.post(page, data=form, files={"file": ("map.png", b"", "image/png")})
    assert (empty.status_code, "This file is empty" in empty.text) == (422, True)
    (address,) = shown(gm, page)
    handout = re.search(r'id="(handout-[^"]+)"', gm.get(page).text)[1]
    changed = gm.fill(page, handout=handout, title="x" * 61, text="Two crates").text
    assert f'<a href="#f-{handout}-title">A title has at most 60 characters' in changed
    assert re.search(r"<details open><summary>Change.*?Two crates</textarea>", changed, re.DOTALL)
    assert send(mara, page, title="Mine").status_code == 403
    assert mara.fill(f"{page}/{handout}/show", show="all").status_code == 403

    def seen(visitor):
        texts = [visitor.get(path).text for path in (page, visited.t, f"{visited.t}/api/v1/view")]
        return ["Bill of lading" in text for text in texts], visitor.get(address).status_code

    assert seen(mara) == seen(lene) == ([False] * 3, 404)
    some = {"show": "some", "to": visited.seats["Mara"].id}
    nobody = gm.fill(f"{page}/{handout}/show", show="some")
    assert (nobody.status_code, "Tick who may see it" in nobody.text) == (422, True)
    answer = gm.fill(f"{page}/{handout}/show", **some)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{page}#{handout}")
    assert seen(mara) == ([True] * 3, 200)
    assert "<strong>21 crates</strong>" in mara.get(visited.t).text
    assert seen(lene) == ([False] * 3, 404)
    assert gm.fill(f"{page}/{handout}/show", show="all", backdrop="on").status_code == 303
    assert '<figure class="backdrop">' in lene.get(visited.t).text
    assert gm.fill(f"{page}/{handout}/show", show="nobody").status_code == 303
    assert '<figure class="backdrop">' not in lene.get(visited.t).text
    for visitor in (mara, lene):
        assert visitor.get(address).status_code == 404
        assert address not in visitor.get(visited.t).text


def test_what_cannot_be_taken_is_told_and_nothing_is_kept(visited: Visited):
    gm = visited.sits("GM")
    page = f"{visited.t}/handouts"
    form = {"_csrf_token": gm.token(), "title": "A map", "text": "North is up."}
    refused = gm.post(page, data=form, files={"file": ("a.png", b"<svg/>", "image/png")})
    assert refused.status_code == 422
    assert "cannot be read as a picture" in refused.text
    assert "North is up." in refused.text
    assert '<a href="#f-new-file">This file cannot be read as a picture.' in refused.text
    field = refused.text.partition('id="f-new-file"')[2].partition("<button")[0]
    assert 'aria-invalid="true"' in field
    assert "cannot be read as a picture" in field
    assert visited.server.store.picture_ids(visited.campaign) == []
    # So is a photo of any camera, which a page of its own would refuse without the text.
    photo = {"file": ("a.png", b"x" * (LARGEST + 200_000), "image/png")}
    for address in (page, f"{visited.t}/characters/{visited.entity('Mara Vell')}/portrait"):
        refused = gm.post(address, data=form, files=photo)
        assert refused.status_code == 422, refused.text
        assert 'id="f-new-file"' in refused.text or 'id="f-file"' in refused.text
        assert "larger than 12 MB" in refused.text
    # By the command's hash alone nobody learns whether somebody has sent that picture.
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    command = {"do": "set-portrait", "id": "c1", "entity": visited.entity("Mara Vell")}
    answer = visited.stranger().post(
        f"{visited.t}/api/v1/commands",
        json={**command, "picture": "a" * 40},
        headers={"authorization": f"Bearer {key}"},
    )
    assert answer.status_code == 403


def test_pictures_travel_with_an_export(visited: Visited, tmp_path: Path):
    mara = visited.sits("Mara")
    send(mara, f"{visited.t}/characters/{visited.entity('Mara Vell')}/portrait", "#a04030")
    (kept,) = visited.server.store.picture_ids(visited.campaign)
    visited.server.export(visited.campaign, tmp_path / "with.zip")
    other = Server(MemoryStore())
    other.take_in(tmp_path / "with.zip")
    assert other.store.picture(visited.campaign, kept) == visited.server.store.picture(
        visited.campaign, kept
    )
    tree = other.tables.campaign(visited.campaign).tree
    assert list(tree["portraits"].values()) == [[kept]]
    other.close()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Plan\n- *go*", "<h4>Plan</h4>\n<ul>\n<li><em>go</em></li>\n</ul>"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("![a](https://elsewhere/x.png)", "!<a href="),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("[[Old Tam]] and [[Nobody]]", "Old Tam</a> and Nobody"),
        ("[[2d6+1]]", '<a href="/dice?notation=2d6%2B1">2d6+1</a>'),
    ],
)
def test_notes_are_markdown_and_nothing_in_them_runs(shared: Visited, text, html):
    gm = shared.sits("GM")
    gm.fill(f"{shared.t}/note", which="table", text=text)
    assert html in gm.get(shared.t).text


def test_a_reference_leads_only_where_its_reader_may_go(visited: Visited):
    gm, mara = visited.sits("GM"), visited.sits("Mara")
    serk = visited.entity("Captain Serk")
    gm.fill(f"{visited.t}/note", which="table", text="Ask [[Captain Serk]], see [[The die]].")
    assert f'/sheets/{serk}">Captain Serk</a>' in mara.get(visited.t).text
    gm.fill(f"{visited.t}/characters/{serk}/change", hidden="on")
    assert f'/sheets/{serk}">Captain Serk</a>' in gm.get(visited.t).text
    assert f"/sheets/{serk}" not in mara.get(visited.t).text
