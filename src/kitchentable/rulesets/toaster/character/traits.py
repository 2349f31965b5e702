"""Traits as they stand on a sheet, and what they do to attributes, skills and points."""

from __future__ import annotations

from dataclasses import dataclass

from kitchentable.rules import (
    Entity,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Parts, Words, find, row, rows, word_for
from kitchentable.rulesets.toaster.character.people import lines_of

#: Kinds of trait that the rules work with; what they are called stands in `trait_kinds`.
ATTRIBUTES, EXPERIENCE, SIZE, PACKAGE = "attributes", "experience", "size", "package"
DISABILITY, CUSTOM, STANDING, SENSES = "disability", "custom", "standing", "senses"

#: Ranks that a whole attribute costs for each step (toaster.2.trait-attribute-whole).
RANKS_PER_ATTRIBUTE = 2


@dataclass(frozen=True, slots=True)
class Trait:
    """A line among somebody's traits (toaster.2.traits-definition).

    `of` says what it is about, where its kind needs that: an attribute or a part of one, the
    skills of a package, the skill that a disability hampers. `modifier` is what it adds to that
    skill; `fails` marks what cannot be attempted at all. `lost` is the attribute that it changed
    until that left the table's list. `place` is where it stands on the sheet.
    """

    id: str
    name: str
    kind: str
    rank: int
    of: str = ""
    note: str = ""
    modifier: int = 0
    fails: bool = False
    lost: str = ""
    place: int = 0


def traits(entity: Entity) -> tuple[Trait, ...]:
    """Everything under "Traits" on the sheet, in order."""
    return tuple(
        Trait(
            str(one.get("id") or f"t{place + 1}"),
            str(one.get("name") or ""),
            str(one.get("kind") or CUSTOM),
            whole(one.get("rank")),
            str(one.get("of") or ""),
            str(one.get("note") or ""),
            whole(one.get("modifier")),
            bool(one.get("fails")),
            str(one.get("lost") or ""),
            place,
        )
        for place, one in lines_of(entity, "traits")
    )


def rank_word(table: Table, rank: int) -> str:
    """The word for a rank: Mild, Severe, Critical (toaster.2.trait-rank-words).

    >>> rank_word(Table(options={}), -3), rank_word(Table(options={}), 0)
    ('Severe', 'Superficial')
    """
    return word_for(table, "trait_words", abs(rank), low="rank")


def suggested_rank(table: Table, severity: str, frequency: str) -> int:
    """What the guide proposes for how drastic and how frequent a trait is.

    toaster.2.trait-ranking-table; the agreed rank wins (toaster.2.trait-ranking-guideline).

    >>> suggested_rank(Table(options={}), "moderate", "common")
    3
    """
    found = row(table, "severity", severity)
    return whole(found[frequency]) if found else 0


def attribute_change(table: Table, entity: Entity, key: str) -> int:
    """By how much traits change a whole attribute: 1 for every two ranks, toward zero.

    toaster.2.trait-attribute-whole, toaster.2.trait-attribute-timing.
    """
    return sum(
        int(one.rank / RANKS_PER_ATTRIBUTE)
        for one in traits(entity)
        if one.kind == ATTRIBUTES and _is(table, "attributes", one.of, key)
    )


def aspect_change(table: Table, entity: Entity, aspect: str) -> int:
    """By how much traits change one part of an attribute, such as strength: 1 for each rank.

    toaster.2.trait-attribute-sub.
    """
    return sum(
        one.rank
        for one in traits(entity)
        if one.kind == ATTRIBUTES and _is(table, "aspects", one.of, aspect)
    )


def _is(table: Table, name: str, words: str, key: str) -> bool:
    if words == key:
        return True
    found = find(table, name, words)
    return found is not None and found["key"] == key


def size(entity: Entity) -> int:
    """Physical size: the sum of the ranks of such traits, 0 for an average person."""
    return sum(one.rank for one in traits(entity) if one.kind == SIZE)


def trait_sum(entity: Entity) -> int:
    """All ranks, positive and negative, added up (toaster.2.trait-neutral)."""
    return sum(one.rank for one in traits(entity))


def experience_points(table: Table, entity: Entity) -> int:
    """Skill points that experience traits bring: 5 for each rank (toaster.2.trait-experience)."""
    return 5 * sum(one.rank for one in traits(entity) if one.kind == EXPERIENCE)


def reasons(entity: Entity) -> Words:
    """Traits that a GM may weigh in a roll, by name, as reasons for a modifier of either sign.

    Standing that opens doors in one place closes them in another (toaster.2.trait-social,
    toaster.2.trait-social-circumstance); friends, duties, senses, fears and habits count when the
    scene calls for them (toaster.2.trait-connections, toaster.2.trait-senses,
    toaster.2.trait-personality, toaster.2.trait-addiction).
    """
    weighed = {"addiction", "connections", "obligations", "personality", "custom"}
    weighed |= {DISABILITY, SENSES, STANDING}
    return tuple(f"{one.name} {one.rank:+}" for one in traits(entity) if one.kind in weighed)


def trait_word(table: Table, trait: Trait) -> str:
    """A trait's rank in words: those of its own table for a size and a standing, else `rank_word`.

    Between and beyond the rows of a table the row next to it on the side of 0 holds
    (toaster.2.trait-size-descriptors, toaster.2.trait-social-table).

    >>> here = Table(options={})
    >>> trait_word(here, Trait("t", "Short", SIZE, -3))
    'small: the lower quarter'
    >>> trait_word(here, Trait("t", "Lord", STANDING, 5))
    'Royalty, or Fortune 500'
    """
    name = {SIZE: "sizes", STANDING: "standing"}.get(trait.kind)
    if name is None:
        return rank_word(table, trait.rank)
    near = [
        one
        for one in rows(table, name)
        if abs(one["rank"]) <= abs(trait.rank) and one["rank"] * trait.rank >= 0
    ]
    if not near:
        return rank_word(table, trait.rank)
    found = max(near, key=lambda one: abs(one["rank"]))
    return str(found.get("words") or f"{found['traditional']}, or {found['modern']}")


def handicaps(entity: Entity, names: Words) -> Parts:
    """What disabilities add to a skill known under these names (toaster.2.trait-disability).

    They hold for part of what a skill does, hearing but not seeing; the GM says when.
    """
    return tuple(
        Part(one.name, one.modifier)
        for one in traits(entity)
        if one.kind == DISABILITY and one.modifier and _names(one.of, names)
    )


def impossible(entity: Entity, names: Words) -> str:
    """The disability that rules a use of this skill out altogether, by its name; "" for none."""
    for one in traits(entity):
        if one.kind == DISABILITY and one.fails and _names(one.of, names):
            return one.name
    return ""


def _names(of: Json, names: Words) -> bool:
    return str(of).strip().casefold() in {name.casefold() for name in names}
