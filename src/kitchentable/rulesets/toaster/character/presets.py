"""New sheets: blank ones, those of presets and samples, the ready campaign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kitchentable.rules import GM, Archetype, Entity, Example, Json, Table, whole
from kitchentable.rules.kit import Form, number, pick, text, tick
from kitchentable.rulesets.toaster.book import (
    ARCHETYPES,
    CAMPAIGNS,
    PEOPLE,
    TABLES,
    Facts,
    Row,
    row,
    rows,
)
from kitchentable.rulesets.toaster.character.attributes import attribute_name, attributes
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster

PC, NPC, UNNAMED, CREATURE = "pc", "npc", "unnamed", "creature"


def blank(table: Table, kind: str) -> Facts:
    """A new sheet: an average person's attributes are the GM's to start from, a player's are 0.

    A player's character begins with a language and no word for it.
    """
    mine = kind == PC
    sheet: Facts = {
        "attributes": {one["key"]: 0 if mine else 4 for one in attributes(table)},
        "skills": [skill_line("s1", "language", 4, attribute="intellect", native=True)] * mine,
        "traits": [],
        "weapons": [],
        "armour": [],
        "shield": "",
        "hide": 0,
        "supernatural": kind == CREATURE,
        **dict.fromkeys(("height", "weight", "possessions"), ""),
        "money": Options(table.options).starting_money if mine else "",
        "about": "",
    }
    if not mine:
        sheet |= {"named": kind != UNNAMED, "style": ""}
        sheet["thresholds"] = {"stun": None, "wound": None}
    return sheet


def skill_line(ident: str, key: str, base: int = 0, **more: Json) -> Facts:
    """A line among the skills, of a key like "weapon-skill:Sword"."""
    skill, _, of = key.partition(":")
    line = {"id": ident, "skill": skill, "of": of, "attribute": "", "base": base}
    return {**line, "native": False, "note": "", **more}


def trait_line(ident: str, name: str, kind: str, rank: int, of: str = "", note: str = "") -> Facts:
    """A line among the traits."""
    line = {"id": ident, "name": name, "kind": kind, "rank": rank, "severity": ""}
    return {**line, "frequency": "", "of": of, "modifier": None, "fails": False, "note": note}


def weapon_line(ident: str, like: str = "", name: str = "", **more: Json) -> Facts:
    """A line among the weapons."""
    numbers = dict.fromkeys(("wc", "strength", "modifier", "scope", "piercing", "grip_wc"))
    ticks = ("muscle", "ranged", "thrown", "unarmed", "throwable", "blast")
    line = {"id": ident, "like": like, "name": name, "skill": "", **numbers}
    return {**line, **dict.fromkeys(ticks, False), **more}


def armour_line(ident: str, like: str) -> Facts:
    """A line among the armor."""
    return {"id": ident, "like": like, "name": "", "ac": None, "stowed": False}


# ---------------------------------------------------------------- presets

_BLANK = "blank"
_KEYS = tuple(one["key"] for one in TABLES["attributes"])


def preset_sheet(table: Table, key: str) -> Facts:
    """The sheet of a preset; an average person without skills for none of them."""
    built = row(table, "presets", key) or {"attributes": [4] * len(_KEYS), "kind": NPC}
    ranks = dict(zip(_KEYS, built["attributes"], strict=True))
    size = whole(built.get("size"))
    return blank(table, built["kind"]) | {
        "attributes": {one["key"]: ranks.get(one["key"], 4) for one in attributes(table)},
        "skills": [
            skill_line(f"s{place}", key, int(base))
            for place, words in enumerate(built.get("skills", ()), 1)
            for key, _, base in (words.rpartition(" "),)
        ],
        "traits": [trait_line("t1", "Physical Size", "size", size)] if size else [],
        "weapons": [
            weapon_line(f"w{n}", **(one if isinstance(one, dict) else {"like": one}))
            for n, one in enumerate(built.get("weapons", ()), 1)
        ],
        "armour": [armour_line(f"a{n}", one) for n, one in enumerate(built.get("armour", ()), 1)],
        "shield": str(built.get("shield") or ""),
        "hide": whole(built.get("hide")),
    }


# ---------------------------------------------------------------- somebody new


def preset(at: Here) -> Row:
    """The preset that was picked; {} for nobody's."""
    return row(at.table, "presets", BringForm.preset.given(at)) or {}


def presets(at: Here) -> Iterator[tuple[str, str, str]]:
    """Everybody's presets, with attributes and skills in a line."""
    yield _BLANK, "Nobody: an average person without skills", ""
    for one in rows(at.table, "presets"):
        ranks = zip(_KEYS, one["attributes"], strict=True)
        told = ", ".join(f"{attribute_name(at.table, key)} {rank}" for key, rank in ranks)
        best = [skill_name(at.table, words.rpartition(" ")[0]) for words in one["skills"]]
        yield one["key"], str(one["name"]), f"{told}; {', '.join(best)}"


class BringForm(Form):
    name = text()
    preset = pick(choices=presets)
    count = number()
    named = tick(default=lambda at: preset(at).get("kind") != UNNAMED)
    line = text(default=lambda at: str(preset(at).get("line") or ""))
    hidden = tick()
    open = tick(default=lambda at: at.options.npc_open)


@toaster.move("npc")
def bring(at: At[BringForm]) -> None:
    form = at.form
    sheet = preset_sheet(at.table, form.preset) | {"named": form.named}
    kind = CREATURE if sheet["supernatural"] else NPC if form.named else UNNAMED
    state: Facts = {"stun": 0, "wounds": [], "condition": "awake", "xp": 0, "used": []}
    for index in range(1, form.count + 1):
        name = form.name if form.count == 1 else f"{form.name} {index}"
        one = Entity("", name, kind, GM, sheet, state, "play", form.hidden, form.open, form.line)
        at.create(one, index)
    found = preset(at)
    if found:
        at.say(f"Built like: {found['name']}.", GM)
    at.tell(
        form.name if form.count == 1 else f"{form.name}, {form.count} of them",
        "" if form.named else "Nobody has heard their names.",
        rules=() if form.named else ("toaster.4.unnamed-out",),
        audience=GM if form.hidden else "",
    )


# ---------------------------------------------------------------- samples, archetypes

_TABLE = Table(options={})


def sample_sheet(key: str) -> Facts:
    """The sheet of a sample character from the table `samples`.

    toaster.2.samples. Every printed number of Rhoenda's follows from her sheet. Father Mallory's
    Brawl is printed as 6, and no attribute of his but Aura could make it so; it is kept as the
    rules have it, 4, with the printed number as a note.
    """
    sample: Any = row(_TABLE, "samples", key)
    return blank(_TABLE, PC) | _parts(sample) | {"money": sample["money"]}


def _parts(one: Any) -> Facts:
    """The parts of a sheet from a row of a file."""
    keys = [each["key"] for each in TABLES["attributes"]]
    return {
        "attributes": dict(zip(keys, one["attributes"], strict=True)),
        "skills": [skill_line(f"s{n}", **each) for n, each in enumerate(one["skills"], 1)],
        "traits": [trait_line(f"t{n}", **each) for n, each in enumerate(one["traits"], 1)],
        "weapons": [weapon_line(f"w{n}", **each) for n, each in enumerate(one["weapons"], 1)],
        **{key: one[key] for key in ("possessions", "about")},
    }


def archetypes() -> tuple[Archetype, ...]:
    """The ready characters to begin from."""
    return tuple(
        Archetype(key, one["title"], PC, {**_parts(one), "armour": _worn(one)})
        for key, one in ARCHETYPES.items()
    )


def _worn(one: Any) -> list[Facts]:
    return [armour_line(f"a{n}", like) for n, like in enumerate(one["armour"], 1)]


def _person(one: Any) -> Entity:
    """A sample character in the hands of a player, or somebody of the GM's by a preset."""
    if "sample" in one:
        kind, owner, sheet = PC, one["owner"], sample_sheet(one["sample"])
    else:
        found: Any = row(_TABLE, "presets", one["preset"])
        kind, owner, sheet = found["kind"], GM, preset_sheet(_TABLE, one["preset"])
    return Entity(
        one["key"], one["name"], kind, owner, sheet, {}, open=kind == PC, line=one["line"]
    )


def example() -> Example:
    """The ready campaign: two sample characters, a captain and two thugs."""
    about = CAMPAIGNS["example"]
    people = tuple(map(_person, PEOPLE.values()))
    return Example(about["title"], tuple(about["players"]), people, about["notes"])
