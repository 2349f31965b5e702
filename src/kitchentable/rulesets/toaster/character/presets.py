"""New sheets: blank ones, presets and samples, and the example campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kitchentable.rules import GM, Archetype, Entity, Example, Json, Table, whole
from kitchentable.rules.kit import Form, bring_in, number, pick, text, tick
from kitchentable.rulesets.toaster.book import (
    BOOK,
    UNCHANGED,
    Facts,
    Row,
    row,
    rows,
)
from kitchentable.rulesets.toaster.character.attributes import FOUR, attribute_name, attribute_names
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster

PC, NPC, UNNAMED, CREATURE = "pc", "npc", "unnamed", "creature"


def blank(table: Table, kind: str) -> Facts:
    """A blank sheet: NPCs start with average attributes, players' characters with 0.

    A player's character begins with an unnamed language.
    """
    mine = kind == PC
    sheet: Facts = {
        "attributes": dict.fromkeys(attribute_names(table), 0 if mine else 4),
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


#: The parts of the sheet from words/sheet.toml, and the options of some columns.
PARTS = BOOK.sections()
ONLY_WITH: Mapping[str, str] = BOOK.tables["only_with"]

#: A blank line of each list on a sheet.
_LINES: Mapping[str, Row] = {
    field.name: {
        one.name: one.default
        for one in field.columns
        if f"{field.name}.{one.name}" not in ONLY_WITH
    }
    for key in ("skills", "traits", "gear")
    for field in PARTS[key].fields
    if field.columns
}


def line(part: str, ident: str, **cells: Json) -> Facts:
    """A line of a list on a sheet."""
    return {**_LINES[part], "id": ident, **cells}


def skill_line(ident: str, key: str, base: int = 0, **more: Json) -> Facts:
    """A skill line, for a key like "weapon-skill:Sword"."""
    skill, _, of = key.partition(":")
    return line("skills", ident, skill=skill, of=of, base=base, **more)


def _skill_of(words: str) -> tuple[str, int]:
    """The key and the base of a skill: "brawl 6"; base 0 without a number."""
    key, _, base = words.rpartition(" ")
    return (key, int(base)) if base.isdecimal() else (words, 0)


def _line_of(part: str, number: int, cells: Any) -> Facts:
    """A line from a row of a file: cells, a key of a list ("club"), or a skill ("brawl 6")."""
    ident = f"{part[0]}{number}"
    if part == "skills" and isinstance(cells, str):
        return skill_line(ident, *_skill_of(cells))
    known = {"like": cells} if isinstance(cells, str) else cells
    return skill_line(ident, **known) if part == "skills" else line(part, ident, **known)


def _built(table: Table, one: Row) -> Facts:
    """The parts of a sheet from a row of a file; additional attributes are 4."""
    ranks = dict(zip(FOUR, one["attributes"], strict=True))
    texts = ("possessions", "about", "money", "shield", "hide")
    return {
        "attributes": {key: ranks.get(key, 4) for key in attribute_names(table)},
        **{
            part: [_line_of(part, *each) for each in enumerate(one.get(part, ()), 1)]
            for part in _LINES
        },
        **{key: one[key] for key in texts if key in one},
    }


# ---------------------------------------------------------------- presets

_BLANK = "blank"


def preset_sheet(table: Table, key: str) -> Facts:
    """The sheet of a preset, or an average person without skills."""
    built = row(table, "presets", key) or {"attributes": [4] * len(FOUR), "kind": NPC}
    sheet, size = blank(table, built["kind"]) | _built(table, built), whole(built.get("size"))
    if size:
        sheet["traits"] = [line("traits", "t1", name="Physical Size", kind="size", rank=size)]
    return sheet


# ---------------------------------------------------------------- new characters


def preset(at: Here) -> Row:
    """The chosen preset, or {}."""
    return row(at.table, "presets", BringForm.preset.given(at)) or {}


def presets(at: Here) -> Iterator[tuple[str, str, str]]:
    """All presets, with attributes and skills in a line."""
    yield _BLANK, "Nobody: an average person without skills", ""
    for one in rows(at.table, "presets"):
        ranks = zip(FOUR, one["attributes"], strict=True)
        told = ", ".join(f"{attribute_name(at.table, key)} {rank}" for key, rank in ranks)
        best = [skill_name(at.table, _skill_of(words)[0]) for words in one["skills"]]
        yield one["key"], str(one["name"]), f"{told}; {', '.join(best)}"


class BringForm(Form):
    name = text()
    preset = pick(choices=presets)
    count = number()
    named = tick(default=lambda at: preset(at).get("kind") != UNNAMED)
    line = text(default=lambda at: str(preset(at).get("line") or ""))
    hidden = tick()
    open = tick()


@toaster.move("npc")
def bring(at: At[BringForm]) -> None:
    form = at.form
    sheet = preset_sheet(at.table, form.preset) | {"named": form.named}
    kind = CREATURE if sheet["supernatural"] else NPC if form.named else UNNAMED
    state: Facts = {"stun": 0, "wounds": [], "condition": "awake", "xp": 0, "used": []}
    found = preset(at)
    at.say(f"Built like: {found['name']}." if found else "", GM)
    words = "" if form.named else "Nobody has heard their names."
    bring_in(at, kind, sheet, state, words, () if form.named else ("toaster.4.unnamed-out",))


# ---------------------------------------------------------------- samples, archetypes


def sample_sheet(key: str) -> Facts:
    """The sheet of a sample character from the table `samples`.

    toaster.2.samples. Every printed number of Rhoenda follows from her sheet. Father Mallory's
    Brawl is printed as 6, but no attribute except Aura leads to that number; his sheet has 4 by the
    rules, with the printed number in a note.
    """
    sample: Any = row(UNCHANGED, "samples", key)
    return blank(UNCHANGED, PC) | _built(UNCHANGED, sample)


def archetypes() -> tuple[Archetype, ...]:
    """The ready characters to begin from."""
    return tuple(
        Archetype(one["key"], one["title"], PC, _built(UNCHANGED, one))
        for one in BOOK.tables["ready"]
    )


def _person(one: Any) -> Entity:
    """A sample character owned by a player, or an NPC from a preset."""
    if "sample" in one:
        kind, owner, sheet = PC, one["owner"], sample_sheet(one["sample"])
    else:
        found: Any = row(UNCHANGED, "presets", one["preset"])
        kind, owner, sheet = found["kind"], GM, preset_sheet(UNCHANGED, one["preset"])
    return Entity(
        one["key"], one["name"], kind, owner, sheet, {}, open=kind == PC, line=one["line"]
    )


def example() -> Example:
    """The example campaign: two sample characters, a captain and two thugs."""
    about = BOOK.tables["campaign"]
    people = tuple(map(_person, BOOK.tables["person"]))
    return Example(about["title"], tuple(about["players"]), people, about["notes"])
