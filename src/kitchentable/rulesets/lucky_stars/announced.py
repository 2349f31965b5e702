"""What anybody at the table points out about somebody's next roll, until the dice fall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kitchentable.dice.errors import BadInput
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
    Move,
    Problem,
    Result,
    Seat,
    Table,
    card_audience,
    choose,
    fresh,
    whole,
    whom,
)
from kitchentable.rulesets.lucky_stars.advantage import in_steps
from kitchentable.rulesets.lucky_stars.character import number_of, people, seat_name
from kitchentable.rulesets.lucky_stars.options import setting
from kitchentable.rulesets.lucky_stars.reckoning import read_effect

_PLACE = "announced"


@dataclass(frozen=True, slots=True)
class Announced:
    """Something pointed out: by whom, about whom, what, and its worth.

    `steps` on the scale of advantage, or 0 for a modifier with a `value` and a `wording`.
    """

    id: str
    who: str
    about: str
    text: str
    steps: int = 0
    value: str = ""
    wording: str = ""

    @property
    def row(self) -> dict[str, Json]:
        """A modifier as a row of a roll's form."""
        return {"name": self.text, "value": self.value, "wording": self.wording}

    @property
    def words(self) -> str:
        """What it is worth, in words."""
        if self.steps:
            return f"{in_steps(self.steps)} step{'s' * (abs(self.steps) > 1)}"
        return f"{self.wording or 'modifier'} {self.value}"


def announced(table: Table, *about: Entity | None) -> tuple[Announced, ...]:
    """What stands about these people, in the order in which it was said."""
    rows: Any = table.own.get(_PLACE) or {}
    here = {one.id for one in about if one is not None}
    return tuple(
        Announced(
            key,
            str(one["who"]),
            str(one["about"]),
            str(one["text"]),
            whole(one.get("steps")),
            str(one.get("value") or ""),
            str(one.get("wording") or ""),
        )
        for key, one in rows.items()
        if one["about"] in here
    )


def announced_field(table: Table, *about: Entity | None) -> tuple[Field, ...]:
    """Which of it counts: the GM's to say; no question where nobody said anything.

    stars.3.2-table-announces, stars.1-table.
    """
    found = announced(table, *about)
    if not found:
        return ()
    names = {one.id: one.name for one in about if one is not None}
    several = len(names) > 1
    return (
        Field(
            "announced",
            "Pointed out around the table",
            "many",
            tuple(
                Choice(
                    one.id,
                    f"{one.text}: {one.words}{f' for {names[one.about]}' if several else ''}",
                    f"by {one.who}",
                )
                for one in found
            ),
            default=[one.id for one in found],
            required=False,
            set_by=GM,
            help="What you leave ticked counts.",
            rule="stars.3.2-table-announces",
        ),
    )


def accepted(
    table: Table, answers: Answers, entity: Entity, *others: Entity
) -> tuple[Announced, ...]:
    """What was said about somebody and counts in this roll."""
    picked: Any = answers.get("announced")
    found = announced(table, entity, *others)
    counting = {one.id for one in found} if picked is None else set(picked)
    return tuple(one for one in found if one.about == entity.id and one.id in counting)


def spoken_for(table: Table, *about: Entity) -> tuple[Change, ...]:
    """Once the dice have fallen, what was pointed out about these people is over."""
    return tuple(Change(("own", _PLACE, one.id), gone=True) for one in announced(table, *about))


def conceal(table: Table, seat: Seat) -> Table:
    """The table without what was said of somebody whom this seat does not know of."""
    rows: Any = table.own.get(_PLACE)
    if not rows:
        return table
    known = {key: one for key, one in rows.items() if one["about"] in table.entities}
    return replace(table, own={**table.own, _PLACE: known})


# ---------------------------------------------------------------- the move

_FOR, _AGAINST, _MODIFIER = "for", "against", "modifier"


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    who = people(table, actor)
    fields = [
        Field(
            "about",
            "Whose roll?",
            "entity",
            choose(who),
            default=who[0].id if len(who) == 1 else None,
        ),
        Field("text", "What do you see?", longest=120, rule="stars.3.2-count-real"),
        Field(
            "kind",
            "It is",
            "choice",
            (
                Choice(_FOR, "an advantage for them"),
                Choice(_AGAINST, "a disadvantage for them"),
                Choice(_MODIFIER, "a modifier of the roll"),
            ),
            default=_FOR,
            rule="stars.3.2-table-announces",
        ),
    ]
    if answers.get("kind") == _MODIFIER:
        wordings = (
            Choice("", "up or down"),
            Choice("bonus", "bonus"),
            Choice("penalty", "penalty"),
        )
        fields += [
            Field("value", "Value", longest=80, help="-2, 1/2, Will ...", rule="stars.1-modifier"),
            Field("wording", "Worded as", "choice", wordings, default="", required=False),
        ]
    elif setting(table.options, "single_major"):
        fields.append(
            Field(
                "big",
                "It alone is worth two steps",
                "tick",
                default=False,
                required=False,
                help="For what is truly dramatic; rare. The GM has the last word.",
                rule="stars.3.2-major-rare",
            )
        )
    return tuple(fields)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = whom(table, answers.get("about"))
    if answers.get("kind") != _MODIFIER or entity is None:
        return ()
    try:
        read_effect({"value": answers.get("value")}, lambda name: number_of(table, entity, name))
    except BadInput as error:
        return (Problem("value", "stars.1-modifier", str(error)),)
    return ()


def _announce(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["about"])]
    kind = str(answers["kind"])
    sign = {_FOR: 1, _AGAINST: -1}.get(kind, 0)
    big = bool(answers.get("big")) and bool(setting(table.options, "single_major"))
    one = Announced(
        fresh(table, "said"),
        seat_name(table, actor.seat),
        entity.id,
        str(answers["text"]),
        sign * (2 if big else 1),
        str(answers.get("value") or "") if not sign else "",
        str(answers.get("wording") or "") if not sign else "",
    )
    kept = {
        "who": one.who,
        "about": one.about,
        "text": one.text,
        "steps": one.steps,
        "value": one.value,
        "wording": one.wording,
    }
    card = Card(
        f"Points out for the next roll of {entity.name}",
        f"{one.text}: {one.words}.",
        rules=("stars.3.2-table-announces", *(("stars.3.2-single-major",) if big else ())),
        audience=card_audience(entity),
    )
    return Result(card, (Change(("own", _PLACE, one.id), kept),))


def _when(table: Table, actor: Actor) -> str | None:
    return None if people(table, actor) else "Nobody is in play whose roll it could be."


ANNOUNCE = Move(
    "announce",
    "Point something out",
    "Tell what speaks for or against somebody's next roll; the GM weighs it.",
    ("stars.3.2-table-announces", "stars.1-table", "stars.3.2-count-real"),
    _announce,
    when=_when,
    fields=_fields,
    check=_check,
    for_entity=False,
    examples=({"text": "stands above them", "kind": _FOR},),
)
