"""The end of a session: advancement for the traits that perks helped, and asking for a new perk."""

from __future__ import annotations

from dataclasses import replace
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
    Problem,
    Question,
    Result,
    Side,
    Table,
    asked,
    fresh,
    listed,
    quoted,
    whole,
    whom,
)
from kitchentable.rulesets.toast import mechanics
from kitchentable.rulesets.toast.character import is_pc, level, now, trait_name
from kitchentable.rulesets.toast.mechanics import Advance
from kitchentable.rulesets.toast.old_rolls import saying, uses
from kitchentable.rulesets.toast.options import setting
from kitchentable.rulesets.toast.perk_upkeep import check_new, perk_text_fields, perk_words
from kitchentable.rulesets.toast.perks import added, verdict_change

# ---------------------------------------------------------------- the session opens and closes


def session_began(table: Table) -> Result:
    """Tonight's list is empty (toast.8.2-reset).

    That a GM and a player are there (toast.1-roles) is seen to before this is asked.
    """
    return Result(changes=_wipe(table))


def session_closing(table: Table) -> Result:
    """What was noted tonight, for everybody to read."""
    lines = tuple(
        Line(f"{one.name}: {_noted_words(table, one.id)}.")
        for one in table.in_play()
        if uses(table, one.id)
    )
    card = Card(
        "The session closes",
        "Roll for the traits that your perks helped, and ask for a new perk if you like."
        if lines
        else "Nobody has used a perk. You can still ask for a new one.",
        lines=lines,
        rules=("toast.8.2-roll-each", "toast.8.1-petition"),
    )
    return Result(card)


def _noted_words(table: Table, entity: str) -> str:
    per_use = setting(table.options, "advancement_rolls") == "use"
    return listed(
        [
            f"{trait_name(table, trait)}{f' ({times} times)' if per_use and times > 1 else ''}"
            for trait, times in uses(table, entity).items()
        ]
    )


def session_ended(table: Table) -> Result:
    """What was not rolled for is not saved up (toast.8.2-reset)."""
    return Result(changes=_wipe(table))


def _wipe(table: Table) -> tuple[Change, ...]:
    notes = table.session.notes
    return (Change(("session", "notes", "uses"), gone=True),) if "uses" in notes else ()


# ---------------------------------------------------------------- advancement


def _when_advance(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if table.session.phase != "closing":
        return "Advancement comes when the session closes."
    if entity is None or not (is_pc(entity) and entity.is_players):
        return "Only players' characters advance."
    return None if uses(table, entity.id) else "Nothing is noted, or all of it is rolled for."


def _advance_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    entity = whom(table, actor.entity)
    noted = uses(table, actor.entity)
    choices = tuple(
        Choice(trait, f"{trait_name(table, trait)} {level(entity, trait) if entity else 0}")
        for trait in noted
    )
    first = choices[0].value if choices else None
    return (Field("trait", "Trait", "choice", choices, default=first, rule="toast.8.2-roll-each"),)


def _advance_question(table: Table, actor: Actor, answers: Answers) -> Question | None:
    entity = whom(table, actor.entity)
    if entity is None or not answers.get("trait"):
        return None
    here = level(entity, answers["trait"])
    words = f"A {here + 1} or better, or a kick." if here < 10 else "Only a kick."
    return Question(
        mechanics.advance,
        (here,),
        (
            Band("raised", "goes up by 1", "good", good=True),
            Band("same", "stays as it is"),
        ),
        lambda outcome: "raised" if outcome.raised else "same",
        sentence=saying(words),
    )


def _advance(table: Table, actor: Actor, answers: Answers, outcome: Advance) -> Result:
    entity = table.entities[actor.entity]
    trait = str(answers["trait"])
    here = level(entity, trait)
    special = "" if isinstance(outcome.die, int) else outcome.die.value
    rules = {"kick": ("toast.8.2-kick",), "flub": ("toast.8.2-flub",)}.get(
        special, ("toast.8.2-number" if outcome.raised else "toast.8.2-equal-no",)
    )
    number = outcome.die if isinstance(outcome.die, int) else None
    name = trait_name(table, trait)
    card = Card(
        f"Advancement: {name} {here}",
        f"{name} goes up to {here + 1}." if outcome.raised else f"{name} stays at {here}.",
        "raised" if outcome.raised else "unchanged",
        "splendid" if special == "kick" else "good" if outcome.raised else "plain",
        (Side(entity.name, "roll", (), number, special),),
        rules=(*rules, "toast.8.2-bare-die"),
        entity=entity.id,
    )
    changes = [_rolled_off(table, entity.id, trait)]
    if outcome.raised:
        changes.append(Change(("entities", entity.id, "sheet", "traits", trait), here + 1))
    return Result(card, tuple(changes))


def _rolled_off(table: Table, entity: str, trait: str) -> Change:
    """One roll fewer to make: one for the trait, or one for each use by the table's option."""
    path = ("session", "notes", "uses", entity, trait)
    left = uses(table, entity).get(trait, 0) - 1
    if setting(table.options, "advancement_rolls") == "use" and left > 0:
        return Change(path, left)
    return Change(path, gone=True)


ADVANCE = Move(
    "advance",
    "Advancement",
    "The bare die for a trait that a perk helped: greater than its level, or a kick, and it rises.",
    ("toast.8.2-roll-each", "toast.8.2-number", "toast.8.2-bare-die", "toast.8.2-one-level"),
    _advance,
    # Whoever could not stay loses nothing: the GM may throw for them, and the log says who threw.
    by=("player", "gm"),
    place="closing",
    when=_when_advance,
    fields=_advance_fields,
    question=_advance_question,
)

# ---------------------------------------------------------------- petitions


def next_petition(table: Table, entity: Any) -> int:
    """The first session in which this character may gain a perk again; 0 for any.

    toast.8.1-interval, toast.8.1-gm-discretion.
    """
    gained = whole(entity.state.get("perk_gained"))
    return gained + whole(setting(table.options, "perk_every_sessions")) if gained else 0


def _when_petition(table: Table, actor: Actor) -> str | None:
    entity = whom(table, actor.entity)
    if table.session.phase != "closing":
        return "A new perk can be asked for when the session closes."
    if not setting(table.options, "petitions_open"):
        return "The GM hears no petitions tonight."
    if entity is None or not is_pc(entity):
        return "Petitions are for players' characters."
    first = next_petition(table, entity)
    if table.session.number < first:
        return f"{entity.name} can gain a perk again when session {first} closes."
    if any(a.move == "judge_petition" and a.entity == entity.id for a in table.asks.values()):
        return "A petition waits for its answer."
    return None


def _petition_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    reason = Field(
        "reason",
        "How it grows out of what has happened",
        "story",
        rule="toast.8.1-sense",
        longest=1000,
    )
    return (*perk_text_fields(whom(table, actor.entity), "toast.8.1-petition"), reason)


def _petition_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    return check_new(whom(table, actor.entity), answers)


def _petition(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[actor.entity]
    perk, reason = perk_words(answers), str(answers["reason"])
    others = tuple(seat.id for seat in table.players() if seat.id != entity.owner)
    ask = Ask(
        fresh(table, "petition"),
        (*others, GM),
        "judge_petition",
        f"{entity.name} asks for a perk: {perk}",
        reason,
        preset={
            "perk": perk,
            "covers": str(answers.get("covers") or ""),
            "session": table.session.number,
        },
        rules=("toast.8.1-petition", "toast.8.1-agreement", "toast.8.1-gm-final"),
        entity=entity.id,
    )
    card = Card(
        f"{entity.name} asks for a perk",
        quoted(perk),
        lines=(Line(reason),),
        rules=("toast.8.1-petition", "toast.8.1-sense"),
        entity=entity.id,
    )
    return Result(card, asks=(ask,))


PETITION = Move(
    "petition",
    "Ask for a perk",
    "Ask the others and the GM for one new perk, at most every other session.",
    ("toast.8.1-petition", "toast.8.1-sense", "toast.8.1-interval"),
    _petition,
    by=("player",),
    place="closing",
    when=_when_petition,
    fields=_petition_fields,
    check=_petition_check,
)


def _votes(table: Table, actor: Actor) -> str:
    ask = table.asks.get(actor.ask)
    if ask is None:
        return ""
    said = {seat: str(vote) for seat, vote in ask.votes.items()}
    return ", ".join(
        f"{table.seats[seat].name}: {said.get(seat, 'not yet')}"
        for seat in ask.to
        if seat in table.seats
    )


def _judge_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    yes_no = (Choice("yes", "Yes"), Choice("no", "No"))
    if not actor.is_gm:
        rule = "toast.8.1-agreement"
        return (Field("answer", "Do you agree?", "choice", yes_no, default="yes", rule=rule),)
    votes = _votes(table, actor)
    return (
        Field(
            "answer",
            "Is it granted?",
            "choice",
            yes_no,
            default="yes",
            help=f"The others: {votes}." if votes else "Nobody else is asked.",
            rule="toast.8.1-gm-final",
        ),
        Field("word", "A word about it", required=False, default="", longest=400),
    )


def _judge(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    ask = table.asks[actor.ask]
    entity = table.entities[ask.entity]
    yes, perk = told["answer"] == "yes", str(told["perk"])
    if not actor.is_gm:
        name = table.seats[actor.seat].name if actor.seat in table.seats else "Somebody"
        card = Card(f"{entity.name}: {perk}", f"{name} {'agrees' if yes else 'does not agree'}.")
        return Result(card, asks=(replace(ask, votes={**ask.votes, actor.seat: told["answer"]}),))
    votes = _votes(table, actor)
    lines = [Line(f"The others: {votes}.")] if votes else []
    if told.get("word"):
        lines.append(Line(str(told["word"])))
    card = Card(
        f"{entity.name}: {perk}",
        "The GM grants the perk." if yes else "The GM does not grant it.",
        "granted" if yes else "refused",
        "good" if yes else "plain",
        lines=tuple(lines),
        rules=("toast.8.1-gm-final", "toast.4-perk-more-later"),
        entity=entity.id,
    )
    changes = (
        (
            added(entity, perk, str(told.get("covers") or "")),
            verdict_change(entity.id, perk, "accepted"),
            now(entity, "perk_gained", whole(told.get("session"))),
        )
        if yes
        else ()
    )
    return Result(card, changes, closes=(ask.id,))


JUDGE_PETITION = Move(
    "judge_petition",
    "A petition",
    "The others say what they think; the GM has the final say.",
    ("toast.8.1-agreement", "toast.8.1-gm-final"),
    _judge,
    by=(),
    fields=_judge_fields,
    for_entity=False,
)
