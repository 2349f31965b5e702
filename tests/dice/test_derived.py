"""Products of symbolic numbers, and hits among symbolic numbers of dice, by trying every face."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import BadDie, Die, exploding, mechanic, odds
from tests.dice.oracle import agrees, brute


@mechanic
def product(dice, a, b, more):
    return (dice.total(a, 4) + more) * (dice.total(b, 3) - more)


@mechanic
def square(dice):
    a = dice.total(2, 4)
    return a * a - a


@mechanic
def product_and_its_parts(dice):
    a, b = dice.total(2, 3), dice.total(1, 4)
    c = a * b
    if c >= 8:
        return "big", a > b
    return a - b if a + b < 5 else a * c


@mechanic
def product_after_a_question(dice):
    a, b, d = dice.die(4), dice.die(6), dice.die(3)
    if a > b:
        return a * (b + d)
    return (a + b) * (a - d) if a * d > 3 else a + d


@mechanic
def volley(dice, n, hit):
    hits = dice.count(n, at_least=hit)
    wounds = dice.count(hits, at_least=4)
    if wounds == hits:
        return "all", hits
    return dice.count(wounds, 3, hit=lambda face: face == 2) + (hits > 2)


@mechanic
def as_many_as(dice, of, least):
    return dice.count(dice.die(4) - 1, of, hit=lambda face: face in least)


@mechanic
def as_many_twice(dice):
    n = dice.die(3)
    return dice.count(n, 2, at_least=2), dice.count(n, 2, at_least=2), n


@mechanic
def fewer_than_none(dice):
    return dice.count(dice.die(4) - 2, at_least=3)


@mechanic
def endless(dice):
    return dice.total(1, (exploding, 2)) * dice.die(2)


CASES = [
    (product, 2, 1, 0),
    (product, 2, 1, 2),
    (product, 1, 3, -3),
    (square,),
    (product_and_its_parts,),
    (product_after_a_question,),
    (volley, 3, 5),
    (volley, 2, 1),
    (volley, 2, 7),
    (as_many_as, Die("word", ("hit", "hit", "miss")), ("hit",)),
    (as_many_as, 3, (1, 2, 3)),
    (as_many_as, 3, ()),
    (as_many_twice,),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_numbers_made_of_covered_numbers(case):
    assert agrees(odds(*case), brute(*case)[0])


@mechanic
def random_questions(dice, steps):
    numbers = [dice.die(3), dice.die(4)]
    for kind, a, b in steps:
        one, two = numbers[a % len(numbers)], numbers[b % len(numbers)]
        if kind == "times":
            numbers.append(one * two)
        elif kind == "plus":
            numbers.append(one + two)
        elif kind == "hits" and 0 <= one <= 2:
            numbers.append(dice.count(one, 2, at_least=2))
        elif one > two:
            numbers.append(one - two)
    return numbers[-1]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["times", "plus", "hits", "asked"]),
            st.integers(0, 5),
            st.integers(0, 5),
        ),
        max_size=5,
    )
)
def test_any_questions_about_them(steps):
    assert agrees(
        odds(random_questions, tuple(steps)), *brute(random_questions, tuple(steps), most=12)
    )


def test_endless_numbers_are_multiplied_by_looking():
    assert agrees(odds(endless), *brute(endless, most=9))


def test_a_number_of_dice_below_none_is_refused():
    with pytest.raises(BadDie, match="0 to 1000 dice"):
        odds(fewer_than_none)
