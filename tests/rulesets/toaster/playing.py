"""Random players: random answers and dice, a fight to its end.

Whatever a card or a form asks is filled in at random by whoever it is put to. A refusal in a
sentence may come back, and is answered with the defaults; anything else is a fault.
"""

from random import Random
from typing import Any

from kitchentable.campaign import commands as c
from kitchentable.campaign.concealment import is_put_to
from kitchentable.dice import SeededSource, Source
from kitchentable.dice.errors import BadInput
from kitchentable.rules import (
    Ask,
    Field,
    Move,
    beaten,
)
from kitchentable.rules.forms import is_blank
from kitchentable.rulesets.toaster.harm.healing import purposes
from kitchentable.rulesets.toaster.harm.state import DEAD
from tests.rulesets.driver import GM, Evening, decided
from tests.rulesets.filling import Whims, filled, parts_that_wait
from tests.rulesets.toaster.people import person

WHIMS = Whims(words=("a word", "some more words"), largest=3, least=-99, many=0.7, tick=0.4)


class Players:
    """Everybody at one table, with one source of chance for what they say and one for the dice."""

    def __init__(self, one: Evening, seed: int) -> None:
        self.one = one
        self.rng = Random(seed)
        self.source: Source = SeededSource(seed)
        self.refused: list[str] = []

    # ------------------------------------------------------------ one step

    def send(self, seat: str, what: type[c.Command], **named: Any) -> bool:
        """Send a command; False where it is refused in a sentence."""
        try:
            decided(self.one, what(id="", seat=seat, **named), self.source)
        except BadInput as refusal:
            self.refused.append(str(refusal))
            return False
        keeps_the_rules(self.one)
        return True

    def seat_of(self, entity: str) -> str:
        owner = self.one.entity(entity).owner
        return GM if owner == "gm" else owner

    def answers(self, move: Move, seat: str, entity: str, ask: str = "", *, calm: bool) -> dict:
        """A form filled in: at random, or (`calm`) where it has no default."""
        return filled(
            self.one,
            move,
            seat,
            entity,
            ask,
            lambda field: self.value(field, calm=calm),
            lambda field: field.set_by == "actor" or (seat == GM and not move.converses),
        )

    def value(self, field: Field, *, calm: bool = False) -> Any:
        if calm and (not field.required or not is_blank(field, field.default)):
            return field.default
        return None if field.kind == "rows" else WHIMS.value(self.rng, field)

    # ------------------------------------------------------------ cards that wait

    def answer_all(self) -> None:
        """Every card that waits is answered, and what follows from that too.

        After some of them with the defaults alone: at random one roll calls for another for ever.
        """
        for count in range(60):
            waiting = list(self.one.table.asks.values())
            if not waiting:
                return
            self.answer(waiting[0], calmly=count >= 12)
        raise AssertionError(f"cards without an end: {list(self.one.table.asks)}")

    def answer(self, ask: Ask, *, calmly: bool = False) -> None:
        seat = next(s for s in self.one.table.seats.values() if is_put_to(self.one.table, ask, s))
        move = self.one.named(ask.move)
        for calm in (calmly, calmly, True, True, True):
            filled = self.answers(move, seat.id, ask.entity, ask.id, calm=calm)
            if ask.move == "still_fighting":
                filled["answer"] = "end" if self.is_decided() else "on"
            if self.send(seat.id, c.MakeMove, move=ask.move, ask=ask.id, answers=filled):
                return
        assert ask.skippable or seat.id == GM, f"{ask.move}: {self.refused[-3:]}"
        done = self.send(GM, c.SkipAsk, ask=ask.id)
        assert done, f"{ask.move} can neither be answered nor waved away: {self.refused[-4:]}"

    # ------------------------------------------------------------ moves and rolls

    def make(self, seat: str, name: str, entity: str = "", **answers: Any) -> bool:
        """A move that is made at once; True if it was."""
        move = self.one.named(name)
        if move.when(self.one.table, self.one.actor(seat, entity)) is not None:
            return False
        for calm in (False, True):
            filled = {**self.answers(move, seat, entity, calm=calm), **answers}
            if self.send(seat, c.MakeMove, move=name, entity=entity, answers=filled):
                return True
        return False

    def roll(self, name: str, entity: str, **answers: Any) -> bool:
        """A conversation from the proposal to the throw; True if the dice fell."""
        seat, move = self.seat_of(entity), self.one.named(name)
        reason = move.when(self.one.table, self.one.actor(seat, entity))
        if reason is not None:
            self.refused.append(reason)
            return False
        for calm in (False, True):
            filled = {**self.answers(move, seat, entity, calm=calm), **answers}
            if self._rolled(seat, name, entity, filled, calm=calm):
                return True
        return False

    def _rolled(self, seat: str, name: str, entity: str, filled: dict, *, calm: bool) -> bool:
        if not self.send(seat, c.Propose, move=name, entity=entity, answers=filled):
            return False
        ident = next(reversed(self.one.campaign.tree["proposals"]))
        for party, theirs in parts_that_wait(self.one, ident):
            said = {field.name: self.value(field, calm=calm) for field in theirs}
            said = {key: value for key, value in said.items() if value is not None}
            if not self.send(party, c.Settle, proposal=ident, answers=said):
                self.send(party, c.Settle, proposal=ident, answers={})
        if self.send(seat, c.Throw, proposal=ident):
            return True
        self.send(seat, c.Withdraw, proposal=ident)
        return False

    # ------------------------------------------------------------ a fight

    def is_decided(self) -> bool:
        """Whether the fight has an end: it is over, or one side has nobody left who stands."""
        return self.one.table.fight is None or bool(beaten(self.one.table.fight))

    def fight(self, rounds: int) -> bool:
        """A fight of everybody against everybody's foes; False if it lasted longer."""
        people = [
            entity for entity in self.one.table.in_play() if person(entity).condition == "awake"
        ]
        heroes = [one.id for one in people if one.is_players]
        foes = [one.id for one in people if not one.is_players]
        names = {"heroes_name": "heroes", "foes_name": "foes"}
        began = self.make(GM, "fight", heroes=heroes, foes=foes, **names)
        assert began, self.refused[-2:]
        for _ in range(rounds):
            fighters = self.one.table.fight["fighters"]
            waiting = [who for who, one in fighters.items() if one["status"] == "to roll"]
            self.make(GM, "initiative_all", who=waiting)
            self.answer_all()
            self.take_turns()
            if self.is_decided():
                break
            if self.one.table.fight["phase"] != "initiative":
                self.make(GM, "next_round")
                self.answer_all()
        decided = self.is_decided()
        ended = self.one.table.fight is None or self.make(GM, "end_fight")
        assert ended, self.refused[-2:]
        self.answer_all()
        return decided

    def aftermath(self) -> None:
        """First aid for the hurt, some rounds, ten minutes, and two weeks of rest."""
        everybody = [one.id for one in self.one.table.in_play()]
        for patient in everybody:
            for healer in everybody:
                if purposes(person(self.one.entity(patient), self.one.table)):
                    self.roll("medical", healer, patient=patient)
                    self.answer_all()
        self.make(GM, "rounds", rounds=3)
        self.answer_all()
        self.make(GM, "rest")
        self.make(GM, "days", days=14)
        self.answer_all()

    def take_turns(self) -> None:
        for _ in range(40):
            fight = self.one.table.fight
            if fight is None or fight["phase"] != "turns" or beaten(fight):
                return
            who = fight["turn"]
            foe = self.foe_of(who)
            attacked = foe is not None and self.roll("attack", who, target=foe)
            if not attacked and self.one.table.fight == fight:
                self.make(GM, "wait", who)
            self.answer_all()
        raise AssertionError("a round without an end")

    def foe_of(self, who: str) -> str | None:
        fighters = self.one.table.fight["fighters"]
        others = [
            other
            for other, place in fighters.items()
            if place["side"] != fighters[who]["side"] and place["status"] not in {"out", "left"}
        ]
        return self.rng.choice(others) if others else None


def keeps_the_rules(one: Evening) -> None:
    """Invariants of every state."""
    for entity in one.table.in_play():
        assert person(entity).stun >= 0
        assert all(row["n"] > 0 for row in entity.state.get("wounds") or [])
        assert (entity.state.get("luck") or 0) >= 0
        if person(entity).condition == "mortal" and not entity.state.get("mortality"):
            waits = {ask.move for ask in one.asks(entity=entity.id)}
            assert waits & {"mortality", "mortality_luck"}, "a check is due and nobody is asked"
        if person(entity).condition == "awake":
            assert person(entity).wounds < 5
        fight = one.table.fight
        if fight and person(entity).condition == DEAD and entity.id in fight["fighters"]:
            assert fight["fighters"][entity.id]["status"] in {"out", "left"}
    if one.table.fight and one.table.fight["turn"]:
        assert person(one.entity(one.table.fight["turn"])).condition in {"awake", "mortal"}
