"""Three sides or more, races, rivals, and one throw against everybody who looks on."""

from __future__ import annotations

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
from kitchentable.rulesets.toaster.actions.fields import on_field, own_fields
from kitchentable.rulesets.toaster.actions.gmfields import gm_fields
from kitchentable.rulesets.toaster.actions.luck import points
from kitchentable.rulesets.toaster.actions.opposing import (
    ONLOOKERS,
    OPPOSED,
    PARALLEL,
    RACE,
    Party,
    contest_question,
    party,
)
from kitchentable.rulesets.toaster.actions.reckoning import Names
from kitchentable.rulesets.toaster.actions.settling import settle_or_wait
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.contests import Contest
from kitchentable.rulesets.toaster.options.reading import setting

#: What is usually thrown in each kind: whoever begins, and the others.
_USUAL = {RACE: ("run", "run"), ONLOOKERS: ("sleight-of-hand", "perception")}


def _able(table: Table) -> tuple[Entity, ...]:
    return tuple(one for one in lens.present(table) if harm.can_act(table, one) is None)


def _names(entity: Entity) -> Names:
    return Names(suffix=f".{entity.id}")


def _order(table: Table, answers: Answers) -> list[Entity]:
    """Those who take part; who is watched by the others comes first."""
    picked = answers.get("who")
    ids = [str(one) for one in picked] if isinstance(picked, list) else []
    first = str(answers.get("first") or "")
    if answers.get("kind") == ONLOOKERS and first:
        ids = [first, *(one for one in ids if one != first)]
    return [table.entities[one] for one in ids if one in table.entities]


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    people = _able(table)
    kind = Field(
        "kind",
        "What is it?",
        "choice",
        (
            Choice(OPPOSED, "A contest", "The highest total wins."),
            Choice(RACE, "A race or a chase", "The order of totals is the order at the end."),
            Choice(PARALLEL, "Rivals side by side", "Each needs 10."),
            Choice(ONLOOKERS, "One against all who look on", "One throw against each of theirs."),
        ),
        default=OPPOSED,
        rule="toaster.3.opposed-multi",
    )
    who = Field(
        "who",
        "Who takes part?",
        "many",
        lens.choose(people),
        low=2,
        rule="toaster.3.opposed-multi",
    )
    fields = [
        kind,
        who,
        Field("what", "What is it about?", required=False, default="", longest=400),
    ]
    if answers.get("kind") == ONLOOKERS:
        fields.append(
            Field(
                "first",
                "Who is looked at?",
                "entity",
                lens.choose(people),
                rule="toaster.2.skill-sleight-opposed",
            )
        )
    usual = _USUAL.get(str(answers.get("kind")))
    for at, one in enumerate(_order(table, answers)):
        names = _names(one)
        proposed = (usual[0 if at == 0 else 1],) if usual else ()
        fields.append(
            on_field(table, one, names, label=f"{one.name} on", set_by=GM, proposed=proposed)
        )
        fields += own_fields(table, one, answers, names, set_by=GM)
        fields += gm_fields(table, answers, names, whose=one.name, of=one)
    return tuple(fields)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    people = _order(table, answers)
    if len(people) < 2:
        return (Problem("who", "toaster.3.opposed-multi", "That takes two at least."),)
    problems = []
    for one in people:
        name, left = _names(one)("luck"), points(table, one)
        if whole(answers.get(name)) > left:
            sentence = f"{one.name} has {lens.plural(left, 'luck point')} left."
            problems.append(Problem(name, "toaster.3.luck-limits", sentence))
    return tuple(problems)


def _parties(table: Table, actor: Actor, answers: Answers) -> list[Party]:
    return [
        party(table, actor, one, answers, _names(one), one.id)
        for one in _order(table, answers)
        if lens.numbers_known(one)
    ]


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    parties = _parties(table, actor, answers)
    if len(parties) < 2 or len(parties) < len(_order(table, answers)):
        return None
    return contest_question(table, str(answers.get("kind") or OPPOSED), parties)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Contest) -> Result:
    about = {
        "what": str(answers.get("what") or ""),
        "told_after": setting(table.options, "difficulty_shown") == "after",
    }
    kind = str(answers.get("kind") or OPPOSED)
    return settle_or_wait(table, actor, kind, _parties(table, actor, answers), outcome, about)


def _when(table: Table, actor: Actor) -> str | None:
    return None if len(_able(table)) >= 2 else "That takes two who can act."


CONTEST_OF_MANY = Move(
    "contest_of_many",
    "A contest of many",
    "A race, a chase, rivals, or one throw against everybody who looks on.",
    (
        "toaster.3.opposed-multi",
        "toaster.3.parallel-contest",
        "toaster.2.skill-run-race",
        "toaster.2.skill-sleight-opposed",
    ),
    _consequences,
    by=(GM,),
    place="gm",
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    for_entity=False,
)
