"""Points to spend, packed with the health into one number that only falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.dice import Mechanic
from kitchentable.rules.combat import BadBattle, Battle, Fought, Policy


def pack_points(
    fought: Fought, battle: Battle, policies: Mapping[str, Policy]
) -> tuple[Fought, Battle, Mapping[str, Policy]]:
    """Pack the points left into each health; a fight in which nobody spends is unchanged.

    The packed number is health * (points at the start + 1) + points left.
    Errors: BadBattle if the game's `after` is not a function.
    """
    spend = fought.spend
    if spend is None or not any(policy.spend for policy in policies.values()):
        return fought, battle, policies
    plain, now = fought.after, fought.now
    if isinstance(plain, Mechanic):
        raise BadBattle(f"Points of {fought.name} can be spent only if `after` is a function.")

    def room(numbers: Any) -> int:
        return int(spend.points(numbers)) + 1

    def after(theirs: Any, health: int, outcome: Any) -> int:
        left, points = divmod(health, room(theirs))
        fallen = plain(theirs, left, outcome)
        return fallen * room(theirs) + points if fallen > 0 else 0

    packed = replace(
        fought,
        after=after,
        now=None if now is None else lambda one, health: now(one, health // room(one)),
        left=lambda one, health: fought.left(one, health // room(one)),
    )
    fighters = tuple(
        replace(one, health=(one.health + 1) * room(one.numbers) - 1 if one.health > 0 else 0)
        for one in battle.combatants
    )

    def keyed(policy: Policy) -> Policy:
        key = policy.key
        return replace(policy, key=lambda me, foe, health: key(me, foe, health // room(foe)))

    by_side = {side: keyed(policy) for side, policy in policies.items()}
    return packed, replace(battle, combatants=fighters), by_side
