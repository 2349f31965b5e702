"""What somebody does by a roll during a fight: one of their actions there, or a trifle.

Two actions a round may both be thrown for (toaster.4.actions-two), so a task or a contest is one
like any other, unless the GM calls it a trifle (toaster.4.actions-count). Whoever only answers, as
the other side of a contest, spends nothing.
"""

from __future__ import annotations

from dataclasses import replace

from kitchentable.rules import GM, Problem
from kitchentable.rules.kit import Form, Problems, pick
from kitchentable.rulesets.toaster.character import lens
from kitchentable.rulesets.toaster.combat.turns import may_act, spend_action
from kitchentable.rulesets.toaster.people import Here

COUNTS, ACTION, FREE = "counts", "action", "free"
_RULE = "toaster.4.actions-count"


def _fights(at: Here) -> bool:
    return at.fight is not None and bool(at.fight.is_in(at.me))


def _usual(at: Here) -> str:
    """A player's roll is an action by default; what the GM throws out of turn is a trifle."""
    return FREE if at.is_gm and may_act(at) is not None else ACTION


class Counted(Form):
    """What a move counts as in a fight."""

    counts = pick(
        "In the fight it counts",
        ((ACTION, "as an action"), (FREE, "as a trifle: nothing")),
        when=_fights,
        default=_usual,
        set_by=GM,
        help="A look around or a word may cost nothing; picking a lock is an action.",
        rule=_RULE,
    )

    @property
    def is_action(self) -> bool:
        """Whether it takes one of the actions of a fight."""
        return _fights(self.at) and self.counts == ACTION

    def problems(self) -> Problems:
        why_not = may_act(self.at) if self.is_action else None
        if why_not is not None:
            mend = "The GM can call this a trifle, or allow one more action."
            yield Problem(COUNTS, "toaster.4.actions-two", f"{why_not} {mend}")


def count(at: Here) -> None:
    """One action fewer: the turn goes on, an aim is lost, a stance runs down."""
    if not at.form.is_action or at.card is None:
        return
    spend_action(at)
    left = at.fight.left(at.me)
    more = f"{lens.plural(left, 'action')} left" if left else "none left"
    at.say(f"It counts as an action in the fight; {more} this round.")
    at.card = replace(at.card, rules=(*at.card.rules, _RULE))
