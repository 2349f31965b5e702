"""Audiences: who may know of an event, a card or a fact.

An audience is "all", "gm" (the GM and the co-GMs), a seat's id (that seat and the GM), or
"seats:A,B" (these alone; "gm" may be one of them). It is recorded when a thing happens, so later
settings do not change what a person may know of the past.
"""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.rules.table import Seat
from kitchentable.rules.values import EVERYONE, GM

GM_ROLES = frozenset({"gm", "cogm"})
_AMONG = "seats:"


def is_gm(seat: Seat) -> bool:
    """Whether the seat is the GM's or a co-GM's, and taken.

    >>> is_gm(Seat("s2", "Ida", "cogm")), is_gm(Seat("s3", "Mara", "player"))
    (True, False)
    """
    return seat.role in GM_ROLES and seat.state == "seated"


def among(seats: Iterable[str]) -> str:
    """The audience of these seats alone.

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
    if seat.state != "seated":
        return False
    if audience.startswith(_AMONG):
        members = audience.removeprefix(_AMONG).split(",")
        return seat.id in members or (GM in members and is_gm(seat))
    return audience in {EVERYONE, seat.id} or is_gm(seat)


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

    Where the two have nobody but the GM in common, it is the GM's.

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
