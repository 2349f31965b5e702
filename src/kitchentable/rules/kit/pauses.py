"""The ends of a run before the move is done: at a die, or at a pause."""

from __future__ import annotations

from kitchentable.dice.errors import KitchenTableError
from kitchentable.rules.kit.forms import Form
from kitchentable.rules.moves import Question
from kitchentable.rules.table import Ask


class ThrownNow(KitchenTableError):
    """Control flow: the move needs a die that has not been thrown. Ends the run for the odds."""

    code = "move/thrown"

    def __init__(self, question: Question) -> None:
        super().__init__("The dice of this move have not fallen yet.")
        self.question = question


class PausedHere(KitchenTableError):
    """Control flow: the move waits for an answer. `form` is its form, `ask` the waiting card."""

    code = "move/paused"

    def __init__(self, form: type[Form], ask: Ask) -> None:
        super().__init__("The move waits until somebody has answered a card.")
        self.form, self.ask = form, ask
