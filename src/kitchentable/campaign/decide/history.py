"""Changes to past steps: undo, reveal, and alter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kitchentable.campaign.audiences import LogReader, known_as, sees
from kitchentable.campaign.commands import Alter, Reveal, Undo
from kitchentable.campaign.decide.context import Context
from kitchentable.campaign.decide.rolls import Play, find_move, play
from kitchentable.campaign.errors import BuiltUpon, CannotBe, NotAllowed
from kitchentable.campaign.events import Event
from kitchentable.campaign.kinds import KINDS
from kitchentable.campaign.throws import throw_lines
from kitchentable.campaign.undo import (
    compensating_changes,
    may_undo,
    missing_dependents,
    steps_undone_by,
)
from kitchentable.rules.moves import Change
from kitchentable.rules.table import Actor
from kitchentable.rules.values import EVERYONE


def undo(context: Context, command: Undo) -> Event:
    """Undo steps: a new event with the inverse of their changes."""
    numbers = sorted({command.number, *command.also})
    steps = [_step(context, number) for number in numbers]
    revived = {of for step in steps if step.kind == "altered" for of in steps_undone_by(step)}
    _check_not_undone(context, [number for number in numbers if number not in revived])
    reader = LogReader(known_as(context.me))
    if not context.by_gm and (command.also or not may_undo(context.campaign, steps[0], reader)):
        raise NotAllowed(
            "You can take back only your own last step, if it threw no dice and nothing "
            "depends on it. Ask the GM to take back anything else.",
            code="undo/not-yours",
        )
    _check_dependents(context, numbers, " Take them back together with it, or leave it as it is.")
    changes = _compensate(context, numbers)
    audiences = {step.audience for step in steps}
    audience = audiences.pop() if len(audiences) == 1 else EVERYONE
    return context.event("undone", changes, data={"of": numbers}, audience=audience)


def _known(context: Context, number: int) -> Event:
    """A step that the sender knows of. Errors: CannotBe."""
    step = context.campaign.event(number)
    if step is None or not sees(step.audience, context.me):
        raise CannotBe("There is no such step.", code="undo/unknown")
    return step


def _step(context: Context, number: int) -> Event:
    """A step that the sender knows of and that is not final. Errors: CannotBe."""
    step = _known(context, number)
    if KINDS[step.kind].final:
        raise CannotBe("A step of that kind cannot be taken back.", code="undo/never")
    return step


def _check_not_undone(context: Context, numbers: Iterable[int]) -> None:
    """Refuse to take back a step twice."""
    if any(map(context.campaign.undone, numbers)):
        raise CannotBe("That step has already been taken back.", code="undo/done")


def _check_dependents(context: Context, numbers: Iterable[int], hint: str = "") -> None:
    """Refuse to take back steps without the later ones that depend on them."""
    missing = missing_dependents(context.campaign, numbers)
    if missing:
        which = ", ".join(map(str, missing))
        raise BuiltUpon(f"Later steps depend on that one: {which}.{hint}", missing)


def _compensate(context: Context, numbers: Iterable[int], **more: bool) -> list[Change]:
    """Return the changes that take steps back, and mark each step with this event."""
    by, name, reason = context.campaign.number + 1, context.me.name, context.command.reason
    mark = {"by": by, "name": name, "reason": reason, **more}
    changes = compensating_changes(context.campaign, numbers)
    return [*changes, *(Change(("undone", str(number)), mark) for number in numbers)]


def reveal(context: Context, command: Reveal) -> Event:
    """Show a private card to everybody, with its dice and odds."""
    step = _known(context, command.number)
    if step.kind not in {"move", "rolled", "altered"} or not _has_secrets(step):
        raise CannotBe("Everybody already sees all of that.", code="reveal/nothing")
    if context.campaign.revealed(command.number):
        raise CannotBe("That has already been shown.", code="reveal/nothing")
    changes = [Change(("revealed", str(command.number)), True)]  # noqa: FBT003 - the fact itself
    return context.event("revealed", changes, data={"of": command.number})


def _has_secrets(step: Event) -> bool:
    card: dict[str, Any] = step.data.get("card") or {}
    parts = [*card.get("sides", ()), *card.get("lines", ())]
    dice = step.throw
    return (
        step.audience != EVERYONE
        or any(part.get("audience", EVERYONE) != EVERYONE for part in parts)
        or bool(step.data.get("hidden"))
        or (dice is not None and (bool(dice.closed) or dice.odds_audience != EVERYONE))
    )


def alter(context: Context, command: Alter) -> Event:
    """Alter thrown dice, as the GM: undo the step and decide it again with other faces.

    The table's settings must allow this, and the log shows it to everybody.
    """
    if context.campaign.settings.get("fudge") != "logged":
        raise NotAllowed("At this table the GM may not alter results.", code="fudge/off")
    step = _step(context, command.number)
    if step.throw is None or step.kind not in {"move", "rolled", "altered"}:
        raise CannotBe("That step has no dice to alter.", code="fudge/no-dice")
    _check_not_undone(context, [step.number])
    _check_dependents(context, [step.number])
    before = _compensate(context, _chain(step), altered=True)
    again = _rolled_again if "notation" in step.data else _played_again
    return again(context, step, tuple(before))


def _played_again(context: Context, step: Event, before: tuple[Change, ...]) -> Event:
    """Decide the move again, on the table without its former result."""
    data = step.data
    seat, role = data["actor"]
    actor = Actor(seat, role, data["entity"], data["ask"], frozenset(data["hidden"]))
    move = find_move(context.game, data["move"])
    made = Play(move, actor, dict(data["answers"]), step.audience, before, _of(step))
    return play(context, "altered", made)


def _rolled_again(context: Context, step: Event, before: tuple[Change, ...]) -> Event:
    hand = context.hand_for(step.audience)
    dialect = step.data.get("dialect", "house")
    dice, (line,) = throw_lines(hand, [step.data["notation"]], dialect)
    data = {**step.data, **line, **_of(step)}
    return context.event("altered", before, data=data, audience=step.audience, throw=dice)


def _chain(step: Event) -> list[int]:
    """The altered step, and all former results if it was an alteration itself.

    Undoing an alteration restores the result before it, so all of them go together.
    """
    return sorted([step.number, *(steps_undone_by(step) if step.kind == "altered" else ())])


def _of(step: Event) -> dict[str, Any]:
    """The part of an alteration's data about the step that it replaces."""
    card = step.data.get("card")
    was = card["outcome"] if card else str(step.data.get("outcome", ""))
    whose = step.data["whose"] if step.kind == "altered" else step.name
    return {"of": _chain(step), "whose": whose, "was": was}
