"""Healing at the table: care that was given, the roll after a week's rest, luck on it."""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Choice,
    Entity,
    Field,
    Json,
    Move,
    Part,
    Problem,
    Question,
    Result,
    Side,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions.luck import BEFORE
from kitchentable.rulesets.toaster.actions.waiting import Waiting, begin, luck_move, wait_for_luck
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.hurting import inflict
from kitchentable.rulesets.toaster.harm.rolls import (
    bettered,
    call_field,
    early_luck,
    facts,
    luck_parts,
    pay,
    told,
    unsettled,
)
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    MORTAL,
    MORTAL_WOUNDS,
    UNCONSCIOUS,
    area_key,
    become,
    changed,
    condition,
    health_part,
    record,
    wound_rows,
    wounds,
)
from kitchentable.rulesets.toaster.mechanics.stars import PLAIN
from kitchentable.rulesets.toaster.mechanics.tasks import Outcome, task
from kitchentable.rulesets.toaster.options.reading import setting
from kitchentable.rulesets.toaster.options.stars import HEALING, extended

FIRST_AID, LONG_TERM = "first-aid", "long-term"

_RULES = ("toaster.4.heal-week",)


def next_interval(table: Table, entity: Entity) -> int:
    """Days of rest before the next healing roll: the table's, or fewer after prompt first aid.

    toaster.4.heal-technology, toaster.4.heal-first-aid-early.
    """
    usual = whole(setting(table.options, "healing_days"))
    early = whole(record(entity, "care").get("early"))
    return min(usual, early) if early else usual


def healing_ask(entity: Entity, modifier: int = 0) -> Ask:
    """The roll at the end of a week's rest waits for whose body it is."""
    return Ask(
        f"healing-{entity.id}",
        (f"owner:{entity.id}",),
        "healing",
        f"Healing roll for {entity.name}",
        "Physique against 10, less the wounds, with whatever care there was.",
        preset={"modifier": modifier},
        rules=("toaster.4.heal-week",),
        entity=entity.id,
    )


def healing_parts(table: Table, entity: Entity, modifier: int = 0) -> tuple[Part, ...]:
    """What is added to the healing die: Physique, the wounds, care, technology.

    toaster.4.heal-week, toaster.4.heal-medical-roll, toaster.4.heal-technology.
    """
    care = record(entity, "care")
    word = "long-term care" if care.get("kind") == LONG_TERM else "first aid"
    every = (
        health_part(table, entity),
        Part("wound" if wounds(entity) == 1 else "wounds", -wounds(entity)),
        Part(word, whole(care.get("bonus"))),
        Part("facilities", whole(setting(table.options, "healing_modifier"))),
        Part("this time", modifier),
    )
    return tuple(part for part in every if part.value or part is every[0])


def healed(entity: Entity, area: str = "") -> Entity:
    """Somebody with one wound fewer: of the area named, else where the most are.

    Who comes below five wounds by it is no longer mortally wounded.
    """
    rows: list[dict[str, Json]] = [dict(row) for row in entity.state.get("wounds") or []]
    if not rows:
        return entity
    wanted = [row for row in rows if area and area_key(str(row.get("area") or "")) == area]
    worst = max(wanted or rows, key=lambda row: whole(row.get("n")))
    worst["n"] = whole(worst.get("n")) - 1
    after = become(entity, wounds=[row for row in rows if whole(row.get("n")) > 0])
    if condition(after) == MORTAL and wounds(after) < MORTAL_WOUNDS:
        up = UNCONSCIOUS if after.state.get("senseless") else AWAKE
        after = become(after, condition=up, mortality=None)
    return after if wounds(after) else become(after, bleeding={}, care=None, rested=0)


def _preset(table: Table, actor: Actor) -> int:
    return whole(told(table, actor).get("modifier"))


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    return (*early_luck(table, entity), *call_field(table, HEALING), *_area_field(entity))


def _area_field(entity: Entity | None) -> tuple[Field, ...]:
    rows = wound_rows(entity) if entity is not None else ()
    areas = list(dict.fromkeys(one.area for one in rows if one.area))
    if len(areas) < 2:
        return ()
    most = max(areas, key=lambda area: sum(one.n for one in rows if one.area == area))
    choices = tuple(Choice(area, area.replace("-", " ")) for area in areas)
    return (Field("area", "Which wound would heal?", "choice", choices, default=most),)


def _modifier(table: Table, entity: Entity, modifier: int, before: int) -> int:
    return sum(one.value for one in healing_parts(table, entity, modifier)) + BEFORE * before


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = lens.whom(table, actor.entity)
    if entity is None or not lens.numbers_known(entity):
        return None
    modifier = _modifier(table, entity, _preset(table, actor), whole(answers.get("luck")))
    return _asked(table, entity, modifier, called=bool(answers.get("called")))


def _asked(table: Table, entity: Entity, modifier: int, *, called: bool = False) -> Question:
    ext = extended(table.options, HEALING)
    bands = bool(setting(table.options, "variable_outcomes"))
    shown = [Band("heals", "one wound heals", "good", good=True), Band("same", "no better", "bad")]
    if bands or ext != PLAIN:
        shown.append(Band("worse", "one wound more", "bad"))
    closed = ("roll",) if lens.is_closed(entity) or entity.hidden else ()
    return Question(task, (modifier, ext, called, bands), tuple(shown), _word, closed)


def _word(outcome: Outcome) -> str:
    return "heals" if outcome.succeeds else "worse" if outcome.fumble else "same"


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    entity = table.entities[actor.entity]
    if wounds(entity):
        return ()
    return (Problem("", "toaster.4.heal-week", f"{entity.name} has no wounds to heal."),)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Outcome) -> Result:
    entity = table.entities[actor.entity]
    preset, before = _preset(table, actor), whole(answers.get("luck"))
    modifier = _modifier(table, entity, preset, before)
    spent, later = pay(table, entity, before)
    waiting = Waiting(
        f"Healing roll for {entity.name}",
        f"The roll is {outcome}.",
        {
            "modifier": modifier,
            "preset": preset,
            "luck": before,
            "area": str(answers.get("area") or ""),
            **facts(outcome),
        },
        no_again=(entity.id,) if answers.get("called") else (),
        spoilt=(entity.id,) if outcome.zero else (),
    )
    waiting = begin(later, waiting, () if outcome.succeeds else (entity,))
    ask = wait_for_luck(later, "healing_luck", waiting)
    if ask is None:
        result = _settle(later, actor, waiting)
        return replace(result, changes=(*spent, *result.changes))
    card = unsettled(_card(later, entity, waiting, outcome))
    return Result(card, spent, (ask,))


def _settle(table: Table, actor: Actor, waiting: Waiting) -> Result:
    """One wound fewer, or none, or by a fumble one more; and the care that was used up.

    toaster.4.heal-week, toaster.4.heal-week-fumble, toaster.4.heal-first-aid-once,
    toaster.4.heal-long-term.
    """
    entity = table.entities[actor.entity]
    outcome = bettered(table, waiting, entity)
    resting = max(0, whole(entity.state.get("rested")) - next_interval(table, entity))
    care = record(entity, "care")
    lasts = care.get("kind") == LONG_TERM and outcome.succeeds
    before = become(entity, rested=resting, care={**care, "early": 0} if lasts else None)
    asks: tuple[Ask, ...] = ()
    rules: tuple[str, ...] = _RULES
    if outcome.succeeds:
        after = healed(before, str(waiting.roll["area"]))
        left = wounds(after)
        sentence = f"A wound heals: {left} left." if left else "The last wound has healed."
    elif outcome.fumble:
        blow = inflict(table, before, wounds=1, cause="fever")
        after, asks = blow.after, blow.asks
        sentence = f"The wounds fester: {wounds(after)} now. {blow.seen}".strip()
        rules = (*rules, "toaster.4.heal-week-fumble")
    else:
        after, sentence = before, "No better this time."
    if not asks and wounds(after) and resting >= next_interval(table, after):
        asks = (healing_ask(after, whole(waiting.roll["preset"])),)
    card = replace(_card(table, entity, waiting, outcome), sentence=sentence, rules=rules)
    return Result(card, changed(entity, after), asks)


def _card(table: Table, entity: Entity, waiting: Waiting, outcome: Outcome) -> Card:
    parts = (
        *healing_parts(table, entity, whole(waiting.roll["preset"])),
        *luck_parts(waiting, entity),
    )
    side = Side(entity.name, "roll", parts, outcome.total, audience=lens.number_audience(entity))
    return Card(
        f"Healing roll for {entity.name}",
        "",
        outcome.band,
        "good" if outcome.succeeds else "bad",
        (side,),
        rules=_RULES,
        entity=entity.id,
        audience=lens.card_audience(entity),
        about=waiting.about if waiting.used else 0,
    )


def _again(table: Table, waiting: Waiting, entity: Entity) -> Question | None:
    return _asked(table, entity, whole(waiting.roll["modifier"]))


def _fallen(table: Table, waiting: Waiting, entity: Entity, outcome: Outcome) -> Waiting:
    words = f"The roll is {outcome}."
    return replace(
        waiting,
        roll={**waiting.roll, **facts(outcome)},
        queue=() if outcome.succeeds else waiting.queue,
        spoilt=(entity.id,) if outcome.zero else (),
        text=words,
    )


HEAL = Move(
    "healing",
    "Healing roll",
    "Physique less the wounds, with care, against 10: one wound heals.",
    ("toaster.4.heal-week", "toaster.4.heal-week-fumble", "toaster.4.heal-long-term"),
    _consequences,
    by=(),
    fields=_fields,
    check=_check,
    question=_question,
)

HEAL_LUCK = luck_move("healing_luck", "Luck on the healing roll", _settle, _again, _fallen)

MOVES = (HEAL, HEAL_LUCK)
