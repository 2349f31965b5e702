"""Options that exclude each other, and the sentences about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from kitchentable.rules.errors import OptionsExclude
from kitchentable.rules.values import Option, Problem, Values


def excluding(options: Sequence[Option]) -> tuple[tuple[Option, Option], ...]:
    """Every pair of switches that exclude each other, in the order of the options."""
    return tuple(
        (one, other)
        for one, other in combinations(options, 2)
        if other.key in one.excludes or one.key in other.excludes
    )


def clashes(
    options: Sequence[Option], values: Values, changed: Collection[str] | None = None
) -> tuple[Problem, ...]:
    """The problems of switches that are on and exclude each other.

    With `changed`, only pairs with a changed switch are checked. The problem is placed at the
    changed switch, by default at the later one.

    >>> from kitchentable.rules import Field, Option
    >>> hot = Option(Field("hot", "Hot soup", "tick"), "Soup", excludes=("cold",))
    >>> cold = Option(Field("cold", "Cold soup", "tick"), "Soup")
    >>> found = clashes((hot, cold), {"hot": True, "cold": True})
    >>> found[0].where, found[0].sentence
    ('cold', '"Cold soup" and "Hot soup" exclude each other: only one of them can be on.')
    >>> clashes((hot, cold), {"hot": True})
    ()
    """
    found = []
    for one, other in excluding(options):
        both = values.get(one.key) and values.get(other.key)
        if both and (changed is None or {one.key, other.key} & set(changed)):
            at_first = changed is not None and other.key not in changed
            at, against = (one, other) if at_first else (other, one)
            words = f'"{at.field.label}" and "{against.field.label}" exclude each other: '
            words += "only one of them can be on."
            found.append(Problem(at.key, at.field.rule, words))
    return tuple(found)


def check_together(
    options: Sequence[Option], values: Values, changed: Collection[str] | None = None
) -> None:
    """Refuse options that exclude each other. Errors: OptionsExclude."""
    problems = clashes(options, values, changed)
    if problems:
        raise OptionsExclude(problems)


def flaws(options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """The mistakes in a game's exclusions: the option's name, and a sentence.

    Only switches can exclude each other, and the defaults must be compatible.
    """
    switches = {option.key for option in options if option.field.kind == "tick"}
    for option in options:
        for other in option.excludes:
            if other == option.key:
                yield option.key, f"The option {option.key} excludes itself."
            elif other not in switches:
                yield option.key, f"The option excludes {other!r}, which is not a switch."
            elif option.key not in switches:
                yield option.key, f"The option excludes {other!r}, but is not a switch itself."
    for problem in clashes(options, {option.key: option.field.default for option in options}):
        yield problem.where, f"The defaults exclude each other. {problem.sentence}"


def excluded_by(options: Sequence[Option]) -> Mapping[str, tuple[str, ...]]:
    """The labels of the switches that each switch excludes."""
    words: dict[str, tuple[str, ...]] = {}
    for one, other in excluding(options):
        words[one.key] = (*words.get(one.key, ()), other.field.label)
        words[other.key] = (*words.get(other.key, ()), one.field.label)
    return words
