"""What the critical table leaves behind: lost weapons, lost balance, and getting up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Change,
    Entity,
    Json,
    Line,
    Table,
    fresh,
    whole,
)
from kitchentable.rulesets.toaster.book import Facts, Words
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.state import (
    become,
    changed,
    dropped,
)
from kitchentable.rulesets.toaster.mechanics.tables import Critical

#: What somebody who fell has on their card until they get up (toaster.4.crit-b).
PRONE = "prone"

_LOST = {
    "feet": "falls at their feet",
    "reach": "lands out of reach",
    "broken": "breaks",
}


#: What lying there takes off attacks and defences, as long as the GM does not say otherwise: as
#: much as the least loss of balance in the book's table, which has no number for a fall.
ON_THE_GROUND = -2


def is_prone(entity: Entity) -> bool:
    """Whether somebody has fallen and is not up again (toaster.4.crit-b)."""
    effects: Any = entity.state.get("effects") or []
    return any(one.get("id") == PRONE for one in effects)


@dataclass(frozen=True, slots=True)
class Left:
    """What a critical leaves on the defender: changed facts, sentences, the rules."""

    changes: tuple[Change, ...] = ()
    lines: tuple[Line, ...] = ()
    rules: Words = ()


def left_behind(table: Table, entity: Entity, critical: Critical, weapon: str = "") -> Left:
    """The effects on the defender that outlast the blow; `weapon` is the id of what they hold.

    A weapon at their feet, out of reach or broken (toaster.4.crit-a); off balance for the next
    round only, or on the ground (toaster.4.crit-b). What it does to the blow itself, protection
    bypassed and extra damage, is the attack's own (toaster.4.crit-c, toaster.4.crit-d).
    """
    after, rules = entity, ["toaster.4.crit-table"]
    said = [f"{text}." for text in critical.texts]
    if critical.weapon and weapon:
        after = become(after, dropped={**dropped(after), weapon: critical.weapon})
        held = lens.weapon(table, entity, weapon)
        said.append(f"{held.name if held else 'The weapon'} {_LOST[critical.weapon]}.")
        rules.append("toaster.4.crit-a")
    found: list[Json] = list(after.state.get("effects") or [])
    if critical.penalty and table.fight:
        next_round = whole(table.fight.get("round")) + 1
        found.append(_effect(table, "off balance", critical.penalty, next_round))
        rules.append("toaster.4.crit-b")
    if critical.falls:
        found.append({**_effect(table, "on the ground", 0, 0), "id": PRONE})
        rules.append("toaster.4.crit-b")
    if len(found) > len(after.state.get("effects") or []):
        after = become(after, effects=found)
    lines = tuple(Line(words, lens.card_audience(entity)) for words in said)
    return Left(changed(entity, after), lines, tuple(dict.fromkeys(rules)))


def _effect(table: Table, name: str, value: int, this: int) -> Facts:
    return {
        "id": fresh(table, "effect"),
        "name": name,
        "value": value,
        "scope": "all",
        "from": this,
        "until": this,
    }
