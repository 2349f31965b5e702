"""Skills and the packages that raise several: how base and attribute make a rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kitchentable.rules import (
    Entity,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Record, Row, Words, find, rows, word_for
from kitchentable.rulesets.toaster.character.attributes import attribute, attributes, average
from kitchentable.rulesets.toaster.character.listing import (
    key_of,
    listed_skill,
    skill_key,
    skill_name,
)
from kitchentable.rulesets.toaster.character.people import (
    ACCEPTED,
    PROPOSED,
    REFUSED,
    lines_of,
    speciality_key,
    verdict,
)
from kitchentable.rulesets.toaster.character.traits import CUSTOM, PACKAGE, Trait, traits
from kitchentable.rulesets.toaster.options import Options

#: A package holds this many skills, no fewer and no more (toaster.2.trait-package-size).
FEWEST, MOST = 4, 6


def package_words(table: Table, trait: Trait) -> Words:
    """The skills that a package names, as they were written; a career stands for its skills.

    "Thief, Weapon: Knife" is the career with the weapon that its player picked
    (toaster.2.trait-careers).
    """
    found: list[str] = []
    for part in (one.strip() for one in trait.of.split(",")):
        career = find(table, "careers", part)
        if career is not None:
            found += [one for one in career["skills"] if not one.endswith(":*")]
        elif part:
            found.append(part)
    return tuple(dict.fromkeys(found))


def package_keys(table: Table, trait: Trait) -> Words:
    """The keys of the skills in a package; "" stands where a name is no skill of this table."""
    return tuple(skill_key(table, words) for words in package_words(table, trait))


def packaged(table: Table, entity: Entity) -> Mapping[str, tuple[tuple[int, bool], ...]]:
    """What packages add to which base, and whether the GM lets it go above 10.

    toaster.2.trait-package.
    """
    found: dict[str, tuple[tuple[int, bool], ...]] = {}
    for trait in traits(entity):
        if trait.kind == PACKAGE:
            free = verdict(entity, f"package:{trait.name}") == ACCEPTED
            for key in package_keys(table, trait):
                found[key] = (*found.get(key, ()), (trait.rank, free))
    return found


#: No base is above this without the GM's leave (toaster.2.skill-base-range).
HIGHEST_BASE = 10
#: What the native language starts at, for nothing (toaster.2.skill-language-native).
NATIVE_BASE = 4


@dataclass(frozen=True, slots=True)
class Speciality:
    """A narrow part of a skill in which somebody is better, and by how much."""

    name: str
    bonus: int = 1


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of somebody: its key ("ride", "language:Latin"), base, and rank for an attribute.

    `ranks` has every attribute with its rank where the table lets a skill have several
    (toaster.2.skill-several-ranks); the first is `attribute` and `rank`. `place` is its line on
    the sheet, -1 for a skill that only a package gives.
    """

    key: str
    name: str
    attribute: str
    base: int
    rank: int
    ranks: tuple[tuple[str, int], ...] = ()
    specialties: tuple[Speciality, ...] = ()
    native: bool = False
    place: int = -1

    @property
    def trained(self) -> bool:
        """Whether there is any training at all: a base of 1 or more (A-05)."""
        return self.base > 0


# ---------------------------------------------------------------- somebody's skills


def skills(table: Table, entity: Entity) -> tuple[Skill, ...]:
    """What somebody has learned, line by line; skills that only a package gives come after."""
    found = [_skill(table, entity, place, line) for place, line in lines(entity)]
    keys = {one.key for one in found}
    given = [key for key in packaged(table, entity) if key and key not in keys]
    return (*found, *(_skill(table, entity, -1, _line_for(key)) for key in given))


def find_skill(table: Table, entity: Entity, key: str) -> Skill:
    """One skill of somebody, at base 0 where it was never learned (toaster.2.skill-base-range)."""
    for place, line in lines(entity):
        if key_of(line.get("skill"), line.get("of")).casefold() == key.casefold():
            return _skill(table, entity, place, line)
    return _skill(table, entity, -1, _line_for(key))


def skill_base(table: Table, entity: Entity, key: str) -> int:
    """The base of a skill, packages included; 0 for one that was never learned."""
    return find_skill(table, entity, key).base


def skill_rank(
    table: Table, entity: Entity, key: str, attribute: str = "", specialty: str = ""
) -> int:
    """The rank of a skill: base and attribute averaged (toaster.2.skill-rank-average).

    With `attribute` another than the agreed one is used; with `specialty` its bonus is added
    (toaster.2.specialty-plus-1).
    """
    found = find_skill(table, entity, key)
    rank = found.rank
    if attribute and attribute != found.attribute:
        rank = _rank(table, entity, found.key, found.base, attribute)
    bonus = [one.bonus for one in found.specialties if one.name.casefold() == specialty.casefold()]
    return rank + (bonus[0] if specialty and bonus else 0)


def untrained_ranks(table: Table, entity: Entity, keys: Iterable[str]) -> dict[str, int]:
    """The ranks of skills that were never learned, all at once, as a list of them needs it.

    Half the attribute, worked out once for each attribute; one by one only where a trait or a part
    of an attribute has a say in a skill.
    """
    said = {one.of.strip().casefold() for one in traits(entity) if one.kind == CUSTOM}
    linked = {key for one in rows(table, "aspects") for key in one.get("skills", ())}
    halves: dict[str, int] = {}
    ranks: dict[str, int] = {}
    for key in keys:
        first = _attributes_for(table, key, {})[:1]
        if key in linked or said & {key.casefold(), skill_name(table, key).casefold()} or not first:
            ranks[key] = skill_rank(table, entity, key)
            continue
        if first[0] not in halves:
            halves[first[0]] = average(0, attribute(table, entity, first[0]))
        ranks[key] = halves[first[0]]
    return ranks


def bought_base(line: Record) -> int:
    """The base that stands on the sheet, packages not counted."""
    return whole(line.get("base"))


def lines(entity: Entity) -> tuple[tuple[int, Record], ...]:
    """The lines under "Skills" on a sheet, with their places."""
    return lines_of(entity, "skills")


def _line_for(key: str) -> Row:
    skill, _, of = key.partition(":")
    return {"skill": skill, "of": of}


def _skill(table: Table, entity: Entity, place: int, line: Record) -> Skill:
    key = key_of(line.get("skill"), line.get("of"))
    base = _base(table, entity, key, bought_base(line))
    fitting = _attributes_for(table, key, line)
    ranks = tuple((one, _rank(table, entity, key, base, one)) for one in fitting)
    first, rank = ranks[0] if ranks else ("", 0)
    return Skill(
        key,
        skill_name(table, key),
        first,
        base,
        rank,
        ranks if Options(table.options).skill_several_ranks else ranks[:1],
        specialties(table, entity, line),
        bool(line.get("native")),
        place,
    )


def _base(table: Table, entity: Entity, key: str, bought: int) -> int:
    """What was bought, and what packages add; together above 10 only with the GM's leave.

    toaster.2.trait-package, toaster.2.trait-package-cap (A-04).
    """
    total = bought
    for added, unlimited in packaged(table, entity).get(key, ()):
        total = total + added if unlimited else min(total + added, max(HIGHEST_BASE, total))
    return total


def _attributes_for(table: Table, key: str, line: Record) -> Words:
    """The attributes a skill leans on: those agreed for this character, else the list's first.

    toaster.2.skill-attribute-choice, toaster.2.skill-single-attribute.
    """
    there = {one["key"] for one in attributes(table)}
    agreed = [line.get("attribute"), line.get("attribute2"), line.get("attribute3")]
    chosen = [str(one) for one in agreed if one in there]
    if not chosen:
        found = listed_skill(table, key)
        chosen = [str(one) for one in (found["attributes"] if found else ()) if one in there][:1]
    return tuple(dict.fromkeys(chosen))


def _rank(table: Table, entity: Entity, key: str, base: int, of: str) -> int:
    """Base and attribute averaged, and what traits add to the rank itself.

    toaster.2.skill-rank-average, toaster.2.skill-rank-traits.
    """
    name = skill_name(table, key).casefold()
    added = sum(
        one.modifier
        for one in traits(entity)
        if one.kind == CUSTOM and one.of.strip().casefold() in {key.casefold(), name}
    )
    return average(base, attribute(table, entity, of, *_aspects(table, key, of))) + added


def _aspects(table: Table, key: str, of: str) -> Words:
    """Parts of the attribute that the GM has linked to this skill; none unless said (A-14)."""
    return tuple(
        str(one["key"])
        for one in rows(table, "aspects")
        if one["attribute"] == of and key in one.get("skills", ())
    )


# ---------------------------------------------------------------- specialties


def specialties(table: Table, entity: Entity, line: Record) -> tuple[Speciality, ...]:
    """The specialties of a line that count: the switch is on and the GM has not refused.

    toaster.2.specialty-switch, toaster.2.specialty-rank-8-second.
    """
    if not Options(table.options).specialization:
        return ()
    bonus = 2 if line.get("doubled") else 1
    first, second = str(line.get("specialty") or ""), str(line.get("specialty2") or "")
    key = key_of(line.get("skill"), line.get("of"))
    found = [Speciality(first, bonus), Speciality(second)]
    return tuple(
        one for one in found if one.name and specialty_verdict(entity, key, one.name) != REFUSED
    )


def specialty_verdict(entity: Entity, key: str, name: str) -> str:
    """What the GM has said of a specialty: "accepted", "refused", or "proposed" for nothing yet.

    What stands on the sheet of somebody in play was accepted with it
    (toaster.2.specialty-gm-approval).
    """
    said = verdict(entity, speciality_key(key, name))
    if said != PROPOSED:
        return said
    return ACCEPTED if entity.stage == "play" or not entity.is_players else PROPOSED


def skill_words(table: Table, rank: int) -> str:
    """The word for a rank on the table's scale; "" where it uses none.

    toaster.2.skill-rank-descriptors, toaster.2.skill-rank-descriptors-gm.

    >>> skill_words(Table(options={"rank_words": "trade"}), 8)
    'Adept'
    """
    scale = Options(table.options).rank_words
    return "" if scale == "none" else word_for(table, "rank_words", max(rank, 0), scale)


def names(line: Record) -> Words:
    """The specialties that stand on a line of the skills."""
    both = (str(line.get("specialty") or "").strip(), str(line.get("specialty2") or "").strip())
    return tuple(one for one in both if one)


def areas(line: Record) -> Words:
    """The areas that a skill falls into, as they were written, each once."""
    parts = str(line.get("areas") or "").replace("\n", ",").split(",")
    return tuple({one.strip().casefold(): one.strip() for one in parts if one.strip()}.values())
