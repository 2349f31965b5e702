"""Commands: requests to change a campaign, each decided once."""

from __future__ import annotations

import re
from enum import Enum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import msgspec


class Who(Enum):
    """The lowest role that may send a command."""

    NEWCOMER = "anybody who has the link"
    PLAYER = "a player or the GM"
    GM = "the GM or a co-GM"
    PRINCIPAL = "the GM"


def _name(command: str) -> str:
    """Return the name of a command in the API, made from its class name.

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

    The sender chooses the id, which identifies this command alone; the server sets the seat.
    `sender` is the lowest role that may send such a command. Events of an `unnamed` command do not
    say who sent it.
    """

    sender: ClassVar[Who]
    unnamed: ClassVar[bool] = False
    id: str
    seat: str = ""
    reason: str = ""


class OpenCampaign(Command, frozen=True):
    """Start a campaign; the sender becomes its GM, called `name`.

    The server sets the salt, which is hashed into ids so that they do not reveal the number of
    hidden steps.
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
    """Ask for a seat under a name; the server sets the id `new_seat`."""

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
    """Hand a seat over to another device: its link ends, and the server creates a new one."""

    sender = Who.PRINCIPAL
    of: str


class BeginSession(Command, frozen=True):
    """Begin a session; the server adds the commitments to its open and secret dice."""

    sender = Who.GM
    commitment: str = ""
    screen_commitment: str = ""


class Contribute(Command, frozen=True):
    """Mix a player's own words into the seed of the session's dice."""

    sender = Who.PLAYER
    text: str


class CloseSession(Command, frozen=True):
    """Move to the end of the session: petitions, advancement. Sent by the GM."""

    sender = Who.GM


class EndSession(Command, frozen=True):
    """End the session; the server reveals the seed to everybody and the secret seed to the GM.

    `unused` are numbers of reserved throws that nobody saw, because their commands were refused or
    lost.
    """

    sender = Who.GM
    seed: str = ""
    screen: str = ""
    unused: tuple[int, ...] = ()


class MakeEntity(Command, frozen=True):
    """Create an entity: a player's character, or any kind for the GM.

    An empty `kind` means the first kind that a player may make.
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
    """Save a sheet, finished or not; `raw` is the submitted form."""

    sender = Who.PLAYER
    entity: str
    raw: dict[str, Any]
    name: str | None = None
    line: str | None = None


class SubmitSheet(Command, frozen=True):
    """Submit a finished character to the GM; the rules may refuse it."""

    sender = Who.PLAYER
    entity: str


class DecideSheet(Command, frozen=True):
    """Accept a character into play, or send it back with a note. Sent by the GM."""

    sender = Who.GM
    entity: str
    accept: bool


class ChangeEntity(Command, frozen=True):
    """Change an entity's name, owner, hidden, open or stage. None keeps it. For the GM."""

    sender = Who.GM
    entity: str
    name: str | None = None
    line: str | None = None
    owner: str | None = None
    hidden: bool | None = None
    open: bool | None = None
    gone: bool | None = None


class Propose(Command, frozen=True):
    """Propose a roll that others take part in. Sent by the actor's player or the GM.

    `hidden` names the answers that the GM keeps secret, `shown` those revealed although they are
    hidden by default; only the GM sets either. With `any_yes` the GM agrees in advance to all picks
    of the player. With `throw` the dice are thrown at once unless another party has to act; `faces`
    are then the faces of real dice, as in a `Throw`.
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

    `stands_in` names absent parties ("actor", "owner:target") that the GM acts for.
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
    """Throw a proposal's dice; `faces` are the faces of real dice, None for the server's dice."""

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
    """Say something: `mode` is "say", "me" (acts) or "ooc"; `to` is a seat or "gm" for a whisper.

    `dialect` is the dialect of dice in the text, by default the table's.
    """

    sender = Who.PLAYER
    text: str
    mode: str = "say"
    to: str = ""
    entity: str = ""
    dialect: str = ""


class RollNotation(Command, frozen=True):
    """Roll dice notation, such as 2d6!+3; `audience` is "all", "gm" (sender and GM) or "self".

    `dialect` is the dialect of the notation, by default the table's.
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
    """Set an entity's portrait to the hash of a picture; "" removes it."""

    sender = Who.PLAYER
    entity: str
    picture: str = ""


class SaveHandout(Command, frozen=True):
    """Create (`handout` "") or change a handout; `picture` None keeps it. Sent by the GM."""

    sender = Who.GM
    title: str
    handout: str = ""
    text: str = ""
    picture: str | None = None


class ShowHandout(Command, frozen=True):
    """Show a handout to seats, to "all" or to nobody. Sent by the GM.

    `backdrop` shows it above the story or removes it from there; None changes nothing.
    """

    sender = Who.GM
    handout: str
    to: tuple[str, ...] = ()
    backdrop: bool | None = None


class KeepQuick(Command, frozen=True):
    """Save a character's roll under a name, to open it with one tap; `gone` removes it."""

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
    """Set the fact at a path to a new value, with a public reason. Sent by the GM."""

    sender = Who.GM
    path: tuple[str, ...]
    now: Any = None
    gone: bool = False


class Alter(Command, frozen=True):
    """Give a throw other faces, if the table's settings allow it. Sent by the GM.

    The step is taken back and decided again with these faces. The log shows this to everybody.
    """

    sender = Who.GM
    number: int
    faces: tuple[str, ...]


class SetClock(Command, frozen=True):
    """Make, change or remove a clock or a progress track; None keeps a value. Sent by the GM."""

    sender = Who.GM
    clock: str = ""
    title: str | None = None
    filled: int | None = None
    of: int | None = None
    shape: str | None = None
    open: bool | None = None
    gone: bool = False


class SetOracle(Command, frozen=True):
    """Make, change or remove a roll table: dice, and one row on each line. Sent by the GM."""

    sender = Who.GM
    oracle: str = ""
    title: str = ""
    rows: str = ""
    dice: str = ""
    open: bool = True
    gone: bool = False


class RollOracle(Command, frozen=True):
    """Roll on a roll table; `text` is a question, `audience` "all" or "gm"."""

    sender = Who.PLAYER
    oracle: str
    text: str = ""
    audience: str = "all"
    faces: tuple[str, ...] | None = None


class SetMarks(Command, frozen=True):
    """Set the conditions of an entity in play. Sent by its player or the GM."""

    sender = Who.PLAYER
    entity: str
    marks: tuple[str, ...] = ()


class ReorderFight(Command, frozen=True):
    """Move a fighter before another in the turn order; before "" is last. Sent by the GM."""

    sender = Who.GM
    entity: str
    before: str = ""


class BeginFight(Command, frozen=True):
    """Begin a fight between two sides; naming an entity again adds a copy. Sent by the GM."""

    sender = Who.GM
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


class SetLimit(Command, frozen=True):
    """Set or remove a line or a veil. Sent by anybody at the table, unnamed."""

    sender = Who.NEWCOMER
    unnamed = True
    limit: str = ""
    kind: str = "line"
    text: str = ""
    gone: bool = False


class PlayXCard(Command, frozen=True):
    """Play the X-card or take it away. Sent by anybody at the table, unnamed."""

    sender = Who.NEWCOMER
    unnamed = True
    paused: bool = True


class Undo(Command, frozen=True):
    """Undo a step: the GM any, a player their own last one if no later step depends on it.

    `also` has the numbers of later steps that depend on it and are undone too.
    """

    sender = Who.PLAYER
    number: int
    also: tuple[int, ...] = ()


if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
else:
    #: Any of these commands, by its tag.
    AnyCommand = reduce(or_, Command.__subclasses__())
