"""Form data as sent by a browser: names and texts, unchecked and complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from litestar.datastructures import UploadFile

from kitchentable.app.keys import passing_id
from kitchentable.app.verbs import split_faces
from kitchentable.rules.errors import BadAnswers
from kitchentable.rules.forms import read_value
from kitchentable.rules.values import Field
from kitchentable.web.csrf import FIELD
from kitchentable.web.errors import BadForm
from kitchentable.web.site import Asked

#: The fields that every form has, and that are not answers.
FORMS_OWN = frozenset({FIELD, "command"})
_MOST_FIELDS = 4000
_LONGEST_ID = 80
_KEPT = "kitchentable.form"


@dataclass(frozen=True, slots=True)
class Form:
    """The data of a form: every name with its texts, in the order sent.

    >>> form = Form({"a.sure": ("off", "on"), "a.trait": ("aim",), "move": ("task",)})
    >>> form.answers()
    {'sure': ['off', 'on'], 'trait': 'aim'}
    """

    fields: Mapping[str, tuple[str, ...]]
    files: Mapping[str, UploadFile] | None = None

    def one(self, name: str, default: str = "") -> str:
        """The last text under a name."""
        return self.fields.get(name, (default,))[-1]

    def all(self, name: str) -> tuple[str, ...]:
        """Every text under a name."""
        return self.fields.get(name, ())

    def ticked(self, name: str) -> bool:
        """Whether a box was ticked."""
        return self.one(name) not in {"", "off", "false", "no", "0"}

    def whole(self, name: str, otherwise: int, most: int) -> int:
        """A whole number up to `most`; `otherwise` where something else stands there."""
        word = self.one(name)
        return min(int(word), most) if word.isdecimal() and len(word) < 6 else otherwise

    def answers(self, prefix: str = "a.") -> dict[str, Any]:
        """The answers to a form's fields: a text, or a list where a name is repeated."""
        return {
            name.removeprefix(prefix): words[0] if len(words) == 1 else list(words)
            for name, words in self.fields.items()
            if name.startswith(prefix)
        }

    def faces(self) -> tuple[str, ...] | None:
        """Faces of real dice, typed in; None where the table throws."""
        return split_faces(self.one("faces"))

    def command(self, name: str = "command") -> str:
        """The id of the command, or another that a page made; a form without one gets its own."""
        found = self.one(name).strip()
        return found if 0 < len(found) <= _LONGEST_ID and found.isprintable() else passing_id()


def read_one(field: Field, given: str) -> Any:
    """The value of one field. Errors: BadAnswers."""
    value, problem = read_value(field, given)
    if problem is not None:
        raise BadAnswers((problem,))
    return value


async def read_form(request: Asked) -> Form:
    """The form of a request, read once. Errors: BadForm."""
    known = request.scope["state"].get(_KEPT)
    if known is None:
        known = await _read(request)
        request.scope["state"][_KEPT] = known
    form: Form = known
    return form


def keep_form(request: Asked, encoded: bytes) -> None:
    """Store the body of a request for later readers of its form. Errors: BadForm."""
    request.scope["state"][_KEPT] = _form(parse_pairs(encoded))


def read_query(request: Asked) -> Form:
    """The query of an address, as a form."""
    return _form(parse_pairs(request.scope["query_string"]))


async def read_either(request: Asked) -> Form:
    """The form of a request that has one, else the query of its address. Errors: BadForm."""
    return await read_form(request) if request.method == "POST" else read_query(request)


def parse_pairs(encoded: bytes) -> list[tuple[str, str]]:
    """Names and texts from URL-encoded data. Errors: BadForm.

    >>> parse_pairs(b"text=caf%C3%A9&text=")
    [('text', 'café'), ('text', '')]
    """
    text = encoded.decode("utf-8", "replace")
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise BadForm("The form has too many fields.") from error


async def _read(request: Asked) -> Form:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        return _form(parse_pairs(await request.body()))
    if kind != "multipart/form-data":
        return Form({})
    sent = await request.form()
    words = [(name, value) for name, value in sent.multi_items() if isinstance(value, str)]
    files = {name: value for name, value in sent.multi_items() if isinstance(value, UploadFile)}
    return Form(_form(words).fields, files)


def _form(pairs: list[tuple[str, str]]) -> Form:
    fields: dict[str, list[str]] = {}
    for name, word in pairs:
        fields.setdefault(name, []).append(word)
    return Form({name: tuple(words) for name, words in fields.items()})
