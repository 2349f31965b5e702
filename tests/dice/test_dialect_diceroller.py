"""rpg-dice-roller's notation against its documented modifiers, told step by step."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice.notation import NotationError
from kitchentable.dice.notation.dialects.reading import read
from tests.dice.dialect_oracle import check


def rolled(  # noqa: C901 -- one branch for each rule
    throw,
    count,
    faces,
    least=None,
    most=None,
    explode=None,
    compound=False,
    less=0,
    again=None,
    again_once=None,
    unique=None,
    keep=(),
    success=None,
    failure=None,
):
    """The documented order: min, max, explode, re-roll, unique, keep or drop, target."""
    values = [throw(faces) for _ in range(count)]
    values = [value if least is None else max(value, least) for value in values]
    values = [value if most is None else min(value, most) for value in values]
    if explode is not None:
        pools = []
        for first in values:
            chain, look = [first], first
            while explode(look):
                look = throw(faces)
                chain.append(look - less)
            pools += [sum(chain)] if compound else chain
        values = pools
    for place, value in enumerate(values):
        while again is not None and again(values[place]):
            values[place] = throw(faces)
        if again_once is not None and again_once(value):
            values[place] = throw(faces)
    for place in range(len(values)):
        if unique is not None:
            once, meant = unique
            while values[place] in values[:place] and meant(values[place]):
                values[place] = throw(faces)
                if once:
                    break
    order = sorted(range(len(values)), key=values.__getitem__)
    gone = set()
    for word, number in keep:
        size = len(values)
        gone |= set(
            {
                "kh": order[: max(0, size - number)],
                "kl": order[number:],
                "dh": order[max(0, size - number) :],
                "dl": order[:number],
            }[word]
        )
    counted = [values[place] for place in range(len(values)) if place not in gone]
    if success is None:
        return sum(counted)
    lost = failure or (lambda _: False)
    return sum(1 if success(value) else -1 if lost(value) else 0 for value in counted)


FUDGE = (-1, 0, 1)
ONE_FUDGE = (-1, 0, 0, 0, 0, 1)


@pytest.mark.parametrize(
    ("text", "count", "faces", "modifiers"),
    [
        ("3d4min2", 3, 4, {"least": 2}),
        ("3d4max3min2", 3, 4, {"least": 2, "most": 3}),
        ("3d4max2.5", 3, 4, {"most": Fraction(5, 2)}),
        ("2d4min-3", 2, 4, {"least": -3}),
        ("4d4k3", 4, 4, {"keep": [("kh", 3)]}),
        ("4d4kl2", 4, 4, {"keep": [("kl", 2)]}),
        ("4d4d1", 4, 4, {"keep": [("dl", 1)]}),
        ("4d4dh1", 4, 4, {"keep": [("dh", 1)]}),
        ("4d4kh3kl2", 4, 4, {"keep": [("kh", 3), ("kl", 2)]}),
        ("4d4k3dh1", 4, 4, {"keep": [("kh", 3), ("dh", 1)]}),
        ("4d4k1k3", 4, 4, {"keep": [("kh", 3)]}),
        ("2d4k3", 2, 4, {"keep": [("kh", 3)]}),
        ("3d4ro=2", 3, 4, {"again_once": lambda v: v == 2}),
        ("3d4ro", 3, 4, {"again_once": lambda v: v == 1}),
        ("3d4kh2ro", 3, 4, {"again_once": lambda v: v == 1, "keep": [("kh", 2)]}),
        ("3d4uo", 3, 4, {"unique": (True, lambda v: True)}),
        ("3d4uo>2", 3, 4, {"unique": (True, lambda v: v > 2)}),
        ("3d4>=3", 3, 4, {"success": lambda v: v >= 3}),
        ("3d4>3f<2", 3, 4, {"success": lambda v: v > 3, "failure": lambda v: v < 2}),
        ("3d4<>2", 3, 4, {"success": lambda v: v != 2}),
        ("4d4k3>2", 4, 4, {"success": lambda v: v > 2, "keep": [("kh", 3)]}),
        ("3d4cs>3cf<2sd", 3, 4, {}),
        ("4dF", 4, FUDGE, {}),
        ("4dF.2>0", 4, FUDGE, {"success": lambda v: v > 0}),
        ("3dF.1", 3, ONE_FUDGE, {}),
        ("3dF.1ro", 3, ONE_FUDGE, {"again_once": lambda v: v == -1}),
        ("2d%", 2, 100, {}),
        ("(4/2)d(2*3)", 2, 6, {}),
    ],
)
def test_modifiers_of_a_fixed_number_of_dice(text, count, faces, modifiers):
    check(text, "rpg-dice-roller", lambda t: rolled(t, count, faces, **modifiers))


@pytest.mark.parametrize(
    ("text", "count", "faces", "modifiers", "most"),
    [
        ("2d6!", 2, 6, {"explode": lambda v: v == 6}, 6),
        ("2d6!>4", 2, 6, {"explode": lambda v: v > 4}, 8),
        ("3d4!=2", 3, 4, {"explode": lambda v: v == 2}, 8),
        ("2d6!!", 2, 6, {"explode": lambda v: v == 6, "compound": True}, 6),
        ("2d6!p", 2, 6, {"explode": lambda v: v == 6, "less": 1}, 6),
        ("2d6!!p>=5", 2, 6, {"explode": lambda v: v >= 5, "compound": True, "less": 1}, 8),
        ("3d6!kh2", 3, 6, {"explode": lambda v: v == 6, "keep": [("kh", 2)]}, 6),
        ("2d6!d1", 2, 6, {"explode": lambda v: v == 6, "keep": [("dl", 1)]}, 6),
        ("3d6!!k2", 3, 6, {"explode": lambda v: v == 6, "compound": True, "keep": [("kh", 2)]}, 6),
        ("2d6!p>=5kl1", 2, 6, {"explode": lambda v: v >= 5, "less": 1, "keep": [("kl", 1)]}, 8),
        ("2d6!>5>4", 2, 6, {"explode": lambda v: v > 5, "success": lambda v: v > 4}, 6),
        (
            "2d6!!=6>8",
            2,
            6,
            {"explode": lambda v: v == 6, "compound": True, "success": lambda v: v > 8},
            6,
        ),
        ("2d6r", 2, 6, {"again": lambda v: v == 1}, 6),
        ("2d6r<=2", 2, 6, {"again": lambda v: v <= 2}, 8),
        ("2d6!ro<2", 2, 6, {"explode": lambda v: v == 6, "again_once": lambda v: v < 2}, 7),
        ("2d6max5!=5", 2, 6, {"most": 5, "explode": lambda v: v == 5}, 8),
        ("2d6u", 2, 6, {"unique": (False, lambda v: True)}, 6),
        ("3d4u=4", 3, 4, {"unique": (False, lambda v: v == 4)}, 8),
        ("3d6uk2", 3, 6, {"unique": (False, lambda v: True), "keep": [("kh", 2)]}, 7),
    ],
)
def test_modifiers_that_may_go_on(text, count, faces, modifiers, most):
    check(text, "rpg-dice-roller", lambda t: rolled(t, count, faces, **modifiers), most)


def hundredths(value):
    whole = math.floor(abs(value) * 100 + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, 100)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("1d6/4", lambda t: hundredths(Fraction(t(6), 4))),
        ("2d6/7+0.5", lambda t: hundredths(Fraction(t(6) + t(6), 7) + Fraction(1, 2))),
        ("floor(1d6/4)*2", lambda t: t(6) // 4 * 2),
        ("ceil(1d6/4)", lambda t: -(-t(6) // 4)),
        ("round(1d6/4)", lambda t: math.floor(Fraction(t(6), 4) + Fraction(1, 2))),
        ("abs(1d4-3)", lambda t: abs(t(4) - 3)),
        ("sign(1d4-2)", lambda t: max(-1, min(1, t(4) - 2))),
        ("sqrt(1d9)", lambda t: hundredths(Fraction(math.sqrt(t(9))))),
        ("pow(1d4, 2)", lambda t: t(4) ** 2),
        ("max(1d4, 1d6)", lambda t: max(t(4), t(6))),
        ("min(1d4, 3)", lambda t: min(t(4), 3)),
        ("2^1d4", lambda t: 2 ** t(4)),
        ("2**1d4", lambda t: 2 ** t(4)),
        ("2^3^2+1d4-1d4", lambda t: 512 + t(4) - t(4)),
        ("-2^2+1d4", lambda t: -4 + t(4)),
        ("1d6%4", lambda t: t(6) % 4),
        ("(1d4-3)%3", lambda t: (t(4) - 3) % 3),
        ("1d6+-5", lambda t: t(6) - 5),
        ("1d6--5", lambda t: t(6) + 5),
        ("1.25*1d4", lambda t: Fraction(5, 4) * t(4)),
        ("{1d4, 1d6+1}kh1", lambda t: max(t(4), t(6) + 1)),
        ("{1d4, 1d6, 3}dl1", lambda t: sum(sorted([t(4), t(6), 3])[1:])),
        ("{1d4, 1d6, 1d4}k2", lambda t: sum(sorted([t(4), t(6), t(4)])[1:])),
        ("{2d4, 1d6}>4", lambda t: (t(4) + t(4) > 4) + (t(6) > 4)),
        (
            "{2d4, 1d6}>4f<2",
            lambda t: sum(1 if v > 4 else -1 if v < 2 else 0 for v in (t(4) + t(4), t(6))),
        ),
        ("{2d4}>4", lambda t: int(t(4) + t(4) > 4)),
        ("{2d4+2d6}k3", lambda t: sum(sorted([t(4), t(4), t(6), t(6)])[1:])),
        ("{2d4, 1d6}", lambda t: t(4) + t(4) + t(6)),
        ("2d4 + 1d6 // for luck", lambda t: t(4) + t(4) + t(6)),
        ("2d4 /* cold */ + 1d6[fire]", lambda t: t(4) + t(4) + t(6)),
    ],
)
def test_groups_functions_and_decimals(text, rule):
    check(text, "rpg-dice-roller", rule)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4d6!>0", "notation/endless"),
        ("7d6u", "notation/endless"),
        ("1d1r", "notation/endless"),
        ("0d6", "notation/no-dice"),
        ("{4d6*2d8}k2", "notation/group"),
        ("pow(2)", "notation/arguments"),
        ("4d6zz", "notation/unknown-word"),
    ],
)
def test_what_is_not_read_is_refused_with_a_code(text, code):
    with pytest.raises(NotationError) as refused:
        read(text, "rpg-dice-roller")
    assert refused.value.code == code
    assert str(refused.value).endswith(".")


COMPARE = {
    ">": int.__gt__,
    "<": int.__lt__,
    ">=": int.__ge__,
    "<=": int.__le__,
    "=": int.__eq__,
    "<>": int.__ne__,
}
POINTS = st.tuples(st.sampled_from(sorted(COMPARE)), st.integers(1, 3))
ENDS = st.tuples(st.sampled_from(["kh", "kl", "dh", "dl"]), st.integers(1, 3))


def meets(point):
    return lambda value: COMPARE[point[0]](value, point[1])


@settings(max_examples=60, deadline=None)
@given(
    least=st.none() | st.integers(1, 3),
    most=st.none() | st.integers(1, 3),
    again=st.none() | POINTS,
    once=st.none() | POINTS,
    ends=st.lists(ENDS, max_size=2, unique_by=lambda end: end[0]),
    success=st.none() | POINTS,
    failure=st.none() | POINTS,
    backwards=st.booleans(),
)
def test_any_modifiers_agree_with_enumeration(
    least, most, again, once, ends, success, failure, backwards
):
    words = [
        *([] if least is None else [f"min{least}"]),
        *([] if most is None else [f"max{most}"]),
        *([] if again is None else [f"ro{again[0]}{again[1]}"]),
        *([] if once is None else [f"uo{once[0]}{once[1]}"]),
        *(f"{word}{number}" for word, number in ends),
    ]
    # However modifiers are written, they are taken in the same order.
    text = "3d3" + "".join(reversed(words) if backwards else words)
    if success is not None:
        text += (
            "s"
            + "".join(map(str, success))
            + ("" if failure is None else f"f{failure[0]}{failure[1]}")
        )
    modifiers = {
        "least": least,
        "most": most,
        "again_once": again and meets(again),
        "unique": once and (True, meets(once)),
        "keep": ends,
        "success": success and meets(success),
        "failure": failure and meets(failure),
    }
    check(text, "rpg-dice-roller", lambda throw: rolled(throw, 3, 3, **modifiers))
