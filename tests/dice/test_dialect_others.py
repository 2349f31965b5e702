"""Roll20's, Foundry's and AnyDice's notation against their documented rules."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from kitchentable.dice import roll
from kitchentable.dice.notation import NotationError
from kitchentable.dice.notation.dialects.reading import read
from tests.dice.dialect_oracle import check


def chain(throw, faces, explodes, less=0, times=None):
    """A die and the dice that it explodes into."""
    values = [throw(faces)]
    look = values[0]
    while explodes(look) and (times is None or len(values) <= times):
        look = throw(faces)
        values.append(look - less)
    return values


def until(throw, faces, again):
    value = throw(faces)
    while again(value):
        value = throw(faces)
    return value


def once(throw, faces, again):
    value = throw(faces)
    return throw(faces) if again(value) else value


ROLL20 = [
    ("4d4k3", lambda t: sum(sorted(t(4) for _ in range(4))[1:])),
    ("4d4d1", lambda t: sum(sorted(t(4) for _ in range(4))[1:])),
    ("4d4kl2+1", lambda t: sum(sorted(t(4) for _ in range(4))[:2]) + 1),
    ("4d4>3", lambda t: sum(t(4) >= 3 for _ in range(4))),
    ("4d4<2", lambda t: sum(t(4) <= 2 for _ in range(4))),
    ("4d4=2", lambda t: sum(t(4) == 2 for _ in range(4))),
    ("4d4>3f1", lambda t: sum((v >= 3) - (v == 1) for v in (t(4) for _ in range(4)))),
    ("4d4>2f<1", lambda t: sum((v >= 2) - (v <= 1) for v in (t(4) for _ in range(4)))),
    ("4d4kh3>3", lambda t: sum(v >= 3 for v in sorted(t(4) for _ in range(4))[1:])),
    ("2d6ro<2", lambda t: sum(once(t, 6, lambda v: v <= 2) for _ in range(2))),
    ("2d6/2", lambda t: Fraction(t(6) + t(6), 2)),
    ("floor(2d6/2)", lambda t: (t(6) + t(6)) // 2),
    ("round(1d6/4)", lambda t: math.floor(Fraction(t(6), 4) + Fraction(1, 2))),
    ("abs(1d4-1d6)", lambda t: abs(t(4) - t(6))),
    ("(1d4-3)%2", lambda t: int(math.fmod(t(4) - 3, 2))),
    ("1d4**2", lambda t: t(4) ** 2),
    ("[[1d3]]d4", lambda t: sum(t(4) for _ in range(t(3)))),
    ("2d(1d3)", lambda t: sum([t(sides) + t(sides) for sides in [t(3)]])),
    ("{2d4+1d6}kh2", lambda t: sum(sorted([t(4), t(4), t(6)])[1:])),
    ("{1d4, 1d6}dh1", lambda t: min(t(4), t(6))),
    ("{2d4, 1d6}>4", lambda t: (t(4) + t(4) >= 4) + (t(6) >= 4)),
    ("4dFsd", lambda t: sum(t((-1, 0, 1)) for _ in range(4))),
]

ROLL20_OPEN = [
    ("2d6!", lambda t: sum(sum(chain(t, 6, lambda v: v == 6)) for _ in range(2)), 6),
    ("2d6!>5", lambda t: sum(sum(chain(t, 6, lambda v: v >= 5)) for _ in range(2)), 8),
    ("2d6!3", lambda t: sum(sum(chain(t, 6, lambda v: v == 3)) for _ in range(2)), 6),
    ("2d6!p", lambda t: sum(sum(chain(t, 6, lambda v: v == 6, 1)) for _ in range(2)), 6),
    ("{2d6!!}>8", lambda t: sum(sum(chain(t, 6, lambda v: v == 6)) >= 8 for _ in range(2)), 6),
    ("2d6r<2", lambda t: sum(until(t, 6, lambda v: v <= 2) for _ in range(2)), 8),
    ("2d6r1r6", lambda t: sum(until(t, 6, lambda v: v in (1, 6)) for _ in range(2)), 8),
    (
        "3d6!k2",
        lambda t: sum(sorted(v for _ in range(3) for v in chain(t, 6, lambda v: v == 6))[-2:]),
        6,
    ),
]

FOUNDRY = [
    ("min(1d6) + max(2)", lambda t: t(6) + 2),
    ("4d4kh", lambda t: max(t(4) for _ in range(4))),
    ("4d4dl2", lambda t: sum(sorted(t(4) for _ in range(4))[2:])),
    ("4d4kh3kl2", lambda t: sum(sorted(sorted(t(4) for _ in range(4))[1:])[:2])),
    ("2d6r", lambda t: sum(once(t, 6, lambda v: v == 1) for _ in range(2))),
    ("2d6r<3", lambda t: sum(once(t, 6, lambda v: v < 3) for _ in range(2))),
    ("2d6xo", lambda t: sum(sum(chain(t, 6, lambda v: v == 6, times=1)) for _ in range(2))),
    ("2d6xo>=5", lambda t: sum(sum(chain(t, 6, lambda v: v >= 5, times=1)) for _ in range(2))),
    ("3d4min2", lambda t: sum(max(2, t(4)) for _ in range(3))),
    ("3d4max3", lambda t: sum(min(3, t(4)) for _ in range(3))),
    ("3d4cs", lambda t: sum(t(4) == 4 for _ in range(3))),
    ("3d4cs>2", lambda t: sum(t(4) > 2 for _ in range(3))),
    ("3d4cf<2", lambda t: sum(t(4) < 2 for _ in range(3))),
    ("3d4even", lambda t: sum(t(4) % 2 == 0 for _ in range(3))),
    ("3d4odd", lambda t: sum(t(4) % 2 for _ in range(3))),
    ("3d4cs>2df=1", lambda t: sum((v > 2) - (v == 1) for v in (t(4) for _ in range(3)))),
    ("4d4kh3cs>=3", lambda t: sum(v >= 3 for v in sorted(t(4) for _ in range(4))[1:])),
    ("7/1d4", lambda t: Fraction(7, t(4))),
    ("max(1d4, 1d6, 2)", lambda t: max(t(4), t(6), 2)),
    ("(1d3)d4", lambda t: sum(t(4) for _ in range(t(3)))),
    ("{1d4, 1d6}kl + 1", lambda t: min(t(4), t(6)) + 1),
    ("{2d4, 1d6}cs>=4", lambda t: (t(4) + t(4) >= 4) + (t(6) >= 4)),
    ("2d4[fire] + 1[knife]", lambda t: t(4) + t(4) + 1),
]

FOUNDRY_OPEN = [
    ("2d6rr<3", lambda t: sum(until(t, 6, lambda v: v < 3) for _ in range(2)), 8),
    ("2d6x", lambda t: sum(sum(chain(t, 6, lambda v: v == 6)) for _ in range(2)), 6),
    ("2d6x>4", lambda t: sum(sum(chain(t, 6, lambda v: v > 4)) for _ in range(2)), 8),
    ("2d6x2", lambda t: sum(sum(chain(t, 6, lambda v: v == 2)) for _ in range(2)), 6),
    (
        "3d6xkh2",
        lambda t: sum(sorted(v for _ in range(3) for v in chain(t, 6, lambda v: v == 6))[-2:]),
        6,
    ),
    ("2d6xcs=6", lambda t: sum(len(chain(t, 6, lambda v: v == 6)) - 1 for _ in range(2)), 6),
]


def twice(throw, one, most):
    """AnyDice explodes the whole of what it is given, twice at most."""
    total = found = one(throw)
    for _ in range(2):
        if found != most:
            break
        found = one(throw)
        total += found
    return total


ANYDICE = [
    ("output 3d4 + 1", lambda t: t(4) + t(4) + t(4) + 1),
    ("[highest 3 of 4d4]", lambda t: sum(sorted(t(4) for _ in range(4))[1:])),
    ("[lowest 1 of 2d6] * 2", lambda t: min(t(6), t(6)) * 2),
    ("[middle 1 of 3d6]", lambda t: sorted([t(6), t(6), t(6)])[1]),
    ("[middle 2 of 4d4]", lambda t: sum(sorted(t(4) for _ in range(4))[1:3])),
    ("2@3d6", lambda t: sorted([t(6), t(6), t(6)])[1]),
    ("1 @ 3d6", lambda t: max(t(6), t(6), t(6))),
    ("[highest of d6 and 2d4]", lambda t: max(t(6), t(4) + t(4))),
    ("[lowest of d6 and 3]", lambda t: min(t(6), 3)),
    ("2d{1,1,5}", lambda t: t((1, 1, 5)) + t((1, 1, 5))),
    ("d{-2..1} + d{0:3,1}", lambda t: t((-2, -1, 0, 1)) + t((0, 0, 0, 1))),
    ("[count {1,4} in 3d4]", lambda t: sum(t(4) in (1, 4) for _ in range(3))),
    ("[count {3..4} in 3d4]", lambda t: sum(t(4) >= 3 for _ in range(3))),
    ("[count {4,4} in 3d4]", lambda t: sum(2 * (t(4) == 4) for _ in range(3))),
    ("[explode d4]", lambda t: twice(t, lambda t: t(4), 4)),
    ("[count {4:2,1} in 2d4]", lambda t: sum({4: 2, 1: 1}.get(t(4), 0) for _ in range(2))),
    ("[explode [count {2} in d2]]", lambda t: twice(t, lambda t: t(2) == 2, 1)),
    (
        "[explode [highest 1 of 2d{-2,-1}]]",
        lambda t: twice(t, lambda t: max(t((-2, -1)), t((-2, -1))), -1),
    ),
    ("[explode [middle 1 of 3d2]]", lambda t: twice(t, lambda t: sorted([t(2), t(2), t(2)])[1], 2)),
    ("[maximum of [lowest 0 of 2d6]]", lambda t: 0),
    ("[maximum of (d2)d6 - d4 / 2]", lambda t: 12),
    ("[explode 2d3]", lambda t: twice(t, lambda t: t(3) + t(3), 6)),
    ("[absolute d6-3]", lambda t: abs(t(6) - 3)),
    ("!(d4 - 1)", lambda t: int(t(4) == 1)),
    ("!d4 + 2 & !0", lambda t: int(t(4) > 0)),
    ("[maximum of 2d6] - d4", lambda t: 12 - t(4)),
    ("d20 / 3", lambda t: t(20) // 3),
    ("(d4 - 3) / 2", lambda t: int(Fraction(t(4) - 3, 2))),
    ("2 ^ d4", lambda t: 2 ** t(4)),
    ("2 ^ (d4 - 3)", lambda t: int(Fraction(2) ** (t(4) - 3))),
    ("-2 ^ d4", lambda t: (-2) ** t(4)),
    ("2 ^ d4 ^ 2", lambda t: (2 ** t(4)) ** 2),
    ("3d6 > 10", lambda t: t(6) + t(6) + t(6) > 10),
    ("(d6 = 6) + (d6 != 6)", lambda t: (t(6) == 6) + (t(6) != 6)),
    ("(d6 > 4) & (d6 > 4) | (d4 = 1)", lambda t: int(((t(6) > 4) & (t(6) > 4)) | (t(4) == 1))),
    ("(d3)d4", lambda t: sum(t(4) for _ in range(t(3)))),
    ('output d6 named "a throw"', lambda t: t(6)),
]


@pytest.mark.parametrize(("text", "rule"), ROLL20)
def test_roll20(text, rule):
    check(text, "roll20", rule)


@pytest.mark.parametrize(("text", "rule", "most"), ROLL20_OPEN)
def test_roll20_without_an_end(text, rule, most):
    check(text, "roll20", rule, most)


def compounded(throw, faces):
    """A die with the dice added that its highest face brings."""
    return sum(chain(throw, faces, lambda value: value == faces))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("2d3!!k1=3", lambda t: max(compounded(t, 3), compounded(t, 3)) == 3),
        ("2d3!!k1=4f2", lambda t: {4: 1, 2: -1}.get(max(compounded(t, 3), compounded(t, 3)), 0)),
        ("2d3!!dh1>4", lambda t: min(compounded(t, 3), compounded(t, 3)) >= 4),
        ("1d3!!dh2=1", lambda t: 0 * compounded(t, 3)),
    ],
)
def test_dice_are_chosen_and_counted_with_their_compound_explosions(text, rule):
    check(text, "roll20", rule, 8)
    assert roll("2d3!!k1=4", dialect="roll20", faces=[3, 1, 2]).outcome == 1


@pytest.mark.parametrize(("text", "rule"), FOUNDRY)
def test_foundry(text, rule):
    check(text, "foundry", rule)


def with_one_more(throw, values, explodes):
    """Some dice, and a die for each of them that explodes."""
    return [*values, *(throw(4) for value in values if explodes(value))]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("2d4kh1xo", lambda t: sum(with_one_more(t, [max(t(4), t(4))], lambda value: value == 4))),
        ("2d4dl1xo<3", lambda t: sum(with_one_more(t, [max(t(4), t(4))], lambda value: value < 3))),
        (
            "2d4kh1xokl1",
            lambda t: min(with_one_more(t, [max(t(4), t(4))], lambda value: value == 4)),
        ),
    ],
)
def test_dice_chosen_before_explode_only_once(text, rule):
    check(text, "foundry", rule)


@pytest.mark.parametrize(("text", "rule", "most"), FOUNDRY_OPEN)
def test_foundry_without_an_end(text, rule, most):
    check(text, "foundry", rule, most)


@pytest.mark.parametrize(("text", "rule"), ANYDICE)
def test_anydice(text, rule):
    check(text, "anydice", rule)


@pytest.mark.parametrize(
    ("dialect", "text", "position", "words"),
    [
        ("roll20", "2d6r1!", 3, "one of the two"),
        ("roll20", "4d6k3d1", 3, "Write only one"),
        ("roll20", "{3d20+5}>21", 0, "plain dice"),
        ("roll20", "8d6mt", 3, "Leave it out"),
        ("roll20", "1d20+@{dex}", 5, "Write the number"),
        ("foundry", "4d6sf<2", 3, "Write df"),
        ("foundry", "4d6x2=6", 3, "Leave it out"),
        ("foundry", "4d6df=1", 3, "cs"),
        ("anydice", "[sort 3d6]", 0, "not supported"),
        ("anydice", "[highest 2 of 7]", 0, "4d6"),
        ("anydice", "10 / (d6 - 1)", 3, "Division by 0"),
        ("anydice", "[count {4...6} in 2d6]", 9, "Leave it out"),
        ("anydice", "[count {--4} in 2d6]", 8, "Leave it out"),
        ("anydice", "[count {1..999999} in 2d6]", 7, "1 to 10,000 numbers"),
        ("anydice", "[count {5} 2d6]", 10, "[count {5,6} in 10d6]"),
        ("anydice", "d{1..9999:999,1..9999:999}", 0, "1 to 10,000 numbers"),
        ("anydice", "[maximum of [explode d6]]", 0, "the value itself"),
        ("anydice", "[explode d6^2]", 0, "the value itself"),
        ("anydice", "1 + (0-2)d6", 4, "Write 0 or more"),
        ("anydice", "1 + (d4-3)d6", 4, "from -2 to 1"),
        ("foundry", "1 + (1d4-3)d6", 4, "from -2 to 1"),
        ("foundry", "1 + 2d(1d4-3)", 4, "sides can be -2"),
        ("avrae", "1 + 2d(1d4)", 4, "Avrae reads only plain numbers of dice and sides"),
        ("rpg-dice-roller", "1 + (1d4)d6", 4, "only plain numbers of dice and sides"),
        ("roll20", "1 + (1d1001)d6", 4, "from 1 to 1001"),
        ("foundry", "1 + 2d(2d10000)", 4, "sides can be 20000"),
        ("avrae", "(1d6", 0, "This ( is never closed"),
        ("avrae", "(1d4-3)d6", 7, "as in 2d6"),
        ("avrae", "(4d6)kh3d6", 8, "as in 2d6"),
        ("avrae", "4dF", 2, "4d3-8"),
        ("roll20", "1 + 2d", 5, "as in 2d6"),
        ("anydice", "4dF", 2, "d{-1,0,1}"),
        ("anydice", "4d6k3", 3, "[highest 3 of 4d6]"),
        ("roll20", "2+floor(1d6", 7, "This ( is never closed"),
    ],
)
def test_refusals_say_what_to_write_and_where(dialect, text, position, words):
    with pytest.raises(NotationError) as refused:
        read(text, dialect)
    assert refused.value.position == position
    assert words in str(refused.value)
    assert refused.value.text == text


@pytest.mark.parametrize("dialect", ["avrae", "roll20", "foundry", "rpg-dice-roller"])
def test_dice_behind_a_number_and_a_hash_are_no_note(dialect):
    with pytest.raises(NotationError, match=r"throw 4d6kh3 6 times") as caught:
        read("6#4d6kh3", dialect)
    assert (caught.value.code, caught.value.position) == ("notation/repeat", 1)
    assert str(read("6 # sixpence", dialect)) == "6 # sixpence"
    assert read("1d6#4d6 was too much", dialect).comment == "4d6 was too much"


@pytest.mark.parametrize("dialect", ["avrae", "roll20", "foundry", "rpg-dice-roller", "anydice"])
def test_blanks_around_dice_mean_nothing(dialect):
    assert read(" 2d6 + 3 \n", dialect) == read("2d6+3", dialect)
