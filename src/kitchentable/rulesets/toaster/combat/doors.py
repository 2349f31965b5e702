"""Fights by name, for a program or a terminal: an attack in words, in damage, and initiative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.dice import told
from kitchentable.rules import Json, Rolled, RuleRefuses
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.combat.ways import rules_by, ways_by
from kitchentable.rulesets.toaster.mechanics import initiative as initiative_mechanics
from kitchentable.rulesets.toaster.mechanics.attack import Attack
from kitchentable.rulesets.toaster.mechanics.attack import attack as attack_mechanic
from kitchentable.rulesets.toaster.mechanics.damage import Classes, Ways
from kitchentable.rulesets.toaster.mechanics.tables import read_criticals
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, ToHit, to_hit


def _ways(options: Mapping[str, Json]) -> Ways:
    return ways_by(options, read_criticals(TABLES["criticals"]), ())


def _whole(name: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and -99 <= value <= 99:
        return value
    raise RuleRefuses(
        f"{name} is a whole number from -99 to 99, not {value!r}.", code="roll/argument"
    )


def _sides(attack: Any, defence: Any, gate: Any, *, ranged: bool) -> tuple[Attacker, Defender]:
    """Both sides: the gate is the defence itself unless said otherwise, and 10 from afar."""
    other = Defender(rolls=False) if defence is None else Defender(_whole("defence", defence))
    if ranged and gate is not None:
        raise RuleRefuses(
            "gate= does not go with ranged=True: from afar the attack roll needs a 10. Leave one "
            "of them out.",
            "toaster.4.attack-ranged-gate",
            code="roll/argument",
        )
    if ranged:
        return Attacker(_whole("attack", attack), TARGET, reaches=True), other
    own = other.modifier if gate is None else _whole("gate", gate)
    return Attacker(_whole("attack", attack), own), other


def _clash(
    options: Mapping[str, Json],
    *,
    attack: int,
    defence: int | None = None,
    gate: int | None = None,
    ranged: bool = False,
) -> tuple[Any, ...]:
    return (*_sides(attack, defence, gate, ranged=bool(ranged)), rules_by(options))


def _attack(
    options: Mapping[str, Json],
    *,
    attack: int,
    wc: int,
    ac: int,
    defence: int | None = None,
    gate: int | None = None,
    ranged: bool = False,
    bare: int | None = None,
    threshold: int = 5,
    unarmed: bool = False,
) -> tuple[Any, ...]:
    one, other = _sides(attack, defence, gate, ranged=bool(ranged))
    body = _whole("ac", ac) if bare is None else _whole("bare", bare)
    classes = Classes(
        _whole("wc", wc),
        _whole("ac", ac),
        body,
        threshold=max(1, _whole("threshold", threshold)),
        unarmed=bool(unarmed),
    )
    return one, other, classes, rules_by(options), _ways(options)


def _initiative(options: Mapping[str, Json], *, coordination: int) -> tuple[Any, ...]:
    return (_whole("coordination", coordination),)


def _word(outcome: Attack | ToHit) -> str:
    return outcome.word


_SIDES = (
    "attack= and defence= are ranks with all modifiers; leave defence out where nobody rolls one. "
    "gate= is the plain rank of the defence if it is another number; ranged=True needs 10."
)

ROLLS: dict[str, Rolled] = {
    "clash": Rolled(
        to_hit,
        _clash,
        f"Attack against defence: {_SIDES}",
        ({"attack": 6, "defence": 6}, {"attack": 5, "defence": 3, "gate": 6}, {"attack": 7}),
        told_by=_word,
    ),
    "attack": Rolled(
        attack_mechanic,
        _attack,
        f"A whole attack, in a word: fumble, miss, nothing, stun, or the wounds it makes. {_SIDES} "
        "wc= and ac= are the classes as they count, threshold= what makes a wound, unarmed=True "
        "for fist and kick, bare= the AC without armour (for the critical table).",
        (
            {"attack": 6, "defence": 6, "wc": 5, "ac": 4},
            {"attack": 8, "defence": 5, "wc": 12, "ac": 3, "ranged": True},
        ),
        told_by=_word,
    ),
    "damage": Rolled(
        told(attack_mechanic, "taken"),
        _attack,
        "A whole attack as the damage that is taken, 0 for a miss; it takes what attack takes.",
        ({"attack": 6, "defence": 6, "wc": 5, "ac": 4},),
    ),
    "initiative": Rolled(
        initiative_mechanics.initiative,
        _initiative,
        "Initiative: coordination=RANK and a d10 from 1 to 10.",
        ({"coordination": 7},),
    ),
}
