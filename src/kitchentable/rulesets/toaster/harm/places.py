"""Where blows land: which table a body uses, places for a GM to name, left or right."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import GM, Ask, Choice, Entity, Table
from kitchentable.rules.kit import Form, given, pick
from kitchentable.rulesets.toaster.book import Choices, Words
from kitchentable.rulesets.toaster.harm.state import area_key
from kitchentable.rulesets.toaster.mechanics.tables import (
    Criticals,
    Location,
    Locations,
    read_criticals,
    read_locations,
)
from kitchentable.rulesets.toaster.options import Options
from kitchentable.rulesets.toaster.people import At, Here, toaster
from kitchentable.rulesets.toaster.tables import rows

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


@toaster.answer("where", form=WhereForm)
def where(at: At[WhereForm]) -> None:
    written = [dict(one) for one in at.me.wound_rows]
    area, part = place_named(at.form.place)
    if at.form.row < len(written):
        written[at.form.row].update(area=area_key(area), part=part)
    at.me.put(wounds=written)
    rules = ("toaster.4.hitloc-either", "toaster.4.hitloc-invent")
    at.tell(f"{at.me.name}: {at.form.place}", "Says the GM.", rules=rules)


MOVES = (where,)
