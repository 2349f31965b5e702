"""Chat: speech, dice in notation, and notes."""

from __future__ import annotations

import re
from typing import Any

from kitchentable.campaign.audiences import among
from kitchentable.campaign.commands import RollNotation, Say, SetNote
from kitchentable.campaign.decide.bounds import LONGEST_NOTE, LONGEST_TALK, a_text
from kitchentable.campaign.decide.context import Context, audience_for, named
from kitchentable.campaign.decide.entry import check_typed, chosen_audience, own_entity
from kitchentable.campaign.decide.handfuls import check_dice
from kitchentable.campaign.errors import CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.pictures import portrait_of
from kitchentable.campaign.throws import read_with_note, throw_lines
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Entity
from kitchentable.rules.values import EVERYONE, GM, LONGEST_NAME

_MODES = frozenset({"say", "me", "ooc"})
_INLINE = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_MOST_INLINE = 10


def say(context: Context, command: Say) -> Event:
    """Say a message, and throw the dice written in it, such as [[2d6]]."""
    text = a_text(command.text, "A message", LONGEST_TALK)
    if command.mode not in _MODES:
        raise CannotBe('The mode of a message must be "say", "me" or "ooc".')
    entity = _speaker(context, command.entity)
    audience, to = _listeners(context, command.to)
    data: dict[str, Any] = {"text": text, "mode": command.mode, "to": to}
    if entity is not None:
        data |= named(entity)
        if portrait := portrait_of(context.campaign, context.game, entity):
            data["face"] = portrait
    written = _INLINE.findall(text)
    if len(written) > _MOST_INLINE:
        raise CannotBe(f"A message has at most {_MOST_INLINE} rolls.")
    dice = None
    heard = audience_for(entity, audience)
    if written:
        dialect = _dialect(context, command)
        check_dice(written, dialect)
        dice, lines = throw_lines(context.hand_for(heard), written, dialect)
        data["rolls"] = [
            {"notation": one, **line} for one, line in zip(written, lines, strict=True)
        ]
        if dialect != "house":
            data["dialect"] = dialect
    return context.event("said", data=data, audience=heard, throw=dice)


def _dialect(context: Context, command: Say | RollNotation) -> str:
    """The dialect of the sender's dice notation, by default the table's."""
    return command.dialect or str(context.campaign.settings.get("dialect", "house"))


def _speaker(context: Context, entity: str) -> Entity | None:
    return own_entity(context, entity) if entity else None


def _listeners(context: Context, to: str) -> tuple[str, str]:
    """The audience of a message, and the name of its recipient."""
    if not to:
        return EVERYONE, ""
    if to == GM:
        return context.private, "the GM"
    seat = context.table.seats.get(to)
    if seat is None or not seat.is_seated or seat.id == context.me.id:
        raise CannotBe("The person you are whispering to is not at this table.", code="seat/nobody")
    ears = [context.me.id, seat.id]
    if context.campaign.settings.get("gm_reads_whispers"):
        ears.append(GM)
    return among(ears), seat.name


def roll_notation(context: Context, command: RollNotation) -> Event:
    """Throw dice in notation, for everybody, for the GM or for the sender alone."""
    check_typed(context, command.faces)
    entity = _speaker(context, command.entity)
    alone = command.audience == "self"
    chosen = among([context.me.id]) if alone else chosen_audience(context, command.audience)
    audience = audience_for(entity, chosen)
    label = a_text(command.label, "A label", LONGEST_NAME * 2, required=False)
    dialect = _dialect(context, command)
    written, note = read_with_note(command.notation, dialect)
    label = label or a_text(note, "A label", LONGEST_NAME * 2, required=False)
    check_dice([written], dialect)
    dice, (line,) = throw_lines(context.hand_for(audience), [written], dialect)
    data: dict[str, Any] = {"notation": written, "outcome": line["outcome"], "label": label}
    if dialect != "house":
        data["dialect"] = dialect
    if entity is not None:
        data |= named(entity)
    return context.event("rolled", data=data | line, audience=audience, throw=dice)


def set_note(context: Context, command: SetNote) -> Event:
    """Change the table's notes, visible to everybody, or the GM's private notes."""
    if command.which not in {"table", "gm"}:
        raise CannotBe('Choose the notes of the "table" or of the "gm".')
    if command.which == GM and not context.by_gm:
        raise NotAllowed("Only the GM can change these notes.")
    text = a_text(command.text, "A note", LONGEST_NOTE, required=False)
    changes = [Change(("notes", command.which), text)]
    audience = GM if command.which == GM else EVERYONE
    return context.event(
        "noted",
        changes,
        data={"which": command.which},
        audience=audience,
        unchanged="The notes already say this.",
    )
