"""The fastest solver on this machine: for floats by round, with numpy's matrices.

Each configuration has a matrix, with a line for each place of a round and a column for each round.
Sums have the same terms as without numpy, so the bound of rounding errors also holds here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.kept import kept
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.plans import Ends, Plan, Plans
from kitchentable.fights.rounds import Counts, Round
from kitchentable.fights.settling import Settling

#: Actions of one kind with equally many turns to come: from places to others, without repetition.
_Group = tuple[int, Any, Any]


class Matrices(Settling):
    """One pass over all configurations, in order of falling health."""

    def __init__(self, chain: Plans, rows: int) -> None:
        super().__init__(chain, rows)
        self.np = find_numpy()

    def _none(self, size: int) -> Any:
        return self.np.zeros((size, self.rows + 2))

    def _ended(self) -> dict[Healths, Any]:
        return {healths: tuple(row.tolist()) for healths, row in self.last.items() if row.any()}

    def _put(self, inflow: Any, place: int, begun: int, amount: Any) -> None:
        inflow[place, begun] += amount

    def _act(self, plan: Plan, here: Any) -> Sequence[Any]:
        acted = self.np.zeros((len(plan.hits), *here.shape))
        for kind, places, after in self._grouped(plan.round):
            amounts = here[places]
            here[after] += amounts * plan.misses[kind]
            acted[kind, after] += amounts
        for kind, target, toll in plan.tolls:
            self.tolls[target] += toll * float(acted[kind].sum())
        outs: list[Any] = [None] * len(plan.leads)
        for kind, hits in enumerate(plan.hits):
            if not hits:
                continue
            chances = self.np.array([chance for _, chance in hits])
            each = acted[kind] * chances[:, None, None]
            for (lead, _), out in zip(hits, each, strict=True):
                outs[lead] = out if outs[lead] is None else outs[lead] + out
        return outs

    @kept
    def _grouped(self, around: Round) -> list[_Group]:
        """The steps of a round in groups, the longest first."""
        levels: list[dict[tuple[int, int], tuple[list[int], list[int]]]] = [{}]
        reached: set[int] = set()
        for place, kind, after in around.steps:
            if place in reached:  # the next level begins
                levels.append({})
                reached.clear()
            turn = 0
            while after in levels[-1].setdefault((kind, turn), ([], []))[1]:
                turn += 1
            places, afters = levels[-1][kind, turn]
            places.append(place)
            afters.append(after)
            reached.add(after)
        return [
            (kind, *self._as_indices(*both))
            for level in levels
            for (kind, _), both in level.items()
        ]

    def _as_indices(self, places: Sequence[int], afters: Sequence[int]) -> tuple[Any, Any]:
        """Places as index arrays, or as plain numbers for a single place, which are faster."""
        if len(places) == 1:
            return places[0], afters[0]
        return self.np.array(places), self.np.array(afters)

    def _arrive(
        self, around: Round, here: Any, stays: Sequence[Any]
    ) -> list[tuple[Sequence[Any], Any]]:
        kept = here * self.np.array(stays)[:, None]
        return [
            ([kept if mine is None else kept[mine]], starts)
            for mine, starts in self._started(around)
        ]

    def _add_up(self, amounts: Sequence[Any]) -> Sequence[Any]:
        return amounts[0].sum(0).tolist()  # type: ignore[no-any-return]

    def _start_at(self, here: Any, starts: Any, begun: Any) -> None:
        places, chances = starts
        here[places] += self.np.array(begun) * chances

    @kept
    def _started(self, around: Round) -> list[tuple[Any, tuple[Any, Any]]]:
        """For each end of a round: the places that lead to it (None: all), and the next starts."""
        over = list(range(around.size))
        for place, _, after in reversed(around.steps):
            over[place] = over[after]
        return [
            (
                [place == end for place in over] if len(around.ends) > 1 else None,
                (
                    self.np.array([place for place, _ in starts]),
                    self.np.array([[chance] for _, chance in starts]),
                ),
            )
            for end, starts in around.ends
        ]

    def _end(self, healths: Healths, amounts: Sequence[Any], depth: int) -> None:
        """Add the lines of matrices to the amounts of an end of the fight."""
        more = sum(one if one.ndim == 1 else one.sum(0) for one in map(self.np.asarray, amounts))
        self.last[healths] += more
        terms = sum(len(self.np.atleast_2d(one)) for one in amounts)
        self.deepest = max(self.deepest, depth + terms) + 1

    def _came(self, amounts: Any) -> list[Any]:
        return [amounts]

    def _without(self, counts: Counts, kind: int, amounts: Any, fewer: Any) -> Any:
        source, first, target, share = self._gone(counts, kind)
        fewer[target] = self.np.add.reduceat(amounts[source] * share, first, axis=0)
        return fewer

    def _join(self, inflow: Any, amounts: Any) -> None:
        inflow += amounts

    @kept
    def _gone(self, counts: Counts, kind: int) -> tuple[Any, Any, Any, Any]:
        """The change of places without one of a kind, as arrays sorted by the new place.

        The arrays are the old places, the index of the first for each new place, the new places,
        and the shares.
        """
        np = self.np
        gone = self.chain.rounds.without(counts, kind)
        ways = [(new, old, share) for old, row in enumerate(gone) for new, share in row]
        ways.sort(key=lambda way: way[:2])
        new, old, share = (np.array(column) for column in zip(*ways, strict=True))
        target, first = np.unique(new, return_index=True)
        return old, first, target, share[:, None]


class Chain(Plans):
    """The Markov chain of a battle, in fractions or floats; `large` ones use numpy."""

    def __init__(self, laws: Laws, *, exact: bool, large: bool = False) -> None:
        super().__init__(laws, exact=exact)
        self.large = large and not exact and find_numpy() is not None

    def settle(
        self,
        rows: int = 0,
        starts: Mapping[Healths, Any] | None = None,
        slack: Fraction = Fraction(0),
    ) -> Ends:
        """Solve all ends of the fight; with `rows`, for this many separate rounds.

        The fight begins at the battle's start, or at `starts` with their chances, whose relative
        error is at most `slack`. A fight with a limit of rounds is always solved by round. Errors:
        NeverEnds, BadBattle.
        """
        rows = self.laws.battle.rounds or rows
        solving = (Matrices if self.large and rows else Settling)(self, rows)
        return solving.run({self.laws.start: self.one} if starts is None else starts, slack)
