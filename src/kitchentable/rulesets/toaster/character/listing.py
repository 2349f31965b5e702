"""The table's list of skills: names, groups, members, packages, and prices."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from kitchentable.rules import Json, Table
from kitchentable.rulesets.toaster.book import Row, Words, find, row, rows, word_for
from kitchentable.rulesets.toaster.options import Options

LANGUAGE, MARTIAL_ARTS = "language", "martial-arts"


def played(table: Table, name: str) -> tuple[Row, ...]:
    """The "skills" of this table, or the listed "members" of groups, by its options.

    toaster.2.skills-list, toaster.2.skills-campaign-list. Literacy is a separate group if few
    people can read (toaster.2.skill-language-literacy, A-08). Disguises are an art, unless they
    belong to Act (toaster.2.skill-act-disguise).
    """
    return tuple(one for one in rows(table, name) if _is_played(table, one))


def _is_played(table: Table, one: Row) -> bool:
    """Whether the option that a skill or member needs is on, or the one that replaces it off."""
    needed, instead = one.get("only_with"), one.get("only_without")
    options = Options(table.options)
    return bool(not needed or options[needed]) and not (instead and options[instead])


def key_of(skill: Json, of: Json = "") -> str:
    """The key of a skill or a member of a group; members are separate skills.

    toaster.2.skills-groups, toaster.2.skill-language-separate.

    >>> key_of("ride"), key_of("language", "Latin")
    ('ride', 'language:Latin')
    """
    return f"{skill}:{of}" if of else str(skill)


def listed_skill(table: Table, key: str) -> Row | None:
    """The list's row for a skill or a member of a group."""
    found = row(table, "skills", key.partition(":")[0])
    return found if found is not None and _is_played(table, found) else None


def skill_name(table: Table, key: str) -> str:
    """The name of a skill: "Ride", "Language: Latin"; its key if not on the list."""
    skill, _, of = key.partition(":")
    found = listed_skill(table, skill)
    name = str((found.get("short") or found["name"]) if found else skill)
    return f"{name}: {of}" if of else name


def names_of(table: Table, key: str) -> Words:
    """All names of a skill: its key, its name, and its group's name.

    >>> names_of(Table(options={}), "language:Latin")
    ('language:Latin', 'Language: Latin', 'Language')
    """
    found = listed_skill(table, key)
    group = (str(found.get("short") or found["name"]),) if found else ()
    return tuple(dict.fromkeys((key, skill_name(table, key), *group)))


def skill_key(table: Table, words: str) -> str:
    """The key of a skill from its typed name: "ride", "Language: latin", "weapon: Sword".

    "" for a skill that is not on this table's list (toaster.2.skills-campaign-list).
    """
    group, colon, of = (part.strip() for part in words.partition(":"))
    wanted = group.casefold()
    for one in played(table, "skills"):
        if wanted and wanted in {
            one["key"],
            one["name"].casefold(),
            str(one.get("short", "")).casefold(),
        }:
            if colon and one["group"] and of:
                listed = (
                    each for each in members(table, one["key"]) if each.casefold() == of.casefold()
                )
                return key_of(one["key"], next(listed, of))
            return "" if colon or one["group"] else str(one["key"])
    return ""


def members(table: Table, skill: str) -> Words:
    """The members of a group that the table offers (toaster.2.skills-groups-setting)."""
    return tuple(one["name"] for one in played(table, "members") if one["skill"] == skill)


def is_on_list(table: Table, key: str) -> bool:
    """Whether characters may buy this skill at this table (toaster.2.skills-campaign-list).

    Players may name members of a group freely (toaster.2.skills-breadth). If the table lists them,
    as for weapons, only listed members exist.
    """
    skill, _, of = key.partition(":")
    found = listed_skill(table, skill)
    if found is None or bool(found["group"]) != bool(of):
        return False
    return found.get("members") != "listed" or of in members(table, skill)


def fluency(rank: int) -> str:
    """The fluency at a rank in a language (toaster.2.skill-language-rank-4).

    >>> fluency(3), fluency(4), fluency(6)
    ('a limited speaker', 'as fluent as an educated native', 'at home in its finest points')
    """
    if rank < 4:
        return "a limited speaker" if rank > 0 else "hardly a word"
    return "as fluent as an educated native" if rank == 4 else "at home in its finest points"


def skill_words(table: Table, rank: int) -> str:
    """The word for a rank on the table's scale, or "" without a scale.

    toaster.2.skill-rank-descriptors, toaster.2.skill-rank-descriptors-gm.

    >>> skill_words(Table(options={"rank_words": "trade"}), 8)
    'Adept'
    """
    scale = Options(table.options).rank_words
    return "" if scale == "none" else word_for(table, "rank_words", max(rank, 0), scale)


def package_skills(table: Table, of: str) -> dict[str, str]:
    """The skills of a package as written, each with its key.

    A career includes its skills: "Thief, Weapon: Knife" is the career with the weapon chosen by its
    player (toaster.2.trait-careers). Names that are no skills here have the key "".
    """
    found: dict[str, None] = {}
    for part in filter(None, (one.strip() for one in of.split(","))):
        career = find(table, "careers", part)
        found |= dict.fromkeys(career_skills(career) if career else [part])
    return {words: skill_key(table, words) for words in found}


def career_skills(career: Row) -> list[str]:
    """The keys of a career's skills, without groups that leave a choice."""
    return [one for one in career["skills"] if not one.endswith(":*")]


# ---------------------------------------------------------------- what a skill costs


def price(table: Table, key: str) -> Fraction:
    """The cost of one step of a skill's base: 1, unless prices differ by option.

    toaster.2.skillcost-default, toaster.2.skillcost-switch, toaster.2.skillcost-table. Martial Arts
    always have their own factor (toaster.2.skill-martial-cost, A-09); a custom price may exceed the
    ladder (toaster.2.skillcost-exotic). A step removed from the ladder counts as 1.

    >>> price(Table(options={}), "ride"), price(Table(options={}), "martial-arts")
    (Fraction(1, 1), Fraction(3, 2))
    """
    options, factor = Options(table.options), Fraction(1)
    if key == MARTIAL_ARTS:
        factor, key = Fraction(options.martial_arts_price), "brawl"
    if not options.variable_skill_cost:
        return factor
    known = (
        *(
            one
            for one in rows(table, "members")
            if key_of(one["skill"], one["name"]).casefold() == key.casefold()
        ),
        listed_skill(table, key) or {},
    )
    said = next((one["price"] for one in known if one.get("price")), "average")
    step = find(table, "costs", said)
    with suppress(ValueError, ZeroDivisionError):
        factor *= Fraction(str(step["price"] if step else said))
    return factor


def cost_of_steps(table: Table, key: str, first: int, last: int) -> Fraction:
    """The cost of raising a base from one number to another (toaster.2.skillcost-compute).

    Only whole steps; the remainder is kept (toaster.2.skillcost-halves, A-07).

    >>> cost_of_steps(Table(options={}), "climb", 5, 8)
    Fraction(3, 1)
    """
    return (last - first) * price(table, key)


def in_points(points: Fraction | int) -> str:
    """Points in words, with halves as decimals.

    >>> in_points(Fraction(9, 2)), in_points(Fraction(4))
    ('4.5', '4')
    """
    return str(as_number(points))


def as_number(points: Fraction | int) -> float:
    """Points as stored and shown: a whole number, or one with decimals.

    >>> as_number(Fraction(9, 2)), as_number(Fraction(4))
    (4.5, 4)
    """
    return int(points) if points.denominator == 1 else float(points)
