"""The fast path: chat lines and the feed below the router, with the same guard."""

import asyncio

import pytest

from kitchentable.app.server import Server
from kitchentable.campaign.commands import HandOver
from kitchentable.web.middleware import Middleware
from tests.web.visitors import cookies_of


class Router:
    """A router that answers nothing and records the requests passed on to it."""

    def __init__(self):
        self.asked = []

    async def __call__(self, scope, receive, send):
        self.asked.append((scope["method"], scope["path"]))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class FastPath:
    """A server with the router replaced, and a client of its fast path."""

    def __init__(self, visited, name):
        self.router = Router()
        self.visited = visited
        self.app = Middleware(self.router, visited.app.site)
        visitor = visited.sits(name)
        token = visitor.token()
        self.headers = {
            "host": "table.example",
            "cookie": cookies_of(visitor),
            "hx-request": "true",
            "x-csrftoken": token,
            "content-type": "application/x-www-form-urlencoded",
        }

    def sends(self, *parts: bytes, path="say", method="POST", breaks_off=False, **headers):
        """Send a form in parts; the status, the headers and the body of the answer."""
        body = b"".join(parts)
        said = {**self.headers, "content-length": str(len(body))}
        said |= {name.replace("_", "-"): value for name, value in headers.items()}
        messages = [
            {"type": "http.request", "body": part, "more_body": place < len(parts) or breaks_off}
            for place, part in enumerate(parts, start=1)
        ]
        messages.append({"type": "http.disconnect"})
        answers = []

        async def receive():
            return messages.pop(0)

        async def send(message):
            answers.append(message)

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": f"{self.visited.t}/{path}",
            "query_string": b"",
            "root_path": "",
            "headers": [(n.encode(), v.encode()) for n, v in said.items() if v],
            "client": ("192.0.2.1", 40000),
            "server": ("table.example", 80),
        }
        asyncio.run(self.app(scope, receive, send))
        told = {name.decode(): value.decode() for name, value in answers[0]["headers"]}
        return answers[0]["status"], told, b"".join(one["body"] for one in answers[1:])

    @property
    def said(self):
        """The chat lines at the table."""
        events = self.visited.server.tables.campaign(self.visited.campaign).events
        return [event.data["text"] for event in events if event.kind == "said"]


@pytest.fixture
def fast_path(visited):
    return FastPath(visited, "Mara")


def test_a_line_goes_through_in_however_many_pieces_it_comes(fast_path):
    status, headers, body = fast_path.sends(b"text=Who+goes", b"", b"+there%3F")
    assert (status, body, fast_path.said) == (200, b"", ["Who goes there?"])
    assert headers["content-length"] == "0"
    assert headers["x-frame-options"] == "DENY"
    assert "strict-transport-security" not in headers
    assert not fast_path.router.asked


def test_a_page_without_the_feed_is_told_to_load_itself_again(fast_path):
    here = f"http://table.example{fast_path.visited.t}"
    for page, again in ((here, None), (f"{here}/journal", "true"), (f"{here}?for=x", None)):
        _, headers, _ = fast_path.sends(b"text=Hm", hx_current_url=page)
        assert headers.get("hx-refresh") == again


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"x_csrftoken": "stale"}, 403, "form/not-from-here"),
        ({"x_csrftoken": ""}, 403, "form/not-from-here"),
        ({"sec_fetch_site": "cross-site"}, 403, "form/not-from-here"),
        ({"origin": "https://evil.example"}, 403, "form/not-from-here"),
        ({"cookie": ""}, 403, "form/not-from-here"),
        ({"authorization": "Bearer nonsense"}, 401, "seat/no-key"),
    ],
)
def test_the_guard_stands_before_the_hatch_too(fast_path, headers, status, code):
    told, sent, body = fast_path.sends(b"text=Let+me+in", **headers)
    assert (told, fast_path.said, fast_path.router.asked) == (status, [], [])
    assert sent["x-frame-options"] == "DENY"
    assert code in body.decode()


def test_what_is_refused_is_told_as_in_a_room(fast_path):
    status, _, body = fast_path.sends(b"text=%2Froll+4d6k3")
    assert status == 400
    assert "4d6kh3" in body.decode()
    status, _, body = fast_path.sends(b"text=%2Fhelp")
    assert (status, "/gmroll" in body.decode()) == (400, True)
    assert not fast_path.router.asked


def test_a_form_that_breaks_off_says_nothing_at_the_table(fast_path):
    status, _, body = fast_path.sends(b"text=Half+a+se", breaks_off=True, content_length="40")
    assert (status, fast_path.said) == (400, [])
    assert "did not arrive complete" in body.decode()


@pytest.mark.parametrize(
    ("parts", "headers"),
    [
        ({}, {"hx_request": ""}),
        ({}, {"content_type": "multipart/form-data; boundary=x"}),
        ({}, {"content_length": ""}),
        ({}, {"content_length": "many"}),
        ({}, {"content_length": "999999999999"}),
        ({"path": "note"}, {}),
        ({"path": "say/more"}, {}),
        ({"method": "GET"}, {}),
        ({"method": "POST", "path": "feed"}, {}),
    ],
)
def test_everything_else_goes_on_to_the_routes(fast_path, parts, headers):
    assert fast_path.sends(b"text=Hello", **parts, **headers)[0] == 204
    assert len(fast_path.router.asked) == 1
    assert fast_path.said == []


def test_whoever_has_no_seat_hears_nothing(fast_path):
    status, _, body = fast_path.sends(method="GET", path="feed", cookie="", hx_request="")
    assert (status, fast_path.router.asked) == (401, [])
    assert not [line for line in body.splitlines() if line.startswith(b"data:")]


@pytest.mark.parametrize(
    "line", [b"text=Still+here", b"text=%2Froll+2d6", b"text=%2Fw+Jonsa+psst", b"text=%2Fhelp"]
)
def test_a_key_that_another_process_ended_opens_nothing_though_it_is_remembered(fast_path, line):
    """The other process has a server of its own on the same record; nobody tells this one."""
    assert fast_path.sends(b"text=Hello")[0] == 200
    server = fast_path.visited.server
    mara = fast_path.visited.seats["Mara"].id
    other = Server(server.store, load_game=server.tables.load_game).tables
    gives = HandOver(id="give", seat=fast_path.visited.seats["GM"].id, of=mara)
    asyncio.run(other.handle(fast_path.visited.campaign, gives))
    status, _, body = fast_path.sends(line)
    assert (status, fast_path.said) == (401, ["Hello"])
    assert "seat/no-key" in body.decode()
    assert "Jonas" not in body.decode()
    assert "rolled" not in fast_path.visited.kinds()


def test_headers_that_were_accepted_count_for_no_others(fast_path):
    assert [fast_path.sends(b"text=Hello")[0] for _ in range(2)] == [200, 200]
    assert len(fast_path.visited.app.site.pages) == 1
    for headers in ({"sec_fetch_site": "cross-site"}, {"x_csrftoken": "stale"}):
        assert fast_path.sends(b"text=Hello", **headers)[0] == 403
    assert fast_path.sends(b"text=Hello", cookie="")[0] == 403
    assert fast_path.sends(b"text=Hello", content_length="999999999999")[0] == 204
    assert fast_path.sends(b"text=%2Froll+4d6k3")[0] == 400
    assert fast_path.said == ["Hello", "Hello"]
    assert len(fast_path.visited.app.site.pages) == 1


def test_a_seat_that_is_given_away_speaks_no_more_from_the_old_device(fast_path):
    assert fast_path.sends(b"text=Hello")[0] == 200
    seats = fast_path.visited.seats
    gives = HandOver(id="give", seat=seats["GM"].id, of=seats["Mara"].id)
    asyncio.run(fast_path.visited.server.tables.handle(fast_path.visited.campaign, gives))
    assert fast_path.sends(b"text=And+now")[0] == 401
    assert fast_path.said == ["Hello"]


def test_a_wrong_key_counts_once(fast_path):
    tries = fast_path.visited.app.site.tries
    missed = []
    tries.count = missed.append
    assert fast_path.sends(b"text=Hello", authorization="Bearer " + "x" * 32)[0] == 401
    assert missed == ["192.0.2.1"]
