"""The laws of a battle as numpy arrays; numpy comes with the extra `fights`.

Without numpy, throwing fights is slower.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from kitchentable.fights.laws import Healths, Law, Laws

#: The rank of people who cannot be attacked.
NEVER = 1 << 40
#: A limit for turn order numbers, so that a place and a throw among equals fit into one number.
TIES = 1 << 16
#: The law number of actions that are not solved yet; law 0 itself is a throw for the order.
UNSOLVED = 0
#: The most actions, by profiles and healths, in one array of four bytes each; the system allocates
#: only pages with drawn actions.
MOST_ACTIONS = 10_000_000


@cache
def find_numpy() -> Any:
    """Import numpy; None if it is not installed."""
    return importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None


class Arrays:
    """The laws of a battle as arrays, by people, by kinds and by profiles.

    People of one side with equal numbers have the same profile, whatever their health. `law[actor,
    mine, target, health]` is the law number of an action, by profiles and healths; `mine` is 0
    unless fighters are followed `by_person`. The first laws are the throws among equals, by kind;
    `turn[kind, health]` is the law number of a throw for the turn order. `find` solves the laws of
    actions when they are first drawn. `toll` has the mean toll of each law. `rank[actor, person,
    health]` is lowest for the person to attack.

    The outcome of an action is `mine * top + health`, both healths after it.
    Alias tables draw from a law with one random number (Walker 1977): law n has `size[n]` places
    from `first[n]` on, each with a `value`, the chance to `keep` it, and an `other` value.
    """

    def __init__(self, laws: Laws) -> None:
        np = self.np = find_numpy()
        self.laws, kinds = laws, laws.kinds
        self.by_person = laws.by_person
        each = [len(kind.names) for kind in kinds]
        self.kind = np.repeat(np.arange(len(kinds)), each)
        sides = {side: number for number, side in enumerate(dict.fromkeys(laws.sides))}
        self.side = np.array([sides[laws.sides[k]] for k in self.kind])
        self.start = np.array([kinds[k].health for k in self.kind])
        numbers = profiles(laws)
        #: One kind for each profile.
        self.kinds = [numbers.index(profile) for profile in range(max(numbers) + 1)]
        self.profile = np.array(numbers)[self.kind]
        self.top = int(self.start.max()) + 1
        many, mine = len(self.kinds), self.top if self.by_person else 1
        self.law = np.zeros((many, mine, many, self.top), np.int32)
        self.rank = np.full((many, len(self.kind), self.top), NEVER, np.int64)
        for actor in range(many):
            self._rank(actor)
        #: Whether a profile only defends at a health.
        self.defends = np.array(
            [[laws.defends(kind, health) for health in range(self.top)] for kind in self.kinds]
        )
        #: Whether a profile spends a point at a health.
        self.spends = np.array(
            [[laws.spends(kind, health) for health in range(self.top)] for kind in self.kinds]
        )
        self.first, self.size, self.value, self.other = (np.zeros(0, np.int64) for _ in range(4))
        self.keep, self.toll = np.zeros(0), np.zeros(0)
        self.turn = np.zeros((len(kinds), self.top), np.int64)
        orders = self._orders()
        self._add(orders, [0.0] * len(orders))

    def _orders(self) -> list[list[tuple[int, Any]]]:
        """The throws among equals and for the turn order, with small numbers as values."""
        laws = self.laws
        thrown: dict[int, Law] = {}
        for kind, one in enumerate(laws.kinds):
            for health in range(self.top):
                hurt = 0 < health <= one.health and laws.show(kind, health) > 0
                law = laws.turn_at(kind, health) if hurt else laws.turn[kind]
                thrown[id(law)] = law
                self.turn[kind, health] = len(laws.kinds) + list(thrown).index(id(law))
        numbers = sorted({value for law in thrown.values() for value in law if value is not None})
        ties = sorted({value for law in laws.again for value in law})
        # The position of a number counts from 1; 0 means no turn.
        places = {None: 0} | {value: place + 1 for place, value in enumerate(numbers)}
        again = {value: place for place, value in enumerate(ties)}
        among = [[(again[value], chance) for value, chance in law.items()] for law in laws.again]
        turns = [[(places[value], chance) for value, chance in law.items()]
                 for law in thrown.values()]  # fmt: skip
        return among + turns

    def find(self, actor: Any, mine: Any, target: Any, health: Any) -> Any:
        """The law numbers of actions, by profiles and healths; solves new ones."""
        np = self.np
        found = self.law[actor, mine, target, health]
        if (found == UNSOLVED).any():
            asked = np.stack(np.broadcast_arrays(actor, mine, target, health), -1)
            self.solve(*np.unique(asked[found == UNSOLVED], axis=0).tolist())
            found = self.law[actor, mine, target, health]
        return found

    def solve(self, *actions: tuple[int, int, int, int]) -> None:
        """Solve actions, each given by the actor, the actor's health, the target and its health."""
        tables, tolls, laws = [], [], self.laws
        for number, (actor, mine, target, health) in enumerate(actions, len(self.first)):
            self.law[actor, mine, target, health] = number
            mine_of, theirs_of = self.kinds[actor], self.kinds[target]
            law = laws.clashes(mine_of, mine, theirs_of, health)
            tables.append([(m * self.top + h, chance) for (m, h), chance in law.items()])
            costs = laws.fought.toll is not None
            tolls.append(laws.toll(mine_of, theirs_of, health, mine) if costs else 0.0)
        self._add(tables, tolls)

    def _rank(self, actor: int) -> None:
        """Rank all foes by the policy; ranks are equal only for random targets."""
        kinds = self.laws.kinds
        mine = kinds[self.kinds[actor]]
        policy = self.laws.policies[mine.side]
        keyed = sorted(
            (policy.key(mine.numbers, foe.numbers, health), target, health)
            for target, foe in enumerate(kinds)
            if foe.side != mine.side and self.laws.fought.reaches(mine.numbers, foe.numbers)
            for health in range(1, foe.health + 1)
        )
        place = 0
        for number, (key, target, health) in enumerate(keyed):
            if not (policy.evenly and number and keyed[number - 1][0] == key):
                place = number
            self.rank[actor, self.kind == target, health] = place

    def _add(self, laws: Sequence[Sequence[tuple[int, Any]]], tolls: Sequence[float]) -> None:
        """Add the alias tables and tolls of laws."""
        np = self.np
        keep: list[float] = []
        value: list[int] = []
        other: list[int] = []
        for law in laws:
            share = [float(chance) * len(law) for _, chance in law]
            small = [place for place, one in enumerate(share) if one < 1]
            large = [place for place, one in enumerate(share) if one >= 1]
            kept, twin = [1.0] * len(law), [one for one, _ in law]
            while small and large:
                low, high = small.pop(), large[-1]
                kept[low], twin[low] = share[low], law[high][0]
                share[high] -= 1 - share[low]
                if share[high] < 1:
                    small.append(large.pop())
            keep += kept
            value += [one for one, _ in law]
            other += twin
        self.size = np.append(self.size, np.array([len(law) for law in laws], np.int64))
        self.first = np.cumsum(self.size) - self.size
        self.keep, self.toll = np.append(self.keep, keep), np.append(self.toll, tolls)
        self.value = np.append(self.value, np.array(value, np.int64))
        self.other = np.append(self.other, np.array(other, np.int64))

    def rows(self, starts: Mapping[Healths, int]) -> Any:
        """Rows of people with these healths, in the given numbers."""
        sizes = [len(kind.names) for kind in self.laws.kinds]
        rows = [
            [health for left, size in zip(healths, sizes, strict=True)
             for health in (*left, *[0] * (size - len(left)))]
            for healths in starts
        ]  # fmt: skip
        return self.np.repeat(self.np.array(rows), list(starts.values()), axis=0)

    def healths(self, left: Any) -> Healths:
        """The healths in a row of people."""
        rows = (left[self.kind == kind].tolist() for kind in range(len(self.laws.kinds)))
        return tuple(tuple(sorted(filter(None, row))) for row in rows)

    def count(self, left: Any, rounds: Any, ends: Counter[tuple[Healths, int]]) -> None:
        """Add rows of healths, with their numbers of rounds, to the counts of ends."""
        np, many = self.np, len(self.laws.kinds)
        parts = [np.sort(left[:, self.kind == kind], axis=1) for kind in range(many)]
        last = np.concatenate([rounds[:, None], *parts], 1)
        # Rows packed into few integers are compared many times faster.
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
        cuts = accumulate((len(kind.names) for kind in self.laws.kinds), initial=1)
        spans = list(pairwise(cuts))
        for row, count in zip(last[first].tolist(), counts.tolist(), strict=True):
            healths = tuple([tuple(filter(None, row[low:high])) for low, high in spans])
            ends[healths, row[0]] += count


def profiles(laws: Laws) -> list[int]:
    """The profile of each kind; kinds with equal side and numbers share one."""
    found: dict[Any, int] = {}
    # If a policy defends or spends by health, the profile depends on the health at the start.
    policies = [laws.policies[kind.side] for kind in laws.kinds]
    fulls = [
        (one.defend or one.spend) and kind.health
        for one, kind in zip(policies, laws.kinds, strict=True)
    ]
    return [
        found.setdefault((kind.side, kind.numbers, full), len(found))
        for kind, full in zip(laws.kinds, fulls, strict=True)
    ]


def fits(laws: Laws) -> bool:
    """Whether the actions of a battle fit into one array."""
    top = max(kind.health for kind in laws.kinds) + 1
    mine = top if laws.by_person else 1
    return (max(profiles(laws)) + 1) ** 2 * mine * top <= MOST_ACTIONS
