"""Checks that every seat's table can still be shown after the GM sets facts directly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kitchentable.campaign.concealment import conceal
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.permissions import actor_for, may_start, speaks_for
from kitchentable.campaign.state import Campaign, with_changes
from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.game import Game
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Seat, Table

#: Errors that a game may raise on a fact of an unexpected form.
FAULTS = (
    ArithmeticError,
    AttributeError,
    KitchenTableError,
    LookupError,
    TypeError,
    ValueError,
)


def check_tellable(campaign: Campaign, game: Game, changes: Iterable[Change], of: str = "") -> None:
    """Refuse changes after which a seat's table could not be shown. Errors: CannotBe.

    `of` is the entity that the changes are about; by default all entities are checked.

    A game may rely on the form of facts that it wrote itself. A word in place of a number could
    otherwise break every page of the table, even the one for undoing it.
    """
    then = with_changes(campaign, changes)
    with on_unchecked_facts():
        for seat in then.table.seats.values():
            if seat.is_seated:
                _look(game, conceal(then, game, seat), seat, of)


@contextmanager
def on_unchecked_facts() -> Iterator[None]:
    """Run a game's code on unchecked facts. Errors: CannotBe if it fails on them."""
    try:
        yield
    except FAULTS as error:
        raise CannotBe(
            "With that fact the table could no longer be shown, so nothing was changed. Look "
            "at the fact's current value, and give one of the same form.",
            code="table/not-tellable",
        ) from error


def _look(game: Game, table: Table, seat: Seat, of: str) -> None:
    """Compute everything that a page needs from the game for one seat."""
    game.fight(table)
    for fight in game.fights.values():
        fight.standing(table)
    for entity in table.entities.values():
        if of not in {"", entity.id}:
            continue
        game.sheet.summary(table, entity)
        game.sheet.sections(table, entity)
        game.sheet.check(table, entity, "play" if entity.stage == "play" else "creation")
    if seat.role == "spectator":
        return
    own = [e.id for e in table.in_play() if of in {"", e.id} and speaks_for(seat, e)]
    for who in ("", *own):
        actor = actor_for(seat, who)
        moment = game.moment(table, actor)
        for move in game.moves:
            if may_start(actor, move) and moment.may(move) is None:
                moment.fields(move, {})
