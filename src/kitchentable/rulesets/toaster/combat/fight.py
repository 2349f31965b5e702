"""A fight as plain facts: who is in it, the order of a round, and how one action leads to the next.

The facts are JSON: {"round", "phase", "lap", "late", "fighters": {entity: {...}}, "order": [...],
"turn", "resume", "distances"}. Phases: "initiative" (dice are still to fall), "ties" (equals wait
for the GM), "turns", "end" (the round is over but for those who held something back).

A round goes round the list as often as there are actions in it; each time is a lap. A fighter:
"side", "number" and "bonus" (initiative and the Coordination behind it), "breaks" (further dice
among equals), "status" ("to roll", "in", "joins", "out", "left"), "left" (actions), "held" (laps in
which they waited), "late" (an action that goes with a movement and comes after all first ones),
"offered" (the lap in which they last had their turn), "extra" (actions that the GM allowed), "long"
(a long action that is on).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from kitchentable.rules import Ask, Change, Table, whole
from kitchentable.rules.rounds import ask_for_order, ask_who_fights_on, put_before_gm
from kitchentable.rulesets.toaster.options.reading import setting

Fight: TypeAlias = dict[str, Any]

_EQUALS = ask_for_order(
    "Equal initiative",
    "have the same number and the same Coordination. Another die among them, or an order by hand?",
    "toaster.4.initiative-ties",
)
_STILL = ask_who_fights_on(
    "All actions are used up.", "toaster.4.round", "toaster.4.initiative-order"
)
_GONE = {"out", "left"}


def new_fight(table: Table, sides: Mapping[str, str]) -> Fight:
    """A fight about to begin: entity -> side, everybody still to roll."""
    return {
        "round": 1,
        "phase": "initiative",
        "lap": 1,
        "late": False,
        "fighters": {who: new_fighter(table, side) for who, side in sides.items()},
        "order": [],
        "turn": "",
        "resume": "",
        "distances": {},
    }


def new_fighter(table: Table, side: str, status: str = "to roll") -> dict[str, Any]:
    """Somebody's place in a fight."""
    return {"side": side, "status": status, "long": None, **_fresh(table)}


def _fresh(table: Table) -> dict[str, Any]:
    """What begins anew with every round (toaster.4.actions-two)."""
    return {
        "number": None,
        "bonus": 0,
        "breaks": [],
        "left": actions_per_round(table),
        "held": [],
        "late": False,
        "offered": 0,
        "extra": 0,
    }


def actions_per_round(table: Table) -> int:
    """How many actions everybody has in a round (toaster.4.actions-two)."""
    return whole(setting(table.options, "actions_per_round")) or 1


def place(table: Table, entity: str) -> Mapping[str, Any] | None:
    """Somebody's place in the fight that is on, or None."""
    fighters: Any = table.fight["fighters"] if table.fight else {}
    found: Mapping[str, Any] | None = fighters.get(entity)
    return found


def is_acting(table: Table, entity: str) -> bool:
    """Whether it is this one's turn."""
    return bool(table.fight and table.fight["phase"] == "turns" and table.fight["turn"] == entity)


def may_take(table: Table, entity: str) -> bool:
    """Whether this one has an action just now: in turn, held back, or by the GM's leave.

    toaster.4.initiative-skip.
    """
    mine = place(table, entity)
    if mine is None or mine["status"] in _GONE or not table.fight:
        return False
    if table.fight["phase"] not in {"turns", "end"}:
        return bool(mine["extra"])
    held = bool(mine["held"]) and mine["left"] > 0
    return is_acting(table, entity) or held or bool(mine["extra"])


def take_action(fight: Fight, who: str) -> None:
    """One action fewer, and the turn goes on.

    Whoever begins an action of a later lap ends what others have held back of earlier ones
    (toaster.4.initiative-skip-limit). Who held one back and has the turn takes that first.
    """
    one = fight["fighters"][who]
    in_turn = fight["turn"] == who and fight["phase"] == "turns"
    if not in_turn and not one["held"]:
        one["extra"] = max(0, one["extra"] - 1)
        return
    one["left"] = max(0, one["left"] - 1)
    if not in_turn:
        one["held"].pop(0)
        return
    if fight["resume"]:
        one["held"] = one["held"][1:]
        fight["turn"], fight["resume"] = fight["resume"], ""
        return
    if fight["late"]:
        one["late"] = False
    elif one["held"]:
        one["held"].pop(0)
        if one["left"] > 0:
            return
    else:
        _too_late(fight, who)
    next_turn(fight)


def _too_late(fight: Fight, who: str) -> None:
    """Others lose what they have held back of laps before this one."""
    for other, one in fight["fighters"].items():
        if other == who:
            continue
        lost = [lap for lap in one["held"] if lap < fight["lap"]]
        one["left"] = max(0, one["left"] - len(lost))
        one["held"] = [lap for lap in one["held"] if lap >= fight["lap"]]


def give_action(fight: Fight, who: str) -> None:
    """One action fewer for a defence, without a turn (toaster.4.defence-cost)."""
    one = fight["fighters"][who]
    one["left"] = max(0, one["left"] - 1)
    one["held"] = one["held"][max(0, len(one["held"]) - one["left"]) :]
    if fight["turn"] == who and not one["left"]:
        next_turn(fight)


def skip(fight: Fight, who: str) -> None:
    """Somebody lets the turn pass and may act later (toaster.4.initiative-skip)."""
    one = fight["fighters"][who]
    if fight["resume"]:
        fight["turn"], fight["resume"] = fight["resume"], ""
        return
    if fight["late"]:
        one["late"] = False
    if fight["lap"] not in one["held"]:
        one["held"].append(fight["lap"])
    next_turn(fight)


def move_and_act(fight: Fight, who: str) -> None:
    """A movement now, and the action that goes with it after all first actions.

    toaster.4.actions-movement.
    """
    one = fight["fighters"][who]
    one["left"] = max(0, one["left"] - 1)
    one["late"] = True
    next_turn(fight)


def cut_in(fight: Fight, who: str) -> None:
    """Somebody who waited acts before whoever's turn it is; then that turn goes on.

    toaster.4.initiative-cut-in.
    """
    if fight["turn"] != who:
        fight["resume"], fight["turn"] = fight["turn"], who


def slower(fight: Fight, who: str, cost: int) -> None:
    """A lower initiative for something done besides (toaster.4.actions-initiative-cost)."""
    one = fight["fighters"][who]
    one["number"] = (one["number"] or 0) - cost
    fight["order"].sort(key=lambda each: rank(fight, each))
    if fight["turn"] == who and not fight["late"] and not fight["resume"]:
        one["offered"] = fight["lap"] - 1
        _offer(fight)


# ---------------------------------------------------------------- order and turns


def rolled(fight: Fight, who: str, number: int, bonus: int, breaks: tuple[int, ...] = ()) -> None:
    """Somebody's initiative has fallen; after the last one the order stands, or ties wait."""
    one = fight["fighters"][who]
    one.update(number=number, bonus=bonus, breaks=list(breaks), status="in")
    settle(fight)


def to_roll(fight: Mapping[str, Any]) -> tuple[str, ...]:
    """Those whose initiative has not fallen yet."""
    return tuple(w for w, one in fight["fighters"].items() if one["status"] == "to roll")


def rank(fight: Mapping[str, Any], who: str) -> tuple[int, int, tuple[int, ...]]:
    """Where somebody stands in the order: number, then Coordination, then dice among equals.

    toaster.4.initiative-order, toaster.4.initiative-ties.
    """
    one = fight["fighters"][who]
    return -(one["number"] or 0), -one["bonus"], tuple(-face for face in one["breaks"])


def tied(fight: Mapping[str, Any]) -> tuple[str, ...]:
    """The highest group whose order nothing settles yet; () for none."""
    groups: dict[Any, list[str]] = {}
    for who, one in fight["fighters"].items():
        if one["status"] == "in":
            groups.setdefault(rank(fight, who), []).append(who)
    return next((tuple(groups[key]) for key in sorted(groups) if len(groups[key]) > 1), ())


def settle(fight: Fight) -> None:
    """Once all dice have fallen: the highest number first (toaster.4.initiative-order)."""
    if to_roll(fight) or fight["phase"] not in {"initiative", "ties"}:
        return
    if tied(fight):
        fight["phase"] = "ties"
        return
    waiting = [who for who, one in fight["fighters"].items() if one["status"] == "in"]
    fight["order"] = sorted(waiting, key=lambda who: rank(fight, who))
    fight["phase"], fight["turn"], fight["lap"] = "turns", "", 1
    _offer(fight)


def next_turn(fight: Fight) -> None:
    """The turn goes to the next who can act; lap after lap, until all actions are used up."""
    _offer(fight)


def _offer(fight: Fight) -> None:
    while True:
        who = _late_one(fight) if fight["late"] else _next_of_lap(fight)
        if who:
            fight["turn"] = who
            if not fight["late"]:
                fight["fighters"][who]["offered"] = fight["lap"]
            return
        if not fight["late"] and any(one["late"] for one in fight["fighters"].values()):
            fight["late"] = True
            continue
        fight["late"] = False
        fight["lap"] += 1
        if not any(_could(fight, each) for each in fight["order"]):
            fight["turn"], fight["phase"] = "", "end"
            return


def _could(fight: Fight, who: str) -> bool:
    """Whether somebody has an action that no lap has offered yet, and is free to take it."""
    one = fight["fighters"][who]
    return one["status"] == "in" and not one["long"] and one["left"] > len(one["held"])


def _next_of_lap(fight: Fight) -> str:
    for who in fight["order"]:
        one = fight["fighters"][who]
        ready = one["status"] == "in" and one["left"] > 0 and not one["late"]
        if ready and one["offered"] < fight["lap"] and _could(fight, who):
            return str(who)
    return ""


def _late_one(fight: Fight) -> str:
    for who in fight["order"]:
        one = fight["fighters"][who]
        if one["status"] == "in" and one["late"] and one["left"] > 0:
            return str(who)
        one["late"] = False
    return ""


def fall(fight: Fight, who: str, status: str = "out") -> None:
    """Somebody is down, or leaves: no more turns, the others' order as it was."""
    one = fight["fighters"].get(who)
    if one is None or one["status"] in _GONE:
        return
    one.update(status=status, held=[], late=False, long=None)
    if fight["resume"] == who:
        fight["resume"] = ""
    if fight["turn"] == who:
        if fight["resume"]:
            fight["turn"], fight["resume"] = fight["resume"], ""
        else:
            next_turn(fight)
    settle(fight)


def next_round(table: Table, fight: Fight) -> None:
    """Everybody again, with new dice (toaster.4.initiative-roll)."""
    fight["round"] += 1
    for one in fight["fighters"].values():
        if one["status"] not in _GONE:
            one.update(_fresh(table), status="to roll")
    fight.update(phase="initiative", lap=1, late=False, turn="", resume="", order=[])
    settle(fight)


# ---------------------------------------------------------------- what a step puts on the table


def step(table: Table, fight: Fight | None) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What changed in the fight, and the cards that its new state puts before the GM."""
    return put_before_gm(table, fight, tied, _EQUALS, _STILL)
