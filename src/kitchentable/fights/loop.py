"""Fights thrown one by one in a loop over arrays, which numba can compile.

Compiled or not, the loop throws the same fights from the same seed.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from functools import cache
from typing import Any

from kitchentable.fights.arrays import NEVER, TIES, UNSOLVED, Arrays
from kitchentable.fights.laws import LONGEST, Healths, Laws
from kitchentable.fights.tally import Tally

#: The number of fights that share a seed.
ROWS = 100_000


@cache
def compile_loop() -> Any:
    """Compile the loop with numba, which takes seconds; None if numba is not installed."""
    if importlib.util.find_spec("numba") is None:
        return None
    numba = importlib.import_module("numba")
    numba.extending.register_jitable(add_others)
    return numba.njit(loop, error_model="numpy")


def loop(  # noqa: C901, PLR0912, PLR0915 - arrays that pass to a function cost more than its work
    rng: Any, longest: int, stop: int, anew: bool, passes: int, evenly: bool,
    by_person: bool, top: int,
    turns: Any, kind: Any, profile: Any, side: Any, start: Any,
    first: Any, size: Any, keep: Any, value: Any, other: Any, laws: Any, ranks: Any,
    toll: Any, tolls: Any, state: Any, scratch: Any, last: Any, rounds: Any,
) -> bool:  # fmt: skip
    """Throw a fight for each row of `last`; writes final healths to `last`, rounds to `rounds`.

    Adds the tolls of each kind to `tolls`. A fight is stopped after `stop` rounds; the rounds of an
    undecided fight, longer than `longest`, are -1. Returns whether all fights are thrown. If not,
    the last four numbers of `state` are an action to solve before the next call, which continues.
    """
    people = len(kind)
    key, who, up, goal = scratch[0], scratch[1], scratch[2], scratch[3]
    fight, number, place, order, sides = state[0], state[1], state[2], state[3], state[4]
    while fight < len(rounds):
        left = last[fight]
        if number == 0:
            sides = order = place = 0
            for one in range(people):
                up[one], goal[one] = 0, -1
            for one in range(people):
                left[one] = start[one]
                if up[side[one]] == 0:
                    sides += 1
                up[side[one]] += 1
        while sides > 1:
            if place == passes * order:
                if number == longest:
                    break
                number += 1
                place = 0
                if number == 2 and not anew:
                    order = add_others(who, order, people)
                if number > 1 and not anew:
                    continue
                order = 0
                for one in range(people):
                    if left[one] > 0:
                        law = turns[kind[one], left[one]]
                        spot = rng.random() * size[law]
                        at = first[law] + int(spot)
                        drawn = value[at] if spot - int(spot) < keep[at] else other[at]
                        if drawn > 0:
                            key[order], who[order] = drawn, one
                            order += 1
                tied = True
                while tied:
                    for sorted_ in range(1, order):
                        at, drawn, one = sorted_, key[sorted_], who[sorted_]
                        while at > 0 and key[at - 1] < drawn:
                            key[at], who[at] = key[at - 1], who[at - 1]
                            at -= 1
                        key[at], who[at] = drawn, one
                    tied = False
                    equal = 0
                    for at in range(order):
                        # Equals share a place, to which their throws among equals are added.
                        if at + 1 < order and key[at + 1] == key[equal]:
                            continue
                        for one in range(equal, at + 1):
                            key[one] = (order - equal) * TIES
                            if at > equal:
                                law = kind[who[one]]
                                spot = rng.random() * size[law]
                                drawn = first[law] + int(spot)
                                kept = spot - int(spot) < keep[drawn]
                                key[one] += value[drawn] if kept else other[drawn]
                                tied = True
                        equal = at + 1
                continue
            mine = who[place if place < order else place % order]
            actor = profile[mine]
            if left[mine] > 0 and goal[actor] < 0:
                best = NEVER
                for one in range(people):
                    rank = ranks[actor, one, left[one]]
                    if rank < best:
                        best, goal[actor] = rank, one
                if evenly and best < NEVER:
                    equal = 0
                    for one in range(people):
                        if ranks[actor, one, left[one]] == best:
                            equal += 1
                            if rng.random() * equal < 1:
                                goal[actor] = one
            target = goal[actor]
            if left[mine] <= 0 or target < 0:
                place += 1
                continue
            before, health = left[mine] if by_person else 0, left[target]
            law = laws[actor, before, profile[target], health]
            if law == UNSOLVED:
                state[0], state[1], state[2], state[3], state[4] = (
                    fight, number, place, order, sides,
                )  # fmt: skip
                state[5], state[6], state[7], state[8] = actor, before, profile[target], health
                return False
            tolls[kind[target]] += toll[law]
            spot = rng.random() * size[law]
            at = first[law] + int(spot)
            left[target] = value[at] if spot - int(spot) < keep[at] else other[at]
            if by_person:
                left[mine], left[target] = left[target] // top, left[target] % top
            for one in (mine, target):
                if left[one] <= 0:
                    up[side[one]] -= 1
                    if up[side[one]] == 0:
                        sides -= 1
            if evenly or left[target] != health or (by_person and left[mine] != before):
                for one in range(len(ranks)):
                    goal[one] = -1
            place += 1
        rounds[fight] = number if sides < 2 or number == stop else -1
        fight += 1
        number = 0
    return True


def add_others(who: Any, acting: int, people: int) -> int:
    """Put people without a turn after the others, as listed; returns the number of all."""
    having = acting
    for one in range(people):
        late = True
        for place in range(having):
            late = late and who[place] != one
        if late:
            who[acting] = one
            acting += 1
    return acting


def throw_looping(laws: Laws, n: int, seed: int, play: Any = loop) -> Tally:
    """Throw n fights with the loop, compiled or not."""
    arrays = Arrays(laws)
    np, people = arrays.np, len(arrays.kind)
    evenly = any(policy.evenly for policy in laws.policies.values())
    ends: Counter[tuple[Healths, int]] = Counter()
    stop = laws.battle.rounds or LONGEST + 1
    undecided, tolls = 0, np.zeros(len(laws.kinds))
    for number, begun in enumerate(range(0, n, ROWS)):
        rng = np.random.Generator(np.random.PCG64((seed, number)))
        rounds = np.zeros(min(ROWS, n - begun), np.int64)
        last = np.zeros((len(rounds), people), np.int64)
        state, scratch = np.zeros(9, np.int64), np.zeros((4, people), np.int64)
        while not play(
            rng, min(LONGEST, stop), stop, laws.battle.anew, laws.battle.passes, evenly,
            arrays.by_person, arrays.top,
            arrays.turn, arrays.kind, arrays.profile, arrays.side, arrays.start,
            arrays.first, arrays.size, arrays.keep, arrays.value, arrays.other, arrays.law,
            arrays.rank, arrays.toll, tolls, state, scratch, last, rounds,
        ):  # fmt: skip
            arrays.solve(state[5:].tolist())
        undecided += int((rounds < 0).sum())
        if (rounds >= 0).any():
            arrays.count(last[rounds >= 0], rounds[rounds >= 0], ends)
    costs = tuple((tolls / n).tolist()) if laws.fought.toll else ()
    return Tally(n, ends, undecided, costs)
