"""Enumeration of the paths of one mechanic: run, record the outcome, advance the script."""

from collections.abc import Sequence
from enum import Enum
from typing import Any, NoReturn

from kitchentable.dice.errors import (
    NotHashable,
    StartingOver,
    TooManyPaths,
)
from kitchentable.dice.solving import queries
from kitchentable.dice.solving.keys import Key, NeedsValue, PathStopped
from kitchentable.dice.solving.kinds import ALONE, are_mixed, find_mixed
from kitchentable.dice.solving.lines import Amount, Terms
from kitchentable.dice.solving.needs import let_end
from kitchentable.dice.solving.pending import Pending
from kitchentable.dice.solving.runner import run
from kitchentable.dice.solving.settle import find_words, settled
from kitchentable.dice.solving.shapes import PLAIN, Filled, Words
from kitchentable.dice.solving.step import in_words
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.vectors import Frame, SymbolicVector
from kitchentable.dice.solving.walk import Walk

# The largest number of paths of a call.
MOST_PATHS = 120_000


def walk_paths(walk: Walk, budget: int) -> int:
    """Walk every path of a mechanic, and return the rest of the budget.

    If a path needs a result that is not known yet, the walk stops, and a later call continues it.
    """
    script = walk.script
    if not walk.begun:
        _check_repeats(walk, *walk_once(walk))
        walk.begun = True
    else:
        walk_once(walk)
    while True:
        budget -= 1
        walk.paths += 1
        while script:
            step = script[-1]
            if step.options is not None and step.advance():
                break
            script.pop()
        else:
            _add_endings(walk)
            return budget
        if budget <= 0 or walk.paths > MOST_PATHS:
            raise TooManyPaths(
                f"The mechanic {walk.mechanic.name} branches into too many paths to solve. Throw "
                f"dice that belong together with dice.total(...), dice.count(...) or "
                f"dice.pool(...), make a part of it a separate mechanic, replace a loop by a "
                f"mechanic that calls itself with the changing values, or return the answer to a "
                f"question (at least 12?) instead of every detail; or use sample."
            )
        walk.results.check_time()
        walk_once(walk)


def walk_once(walk: Walk) -> tuple[Any, int]:
    """Run one path of the mechanic; return the outcome and the number of choice points."""
    walk.begin_run()
    walk.needs = None
    try:
        outcome = run(walk)
    except StartingOver:
        outcome = _AGAIN
    except PathStopped:
        outcome = _STOPPED
    if walk.needs_plain:
        raise walk.plainly("The mechanic caught the signal.")
    if walk.needs is not None:
        raise NeedsValue(walk.needs)
    length = walk.pos
    if outcome is not _STOPPED:
        try:
            if outcome is _AGAIN:
                _let_end(walk, None)
                _add_tail_call(walk, walk.key, 0)
            else:
                note(walk, outcome)
        except PathStopped:
            outcome = _STOPPED
    if walk.pos < len(walk.script):
        _refuse_end(walk, walk.pos, "and then ended")
    return outcome, length


_AGAIN, _STOPPED = object(), object()


def _refuse_end(walk: Walk, at: int, rest: str) -> NoReturn:
    raise walk.not_repeatable(f"asked for {in_words(walk.script[at].request)} {rest}")


def _check_repeats(walk: Walk, first: Any, length: int) -> None:
    """Run the first path again and check that the outcome is the same."""
    if first is _STOPPED:
        return
    walk.begin_run()
    try:
        second = walk.mechanic.__wrapped__(walk, *walk.args, **walk.kwargs)
    except StartingOver:
        second = _AGAIN
    if walk.pos != length:
        at = min(walk.pos, length)
        _refuse_end(walk, at, "and then ended" if walk.pos < length else "only the second time")
    kind = type(first)
    if first is not second and first is not _AGAIN and _only_itself(first):
        raise NotHashable(
            f"The outcome of the mechanic {walk.mechanic.name} is a {kind.__name__}, which is "
            f"equal only to itself. Return a value that compares by its parts, such as a frozen "
            f"dataclass."
        )
    if kind is Symbolic and type(second) is Symbolic:
        same = (first.terms, first.const) == (second.terms, second.const)
    elif kind is Pending or type(second) is Pending:
        same = kind is type(second)
    elif walk.covers and kind not in PLAIN:
        return
    else:
        same = second is first or second == first
    if not same:
        raise walk.not_repeatable(f"gave {first!r} and then {second!r}")


def _only_itself(outcome: Any) -> bool:
    kind = type(outcome)
    if kind in PLAIN or kind in {Symbolic, Pending} or issubclass(kind, Enum):
        return False
    equal: Any = kind.__eq__
    return equal is object.__eq__


def note(walk: Walk, outcome: Any) -> None:
    """Add the outcome of one path to the results of the walk."""
    kind = type(outcome)
    if kind is Pending and (
        outcome.pending_name in walk.looked or outcome.pending_name in walk.viewed
    ):
        outcome = outcome.pending_look()
        kind = type(outcome)
    frame = None
    form: Terms = ()
    if kind not in PLAIN:
        if kind is SymbolicVector:
            frame, outcome, kind = outcome.frame, outcome.number, Symbolic
        elif kind is not Symbolic and kind is not Pending and (walk.covers or walk.waiting):
            outcome, form = _as_template(walk, outcome)
    if walk.waiting:
        _let_end(walk, outcome)
    if kind is Pending:
        _add_call(walk, outcome)
        return
    if kind is Symbolic:
        _add_number(walk, outcome, frame)
        return
    if form:
        _add_template(walk, outcome, form)
        return
    weight, total, _ = walk.here()
    found = walk.found.setdefault(total, {})
    try:
        if kind not in ALONE and (kind is not int or walk.firsts):
            _check_kind(walk, outcome)
        found[outcome] = found.get(outcome, 0) + weight
    except TypeError as error:
        raise NotHashable(
            f"The outcome of the mechanic {walk.mechanic.name} must be hashable: {error}."
        ) from error


def _as_template(walk: Walk, outcome: Any) -> tuple[Any, Terms]:
    """The outcome without symbolic numbers, or its template and the linear form of its number."""
    found = None if walk.wholly else find_words(outcome)
    if found is None:
        return settled(outcome, walk.place), ()
    return found if found[1] else (outcome, ())


def _add_template(walk: Walk, words: Words, form: Terms) -> None:
    """Add an outcome for every value of the number in the template."""
    values, weights, total, _ = queries.outcome(walk, form, 0, endless=False)
    words = walk.words.setdefault(words, words)
    found = walk.found.setdefault(total, {})
    for value, weight in zip(values, weights, strict=True):
        one = Filled(words, value)
        found[one] = found.get(one, 0) + weight


def _add_number(walk: Walk, outcome: Symbolic, frame: Frame | None) -> None:
    """Add every value of a symbolic number."""
    several = frame is None and len(outcome.terms) > 1
    if several and queries.end(walk, outcome.terms, outcome.const):
        return
    numbers, weights, total, law = queries.outcome(walk, outcome.terms, outcome.const)
    values: Sequence[Any] = numbers
    if law is not None:
        walk.laws.append(law)
    if frame is not None:
        values = [frame.unpack(value) for value in numbers]
    _add(walk, total, values, weights)


def _add_endings(walk: Walk) -> None:
    """Add the sums that paths returned."""
    for ending in walk.endings.values():
        walk.results.check_time()
        values, weights = ending.spread()
        for total, added in ending.added.items():
            for const, often in added.items():
                numbers = [value + const for value in values]
                _add(walk, total, numbers, [often * weight for weight in weights])
    walk.endings.clear()


def _add(walk: Walk, total: int, values: Sequence[Any], weights: Sequence[Amount]) -> None:
    """Add outcomes with their weights over a total."""
    if walk.firsts and walk.clash is None:
        walk.clash = find_mixed({**walk.firsts}, values)
    found = walk.found.get(total)
    if found is None:
        walk.found[total] = dict(zip(values, weights, strict=True))
        return
    for value, weight in zip(values, weights, strict=True):
        found[value] = found.get(value, 0) + weight


def _check_kind(walk: Walk, outcome: Any) -> None:
    """Note an outcome that equals an earlier one of another type."""
    firsts = walk.firsts
    if outcome not in firsts:
        # Whole numbers join `firsts` only when another outcome has been found.
        cells = (cell for cell in walk.found.values() if outcome in cell)
        firsts[outcome] = next((one for cell in cells for one in cell if one == outcome), outcome)
    first = firsts[outcome]
    if first is not outcome and walk.clash is None and are_mixed(first, outcome):
        walk.clash = first, outcome


def _let_end(walk: Walk, outcome: Any) -> None:
    """Account for unused calls that may not terminate."""
    handed = outcome.pending_name if type(outcome) is Pending else None
    for called in walk.waiting:
        token = called
        while token.pending_name in walk.viewed:
            token = walk.viewed[token.pending_name][1]
        if token.pending_name not in walk.looked and token.pending_name != handed:
            let_end(walk, token)


def _add_call(walk: Walk, token: Pending) -> None:
    # First the arguments are read, then the numbers added to the result.
    key: Key = token.pending_key
    extra: Any = token.pending_extra
    if type(extra) is not Symbolic:
        _add_tail_call(walk, key, extra)
        return
    values, weights, total, law = queries.outcome(walk, extra.terms, extra.const)
    if law is not None:
        note(walk, token.pending_look())
        return
    cell = walk.calls.setdefault(key, {}).setdefault(total, {})
    for value, weight in zip(values, weights, strict=True):
        cell[value] = cell.get(value, 0) + weight


def _add_tail_call(walk: Walk, key: Key, extra: int) -> None:
    weight, total, _ = walk.here()
    cell = walk.calls.setdefault(key, {}).setdefault(total, {})
    cell[extra] = cell.get(extra, 0) + weight
