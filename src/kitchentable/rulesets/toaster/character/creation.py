"""What a sheet may hold: attributes, skills and points. Traits and specialties stand beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import Entity, Problem, Table
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.toaster.book import Record
from kitchentable.rulesets.toaster.character.attributes import attributes
from kitchentable.rulesets.toaster.character.leaves import open_leaves
from kitchentable.rulesets.toaster.character.listing import (
    LANGUAGE,
    is_on_list,
    key_of,
    listed_skill,
    skill_name,
)
from kitchentable.rulesets.toaster.character.people import REFUSED, shape_problems, verdict, word_of
from kitchentable.rulesets.toaster.character.points import (
    MARTIAL_ARTS,
    attribute_budget,
    attributes_spent,
    skill_budget,
    skills_spent,
    told,
)
from kitchentable.rulesets.toaster.character.skills import NATIVE_BASE, bought_base, lines
from kitchentable.rulesets.toaster.character.speciality_checks import speciality_problems
from kitchentable.rulesets.toaster.character.trait_checks import balance_problems, trait_problems


def check(table: Table, entity: Entity, stage: str) -> tuple[Problem, ...]:
    """What is wrong with a sheet, or doubtful. Points and balance bind at "creation".

    What binds the players' characters is told of the GM's people as something to mind.
    """
    found = [
        *shape_problems(entity),
        *_attribute_problems(table, entity),
        *_skill_problems(table, entity),
        *_language_problems(entity),
        *trait_problems(table, entity),
        *speciality_problems(table, entity),
        *_leave_problems(table, entity),
        *balance_problems(table, entity, stage),
    ]
    if stage == "creation" and entity.is_players:
        found += _point_problems(table, entity)
    if entity.is_players and not str(entity.sheet.get("about") or "").strip():
        words = "A character begins with an idea of who it is; a sentence will do."
        found.append(Problem("about", "toaster.2.creation-concept", words, refuses=False))
    return tuple(found)


def _attribute_problems(table: Table, entity: Entity) -> Problems:
    ranks: Any = entity.sheet.get("attributes")
    if not isinstance(ranks, Mapping):
        yield Problem(
            "attributes", "toaster.2.attributes-four", "A sheet has a rank in every attribute."
        )
        return
    names = {one["key"]: str(one["name"]) for one in attributes(table)}
    for key, rank in ranks.items():
        where = f"attributes.{key}"
        if key not in names:
            words = f"{key!r} is no attribute of this table."
            yield Problem(where, "toaster.2.attributes-four", words, refuses=bool(rank))
        elif isinstance(rank, bool) or not isinstance(rank, int) or rank < 0:
            yield Problem(
                where,
                "toaster.2.attribute-range",
                f"{names[key]} has a whole rank from 0 to 10, not {rank}.",
            )


def _point_problems(table: Table, entity: Entity) -> Problems:
    """toaster.2.creation-attribute-points, toaster.2.creation-skill-points."""
    budget, spent = attribute_budget(table, entity), attributes_spent(table, entity)
    if spent != budget:
        words = f"{spent} attribute points spent of {budget}."
        yield Problem(
            "attributes",
            "toaster.2.creation-attribute-points",
            words,
            refuses=spent > budget,
            counted=True,
        )
    points, cost = skill_budget(table, entity), skills_spent(table, entity)
    if cost != points:
        words = f"{told(cost)} skill points spent of {points}."
        yield Problem(
            "skills",
            "toaster.2.creation-skill-points",
            words,
            refuses=cost > points,
            counted=True,
        )


def _skill_problems(table: Table, entity: Entity) -> Problems:
    seen: set[str] = set()
    for place, line in lines(entity):
        where = f"skills.{place}"
        skill, of = str(line.get("skill") or ""), str(line.get("of") or "")
        key, base = key_of(skill, of), line.get("base")
        name = skill_name(table, key)
        if problem := _listing_problem(table, skill, of, name):
            yield Problem(f"{where}.skill", *problem)
        if key.casefold() in seen:
            words = f"{name} is there twice."
            yield Problem(f"{where}.skill", "toaster.2.skills-groups", words)
        seen.add(key.casefold())
        if isinstance(base, bool) or not isinstance(base, int) or base < 0:
            yield Problem(
                f"{where}.base",
                "toaster.2.skill-base-range",
                f"{name} has a whole base from 0 to 10, not {base}.",
            )
        if skill == MARTIAL_ARTS and not str(line.get("note") or "").strip():
            words = "Say which form the Martial Arts take: boxing, savate, wrestling ..."
            rule = "toaster.2.skill-martial-form"
            yield Problem(f"{where}.note", rule, words, refuses=entity.is_players)
        yield from _attribute_doubts(table, where, line, key)


def _listing_problem(table: Table, skill: str, of: str, name: str) -> tuple[str, str] | None:
    found = listed_skill(table, skill)
    if found is None:
        return "toaster.2.skills-campaign-list", f"{name} is not on this table's list of skills."
    if found["group"] and not of:
        return "toaster.2.skills-groups", f"{name} is a group: say which one, as in {name}: ..."
    if of and not found["group"]:
        return "toaster.2.skills-groups", f"{found['name']} is one skill, not a group of them."
    if not is_on_list(table, key_of(skill, of)):
        return "toaster.2.skills-groups-setting", f"{name} is not among those of this table."
    return None


def _attribute_doubts(table: Table, where: str, line: Record, key: str) -> Problems:
    """Another attribute than the list's is the GM's and the player's to agree on."""
    agreed, found = str(line.get("attribute") or ""), listed_skill(table, key)
    names = {one["key"]: str(one["name"]) for one in attributes(table)}
    if agreed and agreed not in names:
        words = f"{agreed!r} is no attribute of this table."
        yield Problem(f"{where}.attribute", "toaster.2.skill-attribute-choice", words)
    elif agreed and found and agreed not in found["attributes"]:
        words = f"{skill_name(table, key)} with {names[agreed]}: the GM has to agree."
        yield Problem(
            f"{where}.attribute", "toaster.2.skill-attribute-choice", words, refuses=False
        )


def _language_problems(entity: Entity) -> Problems:
    """One native language, which starts at 4 (toaster.2.skill-language-native)."""
    rule = "toaster.2.skill-language-native"
    marked = [(place, line) for place, line in lines(entity) if line.get("native")]
    for place, line in marked:
        if line.get("skill") != LANGUAGE:
            words = "Only a language can be somebody's native one."
            yield Problem(f"skills.{place}.native", rule, words)
        elif bought_base(line) < NATIVE_BASE:
            words = f"A native language starts at {NATIVE_BASE}, for nothing."
            yield Problem(f"skills.{place}.base", rule, words)
    if len(marked) > 1:
        yield Problem("skills", rule, "One language is the native one, not several.")
    if not marked and entity.is_players:
        words = "No native language: it would start at 4 for nothing."
        yield Problem("skills", rule, words, refuses=False)


def _leave_problems(table: Table, entity: Entity) -> Problems:
    """What needs the GM's leave does not keep a draft from being handed in, only from play."""
    for leave in open_leaves(table, entity):
        said = word_of(entity, leave.key)
        refused = verdict(entity, leave.key) == REFUSED
        words = f"{leave.sentence} The GM has refused it{f': {said}' if said else '.'}"
        yield Problem(
            leave.where,
            leave.rule,
            words if refused else leave.sentence,
            refuses=leave.must and (refused or entity.stage != "draft"),
        )
