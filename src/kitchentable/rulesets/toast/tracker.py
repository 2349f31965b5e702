"""The fight as everybody sees it, and what of it is the GM's alone."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    FightRow,
    FightView,
    Seat,
    Table,
    is_closed,
)
from kitchentable.rulesets.toast.options import setting
from kitchentable.rulesets.toast.sheet import status, wound_track

_WORDS = {
    "to roll": "",
    "waiting": "",
    "done": "has acted",
    "idle": "no action this round",
    "joins": "from the next round on",
    "out": "out of the fight",
    "left": "has left the fight",
}


def fight_view(table: Table) -> FightView | None:
    """Round, order, who acts, who is down (toast.7-init-order, toast.7.3-turn-lost)."""
    if table.fight is None:
        return None
    fight: Any = table.fight
    listed = [who for who in fight["order"] if who in fight["fighters"]]
    rest = [who for who in fight["fighters"] if who not in listed]
    rows = tuple(_row(table, fight, who) for who in (*listed, *rest) if who in table.entities)
    house = str(setting(table.options, "house_rules") or "")
    hint = str(setting(table.options, "move_hint") or "")
    notes = tuple(note for note in (house, f"A short way: {hint}." if hint else "") if note)
    told = _told(table, fight)
    return FightView(fight["round"], rows, _sentence(table, fight), (*told, *notes))


def _row(table: Table, fight: Any, who: str) -> FightRow:
    one, entity = fight["fighters"][who], table.entities[who]
    words, tone = status(entity)
    out = one["status"] in {"out", "left"}
    number = one.get("number")
    return FightRow(
        who,
        entity.name,
        "not yet"
        if one["status"] in {"to roll", "joins"}
        else str(number)
        if number is not None
        else one["word"] or "\N{EN DASH}",
        words or _WORDS[one["status"]],
        tone if words else "plain",
        acting=fight["turn"] == who,
        done=one["status"] in {"done", "idle"},
        out=out,
        track=wound_track(table, entity),
    )


def _sentence(table: Table, fight: Any) -> str:
    if fight["phase"] == "initiative":
        return "Roll Initiative."
    if fight["phase"] == "ties":
        return "Equal numbers: the GM settles the order."
    if fight["phase"] == "end":
        return "Everybody has had a turn."
    turn = fight["turn"]
    return f"{table.entities[turn].name} acts." if turn in table.entities else "The GM acts."


def _told(table: Table, fight: Any) -> tuple[str, ...]:
    """Why somebody was idle or quick this round (toast.7.1-init-flub-note)."""
    notes = fight["notes"].get(str(fight["round"]), {})
    return tuple(
        f"{table.entities[who].name}: {text}"
        for who, text in notes.items()
        if who in table.entities
    )


def conceal(table: Table, seat: Seat) -> Table:
    """For players: no numbers of closed people in the fight, and nothing of hidden ones.

    The table has taken hidden people off already, so whoever fights and is not there is hidden.
    """
    if table.fight is None or seat.role == GM:
        return table
    fight: Any = deepcopy(dict(table.fight))
    here = table.entities
    fight["fighters"] = {who: one for who, one in fight["fighters"].items() if who in here}
    for who, one in fight["fighters"].items():
        if is_closed(here[who]):
            one["number"] = None
    fight["order"] = [who for who in fight["order"] if who in here]
    fight["turn"] = fight["turn"] if fight["turn"] in here else ""
    fight["breaks"] = {}
    fight["notes"] = {
        number: {who: text for who, text in notes.items() if who in here}
        for number, notes in fight["notes"].items()
    }
    return replace(table, fight=fight)
