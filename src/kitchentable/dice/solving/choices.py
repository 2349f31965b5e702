"""Choice points with values that stay symbolic as long as possible."""

from collections.abc import Callable
from typing import Any

from kitchentable.dice.solving.lines import Amount, Group, Line, fresh_law_line
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import Option, Step
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.walk import Walk


def choose(walk: Walk, request: Any, make: Callable[[], Spread]) -> Any:
    """The value of a choice point, repeated from the script or new."""
    step = walk.known(request)
    return add_choice(walk, request, make()) if step is None else step.value


def add_choice(walk: Walk, request: Any, spread: Spread) -> Any:
    """Add a new choice point with this distribution, and return its value."""
    weight, total, groups = walk.here()
    if walk.plain:
        spread = spread.listed()
    if spread.lost:
        walk.lose(weight * spread.lost, total * spread.total)
    if spread.never:
        over = total * spread.total
        walk.gone[over] = walk.gone.get(over, 0) + weight * spread.never
    name = len(walk.script)
    whole = spread.law is not None or bool(spread.values)
    form = ((name, 1),)
    if len(spread.values) == 1 and spread.mass == spread.total:
        return walk.append(Step(request, spread.values[0], weight, total, groups))
    options: list[Option] = [(value, weight * part, groups) for value, part in spread.others]
    if whole:
        line: Group
        mass: Amount = spread.mass
        if spread.law is None:
            line = Line(form, spread.values, spread.weights, spread.mass)
        else:
            line = fresh_law_line(form, spread.law)
            mass = line.mass * spread.total
        walk.covers = True
        options.append((Symbolic(walk, form, 0), weight * mass, {**groups, name: line}))
    for words, values, weights in spread.shaped:
        walk.covers = walk.partial = True
        own = Line(form, values, weights, sum(weights))
        value = words.fill(Symbolic(walk, form, 0))
        options.append((value, weight * own.mass, {**groups, name: own}))
    total *= spread.total
    if whole and len(options) == 1:
        # The path does not branch, so it continues, however unlikely it is.
        only, weight, groups = options[0]
        return walk.append(Step(request, only, weight, total, groups))
    return walk.branch(request, options, total)
