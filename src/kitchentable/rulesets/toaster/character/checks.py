"""What is wrong with a sheet, or doubtful: attributes, skills, points, traits, specialties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Entity,
    Problem,
    Table,
    listed,
    whole,
)
from kitchentable.rules.kit import Problems
from kitchentable.rulesets.toaster.book import Record, Row, find, row
from kitchentable.rulesets.toaster.character.allowing import LARGEST_HUMAN, open_leaves
from kitchentable.rulesets.toaster.character.attributes import attributes
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
    free_ranks,
    skill_budget,
    skills_spent,
    told,
)
from kitchentable.rulesets.toaster.character.skills import (
    FEWEST,
    MOST,
    NATIVE_BASE,
    areas,
    bought_base,
    find_skill,
    lines,
    names,
    package_keys,
    package_words,
    specialty_verdict,
)
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


# ---------------------------------------------------------------- traits

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


# ---------------------------------------------------------------- specialties

#: The rank for a first specialty, and for a second or a doubled one, bonuses not counted
#: (toaster.2.specialty-rank-4, toaster.2.specialty-rank-8-second, toaster.2.specialty-rank-used).
FIRST, SECOND = 4, 8
#: Areas that a skill has to fall into before anybody can specialize in one of them.
AREAS = 3


def speciality_problems(table: Table, entity: Entity) -> Problems:
    """Line by line; nothing at all while the table plays without specialties.

    toaster.2.specialty-switch.
    """
    if not Options(table.options).specialization:
        return
    having = 0
    for place, line in lines(entity):
        if not names(line):
            continue
        having += 1
        yield from _line_problems(table, entity, place, line)
    most = Options(table.options).specialty_skills
    if most is not None and having > most:
        words = f"{having} skills with a specialty; this table has a limit of {most}."
        yield Problem("skills", "toaster.2.specialty-max-skills", words)


def _line_problems(table: Table, entity: Entity, place: int, line: Record) -> Problems:
    key = key_of(line.get("skill"), line.get("of"))
    name, rank = skill_name(table, key), find_skill(table, entity, key).rank
    where, two = f"skills.{place}.specialty", len(names(line)) > 1
    if rank < FIRST:
        words = f"{name} {rank}: a specialty takes a rank of {FIRST}."
        yield Problem(where, "toaster.2.specialty-rank-4", words)
    if (two or line.get("doubled")) and rank < SECOND:
        words = f"{name} {rank}: a second specialty, or a doubled one, takes a rank of {SECOND}."
        yield Problem(where, "toaster.2.specialty-rank-used", words)
    if two and line.get("doubled"):
        words = f"{name}: two specialties, or one that is doubled, not both."
        yield Problem(where, "toaster.2.specialty-rank-8-second", words)
    if len(areas(line)) < AREAS:
        words = f"{name}: name {AREAS} independent areas of it, or take no specialty."
        yield Problem(f"skills.{place}.areas", "toaster.2.specialty-three-areas", words)
    for one in names(line):
        verdict = specialty_verdict(entity, key, one)
        if verdict != "accepted":
            words = (
                f"{name}, {one}: the GM has refused it."
                if verdict == "refused"
                else f"{name}, {one}: waits for the GM."
            )
            yield Problem(where, "toaster.2.specialty-gm-approval", words, refuses=False)
