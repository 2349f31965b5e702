"""Equations of mechanics that call each other, solved exactly.

Each mechanic of a group that calls itself in a circle gives one equation: its outcomes, plus, for
each call whose result it returned (perhaps with a number added), the chance of that call times the
other's unknown distribution. Without numbers added this is a linear system in fractions; with
them it is one in fractions of polynomials (:mod:`.law`).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from kitchentable.dice.errors import DiceFault, NotANumber
from kitchentable.dice.solving.law import Law, polynomial
from kitchentable.dice.solving.lines import Amount
from kitchentable.dice.solving.pending import NeedsGuess
from kitchentable.dice.solving.solution import Solution, common

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk

# The coefficient of one unknown: how likely each added number is.
Shifts = dict[int, Fraction]


def close(walks: Sequence["Walk"]) -> list[Solution]:
    """The exact solutions of mechanics that need only each other."""
    if len(walks) == 1 and not walks[0].terms:
        return [_plain_solution(walks[0])]
    if any(target not in walks for walk in walks for target in walk.terms):
        raise DiceFault(f"The mechanic {walks[0].mechanic.name} waits for one outside its circle.")
    if len(walks) == 1 and not walks[0].laws:
        quick = _only_again(walks[0])
        if quick is not None:
            return [quick]
    coefficients = [[_shifts(walk, other) for other in walks] for walk in walks]
    constant = all(not set(cell) - {0} for row in coefficients for cell in row)
    if constant:
        return _linear(walks, coefficients)
    return _laws(walks, coefficients)


def _plain_solution(walk: "Walk") -> Solution:
    weights, total = common(walk.found) if walk.found else ({}, 1)
    law = _own_law(walk)
    return _with_law(weights, total, law, clean=walk.clean)


def _own_law(walk: "Walk") -> Law | None:
    law: Law | None = None
    for factor, one in walk.laws:
        part = one.scaled(factor)
        law = part if law is None else law.plus(part)
    return law


def _with_law(weights: dict[Any, int], total: int, law: Law | None, *, clean: bool) -> Solution:
    """A solution whose law, where it has one, holds all the whole numbers."""
    if law is None:
        return Solution(weights, total, clean=clean)
    numbers = {o: w for o, w in weights.items() if type(o) is int}
    if numbers:
        law = law.plus(polynomial(numbers, total))
        weights = {o: w for o, w in weights.items() if type(o) is not int}
    if law.finite:
        for at, coefficient in enumerate(law.over):
            if coefficient:
                weights[law.low + at] = coefficient
        below = law.whole
        scale = lcm(below, total)
        weights = {
            o: w * (scale // below if type(o) is int else scale // total)
            for o, w in weights.items()
        }
        return Solution(weights, scale, clean=clean)
    return Solution(weights, total, law, clean=clean)


def _only_again(walk: "Walk") -> Solution | None:
    """The commonest circle: an attempt that is begun again unchanged, as ties are."""
    again: dict[int, dict[Any, Amount]] = {}
    for parts in walk.terms.values():
        for total, shifts in parts.items():
            if set(shifts) != {0}:
                return None
            again[total] = {_AGAIN: shifts[0]}
    merged = {total: dict(weights) for total, weights in walk.found.items()}
    for total, one in again.items():
        merged.setdefault(total, {}).update(one)
    weights, total = common(merged)
    left = total - weights.pop(_AGAIN)
    if not left:
        return Solution({}, 1, clean=walk.clean)
    return Solution(weights, left, clean=walk.clean)


class _Again:
    __slots__ = ()


_AGAIN = _Again()


def _shifts(walk: "Walk", other: "Walk") -> Shifts:
    out: Shifts = {}
    for total, shifts in walk.terms.get(other, {}).items():
        for shift, weight in shifts.items():
            out[shift] = out.get(shift, Fraction(0)) + Fraction(weight) / total
    return out


def _live(walks: Sequence["Walk"], coefficients: Sequence[Sequence[Shifts]]) -> list[int]:
    """The equations from which an outcome can be reached; the others have none."""
    live = {at for at, walk in enumerate(walks) if walk.found or walk.laws or walk.lost}
    grown = True
    while grown:
        grown = False
        for at in range(len(walks)):
            if at not in live and any(
                cell and to in live for to, cell in enumerate(coefficients[at])
            ):
                live.add(at)
                grown = True
    return sorted(live)


def _linear(walks: Sequence["Walk"], coefficients: Sequence[Sequence[Shifts]]) -> list[Solution]:
    live = _live(walks, coefficients)
    size = len(live)
    rows = [
        [
            Fraction(int(i == j)) - coefficients[live[i]][live[j]].get(0, Fraction(0))
            for j in range(size)
        ]
        + [Fraction(int(i == j)) for j in range(size)]
        for i in range(size)
    ]
    for at in range(size):
        pivot = next(row for row in range(at, size) if rows[row][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        head = rows[at][at]
        rows[at] = [entry / head for entry in rows[at]]
        for row in range(size):
            factor = rows[row][at]
            if row != at and factor:
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[at], strict=True)]
    clean = all(walk.clean for walk in walks)
    solved: dict[int, Solution] = {}
    for i, at in enumerate(live):
        merged: dict[int, dict[Any, Amount]] = {}
        law: Law | None = None
        for j, other in enumerate(live):
            factor = rows[i][size + j]
            if not factor:
                continue
            for total, weights in walks[other].found.items():
                part = merged.setdefault(total, {})
                for outcome, weight in weights.items():
                    part[outcome] = part.get(outcome, 0) + factor * weight
            own = _own_law(walks[other])
            if own is not None:
                own = own.scaled(factor)
                law = own if law is None else law.plus(own)
        whole, over = common(merged) if merged else ({}, 1)
        solved[at] = _with_law(whole, over, law, clean=clean)
    return [solved.get(at) or Solution({}, 1, clean=clean) for at in range(len(walks))]


def _laws(walks: Sequence["Walk"], coefficients: Sequence[Sequence[Shifts]]) -> list[Solution]:
    if any(shift < 0 for row in coefficients for cell in row for shift in cell):
        raise NeedsGuess(walks[0])
    live = _live(walks, coefficients)
    size = len(live)
    rows: list[list[Law | None]] = []
    for at in live:
        row: list[Law | None] = []
        for to in live:
            cell = coefficients[at][to]
            left = {shift: -chance for shift, chance in cell.items()}
            if at == to:
                left[0] = left.get(0, Fraction(0)) + 1
            row.append(_rational(left))
        row.append(_numbers(walks[at]))
        rows.append(row)
    for at in range(size):
        pivot, head = next(
            (row, entry) for row in range(at, size) if (entry := rows[row][at]) is not None
        )
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [entry and entry.divided(head) for entry in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor is not None:
                rows[other] = [
                    _less(x, y and y.times(factor))
                    for x, y in zip(rows[other], rows[at], strict=True)
                ]
    clean = all(walk.clean for walk in walks)
    solved = {
        at: _with_law({}, 1, row[size], clean=clean) for at, row in zip(live, rows, strict=True)
    }
    return [solved.get(at) or Solution({}, 1, clean=clean) for at in range(len(walks))]


def _rational(cell: Shifts) -> Law | None:
    total = lcm(*(chance.denominator for chance in cell.values())) if cell else 1
    law = polynomial({s: int(c * total) for s, c in cell.items() if c}, total)
    return law if law.over else None


def _numbers(walk: "Walk") -> Law | None:
    """The outcomes of one equation as a law; they must be numbers where numbers are added."""
    weights, total = common(walk.found) if walk.found else ({}, 1)
    for outcome in weights:
        if type(outcome) is not int:
            raise NotANumber(
                f"The mechanic {walk.mechanic.name} adds a number to its own result, which can "
                f"also be {outcome!r}. Let all its outcomes be whole numbers."
            )
    law = polynomial(weights, total) if weights else None
    own = _own_law(walk)
    if own is not None:
        law = own if law is None else law.plus(own)
    return law


def _less(a: Law | None, b: Law | None) -> Law | None:
    if b is None:
        return a
    negative = b.scaled(Fraction(-1))
    law = negative if a is None else a.plus(negative)
    return law if law.over else None
