"""Refusals of dice notation: the readings they name, and the spellings they suggest."""

import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kitchentable.dice.notation import NotationError, parse
from kitchentable.dice.notation.refusals import WORDS
from kitchentable.dice.notation.tree import (
    Condition,
    Group,
    Target,
    all_dice,
)

TABLES = ("Roll20", "Foundry", "Avrae", "rpg-dice-roller", "Dice Maiden")


def refused(text):
    with pytest.raises(NotationError) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("4d6k3", {"Roll20": "keep the highest", "Avrae": "show the number"}),
        ("4d6d1", {"Roll20": "drop the lowest", "Avrae": "refuses"}),
        ("4d6r1", {"rpg-dice-roller": "for ever", "Foundry": "once", "Avrae": "refuses"}),
        ("2d6!>8", {"Roll20": "includes", "Avrae": "do not"}),
        ("10d6>=5", {"rpg-dice-roller": "counts the dice", "Avrae": "compares the total"}),
        ("10d6>5", {"Roll20": "5 or more", "rpg-dice-roller": "above 5", "Avrae": "the total"}),
        ("{1d6,1d8}>=5", {"rpg-dice-roller": "counts", "Avrae": "their sum"}),
        ("2d6e6", {"Avrae": "exactly", "Dice Maiden": "once", "Foundry": "x"}),
        ("2d6x", {"Foundry": "explodes", "Roll20": "unknown"}),
        ("2d6!!", {"Roll20": "its own die", "Avrae": "unknown"}),
        ("2d6!=5", {"rpg-dice-roller": "on one face"}),
        ("2d6!p", {"Roll20": "subtracts 1"}),
        ("10d6t5", {"Dice Maiden": "counts"}),
        ("10d6cs7", {"Foundry": "successes"}),
        ("10d6f1", {"Roll20": "subtracts failures"}),
        ("4d6!kh3", {"Roll20": "including added ones"}),
    ],
)
def test_a_refusal_says_what_each_table_would_mean(text, means):
    said = str(refused(text))
    for table, meaning in means.items():
        assert table in said
        assert meaning in said


@pytest.mark.parametrize("word", ["k", "d", "r", "x", "e"])
def test_the_worst_traps_name_every_table(word):
    said = str(refused(f"4d6{word}1"))
    assert all(table in said for table in TABLES)


@pytest.mark.parametrize("word", sorted(WORDS))
@pytest.mark.parametrize("behind", ["", "2", ">=2", ">2", " fire"])
def test_every_word_of_another_table_gives_whole_sentences(word, behind):
    said = str(refused(f"4d6 {word}{behind}"))
    assert said.endswith(".")
    assert "{" not in said
    assert any(table in said for table in TABLES)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("4d6k3", ["4d6kh3", "4d6kl3"]),
        ("2d20k", ["2d20kh1", "2d20kl1"]),
        ("4d6d1", ["4d6dl1", "4d6dh1"]),
        ("2d6r1", ["2d6ro1", "2d6rr1"]),
        ("2d6r<2", ["2d6ro<=2", "2d6ro<=1", "2d6rr<=2", "2d6rr<=1"]),
        ("2d6e5", ["2d6!5", "2d6!>=5", "2d6!"]),
        ("1d6e", ["1d6!"]),
        ("2d6!>4", ["2d6!>=4", "2d6!>=5"]),
        ("2d6!=5", ["2d6!5", "2d6!>=5"]),
        ("2d6! >=5", ["2d6!>=5", "2d6! hits>=5", "(2d6!)>=5"]),
        ("2d6>3d4", ["(2d6)>=3d4"]),
        ("1d20>15", ["(1d20)>=15", "(1d20)>=16"]),
        ("10d6>=5", ["10d6 hits>=5", "(10d6)>=5"]),
        ("10d6<2", ["10d6 hits<=2", "10d6 hits<=1", "(10d6)<=1"]),
        ("2d6=6", ["2d6 hits=6", "(2d6)=6"]),
        ("10d10!>=10>=8", ["10d10! hits>=8", "(10d10!)>=8"]),
        ("{1d6,1d8}>=5", ["{1d6,1d8} hits>=5", "(1d6+1d8)>=5"]),
        ("{1d6,1d8}", ["{1d6,1d8}kh1", "{1d6,1d8}kl1", "1d6+1d8"]),
        ("(1d8,1d6)kh1", ["{1d8,1d6}kh1"]),
        ("10d6 t5", ["10d6 hits>=5"]),
        ("10d6 hits5", ["10d6 hits>=5", "10d6 hits=5"]),
        ("4d6pl1", ["4d6dl1"]),
        ("4d6!kh3", ["{1d6!,1d6!,1d6!,1d6!}kh3"]),
        ("1+4d8!5kl+2", ["1+{1d8!5,1d8!5,1d8!5,1d8!5}kl1+2"]),
        ("999d6!kh3", []),
        ("{4d6}kh3", ["4d6kh3"]),
        ("{4d6!}kh3", ["{1d6!,1d6!,1d6!,1d6!}kh3"]),
        ("(4d6)kh3", ["4d6kh3"]),
        ("d6d6", ["1d6+1d6", "(1d6)d6"]),
        ("1k6", ["1d6"]),
        ("2t20+1", ["2d20+1"]),
        ("5x5", ["5*5"]),
        ("5x4d6", ["5*4d6", "4d6"]),
        ("2d6x3", ["2d6!3", "2d6!>=3", "2d6!", "2d6*3"]),
        ("2d6x2d6", ["2d6*2d6"]),
        ("6#4d6kh3", ["4d6kh3"]),
        ("6#2#4d6kh3", ["4d6kh3"]),
        ("1d4#4d6kh3", ["1d4 # 4d6kh3"]),
        ("2d6 fire + 1d6 cold", ["2d6[fire]+1d6 # cold"]),
        ("4d6 drop lowest", ["4d6dl1", "4d6 # drop lowest"]),
        ("4d6 keep the 3 highest", ["4d6kh3", "4d6 # keep the 3 highest"]),
        ("4d6 best 3", ["4d6kh3", "4d6 # best 3"]),
        ("4d6 reroll 1s", ["4d6 # reroll 1s"]),
        ("2d6 (fire)", ["2d6 # (fire)"]),
        ("2d20 adv", ["2d20kh1"]),
        ("1d20+5 vs AC 15", ["1d20+5 # vs AC 15"]),
        ("[highest 3 of 4d6]", ["4d6kh3"]),
        ("[[1d20+5]]", ["1d20+5"]),
        ("[fire]2d6", ["2d6[fire]"]),
        ("(2d6+1", ["2d6+1"]),
        ("2d6 3", ["2d6+3", "2d6*3"]),
        ("7//2", ["7/2"]),
        ("round(1d6/2)", ["1d6/2", "(1d6+1)/2"]),
        ("4d6k3+2d6k1@", []),
    ],
)
def test_what_a_refusal_says_to_write(text, instead):
    error = refused(text)
    assert [one.text for one in error.suggestions] == instead
    said = str(error)
    for one in error.suggestions:
        assert f"{one.text} {one.means}" in said
        assert str(parse(one.text)) == one.text


# -- every suggestion there is ---------------------------------------------------------------------

_DIE = re.compile(
    r"(?P<count>\d*)\s*(?<![a-z])(?:[dw]\s*|[kt](?=\d))(?:(?P<sides>\d+)|(?P<named>%|f(?!ir))|\{(?P<faces>[\d,\s-]*)\})",
    re.IGNORECASE,
)


def dice_of(root):
    """How many dice of each kind an expression throws."""
    found = Counter()
    for dice in all_dice(root):
        found[dice.sides] += dice.count
    return found


def typed_dice(text):
    """Every way to see the dice in a text: a d behind dice may be a word, or begin others."""
    ways = [Counter()]
    for match in _DIE.finditer(text):
        if match["faces"]:
            faces = sorted(map(int, match["faces"].split(",")))
            plain = faces == list(range(1, len(faces) + 1))
            sides = len(faces) if plain else tuple(faces)
        elif match["named"]:
            sides = 100 if match["named"] == "%" else "F"
        else:
            sides = int(match["sides"])
        one = Counter({sides: int(match["count"] or 1)})
        if sides in (66, 666) and not match["count"]:
            one = Counter({6: len(str(sides))})
        letter = match[0][len(match["count"]) :].strip()[0].lower()
        before = text[: match.start()].rstrip()[-1:]
        words = before in ("!", ")", "}", "]") or before.isalpha()
        words = words or (before.isdecimal() and not match["count"])
        unsure, maybe = letter in "kt" or words, [one, Counter({sides: 1}), Counter()]
        ways = [way + more for way in ways for more in (maybe if unsure else [one])]
    return ways


def mean(means):
    """What the end of a sentence promises of an expression, as pairs of a pattern and a test."""
    promises = {
        r"to (?:keep|drop) the (highest|lowest) (\d+)": lambda node, found: (
            f"{found[0].split()[1][0]}{found[1][0]}{found[2]}" in str(node)
        ),
        r"to count the dice that show (\d+) or (more|less)": lambda node, found: any(
            dice.select == Condition({"more": ">=", "less": "<="}[found[2]], int(found[1]))
            for dice in all_dice(node)
        ),
        r"to count the dice that show exactly (\d+)": lambda node, found: any(
            dice.select == Condition("=", int(found[1])) for dice in all_dice(node)
        ),
        r"to explode at (\d+) or more": lambda node, found: any(
            dice.explode == Condition(">=", int(found[1])) for dice in all_dice(node)
        ),
        r"to explode on exactly (\d+)": lambda node, found: any(
            dice.explode is not None
            and {face for face in dice.faces if dice.explode.holds(face)} == {int(found[1])}
            for dice in all_dice(node)
        ),
        r"to explode on the highest face": lambda node, found: any(
            dice.explode == Condition(">=", dice.highest) for dice in all_dice(node)
        ),
        r"to throw again (once|for ever)": lambda node, found: any(
            dice.reroll is not None and dice.reroll.forever == (found[1] != "once")
            for dice in all_dice(node)
        ),
        r"to ask for a total of (?:exactly )?(-?\d+)(?: or (more|less))?": lambda node, found: (
            isinstance(node, Target)
            and node.comparator == {"more": ">=", "less": "<=", None: "="}[found[2]]
        ),
        r"to add (?:both|them)": lambda node, found: "+" in str(node),
        r"to multiply": lambda node, found: "*" in str(node),
        r"for the sum of all": lambda node, found: "+" in str(node) or not isinstance(node, Group),
    }
    for pattern, holds in promises.items():
        for found in re.finditer(pattern, means):
            yield holds, found


def check_suggestions(text):
    try:
        parse(text)
    except NotationError as error:
        said = error
    else:
        return
    assert len(said.suggestions) <= 4
    assert len({one.text for one in said.suggestions}) == len(said.suggestions)
    for one in said.suggestions:
        expression = parse(one.text)
        assert str(expression) == one.text
        assert str(one) in str(said)
        root = expression.root
        # What stands behind # may be a note, or asks for separate results.
        thrown = [dice_of(root)]
        if re.search("adv|dis", text):
            thrown.append(thrown[0] - Counter({20: 1}))
        ways = [way for each in text.split("#") for way in typed_dice(each)]
        assert any(dice in ways for dice in thrown), (text, one)
        for holds, found in mean(one.means):
            # Where some are kept twice, the spelling says at once how many are left of all.
            chosen = len(re.findall("to (?:keep|drop)", one.means)) + len(
                re.findall("[kd][hl]", text, re.IGNORECASE)
            )
            twice = found[0].startswith(("to keep", "to drop")) and chosen > 1
            assert twice or holds(root, found), (text, one)


SIGNS = ["", "+", "-", "*", "/", "//", " ", ">=", "<=", ">", "<", "=", "==", ",", "#"]
PIECES = st.sampled_from(
    """2d6|4d6|1d20|10d10|d8|d%|4dF|3d4!|5d6!5|2d{1,1,2}|1k6|2t20|3w8|5x5|6#|k3|k|d1|p1|r1|r<2|ro1
    |rr>5|ro<=2|kh3|kh|kl1|dl1|dh|!!|!p|!>8|!>=5|!=5|!5|hits>=5|hits5|e5|x|x3|t5|cs>4|cf1|f1|b1|ms3
    |m|s|sd|mi2|min2|max5|ra6|adv|dis|ea|(|)|{|}|[fire]|[|]|[[|]]|floor(|ceil(|round(|max(|3|-1|15
    |>5|>=5|=6|>=15| fire| to hit| drop lowest| keep highest 3| vs AC 15|highest 3 of |+|-|*|/|//| |
    >=|<=|>|<|=|==|,|#""".replace("\n    ", "").split("|")
)
PARTS = st.sampled_from(
    ["2d6", "4d8", "1d20", "10d10", "3d6!", "4d6kh3", "5", "{1d6,1d8}", "(1d4)"]
)
TAILS = st.sampled_from(
    [
        "k3",
        "k",
        "d1",
        "r1",
        "r<2",
        "!!",
        "!>2",
        ">5",
        ">=3",
        "=4",
        "<2",
        "kh3",
        "x",
        "x2",
        "d6",
        "t2",
    ]
)


@given(
    st.one_of(
        st.lists(PIECES, min_size=1, max_size=6).map("".join),
        st.lists(st.tuples(PARTS, TAILS).map("".join), min_size=1, max_size=3).map("+".join),
        st.tuples(PARTS, TAILS, st.sampled_from(SIGNS), PARTS, TAILS).map("".join),
    )
)
@settings(max_examples=300, derandomize=True)
@example("4d6k3+2d6k1")
@example("10d10!>=10>=8")
@example("{4d6!}kh3")
@example("2 d 6 d 6")
def test_a_suggestion_is_read_and_throws_the_dice_that_were_typed(text):
    check_suggestions(text)


def test_no_suggestion_of_any_pair_of_forms_loses_a_die():
    """All pairs of dice and of what may stand behind them, once each."""
    dice = ["2d6", "4d8!", "1d20", "{1d6,1d8}", "(2d6)", "3", "5d6ro1", "2d{1,2,2}"]
    tails = [*(f"{word}{behind}" for word in WORDS for behind in ("", "2", ">2")), "!>3", ">=2"]
    for one, tail, more in product(dice, tails, ["", "+1d4", " fire"]):
        check_suggestions(f"{one}{tail}{more}")


@pytest.mark.parametrize(
    "text",
    ["4d6k3", "2d6d1", "2d6r1", "2d6!>5", "10d6>5", "2d6!!", "10d6t5"],
)
def test_what_tables_really_read_differently_is_still_refused(text):
    assert len(refused(text).suggestions) >= 1
