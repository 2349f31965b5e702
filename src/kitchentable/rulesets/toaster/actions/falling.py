"""A roll against 10 that falls: it may wait for luck, then it is settled and told.

Every roll of one person against 10 goes through here: tasks, called rolls, luck rolls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Entity,
    Json,
    Line,
    Problem,
    Question,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts, outcomes
from kitchentable.rulesets.toaster.actions.facts import Thrown, read_thrown
from kitchentable.rulesets.toaster.actions.luck import AGAIN, points, spend
from kitchentable.rulesets.toaster.actions.prompts import ask_about
from kitchentable.rulesets.toaster.actions.reckoning import SKILL, split
from kitchentable.rulesets.toaster.actions.waiting import Waiting, begin, luck_move, wait_for_luck
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm import state as harm
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import extended


def band(outcome: Outcome) -> str:
    """The outcome word, which is all that the odds are about."""
    return outcome.band


def task_question(
    table: Table, entity: Entity, modifier: int, *, called: bool = False, scope: str = "action"
) -> Question:
    """A roll of somebody's against 10 with all that is added to it.

    toaster.3.unopposed-order, toaster.3.unopposed-target, toaster.3.percentages.
    """
    ext = extended(table.options, scope)
    return Question(
        task,
        (modifier, ext, called, outcomes.varies(table)),
        outcomes.bands(table, ext),
        band,
        ("roll",) if lens.is_closed(entity) or entity.hidden else (),
        outcomes.in_words(modifier, ext, called=called, bands=outcomes.varies(table)),
    )


def luck_problems(table: Table, entity: Entity, answers: Answers) -> tuple[Problem, ...]:
    """More luck allocated than there is (toaster.3.luck-limits)."""
    left = points(table, entity)
    if whole(answers.get("luck")) <= left:
        return ()
    sentence = f"{entity.name} has {lens.plural(left, 'luck point')} left."
    return (Problem("luck", "toaster.3.luck-limits", sentence),)


def fallen(
    table: Table,
    actor: Actor,
    entity: Entity,
    throw: Thrown,
    about: Mapping[str, Json],
    closes: tuple[str, ...] = (),
    *,
    may_throw_again: bool = True,
) -> Result:
    """A roll has fallen: its owner may still spend luck on it, or it is settled at once.

    `about` is what else the card tells; with "gm_only" somebody hidden had a hand in it.

    What was spent beforehand is gone either way; after a zero it counted in the second roll too
    (toaster.3.luck-before-zero).
    """
    paid = spend(table, entity, throw.luck)
    changes = (*paid, *harm.acted(entity), *facts.noted(entity, throw.on))
    left = points(table, entity) - throw.luck
    waiting = begin(table, _waiting(throw, about), [entity])
    if not may_throw_again:
        waiting = replace(waiting, no_again=(entity.id,))
    if left > 0 and _can_better(table, throw, left):
        after = replace(entity, state={**entity.state, "luck": left})
        later = replace(table, entities={**table.entities, entity.id: after})
        ask = wait_for_luck(later, TASK_LUCK.name, _hinted(table, waiting, throw))
        if ask is not None:
            card = _card(table, entity, throw, about, None)
            return Result(card, changes, (ask,), closes)
    settled = settle(table, actor, waiting)
    return replace(settled, changes=(*changes, *settled.changes), closes=closes)


def _waiting(throw: Thrown, about: Mapping[str, Json]) -> Waiting:
    """The facts of a roll that waits; all of them the GM's where a part of it is kept."""
    plain = {"throw": throw.plain(), "about": dict(about)}
    again = (throw.entity,) if throw.called else ()
    used = {throw.entity: throw.luck} if throw.luck else {}
    if throw.kept or about.get("gm_only"):
        return Waiting(throw.name, kept=plain, no_again=again, used=used)
    return Waiting(throw.name, roll=plain, no_again=again, used=used)


def _read(waiting: Waiting) -> tuple[Thrown, dict[str, Any]] | None:
    """The roll and what is to be told of it; None where the GM keeps it and this is no GM's."""
    plain: Any = waiting.kept or waiting.roll
    if not plain:
        return None
    throw = read_thrown(plain["throw"])
    return facts.with_luck(throw, waiting.added.get(throw.entity, 0)), plain["about"]


def _hinted(table: Table, waiting: Waiting, throw: Thrown) -> Waiting:
    """What the owner is told before spending: the total as far as it is open, and how it stands.

    toaster.3.luck-after-blind.
    """
    text = f"The total is {throw.shown}, as far as you know."
    if not throw.kept:
        text = f"The total is {throw.final}."
    if not setting(table.options, "luck_blind"):
        outcome = facts.outcome_for(throw, bands=outcomes.varies(table))
        text = f"{text} As it stands: {outcome.band}."
    return replace(waiting, text=text)


def _can_better(table: Table, throw: Thrown, left: int) -> bool:
    """Whether luck could still change anything that matters."""
    outcome = facts.outcome_for(throw, bands=outcomes.varies(table))
    if throw.zero:
        return left >= AGAIN and not throw.called
    if setting(table.options, "luck_blind"):
        return True
    return outcome.band != ("critical" if outcomes.varies(table) else "success")


def settle(table: Table, actor: Actor, waiting: Waiting) -> Result:
    """What a task came to, once nobody can or will spend more luck on it."""
    found = _read(waiting)
    if found is None:
        return Result()
    throw, about = found
    entity = table.entities[throw.entity]
    outcome = facts.outcome_for(throw, bands=outcomes.varies(table))
    card = _card(table, entity, throw, about, outcome)
    if waiting.about and waiting.about != table.number + 1:
        card = replace(card, about=waiting.about)
    kind, key, _ = split(throw.on)
    ask = ask_about(table, entity, outcome.band, key if kind == SKILL else "", throw.name)
    return Result(card, asks=ask)


def again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    """The same roll thrown again for four points: luck spent beforehand stays with it.

    toaster.3.luck-reroll, toaster.3.luck-mixing.
    """
    found = _read(waiting)
    return task_question(table, entity, found[0].modifier) if found is not None else None


def thrown_again(table: Table, waiting: Waiting, entity: Entity, outcome: Outcome) -> Waiting:
    """The roll with its second throw in place of the first, which is cancelled."""
    found = _read(waiting)
    if found is None:
        return waiting
    throw, about = found
    new = replace(
        throw,
        total=outcome.total,
        zero=outcome.zero,
        fumble=outcome.zero and outcome.fumble,
        second=outcome.second,
        added=0,
    )
    plain = {"throw": new.plain(), "about": about}
    fresh_facts = replace(
        waiting,
        roll={} if waiting.kept else plain,
        kept=plain if waiting.kept else {},
        about=table.number + 1,
    )
    better = _can_better(table, new, points(table, entity) - AGAIN)
    queue = waiting.queue if better else ()
    return _hinted(table, replace(fresh_facts, queue=queue), new)


def _card(
    table: Table,
    entity: Entity,
    throw: Thrown,
    about: Mapping[str, Any],
    outcome: Outcome | None,
) -> Card:
    """The card of a roll; without an outcome, of one that still waits for luck."""
    lines = [Line(str(about["what"]))] if about.get("what") else []
    if throw.zero:
        lines.append(Line("A 0 fails; the second roll says whether it is a fumble."))
    audience = "all" if outcome is not None and about.get("told_after") else GM
    lines.extend(facts.kept_line(entity, throw, audience))
    if outcome is None:
        words, word, tone = "Waits for luck.", "", "plain"
        rules: tuple[str, ...] = ("toaster.3.unopposed-order", "toaster.3.luck-after-plus1")
    else:
        words = outcomes.sentence(table, outcome, quality=bool(about.get("quality")))
        word, tone = outcomes.label(outcome, table), outcomes.tone(table, outcome.band)
        rules = ("toaster.3.unopposed-order", *outcomes.rules_of(table, outcome))
    return Card(
        throw.name,
        words,
        word,
        tone,
        (facts.side(entity, throw),),
        tuple(lines),
        rules,
        entity.id,
        GM if about.get("gm_only") else lens.card_audience(entity),
    )


TASK_LUCK = luck_move("task_luck", "Luck on a roll", settle, again, thrown_again)
