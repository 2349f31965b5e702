"""Webhooks: what they are told, signatures, order, tries, addresses, restarts."""

import asyncio
import json
import runpy
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from kitchentable.app import removal, webhook_messages, webhook_sender
from kitchentable.app.keys import new_id
from kitchentable.app.server import Server
from kitchentable.app.webhook_messages import sign
from kitchentable.app.webhook_sender import Sender
from kitchentable.app.webhooks import MOST_HOOKS, BadHook, Progress
from kitchentable.campaign.commands import AskForSeat, DecideSeat, RollNotation, Say
from kitchentable.store import MemoryStore

PATIENCE = 30


class Receiver(ThreadingHTTPServer):
    """A program that is told of a table; it answers with `statuses`, then with 204."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.statuses: list[int] = []
        self.heard: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?key=k"

    @property
    def texts(self) -> list[str]:
        return [json.loads(body)["data"]["text"] for _, body in self.heard]

    def wait_for(self, many: int) -> None:
        until = time.monotonic() + PATIENCE
        while len(self.heard) < many:
            assert time.monotonic() < until, self.texts
            time.sleep(0.002)


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.heard.append((headers, body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver():
    with Receiver() as one:
        threading.Thread(target=one.serve_forever, args=[0.01], daemon=True).start()
        yield one
        one.shutdown()


class Table:
    """A campaign with a GM and Mara, and a webhook of it."""

    def __init__(self, receiver: Receiver, *, gms: bool = False) -> None:
        self.server = Server(MemoryStore())
        self.server.webhooks = self.sender()
        opened = asyncio.run(self.server.open_campaign("The Mill", "toast"))
        self.campaign, self.gm = opened.campaign, opened.gm_seat
        asked = AskForSeat(id="1", seat=self.gm, new_seat="mara", name="Mara", approved=True)
        self.do(asked)
        seat = self.gm if gms else ""
        number = self.server.tables.campaign(self.campaign).number
        hooks = self.server.webhooks.hooks
        self.hook = hooks.add(self.campaign, receiver.url, sent=number, seat=seat)

    def sender(self, again=(0.0, 0.0)) -> Sender:
        tables = self.server.tables
        sender = Sender(self.server.store, tables.cursors, tables.clock, again)
        tables.hub.heard[:] = [sender.wake]
        return sender

    def do(self, command) -> None:
        asyncio.run(self.server.tables.handle(self.campaign, command))

    def say(self, text: str, **more: str) -> None:
        self.do(Say(id=new_id(), seat="mara", text=text, **more))

    @property
    def progress(self):
        return self.server.webhooks.hooks.progress(self.hook.id)

    @contextmanager
    def sending(self, *, private: bool = True):
        sender = self.server.webhooks
        with sender.sending(private=private):
            sender.changed()
            yield

    def wait_until_off(self) -> str:
        until = time.monotonic() + PATIENCE
        while not self.progress.off:
            assert time.monotonic() < until, self.progress
            time.sleep(0.002)
        return self.progress.off


def test_players_knowledge_is_told_in_order_and_signed(receiver):
    table = Table(receiver)
    with table.sending():
        table.say("Good evening.")
        table.say("Psst", to="gm")
        table.do(RollNotation(id="r", seat=table.gm, notation="2d6", audience="gm", label="Ambush"))
        table.say("Who is there?")
        receiver.wait_for(3)
    assert receiver.texts == [
        "Mara: Good evening.",
        "GM threw dice behind the screen.",
        "Mara: Who is there?",
    ]
    headers, body = receiver.heard[0]
    told = json.loads(body)
    assert told["type"] == "entry.said"
    assert told["timestamp"] == told["data"]["entry"]["time"]
    verify = load_bot().is_signed
    assert verify(table.hook.secret, headers, body, time.time())
    assert not verify(table.hook.secret, headers, body + b" ", time.time())
    assert not verify(table.hook.secret, headers, body, time.time() + 301)
    assert not verify("whsec_AAAA", headers, body, time.time())


def test_the_gms_own_webhook_knows_what_the_gm_knows_until_the_seat_ends(receiver):
    table = Table(receiver, gms=True)
    with table.sending():
        table.say("Psst", to="gm")
        receiver.wait_for(1)
    assert receiver.texts == ["Mara to the GM: Psst"]
    hooks = table.server.webhooks.hooks
    of_mara = hooks.add(table.campaign, receiver.url, sent=0, seat="mara")
    table.do(DecideSeat(id="d", seat=table.gm, of="mara", verdict="revoke"))
    table.hook = of_mara
    with table.sending():
        assert "has ended" in table.wait_until_off()


def test_a_refused_message_comes_again_with_its_id_before_any_other(receiver):
    table = Table(receiver)
    receiver.statuses = [500, 429]
    with table.sending():
        table.say("First")
        table.say("Second")
        receiver.wait_for(4)
    assert receiver.texts == ["Mara: First"] * 3 + ["Mara: Second"]
    ids = [headers["webhook-id"] for headers, _ in receiver.heard]
    assert len(set(ids)) == 2
    assert ids[0] == ids[1] == ids[2]


@pytest.mark.parametrize(("statuses", "tries"), [([500, 302, 404], 3), ([410], 1)])
def test_whoever_never_takes_it_is_switched_off_with_the_reason(receiver, statuses, tries):
    table = Table(receiver)
    receiver.statuses = list(statuses)
    with table.sending():
        table.say("Hello")
        assert table.wait_until_off() == f"127.0.0.1 answered with {statuses[-1]}."
        assert len(receiver.heard) == tries
        number = table.server.tables.campaign(table.campaign).number
        table.server.webhooks.hooks.resume(table.campaign, table.hook.id, sent=number)
        table.server.webhooks.changed()
        table.say("Again")
        receiver.wait_for(tries + 1)
    assert receiver.texts[-1] == "Mara: Again"


def test_what_was_not_sent_is_sent_after_a_restart_and_not_what_was(receiver):
    table = Table(receiver)
    with table.sending():
        table.say("Before")
        receiver.wait_for(1)
    table.say("Meanwhile")
    table.server.webhooks = table.sender()
    with table.sending():
        receiver.wait_for(2)
    assert receiver.texts == ["Mara: Before", "Mara: Meanwhile"]


def test_more_hidden_events_than_one_turn_takes_hold_up_nothing(receiver):
    table = Table(receiver)
    for at in range(60):
        table.say(f"Psst {at}", to="gm")
    table.say("Well?")
    with table.sending():
        receiver.wait_for(1)
    assert receiver.texts == ["Mara: Well?"]


def test_an_answer_that_comes_byte_by_byte_takes_no_longer_than_any_other(receiver, monkeypatch):
    monkeypatch.setattr(webhook_messages, "_ANSWER", 0.2)
    table, over = Table(receiver), threading.Event()

    def trickle(handler: Handler) -> None:
        while not over.wait(0.01):
            handler.wfile.write(b"x")

    monkeypatch.setattr(Handler, "do_POST", trickle)
    with table.sending():
        table.say("Hello?")
        assert "does not answer (TimeoutError)" in table.wait_until_off()
    over.set()


def test_a_receiver_that_does_not_answer_keeps_no_server_from_ending(receiver, monkeypatch):
    table, begun, answered = Table(receiver), threading.Event(), threading.Event()

    def hang(*words, **more) -> int:
        begun.set()
        answered.wait(PATIENCE)
        return 204

    monkeypatch.setattr(webhook_sender, "post", hang)
    before = set(threading.enumerate())
    with table.sending():
        table.say("One")
        assert begun.wait(PATIENCE)
        new = set(threading.enumerate()) - before
    try:
        assert [thread for thread in new if thread.is_alive()]
        assert all(thread.daemon for thread in new), "a process waits for every other thread"
    finally:
        answered.set()


def test_one_process_sends_for_all_of_a_database(receiver):
    table = Table(receiver)
    first, second = table.server.webhooks, table.sender()
    assert first._may_send()
    assert not second._may_send()
    assert first._may_send()


def test_a_clock_that_is_set_back_keeps_no_message_waiting(receiver):
    table, times = Table(receiver), ["2026-11-28T12:00:00Z"]
    first, second = table.sender((60.0,)), table.sender((60.0,))
    first._clock = second._clock = lambda: times[-1]
    assert first._may_send()
    refused = Progress(sent=1, tries=1, tried=times[-1])
    assert first._delay(refused) == 60
    times.append("2026-11-27T12:00:00Z")
    assert first._delay(refused) == 0
    assert second._may_send()
    assert not first._may_send()


def test_nothing_goes_into_a_private_network_unless_the_owner_allows_it(receiver, monkeypatch):
    table = Table(receiver)
    with table.sending(private=False):
        table.say("Hello")
        assert "serve --private-webhooks" in table.wait_until_off()
    assert receiver.heard == []
    for address in ("10.0.0.1", "127.0.0.1", "169.254.169.254", "::ffff:192.168.1.1", "fd00::1"):
        found = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (address, 443))]
        monkeypatch.setattr(webhook_messages.socket, "getaddrinfo", lambda *a, f=found, **k: f)
        with pytest.raises(BadHook, match="private network"):
            webhook_messages.look_up("rebound.example", 443, private=False)
        assert webhook_messages.look_up("rebound.example", 443, private=True)


def test_an_address_is_encrypted_however_its_scheme_is_spelled(receiver):
    hooks, campaign = (table := Table(receiver)).server.webhooks.hooks, table.campaign
    assert hooks.add(campaign, "HTTPS://bot.example", sent=0, private=False).url
    with pytest.raises(BadHook, match="Webhooks need https://"):
        hooks.add(campaign, "HTTP://bot.example", sent=0, private=False)


def test_what_is_no_address_and_one_too_many_are_refused(receiver):
    table = Table(receiver)
    hooks = table.server.webhooks.hooks
    for url in (
        "",
        "ftp://a.example",
        "https://",
        "https://u:p@a.example",
        "https://a b",
        "x" * 501,
    ):
        with pytest.raises(BadHook, match="not a valid webhook address"):
            hooks.add(table.campaign, url, sent=0)
    for _ in range(MOST_HOOKS - 1):
        hooks.add(table.campaign, "https://a.example/1", sent=0)
    with pytest.raises(BadHook, match="at most 5"):
        hooks.add(table.campaign, "https://a.example/1", sent=0)
    for hook in hooks.of(table.campaign):
        hooks.remove(table.campaign, hook.id)
    assert hooks.campaigns() == ()
    hooks.add(table.campaign, "https://a.example/1", sent=0)
    removal.remove(table.server, table.campaign)
    assert (hooks.campaigns(), hooks.of(table.campaign)) == ((), ())


def test_the_signature_is_that_of_the_specification():
    body = b'{"event_type":"ping","data":{"success":true}}'
    secret = "whsec_plJ3nmyCDGBKInavdOK15jsl"
    signed = sign(secret, "msg_loFOjxBNrRLzqYUf", 1731705121, body)
    assert signed == "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="


def test_the_example_bot_posts_rolls_to_a_channel(receiver):
    bots = load_bot()
    with Receiver() as channel:
        threading.Thread(target=channel.serve_forever, args=[0.01], daemon=True).start()
        table = Table(receiver)
        hooks = table.server.webhooks.hooks
        hooks.remove(table.campaign, table.hook.id)
        with bots.Bot(0, "", channel.url) as bot:
            threading.Thread(target=bot.serve_forever, args=[0.01], daemon=True).start()
            number = table.server.tables.campaign(table.campaign).number
            url = f"http://127.0.0.1:{bot.server_port}/"
            hook = hooks.add(table.campaign, url, sent=number)
            bot.secret = hook.secret
            # The channel is away for a moment: the table sends the roll again.
            channel.statuses = [500]
            with table.sending():
                table.say("Watch this.")
                table.do(RollNotation(id="r", seat="mara", notation="1d1", label="luck"))
                channel.wait_for(2)
            bot.shutdown()
        channel.shutdown()
    texts = [json.loads(body)["text"] for _, body in channel.heard]
    assert texts == ["The Mill: Mara rolls 1d1 (luck): 1. [d1 1]"] * 2
    late = {"webhook-id": "m", "webhook-timestamp": "1", "webhook-signature": "v1,"}
    assert not bots.is_signed(hook.secret, late, b"{}", 400)


def load_bot():
    path = Path(__file__).parents[2] / "examples" / "bots" / "rolls_to_channel.py"
    bot = SimpleNamespace(**runpy.run_path(str(path)))
    bot.Hears.log_message = lambda *_: None
    return bot
