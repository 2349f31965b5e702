"""Fights simulated from solved distributions of dice, for fights too large to solve."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from collections.abc import Callable
from itertools import accumulate, chain
from typing import Any

from kitchentable.fights.arrays import find_numpy, fits
from kitchentable.fights.kept import kept
from kitchentable.fights.laws import LONGEST, Healths, Law, Laws, Starts
from kitchentable.fights.lockstep import throw_rows
from kitchentable.fights.loop import compile_loop, throw_looping
from kitchentable.fights.tally import Tally
from kitchentable.rules.combat import Policy

#: The number of fights from which compiling the loop saves time.
WORTH_COMPILING = 400_000


def throw_fights(laws: Laws, n: int, seed: int, starts: Starts | None = None) -> Tally:
    """Throw n fights to their ends in the fastest way on this machine.

    Very many fights use a loop compiled by numba, fewer use numpy, and without numpy plain Python.
    A seed repeats a result only with the same method. `starts` has the number of fights for each
    start.
    """
    if starts is None and laws.is_over(laws.start):
        return Tally(n, {(laws.start, 0): n}, 0)
    if not is_quick(laws):
        return throw_each(laws, n, seed, starts)
    plain = not (laws.retreats or laws.remembers or laws.defended or laws.spends_points)
    loops = n >= WORTH_COMPILING and plain and starts is None
    compiled = compile_loop() if loops else None
    if compiled is None:
        return throw_rows(laws, n, seed, starts)
    return throw_looping(laws, n, seed, compiled)


def is_quick(laws: Laws) -> bool:
    """Whether fights are thrown through arrays."""
    return find_numpy() is not None and fits(laws)


def throw_each(laws: Laws, n: int, seed: int, starts: Starts | None = None) -> Tally:
    """Throw n fights one by one, without numpy."""
    thrown = _Thrown(laws, random.Random(seed))
    ends: Counter[tuple[Healths, int]] = Counter()
    undecided = 0
    for start, many in (starts or {laws.start: n}).items():
        for _ in range(many):
            end = thrown.fight(start)
            if end is None:
                undecided += 1
            else:
                ends[end] += 1
    tolls = tuple(toll / n for toll in thrown.tolls) if laws.accounts else ()
    return Tally(n, ends, undecided, tolls)


class _Thrown:
    """Fights thrown one after the other."""

    def __init__(self, laws: Laws, chance: random.Random) -> None:
        self.laws, self.chance = laws, chance
        self.kind = [k for k, one in enumerate(laws.kinds) for _ in one.names]
        self.again = [self._drawing(law) for law in laws.again]
        self.tolls = [0.0] * laws.accounts
        #: For each person: the turn in which each other person last hurt them, the attacks on them
        #: in this round, and the number of turns taken.
        self.hurt: list[list[int]] = []
        self.attacked: list[int] = []
        self.taken = 0

    def _drawing(self, law: Law) -> Callable[[], Any]:
        """Make a function that draws an outcome of a law."""
        values = list(law)
        bounds = list(accumulate(map(float, law.values())))
        last, uniform = len(values) - 1, self.chance.random
        return lambda: values[min(last, bisect(bounds, uniform()))]

    @kept
    def _turn(self, kind: int, health: int) -> Callable[[], Any]:
        """The function that draws a kind's number for the turn order at a health."""
        return self._drawing(self.laws.turn_at(kind, health))

    @kept
    def _change(self, actor: int, mine: int, target: int, health: int) -> Callable[[], Any]:
        """The function that draws both healths after an action."""
        return self._drawing(self.laws.clashes(actor, mine, target, health))

    def fight(self, start: Healths) -> tuple[Healths, int] | None:
        """Throw a fight: its final healths and rounds, or None if undecided."""
        left: list[int] = []
        for one, some in zip(self.laws.kinds, start, strict=True):
            left += [*some, *[0] * (len(one.names) - len(some))]
        kept = None
        self.hurt, self.taken = [[0] * len(left) for _ in left], 0
        for number in range(LONGEST + 1):
            healths = self._healths(left)
            if self.laws.is_over(healths) or number == self.laws.battle.rounds > 0:
                return healths, number
            if kept is None or self.laws.battle.anew:
                up = [who for who, health in enumerate(left) if health]
                order = self._order(up, left)
                kept = [*order, *(who for who in up if who not in order)]
            else:
                order = kept
            self.attacked = [0] * len(left)
            for who in chain.from_iterable([order] * self.laws.battle.passes):
                if left[who] and not self._act(who, left):
                    break
        return None

    def _healths(self, left: list[int]) -> Healths:
        rows: list[list[int]] = [[] for _ in self.laws.kinds]
        for kind, health in zip(self.kind, left, strict=True):
            if health:
                rows[kind].append(health)
        return tuple([tuple(sorted(row)) for row in rows])

    def _order(self, up: list[int], left: list[int]) -> list[int]:
        numbers: dict[int, list[int]] = {}
        for who in up:
            number = self._turn(self.kind[who], left[who])()
            if number is not None:
                numbers.setdefault(number, []).append(who)
        return self._ranked(numbers)

    def _ranked(self, thrown: dict[int, list[int]]) -> list[int]:
        """Sort people by their number, the highest first; equals throw again."""
        return [
            who for number in sorted(thrown, reverse=True) for who in self._untie(thrown[number])
        ]

    def _untie(self, equal: list[int]) -> list[int]:
        if len(equal) == 1:
            return equal
        numbers: dict[int, list[int]] = {}
        for who in equal:
            numbers.setdefault(self.again[self.kind[who]](), []).append(who)
        return self._ranked(numbers)

    def _act(self, who: int, left: list[int]) -> bool:
        """Take one action; returns whether there was a foe."""
        kinds, healths = self.kind, self._healths(left)
        if self.laws.winner(healths) is not None:
            return False
        one = self._target(who, left, healths)
        if one is None:
            return True
        target, health = kinds[one], left[one]
        mine = left[who] if self.laws.by_person else 0
        if self.laws.fought.toll is not None:
            self.tolls[target] += self.laws.toll(kinds[who], target, health, mine)
        if self.laws.spends_points and self.laws.spends(kinds[who], mine):
            self.tolls[len(self.laws.kinds) + kinds[who]] += 1
        me, left[one] = self._change(kinds[who], mine, target, health)()
        if self.laws.by_person:
            left[who] = me
        self.taken += 1
        self.attacked[one] += 1
        if left[one] < health:
            self.hurt[one][who] = self.taken
        return True

    def _target(self, who: int, left: list[int], healths: Healths) -> int | None:
        """Choose the person to attack; None for nobody."""
        laws, kinds = self.laws, self.kind
        policy = laws.policies[laws.sides[kinds[who]]]
        if policy.recall is not None:
            return self._find_by_memory(policy, policy.recall, who, left)
        foes = laws.targets(kinds[who], healths)
        if not foes:
            return None
        target, health, _ = (
            foes[0]
            if len(foes) == 1
            else self.chance.choices(foes, [float(share) for *_, share in foes])[0]
        )
        return next(p for p, at in enumerate(left) if kinds[p] == target and at == health)

    def _find_by_memory(
        self, policy: Policy, recall: Callable[[Any, Any], Any], who: int, left: list[int]
    ) -> int | None:
        """Choose the person to attack by a policy that remembers."""
        laws, kinds, mine = self.laws, self.kind, self.kind[who]
        if laws.defends(mine, left[who]):
            return None
        numbers = [kind.numbers for kind in laws.kinds]
        foes = [
            (
                recall(self.hurt[who][p], self.attacked[p]),
                policy.key(numbers[mine], numbers[kinds[p]], health),
                kinds[p],
                health,
                p,
            )
            for p, health in enumerate(left)
            if health and laws.sides[kinds[p]] != laws.sides[mine]
            and laws.fought.reaches(numbers[mine], numbers[kinds[p]])
        ]  # fmt: skip
        if policy.evenly and foes:
            return self.chance.choice([foe for foe in foes if foe[:2] == min(foes)[:2]])[-1]
        return min(foes)[-1] if foes else None
