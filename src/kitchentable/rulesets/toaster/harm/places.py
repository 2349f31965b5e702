"""Where blows land: which table a body uses, places for a GM to name, left or right."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Choice,
    Entity,
    Field,
    Move,
    Result,
    Table,
    card_audience,
    whole,
)
from kitchentable.rulesets.toaster.harm.state import area_key, become, changed
from kitchentable.rulesets.toaster.mechanics.tables import (
    Criticals,
    Location,
    Locations,
    read_criticals,
    read_locations,
)
from kitchentable.rulesets.toaster.options.reading import setting
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
    if not setting(table.options, "hit_location"):
        return ()
    return read_locations(rows(table, "locations"), body(entity))


def critical_cells(table: Table) -> Criticals:
    """The sixty cells of the critical table as this campaign has it (toaster.4.tables-custom)."""
    return read_criticals(rows(table, "criticals"))


def with_coin(table: Table) -> bool:
    """Whether a die says left or right (toaster.4.hitloc-either)."""
    return bool(setting(table.options, "hit_location_side") == "coin")


def areas(table: Table, entity: Entity) -> tuple[str, ...]:
    """The areas of somebody's body, in the table's order."""
    mine = [one for one in rows(table, "locations") if one.get("body", HUMANOID) == body(entity)]
    return tuple(dict.fromkeys(str(one["area"]) for one in mine))


def place_choices(table: Table, entity: Entity) -> tuple[Choice, ...]:
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
    if not setting(table.options, "hit_location"):
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


def _row(table: Table, actor: Actor) -> int:
    ask = table.asks.get(actor.ask)
    return whole(ask.preset.get("row")) if ask else 0


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = table.entities.get(actor.entity)
    if entity is None:
        return ()
    choices = place_choices(table, entity)
    rule = "toaster.4.hitloc-either"
    if not choices:
        return (Field("place", "Where?", longest=80, rule=rule),)
    written: Any = entity.state.get("wounds") or []
    row = _row(table, actor)
    now = written[row] if row < len(written) else {}
    fits = [one.value for one in choices if _fits(one.value, now)]
    first = fits[0] if fits else choices[0].value
    return (Field("place", "Where?", "choice", choices, default=first, rule=rule),)


def _fits(value: str, row: Any) -> bool:
    area, part = place_named(value)
    same = area_key(area) == area_key(str(row.get("area") or ""))
    return same and part.endswith(str(row.get("part") or ""))


def _where(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    written = [dict(one) for one in entity.state.get("wounds") or []]
    row = _row(table, actor)
    area, part = place_named(answers["place"])
    if row < len(written):
        written[row].update(area=area_key(area), part=part)
    card = Card(
        f"{entity.name}: {answers['place']}",
        "Says the GM.",
        rules=("toaster.4.hitloc-either", "toaster.4.hitloc-invent"),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, changed(entity, become(entity, wounds=written)))


WHERE = Move(
    "where",
    "Where was the hit?",
    "The side of a shoulder, or a place that no table has.",
    ("toaster.4.hitloc-either", "toaster.4.hitloc-invent"),
    _where,
    by=(),
    fields=_fields,
)

MOVES = (WHERE,)
