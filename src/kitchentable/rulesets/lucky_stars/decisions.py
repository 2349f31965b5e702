"""The decision roll: stat, modifiers and exploding dice against a target that the GM sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    EVERYONE,
    GM,
    Actor,
    Answers,
    Band,
    Card,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Problem,
    Question,
    Result,
    Table,
    card_audience,
    is_closed,
    whole,
    whom,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, Level, in_steps, weigh
from kitchentable.rulesets.lucky_stars.announced import accepted, announced_field, spoken_for
from kitchentable.rulesets.lucky_stars.character import has_stats, numbers_known
from kitchentable.rulesets.lucky_stars.laddered import in_words
from kitchentable.rulesets.lucky_stars.mechanics import DECISION_DICE, Check
from kitchentable.rulesets.lucky_stars.options import setting
from kitchentable.rulesets.lucky_stars.rolls import (
    Claim,
    base_dice,
    claim,
    claim_problems,
    extra_fields,
    factor_field,
    factor_line,
    modifier_field,
    side,
    stat_field,
    stat_title,
    what_field,
)
from kitchentable.rulesets.lucky_stars.supplied import (
    EMPTY,
    find_supply,
    supply_choice,
    within_reach,
)
from kitchentable.rulesets.lucky_stars.supplies import supply_ask
from kitchentable.rulesets.lucky_stars.targets import (
    REFUSED,
    Target,
    against,
    by_how_much,
    read_target,
    target_fields,
    target_rules,
    who_knows,
)
from kitchentable.rulesets.lucky_stars.telling import telling_ask

_BANDS = (
    Band("success", "success", "good", good=True),
    Band("failure", "failure", "bad"),
)


def level_field(counted: str, big: bool) -> Field:
    """The level of advantage: as counted, or as the GM sees the whole of it."""
    rare = " One effect alone is worth two steps: Major is meant to be rare." if big else ""
    return Field(
        "level",
        "Advantage",
        "choice",
        (
            Choice("", "as counted"),
            *(Choice(str(steps), name) for steps, name in LEVELS),
        ),
        default="",
        required=False,
        set_by=GM,
        help=f"{counted}{rare}",
        rule="stars.3.2-gm-decides",
    )


def dice_field(table: Table) -> tuple[Field, ...]:
    """The number of decision dice, where the GM may set it (S22)."""
    if not setting(table.options, "gm_sets_dice"):
        return ()
    return (
        Field(
            "dice",
            "Decision dice",
            "number",
            default=DECISION_DICE,
            low=1,
            high=10,
            set_by=GM,
            rule="stars.2-decision-dice",
        ),
    )


def _supply_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    reach = within_reach(table, actor, entity)
    if not reach:
        return ()
    fields = [
        Field(
            "uses",
            "Uses up",
            "choice",
            (Choice("", "nothing"), *(supply_choice(one, entity) for one in reach)),
            default="",
            required=False,
            help="Its supply die is rolled once the action is done.",
            rule="stars.5.1-supply-after",
        )
    ]
    if answers.get("uses"):
        fields += [
            Field(
                "times",
                "Supply rolls",
                "number",
                default=1,
                low=1,
                high=9,
                help="One after the other.",
                rule="stars.5.1-supply-individual",
            ),
            Field(
                "no_supplies",
                "No supplies are needed for this",
                "tick",
                default=False,
                required=False,
                set_by=GM,
                help="Only the tools, for example. Then it may be Empty, and no supply is rolled.",
                rule="stars.5.1-supply-empty-tools",
            ),
        ]
    return tuple(fields)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    counted, big = _counted(table, entity, answers)
    return (
        what_field(),
        stat_field(table, entity, set_by="actor"),
        modifier_field(set_by="actor"),
        factor_field(table, label="What speaks for or against you", set_by="actor"),
        *extra_fields(table, set_by="actor"),
        *_supply_fields(table, actor, answers),
        *target_fields(table, actor, answers),
        *announced_field(table, entity),
        *dice_field(table),
        level_field(counted, big),
    )


def _claim(table: Table, entity: Entity, answers: Answers) -> Claim:
    return claim(table, entity, answers, accepted(table, answers, entity))


def _counted(table: Table, entity: Entity | None, answers: Answers) -> tuple[str, bool]:
    """What the count of factors says, and whether one alone is worth two steps."""
    if entity is None:
        return "", False
    try:
        steps = _claim(table, entity, answers).steps
    except BadInput:
        return "", False
    values = [step for _, step in steps]
    words = f"Counted: {in_steps(sum(values))}, {weigh(values)}."
    return words, any(abs(value) > 1 for value in values)


def _level(answers: Answers, one: Claim) -> Level:
    """The level as the GM ruled, or as it was counted (stars.3.2-gm-decides)."""
    ruled = answers.get("level")
    if isinstance(ruled, str) and ruled:
        return Level(int(ruled))
    return weigh(step for _, step in one.steps)


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity, target = whom(table, actor.entity), read_target(answers)
    if entity is None or target is None or not numbers_known(entity):
        return None
    if answers.get("allow") == REFUSED:
        return None
    try:
        one = _claim(table, entity, answers)
    except BadInput:
        return None
    level = _level(answers, one)
    base = base_dice(table, answers)
    thrown = one.party(level, base)
    final = target.final
    closed = is_closed(entity) or entity.hidden
    return Question(
        mechanics.check,
        (thrown.dice, thrown.plus, thrown.extras, final),
        _BANDS,
        mechanics.grade_of,
        ("decision", *(label for label, _, _ in thrown.extras)) if closed else (),
        lambda _: in_words(one.party(Level(), base), level, final),
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    found = list(claim_problems(table, whom(table, actor.entity), answers))
    supply = find_supply(table, answers.get("uses"))
    if supply is not None and supply.size == EMPTY and not answers.get("no_supplies"):
        found.append(
            Problem(
                "uses",
                "stars.5.1-supply-empty-blocked",
                f"{supply.name} is Empty: it cannot be used where a supply roll is needed. The GM "
                "can say that no supplies are needed for this.",
            )
        )
    return tuple(found)


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Check | None) -> Result:
    entity = table.entities[actor.entity]
    target = read_target(answers)
    if outcome is None or target is None:
        return _not_tried(table, entity, answers)
    one = _claim(table, entity, answers)
    level = _level(answers, one)
    audience = who_knows(table, actor)
    card = Card(
        stat_title(table, answers.get("stat")),
        "Succeeds." if outcome.grade == "success" else "Does not succeed.",
        outcome.grade,
        "good" if outcome.grade == "success" else "bad",
        (side(entity, "decision", one, level, outcome.total),),
        _lines(table, answers, one, level, target, outcome.total, audience),
        (
            "stars.2-formula",
            f"stars.2.3-{outcome.grade}",
            *((level.rule,) if level.steps else ()),
            *target_rules(table, target, audience),
        ),
        entity.id,
        card_audience(entity),
    )
    asks = telling_ask(table, entity, card.title)
    supply = find_supply(table, answers.get("uses"))
    if supply is not None and not answers.get("no_supplies"):
        asks = (*asks, supply_ask(table, supply, entity, whole(answers.get("times")) or 1))
    return Result(card, spoken_for(table, entity), asks)


def _lines(
    table: Table,
    answers: Mapping[str, Any],
    one: Claim,
    level: Level,
    target: Target,
    total: int,
    audience: str,
) -> tuple[Line, ...]:
    lines = [Line(str(answers["what"]))] if answers.get("what") else []
    lines += factor_line("Weighed", one.steps, EVERYONE)
    counted = weigh(step for _, step in one.steps)
    if counted != level:
        lines.append(Line(f"{level}, by the GM's ruling; the count says {counted}."))
    elif level.steps:
        lines.append(Line(f"{level}."))
    lines.append(against(table, target, audience))
    if setting(table.options, "show_margin"):
        lines.append(by_how_much(total, target, audience))
    if answers.get("no_supplies") and answers.get("uses"):
        lines.append(Line("No supplies are needed for it, the GM says."))
    return tuple(lines)


def _not_tried(table: Table, entity: Entity, answers: Answers) -> Result:
    """An impossible task that the GM does not let anybody try: no dice, but a word in the log."""
    lines = (Line(str(answers["what"])),) if answers.get("what") else ()
    card = Card(
        stat_title(table, answers.get("stat")),
        "Impossible: the GM does not allow the attempt, and no dice are thrown.",
        "not allowed",
        lines=lines,
        rules=("stars.2.2.1-impossible-gate",),
        entity=entity.id,
        audience=card_audience(entity),
    )
    return Result(card, spoken_for(table, entity))


def when_rolls(table: Table, actor: Actor) -> str | None:
    """Whoever has no stats makes no decision rolls."""
    entity = whom(table, actor.entity)
    if entity is not None and not has_stats(entity):
        return f"{entity.name} holds supplies and trackers, and makes no rolls of its own."
    return None


DECISION = Move(
    "decision",
    "Decision roll",
    "Try something whose end is open: decision dice, a stat and modifiers against a target.",
    ("stars.2-formula", "stars.2-explode", "stars.2.3-success", "stars.3-any-decision-roll"),
    _consequences,
    when=when_rolls,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
    examples=(
        {"stat": "strength", "target": "12"},
        {"stat": "will", "target": "20", "allow": "yes", "level": "2", "extra": ["Luck"]},
    ),
)
