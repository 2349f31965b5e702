"""How much is worked out for the odds of a roll, counted where a busy machine changes nothing.

The figures in time are `make bench-toaster`'s.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from operator import attrgetter

import pytest

from kitchentable.dice import load, odds, told
from kitchentable.dice.solving import marginals, paths, queries
from kitchentable.rulesets.toaster.book import TABLES
from kitchentable.rulesets.toaster.mechanics import (
    attack,
    contests,
    damage,
    stars,
    tables,
    to_hit,
)

CRITICALS = tables.read_criticals(TABLES["criticals"])
LOCATIONS = tables.read_locations(TABLES["locations"])
BOTH = damage.Tables(CRITICALS, LOCATIONS)
ARMOR = damage.Classes(8, 5, bare=3, places=(("Torso", 6), ("Head/Neck", 2), ("Left Leg", 4)))
#: Parts that are solved by themselves, and once for all attacks that are alike.
PARTS = (attack.attack, damage.damage_rolls, stars.star)
CONTESTS = (contests.contest, contests.parallel, stars.star)
FARES = attrgetter("fares")


@pytest.fixture
def work(monkeypatch):
    """Counts the paths that are walked, the joint values listed, and the sums added up."""
    counted = Counter()
    run, joined, convolve = paths.walk_once, queries.joined, marginals.convolve

    def walked(walk):
        counted["paths"] += 1
        return run(walk)

    def listed(parts):
        rows = joined(parts)
        counted["rows"] += len(rows.table)
        return rows

    def added(first, second):
        counted["sums"] += min(len(first[0]), len(second[0])) > 1
        return convolve(first, second)

    monkeypatch.setattr(paths, "walk_once", walked)
    monkeypatch.setattr(queries, "joined", listed)
    monkeypatch.setattr(marginals, "convolve", added)
    return counted


@pytest.mark.rule("toaster.4.opt-wcac-integrate", "toaster.3.nines-limit", "toaster.3.zeros-switch")
@pytest.mark.parametrize("bands", [False, True])
@pytest.mark.parametrize("die", ["same_die", "double_roll"])
def test_an_attack_under_all_options_is_a_few_hundred_paths(work, die, bands):
    """Nines without end, so every pair of dice that is listed would be tens of thousands."""
    endless = stars.Extended(stars.NO_LIMIT)
    ways = damage.Ways(endless, endless, add_margin=True, halve_marginal=True, critical=True,
                       fumbled=True, tables=BOTH, **{die: True})  # fmt: skip
    rules = to_hit.Rules(stars.Extended(stars.NO_LIMIT, zeros=True), bands)
    # Read once, as after the first attack.
    odds(told(tables.critical, "on_damage"), CRITICALS)
    odds(told(tables.location, "area"), LOCATIONS, ways.coin)
    for one in PARTS:
        one.forget()
    work.clear()
    numbers = to_hit.Attacker(7, 6), to_hit.Defender(6), ARMOR, rules, ways
    made = odds(told(attack.attack, "word"), *numbers)
    assert made.unresolved < 2**-60
    assert work["paths"] <= 300
    assert work["rows"] <= 2_000
    assert work["sums"] <= 30


@pytest.mark.rule("toaster.3.opposed-multi", "toaster.3.parallel-contest")
@pytest.mark.parametrize("mechanic", [contests.contest, contests.parallel])
@pytest.mark.parametrize("zeros", [False, True])
def test_a_contest_of_six_grows_by_the_head_and_not_by_the_pair(work, mechanic, zeros):
    """Each further side is as much work again; a zero, thrown again or not, at most doubles it."""
    sides = tuple(contests.Side(6 - at, f"side {at}") for at in range(6))
    endless = stars.Extended(stars.NO_LIMIT, zeros=zeros)
    counts = []
    odds(told(mechanic, FARES), sides, endless, True)  # that its throws end is proven once
    for many in (4, 5, 6):
        for one in CONTESTS:
            one.forget()
        work.clear()
        odds(told(mechanic, FARES), sides[:many], endless, True)
        counts.append((work["paths"], work["rows"], work["sums"]))
    more = [(one[0] - other[0], one[2] - other[2]) for one, other in pairwise(reversed(counts))]
    (paths_last, sums_last), (paths_before, sums_before) = more
    if zeros:
        assert paths_last <= 2 * paths_before
        assert sums_last <= 2 * sums_before + 1
        assert counts[0][0] <= 104
    else:
        assert (paths_last, sums_last) == (paths_before, sums_before)
        assert counts[2][0] < 60
    assert not any(rows for _, rows, _ in counts)


@pytest.mark.slow
@pytest.mark.rule("toaster.3.opposed-multi", "toaster.3.tiebreak-doover")
@pytest.mark.parametrize("bands", [False, True])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("many", [2, 3])
def test_a_contest_told_in_part_has_the_odds_of_all_its_throws(many, zeros, bands):
    """The odds of each reading of the outcome, beside all throws one by one."""
    sides = tuple(contests.Side(6 - at, f"side {at}") for at in range(many))
    extended = stars.Extended(0, zeros)
    readings = [lambda one: one.winner, lambda one: one.standing, lambda one: one.fares]
    for mechanic in (contests.contest, contests.parallel):
        found = [Counter() for _ in readings]
        for thrown in product(range(10), repeat=many):
            faces = [*thrown, *[5] * (thrown.count(0) if zeros else 0)]
            one = load(mechanic, sides, extended, bands, faces=faces).outcome
            for by, counted in zip(readings, found, strict=True):
                counted[by(one)] += Fraction(1, 10**many)
        for by, counted in zip(readings, found, strict=True):
            assert dict(odds(told(mechanic, by), sides, extended, bands).items()) == counted
    first = odds(told(contests.contest, readings[0]), sides, extended, bands)
    again = odds(told(contests.do_over, readings[0]), sides, extended, bands)
    assert {who: chance * (1 - first[None]) for who, chance in again.items()} == {
        who: chance for who, chance in first.items() if who is not None
    }


@pytest.mark.rule("toaster.3.tiebreak-doover")
@pytest.mark.parametrize("bands", [False, True])
def test_a_do_over_of_four_is_a_few_hundred_paths(work, bands):
    """The totals are compared, and none is listed."""
    sides = tuple(contests.Side(6 - at, f"side {at}") for at in range(4))
    contests.do_over.forget()
    odds(told(contests.do_over, lambda one: one.winner), sides,
         stars.Extended(stars.NO_LIMIT, zeros=True), bands)  # fmt: skip
    assert work["paths"] <= 300
    assert work["rows"] == 0


@pytest.mark.rule("toaster.3.tiebreak-doover", "toaster.3.nines-limit")
def test_a_do_over_of_three_has_odds_with_endless_nines_and_zeros():
    """Nobody is favoured among equals, and the odds want less than can ever be seen."""
    sides = tuple(contests.Side(5, f"side {at}") for at in range(3))
    won = odds(
        told(contests.do_over, lambda one: one.winner),
        sides,
        stars.Extended(stars.NO_LIMIT, zeros=True),
        True,
    )
    assert won.unresolved < 2**-60
    chances = [won[at] for at in range(3)]
    assert all(one.low <= Fraction(1, 3) <= one.high for one in chances)
