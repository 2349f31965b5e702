"""The Salt Road: a ready campaign with three characters and those who wait for them."""

from __future__ import annotations

from kitchentable.rules import GM, Entity, Example, Json, Table
from kitchentable.rulesets.toast.npcs import PRESETS, npc_sheet
from kitchentable.rulesets.toast.options import OPTIONS, traits
from kitchentable.rulesets.toast.people import PC
from kitchentable.rulesets.toast.sheet import SHEET

_KEYS = tuple(one.key for one in traits({}))

_NOTES = """The salt tax has gone up again, and the old road over the Grey Stairs is closed to \
everybody without a seal. In the cellar of the Lame Heron stand four casks of salt that belong to \
nobody. Captain Serk knows, and he is on his way."""


def _levels(*levels: int) -> dict[str, Json]:
    return dict(zip(_KEYS, levels, strict=True))


def _hero(
    ident: str,
    name: str,
    player: str,
    line: str,
    levels: dict[str, Json],
    perks: list[str],
    about: str,
) -> Entity:
    sheet: dict[str, Json] = {
        "traits": levels,
        "perks": [{"text": text, "covers": ""} for text in perks],
        "gear": [],
        "about": about,
    }
    return _ready(Entity(ident, name, PC, player, sheet, {}, line=line))


def _foe(ident: str, name: str, kind: str, preset: str, line: str) -> Entity:
    sheet = npc_sheet(_TABLE, PRESETS[preset], kind, None)
    return _ready(Entity(ident, name, kind, GM, sheet, {}, open=False, line=line))


def _ready(entity: Entity) -> Entity:
    return Entity(
        entity.id,
        entity.name,
        entity.kind,
        entity.owner,
        entity.sheet,
        SHEET.start(_TABLE, entity),
        open=entity.open,
        line=entity.line,
    )


_TABLE = Table(options={option.key: option.field.default for option in OPTIONS})


def example() -> Example:
    """Three players' characters of 52 points each, a lieutenant and two minions."""
    mara = _hero(
        "mara",
        "Mara Vell",
        "Mara",
        "Smuggler, reformed",
        _levels(0, 4, 7, 4, 6, 3, 3, 5, 3, 6, 5, 2, 4),
        ["Good with rifles", "Knows the Krim valley", "Child of a sailor"],
        "Ran salt over the Grey Stairs for eleven years and swears that she has stopped.",
    )
    tam = _hero(
        "tam",
        "Old Tam",
        "Jonas",
        "Cook, best in the city",
        _levels(5, 2, 1, 6, 5, 5, 6, 4, 4, 4, 5, 4, 1),
        ["Best cook in the city", "Cleaver older than the king", "Fed half the garrison"],
        "Owns the Lame Heron, and asks no guest a question before the soup.",
    )
    ivo = _hero(
        "ivo",
        "Brother Ivo",
        "Lene",
        "Monk on leave",
        _levels(3, 3, 0, 5, 4, 2, 5, 3, 7, 4, 4, 5, 7),
        ["Has read every book in Saint Orrin's", "Vow of patience, mostly kept"],
        "Was sent down from the mountain to find a stolen psalter. That was four years ago.",
    )
    serk = _foe("serk", "Captain Serk", "lieutenant", "right-hand", "Of the salt guard")
    post = _foe("guard-1", "Guard by the door", "minion", "hired-hand", "Salt guard")
    stair = _foe("guard-2", "Guard on the stair", "minion", "sharp-eyed-lookout", "Salt guard")
    people = (mara, tam, ivo, serk, post, stair)
    return Example("The Salt Road", ("Mara", "Jonas", "Lene"), people, _NOTES)
