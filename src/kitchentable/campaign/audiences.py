"""Audiences: who may know of an event, a card or a fact.

An audience is "all", "gm" (the GM and the co-GMs), a seat's id (that seat and the GM), or
"seats:A,B" (only these seats; "gm" may be one of them). Audiences are stored with events, so later
settings do not change what a person may know of the past.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
    return seat.state == "seated" and not {*readers_in(audience)}.isdisjoint(known_as(seat))


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

    >>> known_as(Seat("s1", "Ida", "gm")), known_as(Seat("s2", "Mara", "player"))
    (('all', 's1', 'gm'), ('all', 's2'))
    """
    return (EVERYONE, seat.id, GM) if is_gm(seat) else (EVERYONE, seat.id)


#: Limit of remembered answers for one seat.
_MOST = 32
#: A question about a seat: the function that answers it, and its argument.
Question = tuple[Callable[[str, Seat], bool], str]


class Answers(dict[Question, bool]):
    """The answers of one seat; each question is asked once."""

    __slots__ = ("seat",)

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, question: Question) -> bool:
        if len(self) >= _MOST:
            self.clear()
        ask, what = question
        answer = self[question] = ask(what, self.seat)
        return answer


class LogReader:
    """A reader of the log, who depends on a seat only through answers to questions.

    An entry depends on its reader only through these answers, so it can be reused for every seat
    with the same answers to all questions asked so far. A seat may be given as its `Answers`, which
    are shared with other readers.

    >>> ida, mara = Answers(Seat("s1", "Ida", "gm")), Answers(Seat("s2", "Mara", "player"))
    >>> reader = LogReader(mara)
    >>> reader.sees("all"), reader.agrees(ida), reader.is_gm(), reader.agrees(ida)
    (True, True, False, False)
    """

    __slots__ = ("_answers", "_known")

    def __init__(self, seat: Seat | Answers) -> None:
        self._known = seat if isinstance(seat, Answers) else Answers(seat)
        self._answers: dict[Question, bool] = {}

    def sees(self, audience: str) -> bool:
        """Whether the reader belongs to an audience."""
        question = (sees, audience)
        answer = self._answers[question] = self._known[question]
        return answer

    def is_gm(self) -> bool:
        """Whether the reader is the GM or a co-GM."""
        answer = self._answers[_IS_GM] = self._known[_IS_GM]
        return answer

    def sits_at(self, seat: str) -> bool:
        """Whether the reader's seat is the one with this id."""
        question = (_sits_at, seat)
        answer = self._answers[question] = self._known[question]
        return answer

    def agrees(self, known: Answers) -> bool:
        """Whether all questions asked so far have the same answers for another seat."""
        for question, answer in self._answers.items():  # noqa: SIM110 - asked at each event
            if known[question] is not answer:
                return False
        return True

    def reads_as(self, other: LogReader) -> bool:
        """Whether another reader's answers all hold for this one, which then records them."""
        if not other.agrees(self._known):
            return False
        self._answers |= other._answers
        return True

    @classmethod
    def named(cls, name: str, *, gm: bool = False) -> LogReader:
        """Return a reader with "all" and one of the names of `readers_in`; with `gm`, a co-GM.

        >>> [LogReader.named("s2").sees(one) for one in ("all", "s2", "s3", "gm")]
        [True, True, False, False]
        """
        return cls(Seat(name, "", GM if gm or name == GM else "player"))

    def names(self) -> Iterator[str]:
        """Yield the names of `readers_in` that could change an answer given so far."""
        for ask, what in self._answers:
            yield from readers_in(what) if ask is sees else (what or GM,)

    def anew(self) -> LogReader:
        """Return a reader of the same seat without recorded questions."""
        return LogReader(self._known)


def _is_gm(_: str, seat: Seat) -> bool:
    return is_gm(seat)


_IS_GM: Question = (_is_gm, "")


def _sits_at(id: str, seat: Seat) -> bool:
    return seat.id == id


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
