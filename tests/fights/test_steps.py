"""Fights told step by step, beside what is known of chains and beside every fight counted out."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from kitchentable.dice import SeededSource, mechanic, odds
from kitchentable.fights import NeverEnds, NoSuchPolicy, forecast, steps, throw
from kitchentable.rules import Stepped


def stepped(turn, over, counts=lambda state: True, costs=None):
    return Stepped(turn, lambda options: None, over, counts, "A fight.", (), costs or {})


@mechanic
def toss(dice, lead: int) -> int:
    return lead + (1 if dice.die(2) == 2 else -1)


@mechanic
def third(dice, lead: int) -> int:
    return lead + (1 if dice.die(3) == 3 else -1)


def ruin(low: int, high: int):
    return lambda lead: {high: "we", -low: "they"}.get(lead, "")


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 8), (5, 3)])
def test_a_fair_race_is_as_long_as_the_product_of_its_ends(low, high):
    """The gambler's ruin: won with low/(low + high), after low * high steps on average."""
    told = forecast(stepped(toss, ruin(low, high)), 0)
    assert told.wins["we"] == Fraction(low, low + high)
    assert told.rounds == low * high
    assert told.is_whole
    assert told.found.how == "fractions"


def test_an_unfair_race_is_exact_too():
    """With p = 1/3 and q = 2/3: (1 - (q/p)^low) / (1 - (q/p)^(low + high))."""
    assert forecast(stepped(third, ruin(3, 2)), 0).wins["we"] == Fraction(1 - 2**3, 1 - 2**5)


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


DUEL = stepped(blow, fallen, lambda duel: duel.ours_next, {"left to ours": lambda duel: duel.ours})


def test_who_strikes_first_with_a_third_has_three_fifths():
    """1/3 + (2/3)^2 of the same again: 3/5."""
    told = forecast(DUEL, Duel(1, 1))
    assert told.wins["ours"] == Fraction(3, 5)
    assert (told.rounds, told.costs) == (Fraction(9, 5), {"left to ours": Fraction(3, 5)})
    assert told.lengths.over_by(1) == pytest.approx(5 / 9)
    assert told.lengths.over_by(2) == pytest.approx(1 - (4 / 9) ** 2)


def test_a_longer_duel_beside_every_fight_counted_out():
    """All fights of up to 40 blows, step by step: the solved chances lie within what is left."""
    start = Duel(3, 2)
    told = forecast(DUEL, start)
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
        assert chance <= told.wins[side] <= chance + left
    assert told.lengths.over_by(20) == pytest.approx(float(1 - left), rel=1e-12)


@pytest.mark.parametrize("solved_from", [1, 10**9])
def test_counted_it_agrees_and_a_seed_repeats_it(solved_from, monkeypatch):
    monkeypatch.setattr(steps, "WORTH_SOLVING", solved_from)
    exact = forecast(DUEL, Duel(3, 2))
    counted, same = (throw(DUEL, Duel(3, 2), 2_000, SeededSource(4)) for _ in range(2))
    assert counted == same
    low, high = counted.interval("ours")
    assert low < exact.wins["ours"] < high
    assert abs(counted.rounds - exact.rounds) < Fraction(1, 2)
    assert forecast(DUEL, Duel(3, 2), fights=10).found.how == "thrown"


def test_a_fight_that_is_over_is_over():
    told = forecast(DUEL, Duel(1, 0))
    assert (told.wins, told.rounds, told.lengths.over_by(0)) == ({"ours": 1}, 0, 1)


@mechanic
def circle(dice, state: int) -> int:
    return (state + dice.die(2)) % 3


@mechanic
def crowd(dice, state: int) -> tuple[int, ...]:
    return tuple(dice.pool(40, 20))


def test_a_fight_that_nobody_can_win_any_more_is_refused():
    with pytest.raises(NeverEnds, match="From 0 on"):
        forecast(stepped(circle, lambda state: ""), 0)


def test_what_is_too_large_to_solve_is_thrown(monkeypatch):
    monkeypatch.setattr("kitchentable.fights.named.COUNTED_SLOWLY", 20)
    crowded = stepped(crowd, lambda state: "over" if state else "")
    assert forecast(crowded, 0).found.fights == 20
    assert forecast(stepped(toss, ruin(100, 100)), 0, solved=50).found.how == "thrown"


def test_what_goes_on_for_ever_is_broken_off(monkeypatch):
    monkeypatch.setattr(steps, "LONGEST", 30)
    assert throw(stepped(circle, lambda state: ""), 0, 5).found.undecided == 5


def test_it_has_no_policies():
    with pytest.raises(NoSuchPolicy, match="no policies"):
        forecast(DUEL, Duel(1, 1), policy="first")
