"""Floats against fractions: every figure within its proven bound."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kitchentable.fights import arrays, forecast, named
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.matrices import Chain
from kitchentable.rulesets.toast.melee import FIGHTS
from tests.fights.games import BRAWL, SKIRMISH, battle

MELEE = FIGHTS["melee"]
TOAST = MELEE.start({"initiative_each_round": True}, ours="2x5/6/4/2", theirs="3x2/3/3/1 3/4/3/2")
LAPS = replace(battle("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2"), passes=2)
SHORT = replace(battle("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2"), rounds=4)
DUEL = battle("1/2/3/3 0/1/4/2", "2/1/3/4")
KEPT = battle("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2", anew=False)
OFTEN = replace(battle("1/2/3/3", "2/1/3/2 2/1/3/2"), passes=2)


def figures(told):
    yield from told.wins.values()
    yield told.rounds
    for side in told.wins:
        yield from told.up[side].values()
        yield from told.left[side].values()
    yield from told.broken_off.values()
    for fate in told.fates:
        yield from (fate.stands, fate.left)
    yield from told.costs.values()


@pytest.mark.parametrize(
    ("fought", "fight"),
    [(MELEE, TOAST), (SKIRMISH, KEPT), (SKIRMISH, LAPS), (BRAWL, DUEL), (SKIRMISH, SHORT)],
)
def test_every_float_is_within_the_proven_bound(fought, fight, monkeypatch):
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    exact = forecast(fought, fight)
    monkeypatch.setattr(named, "IN_FRACTIONS", 0)
    floats = forecast(fought, fight)
    assert (exact.found.how, floats.found.how) == ("fractions", "floats")
    assert exact.found.bound == 0 < floats.found.bound < Fraction(1, 10**10)
    assert floats.found.digits >= 10
    both = list(zip(figures(exact), figures(floats), strict=True))
    assert len(both) > 20
    for true, near in both:
        assert isinstance(true, Fraction)
        assert abs(Fraction(near) - true) <= floats.found.bound * true
    assert exact.is_whole
    assert floats.is_whole
    low, high = floats.interval("ours")
    assert low < exact.wins["ours"] < high


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 4])
@pytest.mark.parametrize("large", [True, False])
@pytest.mark.parametrize(("fought", "fight"), [(MELEE, TOAST), (SKIRMISH, KEPT), (SKIRMISH, OFTEN)])
def test_rows_are_within_the_bound_with_numpy_and_without(fought, fight, large, limit):
    policies = named.choose_policies(fought, fight, {"theirs": "random, retreat at half down"})
    laws = compile_battle(fought, replace(fight, rounds=limit), policies)
    true = Chain(laws, exact=True).settle(6)
    near = Chain(laws, exact=False, large=large).settle(6)
    assert (near.states, set(near.last)) == (true.states, set(true.last))
    for healths, row in true.last.items():
        for one, other in zip(row, near.last[healths], strict=True):
            assert type(other) is float
            assert abs(Fraction(other) - one) <= near.bound * one


def test_rows_add_up_to_the_whole():
    laws = compile_battle(SKIRMISH, KEPT, named.choose_policies(SKIRMISH, KEPT, ""))
    whole, by_round = (Chain(laws, exact=True).settle(rows) for rows in (0, 6))
    assert {end: sum(row) for end, row in by_round.last.items()} == whole.last
    assert by_round.rounds == whole.rounds


def test_long_fights_are_told_apart_as_far_as_is_asked():
    """A hit in 36: 30 rounds are not enough, so more are told apart."""
    told = forecast(SKIRMISH, battle("0/1/5/1", "0/1/5/1"))
    assert len(told.lengths.over_in) > 31
    assert told.lengths.later <= named.LATER
    assert told.lengths.percentile(99.99999999) is None


def test_fewer_rounds_are_told_apart_where_more_would_take_too_long(monkeypatch):
    fight = battle("0/1/5/1", "0/1/5/1")
    whole = forecast(SKIRMISH, fight)
    monkeypatch.setattr(named, "CELLS", 40)
    told = forecast(SKIRMISH, fight)
    assert len(told.lengths.over_in) == 11
    assert (told.wins, told.rounds) == (whole.wins, whole.rounds)
    assert told.lengths.over_in == whole.lengths.over_in[:11]
    assert told.lengths.later == pytest.approx(1 - float(whole.lengths.over_by(10)))
    assert told.lengths.percentile(99) is None
    assert whole.lengths.percentile(99) > 10
    # What could not be drawn by round is thrown.
    assert forecast(SKIRMISH, fight, fights=50).found.how == "thrown"


def test_numpy_is_found_once():
    assert arrays.find_numpy() is arrays.find_numpy()
