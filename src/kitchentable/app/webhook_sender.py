"""Sends the messages of webhooks in its own threads, with the log as their queue. Each webhook gets
its entries in order, at least once. A refused message is sent again after increasing delays; then
the webhook is switched off, and its page says why.
"""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from queue import SimpleQueue

import httpx

from kitchentable.app.clock import Clock
from kitchentable.app.cursors import Cursors
from kitchentable.app.held import Held
from kitchentable.app.keys import new_id
from kitchentable.app.webhook_messages import Message, message_of, post
from kitchentable.app.webhooks import BadHook, Hook, Hooks, Progress
from kitchentable.campaign.audiences import LogReader, known_as
from kitchentable.campaign.entries import read_entry
from kitchentable.campaign.state import Campaign
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.table import Seat
from kitchentable.store.sql import Store

log = logging.getLogger("kitchentable.app")

#: Delays in seconds before each new attempt; after the last the webhook is switched off.
AGAIN = (5.0, 30.0, 120.0, 600.0, 3600.0, 6 * 3600.0)
#: Seconds between checks of all webhooks if nothing has happened.
_EVERY = 15.0
#: Webhooks served at the same time.
_THREADS = 8
#: Messages sent to one webhook before others have their turn.
_TURN = 50
#: Seconds for which one process sends for all that share a database.
_LEASE = 60.0
#: Seconds after which a claim is read again, if several servers share the database.
_SETTLES = 0.25
_SENDER = "webhook-sender"
_GONE = 410
#: A seat without a person, which knows only what every player may know.
_PLAYERS = Seat("", "", "spectator")


class Sender:
    """Sends new entries to the webhooks of all campaigns, until it is told to stop."""

    def __init__(
        self, store: Store, cursors: Cursors, clock: Clock, again: tuple[float, ...] = AGAIN
    ) -> None:
        self.hooks = Hooks(store)
        self._store = store
        self._cursors = cursors
        self._clock = clock
        self._private = False
        self._again = again
        self._name = new_id()
        self._leased: datetime | None = None
        self._held: dict[str, Held] = {}
        self._busy: set[str] = set()
        #: Webhooks with news, for the threads that send; None ends one thread.
        self._due = SimpleQueue[tuple[str, Campaign, Hook, Progress] | None]()
        self._woken = threading.Event()
        self._over = threading.Event()
        self._known: frozenset[str] = frozenset()

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        """The certificates that receivers are checked with; reading them takes a while."""
        return httpx.create_ssl_context(trust_env=False)

    def wake(self, campaign: str) -> None:
        """Check a campaign's webhooks, because its log or its webhooks changed."""
        if campaign in self._known:
            self._woken.set()

    def changed(self) -> None:
        """A webhook was added, removed or switched on."""
        self._known = frozenset(self.hooks.campaigns())
        self._woken.set()

    @contextmanager
    def sending(self, *, private: bool = False) -> Iterator[None]:
        """Send in the background until the block ends; the rest is sent after a restart. With
        `private`, addresses in private networks are allowed too.
        """
        self._private = private
        self._over.clear()
        loop = threading.Thread(target=self._run, name="webhooks", daemon=True)
        loop.start()
        try:
            yield
        finally:
            self._over.set()
            self._woken.set()
            loop.join(1.0)
            if self._claimed()[0] == self._name:
                # So that another server need not wait for a minute.
                self._store.put_setting(_SENDER, b"")
            self._leased = None

    def _run(self) -> None:
        # Threads of an executor would keep the process alive while a receiver does not answer.
        workers: list[threading.Thread] = []
        while not self._over.is_set():
            self._woken.clear()
            try:
                wait = self._round()
            except KitchenTableError as error:
                log.warning("Webhooks could not be checked: %s", error)
                wait = _EVERY
            while len(workers) < min(_THREADS, len(self._busy)):
                workers.append(threading.Thread(target=self._work, name="webhook", daemon=True))
                workers[-1].start()
            self._woken.wait(wait)
        for _ in workers:
            self._due.put(None)
        for worker in workers:
            worker.join()

    def _work(self) -> None:
        while (due := self._due.get()) is not None:
            self._tell(*due)

    def _round(self) -> float:
        """Begin sending to all webhooks that are due; return the seconds until the next round."""
        self._known = frozenset(self.hooks.campaigns())
        if not self._known or not self._may_send():
            return _EVERY
        wait = _EVERY
        for campaign in self._known:
            state = self._state(campaign)
            for hook in self.hooks.of(campaign) if state is not None else ():
                progress = self.hooks.progress(hook.id)
                if hook.id in self._busy or progress.off or state is None:
                    continue
                if (delay := self._delay(progress)) > 0:
                    wait = min(wait, delay)
                elif progress.sent < state.number:
                    self._busy.add(hook.id)
                    self._due.put((campaign, state, hook, progress))
        for campaign in set(self._held) - self._known:
            del self._held[campaign]
        return wait

    def _may_send(self) -> bool:
        """Whether this process sends for all servers of the database; its claim lasts a minute.
        After two claims at the same moment, both processes read again a little later: the last
        claim wins.
        """
        now = datetime.fromisoformat(self._clock())
        if self._leased is not None and _LEASE / 2 < (self._leased - now).total_seconds() <= _LEASE:
            return True
        name, until = self._claimed()
        left = (datetime.fromisoformat(until) - now).total_seconds() if until else 0.0
        # A longer claim was made before the clock was set back.
        if name != self._name and 0 < left <= _LEASE:
            self._leased = None
            return False
        self._leased = now + timedelta(seconds=_LEASE)
        self._store.put_setting(_SENDER, f"{self._name} {self._leased.isoformat()}".encode())
        if name != self._name and self._store.signals is not None:
            time.sleep(_SETTLES)
            if self._claimed()[0] != self._name:
                self._leased = None
        return self._leased is not None

    def _claimed(self) -> tuple[str, str]:
        """The process that sends, and the end of its claim."""
        name, _, until = (self._store.setting(_SENDER) or b"").decode().partition(" ")
        return name, until

    def _state(self, campaign: str) -> Campaign | None:
        """A campaign with all recorded events; None if it was removed."""
        held = self._held.setdefault(campaign, Held(self._store, campaign))
        held.catch_up()
        return held.campaign

    def next_try(self, progress: Progress) -> datetime | None:
        """The time of the next attempt after a refused message; None for none."""
        if not progress.tries or progress.off:
            return None
        wait = timedelta(seconds=self._again[progress.tries - 1])
        return datetime.fromisoformat(progress.tried) + wait

    def _delay(self, progress: Progress) -> float:
        """Seconds until the next message may be sent; 0 after a clock was set back."""
        then = self.next_try(progress)
        if then is None:
            return 0.0
        wait = (then - datetime.fromisoformat(self._clock())).total_seconds()
        return wait if wait <= self._again[progress.tries - 1] else 0.0

    def _tell(self, campaign: str, state: Campaign, hook: Hook, progress: Progress) -> None:
        """Send a webhook its share of the events after its last one."""
        try:
            for message, number in messages(state, hook, progress.sent, self._cursors):
                if self._over.is_set():
                    return
                why, gone = self._send(hook, message) if message is not None else ("", False)
                if why:
                    progress = self._refused(progress, why, gone=gone)
                    self.hooks.note(hook.id, progress)
                    return
                progress = Progress(sent=number)
                self.hooks.note(hook.id, progress)
        except BadHook as refused:
            self.hooks.note(hook.id, Progress(sent=progress.sent, off=str(refused)))
        except KitchenTableError as error:
            log.warning("A webhook of campaign %s could not be sent: %s", campaign, error)
        finally:
            self._busy.discard(hook.id)
            self._woken.set()

    def _send(self, hook: Hook, message: Message) -> tuple[str, bool]:
        """The reason why a message was refused, or "", and whether its address is gone."""
        headers = message.headers(hook.secret, int(time.time()))
        try:
            status = post(
                hook.url, headers, message.body, private=self._private, trusted=self._trusted
            )
        except BadHook as refused:
            return str(refused), False
        except (httpx.TransportError, TimeoutError) as error:
            return f"{hook.host} does not answer ({type(error).__name__}).", False
        taken = 200 <= status < 300
        return ("" if taken else f"{hook.host} answered with {status}."), status == _GONE

    def _refused(self, progress: Progress, why: str, *, gone: bool) -> Progress:
        tries = progress.tries + 1
        off = why if gone or tries > len(self._again) else ""
        return Progress(sent=progress.sent, tries=tries, tried=self._clock(), why=why, off=off)


def messages(
    state: Campaign, hook: Hook, after: int, cursors: Cursors
) -> Iterator[tuple[Message | None, int]]:
    """The messages of events after a number, each with its event's; None for a hidden last one.
    Errors: BadHook if the webhook's seat has ended.
    """
    seat = state.table.seats.get(hook.seat) if hook.seat else _PLAYERS
    if seat is None or seat.state != "seated":
        raise BadHook("The seat that this webhook reads for has ended. Remove the webhook.")
    reader = LogReader(known_as(seat))
    last = min(after + _TURN, state.number)
    for event in state.events[after:last]:
        entry = read_entry(state, event, reader, cursors.seal(state.id, event.number))
        if entry is not None or event.number == last:
            yield (message_of(entry, state.id, state.title) if entry else None), event.number
