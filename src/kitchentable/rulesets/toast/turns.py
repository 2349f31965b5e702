"""Turns in a fight: a short way and one action, who may take them, and passing the turn on."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Field,
    Move,
    Result,
    RuleRefuses,
    Table,
    card_audience,
    running,
    whom,
)
from kitchentable.rulesets.toast.character import is_awake
from kitchentable.rulesets.toast.fight import (
    actions_left,
    fall,
    is_acting,
    new_fighter,
    next_turn,
    place,
    step,
    take_action,
)
from kitchentable.rulesets.toast.options import setting


def action_fields(table: Table, actor: Actor, *, optional: bool = False) -> tuple[Field, ...]:
    """What an action in a fight asks besides: whether it is one, whether the turn ends with it."""
    left = actions_left(table, actor.entity)
    if left <= 0:
        return ()
    ends = Field(
        "ends_turn",
        "And end the turn",
        "tick",
        default=left == 1 and is_acting(table, actor.entity),
        required=False,
        rule="toast.7-turn-action",
    )
    uses = Field(
        "uses_action",
        "It is my action",
        "tick",
        default=True,
        required=False,
        rule="toast.7-turn-action",
    )
    return (uses, ends) if optional else (ends,)


def may_act(table: Table, actor: Actor) -> str | None:
    """Why this one cannot take an action now; the GM can allow one more."""
    entity = whom(table, actor.entity)
    if entity is None:
        return None
    if not is_awake(entity):
        return f"{entity.name} cannot act before somebody gives first aid."
    if table.fight is None or actions_left(table, entity.id) > 0:
        return None
    if place(table, entity.id) is None:
        return f"{entity.name} is not in this fight; the GM can let them join."
    if not is_acting(table, entity.id):
        return f"It is not {entity.name}'s turn."
    return f"{entity.name} has taken the action of this turn."


def spend(table: Table, actor: Actor, answers: Answers, fight: dict[str, Any] | None) -> None:
    """Count the action in the fight, and end the turn if that was said."""
    if fight is None or actions_left(table, actor.entity) <= 0:
        return
    if not answers.get("uses_action", True):
        return
    take_action(table, fight, actor.entity)
    if answers.get("ends_turn") and fight["turn"] == actor.entity:
        next_turn(fight)


def after_action(
    table: Table, actor: Actor, answers: Answers
) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What an action changes in the fight, where there is one."""
    fight = running(table)
    spend(table, actor, answers, fight)
    return step(table, fight)


# ---------------------------------------------------------------- moves of a turn


def _acts(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    changes, asks = after_action(table, actor, answers)
    card = Card(
        "Action",
        str(answers["what"]),
        rules=("toast.7-turn-action",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, changes, asks)


def _act_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("what", "What do you do?", longest=400), *action_fields(table, actor))


def _when_acting(table: Table, actor: Actor) -> str | None:
    if table.fight is None:
        return "No fight is on."
    return may_act(table, actor)


def _when_turn(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if table.fight is None:
        return "No fight is on."
    if entity is None or not is_acting(table, entity.id):
        return "It is not their turn."
    return None


def _when_step(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is not None and mine["moved"] and is_acting(table, actor.entity):
        return "They have moved this turn."
    return _when_turn(table, actor)


def _step_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    hint = str(setting(table.options, "move_hint") or "")
    where = Field("where", "Where to?", required=False, default="", help=hint, longest=200)
    return (where,)


def _steps(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    where = answers.get("where")
    card = Card(
        "Moves",
        str(where) if where else "Moves a short way.",
        rules=("toast.7-turn-move",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, (Change(("fight", "fighters", entity.id, "moved"), now=True),))


def _passes(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    fight = running(table)
    if fight is None or not is_acting(table, entity.id):
        raise RuleRefuses(f"It is not {entity.name}'s turn.", "toast.7-init-order")
    next_turn(fight)
    changes, asks = step(table, fight)
    card = Card(
        "Turn",
        "Ends the turn.",
        rules=("toast.7-init-order",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, changes, asks)


def _when_in_fight(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is None or mine["status"] in {"out", "left"}:
        return "They are not in a fight."
    return None


def _leaves(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-end")
    fall(fight, entity.id, "left")
    changes, asks = step(table, fight)
    card = Card(
        "Out of the fight",
        str(answers.get("how") or "Fights no more."),
        rules=("toast.7-end",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, changes, asks)


def _leave_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field("how", "How?", required=False, default="", help="Flight, surrender ...", longest=200),
    )


def _when_join(table: Table, actor: Actor) -> str | None:
    if table.fight is None:
        return "No fight is on."
    entity = whom(table, actor.entity)
    if entity is None or not is_awake(entity):
        return "They cannot fight as things stand."
    mine = place(table, actor.entity)
    return None if mine is None or mine["status"] in {"out", "left"} else "They are in it already."


def _join_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    mine = place(table, actor.entity)
    entity = whom(table, actor.entity)
    side = mine["side"] if mine else "heroes" if entity and entity.is_players else "foes"
    return (Field("side", "On which side?", default=side, longest=40),)


def _joins(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    now = table.fight is not None and table.fight["phase"] == "initiative"
    one = new_fighter(str(answers["side"]), "to roll" if now else "joins")
    card = Card(
        "Joins the fight",
        "Rolls Initiative with the others." if now else "Rolls Initiative from the next round on.",
        rules=("toast.7-init-roll", "toast.7.3-first-aid-detail"),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, (Change(("fight", "fighters", entity.id), one),))


def _when_more(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is None or mine["status"] in {"out", "left"}:
        return "They are not in a fight."
    return None


def _more_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("why", "Why may they act?", longest=200, rule="toast.7-turn-action"),)


def _more(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-turn-action")
    extra = fight["fighters"][entity.id]["extra"] + 1
    card = Card(
        f"{entity.name} may act once more",
        f"By the GM's leave: {answers['why']}",
        rules=("toast.7-turn-action",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, (Change(("fight", "fighters", entity.id, "extra"), extra),))


ONE_MORE = Move(
    "one_more",
    "Allow an action",
    "Let somebody act out of turn, or once more, and say why.",
    ("toast.7-turn-action",),
    _more,
    by=("gm",),
    place="fight",
    when=_when_more,
    fields=_more_fields,
)
ACT = Move(
    "act",
    "Another action",
    "Spend the action of your turn on something without dice.",
    ("toast.7-turn-action",),
    _acts,
    place="fight",
    when=_when_acting,
    fields=_act_fields,
)
STEP = Move(
    "step",
    "Move",
    "Cover a little ground, once a turn.",
    ("toast.7-turn-move",),
    _steps,
    place="fight",
    when=_when_step,
    fields=_step_fields,
)
END_TURN = Move(
    "end_turn",
    "End the turn",
    "Pass on to the next in order.",
    ("toast.7-init-order",),
    _passes,
    place="fight",
    when=_when_turn,
)
LEAVE = Move(
    "leave",
    "Leave the fight",
    "Stop fighting: flee, yield, walk away.",
    ("toast.7-end",),
    _leaves,
    place="fight",
    when=_when_in_fight,
    fields=_leave_fields,
)
JOIN = Move(
    "join",
    "Join the fight",
    "Bring somebody into the fight, or back into it.",
    ("toast.7-init-roll", "toast.7.3-first-aid-detail"),
    _joins,
    by=("gm",),
    place="fight",
    when=_when_join,
    fields=_join_fields,
)
