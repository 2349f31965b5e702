"""The real server: it stops at once with feeds open, and logs no keys."""

import asyncio
import signal
import socket
import weakref
from pathlib import Path

import httpx
import pytest
import uvicorn

from kitchentable.app.server import Server
from kitchentable.cli.serve import until_stopped
from kitchentable.store import MemoryStore
from kitchentable.web.run import make_http_server
from tests.fork_server import ForkServer
from tests.web.visitors import TOKEN


@pytest.fixture(params=["serve", "serve_with_h11"])
def served(request, fork_server: ForkServer, tmp_path: Path):
    """A server served by a process of its own, its address, and the key to a seat.

    Once with all extras, and once as `make table` installs it.
    """
    server = Server.at(tmp_path / "table.db")
    campaign = asyncio.run(server.open_example("toast"))
    key = server.seat_links(campaign)[1][2]
    server.close()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serve = f"tests.app.mortal:{request.param}"
        with fork_server.begun(
            serve, tmp_path / "table.db", lent=[listener.fileno()], folder=tmp_path
        ) as process:
            base = f"http://127.0.0.1:{listener.getsockname()[1]}"
            assert httpx.get(f"{base}/health", timeout=30).status_code == 200
            yield process, base, key


def test_it_stops_at_once_with_feeds_open(served):
    process, base, key = served
    with httpx.Client(base_url=base, timeout=60) as mara:
        table = mara.get(f"/s/{key}").headers["location"]
        with mara.stream("GET", f"{table}/feed") as feed:
            texts = feed.iter_text()
            assert "event: alive" in next(texts)
            process.send(signal.SIGTERM)
            rest = "".join(texts)  # an error if the feed was cut off, after the time of grace
        assert process.wait(60) == 0
    assert "bye" not in rest
    assert process.out.read() == "closed\n"
    assert process.err.read() == ""


def test_a_request_to_end_is_heeded_before_the_loop_runs_as_well(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    http = make_http_server(Server(MemoryStore()))
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: signal.raise_signal(signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, stopped)
    try:
        http.run()
        assert signal.getsignal(signal.SIGTERM) is stopped
    finally:
        signal.signal(signal.SIGTERM, before)
    assert http.should_exit


def test_a_request_to_end_that_python_dropped_is_heeded(monkeypatch):
    class Dropped:
        pass

    lost, served = [], []
    monkeypatch.setattr("sys.unraisablehook", lost.append)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: served.append(1))
    with until_stopped() as stopped:
        one = Dropped()
        kept = weakref.ref(one, lambda _: signal.raise_signal(signal.SIGTERM))
        del one
        make_http_server(Server(MemoryStore())).run(stopped=stopped.is_set)
    assert (kept(), len(lost), served) == (None, 1, [])


@pytest.mark.slow
def test_nothing_of_a_request_is_logged_and_the_server_has_no_name(served):
    process, base, key = served
    answer = httpx.get(f"{base}/s/{key}")
    assert "server" not in answer.headers
    httpx.get(f"{base}/s/{'w' * 32}")
    process.send(signal.SIGTERM)
    assert process.wait(60) == 0
    assert process.err.read() == "An invalid key came from 127.0.0.1.\n"
    assert process.out.read() == "closed\n"


@pytest.mark.slow
def test_a_feed_over_real_http_tells_what_others_do(served):
    _, base, key = served
    with httpx.Client(base_url=base, timeout=60) as mara:
        table = mara.get(f"/s/{key}").headers["location"]
        headers = {"authorization": f"Bearer {key}"}
        with mara.stream("GET", f"{table}/feed") as feed:
            lines = feed.iter_lines()
            assert any(line == "event: alive" for line in lines)
            body = {"do": "say", "id": "one", "text": "Over the wire"}
            sent = httpx.post(f"{base}{table}/api/v1/commands", json=body, headers=headers)
            assert sent.status_code == 200
            assert any("Over the wire" in line for line in lines)


@pytest.mark.slow
def test_pages_of_text_reach_the_server_to_be_looked_at(served):
    """More than an address may hold, which the server itself would refuse."""
    _, base, key = served
    with httpx.Client(base_url=base, timeout=60) as mara:
        table = mara.get(f"/s/{key}").headers["location"]
        token = TOKEN.findall(mara.get("/help").text)[0]
        headers = {"hx-request": "true", "x-csrftoken": token}
        texts = {f"a.text {at}": "ö" * 6000 for at in range(7)} | {"a.what": "ö" * 6000}
        filled = {"move": "task", **texts}
        answer = mara.post(f"{table}/moves/look", data=filled, headers=headers)
        assert answer.status_code == 200
        assert "ö" * 6000 in answer.text


def test_headers_of_proxies_are_left_to_the_site():
    server = Server(MemoryStore())
    assert make_http_server(server).config.proxy_headers is False
    server.close()
