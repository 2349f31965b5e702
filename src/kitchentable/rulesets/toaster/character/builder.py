"""The builder: the parts of a sheet as forms, with what is left to spend and remarks beside."""

from __future__ import annotations

from kitchentable.rules import Budget, Choice, Entity, Field, Section, Table
from kitchentable.rulesets.toaster.character.attributes import attribute_word, attributes, bought
from kitchentable.rulesets.toaster.character.gear_fields import gear_sections
from kitchentable.rulesets.toaster.character.listing import LANGUAGE, fluency, members, skill_list
from kitchentable.rulesets.toaster.character.points import (
    as_number,
    attribute_budget,
    attributes_spent,
    free_ranks,
    skill_budget,
    skills_spent,
)
from kitchentable.rulesets.toaster.character.skills import skill_words, skills, specialty_verdict
from kitchentable.rulesets.toaster.character.speciality_checks import names
from kitchentable.rulesets.toaster.character.traits import (
    rank_word,
    suggested_rank,
    trait_sum,
    traits,
)
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.tables import rows


def is_new(entity: Entity) -> bool:
    """Whether this is a player's character that has never been in play."""
    return entity.is_players and entity.stage != "play" and "condition" not in entity.state


def sections(table: Table, entity: Entity) -> tuple[Section, ...]:
    """The parts of a sheet; while a character is built with what is left to spend."""
    parts = (
        _concept(),
        _attribute_section(table, entity),
        _skill_section(table, entity),
        _trait_section(table, entity),
        *gear_sections(table, entity),
    )
    return parts if entity.is_players else (_gms_section(table), *parts)


def _concept() -> Section:
    field = Field("about", "Who is it?", "story", required=False, default="", longest=8000)
    words = "A sentence or several pages: who this is, and what that says about the numbers below."
    return Section("concept", "Concept", (field,), words, "toaster.2.creation-concept")


def _attribute_section(table: Table, entity: Entity) -> Section:
    """toaster.2.attributes-four, toaster.2.attribute-descriptors."""
    fields = tuple(
        Field(
            f"attributes.{one['key']}",
            str(one["name"]),
            "number",
            default=0,
            low=0,
            high=99,
            help=f"{attribute_word(table, bought(entity, one['key']))}. For {one['covers']}."
            if one.get("covers")
            else attribute_word(table, bought(entity, one["key"])),
            rule="toaster.2.attribute-range",
        )
        for one in attributes(table)
    )
    budget = Budget(
        "Attribute points", attributes_spent(table, entity), attribute_budget(table, entity)
    )
    return Section(
        "attributes",
        "Attributes",
        fields,
        "Four is an average person; above ten nobody is human." if is_new(entity) else "",
        "toaster.2.creation-attribute-points",
        budget if is_new(entity) else None,
    )


# ---------------------------------------------------------------- skills


def _skill_section(table: Table, entity: Entity) -> Section:
    spent, budget = skills_spent(table, entity), skill_budget(table, entity)
    groups = "; ".join(
        f"{one['short']}: {', '.join(members(table, one['key'])) or 'any'}"
        for one in skill_list(table)
        if one["group"]
    )
    field = Field(
        "skills", "Skills", "rows", default=[], required=False, columns=_skill_columns(table)
    )
    return Section(
        "skills",
        "Skills",
        (field,),
        "The base is training, 0 to 10; the rank is base and attribute averaged. Groups need a "
        f"name: {groups}.",
        "toaster.2.creation-skill-points",
        Budget("Skill points", as_number(spent), budget) if is_new(entity) else None,
        _skill_notes(table, entity),
        in_summary=True,
    )


def _skill_columns(table: Table) -> tuple[Field, ...]:
    """What a line of the skills asks; specialities and further attributes only where they count."""
    listing = tuple(
        Choice(one["key"], f"{one['name']}{': ...' if one['group'] else ''}")
        for one in skill_list(table)
    )
    linked = tuple(Choice(one["key"], str(one["name"])) for one in attributes(table))
    columns = [
        _id(),
        Field("skill", "Skill", "choice", listing, rule="toaster.2.skills-list"),
        _text("of", "Which one", "toaster.2.skills-groups"),
        Field(
            "attribute",
            "With",
            "choice",
            linked,
            default="",
            required=False,
            help="None: the first that the list names.",
            rule="toaster.2.skill-attribute-choice",
        ),
    ]
    if setting(table.options, "skill_several_ranks"):
        columns += [
            Field(name, "Or with", "choice", linked, default="", required=False)
            for name in ("attribute2", "attribute3")
        ]
    columns += [
        Field("base", "Base", "number", default=0, low=0, high=99),
        Field("native", "Native language", "tick", default=False, required=False),
        _text("note", "Note", "toaster.2.skill-martial-form"),
    ]
    if setting(table.options, "specialization"):
        columns += [
            _text("specialty", "Speciality", "toaster.2.specialty-rank-4"),
            Field("doubled", "Doubled, +2", "tick", default=False, required=False),
            _text("specialty2", "Second speciality", "toaster.2.specialty-rank-8-second"),
            _text("areas", "Three areas of the skill", "toaster.2.specialty-three-areas"),
        ]
    return tuple(columns)


def _skill_notes(table: Table, entity: Entity) -> dict[str, str]:
    """Beside each skill: its rank or ranks, the word for it, fluency, what the GM has said."""
    notes = {}
    for one in skills(table, entity):
        if one.place < 0:
            continue
        names_of = {row["key"]: str(row["name"]) for row in attributes(table)}
        several = ", ".join(f"{rank} with {names_of[key]}" for key, rank in one.ranks)
        said = [f"Rank {several}." if len(one.ranks) > 1 else f"Rank {one.rank}."]
        said += [f"{word}." for word in [skill_words(table, one.rank)] if word]
        if one.key.startswith(f"{LANGUAGE}:"):
            said.append(f"{fluency(one.rank).capitalize()}.")
        if setting(table.options, "specialization"):
            line = entity.sheet["skills"][one.place]
            said += [f"{name}: {specialty_verdict(entity, one.key, name)}." for name in names(line)]
        notes[f"skills.{one.place}"] = " ".join(said)
    return notes


# ---------------------------------------------------------------- traits


def _trait_section(table: Table, entity: Entity) -> Section:
    free = free_ranks(table, entity)
    return Section(
        "traits",
        "Traits",
        (trait_rows(table),),
        "Ranks go from -5 to +5. Guide, for a trait that matters rarely, commonly or constantly: "
        f"{_guide(table)}. A package names its four to six skills, or a career: "
        f"{_careers(table)}.",
        "toaster.2.creation-traits-sum",
        Budget("Ranks of traits", trait_sum(entity), free) if is_new(entity) else None,
        _trait_notes(table, entity),
    )


def trait_rows(table: Table) -> Field:
    """The lines of traits as a field, for the builder and for rearranging them later."""
    kinds = tuple(Choice(one["key"], str(one["name"])) for one in rows(table, "trait_kinds"))
    severities = tuple(Choice(one["key"], str(one["name"])) for one in rows(table, "severity"))
    often = tuple(Choice(one, one.capitalize()) for one in ("rare", "common", "constant"))
    guide = "toaster.2.trait-ranking-table"
    columns = (
        _id(),
        Field("name", "Trait", longest=200),
        Field("kind", "Kind", "choice", kinds, default="custom", rule="toaster.2.trait-catalogue"),
        Field("rank", "Rank", "number", default=0, low=-10, high=10, rule="toaster.2.trait-range"),
        Field("severity", "Severity", "choice", severities, "", required=False, rule=guide),
        Field("frequency", "How often", "choice", often, "", required=False, rule=guide),
        _text("of", "Attribute or skills it is about", "toaster.2.trait-attribute-sub"),
        Field(
            "modifier",
            "Adds to that skill",
            "number",
            required=False,
            low=-20,
            high=20,
            rule="toaster.2.skill-rank-traits",
        ),
        Field(
            "fails",
            "Rules it out altogether",
            "tick",
            default=False,
            required=False,
            rule="toaster.2.trait-disability",
        ),
        _text("note", "What exactly", "toaster.2.traits-definition", longest=1000),
    )
    return Field("traits", "Traits", "rows", default=[], required=False, columns=columns)


def _guide(table: Table) -> str:
    return "; ".join(
        f"{one['name'].lower()} {one['rare']}, {one['common']}, {one['constant']}"
        for one in rows(table, "severity")
    )


def _careers(table: Table) -> str:
    return ", ".join(str(one["name"]) for one in rows(table, "careers"))


def _trait_notes(table: Table, entity: Entity) -> dict[str, str]:
    """Beside each trait: the word for its rank, and what the guide would say.

    toaster.2.trait-rank-words, toaster.2.trait-ranking-guideline.
    """
    notes = {}
    for one in traits(entity):
        line = entity.sheet["traits"][one.place]
        word = f"{rank_word(table, one.rank)}."
        severity, often = str(line.get("severity") or ""), str(line.get("frequency") or "")
        if severity and often:
            word += f" The guide says {suggested_rank(table, severity, often)}; what you agree on "
            word += "holds."
        notes[f"traits.{one.place}"] = word
    return notes


def _gms_section(table: Table) -> Section:
    """What only the GM's people have: a name or none, a style, thresholds of their own."""
    styles = tuple(Choice(one["key"], str(one["name"])) for one in rows(table, "styles"))
    return Section(
        "gms",
        "In the story",
        (
            Field(
                "named",
                "Has a name in the story",
                "tick",
                default=True,
                required=False,
                help="Somebody unnamed is out at the first wound, where the table plays it so.",
                rule="toaster.4.unnamed-out",
            ),
            Field("style", "Built as", "choice", styles, default="", required=False),
            *(
                Field(
                    f"thresholds.{key}",
                    f"{words} threshold of their own",
                    "number",
                    required=False,
                    low=1,
                    high=999,
                    help="Left empty, the size decides.",
                    rule="toaster.2.trait-size-extremes",
                )
                for key, words in (("stun", "Stun"), ("wound", "Wound"))
            ),
        ),
    )


def _id() -> Field:
    return Field("id", "Key", required=False, default="", longest=60)


def _text(name: str, label: str, rule: str = "", longest: int = 400) -> Field:
    return Field(name, label, required=False, default="", longest=longest, rule=rule)
