"""The GM's people: made in a moment, from a preset or blank, with an importance that can change."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Result,
    Table,
    card_audience,
    fresh,
    whole,
    whom,
)
from kitchentable.rulesets.toast.book import TABLES
from kitchentable.rulesets.toast.character import AWAKE, IMPORTANCE, PC, capacity, importance, is_pc
from kitchentable.rulesets.toast.creation import MANY_WOUNDS
from kitchentable.rulesets.toast.options import capacity_key, setting, traits

_PRESETS: dict[str, Any] = {one["key"]: one for one in TABLES["preset"]}
_BLANK = "blank"


def classes(table: Table) -> tuple[Choice, ...]:
    """The classes of importance that the GM assigns, with their wounds at this table."""
    return tuple(
        Choice(
            key,
            f"{rank['name']}, {whole(setting(table.options, capacity_key(key)))} wounds",
            f"Importance: {rank['rank'].lower()}.",
        )
        for key, rank in IMPORTANCE.items()
        if key != PC
    )


def _capacity_field(default: Json = None) -> Field:
    return Field(
        "capacity",
        "Wounds of their own",
        "number",
        default=default,
        required=False,
        low=1,
        high=999,
        help=f"Left empty, the importance decides. Go easy above {MANY_WOUNDS}.",
        rule="toast.7.4-monster",
    )


def _npc_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    presets = tuple(Choice(key, one["name"], one["note"]) for key, one in _PRESETS.items())
    preset = _PRESETS.get(str(answers.get("preset") or _BLANK), {})
    return (
        Field("name", "Name", longest=80),
        Field(
            "preset",
            "Built like",
            "choice",
            (Choice(_BLANK, "Nobody: every level at 0"), *presets),
            default=_BLANK,
        ),
        Field(
            "importance",
            "How much they matter to the story",
            "choice",
            classes(table),
            default=preset.get("importance"),
            rule="toast.7.4-importance-story",
        ),
        _capacity_field(preset.get("wounds")),
        Field("count", "How many of them?", "number", default=1, low=1, high=20),
        Field("line", "Who they are, in a line", required=False, default="", longest=200),
        Field("hidden", "Players do not know of them yet", "tick", default=False, required=False),
        Field(
            "open",
            "Players may see their numbers",
            "tick",
            default=setting(table.options, "npc_numbers") == "open",
            required=False,
            rule="toast.7.4-importance-story",
        ),
    )


def _npc_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    many = whole(answers.get("capacity"))
    if many <= MANY_WOUNDS:
        return ()
    words = f"{many} wounds make for a long fight; do not overdo it."
    return (Problem("capacity", "toast.7.4-monster-caution", words, refuses=False),)


def npc_sheet(table: Table, preset: str, rank: str, own: int | None) -> dict[str, Json]:
    """Levels and perks of a preset; the table's own traits start at 0, like a blank sheet's."""
    built = _PRESETS.get(preset, {"levels": {}, "perks": []})
    return {
        "traits": {one.key: built["levels"].get(one.key, 0) for one in traits(table.options)},
        "perks": [{"text": text, "covers": ""} for text in built["perks"]],
        "gear": [],
        "about": "",
        "importance": rank,
        "capacity": own,
    }


def _npc(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    count, rank = whole(answers["count"]), str(answers["importance"])
    own = whole(answers.get("capacity")) or None
    hidden = bool(answers.get("hidden"))
    changes = []
    for index in range(1, count + 1):
        name = str(answers["name"]) if count == 1 else f"{answers['name']} {index}"
        entity: dict[str, Json] = {
            "name": name,
            "kind": rank,
            "owner": GM,
            "sheet": npc_sheet(table, str(answers.get("preset") or _BLANK), rank, own),
            "state": {"wounds": 0, "condition": AWAKE, "perks": {}},
            "stage": "play",
            "hidden": hidden,
            "open": bool(answers.get("open")),
            "line": str(answers.get("line") or ""),
        }
        changes.append(Change(("entities", fresh(table, rank, index)), entity))
    words = str(answers["name"]) if count == 1 else f"{answers['name']}, {count} of them"
    card = Card(
        f"{words}",
        f"Importance: {IMPORTANCE[rank]['name'].lower()}.",
        lines=(Line(f"{own} wounds of their own.", GM),) if own else (),
        rules=("toast.7.4-importance-story",),
        audience=GM if hidden else "all",
    )
    return Result(card, tuple(changes))


NPC = Move(
    "npc",
    "Somebody new",
    "Bring people of yours into play, one or many.",
    ("toast.7.4-importance-story", "toast.7.3-capacity", "toast.7.4-monster"),
    _npc,
    by=("gm",),
    place="gm",
    fields=_npc_fields,
    check=_npc_check,
    for_entity=False,
    examples=({"name": "Guard", "preset": "hired-hand", "importance": "minion", "count": 2},),
)

# ---------------------------------------------------------------- another importance


def _when_npc(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if entity is None or is_pc(entity):
        return "The importance of players' characters is high, and stays so."
    return None


def _rank_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    return (
        Field(
            "importance",
            "How much they matter to the story",
            "choice",
            classes(table),
            default=importance(entity),
            rule="toast.7.4-importance-story",
        ),
        _capacity_field(entity.sheet.get("capacity")),
    )


def _rank(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    rank, own = str(answers["importance"]), whole(answers.get("capacity")) or None
    sheet = ("entities", entity.id, "sheet")
    changes = [Change((*sheet, "importance"), rank)]
    if own != entity.sheet.get("capacity"):
        changes.append(Change((*sheet, "capacity"), own))
    wounds = own or whole(setting(table.options, capacity_key(rank)))
    card = Card(
        f"{entity.name}: {IMPORTANCE[rank]['name'].lower()}",
        f"Goes down at {wounds} wound{'s' * (wounds != 1)}, not at {capacity(table, entity)}.",
        rules=("toast.7.4-importance-story", *(("toast.7.4-monster",) if own else ())),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, tuple(changes))


IMPORTANCE_MOVE = Move(
    "importance",
    "Another importance",
    "Say how much somebody matters to the story by now.",
    ("toast.7.4-importance-story", "toast.7.4-monster"),
    _rank,
    by=("gm",),
    place="gm",
    when=_when_npc,
    fields=_rank_fields,
    check=_npc_check,
)
