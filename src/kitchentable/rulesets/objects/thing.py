"""An object as the rules ask after it: talents, status, karma, its parts, who may see what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    Actor,
    Change,
    Entity,
    Json,
    Table,
    whole,
)
from kitchentable.rulesets.objects.book import TABLES
from kitchentable.rulesets.objects.options import basics, setting

#: The words of both scales by number.
TALENT_WORDS: dict[int, str] = {one["level"]: one["word"] for one in TABLES["talent_level"]}
STATUS_WORDS: dict[int, str] = {one["level"]: one["word"] for one in TABLES["status"]}
LOWEST, HIGHEST = 0, 6
#: The status of an object that nothing ails (objects.2.5-status-start).
GOOD = 6


@dataclass(frozen=True, slots=True)
class Talent:
    """A talent as it stands on a sheet: its words, level, and what the GM said of it.

    `leads_to` is the id of the object that this talent is: the pilot of a ship. `verdict` is
    "agreed", "not yet" or "proposed".
    """

    name: str
    level: int
    basic: bool = False
    leads_to: str = ""
    verdict: str = "agreed"
    word: str = ""

    @property
    def phrase(self) -> str:
        """The talent as it is written down: word, talent, number (objects.2.3-write-form).

        >>> Talent("Agile", 2, basic=True).phrase
        'Somewhat agile (2)'
        """
        name = self.name[:1].lower() + self.name[1:] if self.basic else self.name
        return f"{TALENT_WORDS.get(self.level, '?')} {name} ({self.level})"


def status_phrase(status: int) -> str:
    """A status in its word and number.

    >>> status_phrase(4)
    'Injured (4)'
    """
    return f"{STATUS_WORDS.get(status, '?')} ({status})"


def numbers_known(entity: Entity) -> bool:
    """Whether the talents are there; on a table concealed for a player a closed object has none."""
    return isinstance(entity.sheet.get("talents"), list)


def gained_rows(entity: Entity) -> list[dict[str, Any]]:
    """The gained talents as the sheet keeps them, copied."""
    rows: Any = entity.sheet.get("talents") or []
    return [dict(row) for row in rows]


def talents(table: Table, entity: Entity) -> tuple[Talent, ...]:
    """Basic talents in the order of the type, then gained ones (objects.2.3-gained-talents).

    A basic talent that the table has struck out stays with those who have it.
    """
    return (*basic_talents(table, entity), *gained_talents(entity))


def basic_talents(table: Table, entity: Entity) -> tuple[Talent, ...]:
    """The talents that come with the type, each at the object's own level."""
    levels: Any = entity.sheet.get("basic") or {}
    if not numbers_known(entity) or not isinstance(levels, Mapping):
        return ()
    listed = {one.key: one.name for one in basics(table.options, entity.kind)}
    names = listed | {
        key: str(key).replace("-", " ").capitalize() for key in levels if key not in listed
    }
    return tuple(Talent(name, whole(levels.get(key, 0)), basic=True) for key, name in names.items())


def gained_talents(entity: Entity) -> tuple[Talent, ...]:
    """What was learned, acquired or is somebody aboard, with the GM's verdict on each."""
    return tuple(_gained(entity, row) for row in gained_rows(entity))


def _gained(entity: Entity, row: Mapping[str, Any]) -> Talent:
    name, leads_to = str(row.get("name") or ""), str(row.get("object") or "")
    verdict, word = _verdict(entity, name)
    return Talent(name, whole(row.get("level")), leads_to=leads_to, verdict=verdict, word=word)


def _verdict(entity: Entity, name: str) -> tuple[str, str]:
    """The GM's word of a talent (objects.2.3-gt-agree); the GM's own need none."""
    verdicts: Any = entity.state.get("talents") or {}
    said = verdicts.get(name)
    if said:
        return said.get("verdict", "proposed"), said.get("word", "")
    building = entity.is_players and entity.stage != "play"
    return ("proposed" if building else "agreed"), ""


def usable(table: Table, entity: Entity) -> tuple[Talent, ...]:
    """The talents that can be rolled on: those that are agreed on."""
    return tuple(one for one in talents(table, entity) if one.verdict == "agreed")


def find_talent(table: Table, entity: Entity, name: Json) -> Talent | None:
    """The talent of that name, or None."""
    return next((one for one in talents(table, entity) if one.name == name), None)


def level(table: Table, entity: Entity, name: Json) -> int:
    """The level of a talent; 0 for one that the object does not have (objects.2.3-zero-level)."""
    found = find_talent(table, entity, name)
    return found.level if found else 0


# ---------------------------------------------------------------- what is part of what


def parts(table: Table, entity: Entity) -> tuple[Entity, ...]:
    """The objects that are talents of this one, as far as they are at this table."""
    ids = dict.fromkeys(one.leads_to for one in gained_talents(entity) if one.leads_to)
    return tuple(table.entities[one] for one in ids if one in table.entities)


def aboard(table: Table, entity: Entity) -> tuple[Entity, ...]:
    """Those of its parts that are objects in play by themselves."""
    return tuple(one for one in parts(table, entity) if one.stage == "play")


def wholes(table: Table, entity: Entity) -> tuple[Entity, ...]:
    """The objects in play of which this one is a talent (objects.2.3-crew-as-talent)."""
    return tuple(
        one
        for one in table.in_play()
        if any(talent.leads_to == entity.id for talent in gained_talents(one))
    )


# ---------------------------------------------------------------- status and karma


def status(entity: Entity) -> int:
    """How it is, 6 good to 0: as play left it, or as it was made."""
    said = entity.state.get("status", entity.sheet.get("status", GOOD))
    return whole(said)


def injuries(entity: Entity) -> list[dict[str, Any]]:
    """What happened to it, healed things too, as the state keeps them, copied."""
    rows: Any = entity.state.get("injuries") or []
    return [dict(row) for row in rows]


def open_injuries(entity: Entity) -> list[dict[str, Any]]:
    """What still ails it."""
    return [row for row in injuries(entity) if not row.get("healed")]


def karma(entity: Entity) -> int:
    """Its karma points; they are the object's, whoever plays it (objects.3.k-object)."""
    return whole(entity.state.get("karma"))


def has_karma(table: Table, entity: Entity) -> bool:
    """Whether it earns and uses karma at this table (objects.3.k-gm-objects)."""
    return entity.is_players or bool(setting(table.options, "karma_gm"))


def capped(table: Table, points: int) -> int:
    """Karma within the table's limit, if it has one (objects.3.k-start)."""
    most = setting(table.options, "karma_cap")
    return points if most is None else min(points, whole(most))


# ---------------------------------------------------------------- who may see


# ---------------------------------------------------------------- at hand for every move


def now(entity: Entity, fact: str, value: Json) -> Change:
    """The change by which a fact of the object's state becomes another."""
    return Change(("entities", entity.id, "state", fact), value)


def others(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """Everything else in play that the one who acts knows of."""
    return tuple(
        one for one in table.in_play() if one.id != actor.entity and (actor.is_gm or not one.hidden)
    )


def moment(table: Table) -> str:
    """When something happened, as notes tell it."""
    day = f"day {table.day}" if table.day else ""
    session = f"session {table.session.number}" if table.session.number else ""
    return ", ".join(part for part in (session, day) if part) or "before play"
