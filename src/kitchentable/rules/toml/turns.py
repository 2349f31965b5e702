"""Fights of a game in a file: the rounds of the kit, with one throw for the whole order.

The facts are JSON: {"round", "phase", "fighters": {entity: {"side", "number", "acted", "status"}},
"order": [...], "turn"}. Phases: "order" (the dice have yet to be thrown), "turns", "end" (everybody
had a turn). A fighter's status: "waiting", "done", "out", "left" (no longer in play).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from kitchentable.dice import NotationError
from kitchentable.rules import kit
from kitchentable.rules.errors import Unknown
from kitchentable.rules.kit.at import AnyAt
from kitchentable.rules.kit.fights import BothSides, able, begin, next_round
from kitchentable.rules.kit.moves import AnyRules, Declared, paused_name
from kitchentable.rules.kit.rounds import Rounds
from kitchentable.rules.kit.turns import fighting, peace
from kitchentable.rules.moves import Side
from kitchentable.rules.people import quoted
from kitchentable.rules.sheets import Track
from kitchentable.rules.table import Ask
from kitchentable.rules.toml.dicework import Throw, order_of
from kitchentable.rules.toml.form import Fighting, Written
from kitchentable.rules.toml.people import Body, game_of
from kitchentable.rules.toml.rollform import Roll
from kitchentable.rules.values import Row

_ORDER: kit.Roll[..., Any] = kit.Roll(order_of)


class Turns(Rounds[Body]):
    """The current fight of a game in a file with [fight]."""

    way: ClassVar[Fighting]

    @classmethod
    def able(cls, at: AnyAt) -> list[Body]:
        """Everybody in play."""
        return at.in_play()

    @classmethod
    def blank(cls) -> Row:
        """The facts of a fight without fighters."""
        return {"round": 1, "phase": "order", "fighters": {}, "order": [], "turn": ""}

    def fighter(self, side: str, status: str = "waiting") -> Row:
        """The facts of a new fighter."""
        return {"side": side, "number": None, "acted": 0, "status": status}

    def begins(self, names: Sequence[str]) -> str:
        """The sentence for the beginning of a fight."""
        return f"In it: {', '.join(names)}."

    def words(self) -> str:
        """No sentence for a new round."""
        return ""

    def begun(self) -> None:
        """Give a turn to everybody who can still act."""
        for mine in self.fighters.values():
            mine.update(acted=0, status="waiting")
        self._take_out()

    def _take_out(self) -> None:
        """Take fighters out who can no longer act."""
        for who, mine in self.fighters.items():
            one = self.at.find(who)
            if one is None or not one.can_act:
                mine["status"] = "out"

    def go_on(self) -> None:
        """Give the turn to the first waiting fighter who can still act."""
        if self.phase == "turns":
            self._take_out()
            super().go_on()

    def acted(self, one: Body, *, in_turn: bool) -> None:
        """Use up an action if it was `in_turn`, and pass the turn after the last one."""
        mine = self.place(one)
        if mine is not None and in_turn:
            mine["acted"] += 1
            if mine["acted"] >= self.way.actions and mine["status"] == "waiting":
                mine["status"] = "done"
        self.go_on()

    def ordered(self, outcome: Sequence[tuple[str, int]]) -> None:
        """Record the turn order."""
        for who, number in outcome:
            self.fighters[who]["number"] = number
        self.facts.update(order=[who for who, _ in outcome], phase="turns")
        self.go_on()

    def next_round(self) -> None:
        """Begin the next round, with the old order or before a new throw."""
        self.round += 1
        self.begun()
        if self.way.each_round or not self.order:
            self.facts.update(phase="order", order=[], turn="")
        else:
            self.phase = "turns"
            self.go_on()

    def asks(self) -> tuple[Ask, ...]:
        """No cards: equals act in the listed order, and the GM ends a fight."""
        return ()

    def side(self, one: Body, number: int) -> Side:
        """A fighter's throw for the turn order, on its card."""
        parts = one.game.summands(self.way.add, one.numbers())
        return one.side(one.id, parts, number)

    # ------------------------------------------------------------ view

    @property
    def waits(self) -> str:
        """The sentence shown until the turn order is thrown, then ""."""
        return "The turn order is rolled next." if self.phase == "order" else ""

    def shown(self, one: Body) -> str:
        """The number next to a fighter."""
        return "not yet" if self.phase == "order" else super().shown(one)

    def status(self, one: Body) -> tuple[str, str]:
        """The condition of a fighter, in words and a tone."""
        words = one.condition
        return words.capitalize(), "bad" if words else "plain"

    def track(self, one: Body) -> Track | None:
        """The first track that puts a fighter out."""
        scale = next((each for each in one.scales if each.out), None)
        return one.track(scale) if scale and one.is_known else None


def _foes(at: AnyAt) -> list[str]:
    """The GM's visible entities that can be targets of a fight's roll."""
    rolls = [one for one in game_of(at).rolls if one.fight]
    gms = (one for one in able(at) if not one.is_players and not one.hidden)
    return [one.id for one in gms if not rolls or any(_goes_at(roll, one) for roll in rolls)]


def _goes_at(roll: Roll, one: Body) -> bool:
    """Whether a roll can have an entity as its target; without targets, whether it can mark it."""
    marks = {key for band in roll.bands for key in band.others_marks}
    marked = not marks or any(scale.key in marks for scale in one.scales)
    return roll.goes_at(one.entity.kind) and bool(roll.targets or marked)


class SidesOfFile(BothSides):
    """The two sides of a fight, by default without entities that no roll of a fight can target."""

    heroes = BothSides.heroes
    foes = BothSides.foes.having(default=_foes)


def may_act(at: AnyAt) -> str | None:
    """None, or the reason why the actor cannot act in the current fight."""
    fight = at.fight
    if fight is None:
        return None
    if at.actor.entity not in fight.fighters:
        return "They are not in this fight."
    if fight.phase == "order":
        return "The turn order has not been rolled yet."
    if fight.turn != at.actor.entity:
        return "It is not their turn."
    return _unanswered(at, at.actor.entity)


def _unanswered(at: AnyAt, *people: str) -> str | None:
    """None, or a sentence about a roll of these fighters that may still be thrown again."""
    rolls = [one.key for one in game_of(at).rolls if one.fight and one.again is not None]
    cards = (ask for who in people for ask in at.cards(*map(paused_name, rolls), of=who))
    ask = next(cards, None)
    return None if ask is None else f"Answer the card {quoted(ask.title)} first."


def _throws(at: AnyAt) -> dict[Body, Throw]:
    """The throws of all fighters who can act. Errors: Unknown, NotationError."""
    if at.fight is None:
        raise Unknown("No fight is on.")
    up = (one for one in at.people(at.fight.fighters) if one.can_act)
    return {one: at.fight.way.throw(one.numbers(), one.id) for one in up}


def _may_order(at: AnyAt) -> str | None:
    if at.fight.phase != "order":
        return "The turn order is already settled."
    try:
        _throws(at)
    except NotationError:
        dice = at.fight.way.order
        return f"At least one fighter has no dice to throw for the turn order: {dice}."
    return None


def _order(at: AnyAt) -> None:
    hands = _throws(at)
    at.fight.begun()
    people = {one.id: one for one in hands}
    outcome = at.roll(_ORDER(tuple((one.id, hand) for one, hand in hands.items())), people)
    at.fight.ordered(outcome)
    at.sides = [at.fight.side(people[who], number) for who, number in outcome]
    names = ", then ".join(one.name for who, _ in outcome if not (one := people[who]).hidden)
    at.tell("The order", f"First {names}.", rules=at.fight.cite("order"), of=())


def _end_turn(at: AnyAt) -> None:
    at.place["status"] = "done"
    at.fight.go_on()
    at.tell(f"{at.me.name} has acted", rules=at.fight.cite("order"))


def _may_go_on(at: AnyAt) -> str | None:
    return _unanswered(at, *at.fight.fighters)


def _end(at: AnyAt) -> None:
    at.end_fight()
    at.tell("The fight is over", rules=at.rules.rounds.cite("order"), of=())


def turn_moves(game: Written, rules: AnyRules) -> tuple[Declared, ...]:
    """The moves of a fight, if the file has a [fight]."""
    way = game.fighting
    if way is None:
        return ()
    cites = dict.fromkeys(("begin", "order", "again"), way.rule)
    rules.rounds = type("TurnsOfFile", (Turns,), {"way": way, "RULES": cites})
    move = partial(rules.move, rules=(way.rule,))
    return (
        move("fight", form=SidesOfFile, when=peace)(begin),
        move("order", when=(fighting, _may_order), rolls=True)(_order),
        move("end_turn", when=(fighting, may_act))(_end_turn),
        move("next_round", when=(fighting, _may_go_on))(next_round),
        move("end_fight", when=fighting)(_end),
    )
