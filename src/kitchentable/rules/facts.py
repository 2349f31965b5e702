"""Helpers for the plain facts of games: numbers, picks, answers to cards, differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kitchentable.rules.moves import Change, Result
from kitchentable.rules.values import Json, Row, Values


def whole(value: Json, default: int = 0) -> int:
    """The value if it is a whole number, otherwise the default.

    >>> whole(7), whole(None), whole(True), whole("7", 3)
    (7, 0, 0, 3)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def part_of(facts: Any, name: str) -> Row:
    """A record within plain facts, or an empty one.

    >>> part_of({"traits": {"wits": 2}}, "traits"), part_of({"traits": None}, "traits")
    ({'wits': 2}, {})
    """
    found = facts.get(name)
    return found if isinstance(found, dict) else dict(found) if isinstance(found, Mapping) else {}


def copied(facts: Json) -> Any:
    """A mutable copy of plain data; several times faster than deepcopy.

    >>> copied({"rows": ({"text": "Rope"},)})
    {'rows': [{'text': 'Rope'}]}
    """
    if isinstance(facts, Mapping):
        return {key: copied(value) for key, value in facts.items()}
    return [copied(one) for one in facts] if isinstance(facts, list | tuple) else facts


def differences(path: tuple[str, ...], before: Any, after: Any) -> tuple[Change, ...]:
    """The changes that turn one record of plain facts into another, each as deep as possible.

    >>> differences(("fight",), {"round": 1, "turn": "a"}, {"round": 2, "turn": "a"})
    (Change(path=('fight', 'round'), now=2, gone=False),)
    """
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return () if before == after else (Change(path, after),)
    found = [Change((*path, key), gone=True) for key in before if key not in after]
    for key, value in after.items():
        if key not in before:
            found.append(Change((*path, key), value))
        else:
            found.extend(differences((*path, key), before[key], value))
    return tuple(found)


def beaten(fight: Values) -> tuple[str, ...]:
    """The defeated sides: all their fighters are "out" or have "left".

    >>> beaten({"fighters": {"a": {"side": "we", "status": "out"}}})
    ('we',)
    """
    fighters = fight["fighters"].values()
    standing = {one["side"] for one in fighters if one["status"] not in {"out", "left"}}
    return tuple(dict.fromkeys(o["side"] for o in fighters if o["side"] not in standing))


def joined(*results: Result) -> Result:
    """Several results as one: the first card, with the lines and rules of all cards."""
    cards = [one.card for one in results if one.card is not None]
    lines = tuple(line for card in cards for line in card.lines)
    rules = tuple(dict.fromkeys(rule for card in cards for rule in card.rules))
    return Result(
        replace(cards[0], lines=lines, rules=rules) if cards else None,
        tuple(change for one in results for change in one.changes),
        tuple(ask for one in results for ask in one.asks),
        tuple(ask for one in results for ask in one.closes),
    )
