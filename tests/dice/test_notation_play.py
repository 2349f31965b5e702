"""Dice notation thrown and solved: loaded dice, exact odds, and a brute-force oracle."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from kitchentable.dice import (
    BadDie,
    Interval,
    LeftoverFaces,
    MissingFaces,
    SeededSource,
    load,
    mechanic,
    odds,
    replay,
    roll,
)
from kitchentable.dice.notation import (
    compile_notation,
    notation,
    parse,
)


def thrown(text, *faces):
    return roll(text, faces=faces)


@pytest.mark.parametrize(
    ("text", "faces", "outcome"),
    [
        ("7", [], 7),
        ("2d6+3", [2, 5], 10),
        ("2d6-1d4*2", [2, 5, 3], 1),
        ("7/2", [], 3),
        ("-7/2", [], -3),
        ("(0-7)/2", [], -4),
        ("7/2*2", [], 6),
        ("9/(1d4+1)", [3], 2),
        ("4d6kh3", [1, 5, 6, 3], 14),
        ("4d6kl3", [1, 5, 6, 3], 9),
        ("4d6dh1", [1, 5, 6, 3], 9),
        ("4d6dl1", [1, 5, 6, 3], 14),
        ("4d6dl0", [1, 5, 6, 3], 15),
        ("2d6!", [6, 6, 2, 3], 17),
        ("2d6!>=5", [5, 6, 2, 3], 16),
        ("2d6!<=2", [2, 1, 4, 3], 10),
        ("2d6ro1", [1, 1, 4], 5),
        ("2d6ro<=2", [2, 3, 1, 1], 4),
        ("2d6rr1", [1, 1, 2, 3], 5),
        ("1d6rr1!", [1, 6, 1, 6, 2], 14),
        ("1d6ro1!", [1, 6, 1, 6, 1, 1], 13),
        ("4dF", [1, 2, 3, 3], 1),
        ("2dFrr=-1", [1, 3, 2], 1),
        ("d%", [100], 100),
        ("5d6 hits>=5", [1, 4, 5, 6, 5], 3),
        ("5d6 hits<=1", [1, 4, 5, 6, 1], 2),
        ("2d6! hits>=5", [6, 5, 4], 2),
        ("2d6ro1 hits=1", [1, 1, 3], 1),
        ("{1d8!,1d6!}kh1", [8, 1, 6, 2], 9),
        ("2d6!5", [5, 2, 6], 13),
        ("1d6!min3", [6, 2], 9),
        ("(2d4)d6!", [1, 1, 6, 2, 3], 11),
        ("(2d2-2)d6+1", [1, 1], 1),
        ("{1d8,1d6,1d4}kl2", [8, 3, 4], 7),
        ("{1d8,1d6,1d4}dl1", [8, 3, 4], 12),
        ("{2d6,2d6}kh1", [1, 2, 3, 4], 7),
        ("{1d8,1d6+1,1d4}hits>=4", [3, 3, 4], 2),
        ("{1d6,1d6}hits>=4", [3, 4], 1),
        ("(2d6[a]+1)[b]*2", [1, 2], 8),
        ("(2d6)>=7", [3, 4], True),
        ("(2d6)>=7", [3, 3], False),
        ("(2d6)<=7", [3, 4], True),
        ("1d20+2>=2d6+5", [9, 3, 3], True),
        ("(3d6 hits>=5)>=2", [5, 4, 6], True),
    ],
)
def test_loaded_dice_give_the_outcome(text, faces, outcome):
    came = thrown(text, *faces)
    assert came.outcome == outcome
    assert type(came.outcome) is type(outcome)
    assert replay(*compile_notation(text), trace=came.trace) == came


def test_every_die_says_what_became_of_it():
    came = thrown("2d6ro1!+3d4kh2[fire]", 1, 6, 2, 5, 4, 1, 3)
    assert [(one.die, one.face, one.fate, one.label) for one in came.trace.throws] == [
        ("d6", 1, "thrown again", ""),
        ("d6", 6, "exploded", ""),
        ("d6", 2, "kept", ""),
        ("d6", 5, "kept", ""),
        ("d4", 4, "kept", "fire"),
        ("d4", 1, "dropped", "fire"),
        ("d4", 3, "kept", "fire"),
    ]
    whys = [one.why for one in came.trace.throws]
    assert whys[0] == "1 is thrown again once"
    assert whys[1] == "6 explodes: another die is thrown and added"


def test_a_face_below_the_highest_explodes_visibly_where_it_is_asked_to():
    came = thrown("1d10!>=8", 8, 9, 3)
    assert [one.fate for one in came.trace.throws] == ["exploded", "exploded", "kept"]
    assert came.trace.throws[0].why.startswith("8 or more explodes")


def test_dice_thrown_again_for_ever_say_so():
    came = thrown("1d6rr1", 1, 1, 4)
    assert [one.fate for one in came.trace.throws] == ["thrown again", "thrown again", "kept"]


def test_labels_reach_the_dice_inside():
    came = thrown("({1d8,1d6}kh1+1d4)[knife]+1d4[fire]", 8, 6, 4, 4)
    assert [one.label for one in came.trace.throws] == ["knife", "knife", "knife", "fire"]


@pytest.mark.parametrize(
    ("text", "faces", "dropped"),
    [
        ("{1d8!,1d6!}kh1", [8, 1, 6, 2], [6, 2]),
        ("{1d8!,1d6!}kl1", [8, 1, 6, 2], [8, 1]),
        ("{1d8,1d6,1d4}kh1", [3, 6, 4], [3, 4]),
        ("{1d8,1d6,1d4}kh2", [8, 3, 4], [3]),
        ("{1d8,1d6,1d4}dh1", [8, 3, 4], [8]),
        ("{2d6,2d6}kh1", [1, 2, 3, 4], [1, 2]),
        ("{2d4kh1,2d6,5}kl1+1d4", [1, 2, 6, 6, 4], [1, 6, 6]),
    ],
)
def test_dice_of_the_throws_that_do_not_count_are_dropped(text, faces, dropped):
    lying = thrown(text, *faces).trace.throws
    assert [one.face for one in lying if one.fate == "dropped"] == dropped


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("2*(1d2*(1d4+1)*(1d4+2))", [1, 3, 2]),
        ("2*(1d6*(1d4+1d4*2))", [6, 3, 2]),
        ("{1d6,1d8,1d4,1d12} hits>=6", [1, 1, 4, 6]),
        ("{1d6,1d6,1d4,1d12} hits>=6", [6, 6, 4, 6]),
    ],
)
def test_parts_within_parts_are_not_taken_for_dice_thrown_again(text, faces):
    assert {one.fate for one in thrown(text, *faces).trace.throws} == {"kept"}


def test_a_tie_in_a_group_keeps_the_first_and_drops_the_rest():
    lying = thrown("{1d6,1d8,1d4}kh1", 4, 4, 4).trace.throws
    assert [one.fate for one in lying] == ["kept", "dropped", "dropped"]


def test_missing_and_left_over_faces_are_refused():
    with pytest.raises(MissingFaces):
        thrown("2d6!", 6, 2)
    with pytest.raises(LeftoverFaces):
        thrown("2d6", 1, 2, 3)


def test_faces_that_explode_without_end_are_refused_as_a_sentence():
    assert thrown("1d6!", *[6] * 90, 1).outcome == 541
    with pytest.raises(BadDie, match="stopped after 100 explosions"):
        thrown("1d6!", *[6] * 900, 1)


# -- odds ------------------------------------------------------------------------------------------


def by_hand(score, *sides):
    """Brute force: every combination of faces 1 to n, scored by an ordinary function."""
    tally = Counter(score(*faces) for faces in product(*(range(1, n + 1) for n in sides)))
    return {outcome: Fraction(times, tally.total()) for outcome, times in tally.items()}


def close(chance, exact):
    """Whether a chance is the exact one, or an interval around it that is tighter than 1e-18."""
    if isinstance(chance, Interval):
        return exact in chance and chance.high - chance.low < Fraction(1, 10**18)
    return chance == exact


def one_again(face, spare, again):
    return spare if again(face) else face


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3d6", by_hand(lambda *dice: sum(dice), 6, 6, 6)),
        ("4d6kh3", by_hand(lambda *dice: sum(sorted(dice)[1:]), 6, 6, 6, 6)),
        ("4d6dh3", by_hand(min, 6, 6, 6, 6)),
        ("2d20kl1", by_hand(min, 20, 20)),
        ("4dF", by_hand(lambda *dice: sum(dice) - 8, 3, 3, 3, 3)),
        ("1d20min10", by_hand(lambda face: max(face, 10), 20)),
        (
            "3d6min2max5kh2",
            by_hand(lambda *d: sum(sorted(min(max(x, 2), 5) for x in d)[1:]), 6, 6, 6),
        ),
        ("3d8kh2kl1", by_hand(lambda *dice: sorted(dice)[1], 8, 8, 8)),
        ("5d4dh1dl2", by_hand(lambda *dice: sum(sorted(dice)[2:4]), 4, 4, 4, 4, 4)),
        ("d66", by_hand(lambda a, b: 10 * a + b, 6, 6)),
        ("2d{1,1,2,5}", by_hand(lambda a, b: (1, 1, 2, 5)[a - 1] + (1, 1, 2, 5)[b - 1], 4, 4)),
        ("(1d3)d4", by_hand(lambda n, *dice: sum(dice[:n]), 3, 4, 4, 4)),
        (
            "(1d3-1)d4 hits>=3",
            by_hand(lambda n, a, b: sum(x > 2 for x in (a, b)[: n - 1]), 3, 4, 4),
        ),
        ("max(2d4,1d6)", by_hand(lambda a, b, c: max(a + b, c), 4, 4, 6)),
        ("ceil(1d6/4)+floor(1d6/4)", by_hand(lambda a, b: -(-a // 4) + b // 4, 6, 6)),
        ("1d20+1d4 adv", by_hand(lambda a, b, c: max(a, b) + c, 20, 20, 4)),
        ("5d6=1", by_hand(lambda *dice: dice.count(1), 6, 6, 6, 6, 6)),
        ("2d6=7", by_hand(lambda a, b: a + b == 7, 6, 6)),
        ("3d6<=10", by_hand(lambda *dice: sum(dice) <= 10, 6, 6, 6)),
        ("7*1d6/1d4*1d3/2", by_hand(lambda a, b, c: 7 * a // b * c // 2, 6, 4, 3)),
        ("2d6*2-1d8/3", by_hand(lambda a, b, c: (a + b) * 2 - c // 3, 6, 6, 8)),
        ("1d6*1d6", by_hand(lambda a, b: a * b, 6, 6)),
        ("7/1d6", by_hand(lambda a: 7 // a, 6)),
        ("(1d4-1d6)/2", by_hand(lambda a, b: (a - b) // 2, 4, 6)),
        ("1d4+1d6+1d8+1d10", by_hand(lambda *dice: sum(dice), 4, 6, 8, 10)),
        ("3d6 hits>=5", by_hand(lambda *dice: sum(d >= 5 for d in dice), 6, 6, 6)),
        ("{1d8,1d6}kh1", by_hand(max, 8, 6)),
        ("{1d8,1d6,1d4+2}kl1", by_hand(lambda a, b, c: min(a, b, c + 2), 8, 6, 4)),
        ("{1d8,1d6,1d4}kh2", by_hand(lambda *dice: sum(sorted(dice)[1:]), 8, 6, 4)),
        ("{2d4,2d4}kh1", by_hand(lambda a, b, c, d: max(a + b, c + d), 4, 4, 4, 4)),
        ("{1d8,1d6+1,1d4}hits>=4", by_hand(lambda a, b, c: (a > 3) + (b > 2) + (c > 3), 8, 6, 4)),
        ("{1d6,1d6}hits<=2", by_hand(lambda a, b: (a < 3) + (b < 3), 6, 6)),
        (
            "2d6ro<=2",
            by_hand(
                lambda a, b, c, d: (
                    one_again(a, c, lambda f: f < 3) + one_again(b, d, lambda f: f < 3)
                ),
                *(6, 6, 6, 6),
            ),
        ),
        ("2d6rr<=2", by_hand(lambda a, b: a + b + 4, 4, 4)),
        ("2d6rr<=2 hits=6", by_hand(lambda a, b: (a == 4) + (b == 4), 4, 4)),
        ("(2d6+1)>=8", by_hand(lambda a, b: a + b >= 7, 6, 6)),
        ("1d20+2>=2d6+5", by_hand(lambda a, b, c: a + 2 >= b + c + 5, 20, 6, 6)),
    ],
)
def test_odds_are_those_of_every_combination_counted(text, expected):
    solved = odds(text)
    assert dict(solved.items()) == expected
    assert solved.unresolved == 0


def test_two_exploding_d6():
    solved = odds("2d6!")
    assert solved.mean() == Fraction(42, 5)
    assert solved.at_least(12) == Fraction(23, 108)
    assert solved.more_than(15) == Fraction(11, 144)
    assert odds("(2d6!)>=12")[True] == Fraction(23, 108)


def test_one_exploding_die_in_closed_form():
    solved = odds("1d6!")
    for total in range(1, 40):
        bounces, face = divmod(total, 6)
        assert solved[total] == (Fraction(1, 6 ** (bounces + 1)) if face else 0)


def test_exploding_on_more_faces_and_on_low_ones():
    assert odds("1d6!>=5").mean() == Fraction(7, 2) / (1 - Fraction(1, 3))
    assert odds("1d6!<=2").mean() == Fraction(7, 2) / (1 - Fraction(1, 3))
    assert odds("1d6!<=2")[1] == 0
    assert odds("1d6!<=2")[4] == Fraction(1, 6) + Fraction(1, 6**2)


def test_hits_of_exploding_dice():
    solved = odds("3d10! hits>=8")
    assert solved.mean() == 3 * Fraction(3, 10) / (1 - Fraction(1, 10))
    assert solved[0] == Fraction(7, 10) ** 3
    assert odds("1d10! hits>=8")[1] == Fraction(2, 10) + Fraction(1, 10) * Fraction(7, 10)


def test_reroll_then_explode_counts_for_the_added_dice_too():
    solved = odds("1d6rr1!")
    assert [solved[total] for total in (1, 2, 6, 7, 8)] == [
        0,
        Fraction(1, 5),
        0,
        0,
        Fraction(1, 25),
    ]


def test_the_best_of_two_exploding_dice_of_different_size():
    solved = odds("{1d8!,1d6!}kh1")
    assert close(solved.chance(lambda total: total <= 3), Fraction(3, 8) * Fraction(3, 6))
    assert solved.unresolved < Fraction(1, 10**18)
    assert sum(chance for _, chance in solved.items()) + solved.unresolved == 1


def test_a_roll_lies_in_the_support_of_its_odds():
    for text in ("2d6!+3", "{1d8!,1d6!}kh1", "4d6kh3*2", "10d6 hits>=5", "2d6ro1-1d4"):
        solved = dict(odds(text).items())
        for seed in range(30):
            assert solved[roll(text, source=SeededSource(seed)).outcome] > 0


def test_texts_that_ask_for_the_same_share_one_solution():
    same = [compile_notation(text) for text in ("4d6kh3", " 4D6 kh 3  # strength", "(4d6kh3)")]
    assert same[0] == same[1] == same[2]
    assert len({hash(one) for one in same}) == 1
    assert odds(*same[0]) is odds(*same[1]) is odds(*same[2])


def test_a_text_can_be_part_of_another_mechanic():
    @mechanic
    def duel(dice) -> bool:
        ours, theirs = notation(dice, parse("1d6!")), notation(dice, parse("1d6"))
        if ours == theirs:
            return duel(dice)
        return ours > theirs

    # Of 36 pairs ours wins 0 + 1 + 2 + 3 + 4 with 1 to 5 and all 6 with a 6, which always grows;
    # so 5 are ties.
    assert close(odds(duel)[True], Fraction(16, 31))
    assert load(duel, faces=[6, 1, 6]).outcome is True


def test_big_handfuls_can_be_thrown():
    came = roll("1000d10000", source=SeededSource(1))
    assert len(came.trace.throws) == 1000
    assert 1000 <= came.outcome <= 10_000_000


def test_deep_and_wide_expressions_are_solved_and_thrown():
    wide = "+".join(["1d2"] * 150)
    assert odds(wide)[150] == Fraction(1, 2**150)
    deep = "2*(1+" * 19 + "1d2" + ")" * 19
    assert set(dict(odds(deep).items()).values()) == {Fraction(1, 2)}
    assert roll(*compile_notation(deep), source=SeededSource(1)).outcome in dict(odds(deep).items())
