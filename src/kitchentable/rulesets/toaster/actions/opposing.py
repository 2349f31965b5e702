"""What every opposed roll shares: its sides, how they wait for luck, who is ahead, what is told.

The kinds: "opposed", two or many against each other; "parallel", rivals who each need 10; "race",
opposed with an order at the end; "onlookers", one throw against each of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kitchentable.dice import Mechanic
from kitchentable.rules import (
    Actor,
    Answers,
    Band,
    Entity,
    Part,
    Question,
    Table,
    whole,
)
from kitchentable.rulesets.toaster.actions import facts, outcomes
from kitchentable.rulesets.toaster.actions.facts import Thrown, read_thrown
from kitchentable.rulesets.toaster.actions.fields import on_name
from kitchentable.rulesets.toaster.actions.reckoning import (
    Names,
    Reckoning,
    helping,
    of_the_gm,
    own_parts,
    rolled_on,
)
from kitchentable.rulesets.toaster.actions.waiting import Waiting
from kitchentable.rulesets.toaster.character import lens
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
from kitchentable.rulesets.toaster.options.stars import extended

OPPOSED, PARALLEL, RACE, ONLOOKERS = "opposed", "parallel", "race", "onlookers"


@dataclass(frozen=True, slots=True)
class Party:
    """One side of an opposed roll before it falls."""

    entity: Entity
    name: str
    on: str
    label: str
    reckoning: Reckoning
    called: bool = False
    luck: int = 0

    @property
    def side(self) -> Side:
        """The side as the mechanic takes it."""
        return Side(self.reckoning.modifier, self.label, self.called)


def party(
    table: Table, actor: Actor, entity: Entity, answers: Answers, names: Names, label: str
) -> Party:
    """A side with all that is added to it (toaster.3.opposed-skills, toaster.3.opposed-rolls)."""
    open_parts, kept = of_the_gm(table, actor, answers, names)
    own = (*own_parts(table, entity, answers, names), *helping(table, answers, names))
    return Party(
        entity,
        on_name(table, answers, names),
        str(rolled_on(answers, names)),
        label,
        Reckoning((*own, *open_parts), kept),
        bool(answers.get(names("called"))),
        whole(answers.get(names("luck"))),
    )


def turned(first: Party, second: Party) -> tuple[Party, Party]:
    """Two sides with what is kept of one put on the other, its sign turned.

    So nobody can read a hidden difficulty off the roll of the one it weighs on
    (toaster.3.difficulty-opposed-known, toaster.3.difficulty-opposed-one-side).
    """
    return _facing(first, second), _facing(second, first)


def _facing(one: Party, other: Party) -> Party:
    parts = tuple(
        Part(f"{part.name}, for {other.entity.name}", -part.value) for part in other.reckoning.kept
    )
    return replace(one, reckoning=Reckoning(one.reckoning.open, parts))


def mechanic_of(kind: str) -> Mechanic[..., Contest]:
    """The roll of a kind of contest."""
    return contests.parallel if kind == PARALLEL else contests.contest


def fares_in_bands(contest: Contest) -> str:
    """How the first of two fares under variable outcomes: with critical and fumble told apart."""
    word = contest.fares
    if word == WON and contest.bands[0] == CRITICAL:
        return CRITICAL
    return FUMBLE if word != WON and contest.bands[0] == FUMBLE else word


def fares(contest: Contest) -> str:
    """How the first side fares."""
    return contest.fares


def contest_question(table: Table, kind: str, parties: Sequence[Party]) -> Question:
    """The question of an opposed roll, its odds told for the first side."""
    ext, varies = extended(table.options), outcomes.varies(table)
    in_bands = varies and kind != PARALLEL and len(parties) == 2
    by = fares_in_bands if in_bands else fares
    return Question(
        mechanic_of(kind),
        (tuple(one.side for one in parties), ext, varies),
        _bands(in_bands=in_bands, alone=kind == PARALLEL or ext.zeros),
        by,
        tuple(one.label for one in parties if lens.is_closed(one.entity) or one.entity.hidden),
    )


def _bands(*, in_bands: bool, alone: bool) -> tuple[Band, ...]:
    best = (Band(CRITICAL, "a critical win", "splendid", good=True),) if in_bands else ()
    worst = (Band(FUMBLE, "loses with a fumble", "bad"),) if in_bands else ()
    nobody = (Band(NOBODY, "nobody succeeds", "bad"),) if alone else ()
    return (
        *best,
        Band(WON, "wins", "good", good=True),
        Band(TIE, "a draw" if in_bands else "a tie"),
        Band(BEHIND, "loses", "bad"),
        *worst,
        *nobody,
    )


# ---------------------------------------------------------------- the facts of a throw


@dataclass(frozen=True, slots=True)
class Fallen:
    """An opposed roll that has fallen: its kind, its throws, and what is told of it."""

    kind: str
    throws: tuple[Thrown, ...]
    about: Mapping[str, Any]
    used: Mapping[str, int]

    def plain(self) -> dict[str, Any]:
        """The roll as plain JSON; luck is told by what waits."""
        return {
            "kind": self.kind,
            "throws": [one.plain() for one in self.throws],
            "about": dict(self.about),
        }


def fallen(
    kind: str, parties: Sequence[Party], contest: Contest, about: Mapping[str, Any]
) -> Fallen:
    """The facts of a contest that has just fallen."""
    throws = tuple(
        Thrown(
            one.entity.id,
            one.name,
            one.on,
            one.label,
            contest.totals[at],
            one.reckoning.open,
            one.reckoning.kept,
            contest.zeros[at],
            contest.zeros[at] and contest.bands[at] == FUMBLE,
            contest.seconds[at].total,
            one.called,
            one.luck,
            rank=one.reckoning.open[0].value,
        )
        for at, one in enumerate(parties)
    )
    return Fallen(kind, throws, about, {one.entity.id: one.luck for one in parties if one.luck})


def read_fallen(waiting: Waiting) -> Fallen | None:
    """The facts out of what waits, with the luck that was added since; None where it is kept."""
    plain: Any = waiting.kept or waiting.roll
    if not plain:
        return None
    throws = tuple(
        facts.with_luck(read_thrown(one), waiting.added.get(one["entity"], 0))
        for one in plain["throws"]
    )
    return Fallen(plain["kind"], throws, plain["about"], waiting.used)


def judged(table: Table, roll: Fallen, at: Sequence[int] = ()) -> Contest:
    """Who is ahead with the luck that was spent; of some sides only, where `at` names them."""
    throws = [roll.throws[one] for one in at] if at else list(roll.throws)
    return Contest(
        tuple(one.final for one in throws),
        tuple(0 if one.zero else None for one in throws),
        tuple(contests.Second(one.second) for one in throws),
        (),
        outcomes.varies(table),
        TARGET if roll.kind == PARALLEL else None,
        tuple(one.fumble for one in throws),
    )


def is_open(table: Table, roll: Fallen) -> bool:
    """Whether everybody may know all of it: nothing kept, nobody closed."""
    return not any(
        one.kept or lens.is_closed(table.entities[one.entity]) or table.entities[one.entity].hidden
        for one in roll.throws
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
        top = [at for at in contest.ahead if contest.totals[at] == contest.totals[contest.ahead[0]]]
        return f"A draw, with {lens.listed(names[at] for at in top)} ahead by 1."
    return f"A tie between {lens.listed(names[at] for at in contest.ahead)}."
