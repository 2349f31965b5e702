"""Cycles of calls that add numbers, such as exploding dice.

Each call is an equation for its generating function: its own outcomes, plus the sum over its tail
calls of probability times a power of x times the function of the tail call. A few equations are
solved as rational functions (:mod:`.generating_function`); many become a phase-type distribution
(:mod:`.phase`).
"""

import operator
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from kitchentable.dice.errors import NotANumber
from kitchentable.dice.solving.circles import Arithmetic, count_visits, solve_equations
from kitchentable.dice.solving.generating_function import GeneratingFunction, polynomial
from kitchentable.dice.solving.keys import Key
from kitchentable.dice.solving.phase import (
    LITTLE_WORK,
    MOST_WORK,
    PLACES,
    PhaseLaw,
    State,
    run_out,
)
from kitchentable.dice.solving.row import Row
from kitchentable.dice.solving.solution import Solution, of_law
from kitchentable.dice.solving.sums import new_table

#: The largest number of equations solved as rational functions.
FEW = 4
#: The arithmetic of generating functions.
LAWS = Arithmetic(polynomial({0: 1}, 1), operator.mul, operator.truediv)


def is_small(circles: Sequence[Sequence[Key]], rows: Mapping[Key, Row]) -> bool:
    """Whether cycles are few and short, and add no negative number."""
    return sum(map(len, circles)) <= FEW and all(
        extra >= 0
        for circle in circles
        for key in circle
        for to, extras in rows[key].calls.items()
        if to in circle
        for extra in extras
    )


def close_counting(
    circle: Collection[Key], rows: Mapping[Key, Row], beyond: Mapping[Key, Solution]
) -> dict[Key, Solution]:
    """The solutions of the calls in a small cycle, from the solutions of the calls after it.

    Errors: NotANumber for outcomes that are not numbers.
    """
    steps = {
        key: {
            to: polynomial(extras, rows[key].total)
            for to, extras in rows[key].calls.items()
            if to in circle
        }
        for key in circle
    }
    laws = solve_equations(steps, {key: _own_law(key, rows[key], beyond) for key in circle}, LAWS)
    return {key: of_law(law) for key, law in laws.items()}


def close_as_phase(
    keys: Sequence[Key], rows: Mapping[Key, Row], *, exact: bool, guessed: bool
) -> Solution:
    """The solution of the first call, as a phase-type distribution. Errors: NotANumber.

    If a number below 0 is added, or a lower bound is enough, the chain is followed until little
    probability is left. A chain that depends on guesses is solved again in the next round, so it
    gets fewer steps.
    """
    number = {key: at for at, key in enumerate(keys)}
    states = [State(_steps(rows[key], number), _own_numbers(key, rows[key])) for key in keys]
    forward = all(
        extra >= 0 for state in states for extras in state.steps.values() for extra in extras
    )
    if not forward or not exact:
        found = run_out(states, 0, most=LITTLE_WORK if guessed else MOST_WORK)
        return Solution(found, 1 << PLACES)
    return Solution({}, 1, PhaseLaw(_without_zero_steps(states), 0))


def _steps(row: Row, number: Mapping[Key, int]) -> dict[int, dict[int, Fraction]]:
    """The tail calls of a row that have a number, with the probabilities of the numbers added."""
    return {
        number[to]: {extra: Fraction(weight, row.total) for extra, weight in extras.items()}
        for to, extras in row.calls.items()
        if to in number
    }


def _own_law(key: Key, row: Row, beyond: Mapping[Key, Solution]) -> GeneratingFunction:
    """The generating function of a call's outcomes outside the cycle."""
    law = polynomial(_numbers(key, row.found), row.total)
    for share, one in row.laws:
        law += one.scaled(share)
    for to, extras in row.calls.items():
        if to in beyond:
            after = beyond[to].as_law()
            if after is None:
                raise not_a_number(key, beyond[to].weights)
            law += after * polynomial(extras, row.total)
    return law


def _own_numbers(key: Key, row: Row) -> dict[int, Fraction]:
    """The direct outcomes of a call, with infinite supports truncated."""
    numbers: dict[int, Fraction] = defaultdict(Fraction)
    for value, weight in _numbers(key, row.found).items():
        numbers[value] = Fraction(weight, row.total)
    for share, law in row.laws:
        spread = Solution({}, 1, law).spread().without_end()
        for value, weight in zip(spread.values, spread.weights, strict=True):
            part = share * weight / spread.total
            numbers[value] += part
    return numbers


def _numbers(key: Key, found: Mapping[Any, int]) -> dict[int, int]:
    if any(type(outcome) is not int for outcome in found):
        raise not_a_number(key, found)
    return dict(found)


def not_a_number(key: Key, found: Iterable[Any]) -> NotANumber:
    """The error for a number added to a result that may not be a number."""
    word = next(outcome for outcome in found if type(outcome) is not int)
    return NotANumber(
        f"The mechanic {key[0].name} adds a number to its own result, which can also be {word!r}. "
        f"Return only whole numbers from it."
    )


def _without_zero_steps(states: Sequence[State]) -> list[State]:
    """An equivalent chain without steps that add 0."""
    still = {
        at: {to: parts[0] for to, parts in state.steps.items() if 0 in parts}
        for at, state in enumerate(states)
    }
    if not any(still.values()):
        return list(states)
    out = []
    for at in range(len(states)):
        steps: dict[int, dict[int, Fraction]] = defaultdict(new_table)
        ends = new_table()
        for here, visits in count_visits(still, {at: {0: Fraction(1)}}).items():
            often = visits.get(0, Fraction(0))
            if not often:
                continue
            for to, parts in states[here].steps.items():
                for extra, chance in parts.items():
                    if extra:
                        steps[to][extra] += often * chance
            for value, chance in states[here].ends.items():
                ends[value] += often * chance
        out.append(State(steps, ends))
    return out
