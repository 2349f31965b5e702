"""Fights thrown one by one in a plain loop over arrays, which numba can compile.

The loop is ordinary Python: compiled or not it throws the same fights from the same seed.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from functools import cache
from typing import Any

from kitchentable.fights.arrays import NEVER, Arrays
from kitchentable.fights.laws import Healths, Laws
from kitchentable.fights.tally import Tally

#: The number of fights that share a seed.
ROWS = 100_000

#: A limit for numbers of the turn order, so that a place and a throw among equals fit one number.
TIES = 1 << 16


@cache
def compile_loop() -> Any:
    """The loop compiled by numba; None if it is not installed. The first call takes seconds."""
    if importlib.util.find_spec("numba") is None:
        return None
    numba = importlib.import_module("numba")
    for one in (draw, sort_down, find_order, choose_target, add_others):
        numba.extending.register_jitable(inline="always")(one)
    return numba.njit(loop)


def draw(rng: Any, law: Any, size: Any, keep: Any, value: Any, other: Any) -> Any:
    """One outcome of a law, from its alias table."""
    spot = rng.random() * size[law]
    place = int(spot)
    if spot - place < keep[law, place]:
        return value[law, place]
    return other[law, place]


def sort_down(key: Any, who: Any, many: int) -> None:
    """Sort people by their keys, the highest first."""
    for last in range(1, many):
        one, number = who[last], key[last]
        place = last
        while place > 0 and key[place - 1] < number:
            key[place], who[place] = key[place - 1], who[place - 1]
            place -= 1
        key[place], who[place] = number, one


def find_order(
    rng: Any, left: Any, kind: Any, kinds: int, key: Any, who: Any,
    size: Any, keep: Any, value: Any, other: Any,
) -> int:  # fmt: skip
    """Put the people with a turn into `who`, in order; gives their number."""
    acting = 0
    for one in range(len(left)):
        if left[one] > 0:
            number = draw(rng, kind[one], size, keep, value, other)
            if number > 0:
                key[acting], who[acting] = number, one
                acting += 1
    while True:
        sort_down(key, who, acting)
        tied = False
        first = 0
        for place in range(acting):
            # Equals share a place, with their throws among each other added to it.
            if place + 1 < acting and key[place + 1] == key[first]:
                continue
            for one in range(first, place + 1):
                again = 0
                if place > first:
                    again = draw(rng, kinds + kind[who[one]], size, keep, value, other)
                    tied = True
                key[one] = (acting - first) * TIES + again
            first = place + 1
        if not tied:
            return acting


def choose_target(rng: Any, mine: int, ranks: Any, left: Any, never: int, evenly: bool) -> int:
    """The person with the least rank; among equals the first, or a random one; -1 for none."""
    if left[mine] <= 0:
        return -1
    best, found, equal = never, -1, 0
    for one in range(len(left)):
        rank = ranks[one, left[one]]
        if rank < best:
            best, found = rank, one
    if evenly:
        for one in range(len(left)):
            if ranks[one, left[one]] == best:
                equal += 1
                if rng.random() * equal < 1:
                    found = one
    return found


def loop(
    rng: Any, longest: int, anew: bool, evenly: bool, kind: Any, side: Any, start: Any, kinds: int,
    size: Any, keep: Any, value: Any, other: Any, laws: Any, ranks: Any,
    never: int, scratch: Any, last: Any, rounds: Any, stop: int,
) -> None:  # fmt: skip
    """Throw a fight for each row of `last`; writes its healths there, its rounds in `rounds`.

    A fight ends after `stop` rounds. The rounds of one that took too long are -1.
    """
    people = len(kind)
    key, who, up = scratch[0], scratch[1], scratch[2]
    for fight in range(len(rounds)):
        left = last[fight]
        up[:] = 0
        sides = 0
        for one in range(people):
            left[one] = start[one]
            if up[side[one]] == 0:
                sides += 1
            up[side[one]] += 1
        number = acting = 0
        while sides > 1 and number < longest:
            number += 1
            if anew or number == 1:
                acting = find_order(rng, left, kind, kinds, key, who, size, keep, value, other)
            order = acting
            if not anew and number == 1:
                acting = add_others(who, acting, people)
            for place in range(order):
                mine = who[place]
                target = choose_target(rng, mine, ranks[kind[mine]], left, never, evenly)
                if target < 0:
                    continue
                law = laws[kind[mine], kind[target], left[target]]
                left[target] = draw(rng, law, size, keep, value, other)
                if left[target] <= 0:
                    up[side[target]] -= 1
                    if up[side[target]] == 0:
                        sides -= 1
                        if sides == 1:
                            break
        rounds[fight] = number if sides < 2 or number == stop else -1


def add_others(who: Any, acting: int, people: int) -> int:
    """Put people without a turn after the others, as listed; gives the number of all."""
    having = acting
    for one in range(people):
        late = True
        for place in range(having):
            late = late and who[place] != one
        if late:
            who[acting] = one
            acting += 1
    return acting


def throw_looping(laws: Laws, n: int, seed: int, longest: int, play: Any = loop) -> Tally:
    """Throw n fights with the loop, compiled or not."""
    arrays = Arrays(laws)
    np = arrays.np
    evenly = any(policy.evenly for policy in laws.policies.values())
    scratch = np.zeros((3, len(arrays.kind)), np.int64)
    ends: Counter[tuple[Healths, int]] = Counter()
    stop = laws.battle.rounds or longest + 1
    undecided = 0
    for number, first in enumerate(range(0, n, ROWS)):
        rng = np.random.Generator(np.random.PCG64((seed, number)))
        rounds = np.zeros(min(ROWS, n - first), np.int64)
        last = np.zeros((len(rounds), len(arrays.kind)), np.int64)
        play(
            rng, min(longest, stop), laws.battle.anew, evenly, arrays.kind, arrays.side,
            arrays.start, len(laws.kinds), arrays.size, arrays.keep, arrays.value, arrays.other,
            arrays.law, arrays.rank, NEVER, scratch, last, rounds, stop,
        )  # fmt: skip
        undecided += int((rounds < 0).sum())
        if (rounds >= 0).any():
            arrays.count(last[rounds >= 0], rounds[rounds >= 0], ends)
    return Tally(n, ends, undecided)
