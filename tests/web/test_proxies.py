"""Behind a reverse proxy and on a sub-path: every address stays below it."""

import re

import pytest

from kitchentable.web.proxies import read_origin
from kitchentable.web.site import Settings
from tests.web.visitors import visit

ADDRESS = re.compile(r'(?:href|action|formaction|src|hx-get|hx-post|hx-sse:connect)="([^"]*)"')
HOST = "http://table.example"


def assert_below(prefix, text):
    found = [one for one in ADDRESS.findall(text) if not one.startswith(("#", "data:"))]
    assert found
    for one in found:
        path = one.removeprefix(HOST).removeprefix("https://table.example")
        assert path.startswith(f"{prefix}/"), one


def test_on_a_sub_path_every_address_stays_below_it():
    with visit(Settings(root_path="/games/table")) as visited:
        gm = visited.stranger()
        key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["GM"].id)
        answer = gm.get(f"/games/table/s/{key}")
        assert answer.headers["location"] == f"/games/table{visited.t}"
        assert f"Path=/games/table{visited.t};" in answer.headers["set-cookie"]
        for below in ("", "/desk", "/journal", "/characters/new", "/rules/toast"):
            page = gm.get(f"/games/table{visited.t}{below}")
            assert page.status_code == 200, below
            text = re.sub(r'href="https?://(?!table\.example)[^"]*"', "", page.text)
            assert_below("/games/table", text)
        asset = re.findall(r'src="(/games/table/assets/[^"]+)"', page.text)[0]
        assert gm.get(asset).status_code == 200


def test_a_proxy_that_takes_the_prefix_off_says_so():
    with visit(Settings(trusted=("*",))) as visited:
        said = {"x-forwarded-prefix": "/games", "x-forwarded-proto": "https"}
        gm = visited.stranger(**said)
        key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["GM"].id)
        answer = gm.get(f"/s/{key}")
        assert answer.headers["location"] == f"/games{visited.t}"
        assert "Secure" in answer.headers["set-cookie"]
        assert "strict-transport-security" in answer.headers
        jar = {one.name: one.value for one in gm.cookies.jar}
        page = gm.get(visited.t, headers={"cookie": f"__Secure-kt_seat={jar['__Secure-kt_seat']}"})
        assert_below("/games", page.text)
        desk = gm.get(
            f"{visited.t}/desk", headers={"cookie": f"__Secure-kt_seat={jar['__Secure-kt_seat']}"}
        )
        assert "https://table.example/games/join/" in desk.text
        again = gm.get("/help", headers={"x-forwarded-prefix": "/other"})
        assert 'href="/other/' in again.text


def test_nobody_elses_word_about_the_prefix_is_taken(shared):
    for said in ("/evil", "//evil.example", '/a"><script>', "https://evil.example"):
        page = shared.stranger(**{"x-forwarded-prefix": said}).get("/help")
        assert "evil" not in page.text
        assert "<script>" not in page.text


def test_a_trusted_proxy_cannot_smuggle_anything_in_either():
    with visit(Settings(trusted=("*",))) as visited:
        for said in ("//evil.example", '/a"><script>', "https://evil.example", "/a b"):
            page = visited.stranger(**{"x-forwarded-prefix": said}).get("/help")
            assert page.status_code == 200
            assert "evil" not in page.text
        for number in range(12):
            page = visited.stranger(**{"x-forwarded-prefix": f"/p{number}"}).get("/help")
            assert f'href="/p{number}/' in page.text


@pytest.mark.parametrize(
    ("public", "leads"),
    [
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000", False),
        ("http://192.168.1.7:8000", True),
    ],
)
def test_the_desk_shows_a_phone_only_links_that_it_can_open(public, leads):
    with visit(Settings(public_url=public)) as visited:
        gm = visited.sits("GM")
        mara = visited.seats["Mara"].id
        new = gm.fill(f"{visited.t}/seats/{mara}/hand-over", command="c1")
        assert f'value="{public}/s/' in new.text
        for page in (gm.get(f"{visited.t}/desk").text, new.text):
            assert f'value="{public}/join/' in page
            assert ("QR code" in page) == leads
            assert ("A phone in the same network" in page) == leads
            assert ("Only this computer can open the link" in page) != leads
            assert ("start it again with <code>kitchentable serve</code>" in page) != leads


def test_links_name_the_public_address_where_one_is_set():
    with visit(Settings(public_url="https://games.example/table/")) as visited:
        desk = visited.sits("GM").get(f"{visited.t}/desk").text
        assert "https://games.example/table/join/" in desk


@pytest.mark.parametrize(
    ("forwarded", "trusted", "address"),
    [
        ("", ["127.0.0.1"], "127.0.0.1"),
        ("203.0.113.9", [], "127.0.0.1"),
        ("203.0.113.9", ["127.0.0.1"], "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9", ["127.0.0.1"], "203.0.113.9"),
        ("203.0.113.9, 10.0.0.2", ["127.0.0.1", "10.0.0.0/8"], "203.0.113.9"),
        ("10.0.0.3, 10.0.0.2", ["127.0.0.1", "10.0.0.0/8"], "10.0.0.3"),
        ("6.6.6.6, 203.0.113.9", ["*"], "203.0.113.9"),
        (" , ,", ["127.0.0.1"], "127.0.0.1"),
    ],
)
def test_whose_address_counts(forwarded, trusted, address):
    told = ((b"x-forwarded-for", forwarded.encode()),)
    origin = read_origin(told, "127.0.0.1", "http", "", tuple(trusted))
    assert origin.address == address
