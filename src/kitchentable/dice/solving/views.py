"""Projections of a roll: the same roll, with only a part of its outcome in the result.

Numbers that the part does not need stay symbolic. If a mechanic is annotated to return a dataclass,
a caller may use one field or property of its result: the solver then solves the mechanic projected
to that attribute, and enumerates nothing else.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_type_hints

from kitchentable.dice.errors import DiceFault, NoSuchPart
from kitchentable.dice.mechanic import Mechanic
from kitchentable.dice.outcomes import did_you_mean
from kitchentable.dice.solving.keys import Key, Wholly
from kitchentable.dice.solving.result import NO_VIEW, Pending
from kitchentable.dice.solving.solution import Spread

if TYPE_CHECKING:
    from kitchentable.dice.solving.walk import Walk


def tell(roll: Mechanic[..., Any], by: Callable[[Any], Any] | str) -> Mechanic[..., Any]:
    """A mechanic followed by a function of its outcome, or by one of its fields or properties.

    Repeated calls give the same object, so it is solved once. Errors: NoSuchPart.
    """
    if isinstance(by, str):
        found = view_of(roll, by)
        if found is None:
            raise _no_such_part(roll, by)
        return found
    try:
        return roll.kept(by, lambda: _telling(roll, by))  # type: ignore[no-any-return]
    except TypeError:  # an unhashable function cannot be cached
        return _telling(roll, by)


def _telling(
    roll: Mechanic[..., Any], by: Callable[[Any], Any], hint: Any = None
) -> Mechanic[..., Any]:
    function, kind = roll.__wrapped__, kind_of(roll)

    def telling(dice: Any, *args: Any, **kwargs: Any) -> Any:
        outcome = function(dice, *args, **kwargs)
        if type(outcome) is Pending:
            return outcome.pending_told(by)
        check_kind(roll, kind, outcome)
        return by(outcome)

    telling.__name__ = roll.name
    telling.__doc__ = roll.__doc__
    telling.__annotations__ = {"return": hint}
    return Mechanic(telling)


def kind_of(roll: Mechanic[..., Any]) -> type | None:
    """The dataclass that a mechanic is annotated to return, or None.

    >>> from kitchentable.dice import exploding
    >>> kind_of(exploding)
    """
    hint = roll.kept(_KIND, lambda: hints_of(roll.__wrapped__).get("return"))
    return hint if isinstance(hint, type) and dataclasses.is_dataclass(hint) else None


_KIND = "the annotation"


def check_kind(roll: Mechanic[..., Any], kind: type | None, outcome: Any) -> None:
    """Refuse an outcome that contradicts the mechanic's annotation. Errors: DiceFault."""
    if kind is not None and not isinstance(outcome, kind):
        raise DiceFault(
            f"The mechanic {roll.name} is annotated to return {kind.__name__} and has returned "
            f"{outcome!r}. Annotate it with all that it returns."
        )


def view_of(roll: Mechanic[..., Any], name: str) -> Mechanic[..., Any] | None:
    """A mechanic projected to one field or property of its outcome; None if there is none."""
    kind = kind_of(roll)
    if kind is None or name.startswith("__"):
        return None
    return roll.kept((kind, name), lambda: _view(roll, kind, name))  # type: ignore[no-any-return]


def _view(roll: Mechanic[..., Any], kind: type, name: str) -> Mechanic[..., Any] | None:
    found: Any = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    get: Callable[[Any], Any] = attrgetter(name)
    if isinstance(found, property) and found.fget is not None:
        # Held in a closure, so that its code is checked like the mechanic's.
        own = found.fget

        def by(outcome: Any) -> Any:
            return own(outcome) if type(outcome) is kind else get(outcome)

        return _kept_view(roll, by, hints_of(own).get("return"))
    if name in {field.name for field in dataclasses.fields(kind)}:
        return _kept_view(roll, get, hints_of(kind).get(name))
    return None


def _kept_view(roll: Mechanic[..., Any], by: Callable[[Any], Any], hint: Any) -> Mechanic[..., Any]:
    return roll.kept(by, lambda: _telling(roll, by, hint))  # type: ignore[no-any-return]


def hints_of(thing: Any) -> dict[str, Any]:
    """The annotations of a function or a class; {} if they cannot be evaluated."""
    try:
        return get_type_hints(thing)
    except (NameError, TypeError, AttributeError):
        return {}  # a name known only to type checkers, or not a function


def _no_such_part(roll: Mechanic[..., Any], name: str) -> NoSuchPart:
    kind = kind_of(roll)
    if kind is None:
        return NoSuchPart(
            f"The mechanic {roll.name} does not say in its annotation which dataclass it returns, "
            f"so nothing of its outcome can be asked by the name {name!r}."
        )
    has = sorted({one.name for one in dataclasses.fields(kind)} | _properties(kind))
    return NoSuchPart(
        f"The outcome of {roll.name} has no {name!r}.{did_you_mean(name, has)} "
        f"It has: {', '.join(has)}."
    )


def _properties(kind: type) -> set[str]:
    found = [(name, value) for one in kind.__mro__ for name, value in vars(one).items()]
    return {name for name, value in found if isinstance(value, property) and name[0] != "_"}


def _nothing(outcome: Any) -> None:
    """The projection that only tells that a roll ends."""


# -- use on a path -------------------------------------------------------------------------------


def shows(walk: "Walk", roll: Mechanic[..., Any]) -> bool:
    """Whether a path reads the results of a mechanic at once."""
    # A dataclass is never None, so a comparison with None by identity is safe for it.
    return walk.open or (walk.eager and (walk.guarded or kind_of(roll) is None))


def view(walk: "Walk", token: Pending, name: str) -> Any:
    """One attribute of a result as its own pending result; NO_VIEW to read the whole result."""
    place, key = token.pending_name, token.pending_key
    if place in walk.looked or walk.wholly or walk.plain or walk.guarded:
        return NO_VIEW
    if walk.whole and key in walk.whole:
        return NO_VIEW
    if type(token.pending_extra) is not int or token.pending_extra:
        return NO_VIEW
    if place not in walk.viewed:
        roll = view_of(key[0], name)
        if roll is None:
            return NO_VIEW
        walk.viewed[place] = name, Pending(walk, (roll, *key[1:]), (place, name))
        walk.partial = True
    known, one = walk.viewed[place]
    if known != name:
        # Two attributes of one result are dependent.
        raise Wholly(key)
    return one.pending_look() if shows(walk, one.pending_key[0]) else one


def check_whole(walk: "Walk", roll: Mechanic[..., Any], spread: Spread) -> None:
    """Refuse results that contradict the annotation, where a path may have relied on it."""
    kind = kind_of(roll) if walk.eager else None
    if kind is not None:
        words = [words.shape for words, _, _ in spread.shaped]
        for outcome in (*(one for one, _ in spread.others), *words, *spread.values[:1]):
            check_kind(roll, kind, outcome)


def told(walk: "Walk", token: Pending, by: Callable[[Any], Any]) -> Any:
    """A returned result, projected by a function."""
    place, key = token.pending_name, token.pending_key
    looked = place in walk.looked or place in walk.viewed
    # An added number changes every projection except the one that only tells of the end.
    added = by is not _nothing and (type(token.pending_extra) is not int or token.pending_extra)
    if looked or added:
        return by(token.pending_look())
    one = Pending(walk, (tell(key[0], by), *key[1:]), (place, by))
    walk.viewed[place] = "", one
    return one


def ending(key: Key) -> Key:
    """The key of an unused call, of which only termination matters."""
    mechanic, *rest = key
    return tell(mechanic, _nothing), *rest  # type: ignore[return-value]


def nothing_but_the_end(spread: Spread) -> Spread:
    """The choice point of an unused result: it ends, or it never terminates."""
    mass = spread.total - spread.lost - spread.never
    ended: list[tuple[Any, Any]] = [(None, mass)] if mass else []
    return Spread([], [], ended, spread.total, None, spread.lost, spread.never)
