"""The fight as everybody sees it, and what of it is the GM's alone."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

from kitchentable.rules import (
    GM,
    Entity,
    FightRow,
    FightView,
    Seat,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat import stances
from kitchentable.rulesets.toaster.harm import showing
from kitchentable.rulesets.toaster.harm.state import is_awake
from kitchentable.rulesets.toaster.options.reading import setting

_WORDS = {
    "to roll": "",
    "in": "",
    "joins": "from the next round on",
    "out": "out of the fight",
    "left": "has left the fight",
}


def fight_view(table: Table) -> FightView | None:
    """Round, order, who acts, who is hurt how badly, what runs out (toaster.4.initiative-order)."""
    if table.fight is None:
        return None
    fight: Any = table.fight
    listed = [who for who in fight["order"] if who in fight["fighters"]]
    rest = [who for who in fight["fighters"] if who not in listed]
    here = [who for who in (*listed, *rest) if who in table.entities]
    rows = tuple(_row(table, fight, who) for who in here)
    return FightView(fight["round"], rows, _sentence(table, fight), _distances(table, fight))


def _row(table: Table, fight: Any, who: str) -> FightRow:
    one, entity = fight["fighters"][who], table.entities[who]
    status = _status(table, one, entity)
    shown = lens.numbers_known(entity)
    out = one["status"] in {"out", "left"}
    number = one["number"]
    rolled = "\N{EN DASH}" if number is None else str(number)
    return FightRow(
        who,
        entity.name,
        "not yet" if one["status"] in {"to roll", "joins"} else rolled,
        status,
        "bad" if out or not is_awake(entity) else "plain",
        acting=fight["turn"] == who,
        done=fight["phase"] != "initiative" and one["left"] <= 0 and not one["extra"],
        out=out,
        track=showing.tracks(table, entity)[0] if shown else showing.tracks(table, entity)[1],
        note=_note(table, fight, who),
    )


def _status(table: Table, one: Any, entity: Entity) -> str:
    """How somebody is and what they are about, in a few words."""
    shown = lens.numbers_known(entity)
    words = [showing.status(table, entity) if shown else showing.condition_words(entity)]
    words.append(_WORDS[one["status"]])
    if one["long"]:
        words.append(f"busy: {one['long']['what']}")
    elif one["late"]:
        words.append("acts after all first actions")
    elif one["held"] and one["left"] > 0:
        words.append("waits, and may cut in")
    return ", ".join(dict.fromkeys(word for word in words if word))


def _note(table: Table, fight: Any, who: str) -> str:
    """Somebody's actions left, wounds, effects, stances and countdowns."""
    one, entity = fight["fighters"][who], table.entities[who]
    if one["status"] in {"out", "left"} and is_awake(entity):
        return ""
    found: list[str] = []
    if fight["phase"] == "turns" and one["status"] == "in":
        found.append(lens.plural(whole(one["left"]), "action") + " left")
    if one["long"]:
        found.append(f"{one['long']['done']} of {one['long']['rounds']} rounds done")
    if lens.numbers_known(entity):
        found.append(showing.tracks(table, entity)[1].words)
        found += [tag.text for tag in showing.tags(table, entity)]
        found += _stances(entity)
    return "; ".join(found)


def _stances(entity: Entity) -> list[str]:
    found = []
    held = stances.all_out(entity)
    if held:
        found.append(f"all-out {held['kind']}, {lens.plural(whole(held['left']), 'action')} more")
    for kind in (stances.ATTACK, stances.DEFENCE):
        found += [f"{one.name}: {one.value:+d} {kind}" for one in stances.carried(entity, kind)]
    if stances.aimed(entity):
        found.append("has taken aim")
    return found


def _distances(table: Table, fight: Any) -> tuple[str, ...]:
    """At which weapon's distance two people fight (toaster.4.length-shift)."""
    if not setting(table.options, "weapon_length"):
        return ()
    found = []
    for pair, at in fight["distances"].items():
        people = [table.entities[who].name for who in pair.split("|") if who in table.entities]
        if len(people) == 2:
            weapon = str(at["weapon"]).casefold()
            found.append(f"{lens.listed(people)} fight at the distance of a {weapon}.")
    return tuple(found)


def _sentence(table: Table, fight: Any) -> str:
    if fight["phase"] == "initiative":
        return "Roll initiative."
    if fight["phase"] == "ties":
        return "Equal numbers: the GM settles the order."
    if fight["phase"] == "end":
        waits = [
            table.entities[who].name
            for who, one in fight["fighters"].items()
            if who in table.entities and one["held"] and one["left"] > 0 and one["status"] == "in"
        ]
        held = f" {lens.listed(waits)} may still act." if waits else ""
        return f"Everybody has acted.{held}"
    turn = fight["turn"]
    return f"{table.entities[turn].name} acts." if turn in table.entities else "The GM acts."


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
        if lens.is_closed(here[who]):
            one.update(number=None, bonus=0, breaks=[])
    fight["order"] = [who for who in fight["order"] if who in here]
    for key in ("turn", "resume"):
        fight[key] = fight[key] if fight[key] in here else ""
    fight["distances"] = {
        pair: at
        for pair, at in fight["distances"].items()
        if all(who in here for who in pair.split("|"))
    }
    return replace(table, fight=fight)
