"""Browser files: small, compressed, cached for ever under a name with their hash."""

import gzip
import re
import shutil
from pathlib import Path

import pytest

from kitchentable.web import assets
from kitchentable.web.assets import MissingAsset, load_assets

LINKED = re.compile(r'(?:src|href)="(/assets/[^"]+)"')


def test_the_first_page_of_the_table_is_light(shared):
    mara = shared.sits("Mara")
    page = mara.get(shared.t, headers={"accept-encoding": "gzip"})
    linked = sorted(set(LINKED.findall(page.text)))
    weights = [len(gzip.compress(page.content, 5))]
    for path in linked:
        answer = mara.get(path, headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200
        weights.append(int(answer.headers["content-length"]))
    feed = 1
    assert len(weights) + feed <= 5, linked
    assert sum(weights) < 60_000, weights
    assert int(page.headers["content-length"]) < 15_000


def test_an_asset_may_be_kept_for_ever(shared):
    path = LINKED.findall(shared.stranger().get("/help").text)[0]
    answer = shared.stranger().get(path)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    tag = answer.headers["etag"]
    again = shared.stranger().get(path, headers={"if-none-match": tag})
    assert again.status_code == 304
    assert again.content == b""
    head = shared.stranger().head(path)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] != "0"


def test_the_script_is_one_file_with_everything_in_it(shared):
    path = next(one for one in LINKED.findall(shared.stranger().get("/help").text) if "app-" in one)
    names = [one for one in LINKED.findall(shared.stranger().get("/help").text) if ".js" in one]
    assert len(names) == 1
    script = shared.stranger().get(names[0])
    assert script.headers["content-type"].startswith("text/javascript")
    assert "hx-sse" in script.text
    assert path


def test_who_cannot_unpack_gets_it_plain(shared):
    path = LINKED.findall(shared.stranger().get("/help").text)[0]
    plain = shared.stranger().get(path, headers={"accept-encoding": "identity"})
    packed = shared.stranger().get(path, headers={"accept-encoding": "gzip;q=0.5"})
    refused = shared.stranger().get(path, headers={"accept-encoding": "gzip;q=0"})
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.content == packed.content


def test_a_page_from_before_an_update_gets_what_is_there_now(shared):
    answer = shared.stranger().get("/assets/app-000000000000.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "name", ["nothing.js", "..%2fserver.py", "app.js%00", "%2e%2e", "vendor%2fhtmx.min.js"]
)
def test_nothing_else_is_served(shared, name):
    assert shared.stranger().get(f"/assets/{name}").status_code == 404


def test_a_missing_file_is_named_before_the_server_opens(tmp_path):
    with pytest.raises(MissingAsset, match=r"htmx\.min\.js"):
        load_assets(tmp_path)


def test_fonts_come_when_their_letters_do_and_may_be_kept_for_ever(shared):
    page = shared.stranger().get("/help").text
    sheet = shared.stranger().get(next(one for one in LINKED.findall(page) if "pictures-" in one))
    faces = re.findall(r"@font-face\{([^}]*)\}", sheet.text)
    assert len(faces) == 10
    assert all("font-display:swap" in one and "unicode-range:U+" in one for one in faces)
    names = [re.search(r'url\("([^"]+)"\)', one)[1] for one in faces]
    first = [shared.stranger().get(f"/assets/{name}") for name in names]
    for answer in first:
        assert answer.content[:4] == b"wOF2"
        assert answer.headers["content-type"] == "font/woff2"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "content-encoding" not in answer.headers
    # Those of the Latin letters: upright, italic, and the interface's.
    assert sum(len(answer.content) for answer in first[:3]) < 59_000
    assert "font-src 'self'" in first[0].headers["content-security-policy"]


def test_pages_do_without_fonts_where_they_were_not_built(tmp_path):
    source = Path(assets.__file__).parent / "static"
    shutil.copytree(source, tmp_path / "static", ignore=shutil.ignore_patterns("fonts"))
    assert b"@font-face" not in load_assets(tmp_path / "static")["pictures.css"].plain
