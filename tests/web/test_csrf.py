"""No form of another site changes anything, on any address; ours work with and without scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.web.application import make_app
from kitchentable.web.csrf import Csrf, comes_from_elsewhere
from tests.web.visitors import ASSETS, COMPILED, TOKEN


def unsafe_routes(visited):
    """Every address that changes something, with its parameters filled in."""
    names = {
        "campaign": visited.campaign,
        "entity": visited.entity("Mara Vell"),
        "seat": visited.seats["Mara"].id,
        "proposal": "roll-1",
        "ask": "ask-1",
        "handout": "handout-1",
        "hook": "hook-1",
        "cursor": visited.server.tables.cursors.seal(visited.campaign, 3),
    }
    for route in visited.app.router.routes:
        for handler in getattr(route, "route_handlers", ()):
            for method in handler.http_methods - {"GET", "HEAD", "OPTIONS"}:
                path = route.path_format
                for name, value in names.items():
                    path = path.replace(f"{{{name}}}", value)
                assert "{" not in path, path
                yield method, path


def test_every_address_that_changes_something_refuses_a_form_without_a_token(visited):
    gm, host = visited.sits("GM"), visited.host()
    gm.cookies.update(host.cookies)
    gm.get(visited.t)
    before = visited.kinds()
    found = list(unsafe_routes(visited))
    assert len(found) >= 35
    for method, path in found:
        answer = gm.request(method, path, data={"text": "evil", "command": "c"})
        assert answer.status_code == 403, path
        answer = gm.request(method, path, data={"_csrf_token": "a" * 51, "text": "evil"})
        assert answer.status_code == 403, path
    assert visited.kinds() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
    ],
)
def test_a_right_token_from_another_site_is_refused_too(shared, headers):
    mara = shared.sits("Mara")
    data = {"_csrf_token": mara.token(), "text": "evil"}
    answer = mara.post(f"{shared.t}/say", data=data, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_a_token_of_another_browser_is_refused(shared):
    mara, jonas = shared.sits("Mara"), shared.sits("Jonas")
    answer = mara.post(f"{shared.t}/say", data={"_csrf_token": jonas.token(), "text": "evil"})
    assert answer.status_code == 403


def test_a_browser_without_our_cookie_is_refused(shared):
    mara = shared.sits("Mara")
    token = mara.token()
    mara.cookies.delete("kt_browser")
    answer = mara.post(f"{shared.t}/say", data={"_csrf_token": token, "text": "evil"})
    assert answer.status_code == 403


def test_a_bearer_token_that_opens_nothing_is_no_way_around_it(shared):
    mara = shared.sits("Mara")
    before = len(shared.kinds())
    answer = mara.post(
        f"{shared.t}/say", data={"text": "evil"}, headers={"authorization": "Bearer nothing"}
    )
    assert answer.status_code == 401
    assert len(shared.kinds()) == before


def test_forms_work_without_a_script_and_with_one(visited):
    mara = visited.sits("Mara")
    assert mara.fill(f"{visited.t}/say", text="One").status_code == 303
    assert mara.script("POST", f"{visited.t}/say", text="Two").status_code == 200
    page = mara.get(visited.t).text
    assert "One" in page
    assert "Two" in page


def test_a_token_is_another_each_time(shared):
    mara = shared.sits("Mara")
    tokens = {mara.token() for _ in range(5)}
    assert len(tokens) == 5
    assert len(set(TOKEN.findall(mara.get(shared.t).text))) <= 1


def test_a_page_from_before_a_restart_can_still_be_sent(visited):
    mara = visited.sits("Mara")
    token = mara.token()
    again = make_app(visited.server, assets=ASSETS, compiled=COMPILED)
    secret = again.site.csrf
    assert secret.fits(token, mara.cookies["kt_browser"])


@given(st.text(), st.text())
def test_no_made_up_token_fits(token, browser):
    assert not Csrf(b"secret").fits(token, browser)


@pytest.mark.parametrize(
    ("headers", "elsewhere"),
    [
        ({}, False),
        ({"sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, False),
        ({"origin": "http://table.example"}, False),
        ({"origin": "http://table.example:81"}, True),
        ({"origin": "null"}, False),
        ({"sec-fetch-site": "garbage"}, True),
    ],
)
def test_what_a_browser_says_about_where_a_form_comes_from(headers, elsewhere):
    assert comes_from_elsewhere(headers, "table.example") is elsewhere
