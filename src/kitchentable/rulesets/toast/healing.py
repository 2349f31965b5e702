"""Getting better: first aid wakes, a day's rest mends, and an accident hurts."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Entity,
    Field,
    Line,
    Move,
    Result,
    Table,
    asked,
    card_audience,
    choose,
    fresh,
    known,
    running,
    whole,
    whom,
)
from kitchentable.rulesets.toast.character import (
    AWAKE,
    UNCONSCIOUS,
    condition,
    is_awake,
    now,
    present,
    wounds,
)
from kitchentable.rulesets.toast.fight import place, step
from kitchentable.rulesets.toast.options import setting
from kitchentable.rulesets.toast.turns import action_fields, may_act, spend
from kitchentable.rulesets.toast.wounds import wound

# ---------------------------------------------------------------- first aid


def _patients(table: Table, actor: Actor) -> tuple[Entity, ...]:
    people = known(present(table, but=actor.entity), actor)
    return tuple(one for one in people if condition(one) == UNCONSCIOUS)


def _takes_action(table: Table) -> bool:
    return table.fight is not None and bool(setting(table.options, "first_aid_action"))


def _when_aid(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is not None and not is_awake(entity):
        return f"{entity.name} is not conscious."
    if not _patients(table, actor):
        return "Nobody lies unconscious."
    return may_act(table, actor) if _takes_action(table) else None


def _aid_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    people = _patients(table, actor)
    only = people[0].id if len(people) == 1 else None
    who = Field(
        "patient", "Whom?", "entity", choose(people), default=only, rule="toast.7.3-first-aid"
    )
    return (who, *(action_fields(table, actor) if _takes_action(table) else ()))


def _aid(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The patient wakes, wounds and all, and sits out this fight unless the GM says otherwise."""
    helper, patient = table.entities[actor.entity], table.entities[str(answers["patient"])]
    fight = running(table)
    if _takes_action(table):
        spend(table, actor, answers, fight)
    changes, asks = step(table, fight)
    if place(table, patient.id) is not None:
        asks = (*asks, _rejoin_ask(table, patient))
    card = Card(
        f"First aid for {patient.name}",
        f"{patient.name} is conscious again. The wounds stay: {wounds(patient)}.",
        "conscious",
        "good",
        rules=("toast.7.3-first-aid", "toast.7.3-first-aid-detail"),
        entity=helper.id,
        audience=card_audience(helper, patient),
    )
    return Result(card, (now(patient, "condition", AWAKE), *changes), asks)


FIRST_AID = Move(
    "first_aid",
    "First aid",
    "Bring somebody unconscious round. No roll; in a fight it takes your action.",
    ("toast.7.3-first-aid", "toast.7.3-first-aid-detail"),
    _aid,
    place="rest",
    when=_when_aid,
    fields=_aid_fields,
)


def _rejoin_ask(table: Table, patient: Entity) -> Ask:
    return Ask(
        fresh(table, "rejoin"),
        (GM,),
        "rejoin",
        f"Does {patient.name} fight on?",
        "By default somebody who was brought round sits out this fight.",
        rules=("toast.7.3-first-aid-detail",),
        skippable=True,
        entity=patient.id,
    )


def _rejoin_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "rejoins",
            "Fights on from the next round",
            "tick",
            default=False,
            required=False,
            rule="toast.7.3-first-aid-detail",
        ),
    )


def _rejoin(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity = table.entities[ask.entity]
    yes = bool(asked(table, actor, answers).get("rejoins")) and place(table, entity.id) is not None
    card = Card(
        f"{entity.name} {'fights on' if yes else 'sits out this fight'}",
        "Rolls Initiative from the next round on." if yes else "",
        rules=("toast.7.3-first-aid-detail",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    status = Change(("fight", "fighters", entity.id, "status"), "joins")
    return Result(card, (status,) if yes else (), closes=(ask.id,))


REJOIN = Move(
    "rejoin",
    "Do they fight on?",
    "Whether somebody who was brought round takes part again.",
    ("toast.7.3-first-aid-detail",),
    _rejoin,
    by=(),
    fields=_rejoin_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- a day passes


def _when_rest(table: Table, actor: Actor) -> str | None:
    return "A fight is on." if table.fight is not None else None


def _day_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (Field("days", "Days", "number", default=1, low=1, high=3650, rule="toast.7.3-heal"),)


def _day(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Each day takes a wound off everybody alive, down to none; nobody wakes by it."""
    days = whole(answers["days"])
    hurt = [one for one in present(table) if wounds(one) > 0]
    changes = [now(one, "wounds", max(0, wounds(one) - days)) for one in hurt]
    lines = tuple(
        Line(_healed(one, max(0, wounds(one) - days)), card_audience(one)) for one in hurt
    )
    card = Card(
        "A day passes" if days == 1 else f"{days} days pass",
        f"Day {table.day + days}.",
        lines=lines,
        rules=("toast.7.3-heal", "toast.7.3-heal-not-wake"),
    )
    return Result(card, (*changes, Change(("day",), table.day + days)))


def _healed(entity: Entity, left: int) -> str:
    still = ", still unconscious" if condition(entity) == UNCONSCIOUS else ""
    words = "no wounds left" if left == 0 else f"{left} wound{'s' if left > 1 else ''} left"
    return f"{entity.name}: {words}{still}."


DAY = Move(
    "day",
    "A day passes",
    "Everybody who lives is rid of one wound a day.",
    ("toast.7.3-heal", "toast.7.3-heal-not-wake"),
    _day,
    by=("gm",),
    place="rest",
    when=_when_rest,
    fields=_day_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- traps, falls, rulings


def _when_hurt(table: Table, actor: Actor) -> str | None:
    return None if any(present(table)) else "Nobody is there to be hurt."


def _hurt_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field("who", "Who?", "entity", choose(present(table))),
        Field("cause", "By what?", longest=200, rule="toast.7.3-npc-no-player-blow"),
    )


def _hurt(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["who"])]
    fight = running(table)
    blow = wound(table, entity, None, fight)
    changes, asks = step(table, fight)
    card = Card(
        f"{entity.name} is hurt: {answers['cause']}",
        blow.sentence,
        "wound",
        "bad",
        lines=(Line("By the GM's ruling."),),
        rules=blow.rules,
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, (*blow.changes, *changes), (*blow.asks, *asks))


HURT = Move(
    "hurt",
    "A wound without an attack",
    "A trap, a fall, what a kick brought: one wound by your ruling.",
    ("toast.7.3-hit-wound", "toast.7.3-npc-no-player-blow"),
    _hurt,
    by=("gm",),
    place="gm",
    when=_when_hurt,
    fields=_hurt_fields,
    for_entity=False,
)
