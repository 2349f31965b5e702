"""Whether a table can still be shown, once somebody has set a fact by hand."""

from __future__ import annotations

from kitchentable.campaign.concealing import conceal
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.permissions import actor_for, speaks_for
from kitchentable.campaign.state import Campaign
from kitchentable.dice.errors import KitchenTableError
from kitchentable.game.game import Game
from kitchentable.game.table import Seat, Table

#: What a game raises over a fact that is not kept in the form it knows.
_ASTRAY = (
    ArithmeticError,
    AttributeError,
    KitchenTableError,
    LookupError,
    TypeError,
    ValueError,
)


def check_tellable(campaign: Campaign, game: Game) -> None:
    """Refuse a table that somebody who sits at it could not be shown. Errors: CannotBe.

    A game reads the facts that it wrote itself and may lean on their form. A word where a number
    belongs would otherwise shut every page of the table, that of undoing among them.
    """
    try:
        for seat in campaign.table.seats.values():
            if seat.state == "seated":
                _look(game, conceal(campaign, game, seat), seat)
    except _ASTRAY as error:
        raise CannotBe(
            "With that the table could not be shown any more, so it stays as it is. Look at how "
            "the game keeps that fact now, and give one of the same form.",
            code="table/not-tellable",
        ) from error


def _look(game: Game, table: Table, seat: Seat) -> None:
    """Everything that a page asks of the game for one seat."""
    game.fight(table)
    for fight in game.fights.values():
        fight.standing(table)
    for entity in table.entities.values():
        game.sheet.summary(table, entity)
        game.sheet.sections(table, entity)
    if seat.role == "spectator":
        return
    own = [one.id for one in table.in_play() if speaks_for(seat, one)]
    for move in game.moves:
        for who in own if move.for_entity else ("",):
            actor = actor_for(seat, who)
            if actor.role in move.by and move.when(table, actor) is None:
                move.fields(table, actor, {})
