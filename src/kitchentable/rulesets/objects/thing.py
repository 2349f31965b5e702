"""An object in play: talents, status, karma, parts, and their visibility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from kitchentable.rules import Entity, Json, Table, Track, kit, whole
from kitchentable.rules.kit import Being, Fact, Form, Rows, on_sheet, state
from kitchentable.rules.kit.listings import name_of
from kitchentable.rules.kit.verdicts import Verdicts
from kitchentable.rules.values import record
from kitchentable.rulesets.objects.options import BOOK, Options

#: The words of both scales, by number.
TALENT_WORDS = BOOK.column("talent_level", "word", by="level")
STATUS_WORDS = BOOK.column("status", "word", by="level")
LOWEST, HIGHEST = 0, 6
#: The GM's verdict on each gained talent (objects.2.3-gt-agree).
VERDICTS = Verdicts("talents", "agreed")
#: The status of an undamaged object (objects.2.5-status-start).
GOOD = 6


@record
class Talent:
    """A talent on a sheet: words, level and the GM's verdict.

    `leads_to` is the id of the object that is this talent, such as a ship's pilot. `verdict` is
    "agreed", "not yet" or "proposed".
    """

    name: str
    level: int
    basic: bool = False
    leads_to: str = ""
    verdict: str = "agreed"
    word: str = ""

    @property
    def phrase(self) -> str:
        """The talent as written: word, talent, number (objects.2.3-write-form).

        >>> Talent("Agile", 2, basic=True).phrase
        'Somewhat agile (2)'
        """
        name = self.name[:1].lower() + self.name[1:] if self.basic else self.name
        return f"{TALENT_WORDS.get(self.level, '?')} {name} ({self.level})"


def status_phrase(status: int) -> str:
    """A status as word and number.

    >>> status_phrase(4)
    'Injured (4)'
    """
    return f"{STATUS_WORDS.get(status, '?')} ({status})"


class Thing(Being):
    """An object in play, or before play."""

    power = state("")
    #: Karma belongs to the object, regardless of its player (objects.3.k-object).
    karma = state(0)
    leave = state(default=False)
    injuries: Fact[Rows] = state([])
    rows: Fact[Rows] = on_sheet([], "talents")
    objectives: Fact[Rows] = on_sheet([])
    _status: Fact[int] = state(-1, "status")

    @property
    def options(self) -> Options:
        """The table's options."""
        return Options(self.table.options)

    # ------------------------------------------------------------ status and karma

    @property
    def status(self) -> int:
        """The status, from 6 (good) to 0; at first from the sheet."""
        return self._status if self._status >= 0 else whole(self.sheet.get("status", GOOD))

    @status.setter
    def status(self, value: int) -> None:
        self._status = value

    @property
    def phrase(self) -> str:
        """The status as word and number."""
        return status_phrase(self.status)

    @property
    def words(self) -> tuple[str, str]:
        """The status, as words and a tone."""
        return self.phrase, "plain" if self.status >= GOOD - 1 else "bad"

    @property
    def track(self) -> Track:
        """The status as boxes with its words."""
        value = self.status
        tone = "good" if value >= GOOD - 1 else "bad"
        return Track("Status", value, GOOD, f"{value} of {GOOD}", tone)

    @property
    def ails(self) -> Rows:
        """The injuries that are not healed."""
        return [row for row in self.injuries if not row.get("healed")]

    @property
    def has_karma(self) -> bool:
        """Whether the object earns and uses karma at this table (objects.3.k-gm-objects)."""
        return self.is_players or self.options.karma_gm

    @property
    def may_spend(self) -> int:
        """The karma that the object may use now."""
        return self.karma if self.is_known and self.has_karma else 0

    # ------------------------------------------------------------ talents

    @property
    def is_known(self) -> bool:
        """Whether the talents are visible; a player's table has none of a closed object."""
        return isinstance(self.sheet.get("talents"), list)

    @property
    def talents(self) -> tuple[Talent, ...]:
        """Basic talents in the order of the type, then gained ones (objects.2.3-gained-talents).

        Objects keep a basic talent that the table has removed.
        """
        return (*self.basic, *self.gained)

    @property
    def basic(self) -> tuple[Talent, ...]:
        """The talents of the type, each at the object's own level."""
        levels: Any = self.sheet.get("basic") or {}
        if not self.is_known or not isinstance(levels, Mapping):
            return ()
        names = {one.key: one.name for one in self.options.basics(self.entity.kind)}
        left = (key for key in levels if key not in names)
        names |= {key: name_of(key) for key in left}
        return tuple(
            Talent(name, whole(levels.get(key)), basic=True) for key, name in names.items()
        )

    @property
    def gained(self) -> tuple[Talent, ...]:
        """The gained talents: learned, acquired, or other objects, with the GM's verdict on each.

        The GM's own talents need none (objects.2.3-gt-agree).
        """
        return tuple(
            Talent(
                name,
                whole(row.get("level")),
                leads_to=row.get("object") or "",
                **VERDICTS.said(self, name),
            )
            for row in self.rows
            for name in (row.get("name") or "",)
        )

    @property
    def usable(self) -> tuple[Talent, ...]:
        """The talents that can be rolled: those the GM agreed to."""
        return tuple(one for one in self.talents if one.verdict == "agreed")

    def talent(self, name: Json) -> Talent | None:
        """The talent with this name, ignoring case, or None."""
        wanted = str(name).casefold()
        return next((one for one in self.talents if one.name.casefold() == wanted), None)

    # ------------------------------------------------------------ parts and wholes

    @property
    def parts(self) -> tuple[Entity, ...]:
        """The objects that are talents of this one and are at this table."""
        ids = dict.fromkeys(one.leads_to for one in self.gained if one.leads_to)
        return tuple(self.table.entities[one] for one in ids if one in self.table.entities)

    @property
    def aboard(self) -> tuple[Thing, ...]:
        """The parts that are in play as objects themselves."""
        return tuple(Thing(self.table, o, self.at) for o in self.parts if o.stage == "play")

    @property
    def wholes(self) -> Iterator[Entity]:
        """The objects in play that have this one as a talent (objects.2.3-crew-as-talent)."""
        for one in self.table.in_play():
            if any(row.leads_to == self.id for row in Thing(self.table, one).gained):
                yield one


objects = BOOK.ruleset(Thing, Options)
F = TypeVar("F", bound=Form)
At: TypeAlias = kit.At[F, Thing, Options]
Here = At[Any]


def leave(at: Here, one: Thing) -> None:
    """Take an object off the table and out of its fight, and close its cards."""
    at.write(("entities", one.id, "stage"), "gone")
    fight: Any = at.table.fight
    if fight is not None:
        at.write(("fight", "order"), [who for who in fight["order"] if who != one.id])
        if fight["turn"] == one.id:
            at.write(("fight", "turn"), "")
    drop(at, one, "fate", "again", "judge_status", "judge_talent")


def drop(at: Here, one: Thing, *moves: str) -> None:
    """Close the cards about an object that are answered by these moves."""
    at.close(*(ask.id for ask in at.cards(*moves, of=one.id)))


def capped(options: Options, points: int) -> int:
    """Karma, limited by the table (objects.3.k-start)."""
    return points if options.karma_cap is None else min(points, options.karma_cap)


def moment(table: Table) -> str:
    """The time of an event, for notes."""
    day = f"day {table.day}" if table.day else ""
    session = f"session {table.session.number}" if table.session.number else ""
    return ", ".join(part for part in (session, day) if part) or "before play"
