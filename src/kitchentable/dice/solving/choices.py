"""Choice points whose values stay symbolic as long as they can."""

from collections.abc import Callable
from typing import Any

from kitchentable.dice.solving.lines import Amount, Group, Line, Terms, fresh_law_line
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import Option, Step
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.walk import Walk


def choose(walk: Walk, request: Any, make: Callable[[], Spread]) -> Any:
    """A choice point: repeated from the script, or new."""
    step = walk.known(request)
    return meet(walk, request, make()) if step is None else step.value


def meet(walk: Walk, request: Any, spread: Spread) -> Any:
    """Add a new choice point with this distribution, and return its value."""
    weight, total, groups = walk.here()
    if spread.lost:
        walk.lose(weight * spread.lost, total * spread.total)
    if spread.never:
        over = total * spread.total
        walk.gone[over] = walk.gone.get(over, 0) + weight * spread.never
    name = len(walk.script)
    whole = spread.law is not None or bool(spread.values)
    if walk.plain and whole:
        spread = _uncovered(walk, spread, weight, total)
        whole = False
    form = ((name, 1),)
    if whole and not spread.others and not spread.shaped:
        if spread.law is None and len(spread.values) == 1 and spread.mass == spread.total:
            return walk.append(Step(request, spread.values[0], weight, total, groups))
        walk.covers = True
        line = _line(form, spread, charged=False)
        return walk.append(Step(request, Symbolic(walk, form, 0), weight, total, groups, line))
    options: list[Option] = [(value, weight * part, groups) for value, part in spread.others]
    if whole:
        line = _line(form, spread, charged=True)
        mass = spread.mass if spread.law is None else line.mass * spread.total
        walk.covers = True
        options.append((Symbolic(walk, form, 0), weight * mass, {**groups, name: line}))
    for words, values, weights in spread.shaped:
        walk.covers = walk.partial = True
        own = Line(form, values, weights, spread.total, mass=sum(weights), charged=True)
        value = words.fill(Symbolic(walk, form, 0))
        options.append((value, weight * own.mass, {**groups, name: own}))
    return walk.branch(request, options, total * spread.total)


def _line(form: Terms, spread: Spread, *, charged: bool) -> Group:
    """The line of a choice point's numbers; `charged` if the path's weight includes theirs."""
    if spread.law is None:
        return Line(
            form, spread.values, spread.weights, spread.total, mass=spread.mass, charged=charged
        )
    line = fresh_law_line(form, spread.law)
    line.charged = charged
    return line


def _uncovered(walk: Walk, spread: Spread, weight: Amount, total: int) -> Spread:
    """The choice point with its numbers listed among the other outcomes."""
    if spread.law is None:
        numbers = list(zip(spread.values, spread.weights, strict=True))
        return Spread([], [], [*spread.others, *numbers], spread.total)
    finite, lost = fresh_law_line(((0, 1),), spread.law).cut()
    if lost:
        walk.lose(weight * lost, total)
    others = [(value, part * finite.total) for value, part in spread.others]
    numbers = [
        (value, part * spread.total)
        for value, part in zip(finite.values, finite.weights, strict=True)
    ]
    return Spread([], [], [*others, *numbers], spread.total * finite.total)
