"""Forms that tables read in different ways: refused with what each means, translated on request."""

import re

import pytest

from kitchentable.dice.notation import NotationError, parse, translate
from kitchentable.dice.notation.dialects import REFUSED_WORDS

TABLES = ("Roll20", "Foundry", "Avrae", "rpg-dice-roller", "Dice Maiden")


def sentence(text):
    with pytest.raises(NotationError) as refused:
        parse(text)
    return str(refused.value)


def advice(text):
    """What the sentence says to write, each piece of it."""
    said = sentence(text).partition("Write ")[2].rstrip(".")
    pieces = re.split(r",? or (?=[({\d])", said)
    return [piece.split(" to ")[0].split(" at ")[0].split(" without")[0] for piece in pieces]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("4d6k3", {"Roll20": "highest 3", "Avrae": "show 3"}),
        ("4d6d1", {"Roll20": "lowest 1", "Avrae": "refuses"}),
        ("4d6r1", {"rpg-dice-roller": "for ever", "Foundry": "once", "Avrae": "refuses"}),
        ("2d6!>4", {"Roll20": "4 or more", "Avrae": "not include 4"}),
        ("10d6>=5", {"rpg-dice-roller": "counts the dice", "Avrae": "compares the total"}),
        ("10d6>5", {"Roll20": "5 or more", "rpg-dice-roller": "above 5", "Avrae": "the total"}),
        ("{1d6,1d8}>=5", {"Roll20": "counts", "Avrae": "their sum"}),
        ("2d6e6", {"Avrae": "exactly 6", "Dice Maiden": "once at 6", "Foundry": "x"}),
        ("2d6x", {"Foundry": "explodes", "Roll20": "unknown"}),
        ("2d6!!", {"Roll20": "its own die", "Avrae": "not know"}),
        ("2d6!5", {"Roll20": "exactly 5", "rpg-dice-roller": "refused"}),
        ("2d6!=5", {"rpg-dice-roller": "exactly 5"}),
        ("2d6!p", {"Roll20": "takes 1"}),
        ("10d6t7", {"Dice Maiden": "count"}),
        ("10d6cs7", {"Foundry": "successes"}),
        ("10d6f1", {"Roll20": "subtracts failures", "rpg-dice-roller": "f=1"}),
        ("4d6!kh3", {"Roll20": "each added die on its own"}),
        ("(2d4)d6", {"Roll20": "as many dice", "Avrae": "refuses"}),
    ],
)
def test_a_refusal_says_what_each_table_would_mean(text, means):
    said = sentence(text)
    for table, meaning in means.items():
        assert table in said
        assert meaning in said


@pytest.mark.parametrize("word", ["k", "d", "r", "x", "e"])
def test_the_worst_traps_name_every_table(word):
    said = sentence(f"4d6{word}1")
    assert all(table in said for table in TABLES)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("4d6k3", ["4d6kh3", "4d6kl3"]),
        ("4d6d1", ["4d6dl1", "4d6dh1"]),
        ("2d6r1", ["2d6ro1", "2d6rr1"]),
        ("2d6e5", ["2d6!", "2d6!>=5"]),
        ("10d6>=5", ["10d6 hits>=5", "(10d6)>=5"]),
        ("10d6<2", ["10d6 hits<=2", "(10d6)<=2"]),
        ("4d6kh3>=12", ["(4d6kh3)>=12"]),
        ("{1d6,1d8}>=5", ["{1d6,1d8} hits>=5", "(1d6+1d8)>=5"]),
        ("10d6 t5", ["10d6 hits>=5"]),
        ("4d6pl1", ["4d6dl1"]),
    ],
)
def test_what_a_refusal_says_to_write_can_be_written(text, instead):
    assert advice(text) == instead
    for one in instead:
        assert str(parse(one)) == one


def test_hits_are_compared_in_brackets():
    assert sentence("10d6 hits>=5>=3") == (
        "To compare the number of hits, write (10d6 hits>=5)>=3."
    )
    assert str(parse("(10d6 hits>=5)>=3")) == "(10d6 hits>=5)>=3"


def test_a_target_beyond_every_face_is_not_taken_for_an_explosion():
    assert sentence("2d6!>=12") == (
        "A d6 shows 1 to 6, never 12 or more. To compare the total, write (2d6!)>=12."
    )
    assert "without a space to explode" in sentence("2d6! >=5")
    assert "without a space to explode" in sentence("2d6! > 5")


def test_one_plain_die_may_be_compared_as_all_readings_agree():
    assert str(parse("1d20>=15")) == "(1d20)>=15"
    assert str(parse("1d20ro1+3-1d4>=15")) == "(1d20ro1+3-1d4)>=15"
    assert "Roll20" in sentence("1d20>15")
    assert "Avrae" in sentence("3+10d6>=15")


@pytest.mark.parametrize("word", sorted(REFUSED_WORDS))
def test_every_refused_word_gives_a_whole_sentence(word):
    said = sentence(f"4d6 {word} 2")
    assert said.endswith(".")
    assert "{" not in said
    assert any(table in said for table in TABLES)


@pytest.mark.parametrize(
    ("dialect", "text", "here"),
    [
        ("roll20", "4d6k3", "4d6kh3"),
        ("roll20", "4d6d1", "4d6dl1"),
        ("roll20", "2d20kl1+5", "2d20kl1+5"),
        ("roll20", "10d6>5", "10d6 hits>=5"),
        ("roll20", "1d100<35", "1d100 hits<=35"),
        ("roll20", "2d6!", "2d6!"),
        ("roll20", "2d6!!", "2d6!"),
        ("roll20", "2d6!6", "2d6!"),
        ("roll20", "2d6!>4", "2d6!>=4"),
        ("roll20", "5d6!!>4", "5d6!>=4"),
        ("roll20", "1d6r1", "1d6rr1"),
        ("roll20", "2d6r<2", "2d6rr<=2"),
        ("roll20", "2d6ro<2", "2d6ro<=2"),
        ("roll20", "4d6sd", "4d6"),
        ("roll20", "{2d6,1d8}>4", "{2d6,1d8} hits>=4"),
        ("roll20", "{1d8!,1d6!}k1+2", "{1d8!,1d6!}kh1+2"),
        ("roll20", "floor(2d6/2)+1[str]", "2d6/2+1[str]"),
        ("roll20", "floor((2d6+3)/2)", "(2d6+3)/2"),
        ("roll20", "4dF+1d%", "4dF+1d100"),
        ("foundry", "4d6k3", "4d6kh3"),
        ("foundry", "2d20kh", "2d20kh1"),
        ("foundry", "5d10x", "5d10!"),
        ("foundry", "5d10x10", "5d10!"),
        ("foundry", "5d10x>8", "5d10!>=9"),
        ("foundry", "5d10x>=8", "5d10!>=8"),
        ("foundry", "1d20r<10", "1d20ro<=9"),
        ("foundry", "1d20rr<3", "1d20rr<=2"),
        ("foundry", "10d6cs>4", "10d6 hits>=5"),
        ("foundry", "10d6cs=6", "10d6 hits=6"),
        ("foundry", "10d6cs6 # to win", "10d6 hits=6 # to win"),
        ("avrae", "4d6kh3", "4d6kh3"),
        ("avrae", "4d6pl1", "4d6dl1"),
        ("avrae", "2d6e6", "2d6!"),
        ("avrae", "2d6e>4", "2d6!>=5"),
        ("avrae", "2d6ro<3", "2d6ro<=2"),
        ("avrae", "2d6rr1", "2d6rr1"),
        ("avrae", "10d6>=35", "(10d6)>=35"),
        ("avrae", "1d20+5>15", "(1d20+5)>=16"),
        ("avrae", "(1d8,1d6)kh1+2", "{1d8,1d6}kh1+2"),
        ("avrae", "(1d8+1)*2", "(1d8+1)*2"),
        ("avrae", "2d6//2", "2d6/2"),
        ("avrae", "-7//2", "(-7)/2"),
        ("roll20", "2d6r", "2d6rr1"),
    ],
)
def test_another_table_s_text_is_spelled_here(dialect, text, here):
    assert translate(text, dialect) == here


@pytest.mark.parametrize(
    ("dialect", "text", "position"),
    [
        ("roll20", "2d6!5", 3),
        ("roll20", "5d6!!6>4", 3),
        ("roll20", "2d6/2", 3),
        ("roll20", "floor(3-2d6/2)", 11),
        ("roll20", "floor(2d6/2*3)", 9),
        ("roll20", "floor(2d6/(3/2))", 12),
        ("roll20", "10d6>5f1", 4),
        ("roll20", "10d6>=5", 4),
        ("roll20", "1d20+5 to hit", 7),
        ("foundry", "1d10xo", 4),
        ("foundry", "2d6min2", 3),
        ("foundry", "7/2", 1),
        ("foundry", "1d6r<0", 3),
        ("avrae", "4d6k3", 3),
        ("avrae", "2d6ra6", 3),
        ("avrae", "10d6==5", 4),
        ("avrae", "2d6e5", 3),
    ],
)
def test_what_has_no_spelling_here_is_refused_where_it_stands(dialect, text, position):
    with pytest.raises(NotationError) as refused:
        translate(text, dialect)
    assert refused.value.text == text
    assert refused.value.position == position
