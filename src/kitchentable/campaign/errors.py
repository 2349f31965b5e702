"""Errors while a command is decided, each with a sentence for the command's sender.

`docs/api.md` explains the codes.
"""

from __future__ import annotations

from kitchentable.dice.errors import BadInput, KitchenTableError
from kitchentable.rules.errors import GameFault
from kitchentable.rules.moves import Question


class NotAllowed(BadInput):
    """The seat may not do this, though another seat may."""

    code = "seat/not-allowed"


class CannotBe(BadInput):
    """A command does not fit the current state of the table, or cannot be read."""

    code = "table/cannot-be"


class BuiltUpon(CannotBe):
    """A step cannot be undone alone, because later steps, in `numbers`, depend on it."""

    code = "undo/built-upon"

    def __init__(self, sentence: str, numbers: tuple[int, ...]) -> None:
        super().__init__(sentence)
        self.numbers = numbers


class DiceNeeded(KitchenTableError):
    """The command needs dice: decide it again with a source of dice. Nothing has happened yet."""

    code = "dice/needed"

    def __init__(self) -> None:
        super().__init__("This command needs dice.")


class EventsNeeded(KitchenTableError):
    """Events are not in memory: decide or read again in a thread that may wait for the store."""

    code = "log/needed"

    def __init__(self) -> None:
        super().__init__("Older events have to be read first.")


class OddsNeeded(KitchenTableError):
    """Odds are not known yet: solve them, and decide again."""

    code = "dice/odds-needed"

    def __init__(self, question: Question) -> None:
        super().__init__("These odds have not been computed yet.")
        self.question = question


#: Advice to a host about a damaged record.
RESTORE = "Restore an older backup: `kitchentable backup --list` lists them."


class BadEvent(KitchenTableError):
    """An event of the journal cannot be read by this version."""

    code = "journal/bad-event"


class NewerEvent(BadEvent):
    """A newer version of the program recorded this event."""

    code = "journal/newer"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"A newer version of Kitchen Table has recorded {what} in this campaign. This "
            "server cannot read that and changes nothing. Try again in a moment. If that "
            "does not help, ask the host to update the server."
        )


class Overreach(GameFault):
    """A game changed a fact that it may not change, or to a value that is not plain data."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, code="game/overreach")


class EndlessForm(GameFault):
    """The answers of a form open and close its own questions without end."""

    def __init__(self, title: str, rounds: int) -> None:
        super().__init__(
            f"The form of {title} is endless: after {rounds} rounds its answers still "
            "change its questions. The game's author has to fix it.",
            code="game/endless-form",
        )
