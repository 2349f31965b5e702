"""Calls with symbolic numbers among their arguments, deferred until their result is used.

Some results are used on few paths only: the second roll after a zero matters for the card, but not
for the winner. So a call with symbolic arguments branches no path until its result is used. If the
result is never used, the solver only needs the probability that the call terminates. This is solved
once for all values of the arguments.
"""

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs, Mechanic
from kitchentable.dice.solving import queries
from kitchentable.dice.solving.choices import choose
from kitchentable.dice.solving.keys import make_key
from kitchentable.dice.solving.lines import HandedOver, LawLine, Terms
from kitchentable.dice.solving.pending import (
    Call,
    Pending,
    ending,
    nothing_but_the_end,
    read_result,
    shows,
)
from kitchentable.dice.solving.settle import find_words, settle_argument
from kitchentable.dice.solving.shapes import PLAIN, Words
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import Step
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.walk import Walk


class Item:
    """An argument passed to a call: its template, and the distribution of its number.

    The distribution is finite, with whole weights in lowest terms, or else a law line.
    """

    __slots__ = ("_endless", "_hash", "_known")

    def __init__(
        self,
        words: Words,
        numbers: Sequence[int],
        weights: Sequence[int],
        endless: LawLine | None = None,
    ) -> None:
        common = gcd(*weights) or 1
        lowest = tuple([weight // common for weight in weights])
        line = (id(endless.law), endless.start, endless.without) if endless is not None else None
        self._known = words, tuple(numbers), lowest, line
        self._endless = endless
        self._hash = hash(self._known)

    def __eq__(self, other: object) -> bool:
        return type(other) is Item and self._known == other._known

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self._known[0])

    def met(self, walk: Walk) -> Any:
        """The value on a path, with its number symbolic."""
        words, numbers, _, line = self._known
        if not numbers and line is None:
            return words.shape
        return words.fill(choose(walk, ("item", self), self._spread))

    def _spread(self) -> Spread:
        _, numbers, weights, _ = self._known
        line = self._endless
        if line is None:
            return Spread(numbers, weights, [], sum(weights))
        return Spread([], [], [], 1, line.restricted().scaled(1 / line.mass))


_COVERS: frozenset[type] = frozenset({Symbolic, Pending})


def call(walk: Walk, mechanic: AnyMechanic, args: Args, kwargs: Kwargs) -> Pending:
    """Perform a call after reading its arguments."""
    if not PLAIN.issuperset(map(type, args)) and (walk.covers or walk.waiting):
        args = tuple([settle_argument(walk, value) for value in args])
    if kwargs:
        kwargs = {name: settle_argument(walk, value) for name, value in kwargs.items()}
    key = make_key(mechanic, args, kwargs)
    step = walk.known(key)
    if step is not None:
        return step.value  # type: ignore[no-any-return]
    token = Pending(walk, key, len(walk.script))
    walk.append(Step(key, token, *walk.here()))
    return token


def defer(walk: Walk, mechanic: AnyMechanic, args: Args, kwargs: Kwargs) -> Pending | None:
    """Defer a call with symbolic arguments; None if it has none or must read them now."""
    if _COVERS.isdisjoint(map(type, (*args, *kwargs.values()))):
        return None
    if walk.plain or walk.wholly or walk.guarded or shows(walk, mechanic):
        return None
    args = tuple([_read_argument(walk, one) for one in args])
    call = mechanic, args, {name: _read_argument(walk, one) for name, one in kwargs.items()}
    names, groups = _names(call), walk.here()[2]
    if not names or any(type(groups.get(name)) is HandedOver for name in names):
        return None
    return Pending(walk, None, ("by need", len(walk.waiting)), call=call)


def _read_argument(walk: Walk, value: Any) -> Any:
    """Read an argument, unless it is one symbolic number."""
    value = read_result(value)
    return value if type(value) is Symbolic else settle_argument(walk, value)


def find_unread(tokens: Iterable[Pending], names: set[int]) -> list[Pending]:
    """The calls with some of these numbers as unread arguments."""
    unread = [one for one in tokens if one.pending_known is None]
    return [one for one in unread if not names.isdisjoint(_names(one.pending_call))]


def _names(call: Call) -> set[int]:
    _, args, kwargs = call
    numbers = [one for one in (*args, *kwargs.values()) if type(one) is Symbolic]
    return {name for one in numbers for name, _ in one.terms}


def surely_ends(walk: Walk, token: Pending) -> bool:
    """Whether a call terminates for all values of its arguments. Errors: NeedsValue."""
    mechanic, args, kwargs = token.pending_call
    groups = walk.here()[2]
    if any(type(groups.get(name)) is HandedOver for name in _names(token.pending_call)):
        return True  # checked before the numbers were handed over
    found = find_words((args, tuple(kwargs.items())))
    item = _item(walk, *found) if found is not None else None
    if item is None:
        return False
    ends = mechanic.kept("ends", lambda: _ending(mechanic))
    spread = walk.value(make_key(ends, (item,), {})).spread()
    return not (spread.lost or spread.never)


def _ending(mechanic: AnyMechanic) -> AnyMechanic:
    function = ending((mechanic, (), (), ()))[0].__wrapped__

    def ends(walk: Any, item: Item) -> Any:
        args, named = item.met(walk)
        return function(walk, *args, **dict(named))

    ends.__name__ = mechanic.name
    return Mechanic(ends)


def _item(walk: Walk, words: Words, form: Terms) -> Item | None:
    """The arguments with the distribution of their number; None for most infinite supports."""
    situation = queries.Situation(walk)
    groups = [situation.group(name) for name, _ in form]
    line = groups[0]
    if isinstance(line, LawLine) and line.stop is None and form == line.form:
        return Item(words, (), (), line)
    if any(isinstance(group, LawLine) for group in groups):
        return None
    return Item(words, *queries.distribution(situation, form))


def let_end(walk: Walk, token: Pending) -> None:
    """Account for the probability that an unused call does not terminate."""
    if token.pending_known is None and surely_ends(walk, token):
        return
    key = ending(token.pending_key)
    spread = walk.value(key).spread()
    if spread.lost or spread.never:
        choose(walk, ("end", key), lambda: nothing_but_the_end(spread))
