"""Proof that a form was sent from one of our own pages.

There are two checks. A request that the browser marks as sent by another site (Sec-Fetch-Site,
Origin) is refused. And every form contains a token that the server's secret binds to the browser's
cookie; other sites can neither read nor forge it. The token differs each time it is written, so
that the size of compressed pages does not reveal it (BREACH).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from kitchentable.dice.errors import BadInput

#: The field of a form, and the header of a script's request, that carry the token.
FIELD = "_csrf_token"
HEADER = "x-csrftoken"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_BROWSER = re.compile(r"[A-Za-z0-9_-]{22}")
_NONCE = 11


class NotFromHere(BadInput):
    """The form comes from another site, or from a page that is too old."""

    code = "form/not-from-here"


class Csrf:
    """Makes and checks tokens. `secret` is the server's, at most 64 bytes, kept over restarts.

    >>> csrf = Csrf(b"a secret of the server")
    >>> csrf.fits(csrf.token("a browser"), "a browser"), csrf.fits(csrf.token("a browser"), "other")
    (True, False)
    """

    def __init__(self, secret: bytes) -> None:
        # A copy of a keyed hash saves hashing the key again for each token.
        self._keyed = hashlib.blake2b(digest_size=20, key=secret)

    def token(self, browser: str) -> str:
        """A fresh token for that browser."""
        nonce = secrets.token_urlsafe(8)
        return nonce + self._seal(nonce, browser)

    def fits(self, token: str, browser: str) -> bool:
        """Whether a token was made here for that browser."""
        nonce, seal = token[:_NONCE], token[_NONCE:]
        return hmac.compare_digest(seal.encode(), self._seal(nonce, browser).encode())

    def _seal(self, nonce: str, browser: str) -> str:
        seal = self._keyed.copy()
        seal.update(f"{nonce}\0{browser}".encode())
        return seal.hexdigest()


def new_browser() -> str:
    """A new id of a browser: 128 random bits.

    >>> known_browser(new_browser())
    True
    """
    return secrets.token_urlsafe(16)


def known_browser(name: str) -> bool:
    """Whether a cookie's value has the form of our browser ids."""
    return _BROWSER.fullmatch(name) is not None


def comes_from_elsewhere(headers: Mapping[str, str], host: str) -> bool:
    """Whether the browser itself says that another site sent this request.

    >>> comes_from_elsewhere({"sec-fetch-site": "cross-site"}, "table.example")
    True
    >>> comes_from_elsewhere({"origin": "https://table.example"}, "table.example")
    False
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    if origin is None or origin == "null":
        return False
    return urlsplit(origin).netloc != host
