"""Dice that show several numbers, against every face tried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchentable.dice import (
    BadDie,
    Die,
    NotANumber,
    Vector,
    load,
    mechanic,
    odds,
    sample,
)
from tests.dice.oracle import agrees, brute

Symbols = Vector.named("success", "advantage")
PAIRS = Die("pairs", ((0, 1), (2, 0), (2, 0), (-1, 3)))
OTHER = Die("other", ((1, 1), (0, -2)))
NAMED = Die("named", (Symbols(), Symbols(success=1), Symbols(advantage=2)))
HUGE = Die("huge", ((2**40, 1), (0, 1)))
UNEVEN = Die("uneven", ((1, 0), (1, 0, 0)))


@mechanic
def summed(dice, n, m):
    return dice.total(n, PAIRS) + dice.total(m, OTHER)


@mechanic
def less(dice, n, m):
    return 2 * dice.total(n, PAIRS) - dice.total(m, OTHER) + (1, -1)


@mechanic
def summed_by_sum(dice):
    return sum(dice.total(1, one) for one in (PAIRS, OTHER, NAMED))


@mechanic
def judged(dice, n):
    hits, side = dice.total(n, PAIRS) - dice.total(1, OTHER)
    return "clean" if hits > 0 and side >= 0 else "hit" if hits > 0 else side


@mechanic
def named(dice, n):
    result = dice.total(n, NAMED)
    return (result.success, result[1]) if result.advantage > 1 else result


@mechanic
def in_a_pool(dice, n):
    pool = dice.pool(n, PAIRS)
    return pool.total(), pool.count(lambda face: face[0] == 2)


@mechanic
def pool_total(dice, n):
    return dice.pool(n, PAIRS).total()


@mechanic
def compared(dice):
    a, b = dice.total(2, OTHER), dice.total(2, OTHER)
    if a == b:
        return "same", a
    return (a, b) if a > (0, 0) else len(a)


@mechanic
def one_push(dice, bane):
    face = dice.die(4)
    return (1, 0) if face == 4 else (0, 1) if face == 1 and bane else (0, 0)


@mechanic
def pushes(dice, n, m):
    return dice.total(n, (one_push, True)) + dice.mixed(((one_push, False), OTHER)) * m


@mechanic
def as_an_argument(dice):
    return shifted(dice, dice.total(2, OTHER))


@mechanic
def shifted(dice, vector):
    return vector + dice.total(1, PAIRS)


@mechanic
def as_a_key(dice):
    return {dice.total(2, OTHER): "hit"}.get((2, 2), "miss")


CASES = [
    (summed, 2, 1), (summed, 0, 2), (summed, 0, 0), (less, 2, 2), (summed_by_sum,), (judged, 2),
    (named, 2), (in_a_pool, 2), (pool_total, 3), (compared,), (pushes, 2, 1), (pushes, 2, 3),
    (as_an_argument,), (as_a_key,),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_vectors_are_summed_like_numbers(case):
    assert agrees(odds(*case), brute(*case)[0])
    assert sum(sample(*case, n=5).counts.values()) == 5


FACES = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(-5, 5))


@given(st.lists(FACES, min_size=1, max_size=4), st.integers(1, 3))
def test_any_faces(faces, n):
    @mechanic
    def any_total(dice):
        return dice.total(n, Die("any", tuple(faces)))

    assert agrees(odds(any_total), brute(any_total)[0])


def test_the_kind_of_a_sum():
    assert repr(load(named, 2, faces=[2, 2]).outcome) == "Vector(success=2, advantage=0)"
    assert {type(one) for one in odds(summed, 2, 1)} == {Vector}
    assert Symbols(success=1) + Vector((0, 1)) == (1, 1)
    assert type(Symbols(success=1) + Vector((0, 1))) is Vector
    with pytest.raises(NotANumber, match="no symbol 'triumph'; use success, advantage"):
        Symbols(triumph=1)
    with pytest.raises(AttributeError):
        assert Symbols().triumph


@mechanic
def any_dice(dice, of, keep):
    return dice.total(2, of, keep_highest=keep)


def test_vectors_that_cannot_be_added_are_refused():
    with pytest.raises(NotANumber, match="cannot be added"):
        odds(any_dice, UNEVEN, None)
    with pytest.raises(NotANumber, match="cannot be added"):
        load(any_dice, UNEVEN, None, faces=[1, 2])
    with pytest.raises(NotANumber, match="cannot be kept as the highest"):
        odds(any_dice, PAIRS, 1)
    with pytest.raises(BadDie, match="numbers below"):
        odds(any_dice, HUGE, None)
    with pytest.raises(TypeError):
        Vector((1, 2)) + Vector((1, 2, 3))


@mechanic
def genesys(dice, n):
    return dice.total(n, PAIRS)


def test_many_vectors():
    many = odds(genesys, 30)
    assert many[(60, 0)] == many.chance(lambda one: one[0] == 60)
    assert many[(-30, 90)] * 4**30 == 1
