"""Where no other roll fits: a D100, trackers with a label of their own, dice for damage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Answers,
    Band,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Part,
    Question,
    Result,
    Side,
    Table,
    card_audience,
    is_closed,
    number_audience,
    whole,
    whom,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.options import fresh_key
from kitchentable.rulesets.lucky_stars.rolls import what_field
from kitchentable.rulesets.lucky_stars.supplied import (
    COUNT,
    DIE,
    PERCENT,
    SIZE_CHOICES,
    Tracker,
    trackers,
)

# ---------------------------------------------------------------- D100

#: How a D100 is read against a threshold.
_LOW, _HIGH, _GM = "low", "high", "gm"
_D100_BANDS = (Band("hit", "it comes about", "good", good=True), Band("miss", "it does not"))


def _d100_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    reading = Field(
        "reading",
        "It comes about",
        "choice",
        (
            Choice(_LOW, "at the threshold or below"),
            Choice(_HIGH, "at the threshold or above"),
            Choice(_GM, "as the GM reads it"),
        ),
        default=_LOW,
        set_by=GM,
        rule="stars.5.2-d100-when",
    )
    threshold = Field(
        "threshold",
        "Threshold",
        "number",
        default=50,
        low=1,
        high=100,
        set_by=GM,
        hideable=True,
        rule="stars.5.2-d100-range",
    )
    what = Field("what", "What is it about?", longest=400, rule="stars.5.2-d100-when")
    return (what, reading) if answers.get("reading") == _GM else (what, reading, threshold)


@dataclass(frozen=True, slots=True)
class _Comes:
    """Whether a D100 says that something comes about: a band as the GM has set it."""

    low: bool
    threshold: int

    def __call__(self, face: int) -> str:
        about = face <= self.threshold if self.low else face >= self.threshold
        return "hit" if about else "miss"


def _comes(answers: Answers) -> _Comes:
    return _Comes(answers.get("reading") == _LOW, whole(answers.get("threshold")))


def _d100_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None:
        return None
    closed = ("percent",) if is_closed(entity) or entity.hidden else ()
    if answers.get("reading") == _GM:
        return Question(mechanics.percent, (), (), str, closed)
    if answers.get("threshold") is None:
        return None
    return Question(
        mechanics.percent,
        (),
        _D100_BANDS,
        _comes(answers),
        closed,
        lambda _: "1 to 100, each as likely as any other.",
    )


def _d100(table: Table, actor: Actor, answers: Answers, outcome: int) -> Result:
    entity = table.entities[actor.entity]
    by_gm = answers.get("reading") == _GM
    hit = not by_gm and _comes(answers)(outcome) == "hit"
    lines = [Line(str(answers["what"]))]
    if not by_gm:
        side_of = "or below" if answers.get("reading") == _LOW else "or above"
        audience = GM if "threshold" in actor.hidden else EVERYONE
        lines.append(Line(f"Threshold {answers.get('threshold')} {side_of}.", audience))
    card = Card(
        "D100",
        "The GM reads it." if by_gm else "It comes about." if hit else "It does not come about.",
        "" if by_gm else "yes" if hit else "no",
        "good" if hit else "plain",
        (Side(entity.name, "percent", (), outcome, audience=number_audience(entity)),),
        tuple(lines),
        ("stars.5.2-d100-range", "stars.5.2-d100-when"),
        entity.id,
        card_audience(entity),
    )
    return Result(card)


D100 = Move(
    "d100",
    "D100",
    "A roll from 1 to 100, where no other roll fits; the GM says what it means.",
    ("stars.5.2-d100-when", "stars.5.2-d100-range"),
    _d100,
    fields=_d100_fields,
    question=_d100_question,
    converses=True,
    examples=({"what": "Does the powder catch?", "threshold": 30},),
)

# ---------------------------------------------------------------- trackers

_NEW = ""
_KINDS = (
    Choice(DIE, "a supply die", "for a condition or a stock"),
    Choice(PERCENT, "a percentage", "0 to 100"),
    Choice(COUNT, "a plain number"),
)


def _found(entity: Entity | None, answers: Answers) -> Tracker | None:
    wanted = answers.get("tracker")
    known = trackers(entity) if entity is not None else ()
    return next((one for one in known if one.key == wanted), None)


def _track_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    known = trackers(entity) if entity is not None else ()
    fields = [
        Field(
            "tracker",
            "Which?",
            "choice",
            (
                Choice(_NEW, "a new one"),
                *(Choice(one.key, f"{one.name}, {one.words}") for one in known),
            ),
            default=_NEW,
            required=False,
        )
    ]
    one = _found(entity, answers)
    kind = one.kind if one is not None else str(answers.get("kind") or PERCENT)
    if one is None:
        fields += [
            Field("name", "Label", longest=60),
            Field(
                "kind",
                "Kept as",
                "choice",
                _KINDS,
                default=PERCENT,
                rule="stars.5.1-supply-conditions",
            ),
        ]
    else:
        fields.append(Field("drop", "Keep it no longer", "tick", default=False, required=False))
    if kind == DIE:
        start = str(one.value) if one is not None else "12"
        rule = "stars.5.1-supply-sizes"
        fields.append(Field("size", "Now", "choice", SIZE_CHOICES, default=start, rule=rule))
    else:
        most = 100 if kind == PERCENT else 9999
        begin = one.value if one is not None else most if kind == PERCENT else 0
        rule = "stars.5.2-d100-when"
        fields.append(Field("value", "Now", "number", default=begin, low=0, high=most, rule=rule))
    return (*fields, Field("why", "Why?", required=False, default="", longest=400))


def _track(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    one = _found(entity, answers)
    value = int(str(answers["size"])) if "size" in answers else whole(answers.get("value"))
    if one is None:
        name = str(answers["name"])
        key = fresh_key(name, {each.key for each in trackers(entity)})
        now = Tracker(key, name, str(answers["kind"]), value)
        words = f"Begins at {now.words}."
    else:
        now = Tracker(one.key, one.name, one.kind, value)
        words = f"{one.words} to {now.words}."
    where = ("entities", entity.id, "state", "trackers", now.key)
    gone = one is not None and bool(answers.get("drop"))
    card = Card(
        f"Tracker: {now.name}",
        "Kept no longer." if gone else words,
        lines=(Line(str(answers["why"])),) if answers.get("why") else (),
        rules=("stars.5.1-supply-conditions" if now.kind == DIE else "stars.5.2-d100-when",),
        entity=entity.id,
        audience=GM if is_closed(entity) else card_audience(entity),
    )
    kept = {"name": now.name, "kind": now.kind, "value": now.value}
    return Result(card, (Change(where, gone=True) if gone else Change(where, kept),))


TRACK = Move(
    "track",
    "Tracker",
    "Keep count of something beside the sheet: a supply die, a percentage, a number.",
    ("stars.5.1-supply-conditions", "stars.5.2-d100-when"),
    _track,
    place="rest",
    fields=_track_fields,
    examples=({"name": "Arrows", "kind": PERCENT, "value": 80},),
)

# ---------------------------------------------------------------- dice that do not explode


def _other_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    rule = "stars.2-explode-only-decision"
    return (
        what_field(),
        Field("count", "Dice", "number", default=1, low=1, high=20, rule=rule),
        Field("sides", "Sides", "number", default=6, low=2, high=100),
        Field("plus", "Added", "number", default=0, low=-99, high=99, required=False),
    )


def _other_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None:
        return None
    closed = ("dice",) if is_closed(entity) or entity.hidden else ()
    named: Mapping[str, Any] = answers
    count, sides, plus = (whole(named.get(key)) for key in ("count", "sides", "plus"))
    if count < 1 or sides < 2:
        return None
    return Question(mechanics.other_dice, (count, sides, plus), (), str, closed)


def _other(table: Table, actor: Actor, answers: Answers, outcome: int) -> Result:
    entity = table.entities[actor.entity]
    plus = whole(answers.get("plus"))
    card = Card(
        "Damage and other dice",
        str(answers.get("what") or ""),
        sides=(
            Side(
                entity.name,
                "dice",
                (Part("added", plus),) if plus else (),
                outcome,
                audience=number_audience(entity),
            ),
        ),
        rules=("stars.2-explode-only-decision",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card)


OTHER_DICE = Move(
    "other_dice",
    "Damage and other dice",
    "Dice that are no decision dice: they do not explode and know no advantage.",
    ("stars.2-explode-only-decision",),
    _other,
    fields=_other_fields,
    question=_other_question,
)
