"""Portraits, handouts and the backdrop for one seat, and the right to see a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable.campaign.audiences import is_gm, sees
from kitchentable.campaign.read_models import SeenHandout
from kitchentable.campaign.state import Campaign
from kitchentable.rules.game import Game
from kitchentable.rules.table import Entity, Seat, Table
from kitchentable.rules.values import EVERYONE, GM

#: Placeholder portrait of an entity that is not a person.
SIGN = "sign"


def portraits_for(campaign: Campaign, game: Game, table: Table) -> dict[str, str]:
    """Return the portraits of the entities on a seat's table, by entity id."""
    found = {one: portrait_of(campaign, game, entity) for one, entity in table.entities.items()}
    return {one: portrait for one, portrait in found.items() if portrait}


def portrait_of(campaign: Campaign, game: Game, entity: Entity) -> str:
    """Return the portrait of an entity; without one, SIGN for a thing and "" for a person."""
    kept = portrait_now(campaign, entity.id)
    kinds = {kind.key: kind.person for kind in game.sheet.kinds(campaign.table)}
    return kept or ("" if kinds.get(entity.kind, True) else SIGN)


def handouts_for(campaign: Campaign, seat: Seat) -> tuple[SeenHandout, ...]:
    """Return the handouts that a seat may read, oldest first."""
    handouts: Mapping[str, Any] = campaign.tree.get("handouts", {})
    return tuple(
        SeenHandout(
            one, plain["title"], plain["text"], plain["picture"], _readers(campaign, seat, plain)
        )
        for one, plain in handouts.items()
        if sees(plain["to"], seat)
    )


def backdrop_for(campaign: Campaign, handouts: tuple[SeenHandout, ...]) -> SeenHandout | None:
    """Return the handout shown above the story, if it is among these."""
    backdrop = campaign.tree.get("backdrop", "")
    return next((one for one in handouts if one.id == backdrop), None)


def portrait_now(campaign: Campaign, entity: str) -> str:
    """Return the portrait of an entity, or ""."""
    given: list[str] = campaign.tree.get("portraits", {}).get(entity, [])
    return given[-1] if given else ""


def may_see(campaign: Campaign, table: Table, seat: Seat, picture: str) -> bool:
    """Whether a seat may see a picture; `table` is the seat's own.

    A seat may see the current and former portraits of entities that it knows, because former ones
    are still in the log, and the pictures of handouts that it may read now.
    """
    given: Mapping[str, list[str]] = campaign.tree.get("portraits", {})
    if any(picture in each for one, each in given.items() if one in table.entities):
        return True
    return any(one.picture == picture for one in handouts_for(campaign, seat))


def _readers(campaign: Campaign, seat: Seat, plain: Mapping[str, Any]) -> tuple[str, ...]:
    if not is_gm(seat):
        return ()
    if plain["to"] in {EVERYONE, GM}:
        return (EVERYONE,) if plain["to"] == EVERYONE else ()
    seats = campaign.table.seats.values()
    return tuple(one.id for one in seats if not is_gm(one) and sees(plain["to"], one))
