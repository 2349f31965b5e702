"""Means of truncated odds with an argument that grows without bound, against known values."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitchentable.dice import Unresolved, exploding, mechanic, odds

F = Fraction


@mechanic
def exploding_by_hand(dice, sides, so_far=0):
    face = dice.die(sides)
    return exploding_by_hand(dice, sides, so_far + face) if face == sides else so_far + face


@mechanic
def until_a_six(dice, total):
    """As many dice as are thrown before a six shows, each added."""
    if dice.die(6) == 6:
        return total
    return until_a_six(dice, dice.total(2, 6) + total)


@mechanic
def coupons(dice, kinds, have=0, bought=0):
    if have == kinds:
        return bought
    return coupons(dice, kinds, have=have + (dice.die(kinds) > have), bought=bought + 1)


@mechanic
def pot(dice, sides, stake):
    """The stake doubles for each 1."""
    return pot(dice, sides, 2 * stake) if dice.die(sides) == 1 else stake


@mechanic
def debt(dice, owed, paid):
    """A growing debt with growing payments."""
    if dice.die(4) > 1:
        return paid - 2 * owed
    return debt(dice, owed + 1, paid + owed) + 1


@pytest.mark.parametrize("sides", [2, 4, 6, 20])
def test_an_exploding_die_by_hand_has_the_mean_of_the_closed_form(sides):
    found, known = odds(exploding_by_hand, sides), odds(exploding, sides)
    assert not found.exact
    assert found.mean() == known.mean() == F(sides * (sides + 1), 2 * (sides - 1))
    assert found.variance() == known.variance()
    assert found.summary()[0] == known.summary()[0]
    assert odds(exploding_by_hand, sides, 7).mean() == known.mean() + 7


@pytest.mark.slow
def test_a_geometric_number_of_dice_has_the_mean_that_wald_found():
    found = odds(until_a_six, 10)
    often, spread = F(5), F(30)
    assert found.mean() == 10 + often * 7
    assert found.variance() == often * F(35, 6) + spread * 49


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [2, 6, 8])
def test_coupons_are_bought_until_all_are_there(kinds):
    found = odds(coupons, kinds)
    shares = [F(left, kinds) for left in range(1, kinds + 1)]
    assert found.mean() == sum(1 / share for share in shares)
    assert found.variance() == sum((1 - share) / share**2 for share in shares)


def test_a_pot_that_doubles_seldom_has_a_mean_and_one_that_doubles_often_has_none():
    assert odds(pot, 6, 3).mean() == 3 * F(5, 6) / (1 - F(2, 6))
    assert odds(pot, 6, 3).variance() == F(45, 2) - F(15, 4) ** 2
    # Its square grows by 4/3 for each doubling.
    assert odds(pot, 3, 1).mean() == 2
    with pytest.raises(Unresolved, match=r"The variance is unknown.*grow as fast"):
        odds(pot, 3, 1).variance()
    with pytest.raises(Unresolved, match=r"The mean is unknown.*there may be no mean"):
        odds(pot, 2, 1).mean()
    assert odds(pot, 2, 1).median() == 1


def test_two_arguments_grow_side_by_side():
    # After k rounds 1 + k is owed and 4 + k + k(k - 1)/2 is paid, and k is added.
    rounds, pairs = F(1, 3), F(1, 9)
    assert odds(debt, 1, 4).mean() == 4 + rounds + pairs - 2 * (1 + rounds) + rounds


@pytest.mark.slow
@settings(max_examples=20)
@given(
    st.integers(2, 6),
    st.integers(1, 5),
    st.integers(-4, 4),
    st.lists(st.integers(-3, 3), min_size=2, max_size=2),
    st.sampled_from([-1, 1]),
)
def test_proven_means_agree_with_what_is_listed(sides, ends, start, steps, sign):
    """Walks whose steps depend on another argument; a step may turn the sum round."""

    @mechanic
    def drift(dice, at, turn):
        face = dice.die(sides)
        if face <= ends or sides == 2:
            return at + face if turn else 2 - at
        return drift(dice, sign * at + steps[turn], 1 - turn) + face

    found = odds(drift, start, 0)
    listed = [(F(value), chance) for value, chance in found.items()]
    assert abs(found.mean() - sum(v * c for v, c in listed)) < F(1, 10**9)
    square = found.variance() + found.mean() ** 2
    assert abs(square - sum(v * v * c for v, c in listed)) < F(1, 10**9)


@mechanic
def squared(dice, k):
    return k * k if dice.die(6) == 6 else squared(dice, k + 1)


@mechanic
def spelled(dice, k):
    return len(f"{k}") if dice.die(6) == 6 else spelled(dice, k + 1)


@mechanic
def looked_at(dice, k):
    return k if dice.die(2) == 2 else max(looked_at(dice, k + 1), k)


@mechanic
def asked_for_its_type(dice, k):
    return k if dice.die(6) == 6 or type(k) is bool else asked_for_its_type(dice, k + 1)


@mechanic
def changed(dice, k):
    """From 500,000 on it would be another mechanic."""
    return k if dice.die(6) == 6 or k == 500_000 else changed(dice, k + 1)


@mechanic
def caught(dice, k):
    try:
        return k if dice.die(6) == 6 else caught(dice, k + 1)
    except ValueError:
        return 0


@mechanic
def looping(dice, k):
    while dice.die(6) == 6:
        k += 6
    return k


@pytest.mark.parametrize("roll", [squared, spelled, looked_at, asked_for_its_type, caught, looping])
def test_where_nothing_is_proven_the_reason_and_the_cure_are_told(roll):
    with pytest.raises(
        Unresolved, match=r"could lie anywhere. Means are proven for .* leave it out"
    ):
        odds(roll, 1, bounds=True).mean()
    assert odds(roll, 1, bounds=True).summary() == ()


def test_a_loop_that_is_written_as_the_refusal_says_has_a_proven_mean():
    with pytest.raises(Unresolved) as refused:
        odds(looping, 1).mean()
    (advised,) = re.findall("`(.*)`", str(refused.value))
    written = {"mechanic": mechanic}
    exec(f"@mechanic\ndef climb(dice, k):\n    {advised}", written)
    found = odds(written["climb"], 1)
    assert found.mean() == 1 + F(6, 5)
    assert found.variance() == 36 * F(6, 25)
    listed, known = dict(odds(looping, 1).items()), dict(found.items())
    assert all(abs(listed[value] - known[value]) < F(1, 10**18) for value in (1, 7, 61))


def test_an_argument_that_is_compared_is_no_unknown_number():
    assert odds(changed, 1).unresolved < F(1, 10**15)
    with pytest.raises(Unresolved, match="could lie anywhere"):
        odds(changed, 1).mean()
