"""Fights counted, thrown by both players and drawn from the solved chain, beside the exact one."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb

import pytest

from kitchentable.dice import BadInput, SeededSource
from kitchentable.fights import forecast, foresee, named, throw, throws
from kitchentable.fights.arrays import Arrays
from kitchentable.fights.laws import compile_battle
from kitchentable.fights.lockstep import throw_rows
from kitchentable.fights.loop import loop, throw_looping
from kitchentable.fights.tally import FEW, binomial, multinomial
from kitchentable.fights.throws import throw_each
from kitchentable.rules.combat import POLICIES
from kitchentable.rulesets.toast.melee import FIGHTS
from tests.fights.games import BRAWL, HAMPERED, SKIRMISH, battle

# One false alarm in a million for one number: this many standard errors.
ALARM = 5
FIGHT = ("1/2/3/3 0/1/4/2 0/1/4/2", "2/1/3/2 2/1/3/4")
GRAPPLE = ("1/2/3/3 0/1/4/2", "2/1/3/2 2/1/3/2")
PLAYERS = {throw_each: 1_500, throw_rows: 20_000, throw_looping: 1_500}


def apart(seen, n, p):
    return abs(seen - n * p) / max(float(n * p * (1 - p)), 1.0) ** 0.5


def laws_of(fight, policy="weakest", fought=SKIRMISH):
    return compile_battle(fought, fight, dict.fromkeys(fight.sides, POLICIES[policy]))


@cache
def solved(name, policy, *, anew):
    """A fight, its rolls and its exact forecast, for all who throw it."""
    fought = {"skirmish": SKIRMISH, "brawl": BRAWL, "hampered": HAMPERED}[name]
    fight = battle(*(FIGHT if fought is SKIRMISH else GRAPPLE), anew=anew)
    fight = replace(fight, passes=2 if fought is BRAWL else 1)
    return fight, fought, forecast(fought, fight, policy=policy)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "anew", "policy"),
    [
        ("skirmish", True, "weakest"),
        ("skirmish", False, "first"),
        ("skirmish", True, "random"),
        ("brawl", True, "random"),
        ("brawl", False, "weakest"),
        ("hampered", True, "weakest"),
    ],
)
@pytest.mark.parametrize("player", PLAYERS)
def test_thrown_fights_agree_with_the_solved_one(player, name, anew, policy):
    n = PLAYERS[player]
    fight, fought, exact = solved(name, policy, anew=anew)
    laws = laws_of(fight, policy, fought)
    tally = player(laws, n, 7)
    assert sum(tally.ends.values()) == n
    wins, lengths, up = Counter(), Counter(), Counter()
    for (healths, rounds), many in tally.ends.items():
        wins[laws.winner(healths)] += many
        lengths[rounds] += many
        ours = (left for left, side in zip(healths, laws.sides, strict=True) if side == "ours")
        up[sum(map(len, ours))] += many
    for side, chance in exact.wins.items():
        assert apart(wins[side], n, chance) < ALARM
    for rounds, chance in enumerate(exact.lengths.over_in):
        assert apart(lengths[rounds], n, chance) < ALARM
    for many, chance in exact.up["ours"].items():
        assert apart(up[many], n, chance) < ALARM


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_tolls_are_counted(player):
    fought = replace(SKIRMISH, toll=lambda theirs, damage: 3 * damage, tolls="bruises")
    exact = forecast(fought, battle(*FIGHT)).fates
    n = PLAYERS[player]
    tally = player(laws_of(battle(*FIGHT), fought=fought), n, 7)
    # One fight's toll has a standard deviation below 6.
    off = ALARM * 6 / n**0.5
    assert list(tally.tolls) == pytest.approx([one.toll * one.many for one in exact], abs=off)


@pytest.mark.parametrize("n", [1, 1_000, 10**9])
def test_drawn_fights_agree_with_the_solved_one(n):
    fight = battle(*FIGHT)
    exact = forecast(SKIRMISH, fight)
    drawn = forecast(SKIRMISH, fight, fights=n, source=SeededSource(n))
    assert (drawn.found.how, drawn.found.fights) == ("drawn", n)
    assert sum(drawn.wins.values()) + drawn.undecided == 1
    for side, chance in exact.wins.items():
        assert apart(drawn.wins[side] * n, n, chance) < ALARM
    for share, chance in zip(drawn.lengths.over_in, exact.lengths.over_in, strict=False):
        assert apart(share * n, n, chance) < ALARM
    if n > 1:
        low, high = drawn.interval("ours")
        assert low < exact.wins["ours"] < high
        assert abs(float(drawn.rounds - exact.rounds)) < 20 / n**0.5


def test_very_many_fights_go_through_the_compiled_loop(monkeypatch):
    laws = laws_of(battle(*FIGHT))
    compiled = []

    def count_calls(*asked):
        compiled.append(len(asked))
        return loop(*asked)

    monkeypatch.setattr(throws, "WORTH_COMPILING", 50)
    monkeypatch.setattr(throws, "compile_loop", lambda: count_calls)
    assert throws.throw_fights(laws, 50, 3) == throw_looping(laws, 50, 3)
    assert throws.throw_fights(laws, 49, 3) == throw_rows(laws, 49, 3)
    assert compiled
    monkeypatch.setattr(throws, "compile_loop", lambda: None)
    assert throws.throw_fights(laws, 50, 3) == throw_rows(laws, 50, 3)


@pytest.mark.parametrize("policy", ["weakest", "random"])
def test_the_loop_goes_on_where_an_action_was_not_solved(policy, monkeypatch):
    laws = laws_of(battle(*GRAPPLE), policy, BRAWL)
    stops = []

    def play(*asked):
        whole = loop(*asked)
        stops.append(not whole)
        return whole

    part = throw_looping(laws, 60, 3, play)
    assert sum(stops) > 10
    stops.clear()
    known = Arrays(laws)
    pairs = [(0, 2), (1, 2), (2, 0), (2, 1)]
    known.solve(*((a, m, b, h) for a, b in pairs for m in range(1, 4) for h in range(1, 4)))
    monkeypatch.setattr("kitchentable.fights.loop.Arrays", lambda laws: known)
    assert throw_looping(laws, 60, 3, play) == part
    assert stops == [False]


def test_a_fight_with_too_many_healths_for_an_array_is_thrown_without(monkeypatch):
    laws = laws_of(battle(*GRAPPLE), fought=BRAWL)
    assert throws.throw_fights(laws, 20, 3) == throw_rows(laws, 20, 3)
    monkeypatch.setattr("kitchentable.fights.arrays.MOST_ACTIONS", 3 * 3 * 4 * 4 - 1)
    assert throws.throw_fights(laws, 20, 3) == throw_each(laws, 20, 3)


def test_seeds_repeat_a_count():
    fight = battle(*FIGHT)
    one, same, other = (throw(SKIRMISH, fight, 500, SeededSource(seed)).wins for seed in (1, 1, 2))
    assert one == same != other


def test_a_fight_too_large_is_counted_with_numpy_and_without(monkeypatch):
    melee = FIGHTS["melee"]
    large = melee.start({"initiative_each_round": True}, ours="9x9/9/9/1", theirs="25x1/1/1/1")
    monkeypatch.setattr(named, "COUNTED", 100)
    monkeypatch.setattr(named, "COUNTED_SLOWLY", 20)
    found = foresee(melee, large).found
    assert (found.how, found.fights, found.states) == ("thrown", 100, 0)
    assert str(found) == "Counted: 100 fights thrown, ±12.88 % at 99 %."
    monkeypatch.setattr(throws, "find_numpy", lambda: None)
    assert forecast(melee, large).found.fights == 20


def test_what_takes_too_long_is_put_down_as_undecided(monkeypatch):
    fight = battle("0/1/5/3", "0/1/5/3")
    for module in ("throws", "lockstep", "loop"):
        monkeypatch.setattr(f"kitchentable.fights.{module}.LONGEST", 20)
    for player in PLAYERS:
        tally = player(laws_of(fight), 200, 3)
        assert tally.undecided > 0
        assert sum(tally.ends.values()) + tally.undecided == 200


def test_no_fights_are_refused():
    with pytest.raises(BadInput, match="not -1"):
        forecast(SKIRMISH, battle(*FIGHT), fights=-1)


@pytest.mark.parametrize("n", [3, FEW, 40, 1_001])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.93])
def test_the_binomial_draw_is_one(n, p):
    """Chi-square over the values with enough weight, at one false alarm in a million."""
    chance, trials = random.Random(n), 4_000
    counts = [0] * (n + 1)
    for _ in range(trials):
        counts[binomial(n, p, chance)] += 1
    expected = [trials * comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    big = [k for k in range(n + 1) if expected[k] >= 10]
    rest = trials - sum(expected[k] for k in big)
    square = sum((counts[k] - expected[k]) ** 2 / expected[k] for k in big)
    if rest >= 10:
        square += (trials - sum(counts[k] for k in big) - rest) ** 2 / rest
    freedom = len(big)
    assert square < freedom + 5 * (2 * freedom) ** 0.5 + 25


def test_a_multinomial_draw_gives_every_trial_away():
    ways = [("a", Fraction(1, 6)), ("b", Fraction(1, 3)), ("c", Fraction(1, 2))]
    drawn = dict(multinomial(10**12, ways, random.Random(5)))
    assert sum(drawn.values()) == 10**12
    for way, share in ways:
        assert apart(drawn[way], 10**12, share) < ALARM
    assert multinomial(7, [("all", Fraction(1))], random.Random(5)) == [("all", 7)]
