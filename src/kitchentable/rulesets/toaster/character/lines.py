"""A blank sheet, and the lines of its lists as the builder writes them."""

from __future__ import annotations

from kitchentable.rules import Json, Table
from kitchentable.rulesets.toaster.book import Facts
from kitchentable.rulesets.toaster.character.attributes import attributes
from kitchentable.rulesets.toaster.options import Options

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
