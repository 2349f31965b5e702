"""Wounds: one for each hit, who goes down, who lives, first aid, and a day's rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kitchentable.rules import (
    GM,
    Actor,
    Answers,
    Ask,
    Card,
    Change,
    Choice,
    Entity,
    Field,
    Line,
    Move,
    Result,
    RuleRefuses,
    Table,
    asked,
    card_audience,
    choose,
    fresh,
)
from kitchentable.rulesets.toast.character import (
    DEAD,
    FALLEN,
    UNCONSCIOUS,
    capacity,
    is_pc,
    now,
    present,
    wounds,
)
from kitchentable.rulesets.toast.fight import Fight, fall


@dataclass(frozen=True, slots=True)
class Blow:
    """What one wound does: a sentence, changed facts, and the question of life and death."""

    sentence: str
    changes: tuple[Change, ...]
    asks: tuple[Ask, ...] = ()
    fells: bool = False
    rules: tuple[str, ...] = ("toast.7.3-hit-wound",)


def wound(table: Table, target: Entity, striker: Entity | None, fight: Fight | None) -> Blow:
    """One wound, not counted beyond the capacity; at the capacity the target goes down.

    A player's character is unconscious then. Of the GM's people the players say whether they live,
    or the GM where no player struck. toast.7.3-hit-wound, toast.7.3-down, toast.7.3-wound-cap,
    toast.7.3-pc-unconscious, toast.7.3-npc-deadly, toast.7.3-npc-no-player-blow.
    """
    most = capacity(table, target)
    taken = min(most, wounds(target) + 1)
    changes = [now(target, "wounds", taken)]
    if taken < most:
        return Blow(f"One wound: {taken} of {most}.", tuple(changes))
    if fight is not None:
        fall(fight, target.id)
    if is_pc(target):
        changes.append(now(target, "condition", UNCONSCIOUS))
        return Blow(
            f"{target.name} goes down: unconscious.",
            tuple(changes),
            fells=True,
            rules=("toast.7.3-down", "toast.7.3-pc-unconscious"),
        )
    changes.append(now(target, "condition", FALLEN))
    return Blow(
        f"{target.name} goes down.",
        tuple(changes),
        (_fate_ask(table, target, striker),),
        fells=True,
        rules=("toast.7.3-down", "toast.7.3-npc-deadly"),
    )


# ---------------------------------------------------------------- the fate of the GM's people


def _fate_ask(table: Table, target: Entity, striker: Entity | None) -> Ask:
    seated = {seat.id for seat in table.players()}
    by_player = striker is not None and striker.owner in seated and not target.hidden
    ident = f"fate-{target.id}"
    if not by_player or striker is None:
        return Ask(
            ident,
            (GM,),
            "fate",
            f"What becomes of {target.name}?",
            "No player struck the last blow, so you decide.",
            preset={"decides": GM, "last": ""},
            rules=("toast.7.3-npc-no-player-blow",),
            entity=target.id,
        )
    return Ask(
        ident,
        ("players",),
        "fate",
        f"{target.name} is down: was that deadly force?",
        f"{table.seats[striker.owner].name} struck the last blow and has the final say.",
        preset={"decides": striker.owner, "last": striker.name},
        rules=("toast.7.3-npc-deadly", "toast.7.3-final-blow"),
        entity=target.id,
    )


def _fate_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "answer",
            "Was it deadly?",
            "choice",
            (
                Choice("spare", "Spare them: unconscious"),
                Choice("deadly", "Deadly force: they die"),
            ),
            rule="toast.7.3-npc-deadly",
        ),
    )


def _fate(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    target = table.entities[ask.entity]
    decides = str(ask.preset["decides"])
    if decides != GM and actor.is_gm:
        raise RuleRefuses(
            "The players decide whether that was deadly force, not the GM.", "toast.7.3-npc-deadly"
        )
    votes = {**ask.votes, actor.seat: str(answers["answer"])}
    seated = {seat.id for seat in table.players()}
    if decides in (GM, actor.seat):
        return _decided(table, target, str(answers["answer"]), ask)
    if decides not in seated and seated <= votes.keys():
        said = set(votes.values())
        if len(said) == 1:
            return _decided(table, target, said.pop(), ask)
        gm = replace(ask, to=(GM,), preset={**ask.preset, "decides": GM}, votes=votes)
        return Result(Card("Deadly force?", "The players differ; the GM decides."), asks=(gm,))
    word = "deadly" if answers["answer"] == "deadly" else "to spare them"
    card = Card(f"{target.name}: deadly force?", f"{_seat(table, actor)} says: {word}.")
    return Result(card, asks=(replace(ask, votes=votes),))


def _seat(table: Table, actor: Actor) -> str:
    return table.seats[actor.seat].name if actor.seat in table.seats else "Somebody"


def _decided(table: Table, target: Entity, answer: str, ask: Ask) -> Result:
    deadly = answer == "deadly"
    card = Card(
        f"{target.name}: {'deadly force' if deadly else 'spared'}",
        f"{target.name} {'dies' if deadly else 'is unconscious'}.",
        "dead" if deadly else "unconscious",
        "bad" if deadly else "plain",
        rules=("toast.7.3-npc-dies" if deadly else "toast.7.3-npc-unconscious", *ask.rules),
        entity=target.id,
        audience=card_audience(target),
    )
    return Result(card, (now(target, "condition", DEAD if deadly else UNCONSCIOUS),), (), (ask.id,))


FATE = Move(
    "fate",
    "Deadly force?",
    "Say whether somebody who went down lives.",
    ("toast.7.3-npc-deadly", "toast.7.3-final-blow", "toast.7.3-npc-no-player-blow"),
    _fate,
    by=(),
    fields=_fate_fields,
    for_entity=False,
)

# ---------------------------------------------------------------- no death without a yes


def _when_pc(table: Table, actor: Actor) -> str | None:
    return None if _mortal(table) else "There is no player's character who could die."


def _mortal(table: Table) -> tuple[Entity, ...]:
    return tuple(one for one in present(table) if is_pc(one) and one.is_players)


def _death_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "who",
            "Whose death?",
            "entity",
            choose(_mortal(table)),
            rule="toast.7.5-pc-death-consent",
        ),
        Field("how", "How it would come about", "story", required=False, default=""),
    )


def _death(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    entity = table.entities[str(answers["who"])]
    how = str(answers.get("how") or "")
    ask = Ask(
        fresh(table, "consent"),
        (f"owner:{entity.id}",),
        "consent",
        f"Does {entity.name} die?",
        how or "The GM asks. Nothing happens without your yes.",
        preset={"how": how},
        rules=("toast.7.5-pc-death-consent",),
        entity=entity.id,
    )
    card = Card(
        f"{entity.name}'s death?",
        f"The GM asks for {entity.name}'s death. It is the player's to give.",
        rules=("toast.7.5-pc-death-consent",),
        entity=entity.id,
    )
    return Result(card, asks=(ask,))


DEATH = Move(
    "death",
    "Ask for a death",
    "A player's character dies only if the player says so.",
    ("toast.7.5-pc-death-consent",),
    _death,
    by=("gm",),
    place="gm",
    when=_when_pc,
    fields=_death_fields,
    for_entity=False,
)


def _consent_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "answer",
            "Do you allow it?",
            "choice",
            (Choice("no", "No, my character lives"), Choice("yes", "Yes, my character dies")),
            rule="toast.7.5-pc-death-consent",
        ),
    )


def _consent(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    ask = table.asks[actor.ask]
    entity = table.entities[ask.entity]
    if actor.seat != entity.owner:
        raise RuleRefuses(
            f"Only the player of {entity.name} can answer that.", "toast.7.5-pc-death-consent"
        )
    yes = answers["answer"] == "yes"
    told = asked(table, actor, answers)
    card = Card(
        f"{entity.name}: {'dies' if yes else 'lives'}",
        "With the player's consent." if yes else "The player does not allow it.",
        "dead" if yes else "lives",
        "bad" if yes else "good",
        lines=(Line(str(told["how"])),) if yes and told.get("how") else (),
        rules=("toast.7.5-pc-death-consent",),
        entity=entity.id,
    )
    return Result(card, (now(entity, "condition", DEAD),) if yes else (), closes=(ask.id,))


CONSENT = Move(
    "consent",
    "Does your character die?",
    "Your character's death is yours to give.",
    ("toast.7.5-pc-death-consent",),
    _consent,
    by=(),
    fields=_consent_fields,
    for_entity=False,
)
