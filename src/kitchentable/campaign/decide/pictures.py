"""Portraits, handouts and the backdrop. A picture is named by the hash of its bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kitchentable.campaign.audiences import among
from kitchentable.campaign.commands import SaveHandout, SetPortrait, ShowHandout
from kitchentable.campaign.decide.bounds import LONGEST_TALK, a_name, a_text
from kitchentable.campaign.decide.context import Context, audience_about, named
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.rules.moves import Change
from kitchentable.rules.table import fresh
from kitchentable.rules.values import EVERYONE, GM

_PICTURE = re.compile(r"[0-9a-f]{40}")
_MOST_HANDOUTS = 300
#: Number of former portraits of an entity that the log still shows.
_MOST_PORTRAITS = 30


def set_portrait(context: Context, command: SetPortrait) -> Event:
    """Set or remove an entity's portrait, by its player or the GM."""
    entity = context.entity(command.entity)
    if not context.by_gm and entity.owner != context.me.id:
        raise NotAllowed("Only the player of this character and the GM can change its portrait.")
    picture = _a_picture(command.picture)
    before = context.campaign.tree.get("portraits", {}).get(entity.id, [])
    if (before[-1] if before else "") == picture:
        raise CannotBe(f"{entity.name} already has this portrait.")
    changes = [Change(("portraits", entity.id), [*before[1 - _MOST_PORTRAITS :], picture])]
    data = {**named(entity), "given": bool(picture)}
    return context.event("portrait-set", changes, data=data, audience=audience_about(entity))


def save_handout(context: Context, command: SaveHandout) -> Event:
    """Create or change a handout. Only the GM sees a new one until it is shown."""
    handouts = context.campaign.tree.get("handouts", {})
    before = _handout(handouts, command.handout) if command.handout else {}
    if not before and len(handouts) >= _MOST_HANDOUTS:
        raise CannotBe(
            "This table cannot store any more handouts. Change an old one instead.",
            code="table/too-long",
        )
    picture = before.get("picture", "") if command.picture is None else _a_picture(command.picture)
    now = {
        "title": a_name(command.title, "A title"),
        "text": a_text(command.text, "A handout", LONGEST_TALK, required=False),
        "picture": picture,
        "to": before.get("to", GM),
    }
    handout = command.handout or fresh(context.table, "handout")
    data = {"handout": handout, "title": now["title"]}
    changes = [Change(("handouts", handout), now)]
    unchanged = "The handout already has this text."
    return context.event(
        "handout-saved", changes, data=data, audience=now["to"], unchanged=unchanged
    )


def show_handout(context: Context, command: ShowHandout) -> Event:
    """Show a handout to all, to some or to nobody, and set or clear the backdrop with it."""
    tree = context.campaign.tree
    handout = _handout(tree.get("handouts", {}), command.handout)
    to, names = _readers(context, command.to)
    backdrop = tree.get("backdrop", "")
    staged = backdrop == command.handout if command.backdrop is None else command.backdrop
    changes = [Change(("handouts", command.handout, "to"), to)]
    if staged != (backdrop == command.handout):
        changes.append(Change(("backdrop",), command.handout if staged else ""))
    data = {
        "handout": command.handout,
        "title": handout["title"],
        "text": handout["text"],
        "picture": handout["picture"],
        "names": names,
        "backdrop": staged,
    }
    unchanged = "This handout is already shown that way."
    return context.event("handout-shown", changes, data=data, audience=to, unchanged=unchanged)


def _handout(handouts: Mapping[str, Any], handout: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] | None = handouts.get(handout)
    if found is None:
        raise CannotBe("There is no such handout.", code="handout/unknown")
    return found


def _readers(context: Context, to: tuple[str, ...]) -> tuple[str, list[str]]:
    """The audience of a handout, and the names of its readers; no names for all or nobody."""
    if EVERYONE in to:
        return EVERYONE, []
    seats = [context.table.seats.get(one) for one in dict.fromkeys(to)]
    readers = [one for one in seats if one is not None and one.is_seated]
    if len(readers) != len(seats):
        raise CannotBe(
            "One of these people is not at the table. Choose other readers.", code="seat/nobody"
        )
    if not readers:
        return GM, []
    return among([GM, *(one.id for one in readers)]), [one.name for one in readers]


def _a_picture(picture: str) -> str:
    if picture and not _PICTURE.fullmatch(picture):
        raise CannotBe(
            "The name of a picture must be the hash of its bytes.", code="picture/unknown"
        )
    return picture
