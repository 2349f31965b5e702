"""What a skill needs before it is of any use: a known language, a pupil who knows less.

The GM can let it be rolled all the same, which the log then shows.
"""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules import GM, Actor, Answers, Choice, Entity, Field, Problem, Table
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.reckoning import SKILL, rolled_on, split
from kitchentable.rulesets.toaster.character import lens

LANGUAGE, STUDENT = "language", "student"


def needed(table: Table, answers: Answers) -> str:
    """What the skill that is rolled needs: "language", "student", or "" for nothing."""
    kind, key, _ = split(rolled_on(answers))
    return hint(table, key).needs if kind == SKILL else ""


def need_fields(
    table: Table, actor: Actor, entity: Entity | None, answers: Answers
) -> tuple[Field, ...]:
    """The questions about what the skill needs."""
    need = needed(table, answers)
    if entity is None or not lens.numbers_known(entity) or not need:
        return ()
    asked = _language(table, entity) if need == LANGUAGE else _student(table, actor, entity)
    despite = Field(
        "despite",
        "Let it be tried all the same",
        "tick",
        default=False,
        required=False,
        set_by=GM,
        rule="toaster.3.gm-decides-roll",
    )
    return (*asked, despite)


def _language(table: Table, entity: Entity) -> Iterable[Field]:
    """The language that is spoken (toaster.2.skill-lipreading-language)."""
    own = [one for one in lens.skills(table, entity) if one.key.startswith(f"{LANGUAGE}:")]
    listed = [f"{LANGUAGE}:{one}" for one in lens.members(table, LANGUAGE)]
    more = [key for key in listed if key not in {one.key for one in own}]
    yield Field(
        "language",
        "In which language?",
        "choice",
        (
            *(Choice(one.key, f"{one.name} {one.rank}") for one in own),
            *(Choice(key, lens.skill_name(table, key), "never learned") for key in more),
            Choice("", "One the character does not know"),
        ),
        default=own[0].key if own else "",
        required=False,
        needs_yes=True,
        rule="toaster.2.skill-lipreading-language",
    )


def _student(table: Table, actor: Actor, entity: Entity) -> Iterable[Field]:
    """Who is taught, and in what (toaster.2.skill-teach-base)."""
    others = [
        one
        for one in lens.known(lens.present(table, but=entity.id), actor)
        if lens.numbers_known(one)
    ]
    yield Field(
        "student",
        "Who is taught?",
        "entity",
        (Choice("", "Somebody else"), *lens.choose(others)),
        default="",
        required=False,
        rule="toaster.2.skill-teach-base",
    )
    yield Field(
        "subject",
        "In which skill?",
        "choice",
        tuple(
            Choice(one.key, f"{one.name}, base {one.base}") for one in lens.skills(table, entity)
        ),
        default="",
        required=False,
        rule="toaster.2.skill-teach-base",
    )


def need_problems(table: Table, entity: Entity, answers: Answers) -> tuple[Problem, ...]:
    """What is missing for the skill to be of use, unless the GM lets it be tried."""
    need = needed(table, answers)
    if not need or answers.get("despite"):
        return ()
    if need == LANGUAGE:
        spoken = str(answers.get("language") or "")
        if spoken and lens.skill_base(table, entity, spoken) > 0:
            return ()
        sentence = f"{entity.name} does not know the language, and so reads nothing from lips."
        return (Problem("language", "toaster.2.skill-lipreading-language", sentence),)
    student, subject = lens.whom(table, answers.get("student")), str(answers.get("subject") or "")
    if student is None or not subject:
        return ()
    ours, theirs = (lens.skill_base(table, one, subject) for one in (entity, student))
    if ours > theirs:
        return ()
    sentence = (
        f"{entity.name} has base {ours} in {lens.skill_name(table, subject)} and {student.name} "
        f"base {theirs}; whoever teaches needs the higher base."
    )
    return (Problem("subject", "toaster.2.skill-teach-base", sentence),)
