"""Flubs and kicks: the card that asks what remarkable thing happens, and its answer."""

from __future__ import annotations

from dataclasses import replace
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
    Table,
    asked,
    fresh,
    listed,
)
from kitchentable.rulesets.toast.mechanics import Announced, Special

_TEXTS = {
    "flub": "Something remarkable goes with this flub. It fails all the same; mostly it hurts, now "
    "and then it is luck in disguise.",
    "kick": "Something remarkable goes with this kick. It succeeds all the same; mostly the news "
    "is good, sometimes it has a sting.",
    "two": "Two of a kind: a tie, and something remarkable happens besides.",
    "spectacle": "A flub against a kick: something spectacular happens.",
    "initiative-flub": "What keeps {name} from acting this round?",
    "initiative-kick": "What makes {name} so quick?",
}
_RULES = {
    "flub": ("toast.5-flub-event", "toast.5-flub-colour"),
    "kick": ("toast.5-kick-event", "toast.5-kick-colour"),
    "two": ("toast.5.2-contest-events", "toast.5.2-double-flub", "toast.5.2-double-kick"),
    "spectacle": ("toast.5.2-flub-vs-kick",),
    "initiative-flub": ("toast.7.1-init-flub-note",),
    "initiative-kick": ("toast.7.1-init-kick-note",),
}
_GOOD = {"kick", "spectacle", "initiative-kick"}


def twist_ask(table: Table, occasion: str, *who: Entity, index: int = 0) -> Ask:
    """The card that waits for a story: the GM tells it, players suggest; it can be skipped.

    `occasion` is one of "flub", "kick", "two", "spectacle", "initiative-flub", "initiative-kick".
    While one of those it is about is hidden, it is the GM's alone.
    """
    about = table.number + 1
    name = listed([one.name for one in who])
    return Ask(
        fresh(table, "twist", index),
        (GM,) if any(one.hidden for one in who) else (GM, "players"),
        "twist",
        f"{name}: {_word(occasion)}",
        _TEXTS[occasion].format(name=name),
        preset={"occasion": occasion, "name": name, "about": about, "round": _round(table)},
        secret=("about",),
        rules=(*_RULES[occasion], "toast.5-splashy"),
        skippable=True,
        # What is told is told of somebody; where one of two is hidden, of that one, to the GM.
        entity=next((one for one in who if one.hidden), who[0]).id,
    )


def of_a_pair(first: Announced, second: Announced) -> str:
    """The occasion that two throws make together, "" for two plain numbers.

    >>> flub, kick = Special.FLUB, Special.KICK
    >>> of_a_pair(kick, flub), of_a_pair(flub, flub), of_a_pair(9, kick), of_a_pair(9, 8)
    ('spectacle', 'two', 'kick', '')
    """
    specials = [one for one in (first, second) if isinstance(one, Special)]
    if len(specials) == 2:
        return "two" if specials[0] is specials[1] else "spectacle"
    return specials[0].value if specials else ""


def twists_of_a_pair(
    table: Table, sides: tuple[Entity, Entity], thrown: tuple[Announced, Announced]
) -> tuple[Ask, ...]:
    """The card for a contest or an attack: one, however many specials fell."""
    occasion = of_a_pair(*thrown)
    if not occasion:
        return ()
    if occasion in {"flub", "kick"}:
        return (twist_ask(table, occasion, sides[isinstance(thrown[0], int)]),)
    return (twist_ask(table, occasion, *sides),)


def _word(occasion: str) -> str:
    return {
        "two": "two of a kind",
        "spectacle": "a flub against a kick",
        "initiative-flub": "a flub on Initiative",
        "initiative-kick": "a kick on Initiative",
    }.get(occasion, f"a {occasion}")


def _round(table: Table) -> int:
    return int(str(table.fight["round"])) if table.fight else 0


def _fields(table: Table, actor: Actor, answers: Answers) -> tuple[Field, ...]:
    told = asked(table, actor, answers)
    rule = _RULES[str(told.get("occasion") or "flub")][0]
    if not actor.is_gm:
        return (Field("text", "What might happen", "story", rule=rule),)
    ask = table.asks.get(actor.ask)
    ideas: Any = ask.votes if ask else {}
    heard = "; ".join(f"{_name(table, seat)}: {said['text']}" for seat, said in ideas.items())
    words = f"Suggested: {heard}" if heard else ""
    story = Field("text", "What happens", "story", help=words, rule=rule)
    if str(told.get("occasion")).startswith("initiative-"):
        return (story,)
    return (
        story,
        Field(
            "mood",
            "Is it good or bad?",
            "choice",
            (Choice("good", "good"), Choice("bad", "bad"), Choice("mixed", "mixed")),
            default="good" if told.get("occasion") in _GOOD else "bad",
            help="It changes nothing about the result.",
            rule="toast.5-kick-colour" if told.get("occasion") == "kick" else "toast.5-flub-colour",
        ),
    )


def _name(table: Table, seat: str) -> str:
    return table.seats[seat].name if seat in table.seats else "Somebody"


def _tell(table: Table, actor: Actor, answers: Answers, outcome: Any) -> Result:
    told = asked(table, actor, answers)
    occasion, name, text = str(told["occasion"]), str(told["name"]), str(told["text"])
    ask = table.asks[actor.ask]
    if not actor.is_gm:
        card = Card(f"{name}: {_word(occasion)}", f"{_name(table, actor.seat)} suggests: {text}")
        return Result(card, asks=(replace(ask, votes={**ask.votes, actor.seat: {"text": text}}),))
    card = Card(
        f"{name}: {_word(occasion)}",
        text,
        outcome=occasion.removeprefix("initiative-"),
        tone="splendid",
        lines=(Line(f"Mood: {told['mood']}. The result stands as it fell."),)
        if told.get("mood")
        else (),
        rules=_RULES[occasion],
        entity=ask.entity,
        about=int(str(told.get("about") or 0)),
    )
    return Result(card, _kept_with_the_round(table, ask, text), closes=(ask.id,))


def _kept_with_the_round(table: Table, ask: Ask, text: str) -> tuple[Change, ...]:
    """Why somebody was idle or quick is a note of that round (toast.7.1-init-flub-note)."""
    if not str(ask.preset["occasion"]).startswith("initiative-") or not table.fight:
        return ()
    where = ("fight", "notes", str(ask.preset["round"]), ask.entity)
    return (Change(where, text),)


TWIST = Move(
    "twist",
    "What happens?",
    "Tell what a flub or a kick brings; players can suggest.",
    ("toast.5-flub-event", "toast.5-kick-event", "toast.5.2-contest-events", "toast.5-splashy"),
    _tell,
    by=(),
    fields=_fields,
    for_entity=False,
)

__all__ = ["TWIST", "of_a_pair", "twist_ask", "twists_of_a_pair"]
