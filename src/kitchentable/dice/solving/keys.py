"""Keys of calls, by which each mechanic with its arguments is solved once."""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from kitchentable.dice.errors import KitchenTableError, NotHashable
from kitchentable.dice.mechanic import AnyMechanic, Args, Kwargs

# The mechanic, its positional and named arguments, and their types, because 1 == True.
Key = tuple[AnyMechanic, tuple[Any, ...], tuple[tuple[str, Any], ...], tuple[Any, ...]]


def make_key(mechanic: AnyMechanic, args: Args, kwargs: Kwargs) -> Key:
    """The key of a call. Errors: NotHashable.

    >>> from kitchentable.dice import exploding
    >>> make_key(exploding, (6,), {})[1:]
    ((6,), (), (<class 'int'>,))
    """
    if kwargs:
        named = tuple(sorted(kwargs.items()))
        key = (mechanic, args, named, (kinds_of(args), kinds_of([one for _, one in named])))
    else:
        key = (mechanic, args, (), kinds_of(args))
    try:
        hash(key)
    except TypeError as error:
        raise NotHashable(
            f"The arguments of the mechanic {mechanic.name} must be hashable: {error}."
        ) from error
    return key


def kinds_of(values: Collection[Any]) -> tuple[Any, ...]:
    """The types of values, with the types inside tuples.

    >>> kinds_of((1, (True,)))
    (<class 'int'>, (<class 'bool'>,))
    """
    kinds = tuple(map(type, values))
    if _WITHOUT_PARTS.issuperset(kinds):
        return kinds
    return tuple([_kind_of(one) if isinstance(one, tuple) else type(one) for one in values])


_WITHOUT_PARTS: frozenset[type] = frozenset({int, bool, str, type(None), Fraction})


def _kind_of(one: tuple[Any, ...]) -> tuple[Any, ...]:
    return kinds_of(one) if type(one) is tuple else (type(one), *kinds_of(one))


def in_words(key: Key) -> str:
    """A call in Python notation, with long arguments cut.

    >>> from kitchentable.dice import exploding
    >>> in_words(make_key(exploding, (6,), {"at": 5}))
    'exploding(6, at=5)'
    """
    mechanic, args, named, _ = key
    words = ", ".join([*map(repr, args), *(f"{name}={one!r}" for name, one in named)])
    return f"{mechanic.name}({words if len(words) <= LONGEST else words[:LONGEST] + '…'})"


LONGEST = 120


class NeedsValue(KitchenTableError):
    """Control flow: a path needs the result of a call that is not solved yet."""

    code = "dice/needs-value"

    def __init__(self, key: Key) -> None:
        super().__init__(key[0].name)
        self.key = key


class Plainly(KitchenTableError):
    """Control flow: solve the mechanic again with every number enumerated."""

    code = "dice/plainly"


class PathStopped(KitchenTableError):
    """Control flow: the path stops, and its probability is unresolved."""

    code = "dice/nowhere"


class NeedsWhole(KitchenTableError):
    """Control flow: walk the paths again, and read the results of a call as a whole."""

    code = "dice/wholly"

    def __init__(self, key: Key) -> None:
        super().__init__(key[0].name)
        self.key = key
