"""Commands: requests to change a campaign, each decided once."""

from __future__ import annotations

import re
from enum import Enum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import msgspec


class Who(Enum):
    """The least role that may send a command."""

    NEWCOMER = "anybody who has the link"
    PLAYER = "a player or the GM"
    GM = "the GM or a co-GM"
    PRINCIPAL = "the GM"


def _name(command: str) -> str:
    """The name of a command for programs, from that of its class.

    >>> _name("BeginSession")
    'begin-session'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", command).lower()


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    tag=_name,
    forbid_unknown_fields=True,
):
    """The base of all commands: an id, the sender's seat, and a reason if one is needed.

    The sender makes the id, and one id is one command; the server sets the seat. `sender` is the
    least role that may send such a command. The events of an `unnamed` one do not say who sent it.
    """

    sender: ClassVar[Who]
    unnamed: ClassVar[bool] = False
    id: str
    seat: str = ""
    reason: str = ""


class OpenCampaign(Command, frozen=True):
    """Start a campaign; the sender becomes its GM under the name given.

    The server gives the salt: ids are stirred with it, so that nobody counts hidden steps by them.
    """

    sender = Who.NEWCOMER
    campaign: str
    title: str
    game: str
    gm_name: str = "GM"
    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    salt: str = ""


class SetOptions(Command, frozen=True):
    """Change options; `answers` decide about existing facts. Sent by the GM."""

    sender = Who.PRINCIPAL
    options: dict[str, Any]
    answers: dict[str, Any] = {}


class UpdateGame(Command, frozen=True):
    """Update the campaign to the installed version of its game. Sent by the GM."""

    sender = Who.PRINCIPAL
    version: str


class SetSettings(Command, frozen=True):
    """Change settings of the table, such as who confirms rolls. Sent by the GM."""

    sender = Who.PRINCIPAL
    settings: dict[str, Any]


class AskForSeat(Command, frozen=True):
    """Ask for a seat under a name; the server gives the id `new_seat`."""

    sender = Who.NEWCOMER
    new_seat: str
    name: str
    role: str = "player"
    approved: bool = False


class DecideSeat(Command, frozen=True):
    """Admit a person, refuse, or end a seat ("approve", "refuse", "revoke"). Sent by the GM."""

    sender = Who.PRINCIPAL
    of: str
    verdict: str


class RenameSeat(Command, frozen=True):
    """Change the name of a seat. Sent by its person or the GM."""

    sender = Who.PLAYER
    of: str
    name: str


class SetRole(Command, frozen=True):
    """Change a seat's role: player, spectator or co-GM. Sent by the GM."""

    sender = Who.PRINCIPAL
    of: str
    role: str


class HandOver(Command, frozen=True):
    """Hand a seat over to another device: its link ends, and the server makes a new one."""

    sender = Who.PRINCIPAL
    of: str


class BeginSession(Command, frozen=True):
    """Begin a session; the server adds the commitments to its dice and its screen."""

    sender = Who.GM
    commitment: str = ""
    screen_commitment: str = ""


class Contribute(Command, frozen=True):
    """Add words of a player's own to the seed of the session's dice."""

    sender = Who.PLAYER
    text: str


class CloseSession(Command, frozen=True):
    """Move to the end of the session: petitions, advancement. Sent by the GM."""

    sender = Who.GM


class EndSession(Command, frozen=True):
    """End the session; the server reveals the seed of its dice, and the screen to the GM.

    `unused` are numbers of throws that were given out and then shown to nobody, because their
    commands were refused or lost.
    """

    sender = Who.GM
    seed: str = ""
    screen: str = ""
    unused: tuple[int, ...] = ()


class MakeEntity(Command, frozen=True):
    """Create an entity: a player's character, or any kind for the GM.

    An empty `kind` is the first that a player makes.
    """

    sender = Who.PLAYER
    kind: str
    name: str
    owner: str = ""
    sheet: dict[str, Any] | None = None
    hidden: bool = False
    open: bool | None = None
    line: str = ""


class SaveSheet(Command, frozen=True):
    """Save a sheet, finished or not; `raw` is the form as it was filled in."""

    sender = Who.PLAYER
    entity: str
    raw: dict[str, Any]
    name: str | None = None
    line: str | None = None


class SubmitSheet(Command, frozen=True):
    """Submit a finished character to the GM; refused while a rule refuses it."""

    sender = Who.PLAYER
    entity: str


class DecideSheet(Command, frozen=True):
    """Accept a character into play, or send it back with a note. Sent by the GM."""

    sender = Who.GM
    entity: str
    accept: bool


class ChangeEntity(Command, frozen=True):
    """Change name, owner, hidden, open or stage of an entity; None changes nothing. For the GM."""

    sender = Who.GM
    entity: str
    name: str | None = None
    line: str | None = None
    owner: str | None = None
    hidden: bool | None = None
    open: bool | None = None
    gone: bool | None = None


class Propose(Command, frozen=True):
    """Propose a roll, which begins its conversation; sent by the actor's player or the GM.

    `hidden` names the answers that the GM keeps secret, `shown` those shown although they are
    hidden by default (only the GM gives either); with `any_yes` the GM agrees beforehand to all
    picks of the player. With `throw` the dice are thrown at once, unless another party has to act;
    `faces` are then those of real dice, as in a `Throw`.
    """

    sender = Who.PLAYER
    move: str
    entity: str = ""
    answers: dict[str, Any] = {}
    hidden: tuple[str, ...] = ()
    any_yes: bool = False
    audience: str = "all"
    shown: tuple[str, ...] = ()
    throw: bool = False
    faces: tuple[str, ...] | None = None


class Settle(Command, frozen=True):
    """Set one party's fields in a proposal; the GM may change any field.

    `stands_in` names absent parties ("actor", "owner:target") for whom the GM acts.
    """

    sender = Who.PLAYER
    proposal: str
    answers: dict[str, Any] = {}
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    stands_in: tuple[str, ...] = ()


class Decline(Command, frozen=True):
    """Decide without a roll: "success", "failure" or "no", with a note. Sent by the GM."""

    sender = Who.GM
    proposal: str
    verdict: str
    note: str = ""


class Withdraw(Command, frozen=True):
    """Withdraw a proposal before the dice are thrown."""

    sender = Who.PLAYER
    proposal: str


class Throw(Command, frozen=True):
    """Throw the dice; `faces` are those of real dice, None for the server's dice."""

    sender = Who.PLAYER
    proposal: str
    faces: tuple[str, ...] | None = None


class MakeMove(Command, frozen=True):
    """Make a move without a proposal, or answer an ask (`ask` is its id)."""

    sender = Who.PLAYER
    move: str
    entity: str = ""
    answers: dict[str, Any] = {}
    ask: str = ""
    faces: tuple[str, ...] | None = None
    audience: str = "all"
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class SkipAsk(Command, frozen=True):
    """Dismiss a card that may be skipped. Sent by one of its audience."""

    sender = Who.PLAYER
    ask: str


class Say(Command, frozen=True):
    """Speak: `mode` is "say", "me" (acts) or "ooc"; `to` is a seat or "gm" for a whisper.

    `dialect` is that of dice within the words; left out, the table's.
    """

    sender = Who.PLAYER
    text: str
    mode: str = "say"
    to: str = ""
    entity: str = ""
    dialect: str = ""


class RollNotation(Command, frozen=True):
    """Dice in notation, such as 2d6!+3; `audience` "all", "gm" (sender and GM) or "self".

    `dialect` is that of the notation; left out, the table's.
    """

    sender = Who.PLAYER
    notation: str
    audience: str = "all"
    entity: str = ""
    label: str = ""
    faces: tuple[str, ...] | None = None
    dialect: str = ""


class SetNote(Command, frozen=True):
    """Change notes: "table" for everyone to read, "gm" for the GM alone."""

    sender = Who.PLAYER
    which: str
    text: str


class SetPortrait(Command, frozen=True):
    """Give an entity a portrait, by the hash of the picture; "" takes it away."""

    sender = Who.PLAYER
    entity: str
    picture: str = ""


class SaveHandout(Command, frozen=True):
    """Write a handout, new where `handout` is ""; `picture` None keeps its picture. For the GM."""

    sender = Who.GM
    title: str
    handout: str = ""
    text: str = ""
    picture: str | None = None


class ShowHandout(Command, frozen=True):
    """Show a handout to seats, to "all" or to nobody. Sent by the GM.

    `backdrop` puts it above the story, or away from there; None leaves that as it is.
    """

    sender = Who.GM
    handout: str
    to: tuple[str, ...] = ()
    backdrop: bool | None = None


class KeepQuick(Command, frozen=True):
    """Keep a roll under a name with its character, to be opened by a tap; `gone` removes it."""

    sender = Who.PLAYER
    entity: str
    label: str
    move: str = ""
    answers: dict[str, Any] = {}
    gone: bool = False


class Reveal(Command, frozen=True):
    """Show everyone a private card. Sent by the GM."""

    sender = Who.GM
    number: int


class Override(Command, frozen=True):
    """Set a fact by hand, openly and with a reason: a path and its new value. For the GM."""

    sender = Who.GM
    path: tuple[str, ...]
    now: Any = None
    gone: bool = False


class Alter(Command, frozen=True):
    """Give a throw other faces, as the GM, where the table's settings allow it.

    The step is taken back and decided again with these faces, and everybody sees that it was.
    """

    sender = Who.GM
    number: int
    faces: tuple[str, ...]


class SetClock(Command, frozen=True):
    """Make, move or remove a clock or a progress track; None changes nothing. Sent by the GM."""

    sender = Who.GM
    clock: str = ""
    title: str | None = None
    filled: int | None = None
    of: int | None = None
    shape: str | None = None
    open: bool | None = None
    gone: bool = False


class SetOracle(Command, frozen=True):
    """Make, change or remove a table to roll on: dice, and a row on each line. Sent by the GM."""

    sender = Who.GM
    oracle: str = ""
    title: str = ""
    rows: str = ""
    dice: str = ""
    open: bool = True
    gone: bool = False


class RollOracle(Command, frozen=True):
    """Roll on a table of the campaign; `text` is a question, `audience` "all" or "gm"."""

    sender = Who.PLAYER
    oracle: str
    text: str = ""
    audience: str = "all"
    faces: tuple[str, ...] | None = None


class SetMarks(Command, frozen=True):
    """Set the conditions of somebody in play. Sent by its player or the GM."""

    sender = Who.PLAYER
    entity: str
    marks: tuple[str, ...] = ()


class ReorderFight(Command, frozen=True):
    """Put a fighter before another in the order of the fight; before nobody: last. For the GM."""

    sender = Who.GM
    entity: str
    before: str = ""


class BeginFight(Command, frozen=True):
    """Begin a fight between two sides; whoever is named again is there once more. For the GM."""

    sender = Who.GM
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


class SetLimit(Command, frozen=True):
    """Draw a line or a veil, or take one away. Sent by anybody at the table, unnamed."""

    sender = Who.NEWCOMER
    unnamed = True
    limit: str = ""
    kind: str = "line"
    text: str = ""
    gone: bool = False


class PlayXCard(Command, frozen=True):
    """Lay the X-card on the table, or take it up. Sent by anybody at the table, unnamed."""

    sender = Who.NEWCOMER
    unnamed = True
    paused: bool = True


class Undo(Command, frozen=True):
    """Undo a step: the GM any, a player their own last one while no step builds on it.

    `also` names later steps that were built on it and go with it.
    """

    sender = Who.PLAYER
    number: int
    also: tuple[int, ...] = ()


if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
else:
    #: Any of these commands, by its tag.
    AnyCommand = reduce(or_, Command.__subclasses__())
