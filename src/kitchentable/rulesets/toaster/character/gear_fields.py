"""Possessions in the builder and in play: weapons, armour, shield, and everything else."""

from __future__ import annotations

from kitchentable.rules import Choice, Entity, Field, Section, Table
from kitchentable.rulesets.toaster.character.derived import armour_class, weapon_class
from kitchentable.rulesets.toaster.character.gear import BARE, armour, weapons
from kitchentable.rulesets.toaster.character.listing import key_of, members, skill_name
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import rows

_WEAPON = "weapon-skill"
_OWN = Choice("", "A thing of its own")


def gear_fields(table: Table) -> tuple[Field, ...]:
    """Everything that somebody carries, as fields of a form."""
    shields = tuple(
        Choice(one["key"], f"{one['name']} (+{one['bonus']})") for one in rows(table, "shield")
    )
    return (
        Field(
            "weapons",
            "Weapons",
            "rows",
            default=[],
            required=False,
            columns=_weapon_columns(table),
            rule="toaster.2.skill-weapon-groups",
        ),
        Field(
            "armour",
            "Armour",
            "rows",
            default=[],
            required=False,
            columns=_armour_columns(table),
            rule="toaster.4.ac-formula",
        ),
        Field("shield", "Shield", "choice", (Choice("", "None"), *shields), "", required=False),
        Field(
            "possessions",
            "Everything else",
            "story",
            default="",
            required=False,
            longest=8000,
            rule="toaster.2.creation-possessions",
        ),
        Field("money", "Money", default="", required=False, longest=200),
    )


def gear_sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """Possessions, with what weapons and armour come to in these hands; and the body itself."""
    money = setting(table.options, "starting_money")
    notes = {
        f"weapons.{place}": f"WC {weapon_class(table, entity, one)}"
        + (f", {skill_name(table, one.skill)}." if one.skill else ".")
        for place, one in enumerate(weapons(table, entity)[: -len(BARE)])
    }
    worn = [one.name for one in armour(table, entity) if one.worn]
    body = (
        Field(
            "hide",
            "Thick hide, scales or shell: its AC",
            "number",
            default=0,
            required=False,
            low=0,
            high=99,
            rule="toaster.4.ac-innate",
        ),
        Field(
            "supernatural",
            "Not human, or with supernatural power",
            "tick",
            default=False,
            required=False,
            help="Opens sizes beyond -5 and +5.",
            rule="toaster.2.trait-size-human-limit",
        ),
        Field("height", "Height", default="", required=False, longest=80),
        Field("weight", "Weight", default="", required=False, longest=80),
        *_body_field(table),
    )
    return (
        Section(
            "gear",
            "Possessions",
            gear_fields(table),
            f"To begin with: {money}." if money else "What somebody like you would have.",
            "toaster.2.creation-possessions",
            row_notes=notes,
        ),
        Section(
            "body",
            "Body",
            body,
            f"AC {armour_class(table, entity)}{' with ' + ', '.join(worn) if worn else ''}.",
            "toaster.2.trait-size-measure",
            in_summary=not any(entity.sheet.get(field.name) for field in body),
        ),
    )


def _body_field(table: Table) -> tuple[Field, ...]:
    """Whose table of hit locations fits, where this campaign has more than one."""
    kinds = list(dict.fromkeys(str(one.get("body") or "") for one in rows(table, "locations")))
    if len(kinds) < 2:
        return ()
    return (
        Field(
            "body",
            "Hits land as on a",
            "choice",
            tuple(Choice(one, one) for one in kinds),
            default=kinds[0],
            required=False,
            help="Bodies are kinds of lines in the table of hit locations.",
            rule="toaster.4.hitloc-humanoid",
        ),
    )


def _weapon_columns(table: Table) -> tuple[Field, ...]:
    kinds = tuple(
        Choice(one["key"], str(one["name"]), f"WC {one['wc']}")
        for name in ("weapon", "missile")
        for one in rows(table, name)
        if one["key"] not in BARE
    )
    skills = tuple(
        Choice(key, skill_name(table, key))
        for key in (
            "throw",
            "brawl",
            "martial-arts",
            *(key_of(_WEAPON, one) for one in members(table, _WEAPON)),
        )
    )
    columns = [
        Field("id", "Key", required=False, default="", longest=60),
        Field("like", "Kind", "choice", (_OWN, *kinds), default="", required=False),
        Field("name", "Name", required=False, default="", longest=120),
        Field(
            "skill",
            "Skill",
            "choice",
            skills,
            default="",
            required=False,
            help="None: that of its kind.",
            rule="toaster.2.skill-weapon-groups",
        ),
        _number("wc", "WC, if not as its kind's", 0),
        _number("strength", "Strength it asks for", 0),
        _number("modifier", "Adds to rolls with it", -20),
        _number("scope", "Scope: range penalty it takes away", 0),
        _number("piercing", "Armour piercing: off the protection", 0),
        _number("grip_wc", "WC in its other grip", 0),
    ]
    if setting(table.options, "weapon_length"):
        columns.append(_number("length", "Length", 0))
    columns += [
        Field(name, label, "tick", default=False, required=False)
        for name, label in (
            ("muscle", "Driven by muscle"),
            ("ranged", "Strikes from afar"),
            ("thrown", "Is thrown"),
            ("unarmed", "Counts as unarmed"),
            ("throwable", "Can be thrown too"),
            ("blast", "Hits whatever is near"),
        )
    ]
    return tuple(columns)


def _armour_columns(table: Table) -> tuple[Field, ...]:
    kinds = tuple(
        Choice(one["key"], str(one["name"]), f"AC {one['ac']}") for one in rows(table, "armour")
    )
    columns = [
        Field("id", "Key", required=False, default="", longest=60),
        Field("like", "Kind", "choice", (_OWN, *kinds), default="", required=False),
        Field("name", "Name", required=False, default="", longest=120),
        _number("ac", "AC, if not as its kind's", 0),
        Field("stowed", "Not worn now", "tick", default=False, required=False),
    ]
    if setting(table.options, "partial_armor"):
        columns.append(
            Field(
                "areas",
                "Covers these areas only",
                required=False,
                default="",
                longest=400,
                help=", ".join(_areas(table)),
                rule="toaster.4.partial-ac",
            )
        )
    return tuple(columns)


def _areas(table: Table) -> tuple[str, ...]:
    """The areas of the table of hit locations, each once."""
    return tuple(dict.fromkeys(str(one["area"]) for one in rows(table, "locations")))


def _number(name: str, label: str, low: int) -> Field:
    return Field(name, label, "number", required=False, low=low, high=99)
