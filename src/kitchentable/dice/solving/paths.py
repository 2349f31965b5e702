"""Walking every path of one mechanic: run, note the outcome, go on with the next option."""

from typing import TYPE_CHECKING, Any

from kitchentable.dice.errors import (
    KitchenTableError,
    NotHashable,
    NotRepeatable,
    StartingOver,
    TooManyPaths,
)
from kitchentable.dice.solving import asking
from kitchentable.dice.solving.covered import Covered
from kitchentable.dice.solving.pending import Pending
from kitchentable.dice.solving.settle import PLAIN, settled

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class Nowhere(KitchenTableError):
    """Control flow: this path is left here, its chance is unresolved."""

    code = "dice/nowhere"


def walk_paths(walk: "Walk", budget: int) -> int:
    """Walk every path of a mechanic; what is left of the budget."""
    function, args, kwargs = walk.mechanic.__wrapped__, walk.args, walk.kwargs
    script = walk.script
    while True:
        walk.pos = 0
        try:
            outcome = function(walk, *args, **kwargs)
            note(walk, outcome)
        except StartingOver:
            _again(walk, walk, 0)
        except Nowhere:
            pass
        if walk.pos < len(script):
            raise NotRepeatable(
                f"The mechanic {walk.mechanic.name} is not repeatable: with the same dice it "
                f"first asked for {script[walk.pos].request!r} and then ended. A mechanic may use "
                f"no clock, no randomness of its own and no order of a set; let it ask the dice."
            )
        budget -= 1
        while script and not script[-1].advance():
            script.pop()
        if not script:
            return budget
        if budget <= 0:
            raise TooManyPaths(
                f"The mechanic {walk.mechanic.name} branches into too many paths to solve. Throw "
                f"dice that belong together with dice.total(...), dice.count(...) or "
                f"dice.pool(...), make a part of it a mechanic of its own, or ask the question "
                f"itself (at least 12?) instead of returning every detail; or use sample."
            )


def note(walk: "Walk", outcome: Any) -> None:
    """Add what one path gives to what was found."""
    kind = type(outcome)
    if kind is Covered:
        values, weights, total, law = asking.outcome(walk, outcome.terms, outcome.const)
        if law is not None:
            walk.laws.append(law)
        found = walk.found.setdefault(total, {})
        for value, weight in zip(values, weights, strict=True):
            found[value] = found.get(value, 0) + weight
        return
    if kind is Pending:
        _pending(walk, outcome)
        return
    if (walk.covers or walk.script) and kind not in PLAIN:
        outcome = settled(outcome, f"The mechanic {walk.mechanic.name}")
    if walk.script:
        last = walk.script[-1]
        weight, total = last.weight, last.total
    else:
        weight, total = 1, 1
    found = walk.found.setdefault(total, {})
    try:
        found[outcome] = found.get(outcome, 0) + weight
    except TypeError as error:
        raise NotHashable(
            f"The outcome of the mechanic {walk.mechanic.name} must be hashable: {error}."
        ) from error


def _pending(walk: "Walk", token: Pending) -> None:
    extra = token.extra
    if type(extra) is int:
        _again(walk, token.target, extra)
        return
    values, weights, total, law = asking.outcome(walk, extra.terms, extra.const)
    if law is not None:
        token.need()
    cell = walk.terms.setdefault(token.target, {}).setdefault(total, {})
    for value, weight in zip(values, weights, strict=True):
        cell[value] = cell.get(value, 0) + weight


def _again(walk: "Walk", target: "Walk", extra: int) -> None:
    weight, total, _ = walk.here()
    cell = walk.terms.setdefault(target, {}).setdefault(total, {})
    cell[extra] = cell.get(extra, 0) + weight
