"""What a sheet holds that only the GM can allow, and what the GM has said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kitchentable.rules import Entity, Table
from kitchentable.rulesets.toaster.character.attributes import attributes, bought
from kitchentable.rulesets.toaster.character.listing import key_of, skill_name
from kitchentable.rulesets.toaster.character.people import ACCEPTED, verdict
from kitchentable.rulesets.toaster.character.skills import HIGHEST_BASE, bought_base, lines
from kitchentable.rulesets.toaster.character.traits import PACKAGE, SIZE, traits

#: Ranks up to this are human (toaster.2.attribute-range).
HIGHEST_HUMAN = 10
#: Sizes beyond this are not human (toaster.2.trait-size-human-limit).
LARGEST_HUMAN = 5


@dataclass(frozen=True, slots=True)
class Leave:
    """Something to be allowed: under which key, where on the sheet, by which rule, in a sentence.

    One that `must` be allowed keeps the sheet from play until it is; the others only hold less
    than was hoped for.
    """

    key: str
    where: str
    rule: str
    sentence: str
    must: bool = True


def leaves(table: Table, entity: Entity) -> tuple[Leave, ...]:
    """Everything on a sheet that needs the GM's leave, allowed already or not."""
    return (
        *_attribute_leaves(table, entity),
        *_base_leaves(table, entity),
        *_package_leaves(entity),
        *_size_leaves(entity),
    )


def open_leaves(table: Table, entity: Entity) -> tuple[Leave, ...]:
    """What the GM has not allowed; of the GM's own people everything is."""
    if not entity.is_players:
        return ()
    return tuple(one for one in leaves(table, entity) if verdict(entity, one.key) != ACCEPTED)


def _attribute_leaves(table: Table, entity: Entity) -> Iterator[Leave]:
    for one in attributes(table):
        rank = bought(entity, one["key"])
        if rank > HIGHEST_HUMAN:
            yield Leave(
                f"attribute:{one['key']}",
                f"attributes.{one['key']}",
                "toaster.2.attribute-superhuman",
                f"{one['name']} {rank} is superhuman: that is for the GM to allow.",
            )


def _base_leaves(table: Table, entity: Entity) -> Iterator[Leave]:
    for place, line in lines(entity):
        base, key = bought_base(line), key_of(line.get("skill"), line.get("of"))
        if base > HIGHEST_BASE:
            yield Leave(
                f"base:{key}",
                f"skills.{place}.base",
                "toaster.2.skill-base-over-10",
                f"{skill_name(table, key)}: a base of {base} is for the GM to allow, where a low "
                "attribute has to be made up for.",
            )


def _package_leaves(entity: Entity) -> Iterator[Leave]:
    for trait in traits(entity):
        if trait.kind != PACKAGE:
            continue
        if trait.rank < 0:
            words = f"{trait.name}: a package that takes away is for the GM to allow."
        else:
            words = (
                f"{trait.name}: bases above {HIGHEST_BASE} are cut off there unless the GM "
                "lets the package go further."
            )
        yield Leave(
            f"package:{trait.name}",
            f"traits.{trait.place}.rank",
            "toaster.2.trait-package-cap",
            words,
            must=trait.rank < 0,
        )


def _size_leaves(entity: Entity) -> Iterator[Leave]:
    for trait in traits(entity):
        if trait.kind == SIZE and abs(trait.rank) > LARGEST_HUMAN:
            if not entity.sheet.get("supernatural"):
                continue
            yield Leave(
                f"size:{trait.rank}",
                f"traits.{trait.place}.rank",
                "toaster.2.trait-size-human-limit",
                f"A size of {trait.rank:+} is for the GM to allow.",
            )
