"""Where blows land, and what a critical hit leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    GM,
    Ask,
    Change,
    Choice,
    Entity,
    Json,
    Line,
    Table,
    fresh,
    whole,
)
from kitchentable.rules.kit import Form, given, pick
from kitchentable.rulesets.toaster.book import Choices, Facts, Words, rows
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.state import (
    area_key,
    become,
    changed,
    dropped,
)
from kitchentable.rulesets.toaster.mechanics.tables import (
    Critical,
    Criticals,
    Location,
    Locations,
    read_criticals,
    read_locations,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster

HUMANOID = "humanoid"


def body(entity: Entity) -> str:
    """The kind of body somebody has, as the table of locations names it.

    toaster.4.hitloc-humanoid.
    """
    return str(entity.sheet.get("body") or "").strip() or HUMANOID


def location_cells(table: Table, entity: Entity) -> Locations:
    """The sixty cells of somebody's body; () where the table does not roll for locations.

    toaster.4.hitloc-use, toaster.4.tables-custom.
    """
    if not Options(table.options).hit_location:
        return ()
    return read_locations(rows(table, "locations"), body(entity))


def critical_cells(table: Table) -> Criticals:
    """The sixty cells of the critical table as this campaign has it (toaster.4.tables-custom)."""
    return read_criticals(rows(table, "criticals"))


def with_coin(table: Table) -> bool:
    """Whether a die says left or right (toaster.4.hitloc-either)."""
    return Options(table.options).hit_location_side == "coin"


def areas(table: Table, entity: Entity) -> Words:
    """The areas of somebody's body, in the table's order."""
    mine = [one for one in rows(table, "locations") if one.get("body", HUMANOID) == body(entity)]
    return tuple(dict.fromkeys(str(one["area"]) for one in mine))


def place_choices(table: Table, entity: Entity) -> Choices:
    """Every place a GM can name instead of rolling: "Left Arm: Hand" (toaster.4.hitloc-invent)."""
    found: dict[str, Choice] = {}
    for one in rows(table, "locations"):
        if one.get("body", HUMANOID) != body(entity):
            continue
        area, part = str(one["area"]), str(one["name"])
        for side in ("left ", "right ") if one.get("either") else ("",):
            value = f"{area}: {side}{part}"
            found[value] = Choice(value, value)
    return tuple(found.values())


def place_named(value: Any) -> tuple[str, str]:
    """The area and the part of a place that was picked.

    >>> place_named("Left Arm: Hand"), place_named("Tail"), place_named(None)
    (('Left Arm', 'Hand'), ('Tail', ''), ('', ''))
    """
    area, _, part = str(value or "").partition(": ")
    return area, part


def part_of(location: Location) -> str:
    """The part that was struck, with its side.

    >>> part_of(Location("Torso", "Shoulder", "left"))
    'left Shoulder'
    """
    return f"{location.side} {location.part}".strip()


def is_sideless(table: Table, entity: Entity, area: str, part: str) -> bool:
    """Whether a part is there twice and nobody has said which."""
    return any(
        one.get("either")
        and one.get("body", HUMANOID) == body(entity)
        and area_key(str(one["area"])) == area_key(area)
        and str(one["name"]) == part
        for one in rows(table, "locations")
    )


def where_ask(table: Table, entity: Entity, area: str, part: str) -> tuple[Ask, ...]:
    """A word to the GM where a wound has no place yet, or no side, and the table wants them.

    toaster.4.hitloc-either, toaster.4.hitloc-invent. The wound is the last one on the list.
    """
    if not Options(table.options).hit_location:
        return ()
    if area and not is_sideless(table, entity, area, part):
        return ()
    row = len(entity.state.get("wounds") or []) - 1
    return (
        Ask(
            f"where-{entity.id}-{row}",
            (GM,),
            "where",
            f"Where exactly was {entity.name} hit?",
            f"{area}, {part}: left or right?" if area else "No table names the place.",
            preset={"row": row},
            rules=("toaster.4.hitloc-either" if area else "toaster.4.hitloc-invent",),
            skippable=True,
            entity=entity.id,
        ),
    )


def hits(at: Here) -> Words:
    """Every place that a blow can have landed on; none where no table knows the body."""
    return tuple(one.value for one in place_choices(at.table, at.me.entity))


def likely(at: Here) -> str | None:
    """The first place that fits what is known of the wound, else the first there is."""
    rows, row = at.me.wound_rows, at.form.row
    now = rows[row] if row < len(rows) else {}
    fits = [one for one in hits(at) if _fits(one, now)]
    return next(iter(fits or hits(at)), None)


def _fits(value: str, row: Any) -> bool:
    area, part = place_named(value)
    same = area_key(area) == area_key(str(row.get("area") or ""))
    return same and part.endswith(str(row.get("part") or ""))


class WhereForm(Form):
    place = pick(
        "Where?",
        lambda at: place_choices(at.table, at.me.entity),
        default=likely,
        rule="toaster.4.hitloc-either",
    ).having(
        kind=lambda at: "choice" if hits(at) else "text",
        longest=80,
    )
    row = given(0)


@toaster.answer("where")
def where(at: At[WhereForm]) -> None:
    written = [dict(one) for one in at.me.wound_rows]
    area, part = place_named(at.form.place)
    if at.form.row < len(written):
        written[at.form.row].update(area=area_key(area), part=part)
    at.me.put(wounds=written)
    at.tell_as("where", place=at.form.place)


# ---------------------------------------------------------------- what a critical hit leaves behind

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
