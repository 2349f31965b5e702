"""The line of a card adds up to its outcome for any throw."""

import math
import operator
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import SeededSource, roll
from kitchentable.dice.notation import NotationError, compile_notation, parse, tally
from tests.dice.test_notation_properties import dice_texts, expressions

COUNTING = {"kept", "exploded", "counted"}
BETWEEN = {"^": operator.pow, "%": operator.mod, "/": operator.floordiv, "≥": operator.ge}
FUNCTIONS = {"floor": math.floor, "ceil": math.ceil, "abs": abs, "max": max, "sign": None}


def added_up(pieces, throws):
    """What a reader works out from a line: a small calculator over what is to be seen."""
    words = []
    for piece in pieces:
        if isinstance(piece, int):
            run, throws = throws[:piece], throws[piece:]
            words.append(str(sum(one.face for one in run if one.fate in COUNTING)))
        elif not re.fullmatch(r"\[.+\]", piece):
            words.append(piece)
    assert not throws, "every die is in the line"
    return calculated(words)


def calculated(words):
    """The value of a line of words, or whether its comparison holds."""
    for sign, holds in (
        ("≥", lambda a, b: a >= b),
        ("≤", lambda a, b: a <= b),
        ("exactly", lambda a, b: a == b),
    ):
        if sign in words:
            at = words.index(sign)
            return holds(calculated(words[:at]), calculated(words[at + 1 :]))
    value, rest = summed(words)
    assert rest in ([], ["=", str(value)])
    return value


def summed(words):
    sign = words[:1] == ["-"]
    value, words = multiplied(words[1:] if sign else words)
    value = -value if sign else value
    while words[:1] in (["+"], ["-"]):
        more, rest = multiplied(words[1:])
        value, words = value + more if words[0] == "+" else value - more, rest
    return value, words


def multiplied(words):
    value, words = single(words)
    while words[:1] in (["×"], ["/"], ["÷"]):
        more, rest = single(words[1:])
        # Dice of a throw that is dropped as a whole show nothing to divide by.
        if words[0] != "×":
            value = value * 0 if not more else value / more if words[0] == "÷" else value // more
        else:
            value *= more
        words = rest
    return value, words


def single(words):
    word, words = words[0], words[1:]
    if word == "[":
        return single(words[words.index("]") + 1 :])
    if word == "(":
        value, words = summed(words)
        if words[0] == "→":
            words = words[2:]
        if words[0] in BETWEEN:
            other, rest = summed(words[1:])
            value, words = BETWEEN[words[0]](value, other), rest
        assert words[0] == ")"
        words = words[1:]
        if words[:1] == ["→"]:
            assert abs(Fraction(words[1]) - value) < 1, "no more than rounded"
    elif word in FUNCTIONS:
        values, words = [], ["(", *words[1:]]
        while words[0] != ")":
            value, words = summed(words[1:])
            values.append(value)
        words = words[1:]
        assert Fraction(words[1]) == FUNCTIONS[word](*values)
    elif word == "{":
        values = []
        while word != "}":
            value, words = summed(words)
            word, words = words[0], words[1:]
            values.append(value)
        assert words[0] == "→", "a group says what it comes to"
    else:
        value = Fraction(word)
    # What hits or is limited says itself what it comes to.
    if words[:1] == ["→"]:
        return Fraction(words[1].split()[0]), words[2:]
    return value, words


@pytest.mark.parametrize(
    ("text", "faces", "line"),
    [
        ("2d6!+3", [6, 4, 2], (3, "+", "3")),
        ("4d6kh3+2", [2, 4, 2, 1], (4, "+", "2")),
        ("2d6*3", [1, 2], ("(", 2, ")", "×", "3")),
        ("1d6*3-2d4", [1, 2, 3], (1, "×", "3", "-", "(", 2, ")")),
        ("10d6 hits>=5", [1, 2, 3, 4, 5, 6, 5, 6, 1, 1], (10, "→", "4 hits")),
        ("2d20min10kh1", [3, 7], (2, "→", "10")),
        ("(2d4)d6+1", [1, 1, 5, 6], ("[", 2, "→", "2 dice", "]", 2, "+", "1")),
        ("{1d8+3,1d6}kh1", [2, 6], ("{", 1, "+", "3", ",", 1, "}", "→", "6")),
        ("1d6[fire]+3[knife]", [4], (1, "[fire]", "+", "3", "[knife]")),
        ("(1d20+5)>=15", [9], (1, "+", "5", "=", "14", "≥", "15")),
        ("d66", [4, 2], ("10", "×", 1, "+", 1)),
    ],
)
def test_a_line_has_every_summand_in_its_place(text, faces, line):
    rolled = roll(text, faces=faces)
    assert tally(parse(text), rolled.trace.faces) == line
    assert added_up(line, rolled.trace.throws) == rolled.outcome


LIMITED = st.sampled_from(
    [
        "2d6min3",
        "3d8max5kh2",
        "(1d4)d6",
        "(2d3-2)d4!",
        "d66",
        "3d6dh1dl1",
        "2d{1,1,5}",
        "(1d3)d6 hits>=4",
    ]
)


@pytest.mark.slow
@given(expressions(st.one_of(dice_texts(), LIMITED)), st.integers(0, 99))
@settings(max_examples=150)
def test_a_line_adds_up_to_the_outcome(text, seed):
    try:
        expression = parse(text)
    except NotationError:
        return
    rolled = roll(text, source=SeededSource(seed))
    line = tally(expression, rolled.trace.faces)
    assert added_up(line, rolled.trace.throws) == rolled.outcome


def test_a_thousand_dice_are_one_piece():
    rolled = roll("600d6+400d6+2", source=SeededSource(1))
    assert tally(parse("600d6+400d6+2"), rolled.trace.faces) == (600, "+", 400, "+", "2")


#: What the house has no spelling for, in the words of other programs.
FOREIGN = (
    ("rpg-dice-roller", "4d6!kh3+2"),
    ("rpg-dice-roller", "4d6!d1-1d4"),
    ("rpg-dice-roller", "5d4!!p"),
    ("rpg-dice-roller", "3d6min2.5*2"),
    ("rpg-dice-roller", "3d6/7"),
    ("rpg-dice-roller", "10d6>4f<2"),
    ("rpg-dice-roller", "4d4!=4>=3f<2"),
    ("rpg-dice-roller", "4d8u"),
    ("foundry", "(1d4)d(2d6)+3"),
    ("rpg-dice-roller", "2d6^2-ceil(3d4/2.5)"),
    ("rpg-dice-roller", "max(2d6/2, 1d12)"),
    ("rpg-dice-roller", "{4d6!, 2d8}k1+1"),
    ("avrae", "4d6e6kh3 [luck]"),
    ("avrae", "(1d20+5)*1.5"),
    ("avrae", "-(1d8/3+1)"),
    ("avrae", "(2d6rr1,1d12+1)kh1"),
    ("avrae", "(1d6, 2d4, 1d8)ph1pl1 [odd] + 2"),
    ("avrae", "6d6mi2ma5ro2"),
    ("avrae", "3d6 % 5"),
    ("roll20", "(1d20)/2+2.5"),
    ("foundry", "2d6/4"),
    ("anydice", "d{1,1,5}*2-3d{2..4}"),
    ("anydice", "2d6/(1d4)"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("dialect", "text"), FOREIGN)
@given(seed=st.integers(0, 999))
@settings(max_examples=25)
def test_a_line_of_another_programs_dice_adds_up(dialect, text, seed):
    rolled = roll(text, dialect=dialect, source=SeededSource(seed))
    line = tally(compile_notation(text, dialect)[1], rolled.trace.faces)
    assert added_up(line, rolled.trace.throws) == rolled.outcome


@pytest.mark.parametrize(
    ("dialect", "text", "faces", "line"),
    [
        ("rpg-dice-roller", "4d6!d1+1", [6, 2, 2, 5, 1], (5, "+", "1")),
        ("rpg-dice-roller", "2d6>=5f<2", [5, 1], (2, "→", "0 hits")),
        ("rpg-dice-roller", "3d6/7", [2, 5, 5], ("(", "(", 3, ")", "÷", "7", ")", "→", "1.71")),
        ("foundry", "(1d4)d(1d6)", [2, 3, 1, 2],
         ("[", 1, "→", "2 dice", ",", 1, "→", "d3", "]", 2)),
        ("avrae", "(1d8+2,2d6e6)kh1", [4, 6, 2, 1], ("{", 1, "+", "2", ",", 3, "}", "→", "9")),
    ],
)  # fmt: skip
def test_another_programs_dice_have_their_summands_in_place(dialect, text, faces, line):
    rolled = roll(text, dialect=dialect, faces=faces)
    assert tally(compile_notation(text, dialect)[1], rolled.trace.faces) == line


@pytest.mark.parametrize("text", ["6d6!=6>=5", "6d6!=6k4>=5", "5d6!=6d1>3", "4d4!=4u=4>=3"])
@given(seed=st.integers(0, 999))
@settings(max_examples=25)
def test_every_hit_of_exploding_dice_is_marked_and_nothing_else(text, seed):
    rolled = roll(text, dialect="rpg-dice-roller", source=SeededSource(seed))
    fates = [one.fate for one in rolled.trace.throws]
    assert fates.count("counted") == rolled.outcome


@given(seed=st.integers(0, 999))
@settings(max_examples=50)
def test_a_hit_that_explodes_is_marked_as_a_hit(seed):
    rolled = roll("8d6! hits>=4", source=SeededSource(seed))
    throws = rolled.trace.throws
    assert [one.fate for one in throws].count("counted") == rolled.outcome
    assert all("explodes" in one.why for one in throws if one.face == 6)


@pytest.mark.parametrize("text", ["4d6!d1", "5d4!dh2", "3d6!d2", "4d4!!d1", "6d4!kh3"])
@given(seed=st.integers(0, 999))
@settings(max_examples=25)
def test_dropped_dice_of_those_that_explode_are_marked(text, seed):
    rolled = roll(text, dialect="rpg-dice-roller", source=SeededSource(seed))
    counted = [one.face for one in rolled.trace.throws if one.fate in COUNTING]
    assert sum(counted) == rolled.outcome
    assert len(rolled.trace.throws) > len(counted)
