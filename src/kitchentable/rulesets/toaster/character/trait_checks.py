"""What is wrong with traits: their kinds, their ranks, and how they balance."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Entity,
    Problem,
    Table,
    listed,
    whole,
)
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.toaster.book import Row
from kitchentable.rulesets.toaster.character.leaves import LARGEST_HUMAN
from kitchentable.rulesets.toaster.character.listing import is_on_list
from kitchentable.rulesets.toaster.character.packages import (
    FEWEST,
    MOST,
    package_keys,
    package_words,
)
from kitchentable.rulesets.toaster.character.points import free_ranks
from kitchentable.rulesets.toaster.character.traits import (
    ATTRIBUTES,
    PACKAGE,
    RANKS_PER_ATTRIBUTE,
    SIZE,
    Trait,
    trait_sum,
    traits,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.tables import find, row

#: Sizes end here, for whoever is no human (toaster.2.trait-range, A-10).
LARGEST = 10
#: Kinds whose worth has to be told, for it depends on what exactly they are, with their rules.
_TOLD = {
    "addiction": "toaster.2.trait-addiction",
    "connections": "toaster.2.trait-connections",
    "obligations": "toaster.2.trait-connections",
    "senses": "toaster.2.trait-senses",
}


def trait_problems(table: Table, entity: Entity) -> Problems:
    """Trait by trait: kind, rank, and what the kind asks for."""
    for trait in traits(entity):
        where = f"traits.{trait.place}"
        kind = row(table, "trait_kinds", trait.kind)
        if kind is None:
            words = f"{trait.kind!r} is no kind of trait at this table."
            yield Problem(f"{where}.kind", "toaster.2.trait-catalogue", words)
            continue
        if sentence := _rank_problem(entity, trait, kind):
            yield Problem(f"{where}.rank", *sentence)
        if trait.rank and trait.kind in _TOLD and not trait.note:
            words = f"{_named(trait, kind)}: say what it is and how it works."
            rule = _TOLD[trait.kind]
            yield Problem(f"{where}.note", rule, words, refuses=entity.is_players)
        if trait.kind == "personality" and trait.rank:
            words = f"{_named(trait, kind)}: {trait.rank:+} if the GM agrees that it weighs so."
            yield Problem(f"{where}.rank", "toaster.2.trait-personality", words, refuses=False)
        if trait.kind == ATTRIBUTES:
            yield from _attribute_trait(table, where, trait)
        if trait.kind == PACKAGE:
            yield from _package(table, where, trait)


def _named(trait: Trait, kind: Row) -> str:
    return trait.name or str(kind["name"])


def _rank_problem(entity: Entity, trait: Trait, kind: Row) -> tuple[str, str] | None:
    """toaster.2.trait-range, toaster.2.trait-size-human-limit, toaster.2.trait-addiction."""
    low, high, rank = whole(kind["low"]), whole(kind["high"]), trait.rank
    if trait.kind == SIZE:
        if abs(rank) > LARGEST:
            return "toaster.2.trait-range", f"Sizes go from -{LARGEST} to +{LARGEST}."
        if abs(rank) > LARGEST_HUMAN and not entity.sheet.get("supernatural"):
            return (
                "toaster.2.trait-size-human-limit",
                f"Without supernatural power nobody human is beyond {LARGEST_HUMAN} in size.",
            )
        return None
    if low <= rank <= high:
        return None
    rule = {
        "addiction": "toaster.2.trait-addiction",
        "connections": "toaster.2.trait-connections",
        "obligations": "toaster.2.trait-connections",
        "disability": "toaster.2.trait-disability",
        "standing": "toaster.2.trait-social-table",
    }.get(trait.kind, "toaster.2.trait-range")
    return rule, f"{_named(trait, kind)} has a rank from {low} to {high}, not {rank}."


def _attribute_trait(table: Table, where: str, trait: Trait) -> Problems:
    """Two ranks for a whole attribute, one for a part (toaster.2.trait-attribute-whole)."""
    if find(table, "aspects", trait.of) is not None:
        return
    found = find(table, "attributes", trait.of)
    if found is None and trait.lost == trait.of != "":
        words = (
            f"{trait.name or 'The trait'} changed {trait.of}, which has left this table's list, so "
            "it changes nothing now."
        )
        rule = "toaster.2.attributes-changeable"
        yield Problem(f"{where}.of", rule, words, refuses=False)
    elif found is None:
        yield Problem(
            f"{where}.of",
            "toaster.2.trait-attribute-sub",
            f"{trait.name or 'The trait'}: say which attribute, or which part of one, it changes.",
        )
    elif trait.rank % RANKS_PER_ATTRIBUTE:
        yield Problem(
            f"{where}.rank",
            "toaster.2.trait-attribute-whole",
            f"A whole attribute changes by 1 for every two ranks; {trait.rank:+} leaves one over.",
        )


def _package(table: Table, where: str, trait: Trait) -> Problems:
    """Four to six skills, all on the table's list (toaster.2.trait-package-size)."""
    keys, words = package_keys(table, trait), package_words(table, trait)
    wrong = [
        word for key, word in zip(keys, words, strict=True) if not key or not is_on_list(table, key)
    ]
    if wrong:
        yield Problem(
            f"{where}.of",
            "toaster.2.skills-campaign-list",
            f"{trait.name}: {listed(wrong)} cannot be found among this table's skills.",
        )
    many = len(set(keys))
    if not FEWEST <= many <= MOST:
        yield Problem(
            f"{where}.of",
            "toaster.2.trait-package-size",
            f"{trait.name}: a package has {FEWEST} to {MOST} skills, not {many}.",
        )


def balance_problems(table: Table, entity: Entity, stage: str) -> Problems:
    """How all ranks add up: at first with the style's free ranks, later as they stood.

    toaster.2.creation-traits-sum, toaster.2.creation-free-traits (A-12). A sheet that the GM has
    sent back may be rearranged; the sum stays what it was when it was approved
    (toaster.2.adv-traits-balance, A-20).
    """
    if not entity.is_players:
        return
    total, free = trait_sum(entity), free_ranks(table, entity)
    if stage == "creation":
        if not 0 <= total <= free:
            rule = "toaster.2.creation-free-traits" if free else "toaster.2.creation-traits-sum"
            goal = f"between 0 and {free}" if free else "0"
            yield Problem("traits", rule, f"All ranks add up to {total:+}; it has to be {goal}.")
        yield from cap_problems(table, entity, free)
        return
    approved = entity.state.get("trait_sum")
    if isinstance(approved, int) and total != approved:
        yield Problem("traits", "toaster.2.adv-traits-balance", sum_sentence(approved, total))


def sum_sentence(before: int, after: int) -> str:
    """What is wrong when a rearrangement changes what all ranks add up to."""
    return (
        f"All ranks added up to {before:+}; so they have to, however they are rearranged, and not "
        f"to {after:+}."
    )


def cap_problems(table: Table, entity: Entity, free: int) -> Problems:
    """The limit on positive and on negative ranks, where the table has one.

    toaster.2.creation-traits-cap; free ranks that are used do not count towards it unless the
    table says so (toaster.2.creation-traits-cap-free, A-13).
    """
    cap = Options(table.options).trait_rank_cap
    if cap is None:
        return
    plus = sum(one.rank for one in traits(entity) if one.rank > 0)
    minus = -sum(one.rank for one in traits(entity) if one.rank < 0)
    if not Options(table.options).trait_cap_counts_free:
        plus -= min(free, max(0, plus - minus))
    for many, what in ((plus, "positive"), (minus, "negative")):
        if many > cap:
            words = f"{many} ranks of {what} traits; this table has a limit of {cap}."
            yield Problem("traits", "toaster.2.creation-traits-cap", words)


def written(entity: Entity) -> list[list[Any]]:
    """Traits as plain data to be compared: kind, name, what of, rank."""
    return [[one.kind, one.name, one.of, one.rank] for one in traits(entity)]
