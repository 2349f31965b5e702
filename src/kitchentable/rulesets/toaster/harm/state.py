"""Somebody's harm as the rules ask after it: stun, wounds, condition, and what these take off.

Everything is read from an entity's state, which is plain JSON; whoever is concealed has none and
counts as hale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    Change,
    Entity,
    Json,
    Part,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.book import Parts, Record, Row, Words, row, rows
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.options import Options

AWAKE = "awake"
UNCONSCIOUS = "unconscious"
#: Five wounds or more: incapacitated and on death's door (toaster.4.mortal-state).
MORTAL = "mortal"
DEAD = "dead"
#: An unnamed one who is out of the fight (toaster.4.unnamed-out).
OUT = "out"

#: From this many wounds on somebody is mortally wounded (toaster.4.wounds-penalty).
MORTAL_WOUNDS = 5


@dataclass(frozen=True, slots=True)
class Wound:
    """What one blow left: how many wounds, where, and by what ("attack", "bleeding", "ruling")."""

    n: int
    area: str = ""
    cause: str = "attack"
    part: str = ""


def health_part(table: Table, entity: Entity) -> Part:
    """The attribute that healing and mortality read: Physique, where the table has not changed it.

    toaster.4.mortality-roll, toaster.4.heal-week, toaster.2.attributes-changeable.
    """
    use = row(table, "uses", "health")
    name = lens.attribute_name(table, str(use["attribute"])) if use else "Physique"
    return Part(name, lens.attribute_for(table, entity, "health"))


def record(entity: Entity, key: str) -> Row:
    """A part of the state that is a record, as a copy; {} where it is not there."""
    found = entity.state.get(key)
    return dict(found) if isinstance(found, Mapping) else {}


def stun(entity: Entity) -> int:
    """Stun points taken and not yet recovered (toaster.4.stun-accumulate)."""
    return whole(entity.state.get("stun"))


def wound_rows(entity: Entity) -> tuple[Wound, ...]:
    """Every blow that left wounds, in the order they came."""
    rows: Any = entity.state.get("wounds") or []
    return tuple(
        Wound(
            whole(row.get("n")),
            area_key(str(row.get("area") or "")),
            str(row.get("cause") or "attack"),
            str(row.get("part") or ""),
        )
        for row in rows
    )


def wounds(entity: Entity) -> int:
    """Wounds taken and not yet healed.

    >>> wounds(Entity("e", "Ivo", "pc", "s", {}, {"wounds": [{"n": 2}, {"n": 1}]}))
    3
    """
    return sum(one.n for one in wound_rows(entity))


def condition(entity: Entity) -> str:
    """Awake, unconscious, mortal, dead, or out of the fight."""
    return str(entity.state.get("condition") or AWAKE)


def is_awake(entity: Entity) -> bool:
    """Whether somebody is on their feet and able to act as ever."""
    return condition(entity) == AWAKE


def is_conscious(entity: Entity) -> bool:
    """Whether somebody knows what goes on: awake, or dying with open eyes.

    toaster.4.mortal-last-act.
    """
    return is_awake(entity) or (condition(entity) == MORTAL and not entity.state.get("senseless"))


def degree(table: Table, entity: Entity) -> int:
    """How badly stunned somebody is, by the place in the table of degrees: 0 is fine.

    toaster.4.stun-table, toaster.4.stun-threshold-size.
    """
    times = max(0, stun(entity)) // max(1, lens.thresholds(table, entity)[0])
    return sum(whole(one["at"]) <= times for one in degrees(table)[1:])


def degrees(table: Table) -> tuple[Row, ...]:
    """The degrees of stun, the mildest first; with the last somebody passes out.

    `at` is how many times the threshold the stun has to be, `penalty` what the degree takes off.

    >>> [(one["name"], one["at"]) for one in degrees(Table(options={}))][-2:]
    [('Stunned', 4), ('Unconscious', 5)]
    """
    return tuple(sorted(rows(table, "degrees"), key=lambda one: whole(one["at"])))


def degree_word(table: Table, entity: Entity) -> str:
    """The degree of somebody's stun in a word: "fine", "dazed"."""
    return str(degrees(table)[degree(table, entity)]["name"]).lower()


def passes_out(table: Table, entity: Entity) -> bool:
    """Whether somebody's stun is of the last degree, which nobody stands."""
    return degree(table, entity) == len(degrees(table)) - 1


def can_act(table: Table, entity: Entity) -> str | None:
    """Why somebody cannot act, in a sentence; None for somebody who can.

    The dying may act once where the GM granted it (toaster.4.mortal-last-act).
    """
    match condition(entity):
        case "awake":
            return None
        case "mortal":
            if entity.state.get("last_act") and is_conscious(entity):
                return None
            return f"{entity.name} is mortally wounded and cannot act; the GM may grant a last act."
        case "dead":
            return f"{entity.name} is dead."
        case "out":
            return f"{entity.name} is out of the fight."
        case _:
            return f"{entity.name} is unconscious; the GM says when they wake."


def penalty(table: Table, entity: Entity, *, mental: bool = False) -> Part | None:
    """What stun and wounds take off every action: the worse of the two, not their sum.

    Of wounds the table may take less off what is done in the mind. toaster.4.penalty-worst-of,
    toaster.4.stun-penalty-all, toaster.4.wounds-penalty-all, toaster.4.wounds-mental.
    """
    # Unconscious has no penalty in print: the worst one before it holds for who is woken.
    reached = degrees(table)[: degree(table, entity) + 1]
    worst = min(reached, key=lambda one: whole(one.get("penalty")))
    dazed = -whole(worst.get("penalty"))
    hurt = wounds(entity)
    if mental:
        hurt = {"half": hurt // 2, "none": 0}.get(Options(table.options).mental_wound_penalty, hurt)
    if not dazed and not hurt:
        return None
    if hurt >= dazed:
        return Part("wound" if hurt == 1 else "wounds", -hurt)
    return Part(str(worst["name"]).lower(), -dazed)


def modifiers(table: Table, entity: Entity, kind: str = "skill", *, mental: bool = False) -> Parts:
    """Everything that somebody's harm adds to an action, by name: the penalty, and effects.

    `kind` is "attack", "defence", "skill" or "attribute". Damage and protection rolls, initiative,
    the passive gate and mortality checks are no actions and never ask
    (toaster.4.penalty-scope, toaster.4.crit-b).
    """
    worst = penalty(table, entity, mental=mental)
    return (
        *((worst,) if worst else ()),
        *(
            Part(str(one["name"]), whole(one.get("value")))
            for one in effects(table, entity)
            if one.get("scope", "all") in {"all", kind} and whole(one.get("value"))
        ),
    )


def effects(table: Table, entity: Entity) -> tuple[Record, ...]:
    """What lies on somebody just now: {"id", "name", "value", "scope", "from", "until"}.

    Effects with rounds ("until" above 0) hold only in a fight, from one round to another.
    """
    rows: Any = entity.state.get("effects") or []
    return tuple(row for row in rows if _holds(table, row))


def _holds(table: Table, effect: Record) -> bool:
    until = whole(effect.get("until"))
    if not until:
        return True
    return whole(effect.get("from")) <= this_round(table) <= until


def this_round(table: Table) -> int:
    """The number of the round of the fight that is on; 0 without one."""
    return whole(table.fight.get("round")) if table.fight else 0


def dropped(entity: Entity) -> dict[str, str]:
    """Weapons that were knocked away, by id: "feet", "reach" or "broken" (toaster.4.crit-a)."""
    return {str(weapon): str(where) for weapon, where in record(entity, "dropped").items()}


def useless_limbs(table: Table, entity: Entity) -> Words:
    """The limbs that have taken more than a couple of wounds, and are of no use until they heal.

    toaster.4.hitloc-limb.
    """
    options = Options(table.options)
    most = options.limb_disabled_at
    if not options.hit_location or not most:
        return ()
    limbs = limb_areas(table)
    counted: dict[str, int] = {}
    for one in wound_rows(entity):
        if one.area in limbs:
            counted[one.area] = counted.get(one.area, 0) + one.n
    return tuple(area for area, count in counted.items() if count >= most)


def limb_areas(table: Table) -> frozenset[str]:
    """The areas of the body that are limbs, by the campaign's table of locations."""
    return frozenset(
        area_key(str(one["area"])) for one in rows(table, "locations") if one.get("limb")
    )


def area_key(name: str) -> str:
    """An area of the body as it is kept: "Left Arm" is "left-arm".

    >>> area_key("Left Arm"), area_key("Head/Neck")
    ('left-arm', 'head-neck')
    """
    return "-".join("".join(c if c.isalnum() else " " for c in name.casefold()).split())


def now(entity: Entity, key: str, value: Json) -> Change:
    """A fact of somebody's state that becomes another."""
    return Change(("entities", entity.id, "state", key), value)


def become(entity: Entity, **facts: Json) -> Entity:
    """Somebody with other facts in their state."""
    return replace(entity, state={**entity.state, **facts})


def changed(before: Entity, after: Entity) -> tuple[Change, ...]:
    """The changes that lead from one state of somebody to another."""
    return tuple(
        now(after, key, value)
        for key, value in after.state.items()
        if key not in before.state or before.state[key] != value
    )
