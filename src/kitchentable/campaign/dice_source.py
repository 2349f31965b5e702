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
        """Return everything thrown so far."""
        ...


#: Returns dice of the same throw from the GM's secret stream, all or only with some labels.
Screened = Callable[[Collection[str] | None], TracedDice]


@dataclass(frozen=True, slots=True)
class DiceSource:
    """The dice for a decision, or none, with their session and throw number.

    Without dice a decision that throws raises `DiceNeeded`. `number` counts the session's throws
    from 1; 0, with `session` 0, means the operating system's entropy between sessions. `typed`
    marks real dice with typed-in faces. `screen` returns the dice of the GM's secret stream, if the
    session has one; `screened` means that all dice come from that stream.
    """

    dice: TracedDice | None = None
    number: int = 0
    session: int = 0
    typed: bool = False
    screen: Screened | None = None
    screened: bool = False

    def behind_screen(self, labels: Collection[str] | None = None) -> DiceSource:
        """Return a source with dice of these labels, or all (None), from the GM's secret stream.

        A source without such a stream, such as real dice or dice between sessions, returns itself.
        """
        if self.screen is None or (labels is not None and not labels):
            return self
        return replace(self, dice=self.screen(labels), screen=None, screened=labels is None)

    def finish(self) -> None:
        """Refuse unused typed-in faces; other dice have nothing to finish."""
        finish: Any = getattr(self.dice, "finish", None)
        if finish is not None:
            finish()


#: No dice: for a first decision without reserved dice.
NO_DICE = DiceSource()
