"""The client: what it sends and reads, outages, and the end of a seat."""

import json
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from kitchentable.cli.terminal.prompt import Offers
from kitchentable.client import BadLink, Gone, Refusal, Table, Unreachable, read_link, table
from tests.web.visitors import BASE, Visited, visit

LINK = f"{BASE}/s/{'k' * 32}"


@pytest.fixture(scope="module")
def shared() -> Iterator[Visited]:
    with visit() as visited:
        yield visited


def link_of(visited: Visited, name: str) -> str:
    key = visited.server.keys.issue("seat-link", visited.campaign, visited.seats[name].id)
    return f"{BASE}/s/{key}"


def through(visited: Visited) -> httpx.BaseTransport:
    """The way to a visited server, without a network."""
    return httpx.MockTransport(visited.stranger()._transport.handle_request)


def test_a_seat_reads_speaks_and_asks_for_odds(shared):
    with Table.at(link_of(shared, "Mara"), transport=through(shared)) as mara:
        assert (mara.title, mara.game, mara.seat.name) == ("The Salt Road", "toast", "Mara")
        view = mara.view()
        (own,) = view.mine
        assert mara.sheet(own.id).entity == own
        assert "task" in {move.name for move in mara.moves(own.id)}
        odds = mara.odds("task", own.id, trait="athletics", difficulty="medium")
        assert odds.fields
        assert mara.read("/task athletics").move == "task"
        assert {rule.id for rule in mara.rules("flub")}
        done = mara.say("Good evening.")
        assert [one.text for one in mara.entries(limit=1)] == ["Good evening."]
        assert mara.entries(before=done.entries[0].cursor, limit=1) != done.entries
        assert mara.do({"do": "say", "text": "Again"}).entries[0].text == "Again"
        with pytest.raises(Refusal, match="Only the GM can change these notes") as refused:
            mara.do({"do": "set-note", "which": "gm", "text": "mine"})
        assert refused.value.code == "seat/not-allowed"


def test_a_link_that_is_none_and_one_that_opens_nothing(shared):
    odd = ("http://[::1/s/k", "http://xn--/s/k", f"http://{'a' * 64}.example/s/k")
    for text in ("hello", "http://table.example/", "http://table.example/s/", *odd):
        with pytest.raises(BadLink, match="Copy the whole link"):
            read_link(text)
    with pytest.raises(BadLink, match="opens no seat"):
        Table.at(LINK.replace("/s/", "/join/"), transport=through(shared))
    with pytest.raises(Refusal, match="This link is not valid:") as refused:
        Table.at(LINK, transport=through(shared))
    assert refused.value.code == "seat/no-key"


class Server:
    """A server that answers as a test says, one answer after another."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return answer
        if isinstance(answer, str):
            return httpx.Response(200, text=answer)
        return httpx.Response(200, json=answer)


def seat_at(server: Server, **more: object) -> Table:
    one = Table(read_link(LINK), transport=httpx.MockTransport(server), **more)
    one.campaign = "c"
    return one


def event(cursor: str, name: str = "news", **data: object) -> str:
    return f"id: {cursor}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def entry(cursor: str) -> dict[str, str]:
    return {"cursor": cursor, "kind": "said", "time": "", "who": "Mara", "seat": "s"}


def test_an_outage_is_told_once_and_the_stream_goes_on_where_it_stopped(monkeypatch):
    monkeypatch.setattr(table.time, "sleep", lambda seconds: None)
    cut = httpx.ConnectError("away")
    bye = "event: bye\ndata: revoked\n\n"
    server = Server(event("7", entries=[entry("7")]), cut, cut, event("9") + bye)
    told: list[str] = []
    heard = []
    with pytest.raises(Gone, match="ended your seat"):
        heard.extend(seat_at(server).follow(lost=told.append))
    assert told == ["lost", "back"]
    assert [one.headers.get("last-event-id") for one in server.asked] == [None, "7", "7", "7"]


class OpenStream(httpx.SyncByteStream):
    """A stream that is silent until its socket is shut down; that waits for whoever reads it."""

    def __init__(self) -> None:
        self.is_cut = threading.Event()
        self.reader: threading.Thread | None = None

    def __iter__(self):
        self.reader = threading.current_thread()
        yield b": open\n\n"
        self.is_cut.wait(60)
        raise httpx.ReadError("cut")

    def get_extra_info(self, name):
        return self

    def shutdown(self, how):
        self.is_cut.set()
        self.reader.join(0.5)


def test_the_end_of_a_table_is_no_outage():
    stream = OpenStream()
    answer = httpx.Response(200, stream=stream, extensions={"network_stream": stream})
    one = Table(read_link(LINK), transport=httpx.MockTransport(lambda request: answer))
    told: list[str] = []
    reader = threading.Thread(target=lambda: list(one.follow(lost=told.append)))
    reader.start()
    while stream.reader is None:
        time.sleep(0.001)
    one.close()
    reader.join(60)
    assert told == []


def test_what_was_too_much_for_the_stream_comes_from_the_log_and_once():
    entries = {"entries": [entry("8"), entry("9")]}
    server = Server(
        event("7", entries=[entry("7")]) + event("", "reload"),
        event("8", view={"title": "T"}),
        entries,
        {"entries": []},
        event("9", entries=[entry("9"), entry("10")]) + "event: bye\ndata: revoked\n\n",
    )
    heard = []
    following = seat_at(server).follow(lost=lambda what: None)
    with pytest.raises(Gone):
        heard.extend(following)
    assert [[one.cursor for one in news.entries] for news in heard] == [["7"], ["8", "9"], ["10"]]


def test_a_line_separator_in_a_text_ends_no_event(monkeypatch):
    monkeypatch.setattr(table.time, "sleep", lambda seconds: None)
    text = "one\u2028two\x85three\x0bfour\x1cfive"
    said = {"entries": [{**entry("7"), "text": text}]}
    sent = f"id: 7\nevent: news\ndata: {json.dumps(said, ensure_ascii=False)}\n\n"
    server = Server(sent + "event: bye\ndata: revoked\n\n")
    told: list[str] = []
    heard = []
    with pytest.raises(Gone):
        heard.extend(seat_at(server).follow(lost=told.append))
    assert ([one.text for news in heard for one in news.entries], told) == ([text], [])


def test_a_command_is_sent_again_with_the_same_id_until_somebody_answers(monkeypatch):
    monkeypatch.setattr(table.time, "sleep", lambda seconds: None)
    server = Server(httpx.ReadError("cut"), {"repeated": True, "entries": []})
    assert seat_at(server).say("Hello").repeated
    first, second = (json.loads(one.content) for one in server.asked)
    assert first == second
    away = Server(*(httpx.ConnectError("away") for _ in range(3)))
    with pytest.raises(Unreachable, match=r"does not answer: away\. Check"):
        seat_at(away, patience=0).view()
    told = {"code": "store/disk-full", "sentence": "The server cannot use its database just now."}
    full = Server(httpx.Response(503, json=told))
    with pytest.raises(Refusal, match="cannot use its database") as caught:
        seat_at(full, patience=0).view()
    assert caught.value.code == "store/disk-full"
    with pytest.raises(Unreachable, match=r"does not answer: status 502\. Check"):
        seat_at(Server(httpx.Response(502, text="Bad gateway")), patience=0).view()
    with pytest.raises(Unreachable, match="not a table of this version"):
        seat_at(Server({"something": "else"})).view()


def test_an_outage_does_not_hold_up_who_completes_a_line():
    server = Server({"lines": ["/task aim"]}, httpx.ConnectError("away"))
    offers = Offers(seat_at(server))
    first = offers.lines()
    assert "/task aim" in first
    assert offers.lines() == first
    assert not server.answers


def test_somebody_knocks_and_comes_in():
    with visit() as visited:
        invitation = f"{BASE}/join/{visited.server.keys.issue('join', visited.campaign)}"
        transport = through(visited)
        gm = Table.at(link_of(visited, "GM"), transport=transport)
        ida = Table.knock(invitation, "Ida", transport=transport)
        assert ida.seat.state == "waiting"
        verdict = {"do": "decide-seat", "of": ida.seat.id, "verdict": "approve"}
        said = threading.Timer(0.05, gm.do, [verdict])
        said.start()
        assert ida.wait_for_yes(every=0.02).state == "seated"
        assert ida.say("Good evening.").entries[0].who == "Ida"
