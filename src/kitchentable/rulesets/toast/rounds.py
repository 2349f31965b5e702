"""A fight from its beginning to its end: who is in it, round after round, and when it is over."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Field,
    Move,
    Problem,
    Result,
    RuleRefuses,
    Table,
    listed,
    running,
)
from kitchentable.rules.rounds import (
    cards_of_the_fight,
    closing_moves,
    side_fields,
    side_problems,
    sides_of,
)
from kitchentable.rulesets.toast.character import is_awake, present
from kitchentable.rulesets.toast.fight import new_fight, next_round, step
from kitchentable.rulesets.toast.initiative import order_words
from kitchentable.rulesets.toast.lists import role_changes, role_fields


def _when_peace(table: Table, actor: Actor) -> str | None:
    if table.fight is not None:
        return "A fight is on already."
    return None if any(is_awake(one) for one in present(table)) else "Nobody is there to fight."


def _begin_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    able = tuple(one for one in present(table) if is_awake(one))
    return (*side_fields(able), *role_fields(table))


def _begin_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return side_problems(table, answers, "toast.7-init-roll")


def _begin(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    sides = sides_of(answers)
    names = [table.entities[one].name for one in sides if not table.entities[one].hidden]
    roles, lines = role_changes(table, answers)
    card = Card(
        "A fight begins",
        f"Roll Initiative: {listed(names)}.",
        lines=lines,
        rules=("toast.7-init-roll",),
    )
    return Result(card, (*roles, Change(("fight",), new_fight(sides))))


BEGIN = Move(
    "fight",
    "Begin a fight",
    "Say who fights, and on which side.",
    ("toast.7-init-roll", "toast.3-list-combat-roles"),
    _begin,
    by=("gm",),
    place="gm",
    when=_when_peace,
    fields=_begin_fields,
    check=_begin_check,
    for_entity=False,
)

# ---------------------------------------------------------------- rounds and the end


def _goes_on(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-round-repeat")
    next_round(table, fight)
    changes, asks = step(table, fight)
    kept = [ask.id for ask in asks]
    card = Card(
        f"Round {fight['round']}",
        "Roll Initiative again." if fight["phase"] == "initiative" else order_words(table, fight),
        rules=("toast.7-round-repeat",),
    )
    closes = tuple(one for one in cards_of_the_fight(table) if one not in kept)
    return Result(card, changes, asks, closes)


def _ends(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    why = str(answers.get("why") or "")
    card = Card(
        "The fight is over", why or "Nobody wants to fight any more.", rules=("toast.7-end",)
    )
    return Result(card, (Change(("fight",), None),), closes=cards_of_the_fight(table))


STILL_FIGHTING, NEXT_ROUND, END_FIGHT = closing_moves(
    _goes_on,
    _ends,
    "toast.7-end",
    ("toast.7-round-repeat",),
    "Everybody again, with new Initiative.",
    "A fight ends when nobody wants to fight any more.",
)
