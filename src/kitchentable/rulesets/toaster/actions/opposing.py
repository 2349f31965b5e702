"""What every opposed roll shares: its sides, its facts while it waits, who is ahead, the words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from kitchentable.rules import Band, Part, listed
from kitchentable.rules.kit import Roll, Throw
from kitchentable.rulesets.toaster.actions.throws import Thrown, read_thrown
from kitchentable.rulesets.toaster.book import Record, Row
from kitchentable.rulesets.toaster.mechanics import contests
from kitchentable.rulesets.toaster.mechanics.contests import (
    BEHIND,
    DRAW,
    NOBODY,
    TIE,
    WON,
    Contest,
    Side,
)
from kitchentable.rulesets.toaster.mechanics.tasks import CRITICAL, FUMBLE, TARGET
from kitchentable.rulesets.toaster.people import Here, person

OPPOSED, PARALLEL, RACE, ONLOOKERS = "opposed", "parallel", "race", "onlookers"


def turned(at: Here, first: Thrown, second: Thrown) -> tuple[Thrown, Thrown]:
    """Two sides with what is kept of one put on the other, its sign turned.

    So nobody can read a hidden difficulty off the roll of the one it weighs on
    (toaster.3.difficulty-opposed-known, toaster.3.difficulty-opposed-one-side).
    """

    def facing(one: Thrown, other: Thrown) -> Thrown:
        name = person(at, other.entity).name
        parts = (Part(f"{part.name}, for {name}", -part.value) for part in other.kept)
        return replace(one, kept=tuple(parts))

    return facing(first, second), facing(second, first)


def _in_bands(contest: Contest) -> str:
    """How the first of two fares under variable outcomes: with critical and fumble told apart."""
    word = contest.fares
    if word == WON and contest.bands[0] == CRITICAL:
        return CRITICAL
    return FUMBLE if word != WON and contest.bands[0] == FUMBLE else word


#: How the first side fares.
_fares: Callable[[Contest], str] = attrgetter("fares")


def contest_throw(at: Here, kind: str, throws: Sequence[Thrown]) -> Throw[Contest]:
    """An opposed roll, its odds told for the first side."""
    ext, varies = at.options.extended(), at.options.variable_outcomes
    in_bands = varies and kind != PARALLEL and len(throws) == 2
    best = (Band(CRITICAL, "a critical win", "splendid", good=True),) if in_bands else ()
    worst = (Band(FUMBLE, "loses with a fumble", "bad"),) if in_bands else ()
    alone = kind == PARALLEL or ext.zeros
    nobody = (Band(NOBODY, "nobody succeeds", "bad"),) if alone else ()
    bands = (
        *best,
        Band(WON, "wins", "good", good=True),
        Band(TIE, "a draw" if in_bands else "a tie"),
        Band(BEHIND, "loses", "bad"),
        *worst,
        *nobody,
    )
    mechanic = contests.parallel if kind == PARALLEL else contests.contest
    roll = Roll(mechanic, bands, _in_bands if in_bands else _fares)
    return roll(sides_of(throws), ext, varies)


def sides_of(throws: Sequence[Thrown]) -> tuple[Side, ...]:
    """The sides as the mechanic takes them."""
    return tuple(Side(one.modifier, one.label, one.called) for one in throws)


# ---------------------------------------------------------------- the facts of a throw


@dataclass(frozen=True, slots=True)
class Fallen:
    """An opposed roll that has fallen: its kind, its throws, and what is told of it."""

    kind: str
    throws: tuple[Thrown, ...]
    about: Record
    used: Mapping[str, int]

    @classmethod
    def read(cls, plain: Record, added: Mapping[str, int], used: Mapping[str, int]) -> Fallen:
        """The roll out of plain data, with the luck that was added and spent since."""
        throws = (read_thrown(one, added.get(one["entity"], 0)) for one in plain["throws"])
        return cls(plain["kind"], tuple(throws), plain["about"], used)

    def plain(self) -> Row:
        """The roll as plain data; luck is told by what waits."""
        throws = [one.plain() for one in self.throws]
        return {"kind": self.kind, "throws": throws, "about": dict(self.about)}

    def is_open(self, at: Here) -> bool:
        """Whether everybody may know all of it: nothing kept, nobody closed."""
        people = (person(at, one.entity) for one in self.throws)
        kept = any(one.kept for one in self.throws)
        return not kept and not any(one.is_closed or one.hidden for one in people)


def fallen(kind: str, throws: Sequence[Thrown], contest: Contest, about: Record) -> Fallen:
    """The facts of a contest that has just fallen."""
    fell = tuple(
        replace(
            one,
            total=contest.totals[place],
            zero=contest.zeros[place],
            fumble=contest.zeros[place] and contest.bands[place] == FUMBLE,
            second=contest.seconds[place].total,
        )
        for place, one in enumerate(throws)
    )
    return Fallen(kind, fell, about, {one.entity: one.luck for one in throws if one.luck})


def judged(at: Here, roll: Fallen) -> Contest:
    """Who is ahead with the luck that was spent."""
    throws = roll.throws
    return Contest(
        tuple(one.final for one in throws),
        tuple(0 if one.zero else None for one in throws),
        tuple(contests.Second(one.second) for one in throws),
        (),
        at.options.variable_outcomes,
        TARGET if roll.kind == PARALLEL else None,
        tuple(one.fumble for one in throws),
    )


def standing_words(contest: Contest, names: Sequence[str]) -> str:
    """How it stands, in a sentence.

    >>> close = Contest((11, 10), (None, None), (), (5, 5), varies=True)
    >>> standing_words(close, ("Ana", "Ben"))
    'A draw, with Ana ahead by 1.'
    """
    if contest.winner is not None:
        return f"{names[contest.winner]} wins."
    if contest.standing == NOBODY:
        return "Nobody succeeds."
    if contest.standing == DRAW:
        best = contest.totals[contest.ahead[0]]
        top = (names[at] for at in contest.ahead if contest.totals[at] == best)
        return f"A draw, with {listed(top)} ahead by 1."
    return f"A tie between {listed(names[at] for at in contest.ahead)}."
