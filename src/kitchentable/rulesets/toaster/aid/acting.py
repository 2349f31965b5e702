"""Help as an action: whether somebody can act now, and the action that is used up."""

from __future__ import annotations

from kitchentable.rules import Ask, Result, running
from kitchentable.rulesets.toaster.combat import turns
from kitchentable.rulesets.toaster.combat.fight import step
from kitchentable.rulesets.toaster.people import Here, take_over


def may_act(at: Here) -> str | None:
    """Why this one cannot take an action now; None where they can."""
    return turns.may_act(at.table, at.actor)


def take_action(at: Here) -> tuple[Ask, ...]:
    """An action is used up; the cards that the fight then puts before the GM."""
    fight = running(at.table)
    turns.spend(at.table, fight, at.me.id)
    changes, asks = step(at.table, fight)
    take_over(at, Result(None, (*turns.own_action(at.me.now)[1], *changes)))
    return asks
