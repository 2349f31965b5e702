"""The laws of a battle as numpy arrays; numpy comes with the extra `fights`.

Everything works without numpy, but throwing fights takes longer.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from functools import cache
from typing import Any

from kitchentable.fights.laws import Healths, Laws

#: The rank of people who cannot be attacked.
NEVER = 1 << 40


@cache
def find_numpy() -> Any:
    """The module numpy, imported at the first call; None if it is not installed."""
    return importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None


class Arrays:
    """The laws of a battle as arrays, by people and by kinds.

    `law[actor, target, health]` is the number of the law of a target's next health, by kinds; the
    first laws are the throws for the turn order, by kind, then the throws among equals.
    `rank[actor, person, health]` is lowest for the person that a kind attacks.
    """

    def __init__(self, laws: Laws) -> None:
        numpy = self.np = find_numpy()
        self.laws = laws
        kinds = laws.kinds
        self.kind = numpy.repeat(numpy.arange(len(kinds)), [len(kind.names) for kind in kinds])
        sides = {side: number for number, side in enumerate(dict.fromkeys(laws.sides))}
        self.side = numpy.array([sides[laws.sides[k]] for k in self.kind])
        self.start = numpy.array([kinds[k].health for k in self.kind])
        self.top = int(self.start.max()) + 1
        numbers = sorted({value for law in laws.turn for value in law if value is not None})
        ties = sorted({value for law in laws.again for value in law})
        # The position of a number counts from 1; 0 means no turn.
        places = {None: 0} | {value: place + 1 for place, value in enumerate(numbers)}
        again = {value: place for place, value in enumerate(ties)}
        tables = [[(places[value], chance) for value, chance in law.items()] for law in laws.turn]
        tables += [[(again[value], chance) for value, chance in law.items()] for law in laws.again]
        self.law = numpy.zeros((len(kinds), len(kinds), self.top), numpy.int64)
        self.rank = numpy.full((len(kinds), len(self.kind), self.top), NEVER, numpy.int64)
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
            and self.laws.fought.reaches(kinds[actor].numbers, foe.numbers)
            for health in range(1, foe.health + 1)
        ]

    def _rank(self, actor: int) -> None:
        """Rank all foes by the policy; equal ranks only if the target is drawn at random."""
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
            self.rank[actor, self.kind == target, health] = place

    def _alias(self, laws: list[Any]) -> None:
        """Build the alias tables that draw from any law with one random number (Walker 1977)."""
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

    def healths(self, left: Any) -> Healths:
        """The healths of one row of people."""
        rows = (left[self.kind == kind].tolist() for kind in range(len(self.laws.kinds)))
        return tuple(tuple(sorted(filter(None, row))) for row in rows)

    def count(self, left: Any, rounds: Any, ends: Counter[tuple[Healths, int]]) -> None:
        """Add rows of healths, each after its number of rounds, to the counts of ends."""
        np, many = self.np, len(self.laws.kinds)
        parts = [np.sort(left[:, self.kind == kind], axis=1) for kind in range(many)]
        last = np.concatenate([rounds[:, None], *parts], 1)
        # Packed into few integers, rows are compared many times faster.
        bits = [int(column.max()).bit_length() for column in last.T]
        words, room = [np.zeros(len(last), np.int64)], 62
        for column, wide in zip(last.T, bits, strict=True):
            if wide > room:
                words.append(np.zeros(len(last), np.int64))
                room = 62
            words[-1] = words[-1] << wide | column
            room -= wide
        key = words[0] if len(words) == 1 else np.stack(words, 1)
        _, first, counts = np.unique(key, axis=0, return_index=True, return_counts=True)
        cuts = np.cumsum([1, *(len(kind.names) for kind in self.laws.kinds)])[:-1]
        for row, count in zip(last[first], counts.tolist(), strict=True):
            number, *kinds = np.split(row, cuts)
            healths = tuple(tuple(health for health in one.tolist() if health) for one in kinds)
            ends[healths, int(number[0])] += count
