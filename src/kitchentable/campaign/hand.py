"""The dice that are handed to a decision, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from kitchentable.dice import Trace
from kitchentable.dice.mechanic import Dice


class TracedDice(Dice, Protocol):
    """Dice that remember what they showed: thrown, loaded or replayed ones."""

    @property
    def trace(self) -> Trace:
        """Everything thrown so far."""
        ...


@dataclass(frozen=True, slots=True)
class Hand:
    """Dice, or none yet, and which throw of which session's stream they are.

    Without dice a decision that throws raises `DiceNeeded`. `number` counts the session's throws
    from 1; 0, with `session` 0, stands for the operating system's entropy between sessions.
    `typed` marks real dice whose faces somebody typed in.
    """

    dice: TracedDice | None = None
    number: int = 0
    session: int = 0
    typed: bool = False

    def finish(self) -> None:
        """Refuse faces that were given and not used; other dice have nothing to finish."""
        finish: Any = getattr(self.dice, "finish", None)
        if finish is not None:
            finish()


#: No dice: the first reading of every command.
EMPTY = Hand()
