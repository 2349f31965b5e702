"""What the rolls of harm share: luck before the throw, facts and card of a roll."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from kitchentable.rules import Json, Part, Side
from kitchentable.rules.kit import Form
from kitchentable.rules.kit.outcomes import write_outcome
from kitchentable.rulesets.toaster.luck import BEFORE, Waiting, luck_before
from kitchentable.rulesets.toaster.mechanics.tasks import TARGET, Outcome, band_of
from kitchentable.rulesets.toaster.people import Here, Person

_FACTS = [one.name for one in fields(Outcome)]


class LuckyForm(Form):
    """The luck that is put on a roll before it falls (toaster.3.luck-before-plus2)."""

    luck = luck_before("Luck points before the throw")


def brought(at: Here) -> Any:
    """The facts of the card that is answered; none for those who do not see the card."""
    return at.asked.preset if at.asked else {}


def begin(at: Here, title: str, *, called: bool, queued: bool = True, **roll: Json) -> Waiting:
    """A roll that has just fallen: its owner may put luck on it, and its event is the next one."""
    me = (at.me.id,)
    return Waiting(
        title,
        roll=roll,
        queue=me if queued else (),
        no_again=me if called else (),
        about=at.table.number + 1,
    )


def fallen(at: Here, waiting: Waiting, outcome: Outcome) -> Waiting:
    """The roll with its outcome, the first one or another in its place."""
    return replace(
        waiting,
        roll={**waiting.roll, **write_outcome(outcome)},
        spoilt=(at.me.id,) if outcome.zero else (),
        text=f"The roll is {outcome}.",
    )


def bettered(at: Here, waiting: Waiting) -> Outcome:
    """A roll with the luck that was added after it; a zero stays what it was.

    toaster.3.luck-after-plus1, toaster.3.luck-after-zero.
    """
    roll: Any = waiting.roll
    added = waiting.added.get(at.me.id, 0)
    was = Outcome(*(roll[name] for name in _FACTS))
    total = was.total + added
    if was.zero or not added:
        return replace(was, total=total)
    succeeds = total >= TARGET
    band = "success" if succeeds else "failure"
    if at.options.variable_outcomes:
        band = band_of(total - TARGET)
    return Outcome(total, succeeds, band)


def tell_roll(
    at: Here,
    waiting: Waiting,
    parts: Iterable[Part],
    total: int,
    rules: Iterable[str],
    sentence: str = "It could still be bettered.",
    outcome: str = "",
    tone: str = "plain",
    of: Iterable[Person] | None = None,
) -> None:
    """The card of a roll; while luck may still better it, the dice and no outcome."""
    before: Any = waiting.roll["luck"]
    luck = BEFORE * before + waiting.added.get(at.me.id, 0)
    parts = (*parts, *((Part("luck", luck),) if luck else ()))
    at.sides.append(Side(at.me.name, "roll", parts, total, audience=at.me.number_audience))
    about = waiting.about if waiting.used else 0
    at.tell(waiting.title, sentence, outcome, tone, rules, of=of, about=about)
