"""Fights in rounds: the cards and moves for the GM, for any dice and turn rules.

A game keeps its fight as plain facts of its own. This module reads only: "round", a number;
"phase", where "ties" means that equals wait for the GM and "end" that everybody had their turn;
"fighters", by entity, each with a "side" and a "status", which is "out" or "left" for fighters who
are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kitchentable.rules.facts import beaten, differences, ids
from kitchentable.rules.moves import Card, Change, Move, Result, Side
from kitchentable.rules.people import choose, listed, number_audience
from kitchentable.rules.table import Actor, Ask, Entity, Table
from kitchentable.rules.values import GM, Answers, Choice, Field, Json, Problem

#: The ids of the two cards of a fight for the GM; there is at most one of each.
TIE_ASK = "initiative-tie"
END_ASK = "still-fighting"

Step = Callable[[Table, Actor, Answers, Any], Result]


# ---------------------------------------------------------------- start of a fight


def side_fields(able: Sequence[Entity], rule: str = "", help: str = "") -> tuple[Field, ...]:
    """The fields for the two sides: by default the players' entities against all visible others."""
    heroes: Json = [one.id for one in able if one.is_players]
    foes: Json = [one.id for one in able if not one.is_players and not one.hidden]
    choices = choose(able)
    return (
        Field("heroes", "On the one side", "many", choices, heroes, help=help, rule=rule),
        Field("heroes_name", "What the one side is called", default="heroes", longest=40),
        Field("foes", "On the other side", "many", choices, foes, rule=rule),
        Field("foes_name", "What the other side is called", default="foes", longest=40),
    )


def side_problems(table: Table, answers: Answers, rule: str) -> tuple[Problem, ...]:
    """Check that nobody is on both sides, and that the sides have different names."""
    found = []
    both = set(ids(answers, "heroes")) & set(ids(answers, "foes"))
    if both:
        names = listed([table.entities[one].name for one in sorted(both)])
        found.append(Problem("foes", rule, f"{names} cannot be on both sides."))
    one, other = str(answers.get("heroes_name")), str(answers.get("foes_name"))
    if one.casefold() == other.casefold():
        words = f"Both sides are called {one}: nobody could tell who is against whom."
        found.append(Problem("foes_name", rule, words))
    return tuple(found)


def sides_of(answers: Answers) -> dict[str, str]:
    """The name of the side of each picked entity."""
    sides = {one: str(answers["heroes_name"]) for one in ids(answers, "heroes")}
    return sides | {one: str(answers["foes_name"]) for one in ids(answers, "foes")}


# ---------------------------------------------------------------- after each step


def put_before_gm(
    table: Table,
    fight: Mapping[str, Any] | None,
    tied: Callable[[Mapping[str, Any]], tuple[str, ...]],
    equals: Ask,
    still: Ask,
) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """The changes of a fight, and the cards for the GM that its new state needs.

    `tied` gives the fighters with equal places and no settled order. `equals` is the card that asks
    for their order; its text follows their names. `still` is the card that asks whether the fight
    goes on, when a side has nobody left or everybody had their turn; its text is shown in the
    second case.
    """
    if fight is None or table.fight is None:
        return (), ()
    before = table.fight
    asks: list[Ask] = []
    group = tied(fight) if fight["phase"] == "ties" else ()
    if group and (before["phase"] != "ties" or group != tied(before)):
        names = listed(table.entities[who].name for who in group if who in table.entities)
        asks.append(replace(equals, text=f"{names} {equals.text}", preset={"tied": list(group)}))
    over = fight["phase"] == "end" and before["phase"] != "end"
    if over or beaten(fight) != beaten(before):
        words = [f"Nobody of the {side} is left standing." for side in beaten(fight)]
        words.append(still.text if over else "The fight could end here.")
        title = f"Round {fight['round']}: still fighting?"
        asks.append(replace(still, title=title, text=" ".join(words)))
    return differences(("fight",), before, fight), tuple(asks)


def ask_for_order(title: str, text: str, rule: str) -> Ask:
    """The card that asks for the order of equals; their names come before its text."""
    return Ask(TIE_ASK, (GM,), "initiative_tie", title, text, rules=(rule,))


def ask_who_fights_on(everybody: str, *rules: str) -> Ask:
    """The card that asks the GM whether the fight goes on; `everybody` is its text at the end."""
    return Ask(END_ASK, (GM,), "still_fighting", "", everybody, rules=rules, skippable=True)


# ---------------------------------------------------------------- equal places


def tied_of(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """The entities named by a card about equal places, as far as they still exist."""
    ask = table.asks.get(actor.ask)
    named: Any = ask.preset.get("tied") if ask is not None else None
    return tuple(table.entities[who] for who in named or () if who in table.entities)


def order_fields(
    people: Sequence[Entity], answers: Answers, rule: str, dice: Choice
) -> tuple[Field, ...]:
    """The fields for the order of equals: by dice, as in the choice `dice`, or by the GM."""
    ruling = Field(
        "ruling",
        "How is it settled?",
        "choice",
        (dice, Choice("hand", "I say who goes first")),
        default=dice.value,
        rule=rule,
    )
    if answers.get("ruling") != "hand":
        return (ruling,)
    places = range(1, len(people))
    return (
        ruling,
        *(
            Field(f"place.{n}", f"Acts as number {n} of them", "entity", choose(people))
            for n in places
        ),
    )


def by_hand(people: Sequence[Entity], answers: Answers) -> list[str]:
    """The order that the GM gave; entities left out come last."""
    said = [str(answers.get(f"place.{n}")) for n in range(1, len(people))]
    return [*said, *(one.id for one in people if one.id not in said)]


def order_problems(people: Sequence[Entity], answers: Answers, rule: str) -> tuple[Problem, ...]:
    """Check that everybody has one place in the GM's order."""
    if answers.get("ruling") != "hand":
        return ()
    if sorted(by_hand(people, answers)) == sorted(one.id for one in people):
        return ()
    return (Problem("place.1", rule, "Everybody has one place in the order."),)


def order_settled(
    table: Table, order: Sequence[str], how: str, title: str, rule: str, *, thrown: bool
) -> Card:
    """The card of a settled order, with the names of all visible entities.

    If dice settled it (`thrown`, with labels by entity), each entity is a side, so that its die is
    shown under its name; only the GM sees the sides of hidden entities.
    """
    people = [table.entities[who] for who in order]
    names = [one.name for one in people if not one.hidden]
    sides = tuple(
        Side(
            one.name,
            one.id,
            audience=GM if one.hidden else number_audience(one),
            unseen=one.hidden,
        )
        for one in people
    )
    said = f"{how}: first {', then '.join(names)}." if names else f"{how}."
    return Card(title, said, sides=sides if thrown else (), rules=(rule,))


# ---------------------------------------------------------------- rounds and the end


def when_fighting(table: Table, actor: Actor) -> str | None:
    """None during a fight; otherwise the reason why not."""
    return None if table.fight is not None else "No fight is on."


def cards_of_the_fight(table: Table) -> tuple[str, ...]:
    """The ids of the fight's cards that wait for the GM."""
    return tuple(ask for ask in (TIE_ASK, END_ASK) if ask in table.asks)


def closing_moves(
    goes_on: Step, ends: Step, end: str, repeat: Sequence[str], on: str, off: str
) -> tuple[Move, Move, Move]:
    """The moves "Still fighting?", "Next round" and "End the fight".

    `goes_on` and `ends` are their steps. `end` is the rule for the end of a fight, `repeat` are the
    rules for a further round; `on` and `off` explain the last two moves to the GM.
    """
    why = Field("why", "How it ends", required=False, default="", longest=400)
    answer = Field(
        "answer",
        "Still fighting?",
        "choice",
        (Choice("on", "The fight goes on"), Choice("end", "It is over")),
        default="on",
        rule=end,
    )

    def still(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
        if answers["answer"] == "end":
            return ends(table, actor, answers, outcome)
        if table.fight is not None and table.fight["phase"] != "end":
            card = Card("The fight", "The fight goes on.", rules=(end,))
            return Result(card, closes=(END_ASK,) if END_ASK in table.asks else ())
        return goes_on(table, actor, answers, outcome)

    return (
        Move(
            "still_fighting",
            "Still fighting?",
            "Another round, or the end.",
            tuple(dict.fromkeys((end, *repeat))),
            still,
            by=(),
            fields=lambda table, actor, answers: (answer, why),
            for_entity=False,
        ),
        Move(
            "next_round",
            "Next round",
            on,
            tuple(repeat),
            goes_on,
            by=(GM,),
            place="fight",
            when=when_fighting,
            for_entity=False,
        ),
        Move(
            "end_fight",
            "End the fight",
            off,
            (end,),
            ends,
            by=(GM,),
            place="fight",
            when=when_fighting,
            fields=lambda table, actor, answers: (why,),
            for_entity=False,
        ),
    )
