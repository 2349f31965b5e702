"""Errors as responses: one sentence for people, one stable code for programs.

A refusal becomes a page, a sentence for the page's script, or JSON. Unexpected errors are logged
under a number, and only the number is shown.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from litestar.exceptions import HTTPException, ValidationException

from kitchentable.app.cursors import BadCursor
from kitchentable.app.keys import new_id
from kitchentable.app.table import NoSuchCampaign
from kitchentable.campaign.errors import BuiltUpon, NewerEvent, NotAllowed
from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.errors import BadAnswers, UnknownGame
from kitchentable.rules.values import Problem
from kitchentable.web.csrf import NotFromHere
from kitchentable.web.limits import TooManyTries

log = logging.getLogger("kitchentable.web")

_FINDS = "The host finds the reason in the log under"
#: What could be a key in a path.
_KEY = re.compile(r"[A-Za-z0-9_-]{32,}")


class NoSeat(BadInput):
    """The request has no key for this campaign, or one that is no longer valid."""

    code = "seat/no-key"


class NotTheHost(BadInput):
    """Only the host's device may do that."""

    code = "host/no-key"


class BadKey(BadInput):
    """An invalid link: mistyped, used, or revoked."""

    code = "key/unknown"


class NoSuchPage(BadInput):
    """There is nothing at that address."""

    code = "page/unknown"


class TooManyScreens(BadInput):
    """One seat has more live pages open than are kept up to date."""

    code = "feed/too-many-screens"


class BadForm(BadInput):
    """The body of the request cannot be read as a form."""

    code = "form/unreadable"


#: Seconds to wait for another worker, or for an update of this one.
_UPDATED_SOON = 5
#: The HTTP status of a refusal, by class; the first match counts.
_STATUS: tuple[tuple[type[KitchenTableError], int], ...] = (
    (NoSeat, 401),
    (NotTheHost, 401),
    (BadKey, 404),
    (NoSuchPage, 404),
    (NoSuchCampaign, 404),
    (UnknownGame, 404),
    (BadCursor, 404),
    (NotFromHere, 403),
    (NotAllowed, 403),
    (TooManyTries, 429),
    (TooManyScreens, 429),
    (NewerEvent, 503),
    (BadAnswers, 422),
    (BadInput, 400),
)
#: By code, where the class says too little.
_STATUS_OF_CODE: Mapping[str, int] = MappingProxyType(
    {
        "seat/unknown": 401,
        "name/taken": 409,
        "proposal/unknown": 409,
        "ask/gone": 409,
        "fight/never-ends": 400,
        "undo/built-upon": 409,
        "undo/done": 409,
        "store/conflict": 409,
        "store/key-ended": 401,
        "store/damaged-entry": 503,
        "game/gone": 503,
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: HTTP status, code, sentence, and problems with their places.

    `wait` is the number of seconds until a retry makes sense; 0 if waiting does not help. `also`
    are the numbers of the later steps that have to be taken back too.
    """

    status: int
    code: str
    sentence: str
    problems: tuple[Problem, ...] = ()
    wait: int = 0
    also: tuple[int, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The refusal as JSON for programs, as plain data."""
        data: dict[str, Any] = {
            "code": self.code,
            "sentence": self.sentence,
            "problems": [
                {
                    "where": problem.where,
                    "rule": problem.rule,
                    "sentence": problem.sentence,
                    "refuses": problem.refuses,
                }
                for problem in self.problems
            ],
        }
        return data | {"also": list(self.also)} if self.also else data


def read_error(error: Exception, where: str = "") -> Refusal:
    """The refusal for an error; `where` is the path, for the host's log.

    >>> read_error(BadKey("That link opens nothing.")).status
    404
    """
    if isinstance(error, KitchenTableError):
        return _ours(error, where)
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _frameworks(error)
    number = _logged(error, where)
    return Refusal(
        500,
        "web/unexpected",
        "An unexpected error occurred. Everything that was confirmed is saved. "
        f"The host finds the reason in the log under {number}.",
    )


def _ours(error: KitchenTableError, where: str) -> Refusal:
    status = _STATUS_OF_CODE.get(error.code) or next(
        (status for kind, status in _STATUS if isinstance(error, kind)), 500
    )
    if status == 500:
        number = _logged(error, where)
        if error.code.startswith("store/"):
            # Its own sentence names files, and is for the host.
            sentence = "The server cannot use its database now, so nothing was done. Try again."
            return Refusal(503, error.code, f"{sentence} {_FINDS} {number}.")
        return Refusal(500, error.code, f"{error} {_FINDS} {number}.")
    problems = error.problems if isinstance(error, BadAnswers) else ()
    wait = error.seconds if isinstance(error, TooManyTries) else 0
    if isinstance(error, NewerEvent):
        wait = _UPDATED_SOON
    also = error.numbers if isinstance(error, BuiltUpon) else ()
    return Refusal(status, error.code, str(error), problems, wait, also)


def _logged(error: Exception, where: str) -> str:
    """Log an error for the host, without keys in its path; gives its number."""
    number = new_id(6)
    code = f" ({error.code})" if isinstance(error, KitchenTableError) else ""
    log.error("Error %s%s at %s", number, code, _KEY.sub("...", where), exc_info=error)
    return number


def _frameworks(error: HTTPException) -> Refusal:
    sentences = {
        400: "The request cannot be read.",
        404: "There is no page at this address.",
        405: "This address does not accept this method.",
        413: "The request is too long. A picture may have up to 12 MB.",
    }
    codes = {404: "page/unknown", 405: "page/method", 413: "form/too-large"}
    status = error.status_code
    problems = _places(error) if isinstance(error, ValidationException) else ()
    sentence = " ".join([sentences.get(status, sentences[400]), *(p.sentence for p in problems)])
    return Refusal(status, codes.get(status, "page/bad-request"), sentence, problems)


def _places(error: ValidationException) -> tuple[Problem, ...]:
    """The parameters of a request that do not fit, each with its problem."""
    found = error.extra if isinstance(error.extra, list) else []
    if isinstance(error.__cause__, KeyError):
        name = str(error.__cause__.args[0])
        return (Problem(name, "", f"{name}: missing."),)
    return tuple(
        Problem(str(one.get("key", "")), "", f"{one.get('key', '')}: {one['message']}.")
        for one in found
        if isinstance(one, dict) and "message" in one
    )
