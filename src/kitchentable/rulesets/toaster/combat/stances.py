"""What is left over from one roll for the next: stances, a fumble's price, an aim that was taken.

It lies in somebody's state: "next" has what is added to the next attack or defence roll and is then
used up, "stance" whoever gives up attacking or defending altogether, "aim" the rounds of aiming.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.rules import (
    Change,
    Entity,
    Part,
    whole,
)
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.harm.state import become, now, record

ATTACK, DEFENCE = "attack", "defence"
OTHER = {ATTACK: DEFENCE, DEFENCE: ATTACK}

#: What a trade is called that puts something into a roll of a kind.
TRADES = {ATTACK: "offensive stance", DEFENCE: "defensive stance"}

#: What may be traded from one roll to the next of the other kind (toaster.4.stance-1-2).
MOST_TRADED = 2
#: What giving up one kind altogether brings to the other, and for how many own actions
#: (toaster.4.stance-3, toaster.4.stance-timing).
ALL_OUT, ALL_OUT_ACTIONS = 3, 2


def carried(entity: Entity, kind: str) -> tuple[Part, ...]:
    """What earlier rolls have left for the next attack or defence roll, by name."""
    rows: Any = record(entity, "next").get(kind) or []
    return tuple(Part(str(one["name"]), whole(one["value"])) for one in rows)


def with_carried(entity: Entity, kind: str, name: str, value: int) -> Entity:
    """Somebody whose next roll of that kind has so much more (or less) added."""
    if not value:
        return entity
    left = record(entity, "next")
    rows = [*(left.get(kind) or []), {"name": name, "value": value}]
    return become(entity, next={**left, kind: rows})


def used_up(entity: Entity, kind: str) -> Entity:
    """Somebody after such a roll: what was left for it is gone (toaster.4.stance-1-2)."""
    left = record(entity, "next")
    return become(entity, next={**left, kind: []}) if left.get(kind) else entity


def traded(entity: Entity, kind: str, amount: int) -> Entity:
    """Somebody who has put so much into a roll of one kind and owes it to the next of the other.

    >>> one = traded(Entity("e", "E", "pc", "s", {}, {}), ATTACK, 2)
    >>> carried(one, DEFENCE)
    (Part(name='offensive stance', value=-2),)
    """
    return with_carried(entity, OTHER[kind], TRADES[kind], -amount)


# ---------------------------------------------------------------- all or nothing


def all_out(entity: Entity) -> Mapping[str, Any]:
    """The all-out stance somebody holds: {"kind": what is given all, "left": actions}; {} for none.

    "attack" gives up defending, "defence" gives up attacking.
    """
    found = record(entity, "stance")
    return found if whole(found.get("left")) > 0 else {}


def all_out_part(entity: Entity, kind: str) -> tuple[Part, ...]:
    """What an all-out stance adds to rolls of its kind (toaster.4.stance-3)."""
    if all_out(entity).get("kind") != kind:
        return ()
    return (Part("all-out attack" if kind == ATTACK else "all-out defence", ALL_OUT),)


def gives_up(entity: Entity, kind: str) -> bool:
    """Whether somebody has given up attacks, or defences, for the other."""
    found = all_out(entity)
    return bool(found) and found.get("kind") == OTHER[kind]


def take_all_out(entity: Entity, kind: str) -> Entity:
    """Somebody who gives everything to attacks, or to defences, for two actions of their own."""
    return become(entity, stance={"kind": kind, "left": ALL_OUT_ACTIONS})


def acted(entity: Entity, actions: int = 1) -> Entity:
    """Somebody after actions of their own, taken or forgone: an all-out stance runs down.

    toaster.4.stance-timing.
    """
    found = all_out(entity)
    if not found or not actions:
        return entity
    return become(entity, stance={**found, "left": max(0, whole(found["left"]) - actions)})


def words(entity: Entity) -> list[str]:
    """Stances, what earlier rolls have left, and an aim, as the order of turns shows them."""
    found, held = [], all_out(entity)
    if held:
        left = plural(whole(held["left"]), "action")
        found.append(f"all-out {held['kind']}, {left} more")
    for kind in (ATTACK, DEFENCE):
        found += [f"{one.name}: {one.value:+d} {kind}" for one in carried(entity, kind)]
    return [*found, "has taken aim"] if aimed(entity) else found


# ---------------------------------------------------------------- aiming


def aimed(entity: Entity) -> int:
    """How many rounds somebody has taken aim (toaster.4.range-reduction)."""
    return whole(entity.state.get("aim"))


def aim_more(entity: Entity) -> Change:
    """One more round of aiming."""
    return now(entity, "aim", aimed(entity) + 1)


def aim_lost(entity: Entity) -> Entity:
    """Somebody who has shot, or done something else."""
    return become(entity, aim=0) if aimed(entity) else entity
