"""Texts from one dialect in the spelling of another, and dialects asked for by name."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import load, odds, roll
from kitchentable.dice.notation import (
    Expression,
    NotationError,
    compile_notation,
    translate,
)
from kitchentable.dice.notation.dialects.reading import (
    DIALECTS,
    TABLES,
    UnknownDialect,
    read,
)
from kitchentable.dice.notation.tokens import MOST_CHARACTERS

PHRASES = (
    ("house", "4d6kh3+2"),
    ("house", "(2d6+3)/2"),
    ("house", "{1d8!,1d6!}kh1 # the lucky one"),
    ("roll20", "5d6!!>4"),
    ("roll20", "{2d6!!}>8"),
    ("roll20", "2d6!p+1"),
    ("foundry", "10d10cs>=8"),
    ("foundry", "4d6min2"),
    ("foundry", "4d6xo"),
    ("avrae", "4d6e6kh3"),
    ("avrae", "2d20kh1+5[attack]"),
    ("avrae", "2d6 >= 7"),
    ("rpg-dice-roller", "4d6!kh3"),
    ("rpg-dice-roller", "3d6u"),
    ("rpg-dice-roller", "floor(2d6/3)"),
    ("anydice", "[highest 3 of 4d6]"),
    ("anydice", "[count {5,6} in 6d6]"),
    ("anydice", "[count {1,4,4} in 3d4]"),
    ("foundry", "3dFcs=1df=0"),
    ("roll20", "2d6>5f1"),
    ("anydice", "[highest of d6 and 2d4]"),
)


def translated_or_refused(text, dialect, to):
    """The translation, or nothing where a whole sentence with a place refuses it."""
    try:
        return translate(text, dialect, to)
    except NotationError as refused:
        told = refused
    assert told.text == text
    assert 0 <= told.position <= len(text)
    assert str(told).endswith(".")
    return None


@pytest.mark.parametrize(("dialect", "text"), PHRASES)
@pytest.mark.parametrize("to", DIALECTS)
def test_a_translation_has_the_same_odds_or_is_refused_in_a_sentence(dialect, text, to):
    there = translated_or_refused(text, dialect, to)
    if there is None:
        return
    assert odds(*compile_notation(there, to)) == odds(*compile_notation(text, dialect))


@pytest.mark.parametrize(
    ("text", "dialect", "to", "there"),
    [
        ("[highest 3 of 4d6]", "anydice", "house", "4d6kh3"),
        ("4d6k3", "roll20", "avrae", "4d6kh3"),
        ("4d6rkh3", "roll20", "house", "4d6rr1kh3"),
        ("2^1d4^2", "anydice", "anydice", "(2^1d4)^2"),
        ("2^1d4^2", "rpg-dice-roller", "anydice", "2^(1d4^2)"),
        ("-2^1d4", "anydice", "rpg-dice-roller", "(-2)**1d4"),
        ("-2^1d4", "rpg-dice-roller", "anydice", "-(2^1d4)"),
        ("4d6dl1", "house", "anydice", "[highest 3 of 4d6]"),
        ("10d6>5", "roll20", "foundry", "10d6cs>=5"),
        ("10d6>5", "roll20", "anydice", "[count {5,6} in 10d6]"),
        ("[count {4,1,4} in 3d4]", "anydice", "anydice", "[count {1,4,4} in 3d4]"),
        ("2d6e6", "avrae", "foundry", "2d6x"),
        ("2d6!p>4", "roll20", "rpg-dice-roller", "2d6!p>=4"),
        ("4d6!k3", "roll20", "avrae", "4d6e6kh3"),
        ("2d6r<3", "foundry", "roll20", "2d6ro<2"),
        ("7 // 2", "avrae", "roll20", "floor(7/2)"),
        ("d{1,1,5}", "anydice", "anydice", "1d{1,1,5}"),
        ("4dF", "house", "anydice", "4d{-1,0,1}"),
        ("!d4 & 1", "anydice", "anydice", "!1d4&1"),
        ("2d6[fire] # go", "house", "foundry", "2d6[fire] # go"),
        ("4d6min2max5", "house", "foundry", "4d6min2max5"),
        ("4d6max5kh3", "house", "avrae", "4d6ma5kh3"),
        ("(2d4)d6", "house", "roll20", "(2d4)d6"),
        ("4d6dh1dl1", "house", "rpg-dice-roller", "4d6dh1dl1"),
        ("4d6dh1dl1", "house", "anydice", "[middle 2 of 4d6]"),
        ("{1d6!,1d8}>4", "roll20", "foundry", "{1d6x,1d8}cs>=4"),
    ],
)
def test_translations_between_any_two(text, dialect, to, there):
    assert translate(text, dialect, to) == there


@pytest.mark.parametrize(
    ("text", "to"),
    [("2d6rr1!", "foundry"), ("(2d4)d6", "rpg-dice-roller"), ("(2d4)d6", "avrae")],
)
def test_what_a_program_would_throw_differently_has_no_spelling_there(text, to):
    with pytest.raises(NotationError, match="no spelling"):
        translate(text, "house", to)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("2d6rr<=5", "foundry"),
        ("1d8!<7", "roll20"),
        ("1 + 8d20e>1", "avrae"),
        ("3d6r>2k1", "roll20"),
    ],
)
def test_dice_thrown_again_on_most_faces_have_odds_but_no_spelling_here(text, dialect):
    assert not isinstance(read(text, dialect), Expression)
    assert odds(*compile_notation(text, dialect)).mean() > 0
    with pytest.raises(NotationError, match="The house notation has no spelling"):
        translate(text, dialect)


def test_every_pair_of_dialects_translates_plain_dice():
    pairs = itertools.product(DIALECTS, repeat=2)
    assert {translate("2d6+3", *pair) for pair in pairs} == {"2d6+3"}


def test_an_unknown_dialect_is_told_with_those_there_are():
    for call in (
        lambda: translate("2d6", "fantasy"),
        lambda: translate("2d6", "house", "fantasy"),
        lambda: read("2d6", "fantasy"),
        lambda: roll("2d6", dialect="fantasy"),
        lambda: odds("2d6", dialect="fantasy"),
    ):
        with pytest.raises(UnknownDialect, match="anydice"):
            call()


def test_a_roll_and_its_odds_take_a_dialect():
    assert roll("4d6r<3", faces=[1, 4, 5, 6, 2, 3], dialect="foundry").outcome == 18
    assert odds("7/2", dialect="avrae")[3] == 1
    assert roll("2d6+1", faces=[2, 3], dialect="house").outcome == 6
    assert compile_notation("4d6k3", dialect="roll20") == compile_notation("4d6kh3")


def test_the_trace_says_which_exploding_dice_are_dropped():
    thrown = load(*compile_notation("4d6!k3", "roll20"), faces=[6, 2, 3, 6, 5, 1])
    assert thrown.outcome == 17
    assert [one.fate == "dropped" for one in thrown.trace.throws] == [
        False,
        True,
        True,
        False,
        False,
        True,
    ]
    assert thrown.outcome == sum(
        int(one.face) for one in thrown.trace.throws if one.fate != "dropped"
    )


def test_long_and_deep_texts_are_read_or_refused_at_once():
    assert odds(*compile_notation("1+" * 400 + "1d6", "avrae"))[401] > 0
    for text in ("(" * 300 + "1" + ")" * 300, "-" * 500 + "1", "1*" * 400 + "1"):
        for dialect in TABLES:
            with pytest.raises(NotationError, match=r"\.$"):
                read(text, dialect)
    with pytest.raises(NotationError):
        read("1" + "+1" * MOST_CHARACTERS, "roll20")


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["*", "/"])
def test_long_rows_in_nested_brackets_are_read_or_refused(operation):
    for row, levels in ((58, 8), (30, 15), (24, 18)):
        text = "(" * levels + "1" + (f"{operation}1" * row + ")") * levels
        for dialect in TABLES:
            with pytest.raises(NotationError, match="Write fewer"):
                read(text, dialect)
            with pytest.raises(NotationError, match="no spelling"):
                translate(text, "house", dialect)


@settings(max_examples=150, deadline=None)
@given(
    text=st.text("0123456789d6+-*/()[]{}!<>=,.khlroxepmiuf% @#ads", max_size=25),
    dialect=st.sampled_from(sorted(TABLES)),
    to=st.sampled_from(DIALECTS),
)
def test_any_text_is_read_or_refused_with_its_place(text, dialect, to):
    translated_or_refused(text, dialect, to)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("rpg-dice-roller", "5d20u"),
        ("avrae", "40d100kh20kl10"),
    ],
)
def test_odds_that_take_long_are_refused_and_the_dice_thrown(dialect, text):
    with pytest.raises(NotationError, match="too much work") as refused:
        odds(text, dialect=dialect, within=0.3)
    assert refused.value.code == "notation/odds-too-large"
    assert roll(text, dialect=dialect).outcome > 0
