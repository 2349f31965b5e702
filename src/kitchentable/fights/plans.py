"""The possible actions of a fight for each configuration of healths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any

from kitchentable.fights.kept import kept
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.rounds import Round, Rounds, Shares, find_rounds
from kitchentable.rules.combat import NeverEnds

#: The relative rounding error of one operation on floats (IEEE 754, to nearest).
UNIT = Fraction(1, 2**53)


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a fight: final states with their chances, the mean rounds, the error bound.

    `last` has chances, or rows of chances by round, including ends by a retreat or a limit. `bound`
    is a proven bound of the relative error of a sum over them, 0 for fractions. `states` is the
    number of states in which somebody can act, `tolls` the mean toll of each kind as a float.
    """

    last: Mapping[Healths, Any]
    rounds: Any
    bound: Fraction
    states: int
    tolls: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The possible actions from a configuration of healths, for every kind."""

    round: Round
    misses: Sequence[Any]
    hits: Sequence[Shares]
    leads: Sequence[tuple[Healths, tuple[int, ...]]]
    tolls: Sequence[tuple[int, int, float]]
    stay: Any
    leaves: Any
    #: A bound of the number of rounded operations behind the chances at a round's start.
    depth: int


class Plans:
    """The Markov chain of a battle, in fractions or floats, planned on demand."""

    def __init__(self, laws: Laws, *, exact: bool) -> None:
        self.laws, self.exact = laws, exact
        self.one: Any = Fraction(1) if exact else 1.0
        self.total: Callable[[Sequence[Any]], Any] = sum if exact else fsum
        self.rounds = find_rounds(laws, laws.turn, exact=exact)
        self._by_turn: dict[tuple[int, ...], Rounds] = {}

    def rounds_at(self, healths: Healths) -> Rounds:
        """The rounds that begin at these healths, which may affect the turn order."""
        laws = self.laws
        if laws.fought.now is None:
            return self.rounds
        turn = [
            laws.turn_at(k, left[0]) if left else laws.turn[k] for k, left in enumerate(healths)
        ]
        key = tuple(map(id, turn))
        if key not in self._by_turn:
            self._by_turn[key] = find_rounds(laws, turn, exact=self.exact)
        return self._by_turn[key]

    @kept
    def plan(self, healths: Healths) -> Plan:
        """The possible actions from a configuration."""
        laws, one = self.laws, self.one
        leads: dict[tuple[Healths, tuple[int, ...]], int] = {}
        hits: list[Shares] = []
        misses: list[Fraction] = []
        exact = self.exact
        for kind, left in enumerate(healths):
            ways: dict[int, Fraction] = {}
            for after, downs, chance in laws.ways(kind, healths) if left else ():
                lead = leads.setdefault((after, downs), len(leads))
                ways[lead] = ways[lead] + chance if lead in ways else chance
            hits.append(
                list(ways.items()) if exact else [(lead, float(c)) for lead, c in ways.items()]
            )
            misses.append(laws.miss(kind, healths) if left else Fraction(1))
        counts = tuple(map(len, healths))
        rounds = self.rounds_at(healths)
        stay = rounds.stay(counts, misses)
        if stay == 1 and not (laws.battle.rounds or laws.retreating(healths)):
            raise NeverEnds(
                "This fight can reach a point at which nobody can hurt anybody. "
                "Give one side a chance to hit."
            )
        return Plan(
            rounds.of(counts),
            [miss * one for miss in misses],
            hits,
            list(leads),
            [
                each
                for kind, left in enumerate(healths)
                if left
                for each in laws.tolls(kind, healths)
            ],
            stay * one,
            (1 - stay) * one,
            rounds.depth,
        )
