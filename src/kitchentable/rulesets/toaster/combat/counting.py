"""What somebody does by a roll during a fight: one of their actions there, or a trifle.

Two actions a round may both be thrown for (toaster.4.actions-two), so a task or a contest is one
like any other, unless the GM calls it a trifle (toaster.4.actions-count). Whoever only answers, as
the other side of a contest, spends nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Choice,
    Field,
    Line,
    Move,
    Problem,
    Result,
    Table,
    running,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.combat.beside import may_act, place, spend, step
from kitchentable.rulesets.toaster.harm.state import changed

COUNTS, ACTION, FREE = "counts", "action", "free"
_RULE = "toaster.4.actions-count"


def counted(move: Move) -> Move:
    """The same move, which costs whoever makes it an action while they are in a fight."""

    def fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
        asked = move.fields(table, actor, answers)
        return (*asked, _field(table, actor)) if _fights(table, actor) else asked

    def check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
        problems = move.check(table, actor, answers)
        if any(problem.refuses for problem in problems) or not _is_action(table, actor, answers):
            return problems
        why_not = may_act(table, actor)
        if why_not is None:
            return problems
        mend = "The GM can call this a trifle, or allow one more action."
        return (*problems, Problem(COUNTS, "toaster.4.actions-two", f"{why_not} {mend}"))

    def consequences(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        result = move.consequences(table, actor, answers, outcome)
        return _spent(table, actor, result) if _is_action(table, actor, answers) else result

    return replace(move, fields=fields, check=check, consequences=consequences)


def _fights(table: Table, actor: Actor) -> bool:
    mine = place(table, actor.entity)
    return mine is not None and mine["status"] not in {"out", "left"}


def _is_action(table: Table, actor: Actor, answers: Answers) -> bool:
    return answers.get(COUNTS) == ACTION and _fights(table, actor)


def _field(table: Table, actor: Actor) -> Field:
    """A player's roll is an action by default; what the GM throws out of turn is a trifle."""
    usual = FREE if actor.is_gm and may_act(table, actor) is not None else ACTION
    return Field(
        COUNTS,
        "In the fight it counts",
        "choice",
        (Choice(ACTION, "as an action"), Choice(FREE, "as a trifle: nothing")),
        default=usual,
        set_by=GM,
        help="A look around or a word may cost nothing; picking a lock is an action.",
        rule=_RULE,
    )


def _spent(table: Table, actor: Actor, result: Result) -> Result:
    """One action fewer: the turn goes on, an aim is lost, a stance runs down."""
    entity, fight = table.entities[actor.entity], running(table)
    if fight is None:
        return result
    spend(table, fight, entity.id)
    own = changed(entity, stances.aim_lost(stances.acted(entity)))
    turns, asks = step(table, fight)
    card = result.card
    if card is not None:
        left = fight["fighters"][entity.id]["left"]
        more = f"{lens.plural(left, 'action')} left" if left else "none left"
        told = Line(f"It counts as an action in the fight; {more} this round.")
        card = replace(card, lines=(*card.lines, told), rules=(*card.rules, _RULE))
    return replace(
        result,
        card=card,
        changes=(*result.changes, *own, *turns),
        asks=(*result.asks, *asks),
    )
