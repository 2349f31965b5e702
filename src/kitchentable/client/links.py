"""The links that people are given: to a seat, and to join a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

import httpx

from kitchentable.dice.errors import BadInput

_LINK = re.compile(r"(?P<base>https?://[^\s?#]+?)/(?P<kind>s|join)/(?P<key>[A-Za-z0-9_-]+)/?")


class BadLink(BadInput):
    """Words that are not a link to a seat or a table."""

    code = "client/link"


@dataclass(frozen=True, slots=True)
class Link:
    """A link taken apart: the server's address, its kind ("s" or "join") and its key."""

    base: str
    kind: str
    key: str


def read_link(text: str) -> Link:
    """A link of a seat, or one to join by. Errors: BadLink.

    >>> read_link("http://127.0.0.1:8000/join/k3y").kind
    'join'
    """
    found = _LINK.fullmatch(text.strip())
    if found is None or not _is_address(found["base"]):
        raise BadLink(
            "That is not a link to a table. Copy the whole link that you were given; it ends in "
            "/s/ or /join/ and a key."
        )
    return Link(found["base"], found["kind"], found["key"])


def _is_address(base: str) -> bool:
    """Whether the name in a server's address can be looked up."""
    try:
        httpx.URL(base).host.encode("idna")
    except (httpx.InvalidURL, UnicodeError):
        return False
    return True
