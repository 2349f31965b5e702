"""What the GM rules about harm: a wound without an attack, a condition, a bleeding made worse."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    Actor,
    Answers,
    Ask,
    Card,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Result,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.harm.bleeding import bleeding_words, full_rate
from kitchentable.rulesets.toaster.harm.hurting import hurt, inflict, mortality_ask
from kitchentable.rulesets.toaster.harm.passing import told
from kitchentable.rulesets.toaster.harm.places import place_choices, place_named
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    DEAD,
    MORTAL,
    OUT,
    UNCONSCIOUS,
    become,
    changed,
    condition,
    record,
    wounds,
)
from kitchentable.rulesets.toaster.options.reading import setting

# ---------------------------------------------------------------- a wound without an attack


def _when_harm(table: Table, actor: Actor) -> str | None:
    return None if lens.present(table) else "Nobody is there to be hurt."


def _number(name: str, label: str, rule: str, help: str = "") -> Field:
    return Field(
        name, label, "number", default=0, low=0, high=999, required=False, rule=rule, help=help
    )


def _harm_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    people = lens.present(table)
    entity = lens.whom(table, answers.get("who"))
    places = place_choices(table, entity) if entity is not None else ()
    placed = setting(table.options, "hit_location") and places
    where = Field(
        "place",
        "Where?",
        "choice",
        (Choice("", "Nowhere in particular"), *places),
        default="",
        required=False,
        rule="toaster.4.hitloc-invent",
    )
    return (
        Field("who", "Who?", "entity", lens.choose(people)),
        Field("cause", "By what?", longest=200),
        _number(
            "damage",
            "Damage",
            "toaster.4.wounds-per-attack",
            "Stun, and wounds by the threshold, as from one attack.",
        ),
        _number("stun", "Stun besides", "toaster.4.stun-accumulate"),
        _number("wounds", "Wounds besides", "toaster.4.wounds-penalty"),
        Field(
            "unarmed",
            "Like a fist: one wound fewer",
            "tick",
            default=False,
            required=False,
            rule="toaster.4.wounds-unarmed",
        ),
        *((where,) if placed else ()),
    )


def _harm_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    if any(whole(answers.get(name)) > 0 for name in ("damage", "stun", "wounds")):
        return ()
    return (Problem("damage", "toaster.4.stun-accumulate", "How much damage, stun or wounds?"),)


def _harm(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["who"])]
    area, part = place_named(answers.get("place"))
    first = hurt(
        table,
        entity,
        whole(answers.get("damage")),
        unarmed=bool(answers.get("unarmed")),
        area=area,
        part=part,
        cause="ruling",
    )
    stun, fresh = whole(answers.get("stun")), whole(answers.get("wounds"))
    blow, asks = first, {ask.id: ask for ask in first.asks}
    lines = told(entity, first) if first.changes else ()
    if stun or fresh:
        blow = inflict(
            table, first.after, stun=stun, wounds=fresh, area=area, part=part, cause="ruling"
        )
        asks.update((ask.id, ask) for ask in blow.asks)
        lines = (*lines, *told(entity, blow))
    card = Card(
        f"{entity.name} is hurt: {answers['cause']}",
        "By the GM's ruling.",
        "hurt",
        "bad",
        lines=lines,
        rules=tuple(dict.fromkeys((*first.rules, *blow.rules))),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changed(entity, blow.after), tuple(asks.values()))


HARM = Move(
    "harm",
    "Harm without an attack",
    "A fall, fire, a trap: damage, stun or wounds by your ruling.",
    ("toaster.4.stun-accumulate", "toaster.4.wounds-per-attack"),
    _harm,
    by=("gm",),
    place="gm",
    when=_when_harm,
    fields=_harm_fields,
    check=_harm_check,
    for_entity=False,
)

# ---------------------------------------------------------------- a condition by hand

_STABLE = "stable"

_CONDITIONS = {
    AWAKE: "awake",
    UNCONSCIOUS: "unconscious",
    OUT: "out of the fight",
    MORTAL: "mortally wounded: a check at once",
    _STABLE: "mortally wounded, but stable",
    DEAD: "dead",
}


def _condition_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    choices = tuple(Choice(value, words) for value, words in _CONDITIONS.items())
    return (
        Field("condition", "They are", "choice", choices, default=AWAKE),
        Field("why", "Why?", longest=200),
    )


def _condition(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    asked = str(answers["condition"])
    after, asks = conditioned(entity, asked)
    card = Card(
        f"{entity.name}: {_CONDITIONS[asked].partition(':')[0]}",
        str(answers["why"]),
        rules=("toaster.4.stun-unconscious",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changed(entity, after), asks)


def conditioned(entity: Entity, asked: str) -> tuple[Entity, tuple[Ask, ...]]:
    """Somebody in the condition that the GM named, and the check that it calls for."""
    if asked == _STABLE:
        held = {"fate": "holds", "rounds": 0, "stable": True}
        return become(entity, condition=MORTAL, mortality=held), ()
    senseless = asked == UNCONSCIOUS
    after = become(entity, condition=asked, mortality=None, senseless=senseless)
    return after, (mortality_ask(after),) if asked == MORTAL else ()


CONDITION = Move(
    "condition",
    "Rule on a condition",
    "Say that somebody is awake, out, stable, or dead, and why.",
    ("toaster.4.stun-unconscious", "toaster.4.mortality-stabilise", "toaster.4.unnamed-mortal"),
    _condition,
    by=("gm",),
    place="gm",
    fields=_condition_fields,
)

# ---------------------------------------------------------------- bleeding made worse, or better


def _when_bleeding(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if not setting(table.options, "bleeding"):
        return "This table does not play with bleeding."
    if entity is None or not wounds(entity) or condition(entity) == DEAD:
        return "They have no wounds that could bleed."
    return None


def _bleeding_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = lens.whom(table, actor.entity)
    extra = whole(record(entity, "bleeding").get("extra")) if entity is not None else 0
    return (
        Field(
            "extra",
            "Points more each round",
            "number",
            default=extra,
            low=0,
            high=20,
            help="For moving about, for opened wounds.",
            rule="toaster.4.bleed-rate-stays",
        ),
        Field(
            "stops",
            "It stops",
            "tick",
            default=False,
            required=False,
            help="By other means than a medical skill: fire, a spell, a tight belt.",
            rule="toaster.4.bleed-stop-retry",
        ),
        Field("why", "Why?", longest=200),
    )


def _bleeding(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    facts = {**record(entity, "bleeding"), "extra": whole(answers["extra"])}
    after = become(entity, bleeding=facts)
    if answers.get("stops"):
        after = become(after, bleeding={**facts, "stopped": full_rate(after)})
    words = bleeding_words(table, after)
    card = Card(
        f"{entity.name} {words or 'bleeds no more'}",
        str(answers["why"]),
        lines=(Line("By the GM's ruling."),),
        rules=("toaster.4.bleed-rate-stays", "toaster.4.bleed-stop-retry"),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changed(entity, after))


BLEEDING = Move(
    "bleeding",
    "Rule on a bleeding",
    "Make it worse for moving about, or let it stop by other means.",
    ("toaster.4.bleed-rate-stays", "toaster.4.bleed-stop-retry"),
    _bleeding,
    by=("gm",),
    place="gm",
    when=_when_bleeding,
    fields=_bleeding_fields,
)

MOVES = (HARM, CONDITION, BLEEDING)
