"""The sheet of a character, and its traits, which change attributes, skills and points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, TypeVar

from kitchentable.rules import Json, Part, Table, whole
from kitchentable.rules.facts import part_of
from kitchentable.rules.kit import Being, Problems
from kitchentable.rules.kit.verdicts import PROPOSED, Verdicts
from kitchentable.rules.values import record
from kitchentable.rulesets.toaster.book import (
    Parts,
    Record,
    Row,
    Words,
    find,
    problem,
    read_row,
    row,
    rows,
    with_fact,
    word_for,
)
from kitchentable.rulesets.toaster.options import Options

T = TypeVar("T")

#: The kinds of trait with rules; `trait_kinds` has their names.
ATTRIBUTES, EXPERIENCE, SIZE, PACKAGE = "attributes", "experience", "size", "package"
DISABILITY, CUSTOM, STANDING, SENSES = "disability", "custom", "standing", "senses"

#: The ranks that each step of a whole attribute costs (toaster.2.trait-attribute-whole).
RANKS_PER_ATTRIBUTE = 2

ACCEPTED, REFUSED = "accepted", "refused"
#: The GM's verdicts on specialties, and on other parts that need permission.
VERDICTS = Verdicts("granted", ACCEPTED)

#: The kinds of trait that a GM may consider in a roll.
_WEIGHED = {
    "addiction",
    "connections",
    "obligations",
    "personality",
    CUSTOM,
    DISABILITY,
    SENSES,
    STANDING,
}


@record
class Trait:
    """A trait line of a character (toaster.2.traits-definition).

    `of` is the subject, for kinds that need one: an attribute or a part of one, the skills of a
    package, the skill that a disability hampers. `modifier` is added to that skill; `fails` marks
    skills that cannot be attempted. `lost` is the attribute that the trait changed before it left
    the table's list. `place` is the index on the sheet.
    """

    name: str = ""
    kind: str = CUSTOM
    rank: int = 0
    of: str = ""
    note: str = ""
    modifier: int = 0
    fails: bool = False
    lost: str = ""
    place: int = 0

    @property
    def where(self) -> str:
        """The path of the rank on the sheet."""
        return f"traits.{self.place}.rank"

    @property
    def in_short(self) -> str:
        """The name with the rank: "Lord +3"."""
        return f"{self.name} {self.rank:+}"

    def is_about(self, names: Words) -> bool:
        """Whether the trait is about a skill with one of these names."""
        return self.of.strip().casefold() in {name.casefold() for name in names}


class Traited(Being):
    """A character with a sheet of traits, which reads its own changes immediately."""

    @property
    def options(self) -> Options:
        """The options of the table."""
        return Options(self.table.options)

    def once(self, name: str, read: Callable[[], T]) -> T:
        """A value that depends only on the entity and the table's rules, cached.

        While a move changes facts, nothing is cached.
        """
        if self.at is not None and self.at.changes:
            return read()
        return self.table.for_rules(f"{name} {self.id}", read, self.entity)

    # ------------------------------------------------------------ facts

    def write(self, *path: str, now: Json = None, gone: bool = False) -> None:
        """Record a changed fact, such as ("state", "stun"). Errors: GameFault outside a move."""
        super().write(*path, now=now, gone=gone)
        for name in ("traits", "packaged", "skills"):  # to compute them again
            vars(self).pop(name, None)
        part = {path[0]: getattr(self.entity, path[0])}
        self.entity = replace(self.entity, **with_fact(part, path, now))

    def put(self, **facts: Json) -> None:
        """Change facts of the state, in the order of the state."""
        for key in {**self.entity.state, **facts}:
            if key in facts:
                self.write("state", key, now=facts[key])

    def with_sheet(self, **parts: Json) -> Self:
        """A copy of the character with other parts of the sheet, outside any move."""
        return type(self)(self.table, replace(self.entity, sheet={**self.sheet, **parts}))

    @property
    def is_known(self) -> bool:
        """Whether the numbers are visible; a player's table has none of a closed foe."""
        return isinstance(self.sheet.get("attributes"), Mapping)

    @property
    def is_named(self) -> bool:
        """Whether the character has a name, and so is not out after a single wound.

        toaster.4.unnamed-out; only with its option.
        """
        return self.sheet.get("named") is not False

    def lines(self, part: str) -> list[tuple[int, Record]]:
        """The lines of a part of the sheet with their indices; invalid values are skipped."""
        written = self.sheet.get(part)
        known = enumerate(written) if isinstance(written, list | tuple) else ()
        return [(place, one) for place, one in known if isinstance(one, Mapping)]

    def shape_problems(self) -> Problems:
        """Refuse parts of a sheet that are no lists of lines, which only a program can send."""
        for part in ("skills", "traits", "weapons", "armour"):
            written = self.sheet.get(part) or []
            if not isinstance(written, list | tuple) or len(self.lines(part)) < len(written):
                yield problem(f"no-list-{part}")

    # ------------------------------------------------------------ the GM's word

    def word_on(self, key: str) -> tuple[str, str]:
        """The GM's verdict on a part that needs permission, with the GM's words.

        The verdict is "accepted", "refused", or "proposed" before a decision.
        """
        known = part_of(part_of(self.entity.state, "granted"), key)
        return str(known.get("verdict") or PROPOSED), str(known.get("word") or "")

    def verdict(self, key: str) -> str:
        """The GM's verdict alone."""
        return self.word_on(key)[0]

    # ------------------------------------------------------------ traits

    @cached_property
    def traits(self) -> list[Trait]:
        """All traits on the sheet, in order."""
        return [read_row(Trait, one, place=place) for place, one in self.lines("traits")]

    def ranks_of(self, kind: str) -> int:
        """The sum of the ranks of all traits of a kind; 0 for an average person's size."""
        return sum(one.rank for one in self.traits if one.kind == kind)

    @property
    def trait_sum(self) -> int:
        """The sum of all ranks, positive and negative (toaster.2.trait-neutral)."""
        return sum(one.rank for one in self.traits)

    @property
    def plain_traits(self) -> list[list[Any]]:
        """The traits as plain data for comparisons: kind, name, subject, rank."""
        return [[one.kind, one.name, one.of, one.rank] for one in self.traits]

    def changed_by(self, name: str, key: str) -> Iterator[Trait]:
        """The traits that change an attribute, or a part of one."""
        for one in self.traits:
            if one.kind == ATTRIBUTES and (one.of == key or _key(self.table, name, one.of) == key):
                yield one

    @property
    def reasons(self) -> Words:
        """The traits that a GM may consider in a roll, as reasons for either sign.

        Social standing helps in one place and hinders in another (toaster.2.trait-social,
        toaster.2.trait-social-circumstance). Friends, duties, senses, fears and habits count if the
        scene involves them (toaster.2.trait-connections, toaster.2.trait-senses,
        toaster.2.trait-personality, toaster.2.trait-addiction).
        """
        return tuple(one.in_short for one in self.traits if one.kind in _WEIGHED)

    def handicaps(self, names: Words) -> Parts:
        """The parts of disabilities in a skill with these names (toaster.2.trait-disability).

        They affect only some uses of a skill, such as hearing but not seeing; the GM decides.
        """
        return tuple(
            Part(one.name, one.modifier)
            for one in self.traits
            if one.kind == DISABILITY and one.modifier and one.is_about(names)
        )

    def impossible(self, names: Words) -> str:
        """The name of a disability that rules out this skill, or ""."""
        known = (one for one in self.traits if one.kind == DISABILITY and one.fails)
        return next((one.name for one in known if one.is_about(names)), "")


def _key(table: Table, name: str, words: str) -> str:
    found = find(table, name, words)
    return found["key"] if found else ""


# ---------------------------------------------------------------- words for ranks


def rank_word(table: Table, rank: int) -> str:
    """The word for a rank: Mild, Severe, Critical (toaster.2.trait-rank-words).

    >>> rank_word(Table(options={}), -3), rank_word(Table(options={}), 0)
    ('Severe', 'Superficial')
    """
    return word_for(table, "trait_words", abs(rank), low="rank")


def suggested_rank(table: Table, severity: str, frequency: str) -> int:
    """The rank that the guide proposes for a trait's severity and frequency.

    toaster.2.trait-ranking-table; the agreed rank wins (toaster.2.trait-ranking-guideline).

    >>> suggested_rank(Table(options={}), "moderate", "common")
    3
    """
    found = row(table, "severity", severity)
    return whole(found[frequency]) if found else 0


def trait_word(table: Table, trait: Trait) -> str:
    """A trait's rank in words, from the tables of sizes and standings or `rank_word`.

    Ranks between or beyond the rows use the nearest row toward 0 (toaster.2.trait-size-descriptors,
    toaster.2.trait-social-table).

    >>> here = Table(options={})
    >>> trait_word(here, Trait("Short", SIZE, -3))
    'small: the lower quarter'
    >>> trait_word(here, Trait("Lord", STANDING, 5))
    'Royalty, or Fortune 500'
    """
    name, rank = {SIZE: "sizes", STANDING: "standing"}.get(trait.kind), trait.rank
    near: list[Row] = [
        one
        for one in (rows(table, name) if name else ())
        if abs(one["rank"]) <= abs(rank) and one["rank"] * rank >= 0
    ]
    if not near:
        return rank_word(table, rank)
    found = max(near, key=lambda one: abs(one["rank"]))
    return found.get("words") or f"{found['traditional']}, or {found['modern']}"
