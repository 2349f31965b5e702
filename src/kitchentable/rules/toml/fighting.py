"""A fight of a written game: who is in it, in which order they act, and when it is over.

The facts are JSON: {"round", "phase", "fighters": {entity: {"side", "number", "acted", "status"}},
"order": [...], "turn"}. Phases: "order" (dice are still to fall), "turns", "end" (everybody had
their turn). A fighter's status: "waiting", "done", "out".
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

from kitchentable.dice import NotationError
from kitchentable.rules.errors import RuleRefuses
from kitchentable.rules.moves import Card, Change, Move, Part, Question, Result, Side
from kitchentable.rules.people import choose, is_closed
from kitchentable.rules.sheets import FightRow, FightView
from kitchentable.rules.table import Actor, Ask, Seat, Table
from kitchentable.rules.toml.book import rule_of
from kitchentable.rules.toml.dicework import order_of, throw_of
from kitchentable.rules.toml.form import Fighting, Written
from kitchentable.rules.toml.numbers import (
    boxes,
    condition,
    here,
    is_out,
    numbers_known,
    numbers_of,
)
from kitchentable.rules.toml.rollparts import fill
from kitchentable.rules.toml.throwing import part_name
from kitchentable.rules.toml.tracks import track_of
from kitchentable.rules.values import GM, Answers, Field, Problem

_OUT = "out"


def may_act(game: Written, table: Table, actor: Actor) -> str | None:
    """Why somebody cannot act in the fight that is on; None where they can, or none is on."""
    if table.fight is None or game.fighting is None:
        return None
    fight: Any = table.fight
    mine = fight["fighters"].get(actor.entity)
    if mine is None:
        return "They are not in this fight."
    if fight["phase"] == "order":
        return "The order of acting has not been thrown yet."
    if fight["turn"] != actor.entity:
        return "It is not their turn."
    return None


def act_changes(
    game: Written, table: Table, actor: Actor, changed: Mapping[tuple[str, str], int]
) -> tuple[list[Change], tuple[Ask, ...]]:
    """An action is used up, who went down is out, and the turn goes on after the last action."""
    if table.fight is None or game.fighting is None:
        return [], ()
    fight = deepcopy(dict(table.fight))
    for (who, key), value in changed.items():
        scale, entity = game.scale(key), table.entities[who]
        end = 0 if scale.starts_full else boxes(game, table, entity, scale)
        if scale.out and value == end and who in fight["fighters"]:
            fight["fighters"][who]["status"] = _OUT
    mine = fight["fighters"].get(actor.entity)
    if mine is not None:
        mine["acted"] += 1
        if mine["acted"] >= game.fighting.actions and mine["status"] == "waiting":
            mine["status"] = "done"
    _next_turn(fight)
    return [Change(("fight",), fight)], ()


def _next_turn(fight: dict[str, Any]) -> None:
    for who in fight["order"]:
        if fight["fighters"][who]["status"] == "waiting":
            fight["turn"] = who
            return
    fight["turn"], fight["phase"] = "", "end"


def fight_moves(game: Written) -> tuple[Move, ...]:
    """The moves of a fight, where the file has a [fight]."""
    fighting = game.fighting
    if fighting is None:
        return ()
    rule = rule_of(game, "fight", "order", fighting.rule)
    by_gm: dict[str, Any] = {"by": ("gm",), "for_entity": False}
    return (
        Move(
            "fight",
            "Begin a fight",
            "Say who fights, and on which side.",
            (rule,),
            partial(_begin, game, rule),
            place="gm",
            when=_when_peace,
            fields=_begin_fields,
            check=_begin_check,
            **by_gm,
        ),
        Move(
            "order",
            "Throw for the order",
            "Everybody's dice fall: the highest acts first.",
            (rule,),
            partial(_ordered, game, rule),
            place="fight",
            when=partial(_when_order, game, fighting),
            question=partial(_order_question, game, fighting),
            **by_gm,
        ),
        Move(
            "end_turn",
            "End the turn",
            "Leave it at that, and let the next one act.",
            (rule,),
            partial(_end_turn, rule),
            place="fight",
            when=partial(may_act, game),
        ),
        Move(
            "next_round",
            "Next round",
            "Everybody acts again.",
            (rule,),
            partial(_next_round, game, rule),
            place="fight",
            when=_when_fight,
            **by_gm,
        ),
        Move(
            "end_fight",
            "End the fight",
            "The fight is over.",
            (rule,),
            partial(_end, rule),
            place="fight",
            when=_when_fight,
            **by_gm,
        ),
    )


def _when_peace(table: Table, actor: Actor) -> str | None:
    return "A fight is on already." if table.fight is not None else None


def _when_fight(table: Table, actor: Actor) -> str | None:
    return None if table.fight is not None else "No fight is on."


def _when_order(game: Written, fighting: Fighting, table: Table, actor: Actor) -> str | None:
    fight: Any = table.fight
    if fight is None:
        return "No fight is on."
    if fight["phase"] != "order":
        return "The order stands."
    try:
        _order_question(game, fighting, table, actor, {})
    except NotationError:
        return f"With the numbers of somebody there is nothing to throw: {fighting.order}."
    return None


def _begin_fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    people = here(table)
    heroes = [one.id for one in people if one.is_players]
    foes = [one.id for one in people if not one.is_players and not one.hidden]
    return (
        Field("heroes", "On the one side", "many", choose(people), default=heroes),
        Field("foes", "On the other side", "many", choose(people), default=foes),
    )


def _picked(answers: Answers, name: str) -> list[str]:
    value = answers.get(name)
    return [str(one) for one in value] if isinstance(value, list) else []


def _begin_check(table: Table, actor: Actor, answers: Answers) -> tuple[Problem, ...]:
    both = set(_picked(answers, "heroes")) & set(_picked(answers, "foes"))
    names = ", ".join(table.entities[one].name for one in sorted(both))
    return (Problem("foes", "", f"{names} cannot be on both sides."),) if both else ()


def _begin(
    game: Written, rule: str, table: Table, actor: Actor, answers: Answers, _: Any
) -> Result:
    sides = dict.fromkeys(_picked(answers, "heroes"), "heroes")
    sides |= dict.fromkeys(_picked(answers, "foes"), "foes")
    fight = {
        "round": 1,
        "phase": "order",
        "fighters": {
            who: {
                "side": side,
                "number": None,
                "acted": 0,
                "status": _OUT if is_out(game, table, table.entities[who]) else "waiting",
            }
            for who, side in sides.items()
        },
        "order": [],
        "turn": "",
    }
    names = [table.entities[who].name for who in sides if not table.entities[who].hidden]
    card = Card("A fight begins", f"In it: {', '.join(names)}.", rules=(rule,))
    return Result(card, (Change(("fight",), fight),))


def _order_question(
    game: Written, fighting: Fighting, table: Table, actor: Actor, answers: Answers
) -> Question | None:
    fight: Any = table.fight
    if fight is None:
        return None
    everyone, closed = [], []
    for who, one in fight["fighters"].items():
        entity = table.entities.get(who)
        if entity is None or not numbers_known(entity):
            return None
        if one["status"] == _OUT:
            continue
        numbers = numbers_of(game, table, entity)
        add = sum(formula.value(numbers) for formula in fighting.add)
        everyone.append((who, throw_of(fill(fighting.order, numbers), add, who)))
        if is_closed(entity) or entity.hidden:
            closed.append(who)
    return Question(order_of, (tuple(everyone),), (), str, tuple(closed))


def _ordered(
    game: Written,
    rule: str,
    table: Table,
    actor: Actor,
    answers: Answers,
    outcome: tuple[tuple[str, int], ...],
) -> Result:
    if table.fight is None:
        raise RuleRefuses("No fight is on.", rule)
    fight = deepcopy(dict(table.fight))
    fight["order"] = [who for who, _ in outcome]
    for who, number in outcome:
        fight["fighters"][who]["number"] = number
    fight["phase"] = "turns"
    _next_turn(fight)
    sides = tuple(
        Side(
            table.entities[who].name,
            who,
            _added(game, table, who),
            number,
            "",
            GM if table.entities[who].hidden or is_closed(table.entities[who]) else "all",
            unseen=table.entities[who].hidden,
        )
        for who, number in outcome
    )
    names = [table.entities[who].name for who, _ in outcome if not table.entities[who].hidden]
    card = Card("The order", f"First {', then '.join(names)}.", sides=sides, rules=(rule,))
    return Result(card, (Change(("fight",), fight),))


def _added(game: Written, table: Table, who: str) -> tuple[Part, ...]:
    """What is added to somebody's dice for the order, by name."""
    if game.fighting is None:
        return ()
    numbers = numbers_of(game, table, table.entities[who])
    found = (Part(part_name(game, one), one.value(numbers)) for one in game.fighting.add)
    return tuple(one for one in found if one.value)


def _end_turn(rule: str, table: Table, actor: Actor, answers: Answers, _: Any) -> Result:
    if table.fight is None:
        raise RuleRefuses("No fight is on.", rule)
    fight = deepcopy(dict(table.fight))
    fight["fighters"][actor.entity]["status"] = "done"
    _next_turn(fight)
    entity = table.entities[actor.entity]
    card = Card(
        f"{entity.name} has acted",
        rules=(rule,),
        entity=entity.id,
        audience=GM if entity.hidden else "all",
    )
    return Result(card, (Change(("fight",), fight),))


def _next_round(
    game: Written, rule: str, table: Table, actor: Actor, answers: Answers, _: Any
) -> Result:
    fighting = game.fighting
    if table.fight is None or fighting is None:
        raise RuleRefuses("No fight is on.", rule)
    fight = deepcopy(dict(table.fight))
    fight["round"] += 1
    for who, one in fight["fighters"].items():
        entity = table.entities.get(who)
        down = entity is None or is_out(game, table, entity)
        one.update(acted=0, status=_OUT if down else "waiting")
    if fighting.each_round or not fight["order"]:
        fight.update(phase="order", order=[], turn="")
    else:
        fight["phase"] = "turns"
        _next_turn(fight)
    card = Card(f"Round {fight['round']}", rules=(rule,))
    return Result(card, (Change(("fight",), fight),))


def _end(rule: str, table: Table, actor: Actor, answers: Answers, _: Any) -> Result:
    return Result(Card("The fight is over", rules=(rule,)), (Change(("fight",), None),))


# ---------------------------------------------------------------- how it is shown


def fight_view(game: Written, table: Table) -> FightView | None:
    """Round, order, who acts and who is down."""
    if table.fight is None:
        return None
    fight: Any = table.fight
    order = [who for who in fight["order"] if who in fight["fighters"]]
    rest = [who for who in fight["fighters"] if who not in order]
    rows = []
    for who in (*order, *rest):
        entity = table.entities.get(who)
        if entity is None:
            continue
        one = fight["fighters"][who]
        known = numbers_known(entity)
        words = (
            condition(game, table, entity) if known else str(entity.sheet.get("condition") or "")
        )
        scale = next((each for each in game.scales if each.out), None)
        rows.append(
            FightRow(
                who,
                entity.name,
                "not yet" if fight["phase"] == "order" else _number(one["number"]),
                words.capitalize() or {"done": "has acted"}.get(one["status"], ""),
                "bad" if words else "plain",
                acting=fight["turn"] == who,
                done=one["status"] == "done",
                out=one["status"] == _OUT,
                track=track_of(game, table, entity, scale) if scale and known else None,
            )
        )
    return FightView(fight["round"], tuple(rows), _sentence(table, fight))


def _number(number: Any) -> str:
    return "\N{EN DASH}" if number is None else str(number)


def _sentence(table: Table, fight: Mapping[str, Any]) -> str:
    if fight["phase"] == "order":
        return "The order of acting is thrown next."
    if fight["phase"] == "end":
        return "Everybody has had a turn."
    turn = fight["turn"]
    return f"{table.entities[turn].name} acts." if turn in table.entities else "The GM acts."


def conceal(table: Table, seat: Seat) -> Table:
    """For players: nothing of hidden people in the fight, and no numbers of closed ones."""
    if table.fight is None or seat.role == GM:
        return table
    fight = deepcopy(dict(table.fight))
    known = table.entities
    fight["fighters"] = {who: one for who, one in fight["fighters"].items() if who in known}
    for who, one in fight["fighters"].items():
        if is_closed(known[who]):
            one["number"] = None
    fight["order"] = [who for who in fight["order"] if who in known]
    fight["turn"] = fight["turn"] if fight["turn"] in known else ""
    return replace(table, fight=fight)
