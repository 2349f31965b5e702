"""Characters outside a campaign: their files, and the sheets filled in from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from kitchentable.app.clock import utc_now
from kitchentable.dice.errors import BadInput
from kitchentable.rules.archetypes import raw_of
from kitchentable.rules.forms import read_sheet
from kitchentable.rules.game import Game
from kitchentable.rules.sheets import Section
from kitchentable.rules.table import Entity, Table
from kitchentable.rules.values import Field, Json
from kitchentable.store.rows import Draft
from kitchentable.store.sql import Store

#: The largest file of a character, in bytes.
MOST_BYTES = 100_000
#: Rounds of filling in a sheet, because one answer can open further questions.
PASSES = 8
_FORM = "kitchentable-character"
#: The key of the file that a seat has opened last, among its drafts.
_OPENED = "opened"


class NoCharacter(BadInput):
    """A file has no character, or a kind of character that its game does not have."""

    code = "character/unreadable"


class CharacterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character outside a campaign: the answers of its sheet's form, without state of play.

    `options` are its table's options that differ from the defaults.
    """

    form: str
    game: str
    version: str
    kind: str
    name: str
    answers: dict[str, Any]
    line: str = ""
    options: dict[str, Any] = {}


def file_of(game: Game, table: Table, one: Entity) -> CharacterFile:
    """The file of a character, without picks of people, because ids differ elsewhere."""
    sections = game.sheet.sections(table, one)
    fields = {field.name: field for section in sections for field in section.fields}
    found = raw_of(sections, one.sheet)
    answers = {name: _without_picks(fields[name], value) for name, value in found.items()}
    usual = game.defaults()
    options = {
        key: value for key, value in table.options.items() if key in usual and value != usual[key]
    }
    return CharacterFile(
        _FORM, game.name, game.version, one.kind, one.name, answers, one.line, options
    )


def _without_picks(field: Field, value: Json) -> Json:
    if field.kind == "entity":
        return ""
    picks = {column.name for column in field.columns if column.kind == "entity"}
    if field.kind == "rows" and isinstance(value, list) and picks:
        return [{k: "" if k in picks else v for k, v in row.items()} for row in value]
    return value


def write_character(told: CharacterFile) -> bytes:
    """A character's file as bytes."""
    plain = msgspec.to_builtins(told)
    if not told.options:
        del plain["options"]
    return msgspec.json.format(msgspec.json.encode(plain), indent=1)


def read_character(body: bytes) -> CharacterFile:
    """A character's file, its size and form checked before it is read. Errors: NoCharacter.

    >>> read_character(b'{"form": "else"}')
    Traceback (most recent call last):
    ...
    kitchentable.app.characters.NoCharacter: This is not a character file of Kitchen Table. ...
    """
    if len(body) > MOST_BYTES:
        raise NoCharacter(
            f"A character's file has at most {MOST_BYTES // 1000} kB. Choose one made with "
            "“Save as a file”."
        )
    try:
        told = msgspec.json.decode(body, type=CharacterFile)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise NoCharacter(
            "This is not a character file of Kitchen Table. Choose one made with “Save as a file”."
        ) from error
    if told.form != _FORM:
        raise NoCharacter("This file has another format. Choose the file of a character.")
    return told


def keep_file(store: Store, campaign: str, seat: str, body: bytes) -> None:
    """Keep the file of a character that a seat has opened, in place of the one before."""
    store.put_draft(Draft(campaign, seat, _OPENED, body, utc_now()))


def kept_file(store: Store, campaign: str, seat: str) -> bytes:
    """The file that a seat has opened last; empty for none."""
    opened = store.draft(campaign, seat, _OPENED)
    return opened.body if opened else b""


def fill_sheet(game: Game, table: Table, draft: Entity, answers: Mapping[str, Json]) -> Entity:
    """A draft with these answers on its sheet, without answers that it does not accept."""
    for _ in range(PASSES):
        sections = game.sheet.sections(table, draft)
        sheet, _ = read_sheet(sections, draft.sheet, answered(sections, answers))
        if sheet == draft.sheet:
            break
        draft = replace(draft, sheet=sheet)
    return draft


def answered(sections: Sequence[Section], answers: Mapping[str, Json]) -> dict[str, Json]:
    """The answers to which these sections have a question."""
    names = {field.name for section in sections for field in section.fields}
    return {name: value for name, value in answers.items() if name in names}
