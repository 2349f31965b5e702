"""What is kept of an attack that waits for luck: as it was agreed on, and thrown so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import Actor, Json, Part, Table
from kitchentable.rulesets.toaster.combat.reckoning import Case, read_case
from kitchentable.rulesets.toaster.combat.telling import Parts
from kitchentable.rulesets.toaster.mechanics.to_hit import (
    Attacker,
    AttackRoll,
    Defender,
    DefenseRoll,
    SecondRoll,
)

#: The moves behind the two cards.
ATTACK_LUCK, DEFENCE_LUCK = "attack_luck", "defence_luck"


@dataclass(frozen=True, slots=True)
class Kept:
    """An attack that waits: as it was agreed on and thrown so far."""

    actor: Actor
    case: Case
    parts: Parts
    one: Attacker
    other: Defender
    attack: AttackRoll
    defense: DefenseRoll | None = None


def plain_kept(kept: Kept) -> dict[str, Json]:
    """An attack that waits, as plain data."""
    return {
        "actor": [kept.actor.seat, kept.actor.role, kept.actor.entity, sorted(kept.actor.hidden)],
        "answers": dict(kept.case.answers),
        "parts": [
            [[part.name, part.value] for part in parts]
            for parts in (kept.parts.attack, kept.parts.defence)
        ],
        "luck": [kept.parts.attack_luck, kept.parts.defence_luck],
        "one": [kept.one.modifier, kept.one.gate, kept.one.reaches, kept.one.called],
        "other": [kept.other.modifier, kept.other.rolls, kept.other.called],
        "attack": [
            kept.attack.die,
            kept.attack.total,
            kept.attack.passes,
            kept.attack.fumble,
            _plain_second(kept.attack.second),
        ],
        "defence": None
        if kept.defense is None
        else [
            kept.defense.die,
            kept.defense.total,
            kept.defense.spoilt,
            kept.defense.fumble,
            _plain_second(kept.defense.second),
        ],
    }


def read_kept(table: Table, plain: Mapping[str, Any]) -> Kept | None:
    """What was kept of an attack; None where it is not for these eyes, or somebody is gone."""
    if not plain:
        return None
    seat, role, entity, hidden = plain["actor"]
    actor = Actor(seat, role, entity, hidden=frozenset(hidden))
    case = read_case(table, table.entities.get(entity), plain["answers"])
    if case is None:
        return None
    attack, defence = (
        tuple(Part(str(name), int(value)) for name, value in parts) for parts in plain["parts"]
    )
    one, other = Attacker(*plain["one"]), Defender(*plain["other"])
    die, total, passes, fumble, second = plain["attack"]
    rolled = AttackRoll(die, total, passes, fumble, _second(second, one.modifier, one.needs))
    defense = None
    if plain["defence"] is not None:
        die, total, _, _, second = plain["defence"]
        defense = DefenseRoll(die, total, _second(second, other.modifier, rolled.total))
    parts = Parts(attack, defence, *plain["luck"])
    return Kept(actor, case, parts, one, other, rolled, defense)


def _plain_second(roll: SecondRoll | None) -> int | None:
    return roll.total if roll is not None else None


def _second(total: int | None, modifier: int, needs: int) -> SecondRoll | None:
    return SecondRoll(total - modifier, total, needs) if total is not None else None


def waits(table: Table, attacker: str) -> bool:
    """Whether an attack of somebody's waits for luck."""
    return any(
        ask.move in {ATTACK_LUCK, DEFENCE_LUCK}
        and isinstance(ask.preset.get("roll"), Mapping)
        and ask.preset["roll"].get("attacker") == attacker
        for ask in table.asks.values()
    )
