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
    """Return an entity that the sender may act for: their own, or any for the GM.

    Errors: CannotBe for an entity unknown to the sender, NotAllowed for another person's.
    """
    one = context.entity(entity)
    if not speaks_for(context.me, one):
        name = one.name if knows_of(context.me, one) else "that character"
        raise NotAllowed(f"You cannot act for {name}.")
    return one


def check_may_make(context: Context, move: Move, entity: str) -> Entity | None:
    """Return the entity of a move if the sender may act for it; None if the move has none.

    Errors: NotAllowed, CannotBe.
    """
    if not move.by:
        raise NotAllowed(f"{move.title} can be made only from a card that asks for it.")
    if (GM if context.by_gm else context.me.role) not in move.by:
        raise NotAllowed(
            f"Only the GM can make {move.title}."
            if GM in move.by
            else f"You cannot make {move.title}."
        )
    if not move.for_entity:
        return None
    if not entity:
        raise CannotBe(f"{move.title} needs a character. Choose one.", code="move/needs-entity")
    one = own_entity(context, entity)
    if one.stage != "play":
        raise CannotBe(f"{one.name} is not in play.", code="move/needs-entity")
    return one


def check_typed(context: Context, faces: tuple[str, ...] | None) -> None:
    """Refuse typed-in dice if the table's settings do. Errors: NotAllowed."""
    if faces is not None and not context.campaign.settings.get("typed_dice", True):
        raise NotAllowed(
            "Typed-in dice are not allowed at this table. Roll here, or ask the GM to allow them."
        )


def chosen_audience(context: Context, audience: str) -> str:
    """Return the audience that the sender chose: "all", or "gm" for the sender and the GM.

    Errors: CannotBe.
    """
    if audience == EVERYONE:
        return EVERYONE
    if audience == GM:
        return context.private
    raise CannotBe("A throw must be for everybody or for the GM.")
