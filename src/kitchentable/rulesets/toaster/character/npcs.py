"""The GM's people and creatures: brought into play in a moment, from a preset or blank."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Field,
    Json,
    Line,
    Move,
    Result,
    Table,
    fresh,
    whole,
)
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.character.attributes import attribute_name, attributes
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import row, rows

NPC, UNNAMED, CREATURE = "npc", "unnamed", "creature"
_BLANK = "blank"
_KEYS = tuple(one["key"] for one in TABLES["attributes"])


def preset_sheet(table: Table, key: str) -> dict[str, Json]:
    """The sheet of a preset; an average person without skills for none of them."""
    preset = row(table, "presets", key) or {"attributes": [4] * len(_KEYS), "kind": NPC}
    ranks = dict(zip(_KEYS, preset["attributes"], strict=True))
    size = whole(preset.get("size"))
    return {
        "attributes": {one["key"]: ranks.get(one["key"], 4) for one in attributes(table)},
        "skills": [
            _skill_line(place, words) for place, words in enumerate(preset.get("skills", ()), 1)
        ],
        "traits": [_size_line(size)] if size else [],
        "weapons": [
            _weapon_line(place, kind) for place, kind in enumerate(preset.get("weapons", ()), 1)
        ],
        "armour": [
            {"id": f"a{place}", "like": kind, "name": "", "ac": None, "stowed": False}
            for place, kind in enumerate(preset.get("armour", ()), 1)
        ],
        "shield": str(preset.get("shield") or ""),
        "hide": whole(preset.get("hide")),
        "supernatural": preset["kind"] == CREATURE,
        "height": "",
        "weight": "",
        "possessions": "",
        "money": "",
        "about": "",
        "named": preset["kind"] != UNNAMED,
        "style": "",
        "thresholds": {"stun": None, "wound": None},
    }


def _skill_line(place: int, words: str) -> dict[str, Json]:
    """A line of the skills from "weapon-skill:Sword 7": a key and a base."""
    key, _, base = words.rpartition(" ")
    skill, _, of = key.partition(":")
    return {
        "id": f"s{place}",
        "skill": skill,
        "of": of,
        "attribute": "",
        "base": int(base),
        "native": False,
        "note": "",
    }


def _size_line(size: int) -> dict[str, Json]:
    return trait_line("t1", "Physical Size", "size", size)


def trait_line(
    ident: str, name: str, kind: str, rank: int, of: str = "", note: str = ""
) -> dict[str, Json]:
    """A line among the traits, as the builder writes it."""
    return {
        "id": ident,
        "name": name,
        "kind": kind,
        "rank": rank,
        "severity": "",
        "frequency": "",
        "of": of,
        "modifier": None,
        "fails": False,
        "note": note,
    }


def _weapon_line(place: int, kind: str | dict[str, Json]) -> dict[str, Json]:
    """A weapon of the table's list by its key, or one of its own: claws, teeth."""
    if isinstance(kind, dict):
        return {**weapon_line(f"w{place}", ""), **kind}
    return weapon_line(f"w{place}", kind)


def weapon_line(ident: str, like: str, name: str = "", **more: Json) -> dict[str, Json]:
    """A line among the weapons, as the builder writes it."""
    return {
        "id": ident,
        "like": like,
        "name": name,
        "skill": "",
        "wc": None,
        "strength": None,
        "modifier": None,
        "scope": None,
        "piercing": None,
        "grip_wc": None,
        "muscle": False,
        "ranged": False,
        "thrown": False,
        "unarmed": False,
        "throwable": False,
        "blast": False,
        **more,
    }


# ---------------------------------------------------------------- somebody new


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    preset = row(table, "presets", answers.get("preset")) or {}
    choices = tuple(
        Choice(one["key"], str(one["name"]), _in_short(table, one))
        for one in rows(table, "presets")
    )
    return (
        Field("name", "Name", longest=80),
        Field(
            "preset",
            "Built like",
            "choice",
            (Choice(_BLANK, "Nobody: an average person without skills"), *choices),
            default=_BLANK,
        ),
        Field("count", "How many of them?", "number", default=1, low=1, high=20),
        Field(
            "named",
            "They have a name in the story",
            "tick",
            default=preset.get("kind") != UNNAMED,
            required=False,
            help="Somebody unnamed is out at the first wound, where the table plays it so.",
            rule="toaster.4.unnamed-out",
        ),
        Field(
            "line",
            "Who they are, in a line",
            required=False,
            default=str(preset.get("line") or ""),
            longest=200,
        ),
        Field("hidden", "Players do not know of them yet", "tick", default=False, required=False),
        Field(
            "open",
            "Players may see their numbers",
            "tick",
            default=bool(setting(table.options, "npc_open")),
            required=False,
        ),
    )


def _in_short(table: Table, preset: dict[str, Any]) -> str:
    ranks = ", ".join(
        f"{attribute_name(table, key)} {rank}"
        for key, rank in zip(_KEYS, preset["attributes"], strict=True)
    )
    best = [words.rpartition(" ")[0] for words in preset["skills"]]
    return f"{ranks}; {', '.join(skill_name(table, key) for key in best)}"


def _bring(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    count, preset = whole(answers["count"]), str(answers.get("preset") or _BLANK)
    named, hidden = bool(answers.get("named")), bool(answers.get("hidden"))
    sheet = preset_sheet(table, preset) | {"named": named}
    creature = sheet["supernatural"]
    kind = CREATURE if creature else NPC if named else UNNAMED
    changes = []
    for index in range(1, count + 1):
        name = str(answers["name"]) if count == 1 else f"{answers['name']} {index}"
        entity: dict[str, Json] = {
            "name": name,
            "kind": kind,
            "owner": GM,
            "sheet": sheet,
            "state": {"stun": 0, "wounds": [], "condition": "awake", "xp": 0, "used": []},
            "stage": "play",
            "hidden": hidden,
            "open": bool(answers.get("open")),
            "line": str(answers.get("line") or ""),
        }
        changes.append(Change(("entities", fresh(table, kind, index)), entity))
    words = str(answers["name"]) if count == 1 else f"{answers['name']}, {count} of them"
    found = row(table, "presets", preset)
    card = Card(
        words,
        "" if named else "Nobody has heard their names.",
        lines=(Line(f"Built like: {found['name']}.", GM),) if found else (),
        rules=() if named else ("toaster.4.unnamed-out",),
        audience=GM if hidden else "all",
    )
    return Result(card, tuple(changes))


BRING = Move(
    "npc",
    "Somebody new",
    "Bring people or creatures of yours into play, one or many.",
    ("toaster.1.customisable", "toaster.4.unnamed-out"),
    _bring,
    by=("gm",),
    place="gm",
    fields=_fields,
    for_entity=False,
    examples=({"name": "Thug", "preset": "thug", "count": 2, "named": False},),
)
