"""Fields and properties of outcomes that are dataclasses, by name."""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import Any, get_type_hints

from kitchentable.dice.errors import DiceFault, NoSuchPart
from kitchentable.dice.mechanic import AnyMechanic
from kitchentable.dice.outcomes import did_you_mean


def kind_of(roll: AnyMechanic) -> type | None:
    """The dataclass that a mechanic is annotated to return, or None.

    >>> from kitchentable.dice import exploding
    >>> kind_of(exploding)
    """
    hint = roll.kept(_KIND, lambda: hints_of(roll.__wrapped__).get("return"))
    return hint if isinstance(hint, type) and dataclasses.is_dataclass(hint) else None


_KIND = "the annotation"


def check_kind(roll: AnyMechanic, kind: type | None, outcome: Any) -> None:
    """Refuse an outcome that contradicts the mechanic's annotation. Errors: DiceFault."""
    if kind is not None and not isinstance(outcome, kind):
        raise DiceFault(
            f"The mechanic {roll.name} is annotated to return {kind.__name__}, but returned "
            f"{outcome!r}. Annotate it with every type that it returns."
        )


def find_part(kind: type, name: str) -> tuple[Callable[[Any], Any], Any] | None:
    """The getter of a field or property of a dataclass, with its annotation; or None."""
    found: Any = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    get: Callable[[Any], Any] = attrgetter(name)
    if isinstance(found, property) and found.fget is not None:
        # A closure, so that the property's code is checked like the mechanic's.
        own = found.fget

        def by(outcome: Any) -> Any:
            return own(outcome) if type(outcome) is kind else get(outcome)

        return by, hints_of(own).get("return")
    if name in {field.name for field in dataclasses.fields(kind)}:
        return get, hints_of(kind).get(name)
    return None


def hints_of(thing: Any) -> dict[str, Any]:
    """The annotations of a function or a class; {} if they cannot be evaluated."""
    try:
        return get_type_hints(thing)
    except (NameError, TypeError, AttributeError):
        return {}  # a name known only to type checkers, or an object without annotations


def no_such_part(roll: AnyMechanic, name: str) -> NoSuchPart:
    """The error for a name that no field or property of the outcome has."""
    kind = kind_of(roll)
    if kind is None:
        return NoSuchPart(
            f"The mechanic {roll.name} has no annotation with the dataclass that it returns, so "
            f"its outcome has no part {name!r}. Annotate it, or give a function."
        )
    has = sorted({one.name for one in dataclasses.fields(kind)} | _properties(kind))
    return NoSuchPart(
        f"The outcome of {roll.name} has no part {name!r}.{did_you_mean(name, has)} "
        f"Its parts are: {', '.join(has)}."
    )


def _properties(kind: type) -> set[str]:
    found = [(name, value) for one in kind.__mro__ for name, value in vars(one).items()]
    return {name for name, value in found if isinstance(value, property) and name[0] != "_"}
