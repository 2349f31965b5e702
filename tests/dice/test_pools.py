"""Pools that are asked several questions, against every face tried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import (
    DiceFault,
    Die,
    NotHashable,
    NotRepeatable,
    TooManyPaths,
    load,
    mechanic,
    odds,
    roll,
    sample,
)
from kitchentable.dice.solving.pools import multisets
from tests.dice.oracle import agrees, brute

ODD = Die("odd", (1, 4, 4, 2, 1))
WORDS = Die("words", ("flub", "miss", "miss", "hit"))

QUESTIONS = {
    "high": lambda pool: pool.count(lambda face: face in (4, "hit")),
    "low": lambda pool: pool.count(lambda face: face in (1, 2, "flub")),
    "none": lambda pool: pool.count(lambda face: face == 99),
    "highest": lambda pool: tuple(pool.highest(1)),
    "lowest": lambda pool: tuple(pool.lowest(1)),
    "highest two": lambda pool: tuple(pool.highest(2)),
    "lowest two": lambda pool: tuple(pool.lowest(2)),
    "all but the highest": lambda pool: tuple(pool.drop_highest(1)),
    "all but the lowest": lambda pool: tuple(pool.drop_lowest(1)),
    "all": tuple,
    "size": len,
    "no two alike": lambda pool: len(set(pool)) == len(pool),
    "widest": lambda pool: pool.fold(lambda most, face, count: max(most, count), 0),
}


@mechanic
def asked(dice, n, of, questions):
    pool = dice.pool(n, of)
    # Two questions without looking: the pool is solved in plain sight.
    pool.count(lambda face: face == 3)
    pool.highest(1)
    return tuple(QUESTIONS[one](pool) for one in questions)


@given(
    st.integers(0, 4),
    st.sampled_from([4, ODD, WORDS]),
    st.lists(st.sampled_from(sorted(QUESTIONS)), min_size=1, max_size=4),
)
def test_any_questions_in_any_order(n, of, questions):
    assert agrees(odds(asked, n, of, tuple(questions)), brute(asked, n, of, tuple(questions))[0])


def sets(state, face, count):
    return (*state, (face, count))


@mechanic
def all_sets(dice, n, of):
    return dice.pool(n, of).fold(sets, ())


@mechanic
def straight(dice, n, sides):
    def run(state, face, count):
        longest, length, last = state
        length = length + 1 if face == last - 1 else 1
        return max(longest, length), length, face

    return dice.pool(n, sides).fold(run, (0, 0, 0))[0]


@mechanic
def compared(dice, n):
    """The step of this fold asks about a number thrown before."""
    least = dice.total(2, 3)
    return dice.pool(n, 4).fold(lambda found, face, count: found + count * (face >= least), 0)


@mechanic
def folded_twice(dice, n):
    pool = dice.pool(n, 4)
    widest = pool.fold(lambda most, face, count: max(most, count), 0)
    return widest, pool.fold(lambda different, face, count: different + 1, 0)


@mechanic
def folded_twice_alike(dice, n):
    pool = dice.pool(n, 4)
    a, b = (pool.fold(lambda most, face, count: max(most, count), 0) for _ in range(2))
    return a == b


@pytest.mark.parametrize("of", [4, ODD, WORDS], ids=str)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_fold_goes_through_the_sets_from_the_highest_face(n, of):
    assert agrees(odds(all_sets, n, of), brute(all_sets, n, of)[0])


@pytest.mark.parametrize(
    ("one", "args"),
    [(straight, (5, 5)), (compared, (3,)), (folded_twice, (4,)), (folded_twice_alike, (3,))],
    ids=str,
)
def test_folds_of_every_kind(one, args):
    assert agrees(odds(one, *args), brute(one, *args)[0])


def test_a_fold_when_thrown():
    assert load(all_sets, 4, 6, faces=[2, 6, 3, 2]).outcome == ((6, 1), (3, 1), (2, 2))
    assert load(straight, 5, 6, faces=[2, 6, 3, 1, 3]).outcome == 3
    assert sum(sample(straight, 5, 6, n=20).counts.values()) == 20


@mechanic
def widest(dice, n, sides):
    return dice.pool(n, sides).fold(lambda most, face, count: max(most, count), 0)


def test_a_fold_over_more_multisets_than_anybody_could_list():
    # Fifteen dice that all differ: 15! · C(20, 15) of 20**15.
    assert odds(widest, 15, 20)[1] * 20**15 == 20274183401472000
    assert odds(widest, 40, 20)[40] * 20**39 == 1


@mechanic
def yahtzee(dice, throws, kept):
    if throws == 0 or kept == 5:
        return kept
    most = dice.pool(5 - kept).fold(
        lambda most, face, count: max(most, count + kept if face == 6 else count), kept
    )
    return yahtzee(dice, throws - 1, most)


def test_a_yahtzee_in_three_throws():
    assert odds(yahtzee, 3, 0)[5].as_integer_ratio() == (347897, 7558272)


@mechanic
def lists(dice):
    return dice.pool(2).fold(lambda found, face, count: [*found, face], ())


@mechanic
def all_ways(dice):
    return dice.pool(12, 20).fold(sets, ())


def test_folds_that_cannot_be_solved_say_why():
    with pytest.raises(NotHashable, match="states of a fold"):
        odds(lists)
    with pytest.raises(TooManyPaths, match="only what the result needs"):
        odds(all_ways)


def test_multisets_have_multinomial_weights():
    rows = multisets(3, ((5, 2), (1, 1)))
    assert sorted(rows) == [((1, 1, 1), 1), ((5, 1, 1), 6), ((5, 5, 1), 12), ((5, 5, 5), 8)]


def test_a_pool_asked_otherwise_the_second_time_is_refused_in_words():
    asks = iter(range(1000))

    @mechanic
    def fickle(dice):
        pool = dice.pool(3)
        pool.count(lambda face: face == 6)
        first = next(asks) % 2
        return tuple(pool.highest(1) if first else pool.lowest(1))

    with pytest.raises(NotRepeatable, match="first asked for"):
        odds(fickle)


@pytest.mark.parametrize("ask", [odds, roll])
def test_a_face_to_count_is_refused_with_the_function_that_counts_it(ask):
    with pytest.raises(DiceFault, match=r"count\(lambda face: face == 6\)"):
        ask(lambda dice: dice.pool(3, 6).count(6))
