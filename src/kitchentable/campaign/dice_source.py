"""The dice for a decision, and their source."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Protocol

from kitchentable.dice import Trace
from kitchentable.dice.mechanic import Dice


class TracedDice(Dice, Protocol):
    """Dice that keep a trace of their faces: thrown, loaded or replayed ones."""

    @property
    def trace(self) -> Trace:
        """Everything thrown so far."""
        ...


#: Gives the dice behind the GM's screen in the same throw: all of them, or some labels.
Screened = Callable[[Collection[str] | None], TracedDice]


@dataclass(frozen=True, slots=True)
class DiceSource:
    """The dice for a decision, or none yet, with their session and throw number.

    Without dice a decision that throws raises `DiceNeeded`. `number` counts the session's throws
    from 1; 0, with `session` 0, means the operating system's entropy between sessions. `typed`
    marks real dice with typed-in faces. `screen` gives the dice behind the GM's screen, if the
    session has one; `screened` says that all dice of this hand come from behind it.
    """

    dice: TracedDice | None = None
    number: int = 0
    session: int = 0
    typed: bool = False
    screen: Screened | None = None
    screened: bool = False

    def behind_screen(self, labels: Collection[str] | None = None) -> DiceSource:
        """The hand of a throw with these dice, or all (None), behind the GM's screen.

        Dice without a screen, such as real ones and those between sessions, are returned as they
        are.
        """
        if self.screen is None or (labels is not None and not labels):
            return self
        return replace(self, dice=self.screen(labels), screen=None, screened=labels is None)

    def finish(self) -> None:
        """Refuse unused typed-in faces; other dice have nothing to finish."""
        finish: Any = getattr(self.dice, "finish", None)
        if finish is not None:
            finish()


#: No dice: the hand for a first decision without reserved dice.
NO_DICE = DiceSource()
