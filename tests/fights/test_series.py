"""Fights in a row and allies, beside the same fights counted out person by person."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

import kitchentable as kt
from kitchentable.dice import SeededSource
from kitchentable.fights import forecast, foresee_series, named
from kitchentable.rules import Battle
from tests.fights.games import SKIRMISH, battle
from tests.fights.people import People

OURS = "1/2/3/3 0/1/4/2"
THEIRS = ("2/1/3/2", "1/1/3/1 1/1/3/1", "0/2/4/2")


def in_a_row(anew):
    """The chance to get through each further fight, and each fight's chances of its winners."""
    going, won, wins = {None: Fraction(1)}, [], []
    for theirs in THEIRS:
        ended = Counter()
        for healths, amount in going.items():
            start = battle(OURS, theirs, anew=anew)
            left = healths or tuple(one.health for one in start.combatants[:2])
            both = zip(start.combatants, left, strict=False)
            fighters = [replace(one, health=health) for one, health in both if health]
            people = People(SKIRMISH, Battle((*fighters, *start.combatants[2:]), anew))
            for ends, chance in people.solve()[0].items():
                back = iter(ends)
                ours = tuple(next(back) if health else 0 for health in left)
                ended[people.winner(ends), ours] += amount * chance
        by_side = Counter()
        for (side, _), amount in ended.items():
            by_side[side] += amount
        wins.append({side: chance / sum(by_side.values()) for side, chance in by_side.items()})
        going = {ours: amount for (side, ours), amount in ended.items() if side == "ours"}
        won.append(sum(going.values()))
    return won, wins


@pytest.mark.parametrize("anew", [True, False])
def test_fights_in_a_row_come_to_the_fractions_of_people(anew, monkeypatch):
    battles = [battle(OURS, theirs, anew=anew) for theirs in THEIRS]
    won, wins = in_a_row(anew)
    monkeypatch.setattr(named, "IN_FRACTIONS", 10**6)
    told = foresee_series(SKIRMISH, battles)
    assert list(told.won) == won
    assert [dict(one.wins) for one in told.fights] == wins
    monkeypatch.setattr(named, "IN_FRACTIONS", 0)
    near = foresee_series(SKIRMISH, battles)
    off = sum(one.found.bound for one in near.fights)
    for one, chance in zip(near.won, won, strict=True):
        assert abs(Fraction(one) - chance) <= off * chance
    for each, true in zip(near.fights, wins, strict=True):
        assert each.is_whole
        for side, chance in true.items():
            assert abs(Fraction(each.wins[side]) - chance) <= each.found.bound * chance


@pytest.mark.parametrize("quick", [True, False])
def test_counted_fights_in_a_row_agree_with_the_solved_ones(quick, monkeypatch):
    if not quick:
        monkeypatch.setattr("kitchentable.fights.throws.find_numpy", lambda: None)
    battles, n = [battle(OURS, theirs) for theirs in THEIRS], 3_000 if quick else 500
    exact = foresee_series(SKIRMISH, battles)
    counted = foresee_series(SKIRMISH, battles, fights=n, source=SeededSource(7))
    for one, true in zip(counted.won, exact.won, strict=True):
        assert abs(float(one - true)) < 5 * (float(true * (1 - true)) / n) ** 0.5 + 1e-9


def test_a_series_is_counted_from_the_first_fight_that_is_too_large():
    battles = [battle(OURS, theirs) for theirs in THEIRS]
    exact = foresee_series(SKIRMISH, battles)
    later = foresee_series(SKIRMISH, battles, solved=100, source=SeededSource(7))
    assert [one.found.counted for one in later.fights] == [False, True, True]
    for one, true in zip(later.won, exact.won, strict=True):
        assert abs(float(one - true)) < 5 * (float(true * (1 - true)) / named.COUNTED) ** 0.5 + 1e-9


def test_a_series_ends_where_nobody_goes_on():
    told = kt.series(
        "toast", "melee", ours="0/0/0/1", theirs="5x9/9/9/9", then=["0/0/0/1"], fights=3
    )
    assert (len(told.fights), told.won) == (1, (0,))


@pytest.mark.slow
def test_allies_fight_on_the_same_side_and_are_told_apart():
    asked = {"ours": "2x5/6/4/4", "theirs": "4x2/3/3/1"}
    told = kt.fight("toast", "melee", allies="2x5/6/4/4", **asked)
    together = kt.fight("toast", "melee", **asked | {"ours": "4x5/6/4/4"})
    assert told.wins["ours"] == pytest.approx(together.wins["ours"], rel=1e-9)
    assert [(one.name, one.many) for one in told.fates] == [
        ("5/6/4/4", 2), ("allies 5/6/4/4", 2), ("2/3/3/1", 4)
    ]  # fmt: skip
    grid = kt.sweep("toast", "melee", allies="{n}x2/3/3/1", over={"n": [1, 2]}, **asked)
    assert grid[1,].wins["ours"] < grid[2,].wins["ours"]
    assert forecast(SKIRMISH, battle("1/2/3/3", "0/1/4/1")).fates[0].name == "1/2/3/3"
