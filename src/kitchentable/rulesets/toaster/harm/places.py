"""Hit locations, and the lasting effects of critical hits."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import Choice, fresh, listed
from kitchentable.rules.kit import Form, given, pick
from kitchentable.rulesets.toaster.book import Choices, Row, Words, rows
from kitchentable.rulesets.toaster.character.attributes import area_key
from kitchentable.rulesets.toaster.harm.state import PRONE, this_round
from kitchentable.rulesets.toaster.mechanics.tables import (
    Critical,
    Locations,
    read_locations,
)
from kitchentable.rulesets.toaster.people import At, Here, Person, toaster

HUMANOID = "humanoid"
#: The penalty for lying on the ground, unless the GM sets another: the smallest loss of balance in
#: the book's table, which has no number for a fall.
ON_THE_GROUND = -2

_LOST = {"feet": "falls at their feet", "reach": "lands out of reach", "broken": "breaks"}


def body(one: Person) -> str:
    """A character's kind of body, as named in the table of locations.

    toaster.4.hitloc-humanoid.
    """
    return str(one.sheet.get("body") or "").strip() or HUMANOID


def location_cells(one: Person) -> Locations:
    """The sixty cells of a character's body; () if neither hits nor armor use places.

    toaster.4.hitloc-use, toaster.4.tables-custom, toaster.4.partial-switch,
    toaster.4.hitloc-humanoid.
    """
    if not one.options.hit_location and not one.options.partial_armor:
        return ()
    return read_locations(rows(one.table, "locations"), body(one))


def places(one: Person) -> list[Row]:
    """The rows for a character's body in the table of locations."""
    kind = body(one)
    return [each for each in rows(one.table, "locations") if each.get("body", HUMANOID) == kind]


def areas(one: Person) -> Words:
    """The areas of a character's body, in table order."""
    return tuple(dict.fromkeys(each["area"] for each in places(one)))


def armor_classes(one: Person) -> dict[str, int]:
    """The armor class by bracketed places, such as "(Torso)"; "" if all are equal.

    Places differ if armor covers only parts of the body (toaster.4.partial-ac).
    """
    found: dict[int, list[str]] = {}
    for area in (one.options.partial_armor and areas(one)) or ("",):
        found.setdefault(one.armor_class(area), []).append(area)
    return {f"({listed(where)})" * (len(found) > 1): ac for ac, where in found.items()}


def place_choices(one: Person) -> Choices:
    """The places that a GM can name instead of rolling: "Left Arm: Hand".

    toaster.4.hitloc-invent.
    """
    found = dict.fromkeys(
        f"{each['area']}: {side}{each['name']}"
        for each in places(one)
        for side in (("left ", "right ") if each.get("either") else ("",))
    )
    return tuple(Choice(value, value) for value in found)


def place_named(value: Any) -> tuple[str, str]:
    """The area and the part of a chosen place.

    >>> place_named("Left Arm: Hand"), place_named("Tail"), place_named(None)
    (('Left Arm', 'Hand'), ('Tail', ''), ('', ''))
    """
    area, _, part = str(value or "").partition(": ")
    return area, part


# ---------------------------------------------------------------- where exactly?


def ask_where(at: Here, one: Person, area: str, part: str) -> None:
    """Ask the GM for the place or side of the last wound, if missing but needed.

    toaster.4.hitloc-either, toaster.4.hitloc-invent.
    """
    if not at.options.hit_location or not _lacks_place(one, {"area": area, "part": part}):
        return
    words, rule = "No table names the place.", "invent"
    if area:
        words, rule = f"{area}, {part}: left or right?", "either"
    rules, row = (f"toaster.4.hitloc-{rule}",), len(one.wound_rows) - 1
    at.ask(where, "", "", words, of=one, rules=rules, row=row)


def _lacks_place(one: Person, wound: Row) -> bool:
    """Whether a wound has no place, or a place with two sides but no side."""
    area = area_key(wound.get("area") or "")
    return not area or any(
        each.get("either") and area_key(each["area"]) == area and each["name"] == wound.get("part")
        for each in places(one)
    )


def hits(at: Here) -> Words:
    """The places that a blow can hit, or none for bodies without a table."""
    return tuple(one.value for one in place_choices(at.me))


def likely(at: Here) -> str | None:
    """The first place that fits the known parts of the wound, otherwise the first of all."""
    now = at.form.wound
    fits = [one for one in hits(at) if _fits(one, now)]
    return next(iter(fits or hits(at)), None)


def _fits(value: str, row: Row) -> bool:
    area, part = place_named(value)
    same = area_key(area) == area_key(row.get("area") or "")
    return same and part.endswith(row.get("part") or "")


class WhereForm(Form):
    at: Here

    place = pick(
        "Where?",
        lambda at: place_choices(at.me),
        default=likely,
        rule="toaster.4.hitloc-either",
        longest=80,
    ).having(kind=lambda at: "choice" if hits(at) else "text")
    row = given(0)

    @property
    def wound(self) -> Row:
        """The stored row of the wound: the last one without a place, up to the original row."""
        me = self.me
        early = [row for row in me.wound_rows[: self.row + 1] if _lacks_place(me, row)]
        return early[-1] if early else {}


@toaster.answer("where")
def where(at: At[WhereForm]) -> None:
    area, part = place_named(at.form.place)
    named = {"area": area_key(area), "part": part}
    now = at.form.wound
    at.me.put(wounds=[{**one, **named} if one is now else one for one in at.me.wound_rows])
    at.tell_as("where", place=at.form.place)


# ---------------------------------------------------------------- what a critical hit leaves behind


def leave_behind(at: Here, one: Person, critical: Critical, weapon: str = "") -> list[str]:
    """Apply a critical hit's lasting effects on the defender; return the rules.

    `weapon` is the id of the weapon in hand, which falls at the defender's feet or out of reach, or
    breaks (toaster.4.crit-a). The defender is off balance for the next round, or on the ground
    (toaster.4.crit-b). The attack itself applies bypassed protection and extra damage
    (toaster.4.crit-c, toaster.4.crit-d).
    """
    rules = ["toaster.4.crit-table"]
    lost = [cell.text for cell in critical.cells if cell.weapon and not weapon]
    said = [f"{text}." for text in critical.texts if text not in lost]
    said += ["There is no weapon to lose."] * bool(lost)
    found = list(one.effect_rows)
    if critical.weapon and weapon:
        name = one.weapon_name(weapon, "The weapon")
        said.append(f"{name} {_LOST[critical.weapon]}.")
        one.put(dropped={**one.dropped, weapon: critical.weapon})
        rules.append("toaster.4.crit-a")
    if critical.penalty and at.table.fight:
        found.append(_effect(at, "off balance", critical.penalty, this_round(at.table) + 1))
    if critical.falls:
        found.append({**_effect(at, "on the ground"), "id": PRONE})
    if len(found) > len(one.effect_rows):
        one.put(effects=found)
        rules.append("toaster.4.crit-b")
    for words in said:
        at.say(words, one.card_audience)
    return rules


def _effect(at: Here, name: str, value: int = 0, this: int = 0) -> Row:
    number = {"from": this, "until": this}
    return {"id": fresh(at.table, "effect"), "name": name, "value": value, "scope": "all"} | number
