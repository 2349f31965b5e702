"""Unopposed actions: whether there is a roll at all, the roll against 10, and what it came to."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts
from kitchentable.rulesets.toaster.actions.falling import fallen, luck_problems, task_question
from kitchentable.rulesets.toaster.actions.fields import (
    on_field,
    on_name,
    own_fields,
    ruled_out_field,
    what_field,
)
from kitchentable.rulesets.toaster.actions.gmfields import gm_fields
from kitchentable.rulesets.toaster.actions.hints import hint
from kitchentable.rulesets.toaster.actions.needs import need_fields, need_problems
from kitchentable.rulesets.toaster.actions.reckoning import (
    PLAIN_NAMES,
    SKILL,
    Reckoning,
    helping,
    is_kept,
    of_the_gm,
    own_parts,
    rolled_on,
    split,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, Outcome
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import extended

RULES, ROLL, ROUTINE, AUTOMATIC, IMPOSSIBLE = "rules", "roll", "routine", "automatic", "impossible"

_VERDICTS = (
    Choice(RULES, "As the rules have it", "A roll, unless it succeeds even with a 0."),
    Choice(ROLL, "A roll", "It is perilous, dramatic or uncertain."),
    Choice(ROUTINE, "Routine", "Whoever is trained just does it; others roll."),
    Choice(AUTOMATIC, "Automatic", "Anybody manages that."),
    Choice(IMPOSSIBLE, "Impossible", "It fails without a roll."),
)


def _verdict_field(default: str = RULES) -> Field:
    return Field(
        "verdict",
        "Is there a roll?",
        "choice",
        _VERDICTS,
        default=default,
        set_by=GM,
        rule="toaster.3.gm-decides-roll",
    )


def _quality_field() -> Field:
    return Field(
        "measures",
        "What does the roll measure?",
        "choice",
        (Choice("whether", "whether it is done"), Choice("quality", "how well it is done")),
        default="whether",
        set_by=GM,
        rule="toaster.3.dice-quality",
    )


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    return (
        what_field(),
        on_field(table, entity),
        *_use_field(table, answers),
        *own_fields(table, entity, answers),
        *need_fields(table, actor, entity, answers),
        _verdict_field(),
        *ruled_out_field(table, entity, answers),
        _quality_field(),
        *gm_fields(table, answers, of=entity),
    )


def _use_field(table: Table, answers: Answers) -> tuple[Field, ...]:
    """What the skill is used for, where that makes a difference."""
    kind, key, _ = split(rolled_on(answers))
    uses = hint(table, key).uses if kind == SKILL else ()
    if not uses:
        return ()
    return (
        Field(
            "use",
            "What for?",
            "choice",
            (
                Choice("", "Something else"),
                *(
                    Choice(one.key, one.name, "A contest, as a rule." if one.contest else "")
                    for one in uses
                ),
            ),
            default="",
            required=False,
            needs_yes=True,
            rule=next((one.rule for one in uses if one.rule), hint(table, key).rule),
        ),
    )


def reckon(table: Table, actor: Actor, entity: Entity, answers: Answers) -> Reckoning:
    """All that is added to the die of a task."""
    open_parts, kept = of_the_gm(table, actor, answers)
    own = (*own_parts(table, entity, answers), *helping(table, answers))
    return Reckoning((*own, *open_parts), kept)


def verdict(table: Table, entity: Entity, answers: Answers, modifier: int) -> str:
    """Whether to roll ("roll"), or how it ends without: "automatic" or "impossible".

    toaster.3.auto-mundane, toaster.3.auto-failure, toaster.3.dice-when. Routine needs training, a
    base of 1 or more, and not merely a rank (toaster.3.auto-trained, toaster.2.skill-swim-afloat).
    What succeeds even on a 0 is not rolled for (toaster.3.no-roll-if-sure), unless zeros fail and
    the table wants to see (toaster.3.roll-anyway-zeros).
    """
    if answers.get("ruled_out"):
        return IMPOSSIBLE  # toaster.2.trait-disability
    said = str(answers.get("verdict") or RULES)
    kind, key, _ = split(rolled_on(answers))
    if said == RULES and kind == SKILL:
        used = [one for one in hint(table, key).uses if one.key == answers.get("use")]
        said = ROUTINE if any(one.routine for one in used) else said
    if said in {AUTOMATIC, IMPOSSIBLE, ROLL}:
        return said
    if said == ROUTINE and kind == SKILL and lens.skill_base(table, entity, key) > 0:
        return AUTOMATIC
    sure = modifier >= TARGET
    anyway = extended(table.options).zeros and setting(table.options, "roll_when_sure")
    return AUTOMATIC if sure and not anyway else ROLL


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity) or _is_missing(actor, answers):
        return None
    reckoning = reckon(table, actor, entity, answers)
    if verdict(table, entity, answers, reckoning.modifier) != ROLL:
        return None
    return task_question(table, entity, reckoning.modifier, called=bool(answers.get("called")))


def _is_missing(actor: Actor, answers: Answers) -> bool:
    """On a player's table what the GM keeps is missing, and without it there are no odds."""
    return any(
        is_kept(actor, PLAIN_NAMES, key) and key not in answers
        for key in ("difficulty", "circumstances", "modifiers")
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = lens.whom(table, actor.entity)
    if entity is None:
        return ()
    unable = harm.can_act(table, entity)
    if unable is not None:
        return (Problem("", "toaster.4.mortal-last-act", unable),)
    return (*luck_problems(table, entity, answers), *need_problems(table, entity, answers))


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Outcome | None) -> Result:
    entity = table.entities[actor.entity]
    reckoning = reckon(table, actor, entity, answers)
    if outcome is None:
        return _without_dice(table, actor, entity, answers, reckoning)
    throw = facts.thrown(
        entity,
        on_name(table, answers),
        str(rolled_on(answers)),
        "roll",
        reckoning,
        outcome,
    )
    throw = replace(throw, called=bool(answers.get("called")), luck=whole(answers.get("luck")))
    about = {
        "what": str(answers.get("what") or ""),
        "quality": answers.get("measures") == "quality",
        "told_after": setting(table.options, "difficulty_shown") == "after",
    }
    return fallen(table, actor, entity, throw, about)


def _without_dice(
    table: Table, actor: Actor, entity: Entity, answers: Answers, reckoning: Reckoning
) -> Result:
    """No die is drawn: it is done, or it cannot be done (toaster.3.gm-decides-roll)."""
    done = verdict(table, entity, answers, reckoning.modifier) == AUTOMATIC
    said = str(answers.get("verdict") or RULES)
    why = {
        AUTOMATIC: "Nobody fails at that.",
        ROUTINE: f"{entity.name} has learned that.",
        IMPOSSIBLE: "That cannot be done.",
        RULES: "Even a 0 would be enough.",
    }
    rules = {
        AUTOMATIC: "toaster.3.auto-mundane",
        ROUTINE: "toaster.3.auto-trained",
        IMPOSSIBLE: "toaster.3.auto-failure",
        RULES: "toaster.3.no-roll-if-sure",
    }
    if said == RULES and reckoning.modifier < TARGET:
        said = ROUTINE
    what = (Line(str(answers["what"])),) if answers.get("what") else ()
    card = Card(
        on_name(table, answers),
        f"{'Succeeds' if done else 'Fails'} without a roll. {why[said]}",
        "automatic success" if done else "automatic failure",
        "good" if done else "bad",
        lines=what,
        rules=("toaster.3.gm-decides-roll", rules[said]),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, harm.acted(entity))


def _when(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    return harm.can_act(table, entity) if entity is not None else None


TASK = Move(
    "task",
    "Do something",
    "A skill or an attribute against 10, with a d10* and what helps or hinders.",
    (
        "toaster.3.gm-decides-roll",
        "toaster.3.unopposed-order",
        "toaster.3.unopposed-target",
        "toaster.3.which-skill",
    ),
    _consequences,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
    examples=({"on": "skill:perception", "difficulty": "difficult"},),
)

__all__ = ["TASK", "reckon", "verdict"]
