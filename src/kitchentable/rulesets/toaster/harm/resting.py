"""Time that heals: rounds that pass outside a fight, minutes of rest, days, and being woken."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
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
from kitchentable.rulesets.toaster.harm.bleeding import bleeds
from kitchentable.rulesets.toaster.harm.dying import is_dying
from kitchentable.rulesets.toaster.harm.healing import healing_ask, next_interval
from kitchentable.rulesets.toaster.harm.passing import pass_minutes, pass_rounds
from kitchentable.rulesets.toaster.harm.state import (
    AWAKE,
    MORTAL,
    OUT,
    UNCONSCIOUS,
    become,
    changed,
    condition,
    passes_out,
    stun,
    wounds,
)
from kitchentable.rulesets.toaster.mechanics.healing import REST_MINUTES, stun_after
from kitchentable.rulesets.toaster.options.reading import setting

_MINUTES_A_DAY = 24 * 60
_STOPS = "Time stops for a check."


def cannot_rest(table: Table, entity: Entity) -> str | None:
    """Why somebody gets no rest: they bleed, or they are dying (toaster.4.heal-stun-period)."""
    if is_dying(entity):
        return f"{entity.name} is dying, and no rest helps before that is decided."
    if bleeds(table, entity):
        return f"{entity.name} is bleeding, and does not rest before that is stopped."
    return None


def rested(table: Table, entity: Entity, minutes: int) -> Entity:
    """Somebody after so many minutes of rest: Physique off the stun for every full ten.

    toaster.4.heal-stun, toaster.4.heal-stun-rate, toaster.4.heal-stun-period.
    """
    physique = lens.attribute_for(table, entity, "health")
    percent = whole(setting(table.options, "stun_recovery_percent"))
    left = stun_after(stun(entity), physique, minutes, percent)
    return entity if left == stun(entity) else become(entity, stun=left)


def wake_ask(table: Table, before: Entity, after: Entity) -> tuple[Ask, ...]:
    """A word to the GM that somebody's stun would let them wake now.

    toaster.4.stun-unconscious: the GM says when; this is only the moment to think of it.
    """
    if not after.state.get("senseless") or passes_out(table, after):
        return ()
    if not passes_out(table, before):
        return ()
    return (
        Ask(
            f"wake-{after.id}",
            (GM,),
            "wakes",
            f"Does {after.name} wake?",
            f"The stun is down to {stun(after)}. You decide how long they stay unconscious.",
            rules=("toaster.4.stun-unconscious",),
            skippable=True,
            entity=after.id,
        ),
    )


# ---------------------------------------------------------------- rounds without a fight


def _no_fight(table: Table, actor: Actor) -> str | None:
    return "A fight is on; its rounds pass there." if table.fight else None


def _round_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "rounds",
            "Rounds",
            "number",
            default=1,
            low=1,
            high=300,
            help="Time stops as soon as somebody has to make a check.",
            rule="toaster.4.bleed-counting",
        ),
    )


def _rounds(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    passed = pass_rounds(table, whole(answers["rounds"]))
    words = "A round passes" if passed.rounds == 1 else f"{passed.rounds} rounds pass"
    rules = ("toaster.4.bleed-counting", "toaster.4.mortality-success")
    card = Card(words, _STOPS if passed.asks else "", lines=passed.lines, rules=rules)
    return Result(card, passed.changes, passed.asks)


ROUNDS = Move(
    "rounds",
    "Rounds pass",
    "Outside a fight: wounds bleed on, and the dying come nearer to it.",
    ("toaster.4.bleed-counting", "toaster.4.mortality-success"),
    _rounds,
    by=("gm",),
    place="rest",
    when=_no_fight,
    fields=_round_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- minutes and days


def _living(table: Table) -> tuple[Entity, ...]:
    return lens.present(table)


def _who_field(table: Table, people: tuple[Entity, ...], rule: str) -> Field:
    able = [one.id for one in people if condition(one) != OUT and cannot_rest(table, one) is None]
    choices = lens.choose(people)
    return Field("who", "Who rests?", "many", choices, default=able, required=False, rule=rule)


def _picked(table: Table, answers: Answers) -> tuple[Entity, ...]:
    chosen = answers.get("who")
    names = chosen if isinstance(chosen, list) else []
    return tuple(table.entities[str(one)] for one in names if str(one) in table.entities)


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    reasons = [cannot_rest(table, one) for one in _picked(table, answers)]
    return tuple(Problem("who", "toaster.4.heal-stun-period", why) for why in reasons if why)


def _rest_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "minutes",
            "Minutes of rest",
            "number",
            default=REST_MINUTES,
            low=1,
            high=_MINUTES_A_DAY,
            help="Each full ten count.",
            rule="toaster.4.heal-stun-period",
        ),
        _who_field(table, _living(table), "toaster.4.heal-stun"),
    )


def _rest(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Rest for those who rest; the dying and the bleeding have as many rounds as that takes.

    toaster.4.heal-stun, toaster.4.round, toaster.4.mortality-fail, toaster.4.bleed-counting.
    """
    people = _picked(table, answers)
    passed, minutes = pass_minutes(table, whole(answers["minutes"]))
    after = {one.id: rested(table, one, minutes) for one in people}
    changes = [change for one in people for change in changed(one, after[one.id])]
    lines = tuple(
        Line(f"{one.name}: stun {stun(one)} to {stun(after[one.id])}.", _numbers(one))
        for one in people
        if stun(one) != stun(after[one.id])
    )
    asks = [ask for one in people for ask in wake_ask(table, one, after[one.id])]
    sentence = _STOPS if passed.asks else "" if lines else "Nobody recovers any stun."
    card = Card(
        "1 minute of rest" if minutes == 1 else f"{minutes} minutes of rest",
        sentence,
        lines=(*passed.lines, *lines),
        rules=("toaster.4.heal-stun", "toaster.4.heal-stun-period"),
    )
    return Result(card, (*passed.changes, *changes), (*passed.asks, *asks))


def _numbers(entity: Entity) -> str:
    """Who may see a line with somebody's numbers in it."""
    return GM if entity.hidden else lens.number_audience(entity)


REST = Move(
    "rest",
    "Minutes of rest",
    "Every full ten minutes take Physique off the stun.",
    ("toaster.4.heal-stun", "toaster.4.heal-stun-period", "toaster.4.heal-stun-rate"),
    _rest,
    by=("gm",),
    place="rest",
    when=_no_fight,
    fields=_rest_fields,
    check=_check,
    for_entity=False,
)


def _day_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    days = whole(setting(table.options, "healing_days"))
    return (
        Field("days", "Days", "number", default=days, low=1, high=3650, rule="toaster.4.heal-week"),
        _who_field(table, _living(table), "toaster.4.heal-week"),
        Field(
            "modifier",
            "Modifier to healing this time",
            "number",
            default=0,
            low=-20,
            high=20,
            required=False,
            help="A filthy cellar, a good hospital: beside what the options say.",
            rule="toaster.4.heal-technology",
        ),
    )


def _days(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    """Stun is gone; each interval of rest that is full calls for a healing roll.

    The dying and the bleeding have their rounds first; where one of them has to check, time stops
    after as many full days as passed (toaster.4.heal-week, toaster.4.mortality-fail).
    """
    wanted, modifier = whole(answers["days"]), whole(answers.get("modifier"))
    passed, minutes = pass_minutes(table, wanted * _MINUTES_A_DAY)
    days = minutes // _MINUTES_A_DAY
    changes = [*passed.changes, *([Change(("day",), table.day + days)] if days else [])]
    asks = [*passed.asks]
    lines = [*passed.lines]
    for one in _picked(table, answers):
        after = rested(table, one, minutes)
        asks.extend(wake_ask(table, one, after))
        if wounds(one) and days:
            after = become(after, rested=whole(one.state.get("rested")) + days)
            due = whole(after.state["rested"]) >= next_interval(table, after)
            if due:
                asks.append(healing_ask(after, modifier))
            words = "a healing roll" if due else "not rested long enough yet"
            lines.append(Line(f"{one.name}: {words}.", lens.card_audience(one)))
        changes.extend(changed(one, after))
    stopped = f" {_STOPS}" if passed.asks else ""
    card = Card(
        "A day passes" if days == 1 else f"{days} days pass",
        f"Day {table.day + days}.{stopped}",
        lines=tuple(lines),
        rules=("toaster.4.heal-week",),
    )
    return Result(card, tuple(changes), tuple(asks))


DAYS = Move(
    "days",
    "Days of rest",
    "A full week of rest, and the wounded roll for healing.",
    ("toaster.4.heal-week", "toaster.4.heal-technology"),
    _days,
    by=("gm",),
    place="rest",
    when=_no_fight,
    fields=_day_fields,
    check=_check,
    for_entity=False,
)

# ---------------------------------------------------------------- waking


def _wakes_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    rule = "toaster.4.stun-unconscious"
    return (Field("why", "By what?", required=False, default="", longest=200, rule=rule),)


def _when_wakes(table: Table, actor: Actor) -> str | None:
    entity = lens.whom(table, actor.entity)
    if entity is None:
        return "Nobody is named."
    if entity.state.get("senseless") or condition(entity) in {UNCONSCIOUS, OUT}:
        return None
    return f"{entity.name} is not unconscious."


def _wakes(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    keeps = condition(entity) == MORTAL
    after = become(entity, condition=MORTAL if keeps else AWAKE, senseless=False)
    card = Card(
        f"{entity.name} wakes",
        str(answers.get("why") or ""),
        rules=("toaster.4.stun-unconscious",),
        entity=entity.id,
        audience=lens.card_audience(entity),
    )
    return Result(card, changed(entity, after))


WAKES = Move(
    "wakes",
    "Wake somebody up",
    "The unconscious stay so as long as you think fit.",
    ("toaster.4.stun-unconscious",),
    _wakes,
    by=("gm",),
    place="gm",
    when=_when_wakes,
    fields=_wakes_fields,
)

MOVES = (ROUNDS, REST, DAYS, WAKES)
