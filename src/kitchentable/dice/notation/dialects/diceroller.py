"""rpg-dice-roller: modifiers in a fixed order, groups in braces, functions, decimals.

The steps of a pool always apply in this order: min, max, explode, reroll, unique, keep, drop,
success. Of several modifiers with the same name, the last one counts. A total is rounded to two
decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import cast

from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Choose,
    Explode,
    Limit,
    Pool,
    Rank,
    Score,
    Source,
    Step,
    Term,
    Together,
    Unique,
)
from kitchentable.dice.notation.dialects.reader import Arranged, Built, Infix, Match, Reader, Table
from kitchentable.dice.notation.dialects.words import (
    ARITHMETIC,
    as_test,
    dice_in,
    highest,
    idle,
    keep_or_drop,
    limit,
    lowest,
    read_test,
)

_SIGN, _NUMBER = "!=|<>|<=|>=|=|<|>", r"-?\d{1,9}(?:\.\d+)?"
_POINT = rf"(?P<sign>{_SIGN})(?P<value>{_NUMBER})"
_ORDER = (Limit, Explode, Again, Unique, Choose)


def _explode(match: Match, source: Source) -> Built:
    test = read_test(match, highest(source))
    return Explode((test,), compound=bool(match.group(1)), less=1 if match.group(2) else 0)


def _again(match: Match, source: Source) -> Built:
    return Again((read_test(match, lowest(source)),), forever=not match.group(1))


def _unique(match: Match, _: Source) -> Built:
    tests = (read_test(match),) if match["sign"] else ()
    return Unique(tests, once=bool(match.group(1)))


def _target(match: Match, _: Source) -> Built:
    rules = [(read_test(match), 1)]
    if match.group(3):
        rules.append((as_test(match.group(3), match.group(4)), -1))
    return Score(tuple(rules))


def _name(built: Step | Score) -> tuple[object, ...]:
    """The name of a modifier; a later modifier with the same name replaces it."""
    if isinstance(built, Choose):
        rank = cast(Rank, built.which[0])
        return (Choose, built.keep, rank.end)
    if isinstance(built, Limit):
        return (Limit, built.least is None)
    return (type(built),)


def _arrange(found: Sequence[Built]) -> Arranged:
    by_name = {_name(one): one for one in found if one is not None}
    score = by_name.pop((Score,), None)
    steps = [one for one in by_name.values() if not isinstance(one, Score)]
    steps.sort(key=lambda one: (_ORDER.index(type(one)), getattr(one, "least", None) is None))
    choices = [one for one in steps if isinstance(one, Choose)]
    if len(choices) > 1:
        # Keep and drop both apply to all dice: a die left out by either is out.
        steps = [*(one for one in steps if not isinstance(one, Choose)), Together(tuple(choices))]
    return tuple(steps), score if isinstance(score, Score) else None


def _alone(reader: Reader, item: Term, start: int) -> Pool:
    """Read a group of one part, in which keep and drop apply to the dice."""
    if not reader.comes(r"[kd][hl]?\s*\d|\s*s[ad]?\s*[kd]"):
        return Pool(((1, item),))
    dice = dice_in(item)
    if dice is None:
        says = "rpg-dice-roller applies this to the dice of the group, which must be a sum of "
        reader.fail("group", f"{says}plain dice. Write the modifier after its dice.", start)
    return Pool(dice)


_KEEP = (r"(kh|kl|k|dh|dl|d)([1-9]\d{0,8})", keep_or_drop)
_TARGET = (rf"{_POINT}(?:f({_SIGN})({_NUMBER}))?", _target)
_SORT = (r"s[ad]?", idle)

RPG_DICE_ROLLER = Table(
    key="rpg-dice-roller",
    name="rpg-dice-roller",
    infix=MappingProxyType({"^": Infix(70, "**", right=True), **ARITHMETIC, "%": Infix(50, "%")}),
    modifiers=(
        (rf"!(!)?(p)?(?:{_POINT})?", _explode),
        _TARGET,
        _KEEP,
        (rf"r(o)?(?:{_POINT})?", _again),
        (rf"u(o)?(?:{_POINT})?", _unique),
        (rf"c[sf](?:{_POINT})?", idle),
        (rf"(max|min)({_NUMBER})", limit),
        _SORT,
    ),
    group_modifiers=(_TARGET, _KEEP, _SORT),
    arrange=_arrange,
    functions=MappingProxyType(
        {
            **{name: (name, 1, 1) for name in ("abs", "ceil", "cos", "exp", "floor", "log")},
            **{name: (name, 1, 1) for name in ("round", "sign", "sin", "sqrt", "tan")},
            "pow": ("**", 2, 2),
            "max": ("max", 2, 2),
            "min": ("min", 2, 2),
        }
    ),
    computed=False,
    finish="hundredths",
    label=r"\[([^\]]*)\]|/\*(.*?)\*/",
    comment=r"(?:#|//)(.*)",
    braces="{}",
    alone=_alone,
)
"""The notation of rpg-dice-roller."""
