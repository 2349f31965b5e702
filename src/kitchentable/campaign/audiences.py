"""Audiences: who may know of an event, a card or a fact.

An audience is "all", "gm" (the GM and the co-GMs), a seat's id (that seat and the GM), or
"seats:A,B" (only these seats; "gm" may be one of them). Audiences are stored with events, so later
settings do not change what a person may know of the past.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kitchentable.rules.table import Seat
from kitchentable.rules.values import EVERYONE, GM

GM_ROLES = frozenset({"gm", "cogm"})
_AMONG = "seats:"


def is_gm(seat: Seat) -> bool:
    """Whether the seat is the GM's or a co-GM's, and taken.

    >>> is_gm(Seat("s2", "Ida", "cogm")), is_gm(Seat("s3", "Mara", "player"))
    (True, False)
    """
    return seat.role in GM_ROLES and seat.is_seated


def among(seats: Iterable[str]) -> str:
    """Return the audience of these seats alone.

    >>> among(["s3", "s2"])
    'seats:s2,s3'
    """
    return _AMONG + ",".join(sorted(set(seats)))


def sees(audience: str, seat: Seat) -> bool:
    """Whether a seat belongs to an audience.

    >>> mara = Seat("s2", "Mara", "player")
    >>> [sees(one, mara) for one in ("all", "gm", "s2", "s3", "seats:s2,s3")]
    [True, False, True, False, True]
    """
    return not {*readers_in(audience)}.isdisjoint(known_as(seat))


def readers_in(audience: str) -> tuple[str, ...]:
    """The names under which the readers of an audience are known: seats, "gm", or "all".

    >>> readers_in("all"), readers_in("s2"), readers_in("seats:s2,s3")
    (('all',), ('s2', 'gm'), ('s2', 's3'))
    """
    if audience.startswith(_AMONG):
        return tuple(audience.removeprefix(_AMONG).split(","))
    return (audience,) if audience in {EVERYONE, GM} else (audience, GM)


def known_as(seat: Seat) -> tuple[str, ...]:
    """The names of `readers_in` for a seat: an audience with one of them holds the seat.

    A seat that is not taken has none.

    >>> known_as(Seat("s1", "Ida", "gm")), known_as(Seat("s2", "Mara", "player"))
    (('all', 's1', 'gm'), ('all', 's2'))
    """
    if not seat.is_seated:
        return ()
    return (EVERYONE, seat.id, GM) if seat.role in GM_ROLES else (EVERYONE, seat.id)


class LogReader:
    """A reader of the log with the names of a seat (`known_as`), and the questions about them.

    An entry depends on its reader only through these questions, so it can be reused for every
    reader with the same answers to all questions asked so far.

    >>> ida, mara = ("all", "s1", "gm"), ("all", "s2")
    >>> reader = LogReader(mara)
    >>> reader.sees("all"), reader.agrees(ida), reader.is_gm(), reader.agrees(ida)
    (True, True, False, False)
    """

    __slots__ = ("_asked", "_names")

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._asked: dict[str, bool] = {}

    def sees(self, audience: str) -> bool:
        """Whether the reader belongs to an audience."""
        for name in readers_in(audience):
            there = self._asked[name] = name in self._names
            if there:
                return True
        return False

    def is_gm(self) -> bool:
        """Whether the reader is the GM or a co-GM."""
        answer = self._asked[GM] = GM in self._names
        return answer

    def sits_at(self, name: str) -> bool:
        """Whether the reader has this name, such as the id of its seat."""
        answer = self._asked[name] = name in self._names
        return answer

    def agrees(self, names: Collection[str]) -> bool:
        """Whether all questions asked so far have the same answers for a reader of these names."""
        for name, answer in self._asked.items():  # noqa: SIM110 - asked at each event
            if (name in names) is not answer:
                return False
        return True

    def reads_as(self, other: LogReader) -> bool:
        """Whether another reader's answers all hold for this one, which then records them."""
        if not other.agrees(self._names):
            return False
        self._asked |= other._asked
        return True

    @property
    def asked(self) -> Collection[str]:
        """The names that the questions asked so far were about."""
        return self._asked

    def anew(self) -> LogReader:
        """Return a reader of the same names without recorded questions."""
        return LogReader(self._names)


def is_behind_screen(audience: str, seats: Iterable[Seat]) -> bool:
    """Whether an audience is only the GM and the co-GMs.

    >>> table = Seat("s1", "Ida", "gm"), Seat("s2", "Mara", "player")
    >>> [is_behind_screen(one, table) for one in ("all", "gm", "s2", "seats:s1", "seats:s1,s2")]
    [False, True, False, True, False]
    """
    if audience == EVERYONE:
        return False
    return not any(sees(audience, seat) for seat in seats if not is_gm(seat))


def narrower(one: str, other: str, gm_seat: str) -> str:
    """The intersection of two audiences.

    If only the GM belongs to both, the result is "gm".

    >>> narrower("all", "s2", "s1"), narrower("s2", "s3", "s1"), narrower("gm", "all", "s1")
    ('s2', 'gm', 'gm')
    """
    if one in {EVERYONE, other}:
        return other
    if other == EVERYONE:
        return one
    if not (one.startswith(_AMONG) or other.startswith(_AMONG)):
        return GM
    both = _members(one, gm_seat) & _members(other, gm_seat)
    return among(both) if both else GM


def _members(audience: str, gm_seat: str) -> set[str]:
    if audience.startswith(_AMONG):
        return set(audience.removeprefix(_AMONG).split(","))
    return {GM, gm_seat} | ({audience} - {GM})
