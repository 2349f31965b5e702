"""Fights thrown side by side with numpy: one row for each, one turn of all rows at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kitchentable.fights.arrays import NEVER, TIES, Arrays
from kitchentable.fights.laws import LONGEST, Healths, Laws, Starts
from kitchentable.fights.tally import Tally

#: The number of fights side by side: enough to outweigh the cost of calls, and few enough for the
#: processor's cache.
ROWS = 10_000


def throw_rows(laws: Laws, n: int, seed: int, starts: Starts | None = None) -> Tally:
    """Throw n fights with numpy; a seed gives the same result on any machine.

    `starts` has the number of fights for each start.
    """
    arrays = Arrays(laws)
    lockstep, begun = _Lockstep(arrays), arrays.rows(starts or {laws.start: n})
    ends: Counter[tuple[Healths, int]] = Counter()
    undecided = 0
    for number, first in enumerate(range(0, n, ROWS)):
        rows = begun[first : first + ROWS]
        undecided += lockstep.run(rows, (seed, number), ends)
    tolls = tuple((lockstep.tolls / n).tolist()) if laws.accounts else ()
    return Tally(n, ends, undecided, tolls)


class _Lockstep:
    """Fights thrown side by side."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays, self.np = arrays, arrays.np
        self.kind, self.side = arrays.kind, arrays.side
        self.tolls = self.np.zeros(arrays.laws.accounts)

    def _draw(self, rng: Any, law: Any) -> Any:
        """Draw an outcome of each law in an array of law numbers."""
        np = self.np
        spot = rng.random(law.shape) * self.arrays.size[law]
        place = spot.astype(np.int64)
        at = self.arrays.first[law] + place
        kept = spot - place < self.arrays.keep[at]
        return np.where(kept, self.arrays.value[at], self.arrays.other[at])

    def run(self, left: Any, seed: tuple[int, int], ends: Counter[tuple[Healths, int]]) -> int:
        """Throw fights that begin with rows of healths, and count their ends.

        Returns the number of undecided fights.
        """
        np = self.np
        rng = np.random.Generator(np.random.PCG64(seed))
        kept, people = None, left.shape[1]
        if self.arrays.laws.remembers:
            self._hurt, self._turn = np.zeros((len(left), people, people), np.int64), 0
        for number in range(LONGEST + 1):
            up = np.stack([(left[:, self.side == s] > 0).any(1) for s in np.unique(self.side)], 1)
            over = up.sum(1) < 2
            if number and number == self.arrays.laws.battle.rounds:
                over[:] = True
            elif self.arrays.laws.retreats:
                over |= self._retreating(left)
            if over.any():
                self.arrays.count(left[over], np.full(over.sum(), number), ends)
                left = left[~over]
                kept = None if kept is None else kept[~over]
                self._forget(~over)
            if not len(left):
                return 0
            if self.arrays.laws.remembers:
                self._attacked = np.zeros(left.shape, np.int64)
            if kept is None or self.arrays.laws.battle.anew:
                key = self._order(rng, left)
                order = np.argsort(-key, axis=1, kind="stable")
                acting = (key > 0).sum(1)
                kept = order
            else:
                order, acting = kept, np.full(len(left), left.shape[1])
            for _ in range(self.arrays.laws.battle.passes):
                self._turns(rng, left, order, acting)
        return len(left)

    def _forget(self, kept: Any) -> None:
        """Keep only the memories of these rows."""
        if self.arrays.laws.remembers:
            self._hurt = self._hurt[kept]

    def _recall(self, rows: Any, who: Any, rank: Any) -> Any:
        """The ranks of foes, first by memory."""
        np, arrays = self.np, self.arrays
        step = int(arrays.rank[arrays.rank < NEVER].max()) + 1
        for number, side in enumerate(dict.fromkeys(arrays.laws.sides)):
            recall = arrays.laws.policies[side].recall
            mine = self.side[who] == number
            if recall is None or not mine.any():
                continue
            first = recall(self._hurt[rows[mine], who[mine]], self._attacked[rows[mine]])
            rank[mine] = np.where(rank[mine] < NEVER, rank[mine] + first * step, NEVER)
        return rank

    def _remember(self, rows: Any, who: Any, target: Any, hurt: Any) -> None:
        """Record who has attacked and hurt whom."""
        self._turn += 1
        self._attacked[rows, target] += 1
        self._hurt[rows[hurt], target[hurt], who[hurt]] = self._turn

    def _retreating(self, left: Any) -> Any:
        """The rows in which a side retreats; each distinct state is checked once."""
        states, rows = self.np.unique(left, axis=0, return_inverse=True)
        judged = [bool(self.arrays.laws.retreating(self.arrays.healths(one))) for one in states]
        return self.np.array(judged)[rows.reshape(-1)]

    def _order(self, rng: Any, left: Any) -> Any:
        """A key for each person's place in the turn order, highest first; below 1 means no turn."""
        np = self.np
        people = left.shape[1]
        number = self._draw(rng, self.arrays.turn[self.kind, left])
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
            again[tied] = self._draw(rng, self.kind[order[tied]])
            fresh = np.empty_like(ranked)
            np.put_along_axis(fresh, order, np.where(ranked > 0, place * TIES + again, ranked), 1)
            key[rows] = fresh

    def _turns(self, rng: Any, left: Any, order: Any, acting: Any) -> None:
        """Take one action of each person with a turn, in order."""
        np, arrays = self.np, self.arrays
        people = np.arange(len(self.kind))
        evenly = any(policy.evenly for policy in arrays.laws.policies.values())
        for turn in range(int(acting.max())):
            rows = np.flatnonzero(acting > turn)
            who = order[rows, turn]
            up = (left[rows, who] > 0) & ~arrays.defends[arrays.profile[who], left[rows, who]]
            rows, who = rows[up], who[up]
            rank = arrays.rank[arrays.profile[who][:, None], people, left[rows]]
            if arrays.laws.remembers:
                rank = self._recall(rows, who, rank)
            target = (rank + rng.random(rank.shape) if evenly else rank).argmin(1)
            found = rank[np.arange(len(rows)), target] < NEVER
            rows, who, target = rows[found], who[found], target[found]
            mine, health = left[rows, who] if arrays.by_person else 0, left[rows, target]
            law = arrays.find(arrays.profile[who], mine, arrays.profile[target], health)
            if arrays.laws.fought.toll:
                tolls = arrays.toll[law]
                self.tolls += np.bincount(self.kind[target], tolls, len(self.tolls))
            if arrays.laws.spends_points:
                spent = arrays.spends[arrays.profile[who], mine]
                account = self.kind[who] + len(arrays.laws.kinds)
                self.tolls += np.bincount(account, spent, len(self.tolls))
            after = self._draw(rng, law)
            if arrays.by_person:
                left[rows, who], after = np.divmod(after, arrays.top)
            left[rows, target] = after
            if arrays.laws.remembers:
                self._remember(rows, who, target, after < health)
