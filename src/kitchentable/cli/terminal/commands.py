"""Commands as typed: ``begin-session``, ``decide-sheet entity=Mara accept=yes``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec

from kitchentable.app.shapes import in_paragraphs
from kitchentable.campaign.commands import AskForSeat, Command, OpenCampaign
from kitchentable.campaign.read_models import View
from kitchentable.client.table import new_id
from kitchentable.dice.errors import BadInput
from kitchentable.dice.outcomes import did_you_mean

#: Fields that name people; fields that name characters.
_PEOPLE = frozenset({"of", "to", "owner"})
_CHARACTERS = frozenset({"entity", "before", "ours", "theirs"})
_TICKS = {"yes": True, "no": False}


class BadCommand(BadInput):
    """The words are not a command, or the command has no such field."""

    code = "play/command"


def read_command(view: View, name: str, answers: Mapping[str, str]) -> Command:
    """Read a command by its name and typed fields. Errors: BadCommand.

    People and characters are given by name. Commas separate the items of a list, and a dot
    addresses a value inside a field: ``options.medium=12``.
    """
    kind, types = _known(name)
    data: dict[str, Any] = {"do": name, "id": new_id()}
    for given, text in answers.items():
        field, _, below = given.partition(".")
        if field not in types:
            raise BadCommand(f"{name} has no field {field!r}. It has {', '.join(types)}.")
        if _is(types[field], dict):
            data.setdefault(field, {})[below] = text
        elif _is(types[field], tuple):
            data[field] = [
                _named(view, field, one.strip()) for one in text.split(",") if one.strip()
            ]
        elif _is(types[field], bool):
            data[field] = _TICKS.get(text.casefold(), text)
        else:
            data[field] = _named(view, field, text)
    try:
        return msgspec.convert(data, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadCommand(f"{name}: {error}.") from error


def commands() -> dict[str, type[Command]]:
    """The commands that a seat may send, by name."""
    kinds = (one for one in Command.__subclasses__() if one not in {OpenCampaign, AskForSeat})
    return {str(one.__struct_config__.tag): one for one in kinds}


def tell_command(name: str) -> Iterator[str]:
    """Describe a command and its fields. Errors: BadCommand."""
    kind, types = _known(name)
    yield in_paragraphs(kind.__doc__ or "")
    yield f"/do {' '.join((name, *(f'{field}=...' for field in types)))}"


def _known(name: str) -> tuple[type[Command], dict[str, Any]]:
    """Look up a command by its name, with the types of its fields. Errors: BadCommand."""
    known = commands()
    if name not in known:
        raise BadCommand(
            f"There is no command {name!r}.{did_you_mean(name, known)} /help do lists all commands."
        )
    fields = msgspec.structs.fields(known[name])
    return known[name], {one.name: one.type for one in fields if one.name not in {"id", "seat"}}


def read_object(line: str) -> dict[str, Any]:
    """Read a command that is a JSON object. Errors: BadCommand."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadCommand(f"That is not a JSON object: {error}.") from error


def _is(declared: Any, kind: type) -> bool:
    return kind in {declared, get_origin(declared)} or any(
        kind in {one, get_origin(one)} for one in get_args(declared)
    )


def _named(view: View, field: str, text: str) -> str:
    """The id of the person or character named in a field; other text unchanged.

    A person and a character may have the same name, so the field decides which is meant.
    """
    known = view.table.seats if field in _PEOPLE else view.table.entities
    if field not in _PEOPLE | _CHARACTERS:
        return text
    names = {one.name.casefold(): one.id for one in known.values()}
    return names.get(text.casefold(), text)
