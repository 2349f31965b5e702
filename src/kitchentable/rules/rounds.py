"""Fights in rounds: what such a fight puts before the GM, whatever the game's dice and turns are.

A game keeps its fight as plain facts of its own. What is read here of them: "round", a number;
"phase", of which "ties" means that equals wait for the GM and "end" that everybody had their turn;
"fighters", by entity, each with a "side" and a "status" that is "out" or "left" for who is gone.
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

#: The ids of the two cards a fight puts before the GM; there is never more than one of each.
TIE_ASK = "initiative-tie"
END_ASK = "still-fighting"

Step = Callable[[Table, Actor, Answers, Any], Result]


# ---------------------------------------------------------------- the beginning


def side_fields(able: Sequence[Entity], rule: str = "", help: str = "") -> tuple[Field, ...]:
    """Who fights on which side: at first the players' people against all others in sight."""
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
    """Nobody fights on both sides, and the two are told apart by their names."""
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
    """Entity -> the name of its side, as they were picked."""
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
    """What changed in a fight, and the cards that its new state puts before the GM.

    `tied` names those of equal place whose order nobody has settled yet. `equals` asks for it, its
    text told of their names; `still` asks whether people fight on, when a side has nobody left or
    everybody had their turn, and its text is what is said then.
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
    """The card of those of equal place; before its text come their names."""
    return Ask(TIE_ASK, (GM,), "initiative_tie", title, text, rules=(rule,))


def ask_who_fights_on(everybody: str, *rules: str) -> Ask:
    """The card on which the GM says whether it goes on; `everybody` tells that all had a turn."""
    return Ask(END_ASK, (GM,), "still_fighting", "", everybody, rules=rules, skippable=True)


# ---------------------------------------------------------------- equals


def tied_of(table: Table, actor: Actor) -> tuple[Entity, ...]:
    """Those whom a card of equal places is about, as far as they are still there."""
    ask = table.asks.get(actor.ask)
    named: Any = ask.preset.get("tied") if ask is not None else None
    return tuple(table.entities[who] for who in named or () if who in table.entities)


def order_fields(
    people: Sequence[Entity], answers: Answers, rule: str, dice: Choice
) -> tuple[Field, ...]:
    """Dice among equals, as `dice` names them, or the GM's own order of them."""
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
    """The GM's order of them; who was not named comes last."""
    said = [str(answers.get(f"place.{n}")) for n in range(1, len(people))]
    return [*said, *(one.id for one in people if one.id not in said)]


def order_problems(people: Sequence[Entity], answers: Answers, rule: str) -> tuple[Problem, ...]:
    """Everybody stands in one place of the GM's order."""
    if answers.get("ruling") != "hand":
        return ()
    if sorted(by_hand(people, answers)) == sorted(one.id for one in people):
        return ()
    return (Problem("place.1", rule, "Everybody has one place in the order."),)


def order_settled(
    table: Table, order: Sequence[str], how: str, title: str, rule: str, *, thrown: bool
) -> Card:
    """The card of an order that was settled, with the names of those whom everybody sees.

    Where dice settled it (`thrown`, labelled by whom they fell for) each of them is a side, so that
    a die is told by the name of the one it fell for; who is hidden is there for the GM alone.
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


# ---------------------------------------------------------------- round after round


def when_fighting(table: Table, actor: Actor) -> str | None:
    """A fight is on; else why not."""
    return None if table.fight is not None else "No fight is on."


def cards_of_the_fight(table: Table) -> tuple[str, ...]:
    """The fight's cards that wait for the GM."""
    return tuple(ask for ask in (TIE_ASK, END_ASK) if ask in table.asks)


def closing_moves(
    goes_on: Step, ends: Step, end: str, repeat: Sequence[str], on: str, off: str
) -> tuple[Move, Move, Move]:
    """The moves "Still fighting?", "Next round" and "End the fight".

    `goes_on` and `ends` do it. `end` is the rule of a fight's end, `repeat` those of a further
    round; `on` and `off` say to the GM what each of the last two moves does.
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
