"""When the list of traits changes: who plays which part in fights, and what finished sheets get."""

from __future__ import annotations

from collections.abc import Mapping
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
    Table,
    whole,
    whom,
)
from kitchentable.rulesets.toast.character import (
    is_pc,
    level,
    now,
    numbers_known,
    role_trait,
    trait_choices,
    trait_name,
)
from kitchentable.rulesets.toast.lost import (
    LOST_ASK,
    POINTS_PER_TRAIT,
    fitted,
    grant_ask,
    lost_ask,
    of_ask,
)
from kitchentable.rulesets.toast.options import NO_TRAIT, ROLES, setting, traits

_ROLES_ASK = "fight-roles"

# ---------------------------------------------------------------- who plays which part in fights


def _role_name(role: str) -> str:
    return next(one.name for one in traits({}) if one.key == role)


def missing_roles(table: Table) -> tuple[str, ...]:
    """The parts of a fight that no trait of this table plays yet."""
    return tuple(role for role in ROLES if role_trait(table, role) is None)


def role_fields(table: Table) -> tuple[Field, ...]:
    """Who stands in for the fight traits that the list has lost (toast.3-list-combat-roles)."""
    nobody = Choice(NO_TRAIT, "None: level 0")
    return tuple(
        Field(
            f"role_{role}",
            f"Instead of {_role_name(role)}",
            "choice",
            (*trait_choices(table), nobody),
            rule="toast.3-list-combat-roles",
        )
        for role in missing_roles(table)
    )


def role_changes(table: Table, answers: Answers) -> tuple[tuple[Change, ...], tuple[Line, ...]]:
    """The answers to those questions, as facts and as lines for the log."""
    missing = missing_roles(table)
    changes = tuple(Change(("own", "roles", role), answers[f"role_{role}"]) for role in missing)
    lines = tuple(
        Line(f"{_role_name(role)} is played by {trait_name(table, answers[f'role_{role}'])}.")
        for role in missing
    )
    return changes, lines


def _settle_roles(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    changes, lines = role_changes(table, answers)
    closes = (_ROLES_ASK,) if _ROLES_ASK in table.asks else ()
    card = Card("Fight traits", "", lines=lines, rules=("toast.3-list-combat-roles",))
    return Result(card, changes, closes=closes)


def _when_missing(table: Table, actor: Actor) -> str | None:
    return None if missing_roles(table) else "Every part has its trait."


def _roles_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return role_fields(table)


ROLES_MOVE = Move(
    "roles",
    "Fight traits",
    "Say which trait plays the part of one that your list has lost.",
    ("toast.3-list-combat-roles",),
    _settle_roles,
    by=("gm",),
    place="gm",
    when=_when_missing,
    fields=_roles_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- the list itself


def options_changed(table: Table, was: Mapping[str, Json]) -> Result:
    """New traits stand on every sheet at 0; what a lost one was worth is the GM's to say.

    toast.3-same-list, toast.3-list-alter, toast.3.1-recount.
    """
    keys = [one.key for one in traits(table.options)]
    changes: list[Change] = []
    lost: dict[str, list[str]] = {}
    granted: list[Entity] = []
    for entity in table.entities.values():
        if entity.stage == "gone" or not numbers_known(entity):
            continue
        more, gone, new = fitted(entity, keys)
        changes.extend(more)
        if entity.stage == "play":
            for trait in (one for one in gone if level(entity, one) or _may_have_points(entity)):
                lost.setdefault(trait, []).extend([entity.id] * _may_have_points(entity))
        if not _may_have_points(entity):
            continue
        if new and setting(table.options, "new_trait_grant"):
            points = POINTS_PER_TRAIT * len(new)
            changes.append(now(entity, "grant", whole(entity.state.get("grant")) + points))
            granted.append(entity)
    asks = [grant_ask(entity) for entity in granted]
    closes: tuple[str, ...] = ()
    before = table.asks.get(LOST_ASK)
    if before is not None:
        still = {trait: who for trait, who in of_ask(before, "lost").items() if trait not in keys}
        lost, closes = still | lost, (() if still or lost else (LOST_ASK,))
    if lost:
        asks.append(lost_ask(before, lost, was))
    if table.fight is not None and missing_roles(table):
        asks.append(_roles_ask())
    return Result(None, tuple(changes), tuple(asks), closes)


def _may_have_points(entity: Entity) -> bool:
    return entity.stage == "play" and is_pc(entity) and entity.is_players


def _roles_ask() -> Ask:
    return Ask(
        _ROLES_ASK,
        (GM,),
        "roles",
        "A fight trait is gone",
        "Your list has lost a trait that the fight needs. Who plays its part?",
        rules=("toast.3-list-combat-roles",),
    )


# ---------------------------------------------------------------- points back, points to spread


def _grant(table: Table, actor: Actor) -> int:
    entity = whom(table, actor.entity)
    return whole(entity.state.get("grant")) if entity else 0


def _spend_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    points = _grant(table, actor)
    entity = whom(table, actor.entity)
    return tuple(
        Field(
            f"more.{one.key}",
            f"{one.name} {level(entity, one.key) if entity else 0}, more",
            "number",
            default=0,
            low=0,
            high=points,
            required=False,
            rule="toast.3.1-recount",
        )
        for one in traits(table.options)
    )


def _spent(answers: Answers) -> dict[str, int]:
    return {
        name.removeprefix("more."): whole(value)
        for name, value in answers.items()
        if name.startswith("more.") and whole(value) > 0
    }


def _spend_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    spent, points = sum(_spent(answers).values()), _grant(table, actor)
    if spent == points:
        return ()
    words = f"{points - spent} left over" if spent < points else f"{spent - points} too many"
    return (Problem("", "toast.3.1-recount", f"There are {points} points to spread; {words}."),)


def _spend(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    spent = _spent(answers)
    changes = [
        Change(("entities", entity.id, "sheet", "traits", key), level(entity, key) + more)
        for key, more in spent.items()
    ]
    lines = tuple(
        Line(f"{trait_name(table, key)} {level(entity, key)} to {level(entity, key) + more}.")
        for key, more in spent.items()
    )
    card = Card("Points spread", "", lines=lines, rules=("toast.3.1-recount",), entity=entity.id)
    ask = f"grant-{entity.id}"
    closes = (ask,) if ask in table.asks else ()
    return Result(card, (*changes, now(entity, "grant", 0)), closes=closes)


def _when_points(table: Table, actor: Actor) -> str | None:
    return None if _grant(table, actor) > 0 else "There are no points to spread."


SPEND_POINTS = Move(
    "spend_points",
    "Spread points",
    "Spread the points that a change of the list of traits has brought.",
    ("toast.3.1-recount",),
    _spend,
    place="rest",
    when=_when_points,
    fields=_spend_fields,
    check=_spend_check,
)
