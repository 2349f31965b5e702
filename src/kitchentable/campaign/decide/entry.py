"""Checks before a person acts for an entity."""

from __future__ import annotations

from kitchentable.campaign.concealment import knows_of
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.permissions import speaks_for
from kitchentable.rules.moves import Move
from kitchentable.rules.table import Entity
from kitchentable.rules.values import EVERYONE, GM


def own_entity(context: Context, entity: str) -> Entity:
    """An entity that the sender acts for: an own one, and for the GM any.

    Errors: CannotBe for one that the sender does not know of, NotAllowed for another person's.
    """
    one = context.entity(entity)
    if not speaks_for(context.me, one):
        name = one.name if knows_of(context.me, one) else "that character"
        raise NotAllowed(f"You cannot act for {name}.")
    return one


def check_may_make(context: Context, move: Move, entity: str) -> Entity | None:
    """The entity of a move, if the sender may act for it; None for nobody.

    Errors: NotAllowed, CannotBe.
    """
    if not move.by:
        raise NotAllowed(f"{move.title} is made only from a card that asks for it.")
    if (GM if context.by_gm else context.me.role) not in move.by:
        raise NotAllowed(f"{move.title} is the GM's." if GM in move.by else f"{move.title}: no.")
    if not move.for_entity:
        return None
    if not entity:
        raise CannotBe(
            f"{move.title} is made for somebody; say for whom.", code="move/needs-entity"
        )
    one = own_entity(context, entity)
    if one.stage != "play":
        raise CannotBe(f"{one.name} is not in play.", code="move/needs-entity")
    return one


def check_typed(context: Context, faces: tuple[str, ...] | None) -> None:
    """Refuse typed-in dice if the table's settings do. Errors: NotAllowed."""
    if faces is not None and not context.campaign.settings.get("typed_dice", True):
        raise NotAllowed(
            "This table does not take typed-in dice. Roll here, or ask the GM to allow them."
        )


def chosen_audience(context: Context, audience: str) -> str:
    """The audience of a throw as its sender asked: "all", or "gm" for the sender and the GM.

    Errors: CannotBe.
    """
    if audience == EVERYONE:
        return EVERYONE
    if audience == GM:
        return context.private
    raise CannotBe("A throw is for everybody, or for the GM.")
