"""Commands: what people ask of the table, each decided once."""

from __future__ import annotations

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


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    """What every command has: an id made by the sender (the same id is the same command), the seat
    it comes from (set by the server, never by the sender), and why, where a reason is asked for.

    `sender` is the least that the sender of such a command has to be.
    """

    sender: ClassVar[Who]
    id: str
    seat: str = ""
    reason: str = ""


class OpenCampaign(Command, frozen=True, tag="open-campaign"):
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


class SetOptions(Command, frozen=True, tag="set-options"):
    """The GM changes optional rules; what that means for what exists is in `answers`."""

    sender = Who.PRINCIPAL
    options: dict[str, Any]
    answers: dict[str, Any] = {}


class UpdateGame(Command, frozen=True, tag="update-game"):
    """The GM lets the campaign go on with the version of its game that is at hand."""

    sender = Who.PRINCIPAL
    version: str


class SetSettings(Command, frozen=True, tag="set-settings"):
    """The GM changes how the table is run: who confirms rolls, whether odds are shown ..."""

    sender = Who.PRINCIPAL
    settings: dict[str, Any]


class AskForSeat(Command, frozen=True, tag="ask-for-seat"):
    """Somebody with the link asks to join under a name; `new_seat` is the id the server gave."""

    sender = Who.NEWCOMER
    new_seat: str
    name: str
    role: str = "player"
    approved: bool = False


class DecideSeat(Command, frozen=True, tag="decide-seat"):
    """The GM lets somebody in, does not, or ends a seat ("approve", "refuse", "revoke")."""

    sender = Who.PRINCIPAL
    of: str
    verdict: str


class RenameSeat(Command, frozen=True, tag="rename-seat"):
    """A person, or the GM for them, changes the name on a seat."""

    sender = Who.PLAYER
    of: str
    name: str


class SetRole(Command, frozen=True, tag="set-role"):
    """The GM makes a seat a player's, a spectator's or a co-GM's."""

    sender = Who.PRINCIPAL
    of: str
    role: str


class HandOver(Command, frozen=True, tag="hand-over"):
    """The GM gives a seat's device away: its old link stops, a new one is made by the server."""

    sender = Who.PRINCIPAL
    of: str


class BeginSession(Command, frozen=True, tag="begin-session"):
    """The GM begins an evening; the server gives the commitments to its dice and to its screen."""

    sender = Who.GM
    commitment: str = ""
    screen_commitment: str = ""


class Contribute(Command, frozen=True, tag="contribute"):
    """A player adds their own words to the seed of the evening's dice."""

    sender = Who.PLAYER
    text: str


class CloseSession(Command, frozen=True, tag="close-session"):
    """The GM turns to the end of the evening: petitions, advancement."""

    sender = Who.GM


class EndSession(Command, frozen=True, tag="end-session"):
    """The GM ends the evening; the server reveals the seed of its dice, and to the GM the screen.

    `unused` are numbers of throws that were given out and then shown to nobody, because their
    commands were refused or lost.
    """

    sender = Who.GM
    seed: str = ""
    screen: str = ""
    unused: tuple[int, ...] = ()


class MakeEntity(Command, frozen=True, tag="make-entity"):
    """A player begins a character, or the GM makes anybody. `owner` "" is the sender."""

    sender = Who.PLAYER
    kind: str
    name: str
    owner: str = ""
    sheet: dict[str, Any] | None = None
    hidden: bool = False
    open: bool | None = None
    line: str = ""


class SaveSheet(Command, frozen=True, tag="save-sheet"):
    """What was built is kept, finished or not; `raw` is the form as it was filled in."""

    sender = Who.PLAYER
    entity: str
    raw: dict[str, Any]
    name: str | None = None
    line: str | None = None


class SubmitSheet(Command, frozen=True, tag="submit-sheet"):
    """A finished character is put before the GM. Refused while a rule refuses."""

    sender = Who.PLAYER
    entity: str


class DecideSheet(Command, frozen=True, tag="decide-sheet"):
    """The GM takes a character into play, or sends it back with a word."""

    sender = Who.GM
    entity: str
    accept: bool


class ChangeEntity(Command, frozen=True, tag="change-entity"):
    """The GM changes name, owner, hidden, open or stage of somebody; None leaves it as it is."""

    sender = Who.GM
    entity: str
    name: str | None = None
    line: str | None = None
    owner: str | None = None
    hidden: bool | None = None
    open: bool | None = None
    gone: bool | None = None


class Propose(Command, frozen=True, tag="propose"):
    """A conversation of a roll begins: by the actor's player, or by the GM for an entity.

    `hidden` names the answers the GM keeps to themselves, `shown` those shown although they are
    hidden by default (only the GM gives either); `any_yes` is the GM saying beforehand
    that whatever the player picks is fine. With `throw` the dice fall at once, unless somebody else
    has a part to speak; `faces` are then those of real dice, as in a `Throw`.
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


class Settle(Command, frozen=True, tag="settle"):
    """One party sets what is theirs in a conversation; the GM may change anything in it.

    `stands_in` names parties ("actor", "owner:target") for whom the GM speaks, when they are away.
    """

    sender = Who.PLAYER
    proposal: str
    answers: dict[str, Any] = {}
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    stands_in: tuple[str, ...] = ()


class Decline(Command, frozen=True, tag="decline"):
    """The GM says that no roll is needed: "success", "failure" or "no", with a word."""

    sender = Who.GM
    proposal: str
    verdict: str
    note: str = ""


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Who began a conversation takes it back before the dice fall."""

    sender = Who.PLAYER
    proposal: str


class Throw(Command, frozen=True, tag="throw"):
    """The dice fall; `faces` are those of real dice, typed in; None for the table's dice."""

    sender = Who.PLAYER
    proposal: str
    faces: tuple[str, ...] | None = None


class MakeMove(Command, frozen=True, tag="make-move"):
    """A move that needs no conversation, or the answer to an ask (`ask` is its id)."""

    sender = Who.PLAYER
    move: str
    entity: str = ""
    answers: dict[str, Any] = {}
    ask: str = ""
    faces: tuple[str, ...] | None = None
    audience: str = "all"
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class SkipAsk(Command, frozen=True, tag="skip-ask"):
    """A card that may be skipped is put away by one of those it waits for."""

    sender = Who.PLAYER
    ask: str


class Say(Command, frozen=True, tag="say"):
    """Somebody speaks. `mode`: "say", "me" (acts), "ooc"; `to` whispers to a seat or "gm".

    `dialect` is that of dice within the words; left out, the table's.
    """

    sender = Who.PLAYER
    text: str
    mode: str = "say"
    to: str = ""
    entity: str = ""
    dialect: str = ""


class RollNotation(Command, frozen=True, tag="roll-notation"):
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


class SetNote(Command, frozen=True, tag="set-note"):
    """Notes of the table ("table", everyone reads them) or of the GM alone ("gm")."""

    sender = Who.PLAYER
    which: str
    text: str


class Reveal(Command, frozen=True, tag="reveal"):
    """The GM shows everyone a card that was private."""

    sender = Who.GM
    number: int


class Override(Command, frozen=True, tag="override"):
    """The GM sets a fact by hand, openly, with a reason: a path and its new value."""

    sender = Who.GM
    path: tuple[str, ...]
    now: Any = None
    gone: bool = False


class Alter(Command, frozen=True, tag="alter"):
    """The GM alters what dice showed, where the table's settings let them: other faces for a throw.

    The step is taken back and decided again with these faces, and everybody sees that it was.
    """

    sender = Who.GM
    number: int
    faces: tuple[str, ...]


class Undo(Command, frozen=True, tag="undo"):
    """A step is taken back: by the GM any, by a player the own last one while nobody built on it.

    `also` names later steps that were built on it and go with it.
    """

    sender = Who.PLAYER
    number: int
    also: tuple[int, ...] = ()


if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
else:
    #: Any of the commands above, by its tag.
    AnyCommand = reduce(or_, Command.__subclasses__())
