"""Every response carries the strict headers, and private ones are not cached."""

import re

import pytest

from kitchentable.store import StoreError
from kitchentable.web.security import CONTENT_POLICY

ALWAYS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def assert_dressed(answer):
    for name, value in ALWAYS.items():
        assert answer.headers[name] == value, (answer.request.url, name)
    assert "geolocation=()" in answer.headers["permissions-policy"]
    assert "server" not in answer.headers


def test_the_policy_allows_nothing_inline_and_no_frame():
    assert "unsafe" not in CONTENT_POLICY
    assert "script-src 'self'" in CONTENT_POLICY
    assert "frame-ancestors 'none'" in CONTENT_POLICY
    assert "default-src 'none'" in CONTENT_POLICY


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 401),
        ("GET", "/health", 200),
        ("GET", "/help", 200),
        ("GET", "/dice?notation=2d6", 200),
        ("GET", "/rules/toast", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/t/nowhere", 401),
        ("GET", "/s/wrong", 404),
        ("GET", "/join/wrong", 404),
        ("GET", "/assets/nothing.js", 404),
        ("GET", "/rules/chess", 404),
        ("PUT", "/help", 405),
        ("POST", "/theme", 403),
        ("DELETE", "/", 405),
        ("GET", "/api/v1/openapi.json", 200),
    ],
)
def test_every_answer_is_dressed(shared, method, path, status):
    answer = shared.stranger().request(method, path)
    assert answer.status_code == status
    assert_dressed(answer)
    assert "no-store" in answer.headers["cache-control"]


def test_pages_of_a_seat_are_dressed_and_kept_by_nobody(shared):
    mara = shared.sits("Mara")
    for below in ("", "/log", "/moves", "/journal", "/journal/export", "/api/v1/view", "/desk"):
        answer = mara.get(shared.t + below)
        assert_dressed(answer)
        assert answer.headers["cache-control"] == "no-store, private"


def test_what_is_too_large_is_refused_with_a_sentence(shared):
    mara = shared.sits("Mara")
    answer = mara.fill(f"{shared.t}/say", text="x" * 600_000)
    assert answer.status_code == 413
    assert_dressed(answer)
    assert "too long" in answer.text


def test_only_an_encrypted_connection_promises_to_stay_encrypted(shared):
    assert "strict-transport-security" not in shared.stranger().get("/health").headers
    secure = shared.stranger("https://table.example").get("/health")
    assert "max-age" in secure.headers["strict-transport-security"]


def test_nothing_on_a_page_is_inline_or_from_elsewhere(shared):
    gm, host = shared.sits("GM"), shared.host()
    pages = [gm.get(shared.t + below).text for below in ("", "/desk", "/journal", "/closing")]
    pages += [host.get(path).text for path in ("/", "/new?game=toast", "/rules/toast", "/dice")]
    for text in pages:
        assert not re.search(r"<script(?![^>]*\ssrc=)", text)
        assert "<style" not in text
        assert not re.search(r"\s(style|on\w+)=\"", text)
        for source in re.findall(r"(?:src|action|formaction)=\"([^\"]*)\"", text):
            assert source.startswith(("/", "data:image/svg+xml")), source


def test_an_unforeseen_error_is_logged_and_tells_nothing(visited, monkeypatch, caplog):
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the secret of the cellar")

    monkeypatch.setattr(visited.server.projections, "of", fails)
    answer = visited.sits("Mara").get(visited.t)
    assert answer.status_code == 500
    assert_dressed(answer)
    assert "cellar" not in answer.text
    number = re.search(r"under (\w+)\.", answer.text)
    assert number is not None
    assert number[1] in caplog.text
    assert "cellar" in caplog.text


def test_no_key_stands_in_the_log_and_no_file_in_what_is_told(visited, monkeypatch, caplog):
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats["Mara"].id)
    for code, status in (("store/busy", 503), ("odd", 500)):

        def fails(*_: object, code: str = code) -> None:
            if code == "odd":
                raise RuntimeError("odd")
            raise StoreError("Another program has locked /srv/table.db for too long.", code=code)

        with monkeypatch.context() as patched:
            patched.setattr(visited.server.keys, "open", fails)
            answer = visited.stranger().get(f"/s/{key}")
        assert answer.status_code == status
        assert "/srv" not in answer.text
    assert "/srv/table.db" in caplog.text
    assert "at /s/..." in caplog.text
    assert key not in caplog.text


def test_head_says_what_get_says_without_the_body(shared):
    mara = shared.sits("Mara")
    for below in ("", "/journal", "/feed"):
        answer = mara.head(shared.t + below)
        assert answer.status_code == 200
        assert answer.content == b""
        assert_dressed(answer)


def test_a_request_is_never_sent_back_as_it_came(shared):
    answer = shared.stranger().request("TRACE", "/help")
    assert answer.status_code == 405
    assert_dressed(answer)
