"""Skill packages and careers: several skills that one trait raises together."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.rules import Entity, Table
from kitchentable.rulesets.toaster.book import Words
from kitchentable.rulesets.toaster.character.listing import skill_key
from kitchentable.rulesets.toaster.character.people import ACCEPTED, verdict
from kitchentable.rulesets.toaster.character.traits import PACKAGE, Trait, traits
from kitchentable.rulesets.toaster.tables import find

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
