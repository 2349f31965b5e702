"""A game's fight by name: numbers in, who wins and what it costs out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from kitchentable import dice
from kitchentable.fights.bout import Bout
from kitchentable.fights.bulk import Toll, run_bulk
from kitchentable.fights.errors import TooManyStates
from kitchentable.fights.exact import Ending, solve_bout
from kitchentable.rules.game import Fought
from kitchentable.rules.library import Playable, game

#: What is solved while somebody waits: so many states, so many ways of the dice in one step; else
#: so many fights are fought.
QUICK_STATES, QUICK_PATHS, QUICK_FIGHTS = 1_500, 6_000, 500


@dataclass(frozen=True, slots=True)
class Forecast:
    """How a fight goes: each side's chance to win, the rounds it takes, what it costs on average.

    `fights` is 0 for exact numbers, else how many fights were fought to count them; `undecided` is
    the share of those that were broken off.
    """

    wins: Mapping[str, Fraction]
    rounds: Fraction
    costs: Mapping[str, Fraction]
    fights: int = 0
    undecided: Fraction = Fraction(0)

    def __str__(self) -> str:
        lines = [
            f"{side} win{'s' if side == 'nobody' else ''} {share(chance)}"
            for side, chance in self.wins.items()
        ]
        lines += [f"{name}: {float(mean):.2f} on average" for name, mean in self.costs.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        wins = ", ".join(f"{side} {share(chance)}" for side, chance in self.wins.items())
        return f"<Forecast: {wins}; {float(self.rounds):.2f} rounds>"


def share(chance: Fraction) -> str:
    """A chance in percent, as a person reads it.

    >>> share(Fraction(2, 3))
    '66.67 %'
    """
    return f"{float(chance) * 100:.2f} %"


def fight(
    of: str | Playable,
    name: str,
    /,
    *,
    fights: int = 0,
    source: dice.Source | None = None,
    **named: Any,
) -> Forecast:
    """Fight one of a game's fights to its end, exactly, or so many times in bulk.

    >>> duel = fight("toast", "melee", ours="4/4/4/1", theirs="4/4/4/1")
    >>> duel.wins["ours"]
    Fraction(1, 2)

    Errors: RuleRefuses for a fight or a number the game does not take, TooManyStates where it has
    to be fought in bulk.
    """
    playable = game(of) if isinstance(of, str) else of
    fought, start = playable.fought(name, **named)
    return forecast(fought, start, fights=fights, source=source)


def forecast(
    fought: Fought, start: Any, *, fights: int = 0, source: dice.Source | None = None
) -> Forecast:
    """How a fight goes on from a state, exactly, or counted over so many fights."""
    bout = Bout(start, fought.turn, fought.over, fought.counts)
    sides = fought.sides(start)
    if not fights:
        return _exactly(fought, solve_bout(bout), sides)
    return _counted(fought, run_bulk(bout, fights, source), sides)


def _exactly(fought: Fought, ending: Ending[Any], sides: tuple[str, ...]) -> Forecast:
    return Forecast(
        MappingProxyType(_by_chance(ending.wins, sides)),
        ending.time,
        MappingProxyType({name: ending.mean(of) for name, of in fought.costs.items()}),
    )


def _counted(fought: Fought, toll: Toll[Any], sides: tuple[str, ...]) -> Forecast:
    return Forecast(
        MappingProxyType(_by_chance({side: toll.share(side) for side in toll.wins}, sides)),
        toll.mean_time(),
        MappingProxyType({name: toll.mean(of) for name, of in fought.costs.items()}),
        toll.n,
        Fraction(toll.undecided, toll.n),
    )


def _by_chance(wins: Mapping[str, Fraction], sides: tuple[str, ...]) -> dict[str, Fraction]:
    every = dict.fromkeys(sides, Fraction(0)) | dict(wins)
    return dict(sorted(every.items(), key=lambda one: (-one[1], one[0])))


def foresee(fought: Fought, start: Any, source: dice.Source | None = None) -> Forecast:
    """How a fight at the table goes on from here, within a breath: exactly where that is quick,
    else counted over some hundred fights.
    """
    bout = Bout(start, fought.turn, fought.over, fought.counts)
    sides = fought.sides(start)
    try:
        return _exactly(fought, solve_bout(bout, QUICK_STATES, QUICK_PATHS), sides)
    except TooManyStates:
        return _counted(fought, run_bulk(bout, QUICK_FIGHTS, source, paths=QUICK_PATHS), sides)
