"""Sessions: each begins with a commitment to its dice and ends by revealing the seed."""

from __future__ import annotations

from typing import Any

from kitchentable.campaign.commands import BeginSession, CloseSession, Contribute, EndSession
from kitchentable.campaign.decide.bounds import a_text
from kitchentable.campaign.decide.consequences import follow
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.errors import CannotBe
from kitchentable.campaign.events import Event
from kitchentable.dice.stream import LONGEST_WORDS
from kitchentable.rules.moves import Change

_MOST_CONTRIBUTIONS = 100


def begin_session(context: Context, command: BeginSession) -> Event:
    """Begin a session, with its commitment public before the first throw."""
    _phase(context, "none")
    if not context.table.players():
        raise CannotBe(
            "A session needs the GM and at least one player at the table.",
            code="session/no-player",
        )
    number = context.table.session.number + 1
    changes = [
        Change(("session", "number"), number),
        Change(("session", "phase"), "open"),
        Change(("session", "commitment"), command.commitment),
        Change(("session", "screen_commitment"), command.screen_commitment),
        Change(("session", "contributions"), []),
        Change(("session", "began"), context.now),
    ]
    data = {
        "session": number,
        "commitment": command.commitment,
        "screen_commitment": command.screen_commitment,
    }
    return follow(context, "session-began", changes, hook="session-began", data=data)


def contribute(context: Context, command: Contribute) -> Event:
    """Mix a person's words into the session's dice, from the next throw on."""
    _phase(context, "open", "closing")
    words = a_text(command.text, "The words for the dice", LONGEST_WORDS)
    contributions: list[Any] = context.campaign.tree["session"].get("contributions", [])
    if len(contributions) >= _MOST_CONTRIBUTIONS:
        raise CannotBe(
            "This session already has as many words for its dice as it can store.",
            code="table/too-long",
        )
    one = {
        "who": context.me.name,
        "words": words,
        "from_throw": max(context.campaign.session_throws(), default=0) + 1,
        "seat": context.me.id,
        "event": context.campaign.number + 1,
    }
    changes = [Change(("session", "contributions"), [*contributions, one])]
    return context.event("contributed", changes, data=one)


def close_session(context: Context, command: CloseSession) -> Event:
    """Move to the end of the session, for advancement and petitions."""
    _phase(context, "open")
    changes = [Change(("session", "phase"), "closing")]
    data = {"session": context.table.session.number}
    return follow(context, "session-closing", changes, hook="session-closing", data=data)


def end_session(context: Context, command: EndSession) -> Event:
    """End the session, and reveal the seed of its dice."""
    _phase(context, "open", "closing")
    session = context.campaign.tree["session"]
    number = str(session["number"])
    told = ("commitment", "screen_commitment", "contributions", "began")
    kept = {key: session.get(key) for key in told}
    kept |= {"number": session["number"], "ended": context.now, "seed": command.seed}
    changes = [
        Change(("sessions", number), kept),
        Change(("session", "phase"), "none"),
        Change(("session", "commitment"), gone=True),
        Change(("session", "screen_commitment"), gone=True),
        Change(("session", "contributions"), gone=True),
        Change(("session", "began"), gone=True),
    ]
    # The GM's secret dice stay hidden: their key is revealed only to the GM.
    revealed = {"seed": command.seed, "screen": command.screen}
    data = {"session": session["number"], **revealed, "unused": list(command.unused)}
    return follow(context, "session-ended", changes, hook="session-ended", data=data)


def _phase(context: Context, *phases: str) -> None:
    phase = context.table.session.phase
    if phase not in phases:
        sentence = {
            "none": "No session is running. The GM can begin one.",
            "open": "The session is already running.",
            "closing": "The session is being closed.",
        }[phase]
        raise CannotBe(sentence, code="session/phase")
