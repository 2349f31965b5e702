"""Options that do not go together: which, and in what words a table is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from kitchentable.rules.errors import OptionsExclude
from kitchentable.rules.values import Json, Option, Problem


def excluding(options: Sequence[Option]) -> tuple[tuple[Option, Option], ...]:
    """Every pair of switches that exclude each other, in the order of the options.

    It is enough that one of the two says so.
    """
    return tuple(
        (one, other)
        for one, other in combinations(options, 2)
        if other.key in one.excludes or one.key in other.excludes
    )


def clashes(
    options: Sequence[Option], values: Mapping[str, Json], changed: Collection[str] | None = None
) -> tuple[Problem, ...]:
    """What is on and cannot be on together; with `changed` only where one of these is in it.

    The problem stands beside the switch that was changed, or beside the later one of both.

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
        if not (values.get(one.key) and values.get(other.key)):
            continue
        if changed is None or one.key in changed or other.key in changed:
            beside_first = changed is not None and other.key not in changed
            at, against = (one, other) if beside_first else (other, one)
            found.append(
                Problem(
                    at.key,
                    at.field.rule,
                    f'"{at.field.label}" and "{against.field.label}" exclude each other: '
                    "only one of them can be on.",
                )
            )
    return tuple(found)


def check_together(
    options: Sequence[Option], values: Mapping[str, Json], changed: Collection[str] | None = None
) -> None:
    """Refuse options that exclude each other. Errors: OptionsExclude."""
    problems = clashes(options, values, changed)
    if problems:
        raise OptionsExclude(problems)


def flaws(options: Sequence[Option]) -> Iterator[tuple[str, str]]:
    """What a game says of its options that cannot be: the option's name, and a sentence.

    Only switches exclude each other, and the defaults have to go together.
    """
    switches = {option.key for option in options if option.field.kind == "tick"}
    for option in options:
        for other in option.excludes:
            if other == option.key:
                yield option.key, f"The option {option.key} excludes itself."
            elif other not in switches:
                yield option.key, f"It excludes {other!r}, which is no switch of the game."
            elif option.key not in switches:
                yield option.key, f"It excludes {other!r}, but is no switch itself."
    for problem in clashes(options, {option.key: option.field.default for option in options}):
        yield problem.where, f"The defaults do not go together. {problem.sentence}"


def excluded_by(options: Sequence[Option]) -> Mapping[str, tuple[str, ...]]:
    """For each switch that excludes others, the words of those, for people to read beforehand."""
    words: dict[str, tuple[str, ...]] = {}
    for one, other in excluding(options):
        words[one.key] = (*words.get(one.key, ()), other.field.label)
        words[other.key] = (*words.get(other.key, ()), one.field.label)
    return words
