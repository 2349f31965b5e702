"""Roll20: comparisons include their number, divisions keep fractions.

The documented order of steps is: reroll, explode, keep or drop, success.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from kitchentable.dice.notation.dialects.nodes import (
    Again,
    Choose,
    Explode,
    Pool,
    Score,
    Source,
    Term,
)
from kitchentable.dice.notation.dialects.reader import Arranged, Built, Match, Reader, Table
from kitchentable.dice.notation.dialects.words import (
    ARITHMETIC,
    KEEP,
    dice_in,
    highest,
    idle,
    joined,
    lowest,
    read_test,
    refuse,
    refused,
    unwrapped,
)

_POINT = r"(?P<sign>[<>=])?\s*(?P<value>\d{1,9})"
_ORDER = (Again, Explode, Choose)


def _explode(match: Match, source: Source) -> Built:
    kind = match.group(1) or ""
    test = read_test(match, highest(source), inclusive=True)
    return Explode((test,), compound=kind == "!", less=1 if kind.lower() == "p" else 0)


def _again(match: Match, source: Source) -> Built:
    return Again((read_test(match, lowest(source), inclusive=True),), forever=not match.group(1))


def _count(match: Match, _: Source) -> Built:
    points = -1 if match.group()[0] in "fF" else 1
    return Score(((read_test(match, inclusive=True), points),))


def _arrange(found: Sequence[Built]) -> Arranged:
    steps = sorted(
        (one for one in found if one is not None and not isinstance(one, Score)),
        key=lambda one: _ORDER.index(type(one)),
    )
    kinds = [type(one) for one in steps]
    if Again in kinds and Explode in kinds:
        says = "Roll20 does not say whether it also rerolls dice that an explosion adds."
        refuse("dialect", f"{says} Write one of the two.")
    if kinds.count(Choose) > 1:
        refuse(
            "dialect", "Roll20 does not define several keeps and drops together. Write only one."
        )
    scores = [one for one in found if isinstance(one, Score)]
    if scores and scores[0].rules[0][1] < 0:
        refuse(
            "dialect", "f subtracts failures from successes. Write the successes first, as in >5f1."
        )
    return joined([*steps, *scores])


def _alone(reader: Reader, item: Term, start: int) -> Pool:
    """Read a group of one part, in which keep and drop apply to the dice."""
    inner = unwrapped(item)
    if not reader.comes(r"[kd<>=]"):
        return Pool(((1, item),))
    if isinstance(inner, Pool) and inner.score is None:
        return inner
    dice = dice_in(inner)
    if dice is None:
        says = "Roll20 applies this to the dice of the group, which must be plain dice."
        reader.fail("group", f"{says} Write the modifier after the dice.", start)
    return Pool(dice)


def _inline(reader: Reader) -> Term | None:
    """Read an inline roll between double square brackets as an expression in brackets."""
    start = reader.at
    if not reader.accept("[["):
        return None
    inner = reader.expression(0)
    reader.need("]]", start)
    return reader.counted(inner, start)


_COUNT = (rf"(?:f|(?=[<>=])){_POINT}", _count)
_MATCHES = refused("mt counts matching dice, which is not supported. Leave it out.")

ROLL20 = Table(
    key="roll20",
    name="Roll20",
    infix=ARITHMETIC,
    modifiers=(
        (rf"!(!|p)?(?:{_POINT})?", _explode),
        (rf"r(o)?(?:{_POINT}|(?=[kd][hl\d])|(?![a-z\d]))", _again),
        KEEP,
        (r"c[sf]\s*(?:[<>=]\s*)?\d{1,9}", idle),
        _COUNT,
        (r"mt", _MATCHES),
        (r"s[ad]?|m", idle),
    ),
    group_modifiers=(KEEP, _COUNT, (r"s[ad]?", idle)),
    arrange=_arrange,
    functions=MappingProxyType(
        {
            **{name: (name, 1, 1) for name in ("floor", "ceil", "abs")},
            "round": ("round up", 1, 1),
        }
    ),
    primary=_inline,
    braces="{}",
    alone=_alone,
    hints=MappingProxyType(
        {
            "@": "The values of a sheet are not known here. Write the number.",
            "?": "Queries are not supported. Write the number.",
            "t": "Rollable tables exist only in Roll20. Write the dice.",
        }
    ),
)
"""The notation of Roll20."""
