"""The table's list of skills: what they are called, which are groups, and who belongs there."""

from __future__ import annotations

from kitchentable.rules import Json, Table
from kitchentable.rulesets.toaster.book import Row, Words, row, rows
from kitchentable.rulesets.toaster.options import Options

LANGUAGE = "language"


def skill_list(table: Table) -> tuple[Row, ...]:
    """The skills of this table (toaster.2.skills-list, toaster.2.skills-campaign-list).

    Reading and writing are a group of their own where few people read
    (toaster.2.skill-language-literacy, A-08).
    """
    return tuple(one for one in rows(table, "skills") if _is_played(table, one))


def _is_played(table: Table, skill: Row) -> bool:
    needed = skill.get("only_with")
    return not needed or bool(Options(table.options)[needed])


def key_of(skill: Json, of: Json = "") -> str:
    """The key of a skill, or of one member of a group, which is a skill of its own.

    toaster.2.skills-groups, toaster.2.skill-language-separate.

    >>> key_of("ride"), key_of("language", "Latin")
    ('ride', 'language:Latin')
    """
    return f"{skill}:{of}" if of else str(skill)


def listed_skill(table: Table, key: str) -> Row | None:
    """The row of the table's list that a skill or a member of a group belongs to."""
    found = row(table, "skills", key.partition(":")[0])
    return found if found is not None and _is_played(table, found) else None


def skill_name(table: Table, key: str) -> str:
    """What a skill is called: "Ride", "Language: Latin"; the key itself for one nobody listed."""
    skill, _, of = key.partition(":")
    found = listed_skill(table, skill)
    name = str((found.get("short") or found["name"]) if found else skill)
    return f"{name}: {of}" if of else name


def names_of(table: Table, key: str) -> Words:
    """Everything that a skill is called: its key, its name, and the name of its group.

    >>> names_of(Table(options={}), "language:Latin")
    ('language:Latin', 'Language: Latin', 'Language')
    """
    found = listed_skill(table, key)
    group = (str(found.get("short") or found["name"]),) if found else ()
    return tuple(dict.fromkeys((key, skill_name(table, key), *group)))


def skill_key(table: Table, words: str) -> str:
    """The key of a skill by what people write: "ride", "Language: latin", "weapon: Sword".

    "" for a skill that is not on this table's list (toaster.2.skills-campaign-list).
    """
    group, colon, of = (part.strip() for part in words.partition(":"))
    wanted = group.casefold()
    for one in skill_list(table):
        if wanted and wanted in {
            one["key"],
            one["name"].casefold(),
            str(one.get("short", "")).casefold(),
        }:
            if colon and one["group"] and of:
                return key_of(one["key"], _as_listed(table, one["key"], of))
            return "" if colon or one["group"] else str(one["key"])
    return ""


def _as_listed(table: Table, skill: str, of: str) -> str:
    for one in members(table, skill):
        if one.casefold() == of.casefold():
            return one
    return of


def members(table: Table, skill: str) -> Words:
    """The members of a group that the table offers (toaster.2.skills-groups-setting)."""
    return tuple(one["name"] for one in rows(table, "members") if one["skill"] == skill)


def is_on_list(table: Table, key: str) -> bool:
    """Whether characters may buy this skill at this table (toaster.2.skills-campaign-list).

    A group's members are free to name, as narrow or as broad as you like
    (toaster.2.skills-breadth); but where the table has listed them, as with weapons, only those
    are there.
    """
    skill, _, of = key.partition(":")
    found = listed_skill(table, skill)
    if found is None or bool(found["group"]) != bool(of):
        return False
    return found.get("members") != "listed" or of in members(table, skill)


def fluency(rank: int) -> str:
    """How well somebody speaks at a rank in a language (toaster.2.skill-language-rank-4).

    >>> fluency(3), fluency(4), fluency(6)
    ('a limited speaker', 'as fluent as an educated native', 'at home in its finest points')
    """
    if rank < 4:
        return "a limited speaker" if rank > 0 else "hardly a word"
    return "as fluent as an educated native" if rank == 4 else "at home in its finest points"
