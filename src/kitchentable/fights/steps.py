"""Fights told step by step: each state solved by itself, then all of them as an absorbing chain."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from kitchentable import dice
from kitchentable.dice.quick import QuickDice
from kitchentable.dice.solving.circles import count_visits, find_circles
from kitchentable.fights.errors import NeverEnds, TooManyStates
from kitchentable.fights.forecast import Amount, Forecast, Found, Lengths
from kitchentable.fights.tally import multinomial
from kitchentable.rules.combat import Stepped

Ways = Sequence[tuple[Any, Fraction]]

#: Seconds for the odds of one step; a fight whose steps take longer is thrown.
STEP_WITHIN = 2.0
#: Below so many fights in a state its step is thrown for each.
WORTH_SOLVING = 50
#: Rounds that are told apart, and steps after which a counted fight is broken off.
ROUNDS, LONGEST = 60, 10_000


def follow_steps(fought: Stepped, start: Any, states: int, fights: int, seed: int) -> Forecast:
    """A fight solved, where it has so many states at most; else so many fights counted.

    Errors: NeverEnds.
    """
    try:
        return solve_steps(fought, start, states)
    except TooManyStates:
        return count_steps(fought, start, fights, seed)


def solve_steps(fought: Stepped, start: Any, states: int) -> Forecast:
    """A fight in fractions. Errors: TooManyStates, NeverEnds."""
    ways = _find_ways(fought, start, states)
    visits = _visit(start, ways)
    last = {state: visits[state] for state, after in ways.items() if not after}
    rounds = sum(
        (visits[one] for one, after in ways.items() if after and fought.counts(one)), Fraction(0)
    )
    return _forecast(
        fought, start, last, rounds, _lengths(fought, start, ways), Found("fractions", len(ways))
    )


def count_steps(fought: Stepped, start: Any, fights: int, seed: int) -> Forecast:
    """So many fights counted. Means are over the fights that ended.

    Fights that stand alike go on together: each way of the solved step gets its share by a
    multinomial draw. A step that cannot be solved, or that few fights stand before, is thrown.
    """
    chance = random.Random(seed)
    hand = QuickDice(dice.SeededSource(seed))
    known: dict[Any, Ways | None] = {}
    ends: Counter[Any] = Counter()
    over_in: Counter[int] = Counter()
    standing: Counter[tuple[Any, int]] = Counter({(start, 0): fights})
    for _ in range(LONGEST):
        after_it: Counter[tuple[Any, int]] = Counter()
        for (state, number), many in standing.items():
            if fought.over(state):
                ends[state] += many
                over_in[number] += many
                continue
            if state not in known and many >= WORTH_SOLVING:
                known[state] = _try_step(fought, state)
            ways, now = known.get(state), number + fought.counts(state)
            if ways is None:
                for _ in range(many):
                    after_it[fought.turn(hand, state), now] += 1
            else:
                for after, share in multinomial(many, ways, chance):
                    after_it[after, now] += share
        standing = after_it
        if not standing:
            break
    undecided = standing.total()
    last = {state: Fraction(many, fights) for state, many in ends.items()}
    over = [Fraction(over_in[number], fights) for number in range(max(over_in, default=0) + 1)]
    total = sum(number * many for number, many in over_in.items())
    found = Found("thrown", fights=fights, undecided=undecided)
    rounds = Fraction(total, (fights - undecided) or 1)
    lengths = Lengths(tuple(over), Fraction(undecided, fights))
    return _forecast(fought, start, last, rounds, lengths, found)


def _try_step(fought: Stepped, state: Any) -> Ways | None:
    try:
        return _solve_step(fought, state)
    except TooManyStates:
        # Thrown fight by fight it still goes on.
        return None


def _find_ways(fought: Stepped, start: Any, most: int) -> dict[Any, Ways]:
    """Where one step leads from each state, () where the fight is over."""
    found: dict[Any, Ways] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if len(found) >= most:
            raise TooManyStates(f"This fight can stand in more than {most:,} ways. Count it.")
        found[state] = () if fought.over(state) else _solve_step(fought, state)
        waiting += [after for after, _ in found[state]]
    return found


def _solve_step(fought: Stepped, state: Any) -> Ways:
    try:
        solved = dice.odds(fought.turn, state, within=STEP_WITHIN)
    except dice.NotSolved as error:
        raise TooManyStates("One step of this fight cannot be solved. Count it.") from error
    if solved.unresolved:
        raise TooManyStates("One step of this fight has no end. Count it.")
    return solved.items()


def _visit(start: Any, ways: Mapping[Any, Ways]) -> dict[Any, Fraction]:
    """The expected visits to each state; for those that end a fight, the chance to end there."""
    flowing = dict.fromkeys(ways, Fraction(0))
    flowing[start] = Fraction(1)
    for circle in find_circles(start, lambda state: [after for after, _ in ways[state]]):
        inside = set(circle)
        if len(circle) == 1 and not ways[circle[0]]:
            continue
        if all(after in inside for state in circle for after, _ in ways[state]):
            raise NeverEnds(
                f"From {circle[0]!r} on, this fight never ends: nobody can win it any more. "
                "Its turn has to lead out of there."
            )
        steps: dict[Any, dict[Any, Fraction]] = {state: {} for state in circle}
        for state, row in steps.items():
            for after, chance in ways[state]:
                if after in inside:
                    row[after] = row.get(after, Fraction(0)) + chance
        visits = count_visits(steps, {state: {0: flowing[state]} for state in circle})
        for state in circle:
            flowing[state] = visits[state][0]
            for after, chance in ways[state]:
                if after not in inside:
                    flowing[after] += flowing[state] * chance
    return flowing


def _lengths(fought: Stepped, start: Any, ways: Mapping[Any, Ways]) -> Lengths:
    """The chance of each number of rounds, in floats: all states go on a step at a time."""
    over_in = [0.0] * (ROUNDS + 1)
    flowing: dict[tuple[Any, int], float] = {(start, 0): 1.0}
    later = 0.0
    while flowing:
        after_it: dict[tuple[Any, int], float] = {}
        for (state, number), amount in flowing.items():
            if not ways[state]:
                over_in[number] += amount
                continue
            now = number + fought.counts(state)
            if now > ROUNDS or amount < 1e-15:
                later += amount
                continue
            for after, chance in ways[state]:
                key = (after, now)
                after_it[key] = after_it.get(key, 0.0) + amount * float(chance)
        flowing = after_it
    return Lengths(tuple(over_in), later)


def _forecast(
    fought: Stepped,
    start: Any,
    last: Mapping[Any, Fraction],
    rounds: Fraction,
    lengths: Lengths,
    found: Found,
) -> Forecast:
    wins: dict[str, Amount] = dict.fromkeys(fought.sides(start), Fraction(0))
    for state, chance in last.items():
        wins[fought.over(state)] = wins.get(fought.over(state), Fraction(0)) + chance
    ended = sum(last.values(), Fraction(0)) or Fraction(1)
    spent = {
        name: sum((read(state) * chance for state, chance in last.items()), Fraction(0)) / ended
        for name, read in fought.costs.items()
    }
    by_chance = dict(sorted(wins.items(), key=lambda one: (-one[1], one[0])))
    return Forecast(by_chance, rounds, lengths, {}, {}, (), "", {}, found, spent)
