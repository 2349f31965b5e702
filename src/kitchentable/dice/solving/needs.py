"""Calls with covered numbers among their arguments, which are looked at by need.

Most results are looked at, and some only on a few paths: the second roll after a zero matters to
the card, and not to who has won. So a call that is handed covered numbers divides no path as long
as nobody looks at its result. All that has to be known of such a call is that it ends; the solver
finds out with the numbers handed over, once for all paths.
"""

from collections.abc import Iterable, Mapping
from math import gcd
from typing import TYPE_CHECKING, Any

from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.solving import asking, views
from kitchentable.dice.solving.covered import Covered
from kitchentable.dice.solving.keys import Key, make_key
from kitchentable.dice.solving.lines import HandedOver, LawLine, Terms
from kitchentable.dice.solving.pending import Call, Pending
from kitchentable.dice.solving.settle import find_words, settled
from kitchentable.dice.solving.shapes import PLAIN, Words
from kitchentable.dice.solving.solution import Spread
from kitchentable.dice.solving.step import Step

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


class Item:
    """A value as it is handed over to a call: its words, and the numbers that fill it.

    The numbers have whole weights, or, where they have no end, a line.
    """

    __slots__ = ("_endless", "_hash", "_known")

    def __init__(
        self,
        words: Words,
        numbers: tuple[int, ...],
        weights: tuple[int, ...],
        endless: LawLine | None = None,
    ) -> None:
        line = (id(endless.law), endless.start, endless.without) if endless is not None else None
        self._known = words, numbers, weights, line
        self._endless = endless
        self._hash = hash(self._known)

    def __eq__(self, other: object) -> bool:
        return type(other) is Item and self._known == other._known

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self._known[0])

    def met(self, walk: "Walk") -> Any:
        """The value on a path, its number covered."""
        words, numbers, _, line = self._known
        if not numbers and line is None:
            return words.shape
        return words.fill(walk.choose(("item", self), self._spread))

    def _spread(self) -> Spread:
        _, numbers, weights, _ = self._known
        line = self._endless
        if line is None:
            return Spread(numbers, weights, [], sum(weights))
        return Spread([], [], [], 1, line.restricted().scaled(1 / line.mass))


_COVERS: frozenset[type] = frozenset({Covered, Pending})


def call(
    walk: "Walk", mechanic: Mechanic[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Pending:
    """A call with everything that it is handed looked at."""
    if not PLAIN.issuperset(map(type, args)) and (walk.covers or walk.waiting):
        args = tuple([walk.settle(value) for value in args])
    if kwargs:
        kwargs = {name: walk.settle(value) for name, value in kwargs.items()}
    key = make_key(mechanic, args, kwargs)
    step = walk.known(key)
    if step is not None:
        return step.value  # type: ignore[no-any-return]
    token = Pending(walk, key, len(walk.script))
    walk.append(Step(key, token, *walk.here()))
    return token


def defer(
    walk: "Walk", mechanic: Mechanic[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Pending | None:
    """A call that is handed covered numbers; None where it is handed none or looks at them now."""
    if _COVERS.isdisjoint(map(type, (*args, *kwargs.values()))):
        return None
    if walk.plain or walk.wholly or walk.guarded or views.shows(walk, mechanic):
        return None
    args = tuple([_covered(walk, one) for one in args])
    call = mechanic, args, {name: _covered(walk, one) for name, one in kwargs.items()}
    names, groups = _names(call), walk.here()[2]
    if not names or any(type(groups.get(name)) is HandedOver for name in names):
        return None
    return Pending(walk, None, ("by need", len(walk.waiting)), call=call)


def _covered(walk: "Walk", value: Any) -> Any:
    """An argument with nothing in it that nobody has looked at, unless it is one number."""
    if type(value) is Pending:
        value = value.pending_look()
    return value if type(value) is Covered else walk.settle(value)


def look_at_arguments(walk: "Walk", call: Call) -> Key:
    """The key of a call, once every number that it is handed is looked at."""
    mechanic, args, kwargs = call
    args = tuple([settled(one, walk.place) for one in args])
    kwargs = {name: settled(one, walk.place) for name, one in kwargs.items()}
    return make_key(mechanic, args, kwargs)


def find_unlooked(tokens: Iterable[Pending], names: set[int]) -> list[Pending]:
    """The calls that are handed some of these numbers, and whose arguments nobody looked at."""
    unlooked = [one for one in tokens if one.pending_known is None]
    return [one for one in unlooked if not names.isdisjoint(_names(one.pending_call))]


def _names(call: Call) -> set[int]:
    _, args, kwargs = call
    numbers = [one for one in (*args, *kwargs.values()) if type(one) is Covered]
    return {name for one in numbers for name, _ in one.terms}


def surely_ends(walk: "Walk", token: Pending) -> bool:
    """Whether a call ends whatever the numbers are that it is handed. Errors: NeedsValue."""
    mechanic, args, kwargs = token.pending_call
    groups = walk.here()[2]
    if any(type(groups.get(name)) is HandedOver for name in _names(token.pending_call)):
        return True  # that was found out before they were handed over
    found = find_words((args, tuple(kwargs.items())))
    item = _item(walk, *found) if found is not None else None
    if item is None:
        return False
    ends = mechanic.kept("ends", lambda: _ending(mechanic))
    spread = walk.solver.value(make_key(ends, (item,), {})).spread()
    return not (spread.lost or spread.never)


def _ending(mechanic: Mechanic[..., Any]) -> Mechanic[..., Any]:
    function = views.ending((mechanic, (), (), ()))[0].__wrapped__

    def ends(walk: Any, item: Item) -> Any:
        args, named = item.met(walk)
        return function(walk, *args, **dict(named))

    ends.__name__ = mechanic.name
    return Mechanic(ends)


def _item(walk: "Walk", words: Words, form: Terms) -> Item | None:
    """What is handed over, with what is known of its number by now."""
    situation = asking.Situation(walk)
    groups = [situation.group(name) for name, _ in form]
    line = groups[0]
    if isinstance(line, LawLine) and line.stop is None and form == line.form:
        return Item(words, (), (), line)
    if any(isinstance(group, LawLine) for group in groups):
        return None
    values, weights = asking.distribution(situation, form)
    common = gcd(*weights)
    return Item(words, tuple(values), tuple([weight // common for weight in weights]))
