"""A whole table in a test: seats, commands, loaded dice, log."""

from dataclasses import dataclass
from typing import Any

import msgspec

from kitchentable.campaign import commands as c
from kitchentable.campaign.decide import decide
from kitchentable.campaign.dice_source import DiceSource
from kitchentable.campaign.events import Event
from kitchentable.campaign.proposals import read_proposal, waits_on, whose
from kitchentable.campaign.state import Campaign, evolve
from kitchentable.dice import LoadedDice, RollingDice, Source
from kitchentable.rules import Actor, Ask, Entity, Game, Move, Table

GM = "gm-seat"


@dataclass
class Evening:
    """One campaign that a test plays. Players' seats have their names in small letters."""

    game: Game
    campaign: Campaign

    @property
    def table(self) -> Table:
        return self.campaign.table

    @property
    def last(self) -> Event:
        return self.campaign.events[-1]

    @property
    def card(self) -> dict[str, Any]:
        """The card of the last step that had one."""
        return next(e.data["card"] for e in reversed(self.campaign.events) if e.data.get("card"))

    def entity(self, ident: str) -> Entity:
        return self.table.entities[ident]

    def ask(self, move: str, entity: str = "") -> Ask:
        """The one card that waits for this move."""
        found = self.asks(move, entity)
        assert len(found) == 1, f"{len(found)} cards wait for {move}"
        return found[0]

    def asks(self, move: str = "", entity: str = "") -> list[Ask]:
        return [
            one
            for one in self.table.asks.values()
            if move in {"", one.move} and entity in {"", one.entity}
        ]

    def do(self, seat: str, what: type[c.Command], faces: tuple = (), /, **named: Any) -> Event:
        """Send a command with these faces for its dice; left-over faces are an error."""
        number = self.campaign.number + 1
        command = what(id=f"c{number}", seat=seat, **named)
        dice = LoadedDice(faces)
        events = decide(self.campaign, self.game, command, DiceSource(dice, number, 0), "then")
        dice.finish()
        for event in events:
            self.campaign = evolve(self.campaign, event)
        return events[-1]

    def move(
        self, seat: str, name: str, entity: str = "", faces: tuple = (), /, **answers
    ) -> Event:
        """A move that is made at once."""
        return self.do(seat, c.MakeMove, faces, move=name, entity=entity, answers=dotted(answers))

    def answer(self, seat: str, ask: Ask, faces: tuple = (), /, **answers: Any) -> Event:
        """The answer to a card that waits."""
        return self.do(seat, c.MakeMove, faces, move=ask.move, ask=ask.id, answers=dotted(answers))

    def propose(self, seat: str, name: str, entity: str, /, **answers: Any) -> str:
        """Begin the conversation of a roll; its id."""
        self.do(seat, c.Propose, move=name, entity=entity, answers=dotted(answers))
        return next(reversed(self.campaign.tree["proposals"]))

    def roll(
        self,
        seat: str,
        name: str,
        entity: str,
        faces: tuple,
        *,
        gm: dict | None = None,
        theirs: dict | None = None,
        hidden: tuple = (),
        shown: tuple = (),
        **answers: Any,
    ) -> dict[str, Any]:
        """A whole conversation: proposed, settled by whoever has a part in it, thrown; the card."""
        roll = self.propose(seat, name, entity, **answers)
        for _ in range(6):
            talk = read_proposal(self.game, roll, self.campaign.tree["proposals"][roll])
            waiting = waits_on(talk, self.table, self.campaign.settings)
            if not waiting:
                break
            who = whose(talk, self.table, waiting[0])
            if who == "gm":
                both = {**(gm or {}), **(theirs or {})} if _is_gms(self, talk) else gm or {}
                self.do(
                    GM,
                    c.Settle,
                    proposal=roll,
                    answers=dotted(both),
                    hidden=hidden,
                    shown=shown,
                )
            else:
                self.do(who, c.Settle, proposal=roll, answers=dotted(theirs or {}))
        self.do(seat, c.Throw, faces, proposal=roll)
        return self.card

    def why_not(self, seat: str, name: str, entity: str = "") -> str | None:
        """Why a move cannot be made now, as its `when` says."""
        return self.named(name).when(self.table, self.actor(seat, entity))

    def named(self, name: str) -> Move:
        return self.game.move(name)

    def actor(self, seat: str, entity: str = "") -> Actor:
        return Actor(seat, self.table.seats[seat].role, entity)


def _is_gms(evening: Evening, talk) -> bool:
    others = {field.set_by for field in talk.fields(evening.table)} - {"gm", "actor"}
    return all(whose(talk, evening.table, one) == "gm" for one in others)


def dotted(answers: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments as the names of fields: "place__1" stands for "place.1"."""
    return {name.replace("__", "."): value for name, value in answers.items()}


def open_evening(
    game: Game,
    players: tuple[str, ...] = ("ana", "ben"),
    options: dict[str, Any] | None = None,
    **settings: Any,
) -> Evening:
    """A table with its GM and players seated, and a session begun."""
    command = c.OpenCampaign(
        id="c1",
        seat=GM,
        campaign="the-campaign",
        title="An evening",
        game=game.name,
        options=options or {},
        settings={"gm_confirms": "trust", **settings},
    )
    (event,) = decide(None, game, command, now="then")
    evening = Evening(game, evolve(None, event))
    for player in players:
        evening.do(GM, c.AskForSeat, new_seat=player, name=player.title(), approved=True)
    return evening


def decided(evening: Evening, command: c.Command, source: Source) -> None:
    """Decide a command with dice that fall by chance, and let what follows happen."""
    named = msgspec.structs.replace(command, id=f"c{evening.campaign.number + 1}")
    hand = DiceSource(RollingDice(source))
    for event in decide(evening.campaign, evening.game, named, hand, "then"):
        evening.campaign = evolve(evening.campaign, event)
