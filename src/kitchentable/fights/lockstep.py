"""Fights thrown side by side: a row of healths for each, and one turn of all rows at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kitchentable.fights.arrays import find_numpy
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.tally import Tally

#: So many fights go side by side: enough to hide the cost of a call, few enough for the cache.
ROWS = 10_000
#: No foe has a rank as high as this; numbers of an order and of its ties stay below it together.
NEVER, TIES = 1 << 40, 1 << 16


def throw_rows(laws: Laws, n: int, seed: int, longest: int) -> Tally:
    """Throw n fights with numpy. Seeds and results belong together, whatever the machine."""
    lockstep = _Lockstep(laws, find_numpy())
    ends: Counter[tuple[Healths, int]] = Counter()
    undecided = 0
    for number, first in enumerate(range(0, n, ROWS)):
        undecided += lockstep.run(min(ROWS, n - first), (seed, number), longest, ends)
    return Tally(n, ends, undecided)


class _Lockstep:
    """The laws of a battle as arrays."""

    def __init__(self, laws: Laws, numpy: Any) -> None:
        self.laws, self.np = laws, numpy
        kinds = laws.kinds
        self.kind = numpy.repeat(numpy.arange(len(kinds)), [len(kind.names) for kind in kinds])
        sides = {side: number for number, side in enumerate(dict.fromkeys(laws.sides))}
        self.side = numpy.array([sides[laws.sides[k]] for k in self.kind])
        self.start = numpy.array([kinds[k].health for k in self.kind])
        self.top = int(self.start.max()) + 1
        numbers = sorted({value for law in laws.turn for value in law if value is not None})
        ties = sorted({value for law in laws.again for value in law})
        # The place of a number counts from 1; 0 is no turn.
        places = {None: 0} | {value: place + 1 for place, value in enumerate(numbers)}
        again = {value: place for place, value in enumerate(ties)}
        tables = [[(places[value], chance) for value, chance in law.items()] for law in laws.turn]
        tables += [[(again[value], chance) for value, chance in law.items()] for law in laws.again]
        self.law = numpy.zeros((len(kinds), len(kinds), self.top), numpy.int64)
        self.rank = numpy.full((len(kinds), len(kinds), self.top), NEVER, numpy.int64)
        for actor in range(len(kinds)):
            self._rank(actor)
            for target, health in self._foes(actor):
                self.law[actor, target, health] = len(tables)
                tables.append(list(laws.changes(actor, target, health).items()))
        self._alias(tables)

    def _foes(self, actor: int) -> list[tuple[int, int]]:
        kinds = self.laws.kinds
        return [
            (target, health)
            for target, foe in enumerate(kinds)
            if foe.side != kinds[actor].side
            for health in range(1, foe.health + 1)
        ]

    def _rank(self, actor: int) -> None:
        """Rank all foes by the policy: equal ranks only where chance is to choose."""
        kinds = self.laws.kinds
        mine = kinds[actor]
        policy = self.laws.policies[mine.side]
        keyed = sorted(
            (policy.key(mine.numbers, kinds[target].numbers, health), target, health)
            for target, health in self._foes(actor)
        )
        place = 0
        for number, (key, target, health) in enumerate(keyed):
            if not (policy.evenly and number and keyed[number - 1][0] == key):
                place = number
            self.rank[actor, target, health] = place

    def _alias(self, laws: list[Any]) -> None:
        """Laws to draw from any law with one random number (Walker 1977)."""
        np, width = self.np, max(map(len, laws))
        self.size = np.array([len(law) for law in laws])
        self.keep = np.ones((len(laws), width))
        self.value = np.zeros((len(laws), width), np.int64)
        self.other = np.zeros((len(laws), width), np.int64)
        for row, law in enumerate(laws):
            share = [float(chance) * len(law) for _, chance in law]
            small = [place for place, one in enumerate(share) if one < 1]
            large = [place for place, one in enumerate(share) if one >= 1]
            for place, (value, _) in enumerate(law):
                self.value[row, place] = self.other[row, place] = value
            while small and large:
                low, high = small.pop(), large[-1]
                self.keep[row, low], self.other[row, low] = share[low], law[high][0]
                share[high] -= 1 - share[low]
                if share[high] < 1:
                    small.append(large.pop())

    def _draw(self, rng: Any, law: Any) -> Any:
        """One outcome of each law named by its number."""
        np = self.np
        spot = rng.random(law.shape) * self.size[law]
        place = spot.astype(np.int64)
        kept = spot - place < self.keep[law, place]
        return np.where(kept, self.value[law, place], self.other[law, place])

    def run(
        self, n: int, seed: tuple[int, int], longest: int, ends: Counter[tuple[Healths, int]]
    ) -> int:
        """Throw n fights and count their ends; gives how many were broken off."""
        np = self.np
        rng = np.random.Generator(np.random.PCG64(seed))
        left = np.tile(self.start, (n, 1))
        kept = None
        for number in range(longest + 1):
            up = np.stack([(left[:, self.side == s] > 0).any(1) for s in np.unique(self.side)], 1)
            over = up.sum(1) < 2
            if over.any():
                self._count(left[over], number, ends)
                left = left[~over]
                kept = None if kept is None else kept[~over]
            if not len(left):
                return 0
            if kept is None or self.laws.battle.anew:
                key = self._order(rng, left)
                order = np.argsort(-key, axis=1, kind="stable")
                acting = (key > 0).sum(1)
                kept = order
            else:
                order, acting = kept, np.full(len(left), left.shape[1])
            self._turns(rng, left, order, acting)
        return len(left)

    def _order(self, rng: Any, left: Any) -> Any:
        """A key for everybody's place in the order, higher first; below 1 is no turn."""
        np = self.np
        kinds, people = len(self.laws.kinds), left.shape[1]
        number = self._draw(rng, np.broadcast_to(self.kind, left.shape))
        key = np.where((left > 0) & (number > 0), number, -np.arange(people))
        rows = np.arange(len(left))
        while True:
            order = np.argsort(-key[rows], axis=1, kind="stable")
            ranked = np.take_along_axis(key[rows], order, 1)
            same = (ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] > 0)
            tied_rows = same.any(1)
            if not tied_rows.any():
                return key
            rows, order = rows[tied_rows], order[tied_rows]
            ranked, same = ranked[tied_rows], same[tied_rows]
            tied = np.zeros(ranked.shape, bool)
            tied[:, 1:] |= same
            tied[:, :-1] |= same
            first = np.zeros((len(rows), 1), np.int64)
            place = people - np.concatenate([first, np.cumsum(~same, axis=1)], 1)
            again = np.zeros(ranked.shape, np.int64)
            again[tied] = self._draw(rng, kinds + self.kind[order[tied]])
            fresh = np.empty_like(ranked)
            np.put_along_axis(fresh, order, np.where(ranked > 0, place * TIES + again, ranked), 1)
            key[rows] = fresh

    def _turns(self, rng: Any, left: Any, order: Any, acting: Any) -> None:
        """One action of everybody who has a turn, in order."""
        np, kinds = self.np, self.kind
        evenly = any(policy.evenly for policy in self.laws.policies.values())
        for turn in range(int(acting.max())):
            rows = np.flatnonzero(acting > turn)
            who = order[rows, turn]
            up = left[rows, who] > 0
            rows, who = rows[up], kinds[who[up]]
            rank = self.rank[who[:, None], kinds[None, :], left[rows]]
            target = (rank + rng.random(rank.shape) if evenly else rank).argmin(1)
            found = rank[np.arange(len(rows)), target] < NEVER
            rows, who, target = rows[found], who[found], target[found]
            health = left[rows, target]
            left[rows, target] = self._draw(rng, self.law[who, kinds[target], health])

    def _count(self, left: Any, number: int, ends: Counter[tuple[Healths, int]]) -> None:
        np = self.np
        many = len(self.laws.kinds)
        last = np.concatenate(
            [np.sort(left[:, self.kind == kind], axis=1) for kind in range(many)], 1
        )
        rows, counts = np.unique(last, axis=0, return_counts=True)
        cuts = np.cumsum([len(kind.names) for kind in self.laws.kinds])[:-1]
        for row, count in zip(rows, counts.tolist(), strict=True):
            healths = tuple(
                tuple(health for health in part.tolist() if health) for part in np.split(row, cuts)
            )
            ends[healths, number] += count
