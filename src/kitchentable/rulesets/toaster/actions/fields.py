"""The questions of a roll: what it is made on, what helps, what the GM adds, openly or not."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import (
    GM,
    Answers,
    Choice,
    Entity,
    Field,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.hints import helpers
from kitchentable.rulesets.toaster.actions.luck import BEFORE, points
from kitchentable.rulesets.toaster.actions.reckoning import (
    ATTRIBUTE,
    PLAIN_NAMES,
    SKILL,
    Names,
    rolled_on,
    split,
    suggested_help,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import ACTION, may_call
from kitchentable.rulesets.toaster.tables import rows


def what_field() -> Field:
    """What is tried, in the player's words."""
    return Field("what", "What do you do?", required=False, default="", longest=400)


def on_choices(table: Table, entity: Entity | None) -> tuple[Choice, ...]:
    """All that a roll can be made on: skills, learned or not, attributes and their parts.

    A group's members that the table lists can be tried untrained as well.
    """
    skills = lens.skill_choices(table, entity)
    have = {one.value for one in skills}
    more = tuple(
        Choice(key, lens.skill_name(table, key), "never learned")
        for one in rows(table, "members")
        if (key := lens.key_of(one["skill"], one["name"])) not in have
    )
    attributes = lens.attribute_choices(table, entity)
    parts = tuple(
        Choice(f"{one.value}:{part.value}", _part_label(table, entity, one.value, part))
        for one in attributes
        for part in lens.aspect_choices(table, one.value)
    )
    return (
        *(Choice(f"{SKILL}:{one.value}", one.label, one.hint) for one in (*skills, *more)),
        *(Choice(f"{ATTRIBUTE}:{one.value}", one.label, one.hint) for one in attributes),
        *(Choice(f"{ATTRIBUTE}:{one.value}", one.label) for one in parts),
    )


def _part_label(table: Table, entity: Entity | None, key: str, part: Choice) -> str:
    whole_name = lens.attribute_name(table, key)
    if entity is None or not lens.numbers_known(entity):
        return f"{part.label} ({whole_name})"
    return f"{part.label} ({whole_name}) {lens.attribute(table, entity, key, part.value)}"


def on_field(
    table: Table,
    entity: Entity | None,
    names: Names = PLAIN_NAMES,
    *,
    label: str = "Skill or attribute",
    set_by: str = "actor",
    proposed: Iterable[str] = (),
) -> Field:
    """What a roll is made on: proposed by its maker, and the GM can put another in its place.

    toaster.3.which-skill, toaster.3.opposed-skills. Of the skills that are usual here the first
    one stands there to begin with.
    """
    choices = on_choices(table, entity)
    values = {one.value for one in choices}
    usual = [f"{SKILL}:{one}" for one in proposed if f"{SKILL}:{one}" in values]
    return Field(
        names("on"),
        label,
        "choice",
        choices,
        default=(usual or [choices[0].value])[0],
        set_by=set_by,
        needs_yes=True,
        rule="toaster.3.which-skill",
    )


def own_fields(
    table: Table,
    entity: Entity | None,
    answers: Answers,
    names: Names = PLAIN_NAMES,
    *,
    set_by: str = "actor",
    scope: str = ACTION,
) -> tuple[Field, ...]:
    """What else whoever throws decides: attribute and speciality, help, luck, a called four."""
    if entity is None or not lens.numbers_known(entity):
        return ()
    kind, key, _ = split(rolled_on(answers, names))
    fields: list[Field] = []
    if kind == SKILL and key:
        fields += _skill_fields(table, entity, key, names, set_by)
        fields += _help_fields(table, entity, key, answers, names, set_by)
        fields += _disability_field(table, entity, key, names)
    left = points(table, entity)
    if left:
        fields.append(
            Field(
                names("luck"),
                f"Luck points beforehand, +{BEFORE} each",
                "number",
                default=0,
                required=False,
                set_by=set_by,
                low=0,
                high=left,
                help=f"{lens.plural(left, 'point')} left.",
                rule="toaster.3.luck-before-plus2",
            )
        )
    if may_call(table.options, scope):
        fields.append(
            Field(
                names("called"),
                "Call a 4 instead of throwing",
                "tick",
                default=False,
                required=False,
                set_by=set_by,
                rule="toaster.3.call4-switch",
            )
        )
    return tuple(fields)


def _skill_fields(
    table: Table, entity: Entity, key: str, names: Names, set_by: str
) -> Iterable[Field]:
    found = lens.find_skill(table, entity, key)
    if len(found.ranks) > 1:
        yield Field(
            names("leaning"),
            "With which attribute?",
            "choice",
            tuple(
                Choice(one, f"{lens.attribute_name(table, one)}: rank {rank}")
                for one, rank in found.ranks
            ),
            default=found.attribute,
            set_by=GM,
            rule="toaster.2.skill-several-ranks",
        )
    if found.specialties:
        yield Field(
            names("specialty"),
            "Within a speciality?",
            "choice",
            (
                Choice("", "No"),
                *(Choice(one.name, f"{one.name} +{one.bonus}") for one in found.specialties),
            ),
            default="",
            required=False,
            set_by=set_by,
            needs_yes=True,
            veto_only=True,
            rule="toaster.2.specialty-plus-1",
        )


def _help_fields(
    table: Table, entity: Entity, key: str, answers: Answers, names: Names, set_by: str
) -> Iterable[Field]:
    """Another skill that helps: named by whoever throws, its worth said by the GM.

    toaster.3.complementary, toaster.3.complementary-amount.
    """
    if not setting(table.options, "complementary_skills"):
        return
    own = [one for one in lens.skills(table, entity) if one.key != key]
    if not own:
        return
    known = helpers(table, key)
    yield Field(
        names("helps"),
        "Skills of yours that help",
        "many",
        tuple(
            Choice(one.key, f"{one.name} {one.rank}", "often helps" if one.key in known else "")
            for one in own
        ),
        default=[],
        required=False,
        set_by=set_by,
        needs_yes=True,
        veto_only=True,
        rule="toaster.3.complementary",
    )
    most = whole(setting(table.options, "complementary_max"))
    picked = answers.get(names("helps"))
    for one in own:
        if isinstance(picked, list) and one.key in picked:
            yield Field(
                names(f"helps_{one.key}"),
                f"What {one.name} is worth",
                "number",
                default=suggested_help(one.rank),
                set_by=GM,
                low=0,
                high=20,
                help=f"All together count for {most} at most.",
                rule="toaster.3.complementary-amount",
            )
    if picked:
        yield Field(
            names("beyond"),
            f"More than {most} for once",
            "tick",
            default=False,
            required=False,
            set_by=GM,
            rule="toaster.3.complementary-max",
        )


def on_name(table: Table, answers: Answers, names: Names = PLAIN_NAMES) -> str:
    """What a roll is made on, in words."""
    kind, key, aspect = split(rolled_on(answers, names))
    if kind == ATTRIBUTE:
        return lens.attribute_name(table, aspect or key)
    return lens.skill_name(table, key)


def _disability_field(table: Table, entity: Entity, key: str, names: Names) -> Iterable[Field]:
    """Disabilities that may matter to this skill: hard of hearing is no matter while one looks.

    toaster.2.trait-disability: the GM says when they count.
    """
    held = lens.handicaps(entity, lens.names_of(table, key))
    if held:
        yield Field(
            names("disabilities"),
            f"What hampers {entity.name} here",
            "many",
            tuple(Choice(one.name, f"{one.name}, {one.value:+}") for one in held),
            default=[],
            required=False,
            set_by=GM,
            rule="toaster.2.trait-disability",
        )


def ruled_out_field(table: Table, entity: Entity | None, answers: Answers) -> Iterable[Field]:
    """Whether a disability makes this impossible, where somebody has one that could."""
    kind, key, _ = split(rolled_on(answers))
    if entity is None or kind != SKILL:
        return
    trait = lens.impossible(entity, lens.names_of(table, key))
    if trait:
        yield Field(
            "ruled_out",
            f"{trait} rules this out",
            "tick",
            default=False,
            required=False,
            set_by=GM,
            rule="toaster.2.trait-disability",
        )
