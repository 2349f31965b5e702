"""Webhooks of campaigns: their addresses, the seats they read for, and their progress. Webhooks are
stored as settings of the server, not as events, so exports have no addresses or secrets.
"""

from __future__ import annotations

import base64
import secrets
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from kitchentable.app.keys import new_id
from kitchentable.dice.errors import BadInput
from kitchentable.store.sql import Store

T = TypeVar("T")

MOST_HOOKS = 5
_LONGEST_URL = 500
_SECRET_BYTES = 32
_CAMPAIGNS = "webhooks"


class BadHook(BadInput):
    """An invalid webhook address, or too many webhooks."""

    code = "webhook/refused"


class Hook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook: an address, the secret for its signatures, and the seat it reads for.

    `seat` is the seat for which the log is read; "" for what every player may know.
    """

    id: str
    url: str
    secret: str
    seat: str = ""

    @property
    def host(self) -> str:
        """The host of the address; the rest of the address may be secret."""
        return urlsplit(self.url).hostname or ""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook's place in the log: the number of the last event that was handled. `tries` counts
    failed attempts for the next message, the last at `tried`, for the reason `why`. `off` is the
    reason why the webhook is switched off; "" if it is on.
    """

    sent: int
    tries: int = 0
    tried: str = ""
    why: str = ""
    off: str = ""


class Hooks:
    """The webhooks of all campaigns, in the settings of the server."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def campaigns(self) -> tuple[str, ...]:
        """The campaigns that have webhooks."""
        return self._read(_CAMPAIGNS, tuple[str, ...], ())

    def of(self, campaign: str) -> tuple[Hook, ...]:
        """The webhooks of a campaign."""
        return self._read(_hooks(campaign), tuple[Hook, ...], ())

    def progress(self, hook: str) -> Progress:
        """A webhook's place in the log."""
        return self._read(_progress(hook), Progress, Progress(sent=0))

    def note(self, hook: str, progress: Progress) -> None:
        """Store a webhook's place in the log."""
        self._write(_progress(hook), progress)

    def add(
        self, campaign: str, url: str, *, sent: int, seat: str = "", private: bool = True
    ) -> Hook:
        """Add a webhook for the events after `sent`. Errors: BadHook. Without `private` its address
        must begin with https://.
        """
        known = self.of(campaign)
        if len(known) >= MOST_HOOKS:
            raise BadHook(f"A campaign has at most {MOST_HOOKS} webhooks. Remove one first.")
        check_url(url)
        check_scheme(url, private=private)
        secret = "whsec_" + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode("ascii")
        hook = Hook(id=new_id(), url=url.strip(), secret=secret, seat=seat)
        self.note(hook.id, Progress(sent=sent))
        self._write(_hooks(campaign), (*known, hook))
        if campaign not in (campaigns := self.campaigns()):
            self._write(_CAMPAIGNS, (*campaigns, campaign))
        return hook

    def remove(self, campaign: str, hook: str) -> None:
        """Remove a webhook, if it is there."""
        left = tuple(one for one in self.of(campaign) if one.id != hook)
        self._write(_hooks(campaign), left)
        if not left:
            others = tuple(one for one in self.campaigns() if one != campaign)
            self._write(_CAMPAIGNS, others)

    def resume(self, campaign: str, hook: str, *, sent: int | None = None) -> None:
        """Switch a webhook on again, from event `sent` or from its last event."""
        if any(one.id == hook for one in self.of(campaign)):
            self.note(hook, Progress(sent=self.progress(hook).sent if sent is None else sent))

    def _read(self, name: str, kind: type[T], default: T) -> T:
        known = self._store.setting(name)
        return default if known is None else msgspec.json.decode(known, type=kind)

    def _write(self, name: str, value: object) -> None:
        self._store.put_setting(name, msgspec.json.encode(value))


def check_url(url: str) -> None:
    """Check the form of an address, without looking it up. Errors: BadHook."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if (
        parts.scheme not in {"https", "http"}
        or not parts.hostname
        or parts.username is not None
        or port == 0
        or len(url) > _LONGEST_URL
        or not url.strip().isprintable()
        or " " in url.strip()
    ):
        raise BadHook(
            "This is not a valid webhook address. It must begin with https://, have at most "
            f"{_LONGEST_URL} characters, and contain no name or password."
        )


def check_scheme(url: str, *, private: bool) -> None:
    """Check that an address is encrypted, unless `private` ones are allowed. Errors: BadHook."""
    if not private and urlsplit(url.strip()).scheme != "https":
        raise BadHook(
            "Webhooks need https:// addresses. Only the server's owner can allow http://: "
            "kitchentable serve --private-webhooks"
        )


def _hooks(campaign: str) -> str:
    return f"webhooks-{campaign}"


def _progress(hook: str) -> str:
    return f"webhook-{hook}"
