"""Two in each other's way, or rivals side by side; the other's owner has a say."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Choice,
    Entity,
    Field,
    Move,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.fields import on_field, own_fields, what_field
from kitchentable.rulesets.toaster.actions.gmfields import gm_fields
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.luck import points
from kitchentable.rulesets.toaster.actions.opposing import (
    OPPOSED,
    PARALLEL,
    Party,
    contest_question,
    party,
    turned,
)
from kitchentable.rulesets.toaster.actions.reckoning import (
    PLAIN_NAMES,
    SKILL,
    Names,
    difficulty,
    is_kept,
    rolled_on,
    split,
)
from kitchentable.rulesets.toaster.actions.settling import settle_or_wait
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.contests import Contest
from kitchentable.rulesets.toaster.options.reading import setting

OTHER = Names(prefix="other_")


def opponents(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """Those whom somebody can contend with: known, and able to act."""
    return tuple(
        one
        for one in lens.known(lens.present(table, but=actor.entity), actor)
        if harm.can_act(table, one) is None
    )


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity, other = lens.whom(table, actor.entity), lens.whom(table, answers.get("other"))
    people = opponents(table, actor)
    against = Field(
        "other",
        "Against whom?",
        "entity",
        lens.choose(people),
        default=people[0].id if len(people) == 1 else None,
        rule="toaster.3.opposed-rolls",
    )
    kind = Field(
        "kind",
        "How are they opposed?",
        "choice",
        (
            Choice(OPPOSED, "Against each other", "The higher total wins."),
            Choice(PARALLEL, "Side by side", "Each needs 10; the better of those who make it."),
        ),
        default=OPPOSED,
        set_by=GM,
        rule="toaster.3.parallel-contest",
    )
    first = (what_field(), on_field(table, entity), *own_fields(table, entity, answers))
    gm = (kind, *gm_fields(table, answers, whose=entity.name if entity else "", of=entity))
    if other is None:
        return (against, *first, *gm)
    theirs = on_field(
        table,
        other,
        OTHER,
        label=f"{other.name} on",
        set_by="owner:other",
        proposed=_usual(table, answers),
    )
    return (
        against,
        *first,
        theirs,
        *own_fields(table, other, answers, OTHER, set_by="owner:other"),
        *gm,
        *_warned(table, answers, gm_fields(table, answers, OTHER, whose=other.name, of=other)),
    )


def _usual(table: Table, answers: Answers) -> tuple[str, ...]:
    """What usually meets the skill that was picked: Empathy against Act, Perception against
    Stealth. toaster.2.skill-act-vs-empathy, toaster.2.skill-stealth-opposed.
    """
    kind, key, _ = split(rolled_on(answers))
    if kind != SKILL:
        return ()
    return (*hint(table, key).against, key)


def _warned(table: Table, answers: Answers, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    return tuple(
        replace(one, help=twice(table, answers)) if one.name == OTHER("difficulty") else one
        for one in fields
    )


def twice(table: Table, answers: Answers) -> str:
    """A warning where one disadvantage may have been counted on both sides; "" where not.

    toaster.3.difficulty-opposed-one-side.
    """
    ours, theirs = difficulty(table, answers), difficulty(table, answers, OTHER)
    if ours is None or theirs is None or ours.value * theirs.value >= 0:
        return ""
    return "One disadvantage counts once: on the one side, or on the other."


def _parties(table: Table, actor: Actor, answers: Answers) -> tuple[Party, Party] | None:
    first, second = lens.whom(table, actor.entity), lens.whom(table, answers.get("other"))
    if first is None or second is None:
        return None
    if not (lens.numbers_known(first) and lens.numbers_known(second)):
        return None
    for names in (PLAIN_NAMES, OTHER):
        for key in ("difficulty", "circumstances", "modifiers"):
            if is_kept(actor, names, key) and names(key) not in answers:
                return None
    pair = (
        party(table, actor, first, answers, PLAIN_NAMES, "first"),
        party(table, actor, second, answers, OTHER, "second"),
    )
    return pair if answers.get("kind") == PARALLEL else turned(*pair)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    parties = _parties(table, actor, answers)
    if parties is None:
        return None
    return contest_question(table, str(answers.get("kind") or OPPOSED), parties)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    problems = []
    sides = ((actor.entity, PLAIN_NAMES), (answers.get("other"), OTHER))
    for ident, names in sides:
        entity = lens.whom(table, ident)
        if entity is None:
            continue
        unable = harm.can_act(table, entity)
        if unable is not None:
            problems.append(Problem("", "toaster.4.mortal-last-act", unable))
        left = points(table, entity)
        if whole(answers.get(names("luck"))) > left:
            sentence = f"{entity.name} has {lens.plural(left, 'luck point')} left."
            problems.append(Problem(names("luck"), "toaster.3.luck-limits", sentence))
    return tuple(problems)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Contest) -> Result:
    parties = _parties(table, actor, answers)
    if parties is None:
        return Result()
    about = {
        "what": str(answers.get("what") or ""),
        "told_after": setting(table.options, "difficulty_shown") == "after",
    }
    kind = str(answers.get("kind") or OPPOSED)
    return settle_or_wait(table, actor, kind, parties, outcome, about)


def _when(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    unable = harm.can_act(table, entity) if entity is not None else None
    if unable is not None:
        return unable
    return None if opponents(table, actor) else "Nobody is there to contend with."


CONTEST = Move(
    "contest",
    "A contest",
    "Two against each other: both throw, and the higher total wins.",
    (
        "toaster.3.opposed-skills",
        "toaster.3.opposed-rolls",
        "toaster.3.opposed-highest",
        "toaster.3.difficulty-opposed-scale",
    ),
    _consequences,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
)
