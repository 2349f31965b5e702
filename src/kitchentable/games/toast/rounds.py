"""A fight from its beginning to its end: who is in it, round after round, and when it is over."""

from __future__ import annotations

from typing import Any

from kitchentable.game import (
    Actor,
    Answers,
    Card,
    Change,
    Choice,
    Field,
    Move,
    Problem,
    Result,
    RuleRefuses,
    Table,
    choose,
    ids,
    listed,
    running,
)
from kitchentable.games.toast.character import is_awake, present
from kitchentable.games.toast.fight import END_ASK, TIE_ASK, new_fight, next_round, step
from kitchentable.games.toast.initiative import order_words
from kitchentable.games.toast.lists import role_changes, role_fields


def _when_peace(table: Table, actor: Actor) -> str | None:
    if table.fight is not None:
        return "A fight is on already."
    return None if any(is_awake(one) for one in present(table)) else "Nobody is there to fight."


def _begin_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    able = tuple(one for one in present(table) if is_awake(one))
    heroes = [one.id for one in able if one.is_players]
    foes = [one.id for one in able if not one.is_players and not one.hidden]
    return (
        Field("heroes", "On the one side", "many", choose(able), default=list(heroes)),
        Field("heroes_name", "That side's name", default="heroes", longest=40),
        Field("foes", "On the other side", "many", choose(able), default=list(foes)),
        Field("foes_name", "That side's name", default="foes", longest=40),
        *role_fields(table),
    )


def _begin_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    both = set(ids(answers, "heroes")) & set(ids(answers, "foes"))
    if both:
        names = listed([table.entities[one].name for one in sorted(both)])
        return (Problem("foes", "toast.7-init-roll", f"{names} cannot be on both sides."),)
    return ()


def _begin(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    sides = {one: str(answers["heroes_name"]) for one in ids(answers, "heroes")}
    sides |= {one: str(answers["foes_name"]) for one in ids(answers, "foes")}
    names = [table.entities[one].name for one in sides if not table.entities[one].hidden]
    roles, lines = role_changes(table, answers)
    card = Card(
        "A fight begins",
        f"Roll Initiative: {listed(names)}.",
        lines=lines,
        rules=("toast.7-init-roll",),
    )
    return Result(card, (*roles, Change(("fight",), new_fight(sides))))


BEGIN = Move(
    "fight",
    "Begin a fight",
    "Say who fights, and on which side.",
    ("toast.7-init-roll", "toast.3-list-combat-roles"),
    _begin,
    by=("gm",),
    place="gm",
    when=_when_peace,
    fields=_begin_fields,
    check=_begin_check,
    for_entity=False,
)

# ---------------------------------------------------------------- rounds and the end


def _cards_of_the_fight(table: Table) -> tuple[str, ...]:
    return tuple(ask for ask in (TIE_ASK, END_ASK) if ask in table.asks)


def _when_fight(table: Table, actor: Actor) -> str | None:
    return None if table.fight is not None else "No fight is on."


def _goes_on(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    fight = running(table)
    if fight is None:
        raise RuleRefuses("No fight is on.", "toast.7-round-repeat")
    next_round(table, fight)
    changes, asks = step(table, fight)
    kept = [ask.id for ask in asks]
    card = Card(
        f"Round {fight['round']}",
        "Roll Initiative again." if fight["phase"] == "initiative" else order_words(table, fight),
        rules=("toast.7-round-repeat",),
    )
    closes = tuple(one for one in _cards_of_the_fight(table) if one not in kept)
    return Result(card, changes, asks, closes)


def _ends(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    why = str(answers.get("why") or "")
    card = Card(
        "The fight is over", why or "Nobody wants to fight any more.", rules=("toast.7-end",)
    )
    return Result(card, (Change(("fight",), None),), closes=_cards_of_the_fight(table))


def _still(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    if answers["answer"] == "end":
        return _ends(table, actor, answers, outcome)
    if table.fight is not None and table.fight["phase"] != "end":
        card = Card("The fight", "The fight goes on.", rules=("toast.7-end",))
        return Result(card, closes=(END_ASK,) if END_ASK in table.asks else ())
    return _goes_on(table, actor, answers, outcome)


def _still_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    return (
        Field(
            "answer",
            "Still fighting?",
            "choice",
            (Choice("on", "The fight goes on"), Choice("end", "It is over")),
            default="on",
            rule="toast.7-end",
        ),
        Field("why", "How it ends", required=False, default="", longest=400),
    )


STILL_FIGHTING = Move(
    "still_fighting",
    "Still fighting?",
    "Another round, or the end.",
    ("toast.7-end", "toast.7-round-repeat"),
    _still,
    by=(),
    fields=_still_fields,
    for_entity=False,
)
NEXT_ROUND = Move(
    "next_round",
    "Next round",
    "Everybody again, with new Initiative.",
    ("toast.7-round-repeat",),
    _goes_on,
    by=("gm",),
    place="fight",
    when=_when_fight,
    for_entity=False,
)
END_FIGHT = Move(
    "end_fight",
    "End the fight",
    "A fight ends when nobody wants to fight any more.",
    ("toast.7-end",),
    _ends,
    by=("gm",),
    place="fight",
    when=_when_fight,
    fields=lambda table, actor, answers: _still_fields(table, actor, answers)[1:],
    for_entity=False,
)
