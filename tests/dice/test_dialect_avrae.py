"""Avrae's notation against its documented rules, told step by step on lists of dice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import odds
from kitchentable.dice.notation import NotationError
from kitchentable.dice.notation.dialects.reading import compile_notation, read
from tests.dice.dialect_oracle import check


class Die:
    def __init__(self, value):
        self.value = value
        self.kept = True


def pick(dice, selectors):
    """The kept dice that any of the selectors means; each is a pair such as ("h", 3)."""
    kept = [die for die in dice if die.kept]
    meant = []
    for kind, number in selectors:
        if kind == "h":
            meant += sorted(kept, key=lambda die: -die.value)[:number]
        elif kind == "l":
            meant += sorted(kept, key=lambda die: die.value)[:number]
        else:
            holds = {"<": int.__lt__, ">": int.__gt__, "=": int.__eq__}[kind]
            meant += [die for die in kept if holds(die.value, number)]
    return [die for die in kept if die in meant]


def avrae(throw, count, faces, *operations):  # noqa: C901, PLR0912 -- one branch for each rule
    dice = [Die(throw(faces)) for _ in range(count)]
    for word, *selectors in operations:
        if word == "k":
            meant = pick(dice, selectors)
            for die in dice:
                die.kept = die.kept and die in meant
        elif word == "p":
            for die in pick(dice, selectors):
                die.kept = False
        elif word == "ro":
            for die in pick(dice, selectors):
                die.value = throw(faces)
        elif word == "rr":
            while meant := pick(dice, selectors):
                for die in meant:
                    die.value = throw(faces)
        elif word == "ra":
            dice += [Die(throw(faces)) for _ in pick(dice, selectors)[:1]]
        elif word == "e":
            done = []
            while meant := [die for die in pick(dice, selectors) if die not in done]:
                done += meant
                dice += [Die(throw(faces)) for _ in meant]
        else:
            ((_, end),) = selectors
            for die in dice:
                die.value = max(die.value, end) if word == "mi" else min(die.value, end)
    return sum(die.value for die in dice if die.kept)


@pytest.mark.parametrize(
    ("text", "count", "sides", "operations"),
    [
        ("4d4kh3", 4, 4, [("k", ("h", 3))]),
        ("4d4pl1", 4, 4, [("p", ("l", 1))]),
        ("4d4ph1", 4, 4, [("p", ("h", 1))]),
        ("4d4k2", 4, 4, [("k", ("=", 2))]),
        ("4d4k1k3", 4, 4, [("k", ("=", 1), ("=", 3))]),
        ("4d4p>2", 4, 4, [("p", (">", 2))]),
        ("4d4k<3", 4, 4, [("k", ("<", 3))]),
        ("4d4kh1kl1", 4, 4, [("k", ("h", 1), ("l", 1))]),
        ("4d4kh3pl1", 4, 4, [("k", ("h", 3)), ("p", ("l", 1))]),
        ("4d4k>1ph1", 4, 4, [("k", (">", 1)), ("p", ("h", 1))]),
        ("3d4ro1", 3, 4, [("ro", ("=", 1))]),
        ("3d4ro<3", 3, 4, [("ro", ("<", 3))]),
        ("3d4rol1", 3, 4, [("ro", ("l", 1))]),
        ("3d4roh2", 3, 4, [("ro", ("h", 2))]),
        ("2d4ro1ro3", 2, 4, [("ro", ("=", 1), ("=", 3))]),
        ("3d4kh2ro1", 3, 4, [("k", ("h", 2)), ("ro", ("=", 1))]),
        ("3d4ro<3kh2", 3, 4, [("ro", ("<", 3)), ("k", ("h", 2))]),
        ("3d4ra4", 3, 4, [("ra", ("=", 4))]),
        ("3d4ra<3kh1", 3, 4, [("ra", ("<", 3)), ("k", ("h", 1))]),
        ("2d4ral1", 2, 4, [("ra", ("l", 1))]),
        ("2d4ra1ra4", 2, 4, [("ra", ("=", 1), ("=", 4))]),
        ("3d4eh1", 3, 4, [("e", ("h", 1))]),
        ("3d4el1", 3, 4, [("e", ("l", 1))]),
        ("2d3eh2", 2, 3, [("e", ("h", 2))]),
        ("3d4mi2", 3, 4, [("mi", ("", 2))]),
        ("3d4ma3mi2", 3, 4, [("ma", ("", 3)), ("mi", ("", 2))]),
        ("3d4mi2kl2", 3, 4, [("mi", ("", 2)), ("k", ("l", 2))]),
        ("3d4kh2mi3", 3, 4, [("k", ("h", 2)), ("mi", ("", 3))]),
        ("3d4mi3ro3", 3, 4, [("mi", ("", 3)), ("ro", ("=", 3))]),
        ("3d4ro1mi2", 3, 4, [("ro", ("=", 1)), ("mi", ("", 2))]),
        ("3d4ma0", 3, 4, [("ma", ("", 0))]),
    ],
)
def test_operations_of_a_fixed_number_of_dice(text, count, sides, operations):
    check(text, "avrae", lambda throw: avrae(throw, count, sides, *operations))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "count", "sides", "operations", "most"),
    [
        ("2d6e6", 2, 6, [("e", ("=", 6))], 6),
        ("2d6e1e6", 2, 6, [("e", ("=", 1), ("=", 6))], 8),
        ("2d6rr<3", 2, 6, [("rr", ("<", 3))], 7),
        ("2d6rr1rr6", 2, 6, [("rr", ("=", 1), ("=", 6))], 7),
        ("2d6e6kh2", 2, 6, [("e", ("=", 6)), ("k", ("h", 2))], 6),
        ("3d6e6pl1", 3, 6, [("e", ("=", 6)), ("p", ("l", 1))], 6),
        ("2d6e6ph1", 2, 6, [("e", ("=", 6)), ("p", ("h", 1))], 6),
        ("3d6kh2e6", 3, 6, [("k", ("h", 2)), ("e", ("=", 6))], 6),
        ("2d6e6mi3", 2, 6, [("e", ("=", 6)), ("mi", ("", 3))], 6),
        ("2d6e6kh1kl1", 2, 6, [("e", ("=", 6)), ("k", ("h", 1), ("l", 1))], 6),
        ("2d6mi5e5", 2, 6, [("mi", ("", 5)), ("e", ("=", 5))], 8),
    ],
)
def test_operations_that_may_go_on(text, count, sides, operations, most):
    check(text, "avrae", lambda throw: avrae(throw, count, sides, *operations), most)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("2d%", lambda t: t(range(0, 100, 10)) + t(range(0, 100, 10))),
        ("(1d4, 2+2, 2d4kl1)kh1", lambda t: max(t(4), 4, min(t(4), t(4)))),
        ("(1d4, 1d6)p>3", lambda t: sum(v for v in (t(4), t(6)) if v <= 3)),
        ("(2d4)kh1", lambda t: max(t(4), t(4))),
        ("(2d4,)kh1", lambda t: t(4) + t(4)),
        ("((3d4kh2)kl1)*2", lambda t: sorted([t(4), t(4), t(4)])[1] * 2),
        ("(1d4+1)kh1", lambda t: t(4) + 1),
        ("((1d4, 1d6), 5)kh1", lambda t: max(t(4) + t(6), 5)),
        ("(1d4, 1d6, 1d8)", lambda t: t(4) + t(6) + t(8)),
        ("(1d4)k5", lambda t: 0),
        ("1d20/1d4", lambda t: t(20) // t(4)),
        ("1d6/2+1d6/2", lambda t: (t(6) + t(6)) // 2),
        ("(1d4-3)/2", lambda t: int(Fraction(t(4) - 3, 2))),
        ("(1d4-3)//2", lambda t: (t(4) - 3) // 2),
        ("1d20 % 3", lambda t: t(20) % 3),
        ("1.5 * 1d6", lambda t: int(Fraction(3, 2) * t(6))),
        ("2d4 == 5", lambda t: int(t(4) + t(4) == 5)),
        ("2d4 != 5", lambda t: int(t(4) + t(4) != 5)),
        ("1d6 + 1d6 > 7", lambda t: t(6) + t(6) > 7),
        ("1d6 < 1d8 == 1", lambda t: int(int(t(6) < t(8)) == 1)),
        ("3 * (1d4 >= 3) + 1", lambda t: 3 * (t(4) >= 3) + 1),
        ("-1d4 - -2", lambda t: -t(4) + 2),
        ("0d6 + 1d4", lambda t: t(4)),
        ("1d4[fire] + 1d6 [cold] [really]", lambda t: t(4) + t(6)),
    ],
)
def test_sets_and_sums(text, rule):
    check(text, "avrae", rule)


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("4d6kh3", "4d6kh3"),
        ("1d20 for the dragon", "1d20 # for the dragon"),
        ("(1d8, 1d6)kh1 + 2", "{1d8,1d6}kh1+2"),
        ("2d6e6 + 3", "2d6!+3"),
        ("1d20+5 >= 15", "(1d20+5)>=15"),
        ("7 // 2", "7/2"),
        ("(1d8, 1d6, )kh1", "{1d8,1d6}kh1"),
    ],
)
def test_what_the_house_can_spell_is_spelled_there(text, spelled):
    assert str(read(text, "avrae")) == spelled


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("1d20rr<21", 4),
        ("4d6e<7", 3),
        ("1d6rrh1", 3),
        ("10d6mil1", 4),
        ("10 / 0", 3),
        ("1001d6", 0),
        ("1d0", 0),
        ("(1d6", 0),
        ("{1d6,1d8}kh1", 0),
        ("2d6 +", 5),
        ("2d6 ?", 4),
        ("2 + 1001d6", 4),
    ],
)
def test_refusals_point_at_their_place(text, position):
    with pytest.raises(NotationError) as refused:
        read(text, "avrae")
    assert refused.value.position == position
    assert str(refused.value).endswith(".")


def test_an_explosion_without_an_end_has_a_closed_mean():
    assert odds(*compile_notation("4d6e6kh3", "avrae")).mean() == Fraction(299383, 23328)


SELECTORS = st.one_of(
    st.tuples(st.sampled_from("hl"), st.integers(0, 3)),
    st.tuples(st.sampled_from("<>="), st.integers(1, 4)),
)
OPERATIONS = st.one_of(
    st.tuples(st.sampled_from(["k", "p", "ro", "ra"]), SELECTORS),
    st.tuples(st.sampled_from(["mi", "ma"]), st.tuples(st.just("="), st.integers(1, 4))),
)


@settings(max_examples=75, deadline=None)
@given(st.lists(OPERATIONS, max_size=3))
def test_any_row_of_operations_agrees_with_enumeration(row):
    text = "3d3" + "".join(f"{word}{kind.strip('=')}{number}" for word, (kind, number) in row)
    joined = []
    for word, selector in row:
        if joined and joined[-1][0] == word and word not in ("mi", "ma"):
            joined[-1].append(selector)
        else:
            joined.append([word, selector])
    check(text, "avrae", lambda throw: avrae(throw, 3, 3, *joined))
