"""A fight from its beginning to its end: who is in it, round after round, and when it is over."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Field,
    Line,
    Move,
    Problem,
    Result,
    RuleRefuses,
    Table,
    differences,
    running,
    whole,
)
from kitchentable.rules.rounds import (
    cards_of_the_fight,
    closing_moves,
    side_fields,
    side_problems,
    sides_of,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.fight import (
    Fight,
    fall,
    new_fight,
    new_fighter,
    next_round,
    place,
    step,
)
from kitchentable.rulesets.toaster.harm.passing import after_fight, end_of_round, fallen
from kitchentable.rulesets.toaster.harm.state import AWAKE, is_awake


def _when_peace(table: Table, actor: Actor) -> str | None:
    if table.fight is not None:
        return "A fight is on already."
    return None if any(is_awake(one) for one in lens.present(table)) else "Nobody is there."


def _begin_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    able = tuple(one for one in lens.present(table) if is_awake(one))
    near = "Everybody in the action, or near it."
    return side_fields(able, "toaster.4.initiative-roll", near)


def _begin_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return side_problems(table, answers, "toaster.4.initiative-roll")


def _begin(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    sides = sides_of(answers)
    names = [table.entities[one].name for one in sides if not table.entities[one].hidden]
    card = Card(
        "A fight begins",
        f"Roll initiative: {lens.listed(names)}.",
        rules=("toaster.4.round", "toaster.4.initiative-roll"),
    )
    return Result(card, (Change(("fight",), new_fight(table, sides)),))


BEGIN = Move(
    "fight",
    "Begin a fight",
    "Say who fights, and on which side.",
    ("toaster.4.round", "toaster.4.initiative-roll"),
    _begin,
    by=("gm",),
    place="gm",
    when=_when_peace,
    fields=_begin_fields,
    check=_begin_check,
    for_entity=False,
)

# ---------------------------------------------------------------- rounds and the end


def felled(fight: Fight, changes: tuple[Change, ...]) -> None:
    """Whoever goes down by these changes is out of the fight."""
    for who, condition in fallen(changes).items():
        if condition != AWAKE:
            fall(fight, who)


def _goes_on(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """A round ends and the next begins: blood, countdowns, long actions, new initiative."""
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toaster.4.round")
    passed = end_of_round(table)
    felled(fight, passed.changes)
    done = _long_actions(table, fight)
    next_round(table, fight)
    changes, asks = step(table, fight)
    kept = [ask.id for ask in asks]
    card = Card(
        f"Round {fight['round']}",
        "Roll initiative again." if fight["phase"] == "initiative" else "",
        lines=(*passed.lines, *done),
        rules=("toaster.4.round", "toaster.4.initiative-order"),
    )
    closes = tuple(one for one in cards_of_the_fight(table) if one not in kept)
    return Result(card, (*passed.changes, *changes), (*passed.asks, *asks), closes)


def _long_actions(table: Table, fight: Fight) -> tuple[Line, ...]:
    """Long actions come a round nearer to their end (toaster.4.long-actions)."""
    lines: list[Line] = []
    for who, one in fight["fighters"].items():
        running_ = one["long"]
        if not running_:
            continue
        running_["done"] = whole(running_["done"]) + 1
        entity = table.entities.get(who)
        name = entity.name if entity is not None else "Somebody"
        audience = lens.card_audience(*((entity,) if entity is not None else ()))
        if running_["done"] >= whole(running_["rounds"]):
            lines.append(Line(f"{name} is done: {running_['what']}.", audience))
            one["long"] = None
    return tuple(lines)


def _ends(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    why = str(answers.get("why") or "")
    card = Card("The fight is over", why or "Nobody wants to fight on.", rules=("toaster.4.round",))
    changes = (Change(("fight",), None), *after_fight(table))
    return Result(card, changes, closes=cards_of_the_fight(table))


STILL_FIGHTING, NEXT_ROUND, END_FIGHT = closing_moves(
    _goes_on,
    _ends,
    "toaster.4.round",
    ("toaster.4.round", "toaster.4.initiative-roll", "toaster.4.initiative-order"),
    "The round ends: blood is lost, countdowns run, and everybody rolls initiative again.",
    "Go back to ordinary time.",
)

# ---------------------------------------------------------------- coming and going


def _when_in_fight(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    return "They are not in a fight." if mine is None or mine["status"] in {"out", "left"} else None


def _leaves(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toaster.4.round")
    fall(fight, entity.id, "left")
    changes, asks = step(table, fight)
    card = Card(
        "Out of the fight",
        str(answers.get("how") or "Fights no more."),
        rules=("toaster.4.round",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changes, asks)


def _leave_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field("how", "How?", required=False, default="", help="Flight, surrender ...", longest=200),
    )


LEAVE = Move(
    "leave",
    "Leave the fight",
    "Stop fighting: flee, yield, walk away.",
    ("toaster.4.round",),
    _leaves,
    place="fight",
    when=_when_in_fight,
    fields=_leave_fields,
)


def _when_join(table: Table, actor: Actor) -> str | None:
    entity, mine = lens.whom(table, actor.entity), place(table, actor.entity)
    if table.fight is None:
        return "No fight is on."
    if entity is None or not is_awake(entity):
        return "They cannot fight as things stand."
    return None if mine is None or mine["status"] in {"out", "left"} else "They are in it already."


def _join_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    mine, entity = place(table, actor.entity), lens.whom(table, actor.entity)
    side = mine["side"] if mine else "heroes" if entity and entity.is_players else "foes"
    return (Field("side", "On which side?", default=side, longest=40),)


def _joins(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity, fight = table.entities[actor.entity], running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toaster.4.initiative-roll")
    now = fight["phase"] == "initiative"
    status = "to roll" if now else "joins"
    fight["fighters"][entity.id] = new_fighter(table, str(answers["side"]), status)
    card = Card(
        "Joins the fight",
        "Rolls initiative with the others." if now else "Rolls initiative from the next round on.",
        rules=("toaster.4.initiative-roll",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, differences(("fight",), dict(table.fight or {}), fight))


JOIN = Move(
    "join",
    "Join the fight",
    "Bring somebody into the fight, or back into it.",
    ("toaster.4.initiative-roll",),
    _joins,
    by=("gm",),
    place="fight",
    when=_when_join,
    fields=_join_fields,
)


MOVES = (BEGIN, NEXT_ROUND, END_FIGHT, STILL_FIGHTING, LEAVE, JOIN)
