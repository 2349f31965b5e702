"""Errors between a command and its events, each a sentence for the sender of the command.

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
    """A command does not fit the table as it stands, or cannot be read."""

    code = "table/cannot-be"


class BuiltUpon(CannotBe):
    """A step cannot be undone alone, because later steps, in `numbers`, depend on it."""

    code = "undo/built-upon"

    def __init__(self, sentence: str, numbers: tuple[int, ...]) -> None:
        super().__init__(sentence)
        self.numbers = numbers


class DiceNeeded(KitchenTableError):
    """The command needs dice: decide it again with a hand that has some. Nothing happened yet."""

    code = "dice/needed"

    def __init__(self) -> None:
        super().__init__("Dice are needed to decide this.")


class EventsNeeded(KitchenTableError):
    """Events that are not in memory: decide, or read, again where nobody waits for the store."""

    code = "log/needed"

    def __init__(self) -> None:
        super().__init__("Older events have to be read for this.")


class OddsNeeded(KitchenTableError):
    """Odds that are not known yet: solve them, and decide again."""

    code = "dice/odds-needed"

    def __init__(self, question: Question) -> None:
        super().__init__("These odds are not worked out yet.")
        self.question = question


#: What a host can do about a damaged record.
RESTORE = "Restore a backup from before: `kitchentable backup --list` shows those there are."


class BadEvent(KitchenTableError):
    """A record of the journal is not an event that this version can read."""

    code = "journal/bad-event"


class NewerEvent(BadEvent):
    """A newer version recorded this event, beside this one or before it."""

    code = "journal/newer"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"A newer version of Kitchen Table has recorded {what} here, which this server does "
            "not know, so it changes nothing. Try again in a moment; if that does not help, the "
            "host has to update the server."
        )


class Overreach(GameFault):
    """A game changed a fact outside its own, or to a value that is not plain data."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, code="game/overreach")


class EndlessForm(GameFault):
    """A form is endless: its answers open or close its own questions without end."""

    def __init__(self, title: str, rounds: int) -> None:
        super().__init__(
            f"The form of {title} never comes to an end: after {rounds} rounds its answers still "
            "change its questions. Its author has to mend the game.",
            code="game/endless-form",
        )
