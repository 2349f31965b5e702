"""The Lantern Barge: a ready campaign with three characters, a rival and the barge itself."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Entity, Example, Json, Table
from kitchentable.rulesets.lucky_stars.character import NPC, PC, STOCK
from kitchentable.rulesets.lucky_stars.options import OPTIONS
from kitchentable.rulesets.lucky_stars.sheet import SHEET

_NOTES = """Every seventh night the lantern barge goes up the Silt with letters, lamp oil and \
whoever can pay. Tonight the water is high, the night-ferry of Captain Roake wants the same \
landing, and somebody on board is not who they say."""


def _thing(item: str, supply: str = "", rolls: str = "", restock: str = "") -> dict[str, Json]:
    return {"id": "", "item": item, "supply": supply, "rolls": rolls, "restock": restock} | {
        "note": ""
    }


def _one(
    ident: str,
    name: str,
    kind: str,
    owner: str,
    line: str,
    stats: dict[str, int],
    gear: list[dict[str, Json]],
    about: str = "",
) -> Entity:
    sheet: dict[str, Any] = {"stats": stats, "gear": gear, "about": about}
    draft = Entity(ident, name, kind, owner, sheet, {}, line=line, open=kind != NPC)
    return Entity(
        ident, name, kind, owner, sheet, SHEET.start(_TABLE, draft), line=line, open=kind != NPC
    )


def _stats(level: int, strength: int, fort: int, will: int) -> dict[str, int]:
    return {"level": level, "strength": strength, "fort": fort, "will": will}


_TABLE = Table(options={option.key: option.field.default for option in OPTIONS})


def example() -> Example:
    """Three players' characters, a rival of the GM's, and the barge with what is on it."""
    ada = _one(
        "ada",
        "Ada Fenn",
        PC,
        "Ada",
        "Ferryhand, knows every pole",
        _stats(3, 2, 2, 1),
        [
            _thing("Boat pole"),
            _thing(
                "Climbing kit",
                "8",
                "Whenever it bears somebody's weight.",
                "An hour with new rope at any landing.",
            ),
        ],
        "Was born on the water and gets sick on land.",
    )
    bram = _one(
        "bram",
        "Bram Oxley",
        PC,
        "Ben",
        "Healer on the run",
        _stats(3, -1, 1, 3),
        [
            _thing(
                "Healer's kit",
                "6",
                "For each person who is treated.",
                "At an apothecary, for a day's wages.",
            ),
            _thing("Somebody else's seal ring"),
        ],
        "Signed the wrong death, and would sign it again.",
    )
    cleo = _one(
        "cleo",
        "Cleo Marsh",
        PC,
        "Cai",
        "Lamplighter with a sling",
        _stats(2, 0, 0, 2),
        [
            _thing("Sling"),
            _thing("Flares", "4", "For each one that is lit.", "In any harbour store."),
        ],
        "Counts her steps, out loud when it is dark.",
    )
    roake = _one(
        "roake",
        "Captain Roake",
        NPC,
        GM,
        "Master of the night-ferry",
        _stats(5, 3, 2, 4),
        [_thing("Brass speaking-horn")],
    )
    barge = _one(
        "barge",
        "The lantern barge",
        STOCK,
        GM,
        "Thirty feet, one lamp, no keel to speak of",
        {},
        [
            _thing(
                "Lamp oil",
                "10",
                "Once for each night on the water.",
                "From the depot at Silt Cross.",
            )
        ],
    )
    people = (ada, bram, cleo, roake, barge)
    return Example("The Lantern Barge", ("Ada", "Ben", "Cai"), people, _NOTES)
