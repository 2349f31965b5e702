"""Contests: two roll against each other on one scale of advantage; ties are thrown again."""

from __future__ import annotations

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
    choose,
    is_closed,
    whom,
)
from kitchentable.rulesets.lucky_stars import mechanics
from kitchentable.rulesets.lucky_stars.advantage import LEVELS, MAJOR, MINOR, Level, share
from kitchentable.rulesets.lucky_stars.announced import accepted, announced_field, spoken_for
from kitchentable.rulesets.lucky_stars.character import numbers_known, people
from kitchentable.rulesets.lucky_stars.decisions import dice_field, when_rolls
from kitchentable.rulesets.lucky_stars.mechanics import Contest
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
    steps_of,
    what_field,
)
from kitchentable.rulesets.lucky_stars.telling import telling_ask

_BANDS = (
    Band("first", "wins", "good", good=True),
    Band("second", "loses", "bad"),
)
#: The shared scale from one side's end to the other's (stars.3.3-shared-scale).
_SHARED = (2, 1, 0, -1, -2)


def _others(table: Table, actor: Actor) -> tuple[Entity, ...]:
    return people(table, actor, but=actor.entity)


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity, other = whom(table, actor.entity), whom(table, answers.get("other"))
    others = _others(table, actor)
    fields = [
        Field(
            "other",
            "Against whom?",
            "entity",
            choose(others),
            default=others[0].id if len(others) == 1 else None,
            rule="stars.4.1-contest",
        ),
        what_field(),
        stat_field(table, entity, set_by="actor"),
        modifier_field(set_by="actor"),
        factor_field(table, label="What speaks for or against you", set_by="actor"),
        *extra_fields(table, set_by="actor"),
    ]
    if other is not None:
        theirs = "owner:other"
        fields += [
            stat_field(
                table, other, name="other_stat", label=f"Stat of {other.name}", set_by=theirs
            ),
            modifier_field(
                name="other_modifiers", label=f"Modifiers of {other.name}", set_by=theirs
            ),
            factor_field(
                table,
                name="other_factors",
                label=f"What speaks for or against {other.name}",
                set_by=theirs,
            ),
            *extra_fields(
                table,
                name="other_extra",
                label=f"Dice from elsewhere for {other.name}",
                set_by=theirs,
            ),
        ]
    return (
        *fields,
        *announced_field(table, entity, other),
        *dice_field(table),
        *_level_fields(table, entity, other, answers),
    )


def _level_fields(
    table: Table, entity: Entity | None, other: Entity | None, answers: Answers
) -> tuple[Field, ...]:
    """Where the two stand on the one scale; and, where the table allows it, each by itself."""
    if entity is None or other is None:
        return ()
    names = {True: entity.name, False: other.name}

    def label(steps: int) -> str:
        if not steps:
            return "Neutral for both"
        return f"{Level(abs(steps))} for {names[steps > 0]}"

    shared = Field(
        "level",
        "Advantage",
        "choice",
        (Choice("", "as counted"), *(Choice(str(steps), label(steps)) for steps in _SHARED)),
        default="",
        required=False,
        set_by=GM,
        help=_counted(table, entity, other, answers),
        rule="stars.3.3-shared-scale",
    )
    if not setting(table.options, "contest_disadvantage"):
        return (shared,)
    apart = (
        Choice("", "by the shared scale"),
        *(Choice(str(steps), name) for steps, name in LEVELS),
    )
    return (
        shared,
        *(
            Field(
                key,
                f"{one.name} alone",
                "choice",
                apart,
                default="",
                required=False,
                set_by=GM,
                rule="stars.3.3-no-dis",
            )
            for key, one in (("first_level", entity), ("second_level", other))
        ),
    )


def _counted(table: Table, entity: Entity, other: Entity, answers: Answers) -> str:
    try:
        levels = share(*(steps_of(one) for one in _claims(table, entity, other, answers)))
    except BadInput:
        return ""
    return f"Counted: {_in_words(entity, other, levels)}."


def _in_words(entity: Entity, other: Entity, levels: tuple[Level, Level]) -> str:
    told = [
        f"{one} for {who.name}"
        for one, who in zip(levels, (entity, other), strict=True)
        if one.steps
    ]
    return ", ".join(told) or "Neutral for both"


def _claims(table: Table, entity: Entity, other: Entity, answers: Answers) -> tuple[Claim, Claim]:
    """What both bring. Errors: BadFormula."""
    return (
        claim(table, entity, answers, accepted(table, answers, entity, other)),
        claim(
            table,
            other,
            answers,
            accepted(table, answers, other, entity),
            prefix="other_",
            label=f" of {other.name}",
        ),
    )


def _levels(answers: Answers, first: Claim, second: Claim) -> tuple[Level, Level]:
    """The two levels: as the GM ruled on the shared scale, or as counted, or each by itself."""
    ruled = answers.get("level")
    if isinstance(ruled, str) and ruled:
        net = int(ruled)
        levels = (Level(max(net, 0)), Level(max(-net, 0)))
    else:
        levels = share(steps_of(first), steps_of(second))
    own = [answers.get("first_level"), answers.get("second_level")]
    found = [
        Level(int(word)) if isinstance(word, str) and word else level
        for word, level in zip(own, levels, strict=True)
    ]
    return found[0], found[1]


def _question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    first, second = whom(table, actor.entity), whom(table, answers.get("other"))
    if first is None or second is None:
        return None
    if not (numbers_known(first) and numbers_known(second)):
        return None
    try:
        claims = _claims(table, first, second, answers)
    except BadInput:
        return None
    levels = _levels(answers, *claims)
    base = base_dice(table, answers)
    sides = (claims[0].party(levels[0], base), claims[1].party(levels[1], base))
    closed: list[str] = []
    for label, one, party in zip(("first", "second"), (first, second), sides, strict=True):
        if is_closed(one) or one.hidden:
            closed += [label, *(name for name, _, _ in party.extras)]
    words = _in_words(first, second, levels)
    return Question(
        mechanics.contest,
        sides,
        _BANDS,
        mechanics.winner_of,
        tuple(closed),
        lambda _: f"{words}. The higher total wins; a tie is thrown again.",
    )


def _check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return (
        *claim_problems(table, whom(table, actor.entity), answers),
        *claim_problems(table, whom(table, answers.get("other")), answers, "other_"),
    )


def _consequences(table: Table, actor: Actor, answers: Answers, outcome: Contest) -> Result:
    first, second = table.entities[actor.entity], table.entities[str(answers["other"])]
    claims = _claims(table, first, second, answers)
    levels = _levels(answers, *claims)
    winner = first if outcome.winner == "first" else second
    title = f"{stat_title(table, answers.get('stat'))} against {second.name}"
    open_numbers = not (is_closed(first) or is_closed(second))
    counted = share(*(steps_of(one) for one in claims))
    lines = [
        *((Line(str(answers["what"])),) if answers.get("what") else ()),
        *factor_line(first.name, claims[0].steps, EVERYONE),
        *factor_line(second.name, claims[1].steps, EVERYONE),
        Line(
            f"{_in_words(first, second, levels)}."
            if counted == levels
            else f"{_in_words(first, second, levels)}, by the GM's ruling; the count says "
            f"{_in_words(first, second, counted)}."
        ),
    ]
    if outcome.tied:
        ties = ", then ".join(f"{total} to {total}" for total in outcome.tied)
        lines.append(Line(f"Thrown again after {ties}.", EVERYONE if open_numbers else GM))
    rules = ["stars.4.1-contest"]
    if outcome.tied:
        rules.append("stars.4.2-tie-contest")
    if any(level.steps for level in levels):
        rules.append("stars.3.3-shared-scale")
        rules += [level.rule for level in levels if abs(level.steps) in {MINOR, MAJOR}]
    card = Card(
        title,
        f"{winner.name} wins.",
        "wins" if winner is first else "loses",
        "good" if winner is first else "bad",
        (
            side(first, "first", claims[0], levels[0], outcome.first),
            side(second, "second", claims[1], levels[1], outcome.second),
        ),
        tuple(lines),
        tuple(dict.fromkeys(rules)),
        first.id,
        card_audience(first, second),
    )
    return Result(card, spoken_for(table, first, second), telling_ask(table, first, title))


def _when(table: Table, actor: Actor) -> str | None:
    why_not = when_rolls(table, actor)
    if why_not is None and not _others(table, actor):
        return "Nobody is there to contend with."
    return why_not


CONTEST = Move(
    "contest",
    "Contest",
    "Two want what only one can have: both roll, the higher total wins.",
    ("stars.4.1-contest", "stars.4.2-tie-contest", "stars.3.3-shared-scale"),
    _consequences,
    when=_when,
    fields=_fields,
    check=_check,
    question=_question,
    converses=True,
    examples=({"other": "bram", "stat": "strength", "other_stat": "strength"},),
)
