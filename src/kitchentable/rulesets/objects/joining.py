"""Objects break up and join, and the GM says where their karma goes; it never grows."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Problem,
    Result,
    Table,
    card_audience,
    choose,
    fresh,
    is_closed,
    listed,
    number_audience,
    whole,
    whom,
)
from kitchentable.rulesets.objects.fates import cards, leaves
from kitchentable.rulesets.objects.options import setting, types
from kitchentable.rulesets.objects.sheet import SHEET
from kitchentable.rulesets.objects.thing import (
    HIGHEST,
    LOWEST,
    Talent,
    aboard,
    gained_rows,
    gained_talents,
    karma,
    now,
    others,
    talents,
)

# ---------------------------------------------------------------- breaking up


def _new_parts(answers: Answers) -> list[dict[str, Any]]:
    rows: Any = answers.get("parts")
    return [dict(row) for row in rows if row.get("name")] if isinstance(rows, list) else []


def _split_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    has, crew = karma(entity), aboard(table, entity)
    kinds = tuple(Choice(one.key, one.name) for one in types(table.options))
    found = [
        Field("told", "What breaks it up?", "story", longest=2000, rule="objects.3.k-split"),
        Field(
            "parts",
            "New objects that it breaks into",
            "rows",
            default=[],
            required=False,
            high=12,
            help=f"Each with its share of the {has} karma." if has else "",
            rule="objects.3.k-split",
            columns=(
                Field("name", "Name", longest=60),
                Field("kind", "Type", "choice", kinds, default=kinds[0].value),
                Field("karma", "Karma", "number", default=0, low=0, high=has),
            ),
        ),
        *(
            _share(f"karma.{one.id}", f"Karma to {one.name}", has, hidden=one.hidden)
            for one in crew
            if has
        ),
    ]
    loose = [one for one in gained_talents(entity) if one.leads_to not in {e.id for e in crew}]
    names = [str(row["name"]) for row in _new_parts(answers)]
    if names:
        found += [_heir(index, one, names) for index, one in enumerate(loose)]
    stays = Field(
        "stays",
        "Something of it stays",
        "tick",
        default=False,
        required=False,
        help="Smaller, under its old name. Otherwise it is no more.",
    )
    found.append(stays)
    if answers.get("stays") and has:
        found.append(_share("keeps", "Karma that stays", has))
    return tuple(found)


def _share(name: str, label: str, has: int, *, hidden: bool = False) -> Field:
    return Field(
        name,
        label,
        "number",
        default=0,
        required=False,
        hidden=hidden,
        low=0,
        high=has,
        rule="objects.3.k-split",
    )


def _heir(index: int, one: Talent, names: list[str]) -> Field:
    """Which part a talent goes with; none, and it ends with the whole."""
    choices = (Choice("", "nobody"), *(Choice(str(i), name) for i, name in enumerate(names)))
    return Field(
        f"heir.{index}",
        f"{one.phrase} goes to",
        "choice",
        choices,
        default="",
        required=False,
    )


def _shares(table: Table, entity: Entity, answers: Answers) -> dict[str, int]:
    """Who gets how much, by id of those who are there and by number of those who come."""
    found = {one.id: whole(answers.get(f"karma.{one.id}")) for one in aboard(table, entity)}
    found |= {str(i): whole(row.get("karma")) for i, row in enumerate(_new_parts(answers))}
    if answers.get("stays"):
        found["keeps"] = whole(answers.get("keeps"))
    return found


def _split_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, actor.entity)
    if entity is None:
        return ()
    if not _new_parts(answers) and not aboard(table, entity):
        sentence = "Name at least one object that it breaks into."
        return (Problem("parts", "objects.3.k-split", sentence),)
    given, has = sum(_shares(table, entity, answers).values()), karma(entity)
    if given <= has:
        return ()
    sentence = f"{entity.name} has {has} karma; {given} cannot come of it."
    return (Problem("parts", "objects.3.k-split", sentence),)


def _split(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """New objects begin as the GM names them; whoever was aboard goes on alone.

    What nobody gets of the karma is lost (objects.3.k-split).
    """
    entity = table.entities[actor.entity]
    crew, rows = aboard(table, entity), _new_parts(answers)
    shares = _shares(table, entity, answers)
    changes: list[Change] = []
    for index, row in enumerate(rows):
        made = _part(
            table, entity, row, _inherited(table, entity, answers, index), str(answers["told"])
        )
        made["state"] = {**made["state"], "karma": shares[str(index)]}
        changes.append(Change(("entities", fresh(table, str(row["kind"]), index + 1)), made))
    changes += [now(one, "karma", karma(one) + shares[one.id]) for one in crew if shares[one.id]]
    changes += _rest(table, entity, answers, crew)
    given = sum(shares.values())
    names = [*(str(row["name"]) for row in rows), *(one.name for one in crew if not one.hidden)]
    eyes = number_audience(entity)
    lines = [
        Line(f"{one.name}: {shares[one.id]} karma.", _line_eyes(entity, one))
        for one in crew
        if shares[one.id]
    ]
    lines += [
        Line(f"{row['name']}: {shares[str(i)]} karma.", eyes)
        for i, row in enumerate(rows)
        if shares[str(i)]
    ]
    if karma(entity) > given:
        lines.append(Line(f"{karma(entity) - given} karma lost.", eyes))
    card = Card(
        f"{entity.name} breaks up",
        str(answers["told"]),
        "broken up",
        "bad",
        lines=(*((Line(f"What is left: {listed(names)}."),) if names else ()), *lines),
        rules=("objects.3.k-split",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, tuple(changes), closes=() if answers.get("stays") else cards(table, entity))


def _line_eyes(entity: Entity, one: Entity) -> str:
    return GM if one.hidden or is_closed(entity) or is_closed(one) else number_audience(one)


def _inherited(table: Table, entity: Entity, answers: Answers, index: int) -> list[dict[str, Json]]:
    crew = {one.id for one in aboard(table, entity)}
    loose = [row for row in gained_rows(entity) if row.get("object") not in crew]
    return [
        {**row, "object": ""}
        for at, row in enumerate(loose)
        if answers.get(f"heir.{at}") == str(index)
    ]


def _part(
    table: Table,
    entity: Entity,
    row: dict[str, Any],
    inherited: list[dict[str, Json]],
    told: str,
) -> dict[str, Any]:
    """A new object as plain data: what it broke off from is its concept and its story."""
    kind = str(row["kind"])
    sheet = SHEET.blank(table, kind) | {
        "concept": f"What broke off from {entity.name}",
        "story": f"It was part of {entity.name}. {told}",
        "talents": inherited,
    }
    made = Entity("", str(row["name"]), kind, entity.owner, sheet, {}, stage="draft")
    opened = entity.open if entity.is_players else setting(table.options, "gm_numbers") == "open"
    return {
        "name": made.name,
        "kind": kind,
        "owner": entity.owner,
        "sheet": sheet,
        "state": dict(SHEET.start(table, made)),
        "stage": "play",
        "hidden": entity.hidden,
        "open": opened,
        "line": "",
    }


def _rest(table: Table, entity: Entity, answers: Answers, crew: tuple[Entity, ...]) -> list[Change]:
    """What becomes of the whole: smaller, without those who were aboard; or no more."""
    if not answers.get("stays"):
        return [now(entity, "karma", 0), *leaves(table, entity)]
    gone = {one.id for one in crew}
    kept = [row for row in gained_rows(entity) if row.get("object") not in gone]
    heirs = [at for at, _ in enumerate(kept) if answers.get(f"heir.{at}")]
    left = [row for at, row in enumerate(kept) if at not in heirs]
    return [
        now(entity, "karma", whole(answers.get("keeps"))),
        Change(("entities", entity.id, "sheet", "talents"), left),
    ]


SPLIT = Move(
    "split",
    "It breaks up",
    "It falls into smaller objects. Say which, and who gets its karma.",
    ("objects.3.k-split",),
    _split,
    by=("gm",),
    place="gm",
    fields=_split_fields,
    check=_split_check,
    examples=({"told": "The keel breaks.", "parts": [{"name": "The wreck", "kind": "thing"}]},),
)

# ---------------------------------------------------------------- joining

#: What a hidden object is called on the sheet of what it joins, unless the GM says otherwise.
_UNSEEN = "something unseen"


def _when_others(table: Table, actor: Actor) -> str | None:
    return None if others(table, actor) else "There is nothing that it could join."


def _merge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    has = karma(entity) if entity is not None else 0
    found = [
        Field(
            "into", "Into what?", "entity", choose(others(table, actor)), rule="objects.3.k-merge"
        ),
        Field(
            "name",
            "As a talent called",
            default=_UNSEEN if entity is None or entity.hidden else entity.name,
            longest=600,
            help="Whoever sees the larger object's talents reads it.",
            rule="objects.2.3-crew-as-talent",
        ),
        Field(
            "level",
            "Of level",
            "number",
            default=3,
            low=LOWEST,
            high=HIGHEST,
            rule="objects.2.3-crew-as-talent",
        ),
        Field(
            "stays",
            "It stays an object of its own inside",
            "tick",
            default=False,
            required=False,
            help="A pilot in a ship, a company in an army. Otherwise it is no more by itself.",
        ),
    ]
    if has:
        found.append(
            Field(
                "karma",
                "Karma that goes over",
                "number",
                default=0,
                required=False,
                low=0,
                high=has,
                help=f"Of {has}. The rest is lost, or stays with it if it stays.",
                rule="objects.3.k-merge",
            )
        )
    return (*found, Field("told", "How?", required=False, default="", longest=400))


def _merge_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity, into = whom(table, actor.entity), whom(table, answers.get("into"))
    if entity is None or into is None:
        return ()
    name = str(answers.get("name") or "")
    if any(one.name == name and one.leads_to != entity.id for one in talents(table, into)):
        sentence = f"{into.name} has a talent called {name} that is something else."
        return (Problem("into", "objects.3.k-merge", sentence),)
    return ()


def _merge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """It becomes a talent of the larger object; karma goes over as the GM says, or is lost."""
    entity, into = table.entities[actor.entity], table.entities[str(answers["into"])]
    over, stays = whole(answers.get("karma")), bool(answers.get("stays"))
    rows = [row for row in gained_rows(into) if row.get("object") != entity.id]
    linked = entity.id if stays else ""
    rows.append({"name": str(answers["name"]), "level": whole(answers["level"]), "object": linked})
    left = karma(entity) - over
    changes = [
        Change(("entities", into.id, "sheet", "talents"), rows),
        now(entity, "karma", left if stays else 0),
        *(() if stays else leaves(table, entity)),
    ]
    if over:
        changes.append(now(into, "karma", karma(into) + over))
    eyes = GM if is_closed(entity) or is_closed(into) else "all"
    lines = [Line(str(answers["told"]))] if answers.get("told") else []
    if karma(entity):
        what = "stay" if stays else "are lost"
        lines.append(Line(f"{over} karma go over, {left} {what}.", eyes))
    card = Card(
        f"{entity.name} joins {into.name}",
        "It stays an object of its own." if stays else "It is no longer an object of its own.",
        lines=tuple(lines),
        rules=("objects.3.k-merge", "objects.2.3-crew-as-talent"),
        entity=entity.id,
        audience=card_audience(entity, into),
    )
    return Result(card, tuple(changes), closes=() if stays else cards(table, entity))


MERGE = Move(
    "merge",
    "It joins something larger",
    "It becomes a talent of another object. Say how much of its karma goes over.",
    ("objects.3.k-merge", "objects.2.3-crew-as-talent"),
    _merge,
    by=("gm",),
    place="gm",
    when=_when_others,
    fields=_merge_fields,
    check=_merge_check,
)
