"""Fights solved exactly, beside what is known of chains and beside every fight counted out."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from kitchentable.dice import mechanic, odds
from kitchentable.fights import Bout, NeverEnds, TooManyStates, solve_bout


@mechanic
def toss(dice, lead: int, sides: int = 2) -> int:
    """One step up on the highest face of the die, else one down."""
    return lead + (1 if dice.die(sides) == sides else -1)


@mechanic
def third(dice, lead: int) -> int:
    return lead + (1 if dice.die(3) == 3 else -1)


def ruin(low: int, high: int):
    return lambda lead: {high: "we", -low: "they"}.get(lead, "")


@pytest.mark.parametrize("low", [1, 2, 5])
@pytest.mark.parametrize("high", [1, 3, 8])
def test_a_fair_race_is_as_long_as_the_product_of_its_ends(low, high):
    """The gambler's ruin: won with low/(low + high), after low * high steps on average."""
    ending = solve_bout(Bout(0, toss, ruin(low, high)))
    assert ending.wins["we"] == Fraction(low, low + high)
    assert ending.time == low * high
    assert ending.last == {high: ending.wins["we"], -low: ending.wins["they"]}


def test_an_unfair_race_is_exact_too():
    """With p = 1/3 and q = 2/3: (1 - (q/p)^low) / (1 - (q/p)^(low + high))."""
    ending = solve_bout(Bout(0, third, ruin(3, 2)))
    assert ending.wins["we"] == Fraction(1 - 2**3, 1 - 2**5)
    assert sum(ending.wins.values()) == 1


@dataclass(frozen=True)
class Duel:
    ours: int
    theirs: int
    ours_next: bool = True


@mechanic
def blow(dice, duel: Duel) -> Duel:
    hit = dice.die(6) >= 5
    if duel.ours_next:
        return replace(duel, theirs=duel.theirs - hit, ours_next=False)
    return replace(duel, ours=duel.ours - hit, ours_next=True)


def fallen(duel: Duel) -> str:
    return "ours" if duel.theirs == 0 else "theirs" if duel.ours == 0 else ""


def test_who_strikes_first_with_a_third_has_three_fifths():
    """1/3 + (2/3)^2 of the same again: 3/5."""
    ending = solve_bout(Bout(Duel(1, 1), blow, fallen, lambda duel: duel.ours_next))
    assert ending.wins["ours"] == Fraction(3, 5)
    assert ending.time == Fraction(9, 5)
    assert ending.over_by(1) == Fraction(5, 9)
    assert ending.over_by(2) == 1 - Fraction(4, 9) ** 2
    assert ending.over_by(0) == 0


def test_a_longer_duel_beside_every_fight_counted_out():
    """All fights of up to 40 blows, step by step: the solved chances lie within what is left."""
    start = Duel(3, 2)
    ending = solve_bout(Bout(start, blow, fallen))
    standing, won = {start: Fraction(1)}, {"ours": Fraction(0), "theirs": Fraction(0)}
    for _ in range(40):
        after = {}
        for duel, chance in standing.items():
            for now, share in odds(blow, duel).items():
                if fallen(now):
                    won[fallen(now)] += chance * share
                else:
                    after[now] = after.get(now, Fraction(0)) + chance * share
        standing = after
    left = sum(standing.values())
    assert 0 < left < Fraction(1, 100)
    for side, chance in won.items():
        assert chance <= ending.wins[side] <= chance + left
    assert ending.over_by(40) == 1 - left


def test_what_a_fight_costs_is_read_from_its_last_states():
    ending = solve_bout(Bout(Duel(2, 1), blow, fallen))
    shares = ending.by(lambda duel: duel.ours)
    assert sum(shares.values()) == 1
    assert shares[0] == ending.wins["theirs"]
    assert ending.mean(lambda duel: duel.ours) == shares[1] + 2 * shares[2]


def test_a_fight_that_is_over_is_over():
    ending = solve_bout(Bout(Duel(1, 0), blow, fallen))
    assert (ending.wins, ending.time, ending.states) == ({"ours": 1}, 0, 1)
    assert ending.over_by(0) == 1


@mechanic
def circle(dice, state: int) -> int:
    return (state + dice.die(2)) % 3


@mechanic
def trap(dice, state: int) -> int:
    return state or dice.die(2)


def test_a_fight_that_nobody_can_win_any_more_is_refused():
    with pytest.raises(NeverEnds, match="From 0 on"):
        solve_bout(Bout(0, circle, lambda state: ""))
    with pytest.raises(NeverEnds, match="From 2 on"):
        solve_bout(Bout(0, trap, lambda state: "we" if state == 1 else ""))


def test_too_many_ways_to_stand_are_refused_with_a_cure():
    with pytest.raises(TooManyStates, match="more than 50 ways"):
        solve_bout(Bout(0, toss, ruin(100, 100)), most=50)


@mechanic
def crowd(dice, state: int) -> tuple[int, ...]:
    return tuple(dice.pool(40, 20))


def test_a_step_that_goes_in_too_many_ways_is_refused_with_a_cure():
    with pytest.raises(TooManyStates, match="run it in bulk"):
        solve_bout(Bout(0, crowd, lambda state: "over" if state else ""))
