"""Foundry: modifiers apply in the order of writing, divisions keep fractions."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import cast

from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Explode,
    Score,
    Source,
)
from kitchentable.dice.notation.dialects.reader import Arranged, Built, Match, Table
from kitchentable.dice.notation.dialects.words import (
    ARITHMETIC,
    KEEP,
    highest,
    in_a_row,
    limit,
    lowest,
    read_test,
    refuse,
    refused,
)
from kitchentable.dice.notation.tree import Condition, Sign

_POINT = r"\s*(?P<sign><=|>=|<|>|=)?\s*(?P<value>\d{1,9})?"


def _again(match: Match, source: Source) -> Built:
    return Again((read_test(match, lowest(source)),), forever=bool(match.group(1)))


def _explode(match: Match, source: Source) -> Built:
    return Explode((read_test(match, highest(source)),), times=1 if match.group(1) else None)


def _count(match: Match, source: Source) -> Built:
    default = highest(source) if match.group(1).lower() == "s" else lowest(source)
    return Score(((read_test(match, default), 1),))


def _even_or_odd(match: Match, _: Source) -> Built:
    return Score(((Condition(cast(Sign, match.group(1).lower())), 1),))


def _deduct(match: Match, source: Source) -> Built:
    return Score(((read_test(match, lowest(source)), -1),))


def _arrange(found: Sequence[Built]) -> Arranged:
    scores = [one for one in found if isinstance(one, Score)]
    counted = [one for one in scores if one.rules[0][1] > 0]
    if len(counted) > 1:
        refuse("dialect", "Dice can be counted only once. Write only one of cs, cf, even and odd.")
    if sum(isinstance(one, Explode) for one in found) > 1:
        refuse("dialect", "Dice can have only one explosion. Write a single x.")
    if scores and not counted:
        refuse(
            "dialect", "df subtracts failures from successes. Write cs before it, as in cs>7df=1."
        )
    # In Foundry failures override successes, so their tests come first.
    rules = sorted((rule for one in scores for rule in one.rules), key=lambda rule: rule[1])
    steps, _ = in_a_row(found)
    return steps, Score(tuple(rules)) if rules else None


_COUNT = (rf"c(s|f){_POINT}", _count)

FOUNDRY = Table(
    key="foundry",
    name="Foundry",
    infix=ARITHMETIC,
    modifiers=(
        (
            r"(?:rr?|xo?)\d+\s*[<>=]",
            refused("A limit on rerolls or explosions is not supported. Leave it out."),
        ),
        (rf"r(r)?{_POINT}", _again),
        (rf"x(o)?{_POINT}", _explode),
        KEEP,
        _COUNT,
        (r"(even|odd)", _even_or_odd),
        (rf"df{_POINT}", _deduct),
        (r"(min|max)\s*(\d{1,9})", limit),
        (
            r"sf",
            refused("sf subtracts the value of failures, which is not supported. Write df."),
        ),
        (
            r"ms",
            refused("ms is the margin of success. Write a subtraction, as in 1d20-15."),
        ),
    ),
    group_modifiers=(KEEP, _COUNT),
    arrange=_arrange,
    functions=MappingProxyType(
        {
            **{name: (name, 1, 1) for name in ("floor", "ceil", "abs", "sign", "sqrt", "trunc")},
            **{name: (name, 1, 20) for name in ("max", "min")},
            "round": ("round up", 1, 1),
            "pow": ("**", 2, 2),
        }
    ),
    braces="{}",
    hints=MappingProxyType({"@": "The values of a sheet are not known here. Write the number."}),
)
"""The notation of Foundry."""
