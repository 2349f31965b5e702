"""Dice notation read aloud."""

import pytest

from kitchentable.dice.notation import parse, speak


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2d6!+3", "2 d6 exploding, plus 3"),
        ("2d6+3", "2 d6 plus 3"),
        ("d%-4dF", "1 d100 minus 4 fudge dice"),
        ("4d6kh3+2", "4 d6 keeping the highest 3, plus 2"),
        ("4d6dl1", "4 d6 dropping the lowest 1"),
        ("2d6!>=5", "2 d6 exploding on 5 or more"),
        ("2d6ro<=2", "2 d6 rerolling 2 or less once"),
        ("4dFrr=-1", "4 fudge dice rerolling minus 1 until none is left"),
        ("10d6 hits>=5", "10 d6 counting hits of 5 or more"),
        ("10d6 hits=6-1", "10 d6 counting hits of 6, minus 1"),
        ("-2d6*3", "minus 2 d6 times 3"),
        ("(2d6+1)/2", "bracket 2 d6 plus 1 end bracket, divided, rounding down, by 2"),
        ("2d6[fire]+3[the good knife]", "2 d6 for fire, plus 3 for the good knife"),
        (
            "{1d8!,1d6}kh1+2",
            "of the group 1 d8 exploding; 1 d6; end of group, keeping the highest 1, plus 2",
        ),
        ("(2d6)>=7", "2 d6: at least 7"),
        ("(2d6+1)<=1d8 # for luck", "2 d6 plus 1: at most 1 d8; note: for luck"),
    ],
)
def test_an_expression_is_read_aloud(text, words):
    assert speak(parse(text)) == words


def test_no_sign_is_left_for_a_screen_reader_to_swallow():
    for text in ("(2d6!-1)*2/3>=-4", "{4dFkl2,-1d6ro<=2}dh1 # note"):
        assert not set("+-*/<>=!{}()") & set(speak(parse(text)))
