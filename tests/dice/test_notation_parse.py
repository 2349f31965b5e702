"""Parsing dice notation: results, spellings, and refusals with their places."""

import pytest

from kitchentable.dice.errors import BadInput
from kitchentable.dice.notation import NotationError, parse
from kitchentable.dice.notation.bounds import bounds
from kitchentable.dice.notation.tree import (
    Condition,
    Dice,
    Expression,
    Group,
    Handful,
    Keep,
    Labelled,
    Middle,
    Number,
    Product,
    Reroll,
    Sum,
    Target,
)


def refusal(text):
    with pytest.raises(NotationError) as refused:
        parse(text)
    return refused.value


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("2d6", Dice(2, 6)),
        ("d20", Dice(1, 20)),
        ("d%", Dice(1, 100)),
        ("4dF", Dice(4, "F")),
        ("4d6kh3", Dice(4, 6, select=Keep("kh", 3))),
        ("4d6dl1", Dice(4, 6, select=Keep("dl", 1))),
        ("2d6!", Dice(2, 6, explode=Condition(">=", 6))),
        ("2d6!>=6", Dice(2, 6, explode=Condition(">=", 6))),
        ("2d6!<=2", Dice(2, 6, explode=Condition("<=", 2))),
        ("2d6ro1", Dice(2, 6, Reroll(False, Condition("=", 1)))),
        ("2d6ro<=2", Dice(2, 6, Reroll(False, Condition("<=", 2)))),
        ("2d6rr1!", Dice(2, 6, Reroll(True, Condition("=", 1)), Condition(">=", 6))),
        ("4dFrr=-1", Dice(4, "F", Reroll(True, Condition("=", -1)))),
        ("10d6 hits>=5", Dice(10, 6, select=Condition(">=", 5))),
        ("10d6hits==6", Dice(10, 6, select=Condition("=", 6))),
        ("{1d8,1d6}kh1", Group((Dice(1, 8), Dice(1, 6)), Keep("kh", 1))),
        ("{1d8,1d6}hits>=4", Group((Dice(1, 8), Dice(1, 6)), Condition(">=", 4))),
        ("2d6[fire]", Labelled(Dice(2, 6), "fire")),
        ("1+2-3", Sum((("+", Number(1)), ("+", Number(2)), ("-", Number(3))))),
        ("-d4", Sum((("-", Dice(1, 4)),))),
        ("+d4", Dice(1, 4)),
        ("7/2*3", Product(Number(7), (("/", Number(2)), ("*", Number(3))))),
        ("2*-3", Product(Number(2), (("*", Sum((("-", Number(3)),))),))),
        ("1+2*3", Sum((("+", Number(1)), ("+", Product(Number(2), (("*", Number(3)),)))))),
        ("(2d6)>=7", Target(Dice(2, 6), ">=", Number(7))),
        ("1d20+5 >= 15", Target(Sum((("+", Dice(1, 20)), ("+", Number(5)))), ">=", Number(15))),
        ("d%<=35", Target(Dice(1, 100), "<=", Number(35))),
        ("2d6!5", Dice(2, 6, explode=Condition("=", 5))),
        ("2d6!6", Dice(2, 6, explode=Condition(">=", 6))),
        ("4dF!=-1", Dice(4, "F", explode=Condition("<=", -1))),
        ("d{1,3,2,1}", Dice(1, (1, 1, 2, 3))),
        ("3d{1,2,3}", Dice(3, 3)),
        ("(2d4)d6ro1", Handful(Dice(2, 4), Dice(1, 6, Reroll(False, Condition("=", 1))))),
        ("(1+2)d6", Dice(3, 6)),
        ("3d20kh2kl1", Dice(3, 20, select=Middle(1, 1))),
        ("5d6dl1dl1", Dice(5, 6, select=Keep("kh", 3))),
        ("1d20min10", Dice(1, 20, least=10)),
        ("4d6max5kh3", Dice(4, 6, select=Keep("kh", 3), most=5)),
    ],
)
def test_each_form_is_read(text, tree):
    assert parse(text) == Expression(tree)


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        (" 4 D 6 KH 3 + D% ", "4d6kh3+1d100"),
        ("4df kh2", "4dFkh2"),
        ("((2d6))", "2d6"),
        ("(2d6+3)*2", "(2d6+3)*2"),
        ("(2*3)+4", "2*3+4"),
        ("1-(2-3)", "1-(2-3)"),
        ("2*(3*4)", "2*(3*4)"),
        ("--3", "-(-3)"),
        ("2d6!>=6+1", "2d6!+1"),
        ("2d6ro=1", "2d6ro1"),
        ("1d20>=11", "(1d20)>=11"),
        ("2d6 × 3 − 1 ÷ 2", "2d6*3-1/2"),
        ("(3d6) ≥ 11", "(3d6)>=11"),
        (
            "2d6 [ the   big  one ] # for   luck # and more",
            "2d6[the big one] # for luck # and more",
        ),
        ("(2d6+1)[fire]", "(2d6+1)[fire]"),
        ("3[bonus]", "3[bonus]"),
        ("2d6 #", "2d6"),
        ("10d6hits>=5+2", "10d6 hits>=5+2"),
        ("{2d6 , {1d4,1d6}kl1 }dh1", "{2d6,{1d4,1d6}kl1}dh1"),
    ],
)
def test_the_canonical_spelling_reads_back_the_same(text, spelling):
    expression = parse(text)
    assert str(expression) == spelling
    assert parse(spelling) == expression


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("", "empty", 0),
        ("  # only a note", "empty", 2),
        ("2d6+", "unfinished", 4),
        ("2d6+#x", "unfinished", 4),
        ("2d6+*3", "unexpected", 4),
        ("(2d6", "unclosed", 0),
        ("{2d6,1", "unclosed", 0),
        ("2d6)", "unexpected", 3),
        ("2d6}", "unexpected", 3),
        ("6 4d6", "unexpected", 2),
        ("2d6(3)", "unexpected", 3),
        ("2d6,3", "unexpected", 3),
        ("1.5", "unreadable", 1),
        ("2d6 ☃", "unreadable", 4),
        ("2d6[fire", "unreadable", 3),
        ("2d6]", "unreadable", 3),
        ("[[1d20]]", "unreadable", 0),
        ("2d6[]", "label", 3),
        ("[fire]2d6", "label", 0),
        ("2d6[a][b]", "label", 3),
        ("(2d6[a])[b]", "label", 8),
        ("1[" + "x" * 61 + "]", "label", 1),
        ("@strength+2", "reference", 0),
        ("dToast", "unknown-word", 0),
        ("2d", "sides", 2),
        ("2dx", "unknown-word", 1),
        ("(1d4-2)d6", "dice-count", 0),
        ("(1d6!)d6", "dice-count", 0),
        ("(1d1000+1)d6", "dice-count", 0),
        ("(1d4)d6kh2", "keep", 0),
        ("2d{1,2", "unclosed", 2),
        ("2d{1,a}", "faces", 5),
        ("2d{10001}", "faces", 3),
        ("1d6min7", "impossible-face", 6),
        ("1d6min4max3", "impossible-face", 11),
        ("1d6min2min3", "order", 10),
        ("6#4d6kh3", "repeat", 1),
        ("2#1d20+5", "repeat", 1),
        ("4d6#1d4#x", "repeat", 3),
        ("2d6 adv", "advantage", 4),
        ("1d20+1d20 dis", "advantage", 10),
        ("2d6+3 sneak 2d6", "unknown-word", 6),
        ("2d6 adding 3", "unknown-word", 4),
        ("round(1d6/2)", "function", 0),
        ("floor(1d6/2*3)", "function", 0),
        ("floor(1d6,2)", "function", 0),
        ("ceil(1d6/2/3)", "function", 0),
        ("sqrt(9)", "function", 0),
        ("highest 5 of 4d6", "keep", 0),
        ("highest 1 of 4d6!", "keep", 13),
        ("2d6=6", "target-or-hits", 3),
        ("2d6!=5", "explode", 4),
        ("2d(6)", "sides", 2),
        ("%", "sides", 0),
        ("0d6", "no-dice", 0),
        ("3+1001d6", "too-many-dice", 2),
        ("500d6+501d8", "too-many-dice", 6),
        ("{999d6,1d6}kh1+1d4", "too-many-dice", 15),
        ("1d0", "too-many-sides", 2),
        ("1d10001", "too-many-sides", 2),
        ("1234567890", "too-large", 0),
        ("999999999*999999999", "too-large", 0),
        ("1000d10000*1000000", "too-large", 0),
        ("2d6/0", "divide-by-zero", 4),
        ("7/(1d6-1)", "divide-by-zero", 2),
        ("7/(2d6!-3)", "divide-by-zero", 2),
        ("7//2", "division", 1),
        ("2**3", "power", 1),
        ("4d6kh0", "keep", 5),
        ("4d6kh5", "keep", 5),
        ("4d6dl4", "keep", 5),
        ("{1d6,1d8}", "group", 9),
        ("{4d6}kh3", "group", 0),
        ("(1d6,1d8)kh1", "group", 4),
        ("{1d6,1d8}x", "dialect", 9),
        ("2d6ro", "condition", 5),
        ("2d6rr>=", "condition", 7),
        ("2d6ro7", "impossible-face", 5),
        ("2d6ro0", "impossible-face", 5),
        ("2d6 hits>=7", "impossible-face", 10),
        ("2d6 hits<=0", "impossible-face", 10),
        ("4dF hits=2", "impossible-face", 9),
        ("2d6 hits", "condition", 8),
        ("2d6 hits5", "condition", 8),
        ("1d6rr<=6", "endless", 3),
        ("1d6rr<=5", "endless", 3),
        ("1d6!>=2", "endless", 3),
        ("1d1!", "endless", 3),
        ("1d8rr<=5!>=4", "endless", 8),
        ("2d6!ro1", "order", 4),
        ("4d6kh3!", "order", 6),
        ("4d6kh3ro1", "order", 6),
        ("4d6kh3 hits>=2", "order", 7),
        ("4d6ro1ro2", "order", 6),
        ("hits>=5", "misplaced", 0),
        ("(4d6)kh3", "misplaced", 5),
        ("(4d6)!", "misplaced", 5),
        ("((2d6)>=7)+1", "target", 6),
        ("1d20>=11>=3", "target", 8),
        ("(" * 40 + "1" + ")" * 40, "too-deep", 20),
        ("-" * 40 + "1", "too-deep", 20),
        ("(1d3)d4dl1kh1", "keep", 0),
        ("(1d2+1)d6kh2kl1", "keep", 0),
        ("1" + "+1" * 500, "too-long", 1000),
        ("d6" + "+d6" * 250, "too-long", 752),
    ],
)
def test_what_is_wrong_is_refused_where_it_stands(text, code, position):
    error = refusal(text)
    assert (error.code, error.position) == (f"notation/{code}", position)
    assert error.text == text
    assert str(error).endswith(".")


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("2d20kh", "2d20kh1"),
        ("4d6dl+2", "4d6dl1+2"),
        ("4d6dhdl", "4d6dh1dl1"),
        ("4dFdhdl", "4dFdh1dl1"),
        ("3d20kh2kl", "3d20dh1dl1"),
        ("2dFmin0max1", "2dFmin0max1"),
        ("2d6>=10", "(2d6)>=10"),
        ("3d6<=10", "(3d6)<=10"),
        ("4d6kh3>=15", "(4d6kh3)>=15"),
        ("2d20kh1>=15", "(2d20kh1)>=15"),
        ("10d6 hits>=5>=3", "(10d6 hits>=5)>=3"),
        ("2d6!>=12", "(2d6!)>=12"),
        ("2d6>=2d4", "(2d6)>=2d4"),
        ("4dF>=2", "(4dF)>=2"),
        ("{1d6,1d8}kh1>=9", "({1d6,1d8}kh1)>=9"),
        ("8d6=6", "8d6 hits=6"),
        ("3+8d6==6", "3+8d6 hits=6"),
        ("2d6=7", "(2d6)=7"),
        ("1d20==20", "(1d20)=20"),
        ("max(2d6,1d12)+1", "{2d6,1d12}kh1+1"),
        ("min(1d6, 4, 1d8)", "{1d6,4,1d8}kl1"),
        ("max(1d6)", "1d6"),
        ("floor((1d6+1)/2)+1", "(1d6+1)/2+1"),
        ("ceil(1d6/2)", "(1d6+1)/2"),
        ("ceil(7*1d6/1d4)", "-(-7*1d6)/1d4"),
        ("2d6+3 sneak attack", "2d6+3 # sneak attack"),
        ("1d20+2 to hit", "1d20+2 # to hit"),
        ("/r 2d6", "2d6"),
        ("/roll2d6", "2d6"),
        ("!r 1d20+5", "1d20+5"),
        ("roll 2d6", "2d6"),
        ("output 3d6", "3d6"),
        ("1d20+5 adv", "2d20kh1+5"),
        ("1d4-1d20ro1 dis # so", "1d4-2d20ro1kl1 # so"),
        ("1d20adv>=15", "(2d20kh1)>=15"),
        ("1d20+5 with advantage", "2d20kh1+5"),
        ("1d20 adv + 5", "2d20kh1+5"),
        ("1d20+1d20adv", "1d20+2d20kh1"),
        ("2w6", "2d6"),
        ("W%", "1d100"),
        ("highest 3 of 4d6 + 1", "4d6kh3+1"),
        ("lowest of 2d20", "2d20kl1"),
        ("d66", "10*1d6+1d6"),
        ("2*d666", "2*(100*1d6+10*1d6+1d6)"),
        ("1d66", "1d66"),
        ("6 # lucky number", "6 # lucky number"),
        ("1d20mi10", "1d20min10"),
    ],
)
def test_forms_with_one_sensible_reading_are_taken(text, spelling):
    expression = parse(text)
    assert str(expression) == spelling
    assert parse(spelling) == expression


def test_an_error_is_for_the_player_and_points_at_the_place():
    error = refusal("2d6 + 4d6k3")
    assert isinstance(error, BadInput)
    assert error.pointer() == "2d6 + 4d6k3\n         ^"


def test_the_pointer_of_a_long_text_shows_the_part_around_the_caret():
    error = refusal("1+" * 60 + "2d6kh9" + "+1" * 60)
    text, caret = error.pointer().splitlines()
    assert len(text) <= 126
    assert text[caret.index("^")] == "9"
    assert text.startswith("...")
    assert text.endswith("...")


def test_line_breaks_do_not_move_the_caret():
    assert refusal("2d6\n+\tx").pointer() == "2d6 + x\n      ^"


def test_the_limits_themselves_are_allowed():
    assert parse("1000d10000").root == Dice(1000, 10_000)
    assert str(parse("600d6+400d6")) == "600d6+400d6"
    assert parse("(" * 19 + "1" + ")" * 19).root == Number(1)
    assert str(parse("1d8rr<=6!")) == "1d8rr<=6!"
    assert str(parse("1d8rr<=6")) == "1d8rr<=6"
    assert str(parse("1d4!>=2")) == "1d4!>=2"


def test_deep_brackets_with_a_target_still_read_back():
    deep = "2*(" * 18 + "1+1" + ")" * 18 + ">=3"
    assert parse(str(parse(deep))) == parse(deep)
    labelled = "2*(" * 18 + "1[((((]" + ")" * 18 + ">=3"
    assert parse(str(parse(labelled))) == parse(labelled)
    deeper = "2*(" * 19 + "1+1" + ")" * 19 + ">=3"
    assert refusal(deeper).code == "notation/too-deep"


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("2d6+3", 5, 15),
        ("4d6kh3", 3, 18),
        ("4dF", -4, 4),
        ("2d6rr<=2", 6, 12),
        ("2d6!", 2, float("inf")),
        ("3-1d6!", float("-inf"), 2),
        ("10d6 hits>=5", 0, 10),
        ("10d6! hits>=5", 0, float("inf")),
        ("{1d8,1d6+10,1d4}kh2", 12, 24),
        ("{1d8,1d6+10,1d4}kl2", 2, 12),
        ("{1d8,1d6}hits>=4", 0, 2),
        ("(1d6-3)*(1d6-4)", -9, 6),
        ("(1d6-3)/1d4", -2, 3),
        ("-1d6/2", -3, 0),
        ("6/1d6!", 0, 6),
        ("(0-1d6)/1d6!", -6, -1),
        ("1d6!/2", 0, float("inf")),
        ("(1d4-1d4)*1d6!", float("-inf"), float("inf")),
        ("4dF!", -4, float("inf")),
        ("4dF!<=-1", float("-inf"), 4),
    ],
)
def test_bounds_of_a_total(text, least, most):
    assert bounds(parse(text).root) == (least, most)
