"""Errors between a command and its events.

:data:`CODES` explains every code; the message of an error is a sentence for the sender of the
command.
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
    """The command needs dice: decide it again with a hand that has some.

    Nothing happened yet. `secret` says that only the GM will see what falls.
    """

    code = "dice/needed"

    def __init__(self, secret: bool = False) -> None:
        super().__init__("Dice are needed to decide this.")
        self.secret = secret


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


#: Every error code of this package, with its meaning.
CODES = {
    "handout/unknown": "There is no such handout.",
    "scene/unknown": "The clock, table or limit is not on the table any more.",
    "oracle/unknown": "There is no such table to roll on, or it is the GM's.",
    "fight/too-many": "The plan of a fight has more fighters than one fight takes.",
    "fight/no-order": "The fight has no order of turns with these fighters.",
    "picture/unknown": "The picture is not named by the hash of its bytes.",
    "seat/not-allowed": "Another seat may do this, not the one that asked.",
    "seat/unknown": "The seat that asks is not at this table.",
    "seat/nobody": "Nobody sits where the command points to.",
    "seat/waiting": "The GM has not yet said yes to this seat.",
    "seat/revoked": "The GM has ended this seat.",
    "seat/one-gm": "A table has exactly one GM.",
    "seat/closed": "The table takes nobody in at the moment.",
    "seat/spectator": "Spectators watch; they do not act.",
    "name/empty": "A name with nothing in it.",
    "name/too-long": "A name longer than the table keeps.",
    "name/unseen": "A name with characters that cannot be seen.",
    "name/taken": "Somebody at the table has that name, or one that looks the same.",
    "table/cannot-be": "What was asked does not fit the table as it stands.",
    "table/open-already": "This campaign has been opened before.",
    "table/not-open": "There is no such campaign.",
    "table/too-long": "More text or data than the table keeps in one place.",
    "table/unknown-setting": "No setting has that name.",
    "table/no-such-path": "A fact was named that cannot be there.",
    "table/not-tellable": "With that fact the game could not show the table any more.",
    "session/phase": "It is not the moment of the evening for that.",
    "session/no-player": "An evening needs at least one player.",
    "entity/unknown": "Nobody of that name is at the table.",
    "entity/stage": "The sheet is not at the stage for that.",
    "entity/kind": "The game has no such kind, or it is not this seat's to make.",
    "move/unknown": "The game has no such move.",
    "move/needs-conversation": "Others have their part in this roll; propose it first.",
    "move/would-show": "What this changes would show at the table; make it openly.",
    "move/no-conversation": "This move is made at once; nothing has to be proposed.",
    "move/needs-entity": "The move is made for somebody in play.",
    "proposal/unknown": "That proposal is no longer open.",
    "quick/unknown": "The character keeps no quick roll of that name.",
    "proposal/waits": "The dice wait for somebody.",
    "proposal/nothing-to-settle": "Nothing in that proposal is this seat's to set.",
    "ask/gone": "Somebody has answered that card already.",
    "ask/not-skippable": "That card has to be answered.",
    "form/problems": "A form cannot be used as it was filled in; the problems say where.",
    "undo/unknown": "No such step.",
    "undo/never": "A step of that kind is not taken back.",
    "undo/done": "That step has been taken back already.",
    "undo/built-upon": "Later steps stand on that one.",
    "undo/not-yours": "Players take back their own last step, and no fallen dice.",
    "fudge/off": "At this table the GM does not alter results.",
    "fudge/no-dice": "There are no dice in that step to alter.",
    "reveal/nothing": "Everybody sees that already.",
    "dice/needed": "The command throws dice and came without.",
    "dice/too-many-in-a-line": "A line throws more dice than one event keeps.",
    "dice/odds-needed": "The odds asked for are not worked out yet.",
    "command/id-taken": "Another step already has this id.",
    "log/needed": "Older events have to be read first.",
    "rule/refuses": "A rule, or the state of the table, forbids it.",
    "journal/bad-event": "A record of the journal cannot be read by this version.",
    "journal/newer": "A newer version has recorded something that this one does not know.",
    "game/endless-form": "A form of the game opens or closes its own questions without end.",
    "game/overreach": "A game changed what is not the game's to change.",
}
