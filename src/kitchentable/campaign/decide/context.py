"""The context of a decision: table, sender, dice and time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kitchentable.campaign.audiences import is_behind_screen, is_gm
from kitchentable.campaign.commands import Command
from kitchentable.campaign.concealment import knows_of
from kitchentable.campaign.dice_source import DiceSource
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event, Thrown
from kitchentable.campaign.paths import plain, record
from kitchentable.campaign.state import Campaign
from kitchentable.campaign.throws import Solver, solve
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Entity, Seat, Table
from kitchentable.rules.values import EVERYONE, GM


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a decision may use. `me` is the sender's seat.

    `before` is the game in the campaign's current version, if the command updates it and that
    version is still available. `solver` computes the odds of a throw.
    """

    campaign: Campaign
    game: Game
    command: Command
    hand: DiceSource
    now: str
    me: Seat
    before: Game | None = None
    solver: Solver = solve

    @property
    def table(self) -> Table:
        """The table before the command."""
        return self.campaign.table

    @property
    def by_gm(self) -> bool:
        """Whether the GM or a co-GM sent the command."""
        return is_gm(self.me)

    @property
    def private(self) -> str:
        """The audience of the sender and the GM alone."""
        return GM if self.by_gm else self.me.id

    def hand_for(self, audience: str, closed: Collection[str] = ()) -> DiceSource:
        """The dice for a throw with this audience.

        Dice for the GM alone, or with one of the `closed` labels, come from the GM's secret stream.
        """
        if is_behind_screen(audience, self.table.seats.values()):
            return self.hand.behind_screen()
        return self.hand.behind_screen(closed)

    def entity(self, entity: str) -> Entity:
        """An entity that the sender knows of.

        A player's unfinished character is no secret; only its sheet is. Errors: CannotBe, with the
        same sentence for a missing entity and for one hidden from the sender.
        """
        one = self.table.entities.get(entity)
        begun = one is not None and one.is_players and not one.hidden
        if one is None or not (begun or knows_of(self.me, one)):
            raise CannotBe("Nobody of that name is at the table.", code="entity/unknown")
        return one

    def event(
        self,
        kind: str,
        changes: Iterable[Change] = (),
        *,
        data: Mapping[str, Any] | None = None,
        audience: str = EVERYONE,
        throw: Thrown | None = None,
        unchanged: str = "",
    ) -> Event:
        """The next event, with the former value of each changed fact.

        Errors: CannotBe with the sentence `unchanged`, if there is one and no fact changes.
        """
        recorded, _ = record(self.campaign.tree, changes)
        if unchanged and not recorded:
            raise CannotBe(unchanged)
        return Event(
            number=self.campaign.number + 1,
            kind=kind,
            time=self.now,
            seat=self.me.id,
            name=self.me.name,
            command=self.command.id,
            game=self.game.name,
            version=self.game.version,
            audience=audience,
            reason=self.command.reason,
            data=plain(data or {}),
            changes=recorded,
            throw=throw,
        )


def named(entity: Entity | None) -> dict[str, str]:
    """The id and the name of an entity, for the data of an event; both "" for none."""
    return {
        "entity": entity.id if entity is not None else "",
        "entity_name": entity.name if entity is not None else "",
    }


def audience_for(entity: Entity | None, audience: str = EVERYONE) -> str:
    """The audience of an entity's action: only the GM for a hidden entity."""
    return GM if entity is not None and entity.hidden else audience


def audience_about(entity: Entity | None) -> str:
    """The audience of a change to an entity: only the GM for the GM's unfinished ones."""
    begun = entity is not None and entity.stage in {"draft", "submitted"} and entity.owner == GM
    return GM if begun else audience_for(entity)
