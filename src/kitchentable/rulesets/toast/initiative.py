"""Initiative: everybody's dice, flubs and kicks among them, and the order of equals."""

from __future__ import annotations

from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Band,
    Card,
    Change,
    Choice,
    Field,
    Line,
    Move,
    Part,
    Problem,
    Question,
    Result,
    RuleRefuses,
    Side,
    Table,
    card_audience,
    choose,
    ids,
    is_closed,
    listed,
    number_audience,
    running,
    whom,
)
from kitchentable.rules.rounds import (
    TIE_ASK,
    by_hand,
    order_fields,
    order_problems,
    order_settled,
    tied_of,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.character import (
    level,
    numbers_known,
    role_trait,
    trait_name,
    usable_perks,
)
from kitchentable.rulesets.toast.fight import place, rolled, settle, step, to_roll
from kitchentable.rulesets.toast.mechanics import PERK_BONUS, Initiative
from kitchentable.rulesets.toast.old_rolls import noted, perk_field, saying
from kitchentable.rulesets.toast.old_twists import twist_ask
from kitchentable.rulesets.toast.options import setting


def _role(table: Table) -> str:
    return role_trait(table, "initiative") or "none"


def _when_roll(table: Table, actor: Actor) -> str | None:
    mine = place(table, actor.entity)
    if mine is None:
        return "They are not in a fight."
    return None if mine["status"] == "to roll" else "They have rolled Initiative this round."


def _roll_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    if not setting(table.options, "initiative_perk"):
        return ()
    return (perk_field(whom(table, actor.entity)),)


def _roll_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None or not numbers_known(entity):
        return None
    return Question(
        mechanics.initiative,
        (level(entity, _role(table)), bool(answers.get("perk")), entity.id),
        (
            Band("number", "acts this round", "good", good=True),
            Band("kick", "kick: a 12 and the trait", "splendid", good=True),
            Band("flub", "flub: no action this round", "bad"),
        ),
        lambda outcome: outcome.special or "number",
        (entity.id,) if is_closed(entity) else (),
        saying("Acts on anything but a flub."),
    )


def _roll(table: Table, actor: Actor, answers: Answers, outcome: Initiative) -> Result:
    return _rolled_all(table, ((actor.entity, answers.get("perk"), outcome),))


def _rolled_all(table: Table, thrown: tuple[tuple[str, Any, Initiative], ...]) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-init-roll")
    sides: list[Side] = []
    notes: list[Change] = []
    twists: list[Ask] = []
    for index, (who, perk, one) in enumerate(thrown):
        entity = table.entities[who]
        rolled(table, fight, who, one)
        sides.append(_side(table, who, perk, one))
        notes.extend(noted(table, entity, _role(table), perk))
        if one.special:
            twists.append(twist_ask(table, f"initiative-{one.special}", entity, index=index))
    changes, asks = step(table, fight)
    kinds = {one.special for _, _, one in thrown}
    card = Card(
        "Initiative",
        order_words(table, fight),
        lines=_flub_lines(table, thrown),
        tone="splendid" if "kick" in kinds else "bad" if kinds == {"flub"} else "plain",
        sides=tuple(sides),
        rules=("toast.7-init-roll", *(f"toast.7.1-init-{kind}" for kind in sorted(kinds) if kind)),
        entity=thrown[0][0] if len(thrown) == 1 else "",
        audience=card_audience(*(table.entities[who] for who, _, _ in thrown[:1]))
        if len(thrown) == 1
        else card_audience(),
    )
    return Result(card, (*changes, *notes), (*twists, *asks))


def _flub_lines(table: Table, thrown: tuple[tuple[str, Any, Initiative], ...]) -> tuple[Line, ...]:
    rest = "can only move" if setting(table.options, "initiative_flub_moves") else "does not act"
    return tuple(
        Line(
            f"{table.entities[who].name} flubbed and {rest} this round.",
            card_audience(table.entities[who]),
        )
        for who, _, one in thrown
        if one.number is None
    )


def _side(table: Table, who: str, perk: Any, one: Initiative) -> Side:
    entity = table.entities[who]
    parts = [Part(trait_name(table, _role(table)), level(entity, _role(table)))]
    if perk:
        parts.append(Part(f"perk: {perk}", PERK_BONUS))
    if one.special == "kick":
        parts.insert(0, Part("the kick", 12))
    shown = tuple(parts) if one.number is not None else ()
    audience = GM if entity.hidden else number_audience(entity)
    return Side(entity.name, who, shown, one.number, one.special, audience, unseen=entity.hidden)


def order_words(table: Table, fight: dict[str, Any]) -> str:
    """Where a round stands: who still has to roll, or in which order they act."""
    if fight["phase"] == "initiative":
        return f"{len(to_roll(fight))} still to roll."
    if fight["phase"] == "ties":
        return "Equal numbers: the GM settles the order."
    names = [
        table.entities[who].name
        for who in fight["order"]
        if who in table.entities and not table.entities[who].hidden
    ]
    return f"In this order: {listed(names)}." if names else "Nobody can act this round."


INITIATIVE = Move(
    "initiative",
    "Roll Initiative",
    "Die and Initiative: the highest number acts first.",
    ("toast.7-init-roll", "toast.7-init-order", "toast.7-init-no-perk"),
    _roll,
    place="fight",
    when=_when_roll,
    fields=_roll_fields,
    question=_roll_question,
)


def _when_any_to_roll(table: Table, actor: Actor) -> str | None:
    if table.fight is None:
        return "No fight is on."
    return None if to_roll(table.fight) else "Everybody has rolled Initiative."


def _all_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    waiting = to_roll(table.fight or {"fighters": {}})
    people = tuple(table.entities[who] for who in waiting if who in table.entities)
    everyone = [one.id for one in people]
    who = Field("who", "For whom?", "many", choose(people), default=list(everyone))
    if not setting(table.options, "initiative_perk"):
        return (who,)
    return (
        who,
        *(
            perk_field(one, name=f"perk.{one.id}", label=f"Perk of {one.name}")
            for one in people
            if usable_perks(one)
        ),
    )


def _everyone(table: Table, answers: Answers) -> tuple[tuple[str, int, bool], ...]:
    return tuple(
        (who, level(table.entities[who], _role(table)), bool(answers.get(f"perk.{who}")))
        for who in ids(answers, "who")
    )


def _all_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    everyone = [table.entities.get(who) for who in ids(answers, "who")]
    if not everyone or any(one is None or not numbers_known(one) for one in everyone):
        return None
    closed = tuple(one.id for one in everyone if one is not None and (one.hidden or is_closed(one)))
    return Question(mechanics.initiative_of_all, (_everyone(table, answers),), (), str, closed)


def _roll_all(
    table: Table, actor: Actor, answers: Answers, outcome: tuple[Initiative, ...]
) -> Result:
    who = ids(answers, "who")
    thrown = tuple(
        (one, answers.get(f"perk.{one}"), fell) for one, fell in zip(who, outcome, strict=True)
    )
    return _rolled_all(table, thrown)


INITIATIVE_ALL = Move(
    "initiative_all",
    "Initiative for everybody",
    "All the dice that are still to fall, at once.",
    ("toast.7-init-roll",),
    _roll_all,
    by=("gm",),
    place="fight",
    when=_when_any_to_roll,
    fields=_all_fields,
    question=_all_question,
    for_entity=False,
)

# ---------------------------------------------------------------- ties


def _tie_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    again = Choice("reroll", "Another roll among them")
    return order_fields(tied_of(table, actor), answers, "toast.7-init-tie", again)


def _tie_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return order_problems(tied_of(table, actor), answers, "toast.7-init-tie")


def _tie_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    here = tied_of(table, actor)
    if answers.get("ruling") == "hand" or len(here) < 2 or not all(map(numbers_known, here)):
        return None
    tied = tuple((one.id, level(one, _role(table)), False) for one in here)
    closed = tuple(one.id for one in here if one.hidden or is_closed(one))
    return Question(mechanics.initiative_tie, (tied,), (), str, closed)


def _tie(table: Table, actor: Actor, answers: Answers, outcome: tuple[str, ...] | None) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-init-tie")
    order = list(outcome) if outcome is not None else by_hand(tied_of(table, actor), answers)
    fight["breaks"][str(fight["fighters"][order[0]]["number"])] = order
    settle(fight)
    changes, asks = step(table, fight)
    how = "By another roll" if outcome is not None else "By the GM's word"
    card = order_settled(
        table, order, how, "Equal Initiative", "toast.7-init-tie", thrown=outcome is not None
    )
    closes = () if any(ask.id == TIE_ASK for ask in asks) else (TIE_ASK,)
    return Result(card, changes, asks, closes)


INITIATIVE_TIE = Move(
    "initiative_tie",
    "Settle equal Initiative",
    "Another roll among the tied, or the GM's order.",
    ("toast.7-init-tie",),
    _tie,
    by=(),
    fields=_tie_fields,
    check=_tie_check,
    question=_tie_question,
    for_entity=False,
)
