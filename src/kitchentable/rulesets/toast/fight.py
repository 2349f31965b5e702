"""A fight as plain facts: who is in it, who acts when, and how one step leads to the next.

The facts are JSON: {"round", "phase", "fighters": {entity: {...}}, "order": [...], "turn",
"breaks", "notes"}. Phases: "initiative" (dice are still to fall), "ties" (equals wait for the
GM), "turns", "end" (everybody had their turn). A fighter's status: "to roll", "waiting", "done",
"idle" (flubbed this round), "joins" (from the next round on), "out" (down), "left".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from kitchentable.rules import Ask, Change, Table, whole
from kitchentable.rules.rounds import ask_for_order, ask_who_fights_on, put_before_gm
from kitchentable.rulesets.toast.mechanics import Initiative
from kitchentable.rulesets.toast.options import setting

Fight: TypeAlias = dict[str, Any]

_EQUALS = ask_for_order(
    "Equal Initiative",
    "have the same number. Another roll among them, or an order by hand?",
    "toast.7-init-tie",
)
_STILL = ask_who_fights_on("Everybody has had a turn.", "toast.7-end", "toast.7-round-repeat")
_GONE = {"out", "left"}


def new_fight(sides: Mapping[str, str]) -> Fight:
    """A fight about to begin: entity -> side, everybody still to roll.

    >>> new_fight({"mara": "heroes"})["fighters"]["mara"]["status"]
    'to roll'
    """
    return {
        "round": 1,
        "phase": "initiative",
        "fighters": {who: new_fighter(side) for who, side in sides.items()},
        "order": [],
        "turn": "",
        "breaks": {},
        "notes": {},
    }


def new_fighter(side: str, status: str = "to roll") -> dict[str, Any]:
    """Somebody's place in a fight."""
    return {
        "side": side,
        "number": None,
        "word": "",
        "status": status,
        "moved": False,
        "actions": 0,
        "extra": 0,
    }


def place(table: Table, entity: str) -> Mapping[str, Any] | None:
    """Somebody's place in the fight that is on, or None."""
    fighters: Any = table.fight["fighters"] if table.fight else {}
    found: Mapping[str, Any] | None = fighters.get(entity)
    return found


def is_acting(table: Table, entity: str) -> bool:
    """Whether it is this one's turn."""
    return bool(table.fight and table.fight["phase"] == "turns" and table.fight["turn"] == entity)


def actions_left(table: Table, entity: str) -> int:
    """Actions still to be taken: those of this turn, and what the GM allowed besides.

    toast.7-turn-action.
    """
    mine = place(table, entity)
    if mine is None:
        return 0
    most = whole(setting(table.options, "actions_per_turn")) if is_acting(table, entity) else 0
    return int(max(0, most - mine["actions"]) + mine["extra"])


def take_action(table: Table, fight: Fight, who: str) -> None:
    """One action fewer: first those of the turn, then those that the GM allowed."""
    mine = fight["fighters"][who]
    most = whole(setting(table.options, "actions_per_turn")) if fight["turn"] == who else 0
    if mine["actions"] < most:
        mine["actions"] += 1
    else:
        mine["extra"] -= 1


def rolled(table: Table, fight: Fight, who: str, thrown: Initiative) -> None:
    """Somebody's initiative has fallen; after the last one the order stands, or ties wait."""
    one = fight["fighters"][who]
    one["number"], one["word"] = thrown.number, thrown.special
    one["status"] = "waiting"
    if thrown.number is None:
        may_move = bool(setting(table.options, "initiative_flub_moves"))
        one["status"] = "waiting" if may_move else "idle"
        one["actions"] = whole(setting(table.options, "actions_per_turn"))
    settle(fight)


def to_roll(fight: Mapping[str, Any]) -> tuple[str, ...]:
    """Those whose initiative has not fallen yet."""
    return tuple(w for w, one in fight["fighters"].items() if one["status"] == "to roll")


def tied(fight: Mapping[str, Any]) -> tuple[str, ...]:
    """The highest group of equals whose order nobody has settled yet; () for none."""
    numbers: dict[int, list[str]] = {}
    for who, one in fight["fighters"].items():
        if one["status"] == "waiting" and one["number"] is not None:
            numbers.setdefault(one["number"], []).append(who)
    for number in sorted(numbers, reverse=True):
        group = numbers[number]
        if len(group) > 1 and not set(group) <= set(fight["breaks"].get(str(number), ())):
            return tuple(group)
    return ()


def settle(fight: Fight) -> None:
    """Once all dice have fallen: the highest number first, equals as settled, flubs last.

    toast.7-init-order, toast.7-init-tie.
    """
    if to_roll(fight) or fight["phase"] not in {"initiative", "ties"}:
        return
    if tied(fight):
        fight["phase"] = "ties"
        return
    waiting = [w for w, one in fight["fighters"].items() if one["status"] == "waiting"]
    fight["order"] = sorted(waiting, key=lambda who: _rank(fight, who))
    fight["phase"], fight["turn"] = "turns", ""
    next_turn(fight)


def _rank(fight: Fight, who: str) -> tuple[int, int]:
    number = fight["fighters"][who]["number"]
    if number is None:
        return (1, 0)
    equals = fight["breaks"].get(str(number), [])
    return (-number, equals.index(who) if who in equals else 0)


def next_turn(fight: Fight) -> None:
    """The turn goes to the next in order who can act; after the last the round is over."""
    now = fight["turn"]
    if now and fight["fighters"][now]["status"] == "waiting":
        fight["fighters"][now]["status"] = "done"
    for who in fight["order"]:
        if fight["fighters"][who]["status"] == "waiting":
            fight["turn"] = who
            return
    fight["turn"], fight["phase"] = "", "end"


def fall(fight: Fight, who: str, status: str = "out") -> None:
    """Somebody is down, or leaves: no more turns, the others' order as it was.

    toast.7.3-turn-lost.
    """
    one = fight["fighters"].get(who)
    if one is None or one["status"] in _GONE:
        return
    one["status"] = status
    if fight["turn"] == who:
        next_turn(fight)
    settle(fight)


def next_round(table: Table, fight: Fight) -> None:
    """Everybody again: new dice, or by option the old order with the flubbed at its end.

    toast.7-round-repeat.
    """
    anew = bool(setting(table.options, "initiative_each_round"))
    fight["round"] += 1
    for one in fight["fighters"].values():
        if one["status"] in _GONE:
            continue
        fresh = anew or one["status"] == "joins"
        one.update(moved=False, actions=0, extra=0, status="to roll" if fresh else "waiting")
        if fresh:
            one.update(number=None, word="")
    if anew:
        fight["breaks"] = {}
    fight["phase"], fight["turn"] = "initiative", ""
    settle(fight)


def step(table: Table, fight: Fight | None) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What changed in the fight, and the cards that its new state puts before the GM."""
    return put_before_gm(table, fight, tied, _EQUALS, _STILL)
