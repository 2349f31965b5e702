"""The line of a card adds up to its outcome, whatever was thrown."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import SeededSource
from kitchentable.dice.notation import NotationError, parse, roll_notation, tally
from tests.dice.test_notation_properties import dice_texts, expressions

COUNTING = {"kept", "exploded", "counted"}


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
    while words[:1] in (["×"], ["/"]):
        more, rest = single(words[1:])
        # Dice of a throw that is dropped as a whole show nothing to divide by.
        value = value * more if words[0] == "×" else value // more if more else 0
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
        assert words[0] == ")"
        words = words[1:]
    elif word == "{":
        values = []
        while word != "}":
            value, words = summed(words)
            word, words = words[0], words[1:]
            values.append(value)
        assert words[0] == "→", "a group says what it comes to"
    else:
        value = int(word)
    # What hits or is limited says itself what it comes to.
    if words[:1] == ["→"]:
        return int(words[1].split()[0]), words[2:]
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
    rolled = roll_notation(text, faces=faces)
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


@given(expressions(st.one_of(dice_texts(), LIMITED)), st.integers(0, 99))
@settings(max_examples=400)
def test_a_line_adds_up_to_the_outcome(text, seed):
    try:
        expression = parse(text)
    except NotationError:
        return
    rolled = roll_notation(text, source=SeededSource(seed))
    line = tally(expression, rolled.trace.faces)
    assert added_up(line, rolled.trace.throws) == rolled.outcome


def test_a_thousand_dice_are_one_piece():
    rolled = roll_notation("600d6+400d6+2", source=SeededSource(1))
    assert tally(parse("600d6+400d6+2"), rolled.trace.faces) == (600, "+", 400, "+", "2")
