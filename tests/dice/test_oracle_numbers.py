"""Mechanics that only throw and reckon, solved and worked out face by face: the same fractions."""

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import pytest

from kitchentable.dice import Die, mechanic, odds
from tests.dice.oracle import agrees, brute


class Special(Enum):
    FLUB = "flub"
    KICK = "kick"


STAR = Die("d4*", (0, 1, 2, 3))
PLUS = Die("d4+", (1, 2, Special.FLUB, Special.KICK))
TWICE = Die("doubled", (1, 1, 2, 5))


@dataclass(frozen=True)
class Hit:
    margin: int
    lands: bool
    dice: tuple


class Pair(NamedTuple):
    first: int
    second: int


@mechanic
def with_one(dice, x):
    return dice.die(4) + x


@mechanic
def one_is_nothing(dice):
    face = dice.die(4)
    return "nothing" if face == 1 else face


def three_dice(dice):
    return dice.die(6) + dice.die(4) - dice.die(3)


def the_same_die_twice(dice):
    face = dice.die(6)
    return face + face - 1


def weighted(dice):
    return 3 * dice.die(6) - 2 * dice.die(4)


def multiples_of_a_gap(dice):
    a, b = dice.die(6), dice.die(6)
    gap = 2 * a - 2 * b
    return gap if gap > 3 else -1


def repeated_faces(dice):
    return dice.die(TWICE) - dice.die(TWICE)


def highest_of_three(dice):
    return max(dice.die(6), dice.die(6), dice.die(4))


def sorted_dice(dice):
    return tuple(sorted([dice.die(4), dice.die(4), dice.die(3)]))


def bands(dice):
    total = dice.total(3)
    return "a" if total < 6 else "b" if total < 11 else "c" if total <= 15 else "d"


def asked_apart_after_together(dice):
    a, b = dice.die(6), dice.die(6)
    if a > b:
        return a
    if a == b:
        return -1
    return b - 2 * a


def entangled(dice):
    a, b, c = dice.die(4), dice.die(4), dice.die(4)
    if a + b > c + 3:
        if a > b:
            return c
        return a - c
    return b


def entangled_further(dice):
    a, b, c, d = (dice.die(3) for _ in range(4))
    if a + b == c + d:
        return a - c, d
    if a == c:
        return b - d if b > d else "less"
    return (a > d) + (b > c)


def in_a_dataclass(dice):
    a, b = dice.die(4), dice.die(6)
    return Hit(a - b, a >= b, (a, "x"))


def in_a_named_tuple(dice):
    return Pair(dice.die(4) + 1, dice.die(4))


def as_a_key(dice):
    return {1: "one", 2: "two"}.get(dice.die(4), "many")


def in_a_set(dice):
    return len({dice.die(3), dice.die(3), dice.die(3)})


def as_an_index(dice):
    return [5, 6, 7, 8][dice.die(4) - 1]


def as_a_word(dice):
    return f"{dice.die(4):02d}", str(dice.die(2))


def halved(dice):
    return (dice.die(6) + dice.die(6)) // 3, dice.die(4) / 2


def remainders(dice):
    return (dice.die(6) + dice.die(6)) % 3 + abs(dice.die(4) - 2)


def multiplied(dice):
    return dice.die(6) * dice.die(4), 2 ** dice.die(2), divmod(7, dice.die(3))


def against_fractions(dice):
    return dice.total(2, 4) > 4.5, dice.die(4) <= 2.0, dice.die(4) == 3.0, dice.die(3) != 2.5


def what_whole_numbers_can_do(dice):
    total = dice.total(2, 3)
    return total.bit_length(), math.comb(total, 2), Fraction(total, 4), "x" * total, -total


def reflected(dice):
    face = dice.die(3)
    return 10 - face, 10 // face, 10 % face, 3**face, [0] * face == [0, 0], 1.5 + face


def clamped(dice):
    return max(0, min(5, dice.die(6) + dice.die(4) - 4))


def truths_added(dice):
    return (dice.die(4) > 2) + (dice.die(4) > 2), not dice.die(STAR), bool(dice.die(STAR))


def matched(dice):
    match dice.total(2, 3):
        case 2 | 3:
            return "low"
        case int() as total if total == 4:
            return total
    return "high"


def contained(dice):
    return dice.die(6) in {2, 4}, dice.die(4) in range(2, 4), dice.die(4) in (1, 4)


def special_faces(dice):
    face = dice.die(PLUS)
    if isinstance(face, Special):
        return face
    return face + 3 >= 5


def special_faces_against_each_other(dice):
    a, b = dice.die(PLUS), dice.die(PLUS)
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return a, b


def best_three_of_a_handful(dice):
    return dice.pool(4, 4).highest(3).total()


def two_questions_to_a_handful(dice):
    pool = dice.pool(4, 4)
    return pool.drop_lowest().total() + pool.count(lambda face: face == 4)


def faces_of_a_handful(dice):
    return tuple(dice.pool(3, 4))


def middle_of_a_handful(dice):
    return dice.pool(4, 4).drop_highest().drop_lowest().total(), len(dice.pool(3, 2).highest(2))


def special_faces_in_a_handful(dice):
    pool = dice.pool(3, PLUS)
    return pool.count(lambda face: face is Special.FLUB), next(iter(pool))


def the_same_question_twice(dice):
    pool = dice.pool(3, 4)
    return pool.lowest(2).total() - pool.lowest(2).total() + pool.lowest(2).total()


def kept_lowest(dice):
    return dice.total(4, 4, keep_lowest=2)


def kept_highest(dice):
    return dice.total(4, STAR, keep_highest=2)


def hits(dice):
    return dice.count(5, 4, at_least=3)


def hits_on_special_faces(dice):
    return dice.count(4, PLUS, hit=lambda face: face is Special.KICK)


def hits_against_a_die(dice):
    least = dice.die(4)
    return dice.count(3, 4, hit=lambda face: face >= least)


def dice_about_dice(dice):
    least, n = dice.die(3), dice.die(3)
    return dice.count(n, 4, at_least=least), dice.total(n, dice.die(3)), least > 1


def drawn(dice):
    return dice.draw({"a": 2, 3: 1, 5: 1, (1, 2): 2})


def drawn_numbers(dice):
    return dice.draw([(1, 2), (2, 3), (1, 1)]) + dice.die(2)


def a_mechanic_given_a_die(dice):
    a = with_one(dice, 1)
    b = with_one(dice, x=a)
    return b - a


def mechanics_kept_and_counted(dice):
    best = dice.total(2, of=(with_one, 2), keep_highest=1)
    return best + dice.count(2, of=(with_one, dice.die(2)), at_least=4)


def a_mechanic_with_mixed_outcomes(dice):
    a, b = one_is_nothing(dice), one_is_nothing(dice)
    if a == "nothing" or b == "nothing":
        return a, b
    return a + b


CASES = [
    value
    for value in list(globals().values())
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and getattr(value, "__code__", None) is not None
    and value.__code__.co_varnames[:1] == ("dice",)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_solver_agrees_with_every_face_tried(case):
    one = mechanic(case)
    found, left = brute(one)
    assert left == 0
    distribution = odds(one)
    assert distribution.unresolved == 0
    assert agrees(distribution, found)


def test_there_are_many_cases():
    assert len(CASES) >= 40
