"""How luck comes back: with the next adventure, as the GM likes, or bought with experience."""

from __future__ import annotations

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Change,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.hints import signed
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.character.experience import experience
from kitchentable.rulesets.toaster.character.lucky import luck_back, luck_left, uses_luck
from kitchentable.rulesets.toaster.character.points import as_number
from kitchentable.rulesets.toaster.options.reading import setting


def _now(entity: Entity, left: int) -> Change:
    return Change(("entities", entity.id, "state", "luck"), left)


def session_began(table: Table) -> Result:
    """With each session all luck is back, where the table has it so (toaster.3.luck-return)."""
    return Result(changes=luck_back(table, table.in_play(), "session"))


# ---------------------------------------------------------------- as the GM says


def _restore_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    people = tuple(lens.present(table))
    return (
        Field(
            "who",
            "Whose luck?",
            "many",
            lens.choose(people),
            default=[one.id for one in people],
            low=1,
            rule="toaster.3.luck-return",
        ),
        Field(
            "points",
            "How many points?",
            "number",
            default=None,
            required=False,
            low=1,
            high=99,
            help="Left empty, all of it comes back, as at the beginning of an adventure.",
            rule="toaster.3.luck-return",
        ),
    )


def _restore_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if _picked(table, answers):
        return ()
    return (Problem("who", "toaster.3.luck-return", "Say whose luck comes back."),)


def _picked(table: Table, answers: Answers) -> list[Entity]:
    who = answers.get("who")
    ids = [str(one) for one in who] if isinstance(who, list) else []
    return [table.entities[one] for one in ids if one in table.entities]


def _restore(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    people = _picked(table, answers)
    some = whole(answers.get("points"))
    changes = []
    for one in people:
        start, left = lens.luck_at_start(table, one), luck_left(table, one)
        now = max(left, min(start, left + some) if some else start)
        if now != left:
            changes.append(_now(one, now))
    lines = tuple(
        Line(f"{one.name}: {after.now}", lens.number_audience(one))
        for one in people
        for after in changes
        if after.path[1] == one.id
    )
    seen = [one for one in people if not one.hidden]
    card = Card(
        "Luck comes back",
        f"For {lens.listed(one.name for one in seen)}." if seen else "",
        tone="good",
        lines=lines,
        rules=("toaster.3.luck-return",),
        audience="all" if len(seen) == len(people) else GM,
    )
    return Result(card, tuple(changes))


def _restore_when(table: Table, actor: Actor) -> str | None:
    return None if uses_luck(table) else "Luck is not used up at this table."


RESTORE_LUCK = Move(
    "restore_luck",
    "Luck comes back",
    "All of it with a new adventure, or some of it as you like.",
    ("toaster.3.luck-return",),
    _restore,
    by=(GM,),
    place="gm",
    when=_restore_when,
    fields=_restore_fields,
    check=_restore_check,
    for_entity=False,
)


# ---------------------------------------------------------------- bought back


def affordable(table: Table, entity: Entity) -> int:
    """How many points of luck somebody's experience buys.

    Nobody buys more than they began with, unless the table lets them (toaster.3.luck-buyback).
    """
    price = whole(setting(table.options, "luck_buyback_xp"))
    for_money = int(experience(entity) // price)
    if setting(table.options, "luck_above_start"):
        return for_money
    return max(0, min(for_money, lens.luck_at_start(table, entity) - luck_left(table, entity)))


def _buy_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity):
        return ()
    price = whole(setting(table.options, "luck_buyback_xp"))
    return (
        Field(
            "points",
            "How many points of luck?",
            "number",
            default=1,
            low=1,
            high=max(1, affordable(table, entity)),
            help=f"{price} experience each; {as_number(experience(entity))} are there.",
            rule="toaster.3.luck-buyback",
        ),
    )


def _buy(table: Table, actor: Actor, answers: Answers, outcome: object) -> Result:
    entity = table.entities[actor.entity]
    count, price = whole(answers.get("points")), whole(setting(table.options, "luck_buyback_xp"))
    left = experience(entity) - count * price
    now = luck_left(table, entity) + count
    card = Card(
        f"{entity.name} buys luck",
        f"{lens.plural(count, 'point')} of luck for {count * price} experience: "
        f"luck {signed(count)}, {now} in all; {as_number(left)} experience left.",
        tone="good",
        rules=("toaster.3.luck-buyback",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    paid = Change(("entities", entity.id, "state", "xp"), as_number(left))
    return Result(card, (_now(entity, now), paid))


def _buy_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = lens.whom(table, actor.entity)
    if entity is None or whole(answers.get("points")) <= affordable(table, entity):
        return ()
    sentence = f"{affordable(table, entity)} can be bought as things stand."
    return (Problem("points", "toaster.3.luck-buyback", sentence),)


def _buy_when(table: Table, actor: Actor) -> str | None:
    if not uses_luck(table) or setting(table.options, "luck_return") != "experience":
        return "Luck is not bought at this table."
    entity = lens.whom(table, actor.entity)
    if entity is None or affordable(table, entity):
        return None
    return f"{entity.name} has not enough experience for it, or luck enough."


BUY_LUCK = Move(
    "buy_luck",
    "Buy luck back",
    "Luck that was spent, for experience points.",
    ("toaster.3.luck-buyback",),
    _buy,
    place="rest",
    when=_buy_when,
    fields=_buy_fields,
    check=_buy_check,
)
