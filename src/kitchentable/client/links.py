"""Links to a seat, and invitation links to a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

import httpx

from kitchentable.dice.errors import BadInput

_LINK = re.compile(r"(?P<base>https?://[^\s?#]+?)/(?P<kind>s|join)/(?P<key>[A-Za-z0-9_-]+)/?")


class BadLink(BadInput):
    """The text is not a link to a seat or a table."""

    code = "client/link"


@dataclass(frozen=True, slots=True)
class Link:
    """The parts of a link: the server's address, the kind ("s" or "join") and the key."""

    base: str
    kind: str
    key: str


def read_link(text: str) -> Link:
    """Read a link to a seat, or an invitation link. Errors: BadLink.

    >>> read_link("http://127.0.0.1:8000/join/k3y").kind
    'join'
    """
    found = _LINK.fullmatch(text.strip())
    if found is None or not _is_address(found["base"]):
        raise BadLink(
            "That is not a link to a table. Copy the whole link; it ends in /s/ or /join/ and a "
            "key."
        )
    return Link(found["base"], found["kind"], found["key"])


def _is_address(base: str) -> bool:
    """Whether the host of an address is a valid name."""
    try:
        httpx.URL(base).host.encode("idna")
    except (httpx.InvalidURL, UnicodeError):
        return False
    return True
