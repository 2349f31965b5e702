"""Walking every path of one mechanic: run, note the outcome, go on with the next option."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from kitchentable.dice.errors import (
    DiceFault,
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
from kitchentable.dice.solving.step import Step, in_words
from kitchentable.dice.solving.vectors import CoveredVector

if TYPE_CHECKING:
    from kitchentable.dice.solving.solution import Solution
    from kitchentable.dice.solving.walk import Walk

MOST_CHECKED = 100


class Nowhere(KitchenTableError):
    """Control flow: this path is left here, its chance is unresolved."""

    code = "dice/nowhere"


def walk_paths(walk: "Walk", budget: int) -> int:
    """Walk every path of a mechanic; what is left of the budget."""
    script = walk.script
    _repeats(walk, *_run(walk))
    while True:
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
        _run(walk)


def _run(walk: "Walk") -> tuple[Any, int]:
    """Run the mechanic along its script; what came out, and after how many choice points."""
    walk.pos = 0
    try:
        outcome = walk.mechanic.__wrapped__(walk, *walk.args, **walk.kwargs)
    except StartingOver:
        outcome = _AGAIN
        if walk.waits:
            _handed(walk, None)
        _again(walk, walk, 0)
    except Nowhere:
        outcome = _NOWHERE
    if walk.needs_plain:
        raise walk.plainly("The signal did not come through.")
    length = walk.pos
    if outcome is not _AGAIN and outcome is not _NOWHERE:
        try:
            note(walk, outcome)
        except Nowhere:
            outcome = _NOWHERE
    if walk.pos < len(walk.script):
        _ended(walk, walk.pos, "and then ended")
    return outcome, length


_AGAIN, _NOWHERE = object(), object()


def _ended(walk: "Walk", at: int, rest: str) -> NoReturn:
    raise NotRepeatable(
        f"{walk.place} is not repeatable: with the same dice it first asked for "
        f"{in_words(walk.script[at].request)} {rest}. A mechanic may use no clock, no randomness "
        f"of its own and no order of a set; let it ask the dice."
    )


_NOTHING = object()


def _repeats(walk: "Walk", first: Any, length: int) -> None:
    """Run the first path a second time; the outcome must be the same."""
    if first is _NOWHERE:
        return
    walk.pos = 0
    try:
        second = walk.mechanic.__wrapped__(walk, *walk.args, **walk.kwargs)
    except StartingOver:
        second = _AGAIN
    if walk.pos != length:
        at = min(walk.pos, length)
        _ended(walk, at, "and then ended" if walk.pos < length else "only the second time")
    kind = type(first)
    if first is not second and first is not _AGAIN and _only_itself(first):
        raise NotHashable(
            f"The outcome of the mechanic {walk.mechanic.name} is a {kind.__name__}, which is "
            f"equal only to itself. Let it be compared by its value, as a frozen dataclass is."
        )
    if kind is Covered and type(second) is Covered:
        same = (first.terms, first.const) == (second.terms, second.const)
    elif kind is Pending or type(second) is Pending:
        same = kind is type(second)
    elif walk.covers and kind not in PLAIN:
        return
    else:
        same = second is first or second == first
    if not same:
        raise NotRepeatable(
            f"The mechanic {walk.mechanic.name} is not repeatable: with the same dice it first "
            f"gave {first!r} and then {second!r}. A mechanic may use no clock, no randomness of "
            f"its own and no order of a set; let it ask the dice."
        )


def _only_itself(outcome: Any) -> bool:
    kind = type(outcome)
    if kind in PLAIN or kind in {Covered, Pending} or issubclass(kind, Enum):
        return False
    equal: Any = kind.__eq__
    return equal is object.__eq__


def note(walk: "Walk", outcome: Any) -> None:
    """Add what one path gives to what was found."""
    kind = type(outcome)
    frame = None
    if kind is CoveredVector:
        frame, outcome, kind = outcome.frame, outcome.number, Covered
    hiding = (walk.covers or walk.waits) and kind not in PLAIN
    if hiding and kind is not Covered and kind is not Pending:
        outcome = settled(outcome, walk.place)
    if walk.waits:
        _handed(walk, outcome)
    if kind is Covered:
        values, weights, total, law = asking.outcome(walk, outcome.terms, outcome.const)
        if law is not None:
            walk.laws.append(law)
        if frame is not None:
            values = [frame.unpack(value) for value in values]
        found = walk.found.get(total)
        if found is None:
            walk.found[total] = dict(zip(values, weights, strict=True))
            return
        for value, weight in zip(values, weights, strict=True):
            found[value] = found.get(value, 0) + weight
        return
    if kind is Pending:
        _pending(walk, outcome)
        return
    weight, total, _ = walk.here()
    found = walk.found.setdefault(total, {})
    try:
        found[outcome] = found.get(outcome, 0) + weight
    except TypeError as error:
        raise NotHashable(
            f"The outcome of the mechanic {walk.mechanic.name} must be hashable: {error}."
        ) from error


def _handed(walk: "Walk", outcome: Any) -> None:
    """Whoever asked for a result that is still open has to hand it on, or wants to know it."""
    for step in walk.script:
        if type(step.value) is Pending and (
            type(outcome) is not Pending or outcome.asked is not step.value
        ):
            step.value.need()


def _pending(walk: "Walk", token: Pending) -> None:
    walk.handed_on.append(([step.frozen() for step in walk.script], token))
    extra: Any = token.extra
    if type(extra) is not Covered:
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


def verify(solved: "Mapping[Walk, Solution]") -> None:
    """Run the paths that handed a result on once more with every value it can have.

    A token hides from an `is`: a mechanic that looked at the result that way and did something
    else with some value shows it now, and is solved by iteration instead.
    """
    for walk in solved:
        for script, token in walk.handed_on:
            values = [value for value in solved[token.target].weights if type(value) is not int]
            for value in values[:MOST_CHECKED]:
                if not _hands_on(walk, script, token, value):
                    token.need()


def _hands_on(walk: "Walk", script: list[Step], token: Pending, value: Any) -> bool:
    walk.script = [
        Step(step.request, value, step.weight, step.total, step.groups)
        if step.value is token.asked
        else step
        for step in script
    ]
    walk.pos = 0
    length = len(script)
    try:
        outcome = walk.mechanic.__wrapped__(walk, *walk.args, **walk.kwargs)
    except (NotRepeatable, StartingOver, Nowhere, DiceFault):
        return False
    finally:
        del walk.script[length:]
    return outcome is value or bool(type(outcome) is type(value) and outcome == value)
