"""Fights by name, for a program or a terminal: an attack in words, in damage, and initiative."""

from __future__ import annotations

from typing import Any

from kitchentable.dice import Mechanic, told
from kitchentable.rules import Rolled, RuleRefuses
from kitchentable.rules.kit.forms import Values
from kitchentable.rules.kit.rolls import library_roll, whole_number
from kitchentable.rulesets.toaster.book import ROLL_WORDS, TABLES
from kitchentable.rulesets.toaster.mechanics.attack import Attack
from kitchentable.rulesets.toaster.mechanics.attack import attack as attack_mechanic
from kitchentable.rulesets.toaster.mechanics.damage import Classes
from kitchentable.rulesets.toaster.mechanics.initiative import initiative
from kitchentable.rulesets.toaster.mechanics.tables import read_criticals
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET
from kitchentable.rulesets.toaster.mechanics.to_hit import Attacker, Defender, ToHit, to_hit
from kitchentable.rulesets.toaster.options import Options

_whole = whole_number("a whole number", "toaster.4.attack-roll", -99, 99)


def _maybe(options: Values, name: str, value: Any) -> Any:
    """Reads a number, or nothing."""
    return None if value is None else _whole(options, name, value)


def _flag(options: Values, name: str, value: Any) -> bool:
    return bool(value)


def _clash(
    options: Values, attack: int, defence: int | None, gate: int | None, ranged: object
) -> tuple[Any, ...]:
    """Both sides: the gate is the defence itself unless said otherwise, and 10 from afar."""
    other = Defender(rolls=False) if defence is None else Defender(defence)
    if ranged and gate is not None:
        raise RuleRefuses(
            "gate= does not go with ranged=True: from afar the attack roll needs a 10. Leave one "
            "of them out.",
            "toaster.4.attack-ranged-gate",
            code="roll/argument",
        )
    if ranged:
        return Attacker(attack, TARGET, reaches=True), other, Options(options).to_hit
    own = other.modifier if gate is None else gate
    return Attacker(attack, own), other, Options(options).to_hit


def _attack(
    options: Values,
    wc: int,
    ac: int,
    bare: int | None,
    threshold: int,
    unarmed: object,
    **sides: Any,
) -> tuple[Any, ...]:
    one, other, rules = _clash(options, **sides)
    body = ac if bare is None else bare
    classes = Classes(wc, ac, body, threshold=max(1, threshold), unarmed=bool(unarmed))
    return (
        one,
        other,
        classes,
        rules,
        Options(options).damage(read_criticals(TABLES["criticals"]), ()),
    )


def _initiative(options: Values, coordination: int) -> tuple[Any, ...]:
    return (coordination,)


def _word(outcome: Attack | ToHit) -> str:
    return outcome.word


def _roll(key: str, mechanic: Mechanic[..., Any], make: Any, **more: Any) -> Rolled:
    """A roll with its help, its samples and its arguments from the words."""
    row = ROLL_WORDS[key]
    takes = {**row.get("takes", {}), **dict.fromkeys(row.get("maybe", ()))}
    flags = {name for name, default in takes.items() if isinstance(default, bool)}
    reads = {name: _flag if name in flags else _maybe for name in (*row["needs"], *takes)}
    return library_roll(mechanic, {**row, "takes": takes}, reads, make, by_options=True, **more)


ROLLS: dict[str, Rolled] = {
    "clash": _roll("clash", to_hit, _clash, told_by=_word),
    "attack": _roll("attack", attack_mechanic, _attack, told_by=_word),
    "damage": _roll("damage", told(attack_mechanic, "taken"), _attack),
    "initiative": _roll("initiative", initiative, _initiative),
}
