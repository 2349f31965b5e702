"""A fold over symbolic numbers, solved by the distribution of its state.

Comparing ten totals would branch over millions of orders, but the best of the first nine is one
number with a distribution. So a fold is solved like a mechanic that calls itself with one item
less. The items are handed over: they become part of the state. If the path uses an item afterwards,
the fold is run again item by item.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, TypeVar

from kitchentable.dice.mechanic import AnyMechanic, Mechanic
from kitchentable.dice.solving.keys import make_key
from kitchentable.dice.solving.kinds import find_kind
from kitchentable.dice.solving.lines import HandedOver
from kitchentable.dice.solving.needs import Item, find_unread, surely_ends
from kitchentable.dice.solving.outcome_parts import hints_of
from kitchentable.dice.solving.pending import Pending, read_result, shows
from kitchentable.dice.solving.pools import meaning
from kitchentable.dice.solving.queries import Situation
from kitchentable.dice.solving.settle import find_words
from kitchentable.dice.solving.shapes import mapped, take_apart
from kitchentable.dice.solving.step import Step
from kitchentable.dice.solving.symbolic import Symbolic
from kitchentable.dice.solving.walk import Walk

State = TypeVar("State")
Each = TypeVar("Each")


def fold(step: Callable[[State, Each], State], items: Iterable[Each], start: State) -> State:
    """The state after `state = step(state, item)` for each item.

    This equals ``functools.reduce``. While odds are solved, paths branch only by the state, not by
    the items that lead to it. So keep only what the result needs in the state, and let `step`
    depend only on its arguments and plain values.

    >>> fold(max, [3, 5, 4], 0)
    5
    >>> from kitchentable.dice import mechanic, odds
    >>> @mechanic
    ... def best_of(dice, many: int) -> int:
    ...     return fold(max, [dice.total(2) for _ in range(many)], 0)
    >>> odds(best_of, 20).at_most(7) == odds("2d6").at_most(7) ** 20
    True
    """
    items = tuple(items)
    walk = _walk_of((start, items))
    call = _find_call(walk, step, items, start) if walk is not None else None
    if walk is None or call is None:
        return reduce(step, items, start)
    return call.pending_look() if shows(walk, call.pending_key[0]) else call  # type: ignore[return-value]


def _walk_of(value: Any) -> Walk | None:
    """The walk of the symbolic numbers or pending results in a value."""
    for part in take_apart(value)[1]:
        if type(part) is Symbolic:
            return part.walk
        if type(part) is Pending:
            return part.pending_walk
    return None


class Items:
    """The items handed over to a fold: the last item, and the items before it."""

    __slots__ = ("_hash", "before", "last")

    def __init__(self, before: "Items | None", last: Item) -> None:
        self.before = before
        self.last = last
        self._hash = hash((before, last))

    def __eq__(self, other: object) -> bool:
        mine: Any = self
        theirs: Any = other
        while mine is not theirs:
            if type(mine) is not Items or type(theirs) is not Items or mine.last != theirs.last:
                return False
            mine, theirs = mine.before, theirs.before
        return True

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"..., {self.last!r}"


def _make_fold(step: Callable[[Any, Any], Any]) -> AnyMechanic:
    def fold(walk: Any, items: Items, start: Any) -> Any:
        state = start if items.before is None else read_result(one(walk, items.before, start))
        return step(state, items.last.met(walk))

    fold.__annotations__ = {"return": hints_of(step).get("return")}
    one = Mechanic(fold)
    return one


def _find_call(
    walk: Walk, step: Callable[[Any, Any], Any], items: Any, start: Any
) -> Pending | None:
    """The pending result of a fold as a separate call; None if it is run item by item."""
    means = meaning(step)
    if walk.plain or walk.wholly or walk.guarded or _walk_of(start) or type(means) is object:
        return None
    mechanic = walk.folds.get(means)
    if mechanic is None:
        mechanic = walk.folds[means] = walk.mechanic.kept(("fold", means), lambda: _make_fold(step))
    try:
        parts = [find_words(mapped(item, read_result)) for item in items]
        request = ("fold of", mechanic, tuple(parts), start, find_kind(start))
        token: Pending | None = walk.folded.get(request)
    except TypeError:  # an item cannot be rebuilt, or the start cannot be a key
        return None
    if None in parts:
        return None
    at = walk.pos
    if token is None and at == len(walk.script):
        token = _handed_over(walk, request)
    elif token is None and walk.script[at].request == request:
        token = walk.script[at].value
        walk.pos += 1
    if token is not None:
        walk.folded[request] = token
        walk.waiting.append(token)
        walk.partial = True
    return token


def _handed_over(walk: Walk, request: Any) -> Pending | None:
    """The fold as a separate call that owns its items; None if this is impossible.

    It is impossible if items are dependent or used afterwards, or if they are arguments of another
    call that may never terminate.
    """
    _, mechanic, parts, start, _ = request
    situation, to = Situation(walk), HandedOver((mechanic, (), (), ()))
    touched = [{id(situation.group(name)) for name, _ in form} for _, form in parts]
    if to.key in walk.whole or len(set().union(*touched)) < sum(map(len, touched)):
        return None
    names = {one for _, form in parts for name, _ in form for one in situation.group(name).names}
    if not all(surely_ends(walk, one) for one in find_unread(walk.waiting, names)):
        return None
    items: Any = None
    for words, form in parts:
        held = situation.hand_over(form, to) if form else ((), ())
        items = Items(items, Item(words, *held))
    key = make_key(mechanic, (items, start), {})
    token = Pending(walk, key, len(walk.script))
    walk.append(Step(request, token, situation.weight, situation.total, situation.groups))
    return token
