"""Experience: what everybody gets when an adventure is over, and which skills it may raise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Card,
    Change,
    Entity,
    Field,
    Json,
    Line,
    Move,
    Result,
    Table,
    listed,
    whole,
)
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.character.listing import skill_name
from kitchentable.rulesets.toaster.character.lucky import luck_back
from kitchentable.rulesets.toaster.character.people import plural
from kitchentable.rulesets.toaster.character.points import as_number
from kitchentable.rulesets.toaster.tables import row

_AWARD = TABLES["experience"][0]


def experience(entity: Entity) -> Fraction:
    """Experience points that somebody has and has not spent; halves can be left over."""
    return Fraction(str(entity.state.get("xp") or 0))


def usable(entity: Entity) -> frozenset[str]:
    """Skills used in the adventure that has ended, or in this one (toaster.2.adv-used-skills)."""
    both: Any = (*(entity.state.get("raisable") or ()), *(entity.state.get("used") or ()))
    return frozenset(str(one) for one in both)


def state_change(entity: Entity, fact: str, value: Json) -> Change:
    return Change(("entities", entity.id, "state", fact), value)


# ---------------------------------------------------------------- the award


def _heroes(table: Table) -> tuple[Entity, ...]:
    return tuple(one for one in table.in_play() if one.is_players)


def _when_award(table: Table, actor: Actor) -> str | None:
    return None if _heroes(table) else "No player's character is in play."


def _award_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    """One number for each character, from 1 to 5 (toaster.2.adv-award)."""
    award = row(table, "experience", _AWARD["key"]) or _AWARD
    each = tuple(
        Field(
            f"points_{one.id}",
            one.name,
            "number",
            default=whole(award["usual"]),
            low=whole(award["least"]),
            high=whole(award["most"]),
            rule="toaster.2.adv-award",
        )
        for one in _heroes(table)
    )
    return (
        *each,
        Field(
            "why",
            "What for",
            "story",
            required=False,
            default="",
            longest=1000,
            help="Goals reached and challenges met; good playing and good ideas, if you like.",
            rule="toaster.2.adv-award-why",
        ),
    )


def _award(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """The points are added, and the skills used so far are those that can be raised."""
    changes: list[Change] = []
    lines_told = []
    for one in _heroes(table):
        points = whole(answers[f"points_{one.id}"])
        changes.append(state_change(one, "xp", as_number(experience(one) + points)))
        changes.append(state_change(one, "raisable", sorted(_used(one))))
        changes.append(state_change(one, "used", []))
        used = [skill_name(table, key) for key in sorted(_used(one))]
        words = f" Used: {listed(used)}." if used else ""
        lines_told.append(Line(f"{one.name}: {plural(points, 'point')}.{words}"))
    changes.extend(luck_back(table, table.in_play(), "next-adventure"))
    changes.append(Change(("own", "adventures"), whole(table.own.get("adventures")) + 1))
    card = Card(
        "The end of an adventure",
        str(answers.get("why") or ""),
        "experience",
        "good",
        lines=tuple(lines_told),
        rules=("toaster.2.adv-award",),
    )
    return Result(card, tuple(changes))


def _used(entity: Entity) -> frozenset[str]:
    found: Any = entity.state.get("used") or ()
    return frozenset(str(one) for one in found)


AWARD = Move(
    "award",
    "The adventure is over",
    "Give every character experience: 1 to 5 points, 2 for an ordinary adventure.",
    ("toaster.2.adv-award", "toaster.2.adv-award-why"),
    _award,
    by=("gm",),
    place="gm",
    when=_when_award,
    fields=_award_fields,
    for_entity=False,
)
