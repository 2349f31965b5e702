"""Learning: what experience buys, for skills that were used and for others."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Result,
    RuleRefuses,
    Table,
    card_audience,
    choose,
    fresh,
    is_closed,
    known,
    whole,
    whom,
)
from kitchentable.rulesets.toaster.character.experience import (
    experience,
    state_change,
    usable,
)
from kitchentable.rulesets.toaster.character.lens import skill_choices
from kitchentable.rulesets.toaster.character.listing import is_on_list, skill_key, skill_name
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.character.points import as_number, cost_of_steps, told
from kitchentable.rulesets.toaster.character.skills import (
    HIGHEST_BASE,
    bought_base,
    find_skill,
    lines,
    skill_base,
)


def _when_improve(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is None or not entity.is_players:
        return "Only players' characters grow by experience."
    return None if experience(entity) > 0 else f"{entity.name} has no experience to spend."


def _improve_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    teachers = choose(
        one
        for one in known(table.in_play(), actor)
        if one.id != actor.entity and not is_closed(one)
    )
    return (
        Field(
            "skill",
            "Skill",
            "choice",
            (*skill_choices(table, entity), Choice("", "Another")),
            rule="toaster.2.adv-used-skills",
        ),
        Field(
            "other",
            "Or another, by its name",
            required=False,
            default="",
            longest=200,
            help="A member of a group: Language: Latin.",
            rule="toaster.2.skills-groups",
        ),
        Field(
            "steps",
            "Steps of its base",
            "number",
            default=1,
            low=1,
            high=HIGHEST_BASE,
            help=f"You have {told(experience(entity))} to spend." if entity else "",
            rule="toaster.2.adv-convert",
        ),
        Field(
            "why",
            "How was it learned, if it was not used?",
            required=False,
            default="",
            longest=600,
            help="Practice with others, or a teacher afterwards. The GM has to agree.",
            rule="toaster.2.adv-unused-skills",
        ),
        Field(
            "teacher",
            "From whom?",
            "choice",
            (Choice("", "Nobody at the table"), *teachers),
            default="",
            required=False,
            help="Of people whose numbers are the GM's, the GM judges.",
            rule="toaster.2.skill-teach-base",
        ),
    )


def _key(table: Table, answers: Answers) -> str:
    return str(answers.get("skill") or "") or skill_key(table, str(answers.get("other") or ""))


def cannot_teach(table: Table, teacher: Entity, student: Entity, key: str) -> str | None:
    """Why somebody cannot teach this skill to somebody; None for a teacher with more training.

    toaster.2.skill-teach-base: the bases count, not the ranks.
    """
    theirs, own = skill_base(table, teacher, key), skill_base(table, student, key)
    if theirs > own:
        return None
    return (
        f"{teacher.name} knows no more about {skill_name(table, key)} than {student.name}: a base "
        f"of {theirs} against {own}."
    )


def _improve_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    key = _key(table, answers)
    if not key or not is_on_list(table, key):
        words = "Say which skill, as this table's list has it."
        return (Problem("other", "toaster.2.skills-campaign-list", words),)
    found = []
    steps = whole(answers.get("steps"))
    base = _bought(entity, key)
    cost = cost_of_steps(table, key, base, base + steps)
    if cost > experience(entity):
        words = (
            f"{plural(steps, 'step')} of {skill_name(table, key)} cost {told(cost)}; there "
            f"are {told(experience(entity))}. What is there is kept."
        )
        found.append(Problem("steps", "toaster.2.skillcost-halves", words))
    if key not in usable(entity) and not str(answers.get("why") or "").strip():
        words = f"{skill_name(table, key)} was not used in the adventure: say how it was learned."
        found.append(Problem("why", "toaster.2.adv-unused-skills", words))
    teacher = whom(table, answers.get("teacher"))
    if teacher is not None and (why := cannot_teach(table, teacher, entity, key)):
        found.append(Problem("teacher", "toaster.2.skill-teach-base", why))
    return tuple(found)


def _bought(entity: Entity, key: str) -> int:
    place = next((p for p, line in lines(entity) if _line_key(line) == key.casefold()), None)
    return bought_base(entity.sheet["skills"][place]) if place is not None else 0


def _line_key(line: Any) -> str:
    of = line.get("of")
    return (f"{line.get('skill')}:{of}" if of else str(line.get("skill"))).casefold()


def _improve(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """A skill that was used goes up at once; for another, or above 10, the GM is asked."""
    entity = table.entities[actor.entity]
    key, steps, why = _key(table, answers), whole(answers["steps"]), str(answers.get("why") or "")
    above = _bought(entity, key) + steps > HIGHEST_BASE
    if (key in usable(entity) and not above) or actor.is_gm:
        return _raise(table, entity, key, steps, why)
    teacher = whom(table, answers.get("teacher"))
    taught = f" {teacher.name} teaches." if teacher else ""
    limit = f" The base would be above {HIGHEST_BASE}." if above else ""
    ask = Ask(
        fresh(table, "improve"),
        (GM,),
        "judge_improvement",
        f"{entity.name}: {skill_name(table, key)} and {plural(steps, 'step')}",
        f"{why}{taught}{limit}",
        preset={"whom": entity.id, "skill": key, "steps": steps, "why": why},
        rules=(
            "toaster.2.adv-unused-skills",
            *(("toaster.2.skill-base-over-10",) if above else ()),
        ),
        entity=entity.id,
    )
    card = Card(
        f"{entity.name} would learn {skill_name(table, key)}",
        f"{why}{taught} The GM has a word in it.",
        rules=("toaster.2.adv-unused-skills",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, asks=(ask,))


def _raise(table: Table, entity: Entity, key: str, steps: int, why: str) -> Result:
    """The base goes up, the points are gone (toaster.2.adv-convert)."""
    base = _bought(entity, key)
    cost = cost_of_steps(table, key, base, base + steps)
    left = experience(entity) - cost
    if left < 0:
        raise RuleRefuses(
            f"{entity.name} has {told(experience(entity))} points; this costs {told(cost)}.",
            "toaster.2.adv-convert",
            code="advance/too-dear",
        )
    rows: list[dict[str, Json]] = [dict(line) for _, line in lines(entity)]
    line = next((one for one in rows if _line_key(one) == key.casefold()), None)
    if line is None:
        line = _new_line(key, {str(one.get("id")) for one in rows})
        rows.append(line)
    line["base"] = base + steps
    before = find_skill(table, entity, key)
    after = find_skill(table, _with(entity, rows), key)
    changes = [
        Change(("entities", entity.id, "sheet", "skills"), rows),
        state_change(entity, "xp", as_number(left)),
    ]
    if base + steps > HIGHEST_BASE:
        where = ("entities", entity.id, "state", "granted", f"base:{key}")
        changes.append(Change(where, {"verdict": "accepted", "word": why}))
    card = Card(
        f"{entity.name}: {before.name}",
        f"Base {base} to {base + steps}, rank {before.rank} to {after.rank}; {told(cost)} spent, "
        f"{told(left)} left.",
        "learned",
        "good",
        lines=(Line(why),) if why else (),
        rules=("toaster.2.adv-convert",),
        entity=entity.id,
    )
    return Result(card, tuple(changes))


def _with(entity: Entity, rows: Json) -> Entity:
    return Entity(
        entity.id,
        entity.name,
        entity.kind,
        entity.owner,
        {**entity.sheet, "skills": rows},
        entity.state,
        entity.stage,
    )


def _new_line(key: str, taken: set[str]) -> dict[str, Json]:
    skill, _, of = key.partition(":")
    number = len(taken) + 1
    while f"s{number}" in taken:
        number += 1
    return {
        "id": f"s{number}",
        "skill": skill,
        "of": of,
        "attribute": "",
        "base": 0,
        "native": False,
        "note": "",
    }


IMPROVE = Move(
    "improve",
    "Learn",
    "Spend experience on the base of a skill: one used in the adventure, or another if the GM "
    "agrees.",
    (
        "toaster.2.adv-convert",
        "toaster.2.adv-used-skills",
        "toaster.2.adv-unused-skills",
        "toaster.2.skill-teach-base",
    ),
    _improve,
    place="closing",
    when=_when_improve,
    fields=_improve_fields,
    check=_improve_check,
)


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "agreed",
            "Is it learned?",
            "choice",
            (Choice("yes", "Yes"), Choice("no", "No")),
            default="yes",
            rule="toaster.2.adv-unused-skills",
        ),
        Field("word", "Why, or why not", required=False, default="", longest=600),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["whom"])]
    key, word = str(answers["skill"]), str(answers.get("word") or "")
    if answers["agreed"] == "yes":
        why = " ".join(one for one in (str(answers.get("why") or ""), word) if one)
        done = _raise(table, entity, key, whole(answers["steps"]), why)
        return Result(done.card, done.changes, closes=(actor.ask,) if actor.ask else ())
    card = Card(
        f"{entity.name}: {skill_name(table, key)} stays as it is",
        word,
        rules=("toaster.2.adv-unused-skills",),
        entity=entity.id,
    )
    return Result(card, closes=(actor.ask,) if actor.ask else ())


JUDGE_IMPROVEMENT = Move(
    "judge_improvement",
    "Learned or not",
    "Say whether a skill that was not used has been learned all the same.",
    ("toaster.2.adv-unused-skills", "toaster.2.skill-base-over-10"),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)
